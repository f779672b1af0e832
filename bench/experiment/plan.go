package experiment

import (
	"fmt"
	"strconv"

	"github.com/thm-suite/thm/props"
)

// The experiments, in the order in which they run.
const (
	Covariance   = "covariance"
	NewtonSchulz = "newton-schulz"
	Training     = "training"
	cellsVersion = "1" // part of the key of every cell; raise it when what a cell computes changes
	warmUpRate   = 0.5
	figureRate   = 0.05 // γ of figure 1
)

// Names lists the experiments; add here.
var Names = []string{Covariance, NewtonSchulz, Training}

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
)

// Rules lists them in the order of figures and tables.
var Rules = []Rule{SGD, SGDFrozen, VCL, Whitening, Algorithm1, Cumulative}

// Title is the rule's name for a reader.
func (r Rule) Title() string {
	return map[Rule]string{SGD: "SGD", SGDFrozen: "SGD, last frozen", VCL: "VCL", Whitening: "whitening",
		Algorithm1: "Algorithm 1, α = 0.1", Cumulative: "Algorithm 1, α = ½"}[r]
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

// Sizes are those of the training runs of an effort.
type Sizes struct {
	Train      int       `json:"train"` // pictures, like the next two
	Validation int       `json:"validation"`
	Test       int       `json:"test"`
	Cell       int       `json:"cell"`   // side of the squares of pixels that are averaged into one input
	Hidden     int       `json:"hidden"` // width of hidden layers
	Batch      int       `json:"batch"`
	Epochs     int       `json:"epochs"`
	WarmUp     int       `json:"warm_up"` // epochs in which only the last stage is trained, with γ = 0.5
	Seeds      int       `json:"seeds"`   // runs per rule and step size
	Gammas     []float64 `json:"gammas"`  // the grid of step sizes, equal for all rules
	Wide       int       `json:"wide"`    // width of hidden layers in the experiments covariance and newton-schulz
	Fine       int       `json:"fine"`    // Cell in the experiment covariance
}

// sizes at every effort. The printed grids were {5, 1, .5, .1, .05} for VCL and {.1, .05, .01, .005} for SGD.
var sizes = map[props.Effort]Sizes{
	props.Quick: {Train: 200, Validation: 100, Test: 100, Cell: 4, Hidden: 12, Batch: 50, Epochs: 2,
		WarmUp: 1, Seeds: 2, Gammas: []float64{0.05, 1}, Wide: 24, Fine: 4},
	props.Standard: {Train: 2000, Validation: 500, Test: 1000, Cell: 2, Hidden: 32, Batch: 64, Epochs: 10,
		WarmUp: 1, Seeds: 5, Gammas: []float64{0.005, 0.05, 0.5, 1, 5}, Wide: 256, Fine: 1},
	props.Deep: {Train: 60000, Validation: 0, Test: 10000, Cell: 1, Hidden: 256, Batch: 64, Epochs: 20,
		WarmUp: 1, Seeds: 5, Gammas: []float64{0.005, 0.01, 0.05, 0.1, 0.5, 1, 5}, Wide: 256, Fine: 1},
}

// SizesAt returns the sizes at an effort.
func SizesAt(e props.Effort) Sizes {
	s := sizes[e]
	s.Gammas = append([]float64{}, s.Gammas...)
	return s
}

// Cell is one run that is cached and resumed as a whole.
type Cell struct {
	Experiment string  `json:"experiment"`
	Dataset    string  `json:"dataset"`
	Network    Network `json:"network,omitempty"`
	Rule       Rule    `json:"rule,omitempty"`
	Gamma      float64 `json:"gamma,omitempty"`
	Seed       int     `json:"seed"`
}

// String names the cell.
func (c Cell) String() string {
	text := c.Experiment + " " + c.Dataset
	if c.Rule != "" {
		text += fmt.Sprintf(" %s %s γ=%g", c.Network, c.Rule, c.Gamma)
	}
	return text + " seed " + strconv.Itoa(c.Seed)
}

// plan lists the cells of the chosen experiments on the data sets. Seeds come first, so that an interrupted run has
// whole grids of fewer seeds.
func plan(names, datasets []string, e props.Effort) []Cell {
	var out []Cell
	s := sizes[e]
	for _, name := range names {
		for seed := range s.Seeds {
			for _, d := range datasets {
				if name != Training {
					out = append(out, Cell{Experiment: name, Dataset: d, Seed: seed})
					continue
				}
				for _, n := range Networks {
					for _, r := range n.rules() {
						for _, g := range s.Gammas {
							out = append(out, Cell{name, d, n, r, g, seed})
						}
					}
				}
			}
		}
	}
	return out
}
