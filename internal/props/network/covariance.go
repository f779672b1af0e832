package network

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/must"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// RowCovariance is the covariance Σ of the rows of R/a given a batch.
type RowCovariance struct {
	Sigma *mat.Dense  // d×d
	Own   theory.Step // the step with the batch's own φ, E y² and E y, for which tr Σ is the limit of ‖R‖_F²
	Rest  float64     // tr Σ beyond that limit, from lengths of samples that are not √d
}

// CovarianceOfRows is Σ = (4c₂²/d)M² + (E σ′² − c₁² − 4c₂²)(1/n²)Σ eᵢ²xᵢxᵢᵀ with M = (1/n)Σ eᵢxᵢxᵢᵀ: the part 2c₂z of
// σ′(z) − c₁ is linear in the row of W₀, and the rest is taken for independent from sample to sample. The batch's own
// E y² is (1/nd)Σ eᵢ²|xᵢ|², and its (E y)² is tr M²/d without the terms of one
// sample alone; E y has the sign of that.
func CovarianceOfRows(s Setup, x *mat.Dense, e []float64) RowCovariance {
	n, d := x.Dims()
	act := s.Act.Closed
	c1, c2 := act.Coefficient(1), act.Coefficient(2)
	weighted, squares, alone := mat.DenseCopyOf(x), 0.0, 0.0
	for i := range n {
		row := weighted.RawRowView(i)
		floats.Scale(e[i]/float64(n), row)
		square := floats.Dot(row, row)
		squares += square
		alone += square * floats.Dot(x.RawRowView(i), x.RawRowView(i)) / float64(d)
	}
	var m, linear, sigma mat.Dense
	m.Mul(x.T(), weighted)
	linear.Mul(&m, &m)
	own := s.Step()
	own.Linear, own.Phi = 0, float64(d)/float64(n)
	square := mat.Trace(&linear)/float64(d) - alone
	own.Mean = math.Copysign(math.Sqrt(math.Abs(square)), square)
	own.Energy = max(squares/own.Phi, own.Mean*own.Mean)
	linear.Scale(4*c2*c2/float64(d), &linear)
	sigma.Mul(weighted.T(), weighted)
	sigma.Scale(act.SlopeEnergy-c1*c1-4*c2*c2, &sigma)
	sigma.Add(&sigma, &linear)
	return RowCovariance{&sigma, own, 4 * c2 * c2 * (alone - squares)}
}

// GaussianNorm is the geometric mean of norms, [RowCovariance.Norm], of diag(a) Z Σ^(1/2) for so many independent
// standard normal Z, N×d. By Chevet's bound the operator norm is at most max|a|√(tr Σ) + ‖a‖√‖Σ‖_op on average.
func (c RowCovariance) GaussianNorm(a []float64, count int, r *rand.Rand) float64 {
	d, _ := c.Sigma.Dims()
	scales, _ := must.Both(linalg.SymEigen(mat.NewSymDense(d, c.Sigma.RawMatrix().Data), false))
	for k, v := range scales { // eigenvectors do not matter; roundings of zero may be negative
		scales[k] = math.Sqrt(max(0, v))
	}
	product := 1.0
	for range count {
		m := features.Gaussian(r, len(a), d)
		for j, x := range a {
			row := m.RawRowView(j)
			floats.Mul(row, scales)
			floats.Scale(x, row)
		}
		product *= c.Norm(m, a, r)
	}
	return math.Pow(product, 1/float64(count))
}

// Norm is the operator norm of diag(a)Z for a Z whose rows have the covariance Σ, divided by the root of what the
// squared lengths of rows are over their means, those of large |a_j| before all, which are most of what norms scatter
// by. Weights know a only, so that this is one on average.
func (c RowCovariance) Norm(m *mat.Dense, a []float64, r *rand.Rand) float64 {
	longest := math.Pow(floats.Norm(a, math.Inf(1)), 2)
	lengths, means := 0.0, 0.0
	for j, x := range a {
		row, weight := m.RawRowView(j), math.Pow(2*longest-x*x, -2)
		lengths += weight * floats.Dot(row, row)
		means += weight * x * x * mat.Trace(c.Sigma)
	}
	return Norm(linalg.Matrix(m), r) / math.Sqrt(lengths/means)
}
