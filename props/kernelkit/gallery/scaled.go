package gallery

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
)

// scaled are matrices whose entries are of very different size, or all very small.
func scaled(p roundoff.Precision) []Matrix {
	grade := func(i, count int) float64 { // from 1 to 1e-300, or 1e-36
		return math.Pow(10, float64(p.Normal*300/1022)*fraction(i+1, count))
	}
	return []Matrix{
		{"graded diagonal", "diagonal from 1 to 1e-300",
			AnyShape | Symmetric | PositiveDefinite | Tridiagonal | Bidiagonal | Graded | Extreme | IllConditioned |
				KnownSingularValues | KnownEigenvalues,
			func(_ *rand.Rand, m, n int) Instance {
				value := func(k int) float64 { return grade(k-1, min(m, n)) }
				x := full(entries(m, n, func(i, j int) float64 { return truth(i == j) * grade(i, min(m, n)) }))
				return x.singular(0, value).squareEigenvalues(value)
			}},
		{"graded rows", "normal entries, rows from 1 to 1e-300", AnyShape | Graded | Extreme | IllConditioned | Random,
			func(r *rand.Rand, m, n int) Instance {
				a := normal(r, m, n)
				return full(entries(m, n, func(i, j int) float64 { return grade(i, m) * a.At(i, j) }))
			}},
		{"graded columns", "normal entries, columns from 1e-300 to 1",
			AnyShape | Graded | Extreme | IllConditioned | Random,
			func(r *rand.Rand, m, n int) Instance {
				a := normal(r, m, n)
				return full(entries(m, n, func(i, j int) float64 { return grade(n-1-j, n) * a.At(i, j) }))
			}},
		{"graded symmetric", "DND with normal N and D from 1 to 1e-150",
			Symmetric | Graded | Extreme | IllConditioned | Random,
			func(r *rand.Rand, _, n int) Instance {
				a := mirrored(normal(r, n, n))
				half := func(i int) float64 { return math.Sqrt(grade(i, n)) }
				return full(entries(n, n, func(i, j int) float64 {
					return half(min(i, j)) * half(max(i, j)) * a.At(i, j)
				}))
			}},
		{"log-uniform bidiagonal", "upper bidiagonal, entries between ulp² and 1/ulp² with random signs",
			AnyShape | Bidiagonal | Tridiagonal | Graded | IllConditioned | Random,
			func(r *rand.Rand, m, n int) Instance {
				return full(entries(m, n, func(i, j int) float64 {
					if j != i && j != i+1 {
						return 0
					}
					return logUniform(r)
				}))
			}},
		{"log-uniform tridiagonal", "symmetric tridiagonal, entries between ulp² and 1/ulp² with random signs",
			Symmetric | Tridiagonal | Graded | IllConditioned | Random,
			func(r *rand.Rand, _, n int) Instance {
				a := mat.NewDense(n, n, nil)
				for i := range n {
					a.Set(i, i, logUniform(r))
					if i > 0 {
						a.Set(i-1, i, logUniform(r))
					}
				}
				return full(mirrored(a))
			}},
		{"subnormal", "integers times the smallest number", AnyShape | Extreme | Random,
			func(r *rand.Rand, m, n int) Instance { return full(integers(r, m, n)).rank(-1).times(p.Lowest) }},
		{"symmetric subnormal", "symmetric integers times the smallest number", Symmetric | Extreme | Random,
			func(r *rand.Rand, _, n int) Instance {
				return full(mirrored(integers(r, n, n))).rank(-1).times(p.Lowest)
			}},
	}
}

// logUniform is ±ulp^t, t uniform in [-2, 2].
func logUniform(r *rand.Rand) float64 {
	return float64(1-2*r.IntN(2)) * math.Pow(roundoff.Ulp, 4*r.Float64()-2)
}
