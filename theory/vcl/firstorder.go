package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/theory"
)

// FirstOrder is the claim vcl/firstorder.
var FirstOrder = theory.Statement{
	Slug:  "vcl/firstorder",
	Title: "To first order, the nearest-weights step is gradient descent without its Gram-preserving part",
	Plain: "To first order, the nearest-weights step is gradient descent with the part of the gradient that " +
		"would not change WᵀW removed.",
	Kind:     theory.Order,
	Standing: theory.Derivation,
	Setting:  "W m×n of full rank, ∇ a gradient (m×n); W₊(γ) the nearest weights to W with the Gram matrix of W − γ∇.",
	Params: []theory.Param{
		{Name: "m", Symbol: "m", Meaning: "outputs of the layer", Domain: theory.IntegerBetween(1, 1e6), Default: "256"},
		{Name: "n", Symbol: "n", Meaning: "inputs of the layer", Domain: theory.IntegerBetween(1, 1e6), Default: "784"},
		{Name: "W", Symbol: "W", Meaning: "weights", Shape: "m×n"},
		{Name: "D", Symbol: "∇", Meaning: "gradient of the loss in the weights", Shape: "m×n"},
		{Name: "Delta", Symbol: "Δ",
			Meaning: "whitened gradient: the projection of ∇ on the matrices whose product with Wᵀ is symmetric",
			Shape:   "m×n"},
		{Name: "W_next", Symbol: "W₊", Meaning: "weights after the step", Shape: "m×n"},
	},
	Claim: "$W₊ = W − γΔ + O(γ²)$, Δ the orthogonal projection of ∇ on {D : DWᵀ symmetric}: for m ≤ n Δ = ∇ − ΩW with " +
		"WWᵀΩ + ΩWWᵀ = ∇Wᵀ − W∇ᵀ, for m ≥ n Δ = WS with WᵀWS + SWᵀW = Wᵀ∇ + ∇ᵀW. WᵀΔ + ΔᵀW = Wᵀ∇ + ∇ᵀW and ‖Δ‖² + ‖∇ − Δ‖² " +
		"= ‖∇‖². Δ keeps the share 1 − (m−1)/(2n) of an isotropic gradient for m ≤ n, (n+1)/(2m) for m ≥ n. For m > n the " +
		"columns of W₊ lie in the column space of W, at every γ.",
	TeX: `W_+ = W - \gamma \Delta + O(\gamma^2), \quad \Delta W^{\top} = W \Delta^{\top}, \quad ` +
		`\frac{\mathrm{E} \lVert \Delta \rVert^2}{\mathrm{E} \lVert \nabla \rVert^2} = 1 - \frac{m-1}{2n} \; ` +
		`\text{for} \; m \le n, \quad ` +
		`\frac{n+1}{2m} \; \text{for} \; m \ge n`,
	Assumptions: []theory.Assumption{
		{ID: "full-rank", Text: "W has full rank"},
		{ID: "rotated", Text: "W₊ is the nearest solution, not just any solution with the right Gram matrix"},
		{ID: "own-gradient", Text: "the target is the Gram matrix of the same gradient step"},
	},
	Source: successor.At("Gram-altering and Gram-preserving gradient"),
	Deviations: "The source defines the whitened gradient by the minimisation of ‖∇ − Δ′‖ subject to WᵀΔ′ + Δ′ᵀW = " +
		"0; the closed forms, the retained share and the frozen column space are derived here.",
	Proof: "W₊ = UW_s with U the polar factor of WW_sᵀ, so W₊Wᵀ is symmetric for all γ, and so is its derivative " +
		"−ΔWᵀ; that WᵀΔ + ΔᵀW = Wᵀ∇ + ∇ᵀW is the Gram constraint. The spaces {ΩW : Ω skew} and {D : DWᵀ symmetric} " +
		"are orthogonal complements, the first of dimension m(m−1)/2, or m(m−1)/2 − (m−n)(m−n−1)/2 for m > n; the " +
		"share is one minus that over mn. For m > n, U maps the column space of W_s onto that of W.",
	Tolerance: "E(γ) = W₊ − W + γΔ = γ²E₂ + γ³E₃ + …: E(γ) − 4E(γ/2) is half of the third-order term, and twice that " +
		"bounds the distance of a norm from second order. With σ the least singular value of W and τ = γ‖∇‖/σ ≤ 1/10 the " +
		"terms of order k and above are at most 0.13(10τ)ᵏσ; a slope is judged where the leading order stands out from the " +
		"next. The derivative of a solver is extrapolated from four central differences with τ ≤ 1/32, which leaves " +
		"2.6·10⁻¹⁰‖∇‖, and a solution errs by 8(m+n)·u·κ²‖W‖, κ the condition of W, which the smallest step divides. The " +
		"closed form divides by eigenvalues of WWᵀ: 16(m+n)·u·κ²‖∇‖.",
	Limits: "Steps are differentiated for condition numbers up to 30, and the closed form is checked up to 10³, with " +
		"sides up to 30. The share is for an isotropic gradient; gradients of networks are not isotropic.",
	RestsOn: []string{"vcl/procrustes"},
	Predict: func(v theory.Values) []theory.Quantity {
		s := LayerShape{Outputs: v.Int("m"), Inputs: v.Int("n")}
		return []theory.Quantity{
			{Name: "retained", Symbol: "E‖Δ‖²/E‖∇‖²", Value: s.Retained(),
				Meaning: "share of an isotropic gradient that the step keeps", Nonnegative: true},
			{Name: "preserving", Symbol: "dim{ΩW}", Value: s.Preserving(),
				Meaning: "dimension of the Gram-preserving directions"},
		}
	},
}

// LayerShape is the shape m×n of a layer.
type LayerShape struct{ Outputs, Inputs int }

// Valid names the violated hypothesis.
func (s LayerShape) Valid() error {
	return theory.Require(s.Outputs >= 1 && s.Inputs >= 1, "vcl: a layer has at least one output and one input")
}

// Preserving returns the dimension of {ΩW : Ω skew} for W of full rank: the dimension of all skew matrices minus that
// of the skew matrices on the complement of the column space.
func (s LayerShape) Preserving() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	skew := func(k int) float64 { return float64(k) * float64(k-1) / 2 }
	return skew(s.Outputs) - skew(max(0, s.Outputs-s.Inputs))
}

// Retained returns 1 − (m−1)/(2n) for m ≤ n and (n+1)/(2m) for m ≥ n.
func (s LayerShape) Retained() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	m, n := float64(s.Outputs), float64(s.Inputs)
	if m <= n {
		return 1 - (m-1)/(2*n)
	}
	return (n + 1) / (2 * m)
}

// WhitenedGradient returns Δ (m×n), the projection of the gradient on {D : DWᵀ symmetric}, for W of full rank. All
// entries are NaN when the eigenvalues of the Gram matrix do not converge.
func WhitenedGradient(w, grad *mat.Dense) *mat.Dense {
	m, n := w.Dims()
	if m <= n {
		cross := algebra.Product(grad, w.T())
		omega := lyapunov(symmetrised(algebra.Product(w, w.T())), algebra.Difference(cross, cross.T()))
		return algebra.Difference(grad, algebra.Product(omega, w))
	}
	cross := algebra.Product(w.T(), grad)
	return algebra.Product(w, lyapunov(symmetrised(algebra.Product(w.T(), w)), algebra.Sum(cross, cross.T())))
}

// lyapunov returns X with AX + XA = C for symmetric positive definite A: in the eigenbasis of A, X is C over λᵢ + λⱼ.
// Where eigenvalues vanish, X does too.
func lyapunov(a *mat.SymDense, c *mat.Dense) *mat.Dense {
	var eigen mat.EigenSym
	n := a.SymmetricDim()
	if !eigen.Factorize(a, true) {
		return undefined(n)
	}
	values := eigen.Values(nil)
	var q, x mat.Dense
	eigen.VectorsTo(&q)
	x.Product(q.T(), c, &q)
	x.Apply(func(i, j int, v float64) float64 {
		if !(math.Abs(values[i]+values[j]) > 16*float64(n)*roundoff.Unit*values[n-1]) {
			return 0 * (v + values[n-1])
		}
		return v / (values[i] + values[j])
	}, &x)
	return algebra.Product(&q, &x, q.T())
}
