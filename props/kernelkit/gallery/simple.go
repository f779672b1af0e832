package gallery

import (
	"math"
	"math/rand/v2"
)

// simple are matrices of zeros and ones, and random ones without structure.
func simple() []Matrix {
	const exact = Integer | KnownSingularValues
	return []Matrix{
		{"zero", "all entries zero", AnyShape | Symmetric | Toeplitz | Tridiagonal | Bidiagonal | RankDeficient |
			IllConditioned | exact | KnownEigenvalues,
			func(_ *rand.Rand, m, n int) Instance {
				x := full(entries(m, n, func(int, int) float64 { return 0 })).rank(0).singular(0,
					func(int) float64 { return 0 })
				return x.squareEigenvalues(func(int) float64 { return 0 })
			}},
		{"identity", "ones on the diagonal", AnyShape | Symmetric | PositiveDefinite | Orthogonal | Toeplitz |
			Tridiagonal | Bidiagonal | exact | KnownEigenvalues,
			func(_ *rand.Rand, m, n int) Instance {
				x := full(entries(m, n, func(i, j int) float64 { return truth(i == j) })).singular(0,
					func(int) float64 { return 1 })
				return x.squareEigenvalues(func(int) float64 { return 1 })
			}},
		{"ones", "all entries one", AnyShape | Symmetric | Toeplitz | RankDeficient | IllConditioned | exact |
			KnownEigenvalues,
			func(_ *rand.Rand, m, n int) Instance {
				x := full(entries(m, n, func(int, int) float64 { return 1 })).rank(1)
				x = x.singular(0, func(k int) float64 { return truth(k == 1) * math.Sqrt(float64(m)*float64(n)) })
				return x.squareEigenvalues(func(k int) float64 { return truth(k == 1) * float64(n) })
			}},
		{"corner", "a single one, bottom left", AnyShape | RankDeficient | IllConditioned | exact,
			func(_ *rand.Rand, m, n int) Instance {
				x := full(entries(m, n, func(i, j int) float64 { return truth(i == m-1 && j == 0) })).rank(1)
				return x.singular(0, func(k int) float64 { return truth(k == 1) })
			}},
		{"exchange", "ones on the antidiagonal", Symmetric | Orthogonal | exact | KnownEigenvalues,
			func(_ *rand.Rand, _, n int) Instance {
				x := full(entries(n, n, func(i, j int) float64 { return truth(i+j == n-1) }))
				return x.eigenvalues(0, func(k int) float64 { return 1 - 2*truth(2*k <= n) })
			}},
		{"nilpotent Jordan", "ones above the diagonal",
			AnyShape | Toeplitz | Tridiagonal | Bidiagonal | RankDeficient | IllConditioned | exact,
			func(_ *rand.Rand, m, n int) Instance {
				x := full(entries(m, n, func(i, j int) float64 { return truth(j == i+1) })).rank(min(m, n-1))
				return x.singular(0, func(k int) float64 { return truth(k <= min(m, n-1)) })
			}},
		{"Jordan", "ones on and above the diagonal: σ = 2cos(kπ/(2n+1))", Toeplitz | Tridiagonal | Bidiagonal | exact,
			func(_ *rand.Rand, _, n int) Instance {
				x := full(entries(n, n, func(i, j int) float64 { return truth(j == i || j == i+1) }))
				return x.singular(0, func(k int) float64 { return 2 * math.Cos(float64(k)*math.Pi/float64(2*n+1)) })
			}},
		{"triangle", "upper triangle of ones: σ = 1/(2 sin((2k-1)π/(4n+2)))", Toeplitz | exact,
			func(_ *rand.Rand, _, n int) Instance {
				x := full(entries(n, n, func(i, j int) float64 { return truth(j >= i) }))
				return x.singular(0, func(k int) float64 {
					return 1 / (2 * math.Sin(float64(2*k-1)*math.Pi/float64(4*n+2)))
				})
			}},
		{"signed permutation", "rows of a diagonal matrix of powers of two, permuted, with signs",
			AnyShape | Random | KnownSingularValues,
			signedPermutation},
		{"integers", "independent integers between -9 and 9", AnyShape | Integer | Random,
			func(r *rand.Rand, m, n int) Instance { return full(integers(r, m, n)).rank(-1) }},
		{"normal", "independent standard normal entries", AnyShape | Random,
			func(r *rand.Rand, m, n int) Instance { return full(normal(r, m, n)) }},
		{"symmetric normal", "symmetric with standard normal entries", Symmetric | Random,
			func(r *rand.Rand, _, n int) Instance { return full(mirrored(normal(r, n, n))) }},
		{"zero border", "integers with the last row and the first column zero",
			AnyShape | Integer | RankDeficient | IllConditioned | Random,
			func(r *rand.Rand, m, n int) Instance {
				a := integers(r, m, n)
				for i := range m {
					for j := range n {
						switch {
						case i == m-1 || j == 0:
							a.Set(i, j, 0)
						case i+1 == j: // dominates, so that the rest has full rank
							a.Set(i, j, float64(100*max(m, n)))
						}
					}
				}
				return full(a).rank(min(m-1, n-1))
			}},
		{"integer product", "product of integer matrices with an inner dimension of about half: rank-deficient, " +
			"exactly",
			AnyShape | Integer | RankDeficient | IllConditioned | Random, integerProduct},
		{"integer Gram", "BBᵀ of a narrow integer matrix: semidefinite, rank-deficient, exactly",
			Symmetric | Integer | RankDeficient | IllConditioned | Random, integerGram},
	}
}

// squareEigenvalues annotates an instance of a matrix of any shape if it is square.
func (x Instance) squareEigenvalues(value func(k int) float64) Instance {
	if m, n := x.A.Dims(); m == n {
		return x.eigenvalues(0, value)
	}
	return x
}

func signedPermutation(r *rand.Rand, m, n int) Instance {
	a := entries(m, n, func(int, int) float64 { return 0 })
	x := full(a).rank(min(m, n))
	rows, cols := r.Perm(m), r.Perm(n)
	for k := range min(m, n) {
		v := math.Ldexp(1, r.IntN(41)-20)
		a.Set(rows[k], cols[k], v*float64(1-2*r.IntN(2)))
		x.Singular = append(x.Singular, v)
	}
	return x
}
