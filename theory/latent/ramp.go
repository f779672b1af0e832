package latent

import (
	"cmp"

	"github.com/thm-suite/thm/theory"
)

// Ramp is the claim latent/ramp: a network and a kernel on noiseless samples of a step.
var Ramp = theory.Statement{
	Slug:  "latent/ramp",
	Title: "What a network can gain over a kernel on noiseless samples of a step",
	Plain: "From noiseless samples of a step no method, network or kernel, does better on average than a straight line " +
		"across the jump.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "y = 1{x > x₀} at samples on a grid of spacing h, without noise, and x₀ uniform in the cell between two " +
		"neighbouring samples, inside the range of the samples. The ramp is 0 before this cell and 1 after it, and " +
		"linear in it. Squared errors are integrals over the range. Networks are α + βx + Σⱼ aⱼ max(0, wⱼx + bⱼ), of " +
		"any width unless it is given.",
	Params: []theory.Param{
		{Name: "spacing", Symbol: "h", Meaning: "distance between samples", Domain: theory.Above(0), Default: "0.1"},
		{Name: "from", Symbol: "p", Meaning: "first kink of a network of two neurons, as a fraction of the cell",
			Domain: theory.Between(0, 1), Default: "0"},
		{Name: "to", Symbol: "q", Meaning: "second kink, as a fraction of the cell", Domain: theory.Between(0, 1),
			Default: "0.5"},
	},
	Claim: "For every f that depends only on the samples, $E_{x₀} ∫(f − y)² = h/6 + ∫(f − ramp)²$, so that no method " +
		"has a smaller mean error than h/6, which the interpolant of the kernel min(s, t) attains, because it is the " +
		"ramp. Every network that fits the samples has $Σⱼ|aⱼwⱼ| ≥ 2/h$ and |f − ramp| ≤ hΣⱼ|aⱼwⱼ| − 2 on the range, " +
		"where the ramp alone has 2/h. Networks of two neurons fit if and only if they rise from 0 to 1 between two " +
		"kinks in the cell. From the fraction p of the cell to the fraction q, $∫(f − ramp)² = h(p² − p(1−q) + " +
		"(1−q)²)/3 < h/3$ and Σⱼ|aⱼwⱼ| = 2/(h(q−p)): so with two neurons every fit has a mean error below h/2; with " +
		"any number of neurons, the fit with the smallest weights has h/6.",
	TeX: `\mathbb{E}_{x_0}\!\int (f - y)^2 = \tfrac{h}{6} + \int (f - \mathrm{ramp})^2, \quad ` +
		`\sum_j |a_j w_j| \ge \tfrac{2}{h}, \quad \int (f - \mathrm{ramp})^2 = \tfrac{h}{3}(p^2 - p(1-q) + (1-q)^2)`,
	Assumptions: []theory.Assumption{
		{ID: "uniform", Text: "the jump is uniform in its cell"},
		{ID: "noiseless", Text: "the samples have no noise, so that they tell the cell"},
		{ID: "fit", Text: "networks fit all samples, where their weights are bounded"},
		{ID: "sides", Text: "two samples lie on either side of the jump, and three where two kinks are located"},
		{ID: "two", Text: "the network has two neurons, where its kinks are located"},
	},
	Source: paper.At("companion slides on adaptivity to smoothness, the Heaviside function"),
	Deviations: "The slides compare pictures of fits, by a network and by kernels; the claim gives the best error " +
		"that either can reach, and the quantities that distinguish the fits. That a fit of smallest norm is a " +
		"linear spline is due to Savarese, Evron, Soudry and Srebro (COLT 2019), for the norm with the slopes at " +
		"both ends; here the linear part is free.",
	Proof: "At the fraction u of the cell y is 1 with probability u, the value of the ramp, and E(f − y)² = " +
		"(f − u)² + u(1−u); elsewhere y is the ramp. A network's derivative changes by at most Σ|aⱼwⱼ| in total. If " +
		"the network fits, the derivative has mean 0 in the cells before and after the jump and mean 1/h between, " +
		"and so rises and falls by 1/h at least. If it falls to −δ anywhere, or rises to 1/h + δ/2, it changes by δ " +
		"more, as it has to be 1/h or more in the cell. As f is the ramp at the ends of cells, it then differs by at " +
		"most δh between them. A kink at the fraction α of a cell adds (1−α, α) times a number to the second " +
		"differences of f at the ends of the cell, and those of y are 1 and −1 at the ends of the jump's. With two " +
		"kinks nothing cancels what a kink elsewhere adds at a third sample.",
	Tolerance: "Quadrature with 12 nodes between samples and kinks is exact for the squares of linear functions, and " +
		"errs by less than rounding for the kernels that are drawn. Values of f err by 8(m+2)u of the sum S of the sizes " +
		"of their m terms, squared errors by 4S times that and the range, and the distance of two kinks by 12u of the " +
		"range. For kinks at eighths of cells, one of them outside the closed cell of the jump, the second " +
		"differences miss those of y by at least 1/√50, and the values by a quarter of that, as a second difference " +
		"is at most four times as long as its vector.",
	Limits: "One dimension, at most 16 samples. Nothing is said about training: latent/heaviside measures which of " +
		"the fits it finds. With noise networks and kernels differ, see latent/jump.",
	RestsOn: []string{"latent/interpolation"},
	Predict: func(v theory.Values) []theory.Quantity {
		s := CellRamp{v.Float("spacing"), v.Float("from"), v.Float("to")}
		return []theory.Quantity{
			{Name: "bound", Symbol: "h/6", Value: s.Bound(), Meaning: "smallest mean squared error of any method"},
			{Name: "error", Symbol: "E∫(f−y)²", Value: s.Error(), Meaning: "mean squared error with kinks at p and q"},
			{Name: "norm", Symbol: "Σ|aⱼwⱼ|", Value: s.Norm(), Meaning: "weights of that network"},
			{Name: "smallest", Symbol: "2/h", Value: s.SmallestNorm(), Meaning: "smallest weights of a network that fits"},
		}
	},
	Violated: func(v theory.Values) error {
		return CellRamp{v.Float("spacing"), v.Float("from"), v.Float("to")}.Valid()
	},
}

// CellRamp describes a function that rises from 0 to 1 between two fractions of a cell of length Spacing, and is
// constant elsewhere.
type CellRamp struct{ Spacing, From, To float64 }

// Valid names the violated hypothesis.
func (s CellRamp) Valid() error {
	return cmp.Or(
		theory.Require(s.Spacing > 0, "latent: the spacing of the samples must be positive"),
		theory.Require(0 <= s.From && s.From < s.To && s.To <= 1,
			"latent: a ramp rises between two fractions of its cell: need 0 ≤ p < q ≤ 1"),
	)
}

func (s CellRamp) valid(x float64) float64 {
	return theory.When(s.Valid() == nil, x)
}

// Bound returns h/6, the smallest squared error averaged over a jump that is uniform in the cell.
func (s CellRamp) Bound() float64 { return s.valid(s.Spacing / 6) }

// Distance returns h(p² − p(1−q) + (1−q)²)/3, the squared distance from the ramp over the whole cell.
func (s CellRamp) Distance() float64 {
	rest := 1 - s.To
	return s.valid(s.Spacing * ((s.From-rest)*(s.From-rest) + s.From*rest) / 3)
}

// Error returns the squared error averaged over a jump that is uniform in the cell.
func (s CellRamp) Error() float64 { return s.Bound() + s.Distance() }

// Norm returns 2/(h(q−p)), the sum of |aⱼwⱼ| over the two neurons.
func (s CellRamp) Norm() float64 { return s.valid(2 / (s.Spacing * (s.To - s.From))) }

// Farthest returns hΣ|aⱼwⱼ| − 2, the largest distance from the ramp of a network that fits and has this Σ|aⱼwⱼ|.
func (s CellRamp) Farthest(norm float64) float64 { return s.valid(s.Spacing*norm - 2) }

// SmallestNorm returns 2/h, the smallest sum of |aⱼwⱼ| of a network that fits.
func (s CellRamp) SmallestNorm() float64 { return s.valid(2 / s.Spacing) }
