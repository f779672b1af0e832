package linear

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// MaxMargin is the claim linear/maxmargin.
var MaxMargin = theory.Statement{
	Slug:  "linear/maxmargin",
	Title: "Gradient flow on separable data: maximum margin, and the offset from it",
	Plain: "On separable data the weights of a linear classifier grow like log t along the maximum-margin direction, " +
		"plus a constant that is known exactly.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "Gradient flow from any w(0) on Σ exp(−xₙ·w) or Σ log(1 + exp(−xₙ·w)), labels absorbed into the xₙ, which " +
		"some w separates. ŵ has least norm among all w with xₙ·w ≥ 1; ŵ = Σ αₙxₙ over the support vectors S, where xₙ·ŵ " +
		"= 1. P projects on their span. θ is the least xₙ·ŵ off S, μ the least eigenvalue of Σ αₙxₙxₙᵀ on the span.",
	Params: []theory.Param{
		{Name: "a", Symbol: "a", Meaning: "one sample is (1, a)", Domain: theory.Between(0.01, 100), Default: "1"},
		{Name: "c", Symbol: "c", Meaning: "the other is (1, −c)", Domain: theory.Between(0.01, 100), Default: "2"},
		{Name: "X", Symbol: "X", Meaning: "samples times labels, one per row", Shape: "n×d"},
		{Name: "w", Symbol: "w", Meaning: "weights at time t", Shape: "d"},
		{Name: "log_t", Symbol: "log t", Meaning: "logarithm of the time of the flow"},
	},
	Claim: "If the support vectors are linearly independent and all αₙ > 0, then $Pw(t) − ŵ log t → w̃$, where w̃ lies " +
		"in their span and xₙ·w̃ = −log αₙ for n in S. With it t·loss → ‖ŵ‖². The distance falls as t^(−min(μ, θ−1)) from " +
		"a generic start on the exponential loss, unless μ = θ − 1. k steps of descent of a small size h have t = hk.",
	TeX: `P w(t) - \hat w \log t \to \tilde w, \qquad \tilde w \cdot x_n = -\log \alpha_n`,
	Assumptions: []theory.Assumption{
		{ID: "separable", Text: "the data are separable", NoControl: "otherwise there is no ŵ to compare with"},
		{ID: "positive", Text: "all αₙ are positive"},
		{ID: "sum", Text: "losses are summed; a mean divides t by n"},
		{ID: "generic", Text: "a generic start, for the rate", NoControl: "a symmetric start can only converge faster"},
	},
	Source: theory.Source{Paper: "After Soudry, Hoffer, Nacson, Gunasekar and Srebro, The implicit bias of gradient " +
		"descent on separable data", ArXiv: "1710.10345", Version: "introduction", Year: 2017,
		Locus: "derived here, with the rate"},
	Proof: "With τ = log t, r = w − ŵτ obeys dr/dτ = Σₙ e^(−(xₙ·ŵ − 1)τ) xₙ e^(−xₙ·r) − ŵ. Samples off S die as " +
		"e^(−(θ−1)τ). On the span the rest is minus the gradient of a convex function of r that is least where e^(−xₙ·r) " +
		"= αₙ, with Hessian Σ αₙxₙxₙᵀ there.",
	Tolerance: "The flow is integrated in log t, by a Runge–Kutta method that has the same fixed point, until e^(−p " +
		"log t) is 1e-18, p the rate. Sums over steps are compensated, so that only d + 2 roundings of xₙ·w and n + " +
		"8 of the slope remain: xₙ·(w − ŵ log t) is known to (n+d+10)u(‖X‖‖ŵ‖ log t + |log α|), and r to that times " +
		"the condition of the Gram matrix over the norm of a sample. Slopes, and limits of descent, are allowed " +
		"their last change, slopes 1e-5 besides for roundings.",
	Limits: "Up to 6 samples in up to 4 dimensions, p ≥ 0.3. Off the span of the support vectors w has a limit without " +
		"a closed form. If μ = θ − 1, the distance has an extra factor log t. Large steps of descent may diverge, as h = 1 " +
		"does on (1, 3) and (1, −3.5).",
	Predict: func(v theory.Values) []theory.Quantity {
		s, _ := Separate(mat.NewDense(2, 2, []float64{1, v.Float("a"), 1, -v.Float("c")}))
		return theory.Limits("t → ∞", []theory.Quantity{
			{Name: "along", Symbol: "w₁ − log t", Value: s.Offset[0], Meaning: "first weight without its growth log t"},
			{Name: "across", Symbol: "w₂", Value: s.Offset[1], Meaning: "the second weight"},
			{Name: "loss", Symbol: "t·loss", Value: floats.Dot(s.Direction, s.Direction), Meaning: "loss times time"},
		})
	},
}

// Separator holds the classifier of maximum margin, and the offset that gradient flow adds to it.
type Separator struct {
	Direction, Offset []float64 // ŵ and w̃
	Support           []int
	Weights           []float64 // α
	Rate              float64   // min(μ, θ − 1)
	Condition         float64   // of the Gram matrix of the support vectors
}

// Separate finds the classifier for samples in rows by trying all sets of support vectors; not for many samples.
func Separate(x *mat.Dense) (Separator, error) {
	n, d := x.Dims()
	if n > 20 {
		return Separator{}, errors.New("linear: more than 20 samples have too many sets of support vectors")
	}
	for set := 1; set < 1<<n; set++ {
		var support []int
		for i := range n {
			if set>>i&1 == 1 {
				support = append(support, i)
			}
		}
		if len(support) > d {
			continue
		}
		if s, ok := supported(x, support); ok {
			return s, nil
		}
	}
	return Separator{}, errors.New("linear: no independent support vectors with positive weights separate the data")
}

// supported returns the separator of the given support vectors, and reports whether they are independent, their weights
// are positive, and all other samples have larger margins.
func supported(x *mat.Dense, support []int) (s Separator, ok bool) {
	n, d := x.Dims()
	k := len(support)
	gram := mat.NewSymDense(k, nil)
	for i, a := range support {
		for j, b := range support[:i+1] {
			gram.SetSym(i, j, floats.Dot(x.RawRowView(a), x.RawRowView(b)))
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(gram) || factor.Cond() > 1e12 {
		return s, false
	}
	ones, logs := mat.NewVecDense(k, nil), mat.NewVecDense(k, nil)
	for i := range k {
		ones.SetVec(i, 1)
	}
	var alpha, beta mat.VecDense
	_ = factor.SolveVecTo(&alpha, ones) // its condition is known
	scaled := mat.NewSymDense(k, nil)
	for i := range k {
		if !(alpha.AtVec(i)*gram.At(i, i) > 1e-9) { // in the unit of the samples
			return s, false
		}
		logs.SetVec(i, -math.Log(alpha.AtVec(i)))
		for j := range i + 1 {
			scaled.SetSym(i, j, gram.At(i, j)*math.Sqrt(alpha.AtVec(i)*alpha.AtVec(j)))
		}
	}
	_ = factor.SolveVecTo(&beta, logs)
	s = Separator{make([]float64, d), make([]float64, d), support, alpha.RawVector().Data, 0, factor.Cond()}
	for i, a := range support {
		floats.AddScaled(s.Direction, alpha.AtVec(i), x.RawRowView(a))
		floats.AddScaled(s.Offset, beta.AtVec(i), x.RawRowView(a))
	}
	var eigen mat.EigenSym
	eigen.Factorize(scaled, false)
	s.Rate = eigen.Values(nil)[0]
	for i, next := 0, 0; i < n; i++ {
		if next < k && support[next] == i {
			next++
			continue
		}
		margin := floats.Dot(x.RawRowView(i), s.Direction)
		if !(margin > 1+1e-9) {
			return s, false
		}
		s.Rate = min(s.Rate, margin-1)
	}
	return s, true
}
