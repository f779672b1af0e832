package vcl

import "github.com/thm-suite/thm/theory"

// Alignment is the claim vcl/alignment.
var Alignment = theory.Statement{
	Slug:  "vcl/alignment",
	Title: "Neural feature ansatz, observed on 128 points at width 8: small initial weights align, large ones less",
	Plain: "In small experiments, training from small weights aligns WᵀW with the average gradient outer " +
		"product more than training from large weights.",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "Two-layer GELU networks 10→8→1 without trained biases on 128 Gaussian inputs with target x₁x₂ + x₁/2, " +
		"400 full-batch gradient steps of 0.25 on the mean of ½(f − y)², from PyTorch's default weights times 0.2 " +
		"(small) or 3.5 (large). AGOP = (1/N)Σ ∇_x f ∇_x fᵀ over the training inputs; its distance from " +
		"proportionality to WᵀW is 1 − the cosine, or 1 − the Pearson correlation, of their entries. A network that " +
		"diverges counts as unchanged.",
	Params: []theory.Param{
		{Name: "W", Symbol: "W", Meaning: "weights of the first layer", Shape: "m×n"},
	},
	Claim: "In the median over data and starts, training from small weights closes more than half of the distance " +
		"between WᵀW and proportionality to AGOP, by either measure, and ends closer to proportionality, by more than " +
		"0.04, than training from large weights does.",
	TeX: `\operatorname{med} \frac{1 - \cos(W_T^{\top} W_T, \mathrm{AGOP}_T)}` +
		`{1 - \cos(W_0^{\top} W_0, \mathrm{AGOP}_0)} < \tfrac12`,
	Assumptions: []theory.Assumption{
		{ID: "small-start", Text: "the network starts from small weights"},
		{ID: "trained", Text: "the network is trained"},
	},
	Source: ansatzPaper.At("neural feature ansatz"),
	Deviations: "The source observes high correlations in trained deep networks. The network, the data and the two " +
		"measures are ours; the settings of its experiments were not consulted.",
	Proof: "None: this is an observation. vcl/ansatz has the exact cases.",
	Tolerance: "A median has an exact interval between order statistics, whatever the distribution of the draws. " +
		"Effects are the logarithm of the remaining share of the distance, and the final difference. In preliminary " +
		"runs less than one network in fifty closed less than half; at that rate, 80 networks leave the interval " +
		"undecided with a probability below 10⁻⁹.",
	Limits: "One target, one width, one step size and two initial scales: nothing is said about other networks, and a " +
		"finding is not a law. The cosine is the larger of the two similarities, because it counts the positive diagonals " +
		"that any two Gram matrices share. If the printed proportionality held exactly, all of the distance would be " +
		"closed; here about nine tenths are.",
	RestsOn: []string{"vcl/ansatz"},
}
