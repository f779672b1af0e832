package claims

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/theory"
)

// stability is the edge beyond which gradient descent on a quadratic diverges.
var stability = props.Spec{
	Statement: &theory.Statement{
		Slug: "four/stability", Title: "Descent is stable up to 2/λ", Kind: theory.Identity, Standing: theory.Theorem,
		Plain:   "Gradient descent on a quadratic converges exactly for step sizes below 2 over its largest curvature.",
		Setting: "½xᵀHx with positive definite H; plain gradient descent with step η.",
		Params: []theory.Param{{Name: "sharpness", Symbol: "λ", Meaning: "largest eigenvalue of H", Domain: theory.Above(0),
			Default: "1"}},
		Claim: "Descent converges for η < 2/λ and diverges for η > 2/λ.",
		TeX:   `\eta^\star = 2 / \lambda`,
		Assumptions: []theory.Assumption{
			{ID: "plain", Text: "there is no momentum"},
		},
		Source: theory.Source{Paper: "J. Cohen, S. Kaur, Y. Li, J. Kolter, A. Talwalkar: Gradient descent on neural networks " +
			"typically occurs at the edge of stability", ArXiv: "2103.00065", Version: "v3", Year: 2021, Locus: "Section 2"},
		Proof:     "Along an eigenvector a step multiplies by 1 − ηλ.",
		Tolerance: "The width of the bracket that twelve bisections leave.",
		Limits:    "Up to six dimensions, condition numbers up to ten.",
		Predict: func(v theory.Values) []theory.Quantity {
			return []theory.Quantity{{Name: "step", Symbol: "η⋆", Value: 2 / v.Float("sharpness"), Meaning: "largest stable step"}}
		},
	},
	Checks: []props.Check{props.Drawn[valley, valleyClaim]{
		Name: "bisection", Cases: props.Scale{Quick: 40, Standard: 200, Deep: 2000},
		Draw:  func(t *props.T) valley { return drawValley(t).bisected(0) },
		Claim: valleyClaim{step: func(h *mat.Dense) float64 { return 2 / norm2(h) }},
		Judge: func(r *props.Record, in valley, c valleyClaim) {
			r.Bracketed("largest stable step", in.stable, in.unstable, c.step(in.H))
		},
		Controls: []props.Wrong[valley, valleyClaim]{
			{Name: "momentum 1/2", Assumption: "plain", Draw: func(t *props.T) valley { return drawValley(t).bisected(0.5) }},
			{Name: "1/λ", Claim: func(c *valleyClaim) { c.step = func(h *mat.Dense) float64 { return 1 / norm2(h) } }},
			{Name: "the Frobenius norm for λ",
				Claim: func(c *valleyClaim) { c.step = func(h *mat.Dense) float64 { return 2 / mat.Norm(h, 2) } }},
		},
		Coarse: map[string]string{"largest stable step": "twelve bisections"},
		Proven: map[string]string{"largest stable step": "descent was seen to shrink on one side and to grow on the other"},
	}},
}.Claim()

// valleyClaim is the largest stable step.
type valleyClaim struct{ step func(h *mat.Dense) float64 }

// norm2 returns the largest singular value.
func norm2(a *mat.Dense) float64 {
	var svd mat.SVD
	svd.Factorize(a, mat.SVDNone)
	return svd.Values(nil)[0]
}

// valley is a quadratic, and steps on both sides of where descent stops converging.
type valley struct {
	H                *mat.Dense
	stable, unstable float64
}

func drawValley(t *props.T) valley {
	n := 1 + gen.Dim(t.T, "n", 5)
	r := t.Stream("entries")
	q, eigenvalues := gen.Orthonormal(r, n, n), make([]float64, n)
	for i := range eigenvalues {
		eigenvalues[i] = gen.LogUniformFrom(r, 0.3, 3)
	}
	var h mat.Dense
	h.Mul(q, mat.NewDiagDense(n, eigenvalues))
	h.Mul(&h, q.T())
	return valley{H: &h}
}

// bisected finds the step by trying; λ is at most the trace, and at least an n-th of it.
func (in valley) bisected(momentum float64) valley {
	n, _ := in.H.Dims()
	trace := mat.Trace(in.H)
	in.stable, in.unstable = 1/trace, 4*float64(n)/trace
	for range 12 {
		middle := (in.stable + in.unstable) / 2
		if in.converges(middle, momentum) {
			in.stable = middle
		} else {
			in.unstable = middle
		}
	}
	return in
}

// converges reports whether descent shrinks between its first thousand steps and the end.
func (in valley) converges(step, momentum float64) bool {
	n, _ := in.H.Dims()
	x, v := make([]float64, n), mat.NewVecDense(n, nil)
	for i := range x {
		x[i] = 1 / math.Sqrt(float64(i+2)) // of no eigenvector
	}
	early := 0.0
	for k := range 4000 {
		if k == 1000 {
			early = floats.Norm(x, 2)
		}
		var g mat.VecDense
		g.MulVec(in.H, mat.NewVecDense(n, x))
		v.ScaleVec(momentum, v)
		v.AddScaledVec(v, -step, &g)
		floats.Add(x, v.RawVector().Data)
		if size := floats.Norm(x, 2); size > 1e100 || size < 1e-100 {
			return size < 1
		}
	}
	return floats.Norm(x, 2) < early
}
