//go:build system

package onestep

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/impl/features"
)

// Point is ridge regression of many teachers after two strong terms of the expansion: F₀ = tanh(XW₀ᵀ), and columns u
// and u^∘2 without a penalty, of each teacher its own.
type Point struct {
	X, W   *mat.Dense // n×d, N×d
	Labels *mat.Dense // a row for each teacher
	U      *mat.Dense // Xβ, a row for each teacher
	Lambda float64
}

// NewPoint draws a point of size n = N = 2d, with labels u + H₂(u)/√2 for a standard normal u.
func NewPoint(r *rand.Rand, n, teachers int) Point {
	d := n / 2
	p := Point{X: features.Gaussian(r, n, d), W: features.UnitRows(r, n, d), Lambda: 0.1}
	p.U = features.PreActivations(features.UnitRows(r, teachers, d), p.X)
	p.Labels = mat.DenseCopyOf(p.U)
	p.Labels.Apply(func(_, _ int, u float64) float64 { return u + (u*u-1)*math.Sqrt(0.5) + r.NormFloat64() }, p.Labels)
	return p
}

// Errors returns the objective, the training error and the leave-one-out error of each teacher, a row for each.
func (p Point) Errors() (*mat.Dense, error) {
	regression, err := features.NewRegression(features.Apply(nn.Tanh, features.PreActivations(p.X, p.W)), p.Lambda)
	if err != nil {
		return nil, err
	}
	var square mat.Dense
	square.MulElem(p.U, p.U)
	fits := regression.Fits(p.Labels, features.Added{Free: []*mat.Dense{p.U, &square}})
	out := mat.NewDense(len(fits), 3, nil)
	for i, f := range fits {
		out.SetRow(i, []float64{f.Objective, f.Train, f.LeaveOneOut})
	}
	return out, nil
}
