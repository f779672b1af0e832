package vcl

const (
	warmUpRate = 0.5
	figureRate = 0.05 // γ of figure 1
)

// Rule is a way to train.
type Rule string

// The rules. All but SGD train the stages below the last and leave the last as the warm-up left it, as Algorithm 1 is
// printed; in a network of one stage they train that stage.
const (
	SGD        Rule = "sgd"         // gradient descent on all stages
	SGDFrozen  Rule = "sgd-frozen"  // gradient descent, last stage frozen
	VCL        Rule = "vcl"         // the nearest weights with the shifted Gram matrix, infeasible parts dropped
	Whitening  Rule = "whitening"   // the nearest weights with gradient descent's Gram matrix
	Algorithm1 Rule = "algorithm-1" // as printed: α = 0.1, cumulative shifts
	Cumulative Rule = "cumulative"  // Algorithm 1 with α = ½

	// in the experiment transformer, where every stage is trained
	Adam  Rule = "adam"
	Pairs Rule = "pairs" // whitening, with SGD for attention, whose queries and keys it whitens as a pair
)

// Rules lists those of the experiment training in the order of figures and tables.
var Rules = []Rule{SGD, SGDFrozen, VCL, Whitening, Algorithm1, Cumulative}

// Title is the rule's name for a reader.
func (r Rule) Title() string {
	return map[Rule]string{SGD: "SGD", SGDFrozen: "SGD, last frozen", VCL: "VCL", Whitening: "whitening", Adam: "Adam",
		Pairs: "whitening, SGD for attention", Algorithm1: "Algorithm 1, α = 0.1",
		Cumulative: "Algorithm 1, α = ½"}[r]
}

// Network is an architecture.
type Network string

// The networks.
const (
	TwoLayer   Network = "two-layer"
	ThreeLayer Network = "three-layer"
	Conv       Network = "convolutional"
	Softmax    Network = "softmax regression"
	Binary     Network = "binary logistic regression" // odd classes against even ones
)

// Networks lists them in the order of the report.
var Networks = []Network{TwoLayer, ThreeLayer, Conv, Softmax, Binary}

// rules are those that differ on the network: without a stage below the last nothing is frozen.
func (n Network) rules() []Rule {
	if n == Softmax || n == Binary {
		return []Rule{SGD, VCL, Whitening, Algorithm1, Cumulative}
	}
	return Rules
}
