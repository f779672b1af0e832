package gallery

import (
	"math"
	"math/rand/v2"
)

// symmetric are the classical symmetric matrices.
func symmetric() []Matrix {
	const definite = Symmetric | PositiveDefinite
	formula := func(f func(n, i, j int) float64) func(*rand.Rand, int, int) Instance {
		return func(_ *rand.Rand, _, n int) Instance {
			return full(entries(n, n, func(i, j int) float64 { return f(n, i, j) }))
		}
	}
	return []Matrix{
		{"Hilbert", "1/(i+j-1)", definite | IllConditioned,
			formula(func(_, i, j int) float64 { return 1 / float64(i+j+1) })},
		{"Cauchy", "1/(i+j)", definite | IllConditioned,
			formula(func(_, i, j int) float64 { return 1 / float64(i+j+2) })},
		{"Moler", "LLᵀ with L unit lower triangular and -1 below: one small eigenvalue",
			definite | Integer | IllConditioned,
			formula(func(_, i, j int) float64 { return float64(min(i, j)) - 1 + 2*truth(i == j) })},
		{"Lehmer", "min(i,j)/max(i,j)", definite,
			formula(func(_, i, j int) float64 { return float64(min(i, j)+1) / float64(max(i, j)+1) })},
		{"Kac-Murdock-Szegő", "0.5^|i-j|", definite | Toeplitz,
			formula(func(_, i, j int) float64 { return math.Ldexp(1, -distance(i, j)) })},
		{"Fiedler", "|i-j|: one positive eigenvalue", Symmetric | Integer | Toeplitz,
			formula(func(_, i, j int) float64 { return float64(distance(i, j)) })},
		{"prolate", "sin(π(i-j)/2)/(π(i-j)), ½ on the diagonal: eigenvalues cluster at 0 and 1",
			definite | Toeplitz | IllConditioned,
			formula(func(_, i, j int) float64 {
				d := distance(i, j)
				if d == 0 {
					return 0.5
				}
				return [...]float64{0, 1, 0, -1}[d%4] / (math.Pi * float64(d))
			})},
		{"Wilkinson", "tridiagonal |i-(n+1)/2| with ones beside: pairs of eigenvalues that nearly coincide (W21+)",
			Symmetric | Tridiagonal,
			formula(func(n, i, j int) float64 {
				if i == j {
					return math.Abs(float64(i) - float64(n-1)/2)
				}
				return truth(distance(i, j) == 1)
			})},
		{"Pei", "identity plus ones: eigenvalues 1 and n+1",
			definite | Integer | Toeplitz | KnownSingularValues | KnownEigenvalues,
			withEigenvalues(0, func(_, i, j int) float64 { return 1 + truth(i == j) },
				func(n, k int) float64 { return 1 + truth(k == 1)*float64(n) })},
		{"min(i,j)", "inverse of a second difference", definite | Integer | KnownSingularValues | KnownEigenvalues,
			withEigenvalues(0, func(_, i, j int) float64 { return float64(min(i, j) + 1) },
				func(n, k int) float64 { return 0.25 / square(math.Sin(float64(2*k-1)*math.Pi/float64(4*n+2))) })},
		{"second difference", "tridiagonal -1, 2, -1",
			definite | Integer | Toeplitz | Tridiagonal | KnownSingularValues | KnownEigenvalues,
			withEigenvalues(0, func(_, i, j int) float64 { return 2*truth(i == j) - truth(distance(i, j) == 1) },
				func(n, k int) float64 { return 4 * square(math.Sin(float64(k)*math.Pi/float64(2*n+2))) })},
		{"Clement", "tridiagonal, zero diagonal, √(k(n-k)) beside: eigenvalues n-1, n-3, …, 1-n (Kac)",
			Symmetric | Tridiagonal | RankDeficient | IllConditioned | KnownSingularValues | KnownEigenvalues,
			withEigenvalues(1, func(n, i, j int) float64 {
				k := max(i, j)
				return truth(distance(i, j) == 1) * math.Sqrt(float64(k*(n-k)))
			}, func(n, k int) float64 { return float64(n + 1 - 2*k) })},
		{"sine", "√(2/(n+1)) sin(ijπ/(n+1)): orthogonal, eigenvalues ±1",
			Symmetric | Orthogonal | KnownSingularValues | KnownEigenvalues,
			withEigenvalues(8, func(n, i, j int) float64 {
				angle := (i + 1) * (j + 1) % (2*n + 2) // reduced exactly
				return math.Sqrt(2/float64(n+1)) * math.Sin(float64(angle)*math.Pi/float64(n+1))
			}, func(n, k int) float64 { return 1 - 2*truth(2*k <= n) })},
		{"Hartley", "(cos + sin)(2πij/n)/√n: orthogonal", Symmetric | Orthogonal | KnownSingularValues,
			func(_ *rand.Rand, _, n int) Instance {
				x := full(entries(n, n, func(i, j int) float64 {
					sin, cos := math.Sincos(2 * math.Pi * float64(i*j%n) / float64(n))
					return (cos + sin) / math.Sqrt(float64(n))
				}))
				// The sum may cancel, so the rounding of an entry is relative to 2/√n and not to the entry.
				return x.singular(16, func(int) float64 { return 1 })
			}},
	}
}

// withEigenvalues is a formula for the entries and one for the eigenvalues, k = 1, …, n.
func withEigenvalues(roundings float64, entry func(n, i, j int) float64,
	value func(n, k int) float64) func(*rand.Rand, int, int) Instance {
	return func(_ *rand.Rand, _, n int) Instance {
		x := full(entries(n, n, func(i, j int) float64 { return entry(n, i, j) }))
		x = x.eigenvalues(roundings, func(k int) float64 { return value(n, k) })
		for _, w := range x.Eigen {
			if w == 0 {
				x.Rank = n - 1 // no matrix here has a double eigenvalue zero
			}
		}
		return x
	}
}

func square(x float64) float64 { return x * x }

func distance(i, j int) int {
	if i < j {
		return j - i
	}
	return i - j
}
