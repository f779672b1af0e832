package kernels

import (
	"flag"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// holds and rejected spell the two outcomes of a verification.
func holds(t *testing.T, r props.Ratio) {
	t.Helper()
	require.Equal(t, results.Holds, r.Verdict(), "ratio %v", r.Value)
}

func rejected(t *testing.T, r props.Ratio) {
	t.Helper()
	require.Equal(t, results.Refuted, r.Verdict(), "ratio %v", r.Value)
}

// product is a correct instance of C = A·B with m, n, k = 48, 40, 56, computed by plain loops.
func product() (c, a, b *mat.Dense) {
	a, b, c = testmatrix.Uniform("left", 48, 56), testmatrix.Uniform("right", 56, 40), mat.NewDense(48, 40, nil)
	for i := range 48 {
		for j := range 40 {
			var sum float64
			for l := range 56 {
				sum += a.At(i, l) * b.At(l, j)
			}
			c.Set(i, j, sum)
		}
	}
	return c, a, b
}

func TestMatMulRatioRejectsWrongProducts(t *testing.T) {
	c, a, b := product()
	holds(t, MatMulRatio(c, a, b))
	allowed := math.Sqrt(58) * roundoff.Unit * mat.Norm(a, 2) * mat.Norm(b, 2)
	for name, poison := range map[string]func(*mat.Dense){
		"NaN":        func(c *mat.Dense) { c.Set(3, 5, math.NaN()) },
		"infinity":   func(c *mat.Dense) { c.Set(47, 39, math.Inf(-1)) },
		"zero":       func(c *mat.Dense) { c.Zero() },
		"transposed": func(c *mat.Dense) { c.Copy(mat.DenseCopyOf(c.T())) },
		"swapped rows": func(c *mat.Dense) {
			r := mat.Row(nil, 0, c)
			c.SetRow(0, mat.Row(nil, 1, c))
			c.SetRow(1, r)
		},
		"stale sum": func(c *mat.Dense) { c.Scale(2, c) },
		"single rounded": func(c *mat.Dense) {
			c.Apply(func(_, _ int, x float64) float64 { return float64(float32(x)) }, c)
		},
		// Ten times what is allowed for the whole matrix, in one entry: the size that probes resolve.
		"one entry off": func(c *mat.Dense) { c.Set(0, 0, c.At(0, 0)+10*allowed) },
		"dropped k-tail": func(c *mat.Dense) {
			for i := range 48 {
				for j := range 40 {
					c.Set(i, j, c.At(i, j)-a.At(i, 55)*b.At(55, j))
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			damaged := mat.DenseCopyOf(c)
			poison(damaged)
			rejected(t, MatMulRatio(damaged, a, b))
		})
	}
}

func TestMatMulRatioRejectsBrokenArguments(t *testing.T) {
	c, a, b := product()
	rejected(t, MatMulRatio(nil, a, b))
	rejected(t, MatMulRatio(mat.DenseCopyOf(c.T()), a, b))
	rejected(t, MatMulRatio(c, a, mat.DenseCopyOf(b.T())))
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		broken := mat.DenseCopyOf(a)
		broken.Set(0, 0, x)
		rejected(t, MatMulRatio(c, broken, b))
	}
	// A product with a zero matrix has a scale of zero: there is nothing to divide by, and nothing is known.
	rejected(t, MatMulRatio(mat.NewDense(48, 40, nil), mat.NewDense(48, 56, nil), b))
}

// faulty multiplies without the last column of a.
type faulty struct{ gonum.Implementation }

func (f faulty) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	f.Implementation.Dgemm(tA, tB, m, n, k-1, alpha, a, lda, b, ldb, beta, c, ldc)
}

// TestWrongResultIsNotTimed shows the gate in front of every benchmark a faulty implementation.
func TestWrongResultIsNotTimed(t *testing.T) {
	benchtime := flag.Lookup("test.benchtime").Value
	old := benchtime.String()
	require.NoError(t, benchtime.Set("1x"))
	defer func() { require.NoError(t, benchtime.Set(old)) }()

	right := testing.Benchmark(func(b *testing.B) { matMul(b, Gonum(), 16, 16, 16) })
	require.Equal(t, 1, right.N)
	for _, metric := range []string{"ratio", "flop/s", "peak"} {
		require.Contains(t, right.Extra, metric)
	}
	wrong := testing.Benchmark(func(b *testing.B) { matMul(b, kernel.Kernel{BLAS: faulty{}}, 16, 16, 16) })
	require.Zero(t, wrong.N, "a probe.Wrong product was timed")
}

// TestImplsOfferSomething keeps an entry with a forgotten field from being measured on nothing.
func TestImplsOfferSomething(t *testing.T) {
	require.GreaterOrEqual(t, len(Impls()), 3)
	names := map[string]bool{}
	for _, im := range Impls() {
		require.False(t, names[im.Name], "two implementations are called %q", im.Name)
		names[im.Name] = true
		require.True(t, im.BLAS != nil || im.SVD != nil || im.SymEigen != nil, "%q offers nothing", im.Name)
	}
}

// TestGonumKeepsItsKernels asks that a measurement of gonum is one of gonum, whatever is installed, and leaves that
// alone.
func TestGonumKeepsItsKernels(t *testing.T) {
	defer blas64.Use(blas64.Implementation())
	blas64.Use(faulty{})
	a := testmatrix.WithSingularValues(40, 40, testmatrix.Geometric(40))
	restore := begun(t, Gonum())
	f, err := SVD(Gonum(), a, mat.SVDThin)
	restore()
	require.NoError(t, err)
	require.IsType(t, faulty{}, blas64.Implementation())
	blas64.Use(gonum.Implementation{})
	holds(t, SVDRatio(a, testmatrix.Geometric(40), mat.SVDThin, f))
}
