package network

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// RowCovariance is the covariance Σ of the rows of R/a given the batch, in two parts: the one that rows of W₀ bring, and
// the rest, which is proportional to E σ′² − c₁².
type RowCovariance struct {
	Sigma        *mat.Dense // d×d
	Pull, Spread float64    // tr Σ, from the mean of the rows, (2c₂E y)², and from their fluctuation, s²
}

// Trace is tr Σ.
func (c RowCovariance) Trace() float64 { return c.Pull + c.Spread }

// CovarianceOfRows is Σ = (4c₂²/d)M² + (E σ′² − c₁² − 4c₂²)(1/n²)Σ eᵢ²xᵢxᵢᵀ with M = (1/n)Σ eᵢxᵢxᵢᵀ: the part 2c₂z of
// σ′(z) − c₁ is linear in the row of W₀, and the rest is taken for independent of sample to sample. Where i = k in
// M² it adds to the second part.
func CovarianceOfRows(s Setup, x *mat.Dense, e []float64) RowCovariance {
	n, d := x.Dims()
	act := s.Act.Closed
	c1, c2 := act.Coefficient(1), act.Coefficient(2)
	weighted, squares, own := mat.DenseCopyOf(x), 0.0, 0.0
	for i := range n {
		row := weighted.RawRowView(i)
		floats.Scale(e[i]/float64(n), row)
		square := floats.Dot(row, row)
		squares += square
		own += square * floats.Dot(x.RawRowView(i), x.RawRowView(i)) / float64(d)
	}
	var m, linear, sigma mat.Dense
	m.Mul(x.T(), weighted)
	linear.Mul(&m, &m)
	linear.Scale(4*c2*c2/float64(d), &linear)
	sigma.Mul(weighted.T(), weighted)
	sigma.Scale(act.SlopeEnergy-c1*c1-4*c2*c2, &sigma)
	out := RowCovariance{Sigma: &sigma, Pull: mat.Trace(&linear) - 4*c2*c2*own}
	out.Spread = (act.SlopeEnergy-c1*c1-4*c2*c2)*squares + 4*c2*c2*own
	sigma.Add(&sigma, &linear)
	return out
}

// Chevet is Chevet's bound on E ‖diag(a) Z Σ^(1/2)‖_op for a Gaussian Z.
func (c RowCovariance) Chevet(a []float64, r *rand.Rand) float64 {
	return floats.Norm(a, math.Inf(1))*math.Sqrt(c.Trace()) + floats.Norm(a, 2)*math.Sqrt(Norm(linalg.Matrix(c.Sigma), r))
}
