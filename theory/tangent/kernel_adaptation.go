package tangent

import (
	"cmp"
	"fmt"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/theory"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// MinNorm returns β̂ = Φ⁺y (p), the shortest β with Φβ = y, from the factorisation Φ = LQ. Features is n×p with 1 ≤ n ≤
// p. It returns an error for features whose rank in floating point is less than n.
func MinNorm(features *mat.Dense, labels []float64) ([]float64, error) {
	n, p := features.Dims()
	if n > p || len(labels) != n {
		panic("tangent: need features n×p with n ≤ p and n labels")
	}
	var lq mat.LQ
	lq.Factorize(features)
	var beta mat.VecDense
	if err := lq.SolveVecTo(&beta, false, mat.NewVecDense(n, labels)); err != nil {
		return nil, fmt.Errorf("tangent: minimum-norm interpolant: %w", err)
	}
	return beta.RawVector().Data, nil
}

// Adaptation is the solution of Theorem 1. It depends on features and labels only through the minimum-norm interpolant.
type Adaptation struct {
	Interpolant []float64 // β̂ (p), not zero; see [MinNorm]
	Family      Family
	Factor      float64
}

// Stretch returns the scalar problem at v = ‖β̂‖.
func (a Adaptation) Stretch() Stretch {
	return Stretch{Norm: floats.Norm(a.Interpolant, 2), Family: a.Family, Factor: a.Factor}
}

// Valid names the violated hypothesis.
func (a Adaptation) Valid() error {
	return cmp.Or(theory.Require(len(a.Interpolant) != 0, "tangent: the interpolant has no entries"), a.Stretch().Valid())
}

// Transform returns M̂ = I + (s−1)uuᵀ (p×p), u = β̂/v. All entries are NaN outside the hypotheses.
func (a Adaptation) Transform() *mat.Dense { return a.along(a.Stretch().Excess()) }

// Moment returns M̂M̂ᵀ = I + (s²−1)uuᵀ (p×p), which all solutions share.
func (a Adaptation) Moment() *mat.Dense {
	e := a.Stretch().Excess()
	return a.along(e * (2 + e))
}

// along returns I + weight·uuᵀ.
func (a Adaptation) along(weight float64) *mat.Dense {
	p, v := len(a.Interpolant), a.Stretch().Norm
	m := mat.NewDense(p, p, nil)
	for i, bi := range a.Interpolant {
		for j, bj := range a.Interpolant {
			m.Set(i, j, weight*(bi/v)*(bj/v))
		}
		m.Set(i, i, 1+m.At(i, i))
	}
	return m
}

// Parameters returns θ̂ = β̂/s (p).
func (a Adaptation) Parameters() []float64 {
	theta := make([]float64, len(a.Interpolant))
	floats.ScaleTo(theta, 1/a.Stretch().Size(), a.Interpolant)
	return theta
}

// Predict returns f̂(x) = φ(x)ᵀβ̂ for the k rows of x (k×p): the predictor for the fixed features and for the adapted
// ones.
func (a Adaptation) Predict(x *mat.Dense) []float64 {
	k, _ := x.Dims()
	f := mat.NewVecDense(k, nil)
	f.MulVec(x, mat.NewVecDense(len(a.Interpolant), a.Interpolant))
	return f.RawVector().Data
}

// Growth returns K − K₀ = c(v)·f̂(x)f̂(x')ᵀ for the k rows of x and the l rows of z (k×l). On the training points it is
// c(v)·yyᵀ.
func (a Adaptation) Growth(x, z *mat.Dense) *mat.Dense {
	fx, fz := a.Predict(x), a.Predict(z)
	growth := mat.NewDense(len(fx), len(fz), nil)
	growth.Outer(a.Stretch().Coefficient(), mat.NewVecDense(len(fx), fx), mat.NewVecDense(len(fz), fz))
	return growth
}

// Alignment returns ⟨K, yyᵀ⟩/(‖K‖_F‖yyᵀ‖_F) of the kernel on the training points, for the fixed features and for the
// adapted ones: (yᵀK₀y + c‖y‖⁴) / (‖y‖²·√(‖K₀‖² + 2c·yᵀK₀y + c²‖y‖⁴)), with c = 0 and with c = c(v).
func (a Adaptation) Alignment(features *mat.Dense) (fixed, adapted float64) {
	n, _ := features.Dims()
	y := mat.NewVecDense(n, a.Predict(features))
	k0 := algebra.Product(features, features.T())
	along, size, square := mat.Inner(y, k0, y), mat.Norm(k0, 2), mat.Dot(y, y)
	return Aligned(along, size, square, 0), Aligned(along, size, square, a.Stretch().Coefficient())
}

// Aligned returns the alignment of K₀ + c·yyᵀ with yyᵀ, from yᵀK₀y, ‖K₀‖_F and ‖y‖².
func Aligned(along, size, square, c float64) float64 {
	return (along + c*square*square) / (square * math.Sqrt(size*size+2*c*along+c*c*square*square))
}
