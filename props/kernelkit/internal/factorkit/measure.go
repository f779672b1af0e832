package factorkit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
)

// normal is a matrix multiplied by 2^-exponent so that its entries are at most 1 and its norms are ordinary numbers.
type normal struct {
	a        *mat.Dense
	exponent int
	norm     float64 // largest column sum, ‖·‖₁
	floor    float64 // of a tolerance: the spacing of subnormal numbers, scaled like the matrix
	allowed  float64 // the test ratio that the kernel promises

	roundoff.Precision
}

// lapackThreshold is the test ratio that LAPACK's testers accept of SVDs (svd.in). QR iteration needs part of it: it
// takes an entry next to the diagonal for zero when it is u^(-1/8)·u ≈ 99u times the diagonal, at any size.
const lapackThreshold = 50

// promised is the test ratio that the kernel is held to.
func (k subject) promised() float64 {
	if k.TestRatio > 0 {
		return k.TestRatio
	}
	return lapackThreshold
}

func (k subject) normalise(a *mat.Dense) normal {
	m, n := a.Dims()
	_, e := math.Frexp(max(mat.Max(a), -mat.Min(a)))
	x := normal{a: mat.NewDense(m, n, nil), exponent: e, allowed: k.promised(), Precision: k.precision()}
	for i := range m {
		x.a.SetRow(i, x.scale(a.RawRowView(i)))
	}
	x.norm = mat.Norm(x.a, 1)
	if x.norm > 0 {
		x.floor = math.Ldexp(float64(max(m, n)), x.Lowest-e)
	}
	return x
}

// scale multiplies values that go with the matrix by the same power of two.
func (x normal) scale(values []float64) []float64 {
	return list.Map(values, func(v float64) float64 { return math.Ldexp(v, -x.exponent) })
}

// tolerance bounds the rounding errors of a backward stable algorithm, in the scale of x: the perturbation
// max(m,n)·ulp·‖A‖₁ that LAPACK's testers divide by, and max(m,n) units of the last place where numbers are subnormal,
// times the promised ratio. By Weyl's theorem it bounds the error of values as well.
func (x normal) tolerance() float64 {
	m, n := x.a.Dims()
	return x.allowed * (float64(max(m, n))*x.Ulp()*x.norm + x.floor)
}

// stored is 3·(ulp/2)·‖|u|·diag(|s|)·|v|ᵀ‖₁: how far the product of exact factors moves when each of their entries is
// rounded. No code avoids it, and for dense factors of a matrix with nearly equal values it is about
// n·ulp·‖A‖₁ by itself.
func (x normal) stored(u *mat.Dense, s []float64, v *mat.Dense) float64 {
	m, _ := u.Dims()
	n, _ := v.Dims()
	p := mat.NewDense(m, n, nil)
	for i := range m {
		for j := range n {
			sum := 0.0
			for k, w := range s {
				sum += math.Abs(u.At(i, k) * w * v.At(j, k))
			}
			p.Set(i, j, sum)
		}
	}
	return 3 * x.Unit * mat.Norm(p, 1)
}

// within is a ratio to a tolerance that is zero for the zero matrix, for which everything is exact.
func within(discrepancy, tolerance float64) props.Ratio {
	if tolerance == 0 {
		return props.Exactly(discrepancy)
	}
	return props.Within(discrepancy, tolerance)
}

// residual is ‖a − u·diag(s)·vᵀ‖₁ with as many columns of u and v as there are values; every entry is computed in
// double-double and rounded once.
func residual(a, u *mat.Dense, s []float64, v *mat.Dense) float64 {
	m, n := a.Dims()
	r := mat.NewDense(m, n, nil)
	us := make([]doubledouble.Number, len(s))
	for i := range m {
		for k, w := range s {
			us[k] = doubledouble.TwoProduct(u.At(i, k), w)
		}
		for j := range n {
			sum, row := doubledouble.Number{Hi: -a.At(i, j)}, v.RawRowView(j)
			for k, w := range us {
				sum = sum.Plus(w.Scaled(row[k]))
			}
			r.Set(i, j, sum.Float64())
		}
	}
	return mat.Norm(r, 1)
}

// departure is ‖I − qᵀq‖₁.
func departure(q *mat.Dense) float64 {
	_, n := q.Dims()
	columns := list.Fill(n, func(j int) []float64 { return mat.Col(nil, j, q) })
	g := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range i + 1 {
			d := doubledouble.Dot(columns[i], columns[j])
			if i == j {
				d = d.Minus(doubledouble.Number{Hi: 1})
			}
			g.Set(i, j, d.Float64())
			g.Set(j, i, d.Float64())
		}
	}
	return mat.Norm(g, 1)
}

// orthogonality is the departure divided by LAPACK's rows·ulp (dort01), times the promised ratio.
func (k subject) orthogonality(q *mat.Dense) props.Ratio {
	m, _ := q.Dims()
	return props.Within(departure(q), k.promised()*float64(m)*k.precision().Ulp())
}

// farthest is the largest difference of two lists, and NaN if one has a NaN or they differ in length.
func farthest(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.NaN()
	}
	worst := 0.0
	for i := range a {
		d := math.Abs(a[i] - b[i])
		if math.IsNaN(d) {
			return d
		}
		worst = max(worst, d)
	}
	return worst
}

// transposed is a copy of aᵀ.
func transposed(a *mat.Dense) *mat.Dense { return mat.DenseCopyOf(a.T()) }
