package linalg_test

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/roundoff"
)

// gallerySizes are LAPACK's, and one larger; TestReductionsByPanels has those that do not stay in cache.
var gallerySizes = []int{1, 2, 3, 10, 16, 30, 40, 65, 129}

// A galleryCase makes an m×n matrix.
type galleryCase struct {
	name string
	make func(r *rand.Rand, m, n int) *mat.Dense
}

// each fills a matrix entry by entry.
func each(entry func(r *rand.Rand, i, j, m, n int) float64) func(*rand.Rand, int, int) *mat.Dense {
	return func(r *rand.Rand, m, n int) *mat.Dense {
		a := mat.NewDense(m, n, nil)
		a.Apply(func(i, j int, _ float64) float64 { return entry(r, i, j, m, n) }, a)
		return a
	}
}

// spectrum has about the singular values value(i, r), i < r = min(m, n).
func spectrum(value func(i, r int) float64) func(*rand.Rand, int, int) *mat.Dense {
	return func(r *rand.Rand, m, n int) *mat.Dense {
		s := make([]float64, min(m, n))
		for i := range s {
			s[i] = value(i, len(s))
		}
		return withValues(r, m, n, s)
	}
}

// scaled multiplies a case by c.
func scaled(c float64, of func(*rand.Rand, int, int) *mat.Dense) func(*rand.Rand, int, int) *mat.Dense {
	return func(r *rand.Rand, m, n int) *mat.Dense {
		a := of(r, m, n)
		a.Scale(c, a)
		return a
	}
}

// fraction is i/(r-1), or 0.
func fraction(i, r int) float64 { return float64(i) / float64(max(1, r-1)) }

func gaussianEntry(r *rand.Rand, _, _, _, _ int) float64 { return r.NormFloat64() }

var random = each(gaussianEntry)

// gallery is LAPACK's list of types (DCHKBD, DDRVST) and Higham's favourites (Accuracy and Stability of Numerical
// Algorithms, chapter 28). Add here.
var gallery = []galleryCase{
	{"zero", each(func(_ *rand.Rand, _, _, _, _ int) float64 { return 0 })},
	{"identity", each(func(_ *rand.Rand, i, j, _, _ int) float64 {
		if i == j {
			return 1
		}
		return 0
	})},
	{"random", random},
	{"signs", each(func(r *rand.Rand, _, _, _, _ int) float64 { return float64(2*r.IntN(2) - 1) })},
	{"ones", each(func(_ *rand.Rand, _, _, _, _ int) float64 { return 1 })},
	{"rank deficient", func(r *rand.Rand, m, n int) *mat.Dense {
		a := random(r, m, n)
		for i := range m {
			for j := n / 2; j < n; j++ {
				a.Set(i, j, a.At(i, j/3))
			}
		}
		return a
	}},
	{"even to ulp", spectrum(func(i, r int) float64 { return 1 - fraction(i, r)*(1-roundoff.Ulp) })},
	{"geometric to ulp", spectrum(func(i, r int) float64 { return math.Pow(roundoff.Ulp, fraction(i, r)) })},
	{"one large, others ulp", spectrum(func(i, _ int) float64 {
		if i == 0 {
			return 1
		}
		return roundoff.Ulp
	})},
	{"one small, others repeated", spectrum(func(i, r int) float64 {
		if i == r-1 {
			return roundoff.Ulp
		}
		return 1
	})},
	{"clusters", spectrum(func(i, _ int) float64 { return float64(1+i%3) * (1 + float64(i)*1e-14) })},
	{"graded to 1e-300", each(func(r *rand.Rand, i, j, m, n int) float64 {
		return r.NormFloat64() * math.Pow(10, -150*(fraction(i, m)+fraction(j, n)))
	})},
	{"graded diagonal", each(func(_ *rand.Rand, i, j, m, n int) float64 {
		if i != j {
			return 0
		}
		return math.Pow(10, -300*fraction(i, min(m, n)))
	})},
	{"log-uniform bidiagonal", each(func(r *rand.Rand, i, j, _, _ int) float64 {
		if j != i && j != i+1 {
			return 0
		}
		return math.Pow(roundoff.Ulp, 2*(2*r.Float64()-1))
	})},
	{"Jordan block", each(func(_ *rand.Rand, i, j, _, _ int) float64 {
		if j == i+1 {
			return 1
		}
		return 0
	})},
	{"bidiagonal with zeros", each(func(r *rand.Rand, i, j, _, _ int) float64 {
		if j != i && j != i+1 || r.IntN(3) == 0 {
			return 0
		}
		return r.NormFloat64()
	})},
	{"near overflow", scaled(1e300, random)},
	{"near underflow", scaled(1e-300, random)},
	{"subnormal", scaled(1e-310, random)},
	{"smallest numbers", each(func(r *rand.Rand, _, _, _, _ int) float64 { return 0x1p-1074 * float64(r.IntN(4)) })},
	{"huge and tiny", each(func(r *rand.Rand, i, j, _, _ int) float64 {
		return r.NormFloat64() * math.Pow(10, float64(300*((i+j)%2)-150))
	})},
	{"Kahan", each(func(_ *rand.Rand, i, j, _, _ int) float64 {
		s, c := math.Sin(1.2), math.Cos(1.2)
		switch {
		case i > j:
			return 0
		case i == j:
			return math.Pow(s, float64(i))
		}
		return -c * math.Pow(s, float64(i))
	})},
	{"Hilbert", each(func(_ *rand.Rand, i, j, _, _ int) float64 { return 1 / float64(i+j+1) })},
	{"Wilkinson", each(func(_ *rand.Rand, i, j, m, n int) float64 {
		switch i - j {
		case 0:
			return math.Abs(float64(i) - float64(min(m, n)-1)/2)
		case 1, -1:
			return 1
		}
		return 0
	})},
	{"glued Wilkinson", each(func(_ *rand.Rand, i, j, _, _ int) float64 {
		switch k := i % 21; i - j {
		case 0:
			return math.Abs(float64(k) - 10)
		case 1:
			if k == 0 {
				return 1e-14
			}
			return 1
		case -1:
			if k == 20 {
				return 1e-14
			}
			return 1
		}
		return 0
	})},
	{"second difference", each(func(_ *rand.Rand, i, j, _, _ int) float64 {
		switch i - j {
		case 0:
			return 2
		case 1, -1:
			return -1
		}
		return 0
	})},
	{"arrow", each(func(_ *rand.Rand, i, j, _, _ int) float64 {
		switch {
		case i == j:
			return float64(i)
		case i == 0 || j == 0:
			return 1
		}
		return 0
	})},
}

// dot is c + Σ x_k·y_k as if in twice the working precision (Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26 (2005) 1955),
// to be rounded once as sum + low, so that what is measured is the error of the factorisation and not that of its
// check.
func dot(c float64, x, y []float64) (sum, low float64) {
	sum = c
	y = y[:len(x)]
	for k, x := range x {
		h := x * y[k]
		s := sum + h
		z := s - sum
		low += math.FMA(x, y[k], -h) + ((sum - (s - z)) + (h - z))
		sum = s
	}
	return sum, low
}

// columnNorm is the largest column sum of |entry(i, j)| over r×c.
func columnNorm(r, c int, entry func(i, j int) float64) float64 {
	worst := 0.0
	for j := range c {
		sum := 0.0
		for i := range r {
			sum += math.Abs(entry(i, j))
		}
		if !(sum <= worst) {
			worst = sum
		}
	}
	return worst
}

// orthogonality is LAPACK's ratio (DORT01) ‖QᵀQ - I‖₁/(m·ulp) for the columns of the m×k matrix q.
func orthogonality(q *mat.Dense) float64 {
	m, k := q.Dims()
	columns := mat.DenseCopyOf(q.T())
	gram := mat.NewDense(k, k, nil)
	for i := range k {
		for j := range i + 1 {
			c := 0.0
			if i == j {
				c = -1
			}
			sum, low := dot(c, columns.RawRowView(i), columns.RawRowView(j))
			gram.Set(i, j, sum+low)
			gram.Set(j, i, sum+low)
		}
	}
	return columnNorm(k, k, gram.At) / (float64(m) * roundoff.Ulp)
}

// residual is LAPACK's ratio (DBDT01, DSYT21) ‖A - U·diag(s)·Vᵀ‖₁/(‖A‖₁·max(m, n)·ulp). Matrix and values are brought
// near 1 by a power of two, which is exact; of the values the rounding to subnormal numbers, 2^-1075 each, which no
// code can avoid, adds √m·2^-1075 to the 1-norm.
func residual(a, u *mat.Dense, s []float64, v *mat.Dense) float64 {
	m, n := a.Dims()
	_, e := math.Frexp(max(math.Abs(mat.Max(a)), math.Abs(mat.Min(a))))
	shift := func(x float64) float64 { return math.Ldexp(math.Ldexp(x, -e/2), -(e - e/2)) }
	norm := columnNorm(m, n, func(i, j int) float64 { return shift(a.At(i, j)) })
	difference := mat.NewDense(m, n, nil)
	us := make([]float64, len(s))
	low := make([]float64, len(s))
	for i := range m {
		for k, x := range s {
			us[k] = u.At(i, k) * shift(x)
			low[k] = math.FMA(u.At(i, k), shift(x), -us[k])
		}
		for j := range n {
			row := v.RawRowView(j)[:len(s)]
			sum, rest := dot(-shift(a.At(i, j)), us, row)
			difference.Set(i, j, sum+(rest+floats.Dot(low, row)))
		}
	}
	allowed := norm*float64(max(m, n))*roundoff.Ulp + math.Sqrt(float64(m))*shift(0x1p-1074)/2
	if size := columnNorm(m, n, difference.At); size > 0 || math.IsNaN(size) {
		return size / allowed
	}
	return 0
}
