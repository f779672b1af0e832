package faulty

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
)

var polar = breaks(func(k kernel.Kernel) factorisation {
	return func(a *mat.Dense, _ mat.SVDKind) (f factors) {
		f.u, f.err = k.Polar(a)
		return f
	}
}, func(k *kernel.Kernel, f factorisation) {
	k.Polar = func(a *mat.Dense) (*mat.Dense, error) {
		x := f(a, mat.SVDNone)
		return x.u, x.err
	}
})

func largestEntry(a *mat.Dense) float64 { return max(mat.Max(a), -mat.Min(a)) }

// polarFaults are the mistakes of polar factors; add here.
var polarFaults = slices.Concat(polar.contract(), polar.ofGeneral(), []assigned{
	{"orthogonality, orthogonal", polar.degrade("length of a column not one",
		func(_ *mat.Dense, f *factors) { addColumn(f.u, 0, 0, f.off()) })},
	{"orthogonality", polar.degrade("stopped one step too early", func(a *mat.Dense, f *factors) {
		// Newton's iteration roughly squares the error, so the step before has an error of √ulp.
		if size := largestEntry(a); size > 0 {
			f.u.Apply(func(i, j int, v float64) float64 { return v + 0x1p-26*a.At(i, j)/size }, f.u)
		}
	})},
	{"symmetry, residual", polar.degrade("rotated a little", func(_ *mat.Dense, f *factors) {
		m, n := f.u.Dims()
		sin, cos := math.Sincos(1e-9)
		for i := range m {
			if row := f.u.RawRowView(i); n > 1 {
				row[0], row[n-1] = cos*row[0]+sin*row[n-1], cos*row[n-1]-sin*row[0]
			}
		}
	})},
	{"symmetry", polar("the orthogonal factor of QR", func(_ factorisation, a *mat.Dense, _ mat.SVDKind) factors {
		var qr mat.QR
		var q mat.Dense
		qr.Factorize(a)
		qr.QTo(&q)
		m, n := a.Dims()
		return factors{u: mat.DenseCopyOf(q.Slice(0, m, 0, n))}
	})},
	{"semidefinite", polar.degrade("negated", func(_ *mat.Dense, f *factors) { f.u.Scale(-1, f.u) })},
	{"semidefinite", polar.degrade("determinant made positive", func(_ *mat.Dense, f *factors) {
		if m, n := f.u.Dims(); m != n || mat.Det(f.u) < 0 {
			addColumn(f.u, 0, 0, -2)
		}
	})},
	{"residual", polar.degrade("last row of tall matrices forgotten", func(_ *mat.Dense, f *factors) {
		if m, n := f.u.Dims(); m > n {
			f.u.SetRow(m-1, make([]float64, n))
		}
	})},
	{"near the limits, equivariance", polar.without("entries below 1e-100 are zero",
		func(_, _ int, v float64) bool { return math.Abs(v) < 1e-100 })},
	{"near the limits", polar("scales by a norm whose squares overflow or vanish",
		func(sound factorisation, a *mat.Dense, kind mat.SVDKind) factors {
			sum := 0.0
			m, n := a.Dims()
			for i := range m {
				for _, v := range a.RawRowView(i) {
					sum += v * v
				}
			}
			if (sum == 0 || math.IsInf(sum, 1)) && largestEntry(a) > 0 {
				return factors{u: mat.NewDense(m, n, nil)}
			}
			return sound(a, kind)
		})},
	{"orthogonal", polar.degrade("first column made to point up", func(_ *mat.Dense, f *factors) {
		if m, _ := f.u.Dims(); f.u.At(m-1, 0) < 0 {
			addColumn(f.u, 0, 0, -2)
		}
	})},
	{"equivariance", polar.degrade("first column refined on its own",
		func(_ *mat.Dense, f *factors) { addColumn(f.u, 0, 0, 1e-8) })},
})
