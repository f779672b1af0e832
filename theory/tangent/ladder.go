package tangent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// Ladder is the claim tangent/ladder: the behaviour of networks on labels of graded difficulty.
var Ladder = theory.Statement{
	Slug:     "tangent/ladder",
	Title:    "Eigenvector ladder: harder labels are amplified more and aligned with less, on 48 points at width 24",
	Plain:    "In small experiments, training amplifies harder labels more, and the kernel aligns with them less.",
	Kind:     theory.Empirical,
	Standing: theory.Finding,
	Setting: "ReLU networks 8→24→24→1 with He weights, 48 points uniform on the sphere, labels y = √n·u with u an " +
		"eigenvector of the network's own tangent kernel K₀, for the 2nd, 9th and 28th largest eigenvalue (easy, middle, " +
		"hard), added to the outputs at the start; 100 full-batch steps of 0.1 with momentum 0.9 on the mean of ½(f − y)², " +
		"with a cosine schedule of the rate. K̄ is the kernel of the averaged tangent features (midpoint rule, 6 nodes), " +
		"the amplification uᵀK̄u/uᵀK₀u, the alignment uᵀK̄u/‖K̄‖.",
	Params: []theory.Param{
		{Name: "v", Symbol: "v", Meaning: "difficulty of the labels, √(yᵀK₀⁻¹y)", Domain: theory.Between(0.01, 100),
			Default: "4"},
	},
	Claim: "In the median over data and starts the amplification grows by a factor of at least 1.2 from each label " +
		"to the next harder one, the alignment falls by a factor of at least 1.5, and the amplification lies between " +
		"0.3 and 1.1 times the law s² of tangent/outputs with the penalty (z−1)². With labels a two-hundredth as " +
		"large, the amplification of the hard label is within 3.5 % of 1.",
	TeX: `\frac{u_k^\top \bar K u_k}{u_k^\top K_0 u_k} \text{ rises with } k, \qquad \frac{u_k^\top \bar K ` +
		`u_k}{\lVert \bar K \rVert_F} \text{ falls with } k`,
	Assumptions: []theory.Assumption{
		{ID: "large-labels", Text: "the labels are of the order of the outputs"},
		{ID: "graded", Text: "the labels are ordered by the eigenvalue of K₀ along them"},
	},
	Source: paper.At("Figure 1, for which this is a control of graded difficulty"),
	Deviations: "The paper compares one smooth and one harder labelling of digits by the alignment alone, and finds " +
		"that the harder one is aligned better. The ladder is ours: labels of equal norm and known difficulty. It shows " +
		"the opposite order, as the relaxed model predicts; so the paper's order is due to its data and does not follow " +
		"from its theorems.",
	Proof: "None: this is an observation. tangent/outputs gives the law of the relaxed model.",
	Tolerance: "A median has an exact interval between order statistics, whatever the law of the draws. The bounds " +
		"were chosen after pilot runs. Effects are logarithms of factors, 0 where nothing grows or falls. The band around " +
		"the law is no effect: it says which order of magnitude another model's law has, and no size narrows it.",
	Limits: "One architecture, one number of points, one schedule. The easiest eigenvector, near the mean direction, " +
		"is omitted, because K̄ shrinks along it. The paper's figures on MNIST are not repeated here.",
	RestsOn: []string{"tangent/outputs", "tangent/path"},
	Predict: func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{{Name: "amplification", Symbol: "s²", Value: LadderAmplification(v.Float("v")),
			Meaning: "amplification by the law of the relaxed model; that of networks is 0.3 to 1.1 of it"}}
	},
}

// LadderNodes is the number of nodes of the midpoint rule in the setting of [Ladder].
const LadderNodes = 6

// LadderDifficulty returns v = √(n/λ), the difficulty of n labels of mean square 1 along an eigenvector of K₀ with
// eigenvalue λ.
func LadderDifficulty(n int, lambda float64) float64 { return math.Sqrt(float64(n) / lambda) }

// LadderAmplification returns s², the factor by which the relaxed model with (z−1)² amplifies labels of difficulty v.
func LadderAmplification(v float64) float64 {
	return math.Pow(Sum{{Quadratic, 1}}.Effective(v).Size(), 2)
}

// EnergyAlong returns uᵀK̄u = ‖Σ uᵢf̄(xᵢ)‖² for features averaged over networks of one shape at points, the rows of
// x (n×d).
func EnergyAlong(along []Perceptron, x *mat.Dense, u []float64) float64 {
	var sum []float64
	for i, weight := range u {
		phi := AveragedFeatures(along, x.RawRowView(i))
		if sum == nil {
			sum = make([]float64, len(phi))
		}
		floats.AddScaled(sum, weight, phi)
	}
	return floats.Dot(sum, sum)
}
