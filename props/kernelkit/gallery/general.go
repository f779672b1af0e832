package gallery

import (
	"math"
	"math/rand/v2"
)

// general are the classical matrices without symmetry.
func general() []Matrix {
	formula := func(f func(n, i, j int) float64) func(*rand.Rand, int, int) Instance {
		return func(_ *rand.Rand, m, n int) Instance {
			return full(entries(m, n, func(i, j int) float64 { return f(n, i, j) }))
		}
	}
	return []Matrix{
		{"Lotkin", "Hilbert with a first row of ones", IllConditioned,
			formula(func(_, i, j int) float64 {
				if i == 0 {
					return 1
				}
				return 1 / float64(i+j+1)
			})},
		{"Frank", "upper Hessenberg n+1-max(i,j): determinant 1, ill-conditioned eigenvalues", Integer | IllConditioned,
			formula(func(n, i, j int) float64 { return truth(j >= i-1) * float64(n-max(i, j)) })},
		{"Kahan", "upper triangular diag(sⁱ)(I - c·above), s = sin 1.2: rank revealing that pivots on columns fails",
			IllConditioned,
			formula(func(_, i, j int) float64 {
				sin, cos := math.Sincos(1.2)
				return math.Pow(sin, float64(i)) * (truth(i == j) - cos*truth(j > i))
			})},
		{"Parter", "1/(i-j+½): most singular values near π", Toeplitz,
			formula(func(_, i, j int) float64 { return 1 / (float64(i-j) + 0.5) })},
		{"inverse Hessenberg", "j on and below the diagonal, -i above: its inverse is Hessenberg", Integer,
			formula(func(_, i, j int) float64 {
				if j <= i {
					return float64(j + 1)
				}
				return -float64(i + 1)
			})},
		{"Vandermonde", "powers 0, 1, … of equidistant points of [0,1]", AnyShape | IllConditioned,
			func(_ *rand.Rand, m, n int) Instance {
				return full(entries(m, n, func(i, j int) float64 {
					return math.Pow(float64(i+1)/float64(m), float64(j))
				}))
			}},
		{"Chebyshev-Vandermonde", "Chebyshev polynomials at their zeros: orthogonal rows of two lengths",
			KnownSingularValues,
			func(_ *rand.Rand, _, n int) Instance {
				x := full(entries(n, n, func(i, j int) float64 {
					return math.Cos(float64(i*(2*j+1)%(4*n)) * math.Pi / float64(2*n))
				}))
				return x.singular(8, func(k int) float64 { return math.Sqrt(float64(n) / (1 + truth(k > 1))) })
			}},
		{"cosine", "orthogonal matrix of the discrete cosine transform", Orthogonal | KnownSingularValues,
			func(_ *rand.Rand, _, n int) Instance {
				x := full(entries(n, n, func(i, j int) float64 {
					angle := float64(i*(2*j+1)%(4*n)) * math.Pi / float64(2*n)
					return math.Sqrt((1+truth(i > 0))/float64(n)) * math.Cos(angle)
				}))
				return x.singular(8, func(int) float64 { return 1 })
			}},
		{"Helmert", "orthogonal; row i has i equal entries, one that balances them, and zeros",
			Orthogonal | KnownSingularValues, helmert},
		{"companion", "of a polynomial with random integer coefficients: singular values 1 but for two",
			Integer | KnownSingularValues | Random, companion},
		{"circulant", "of random integers: normal, singular values by a discrete Fourier transform",
			Integer | Toeplitz | KnownSingularValues | Random, circulant},
		{"random orthogonal", "product of random reflectors", AnyShape | Orthogonal | KnownSingularValues | Random,
			func(r *rand.Rand, m, n int) Instance {
				return withSpectrum(r, m, n, func(int, int) float64 { return 1 })
			}},
	}
}

func helmert(_ *rand.Rand, _, n int) Instance {
	x := full(entries(n, n, func(i, j int) float64 {
		switch {
		case i == 0:
			return 1 / math.Sqrt(float64(n))
		case j < i:
			return 1 / math.Sqrt(float64(i)*float64(i+1))
		case j == i:
			return -float64(i) / math.Sqrt(float64(i)*float64(i+1))
		}
		return 0
	}))
	return x.singular(4, func(int) float64 { return 1 })
}

// companion has the coefficients in its first row and ones below the diagonal. The squares of two singular values are
// the roots of t² - (1 + Σa²)t + a₀² (Kittaneh, SIAM J. Matrix Anal. Appl. 16 (1995) 333); the others are 1.
func companion(r *rand.Rand, _, n int) Instance {
	a := integers(r, 1, n).RawRowView(0)
	a[n-1] = float64(1 + r.IntN(5))
	x := full(entries(n, n, func(i, j int) float64 {
		if i == 0 {
			return -a[j]
		}
		return truth(i == j+1)
	}))
	if n == 1 {
		return x.singular(0, func(int) float64 { return a[0] })
	}
	alpha := 1.0
	for _, v := range a {
		alpha += v * v
	}
	largest := math.Sqrt((alpha + math.Sqrt(alpha*alpha-4*a[n-1]*a[n-1])) / 2)
	return x.singular(0, func(k int) float64 {
		switch k {
		case 1:
			return largest
		case n:
			return a[n-1] / largest // the product of the two is a₀, and this form does not cancel
		}
		return 1
	})
}

// circulant's singular values are |Σ c_k ω^{jk}|. The sums have n terms with three roundings each: n·4u·‖c‖₁ ≤
// 4nu‖A‖_F.
func circulant(r *rand.Rand, _, n int) Instance {
	c := integers(r, 1, n).RawRowView(0)
	c[0] = 100 * float64(n) // dominates, so that the matrix is regular
	x := full(entries(n, n, func(i, j int) float64 { return c[(j-i+n)%n] }))
	return x.singular(4*float64(n), func(k int) float64 {
		re, im := 0.0, 0.0
		for j, v := range c {
			sin, cos := math.Sincos(2 * math.Pi * float64(j*k%n) / float64(n))
			re, im = re+v*cos, im+v*sin
		}
		return math.Hypot(re, im)
	})
}
