package width

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/linear"
)

// Linearisation is the claim width/linearised.
var Linearisation = theory.Statement{
	Slug:  "width/linearised",
	Title: "Training of the linearised network in closed form",
	Plain: "The linear expansion of a network at its start trains along a path that its tangent kernel gives in closed " +
		"form.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "f_lin(x; θ) = f₀(x) + J(x)(θ − θ₀) with the gradients J of a network at its start θ₀; X are m training " +
		"samples with labels y, the loss is ½Σ(f_lin − y)², e = f₀(X) − y, and Θ = J(X)J(X)ᵀ is the tangent kernel. " +
		"Either k full-batch steps of plain descent of size η, or the flow θ′ = −∇ loss up to the time t.",
	Params: []theory.Param{
		{Name: "lambda", Symbol: "λ", Meaning: "eigenvalue of Θ", Domain: theory.Between(0, 1e6), Default: "1"},
		{Name: "eta", Symbol: "η", Meaning: "step size", Domain: theory.Above(0), Default: "0.1"},
		{Name: "steps", Symbol: "k", Meaning: "number of steps; 0 for the flow, up to the time η",
			Domain: theory.IntegerBetween(0, 1e6), Default: "10"},
		{Name: "J", Symbol: "J(X)", Meaning: "features of the training samples", Shape: "m×p"},
		{Name: "Jx", Symbol: "J(x)", Meaning: "features of other points", Shape: "q×p"},
		{Name: "e", Symbol: "f₀(X) − y", Meaning: "residuals at the start", Shape: "m"},
		{Name: "moved", Symbol: "θ − θ₀", Meaning: "by how much the parameters moved", Shape: "p"},
		{Name: "outputs", Symbol: "f − f₀", Meaning: "by how much the outputs at the other points moved", Shape: "q"},
	},
	Claim: "θ − θ₀ = −J(X)ᵀψ(Θ)e, so that at every x the output is f₀(x) − J(x)J(X)ᵀψ(Θ)e, with " +
		"$ψ(λ) = (1 − (1−ηλ)ᵏ)/λ$ for descent, $ψ(λ) = (1 − e^(−tλ))/λ$ for the flow, and ψ(0) = kη or t, " +
		"which J(X)ᵀ multiplies by 0. On an eigenvector of Θ the residual is multiplied by $(1−ηλ)ᵏ$ or " +
		"e^(−tλ). Θ may be singular.",
	TeX: `\psi(\lambda) = \frac{1 - (1-\eta\lambda)^k}{\lambda}, ` +
		`\qquad \psi(\lambda) = \frac{1 - e^{-t\lambda}}{\lambda}, \qquad (1-\eta\lambda)^k`,
	Assumptions: []theory.Assumption{
		{ID: "linear", Text: "the features J stay as they were at the start"},
		{ID: "full", Text: "every step sees all samples"},
		{ID: "plain", Text: "there is no momentum"},
		{ID: "half", Text: "the loss is half the sum of squares, not half their mean"},
	},
	Source: theory.Source{Paper: "After J. Lee et al., Wide neural networks of any depth evolve as linear models under " +
		"gradient descent", ArXiv: "1902.06720", Version: "derived here", Year: 2019,
		Locus: "proof of theory/width.Linearisation"},
	Deviations: "The source has the flow with a step size in front of the time, and inverts Θ. Here descent has its own " +
		"formula, and nothing is inverted.",
	Proof: "θ − θ₀ = J(X)ᵀv stays in the span of the features; a step takes v to v − η(Θv + e) = (I − ηΘ)v − ηe, which " +
		"sums to v = −η Σ_{j<k}(I − ηΘ)ʲ e = −ψ(Θ)e. The flow is the limit k → ∞ with kη = t.",
	Tolerance: "Eigenvalues are known to 10mu‖Θ‖, which moves tψ by at most t‖Θ‖ times that, relatively; steps have " +
		"(m+p) roundings of what they move, and no step that is drawn enlarges an error.",
	Limits: "At most 6 samples and 8 parameters, step sizes up to 1.9/‖Θ‖, t‖Θ‖ ≤ 60. Whether a wide network stays " +
		"close to its linearisation is the subject of width/kernelchange.",
	Violated: func(v theory.Values) error {
		weight := Training{v.Float("eta"), v.Int("steps")}.Weight(v.Float("lambda"))
		return theory.Require(!math.IsInf(weight, 0),
			"width: the residual grows beyond all numbers; take a smaller step size, or fewer steps")
	},
	Predict: func(v theory.Values) []theory.Quantity {
		lambda, eta, k := v.Float("lambda"), v.Float("eta"), v.Int("steps")
		return []theory.Quantity{
			{Name: "residual", Symbol: "(1−ηλ)ᵏ", Value: Training{eta, k}.Residual(lambda),
				Meaning: "share of a residual that descent leaves"},
			{Name: "flow", Symbol: "e^(−kηλ)", Value: Training{eta * float64(max(k, 1)), 0}.Residual(lambda),
				Meaning: "share that the flow leaves at the time kη"},
			{Name: "weight", Symbol: "ψ(λ)", Value: Training{eta, k}.Weight(lambda),
				Meaning: "of the residual in the parameters"},
		}
	},
}

// Training is a number of steps of size Rate, or with no steps the flow up to the time Rate.
type Training struct {
	Rate  float64
	Steps int
}

// Valid names the violated hypothesis.
func (t Training) Valid() error {
	return theory.Require(t.Rate > 0 && t.Steps >= 0, "width: need a positive step size or time, and a number of steps")
}

// Residual returns the factor of a residual along an eigenvector of Θ.
func (t Training) Residual(lambda float64) float64 {
	x := t.Rate * lambda
	switch {
	case t.Valid() != nil || !(lambda >= 0):
		return math.NaN()
	case t.Steps == 0:
		return math.Exp(-x)
	case x < 0.5:
		return math.Exp(float64(t.Steps) * math.Log1p(-x))
	}
	return math.Pow(1-x, float64(t.Steps))
}

// Weight returns ψ(λ).
func (t Training) Weight(lambda float64) float64 {
	switch {
	case t.Valid() != nil || !(lambda >= 0):
		return math.NaN()
	case t.Steps > 0:
		return linear.DescentFilter(t.Rate, t.Steps, lambda)
	case lambda == 0:
		return t.Rate
	}
	return -math.Expm1(-t.Rate*lambda) / lambda
}

// Dual returns ψ(Θ)e: the parameters move by −J(X)ᵀψ(Θ)e, and outputs by −Θ(x, X)ψ(Θ)e.
func (t Training) Dual(kernel *mat.SymDense, residual []float64) []float64 {
	var eigen mat.EigenSym
	if !eigen.Factorize(kernel, true) {
		return []float64{math.NaN()}
	}
	var v mat.Dense
	eigen.VectorsTo(&v)
	along, out := new(mat.VecDense), new(mat.VecDense)
	along.MulVec(v.T(), mat.NewVecDense(len(residual), residual))
	for i, lambda := range eigen.Values(nil) {
		along.SetVec(i, along.AtVec(i)*t.Weight(max(0, lambda))) // negative ones are rounding
	}
	out.MulVec(&v, along)
	return out.RawVector().Data
}
