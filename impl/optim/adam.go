package optim

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
)

// Adam divides a running mean of the gradient by the root of one of its square, entry by entry. Means decay by 0.9 and
// 0.999, and 10⁻⁸ keeps the denominator from zero. The bias of a stage takes a plain gradient step, as with every rule.
//
// Source: Kingma and Ba, Adam (ICLR 2015), algorithm 1.
type Adam struct {
	Gamma float64 // γ

	steps        int
	mean, square *mat.Dense // not yet divided by 1 − 0.9ᵗ and 1 − 0.999ᵗ; nil before the first step
}

// Rate implements [Rule].
func (a *Adam) Rate() float64 { return a.Gamma }

// Next implements [Rule].
func (a *Adam) Next(v *nn.View) (*mat.Dense, Report, error) {
	const keepMean, keepSquare, floor = 0.9, 0.999, 1e-8
	next := mat.DenseCopyOf(v.Stage.W)
	out, in := next.Dims()
	if a.steps == 0 {
		a.mean, a.square = mat.NewDense(out, in, nil), mat.NewDense(out, in, nil)
	}
	a.steps++
	mean, square := 1-math.Pow(keepMean, float64(a.steps)), 1-math.Pow(keepSquare, float64(a.steps))
	grad := mat.NewDense(out, in, nil)
	v.WeightGrad(grad)
	for i := range out {
		w, m, s := next.RawRowView(i), a.mean.RawRowView(i), a.square.RawRowView(i)
		for j, g := range grad.RawRowView(i) {
			m[j] = keepMean*m[j] + (1-keepMean)*g
			s[j] = keepSquare*s[j] + (1-keepSquare)*g*g
			w[j] -= a.Gamma * (m[j] / mean) / (math.Sqrt(s[j]/square) + floor)
		}
	}
	return next, Report{Rule: "adam"}, nil
}
