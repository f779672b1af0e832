package linalg_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/roundoff"
)

// excess is ‖x − y‖₁ / (n·‖y‖₁·ulp), LAPACK's ratio of a residual, which should stay below one; where y is zero, x must
// be.
func excess(n int, x, y mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(x, y)
	norm := mat.Norm(&d, 1)
	if norm == 0 {
		return 0
	}
	return norm / (float64(n) * mat.Norm(y, 1) * roundoff.Ulp)
}

// skewness is ‖I − QᵀQ‖₁ / (m·ulp) for m×n q, LAPACK's ratio of orthogonality. The formula has no room for the handful
// of roundings per reflector that do not grow with m: over 50 random matrices LAPACK itself reaches 1.7 for m = 5 and
// 0.8 for m = 30. So m counts as 10 if it is less.
func skewness(q mat.Matrix) float64 {
	var g mat.Dense
	g.Mul(q.T(), q)
	n, _ := g.Dims()
	for i := range n {
		g.Set(i, i, g.At(i, i)-1)
	}
	m, _ := q.Dims()
	return mat.Norm(&g, 1) / (float64(max(m, 10)) * roundoff.Ulp)
}

func below(t *testing.T, name, what string, got, allowed float64) {
	t.Helper()
	if !(got <= allowed) {
		t.Errorf("%s: %s is %.3g, allowed %.3g", name, what, got, allowed)
	}
}

type example struct {
	name string
	a    *mat.Dense
}

// examples are matrices of all shapes and of the kinds that break factorisations.
func examples() []example {
	r := stream()
	var list []example
	add := func(name string, a *mat.Dense) { list = append(list, example{name, a}) }
	for _, s := range [][2]int{{1, 1}, {2, 1}, {1, 3}, {3, 3}, {10, 10}, {16, 30}, {30, 16}, {40, 40}, {65, 63}, {63, 65},
		{130, 70}, {70, 130}, {129, 129}} {
		add("random", gaussian(r, s[0], s[1]))
	}
	add("zero", mat.NewDense(20, 12, nil))
	add("identity", mat.DenseCopyOf(mat.NewDiagDense(33, ones(33))))
	add("rank one", withValues(r, 40, 30, []float64{5}))
	add("rank deficient", withValues(r, 50, 50, geometric(20, 1e3)))
	add("repeated", withValues(r, 60, 40, append(ones(20), geometric(20, 1)...)))
	for _, condition := range []float64{10, 1e3, 1e8, 1e13, 1e16} {
		add("geometric", withValues(r, 80, 70, geometric(70, condition)))
	}
	graded := gaussian(r, 40, 40)
	graded.Apply(func(_, j int, v float64) float64 { return v * math.Pow(10, -300*float64(j)/39) }, graded)
	add("graded columns", graded)
	holes := gaussian(r, 12, 9)
	for i := range 12 {
		holes.Set(i, 4, 0)
		holes.Set(i, 7, holes.At(i, 7)*1e-315)
	}
	add("a zero and a subnormal column", holes)
	add("singular integers", mat.NewDense(3, 3, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}))
	for _, scale := range []float64{1e300, 1e-300, 1e-310} {
		scaled := gaussian(r, 30, 20)
		scaled.Scale(scale, scaled)
		add("scaled", scaled)
	}
	hilbert := mat.NewDense(12, 12, nil)
	hilbert.Apply(func(i, j int, _ float64) float64 { return 1 / float64(i+j+1) }, hilbert)
	add("Hilbert", hilbert)
	kahan := mat.NewDense(30, 30, nil)
	kahan.Apply(func(i, j int, _ float64) float64 {
		s := math.Pow(math.Sin(1.2), float64(i))
		switch {
		case i == j:
			return s
		case i < j:
			return -s * math.Cos(1.2)
		}
		return 0
	}, kahan)
	add("Kahan", kahan)
	return list
}

func ones(n int) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = 1
	}
	return s
}

// geometric falls from 1 to 1/condition.
func geometric(n int, condition float64) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = math.Pow(condition, -float64(i)/float64(max(1, n-1)))
	}
	return s
}

func TestQR(t *testing.T) {
	for _, x := range examples() {
		before := mat.DenseCopyOf(x.a)
		f, err := linalg.QR(x.a)
		require.NoError(t, err, x.name)
		require.True(t, mat.Equal(before, x.a), x.name)
		q, r := f.Q(), f.R()
		m, n := x.a.Dims()
		rows, cols := q.Dims()
		require.Equal(t, []int{m, min(m, n)}, []int{rows, cols})
		for i := range cols {
			for j := range i {
				require.Zero(t, r.At(i, j))
			}
		}
		below(t, fmt.Sprint(x.name, m, "×", n), "orthogonality", skewness(q), 1.5)
		var product mat.Dense
		product.Mul(q, r)
		if x.name == "graded columns" { // the error is small in every column
			for j := range n {
				below(t, x.name, "column", excess(m, product.ColView(j), x.a.ColView(j)), 1)
			}
		} else if x.name != "scaled" {
			below(t, x.name, "residual", excess(max(m, n), &product, x.a), 1)
		}
	}
}

// TestQRScales: a power of two changes nothing but the exponents of R, however near it comes to overflow and underflow.
func TestQRScales(t *testing.T) {
	a := gaussian(stream(), 30, 20)
	f, err := linalg.QR(a)
	require.NoError(t, err)
	for _, e := range []int{1000, 700, -700, -1000, -1040} {
		scaled, want := mat.NewDense(30, 20, nil), f.R()
		by := func(_, _ int, v float64) float64 { return math.Ldexp(v, e) }
		scaled.Apply(by, a)
		want.Apply(by, want)
		g, err := linalg.QR(scaled)
		require.NoError(t, err)
		if e < -1022 { // entries have lost digits to underflow
			below(t, "scaled", "orthogonality", skewness(g.Q()), 1.5)
			continue
		}
		require.True(t, mat.Equal(f.Q(), g.Q()))
		require.True(t, mat.Equal(want, g.R()))
	}
}

// TestQRApply: the orthogonal factor without forming it.
func TestQRApply(t *testing.T) {
	for _, s := range [][2]int{{5, 3}, {3, 5}, {150, 90}, {90, 150}} {
		f, err := linalg.QR(gaussian(stream(), s[0], s[1]))
		require.NoError(t, err)
		q := mat.DenseCopyOf(mat.NewDiagDense(s[0], ones(s[0])))
		f.Apply(q, false)
		below(t, "apply", "orthogonality", skewness(q), 1.5)
		below(t, "apply", "first columns", excess(s[0], q.Slice(0, s[0], 0, min(s[0], s[1])), f.Q()), 1)
		c := gaussian(stream(), s[0]+2, 9).Slice(1, s[0]+1, 2, 9).(*mat.Dense)
		var want mat.Dense
		want.Mul(q.T(), c)
		f.Apply(c, true)
		below(t, "apply", "transpose", excess(s[0], c, &want), 1)
		require.Panics(t, func() { f.Apply(mat.NewDense(s[0]+1, 1, nil), true) })
	}
}

func TestQRRefusesWhatIsNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(-1)} {
		a := gaussian(stream(), 6, 4)
		a.Set(2, 3, bad)
		_, err := linalg.QR(a)
		require.ErrorIs(t, err, linalg.ErrNotFinite)
		require.ErrorContains(t, err, "(2, 3)")
	}
	_, err := linalg.QR(mat.NewDense(4, 1, []float64{1.7e308, 1.7e308, 1.7e308, 1.7e308}))
	require.ErrorIs(t, err, linalg.ErrNotFinite)
	f, err := linalg.QR(new(mat.Dense))
	require.NoError(t, err)
	require.True(t, f.Q().IsEmpty())
}
