package linalg_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/roundoff"
)

// shapes are the shapes of a size: square, a little longer, much longer (QR first), and wide.
func shapes(n int) [][2]int {
	return [][2]int{{n, n}, {n + n/5 + 1, n}, {2*n + 1, n}, {n, n + 3}, {n, 3 * n}}
}

// worstRatios collects the largest ratio of each kind and where it was.
type worstRatios map[string]struct {
	ratio float64
	where string
}

// add records a ratio, which has to be below limit: 1 but for residuals of order 2, see roundedFactors.
func (w worstRatios) add(t *testing.T, kind, where string, ratio, limit float64) {
	t.Helper()
	if !(ratio < limit) {
		t.Errorf("%s: %s ratio %.3g", where, kind, ratio)
	}
	if !(ratio <= w[kind].ratio) {
		w[kind] = struct {
			ratio float64
			where string
		}{ratio, where}
	}
}

// roundedFactors is the limit of the residual's ratio for order n: 1, or what rounding each entry of U, s and V by
// ulp/2 alone can do if that is more, 3·(ulp/2)·‖|U|·diag(s)·|V|ᵀ‖₁ ≤ 3·(ulp/2)·2‖A‖₁ for order 2, which is 3/2 of
// n·ulp·‖A‖₁.
func roundedFactors(n int) float64 { return max(1, 3/float64(n)) }

func (w worstRatios) log(t *testing.T) {
	for _, kind := range slices.Sorted(func(yield func(string) bool) {
		for k := range w {
			if !yield(k) {
				return
			}
		}
	}) {
		t.Logf("worst %s ratio %.3f: %s", kind, w[kind].ratio, w[kind].where)
	}
}

func TestSVDRatiosOnTheGallery(t *testing.T) {
	worst := worstRatios{}
	for g, c := range gallery {
		for _, n := range gallerySizes {
			list := shapes(n)
			if n > 40 { // one shape of a large size
				list = list[(g+n)%len(list):][:1]
			}
			for _, shape := range list {
				r := rand.New(rand.NewPCG(uint64(n), uint64(g)))
				a := c.make(r, shape[0], shape[1])
				before := mat.DenseCopyOf(a)
				where := fmt.Sprintf("%s %d×%d", c.name, shape[0], shape[1])
				u, s, v, err := linalg.SVD(a, mat.SVDThin)
				require.NoError(t, err, where)
				require.True(t, mat.Equal(before, a), where)
				worst.add(t, "residual", where, residual(a, u, s, v), roundedFactors(max(shape[0], shape[1])))
				worst.add(t, "orthogonality of U", where, orthogonality(u), 1)
				worst.add(t, "orthogonality of V", where, orthogonality(v), 1)
				descending(t, where, s)
				_, alone, _, err := linalg.SVD(a, mat.SVDNone)
				require.NoError(t, err, where)
				// either route has a backward error below n ulp ‖A‖; with 1 for the last rounding of each
				worst.add(t, "values", where, difference(s, alone)/(2*float64(max(shape[0], shape[1]))*roundoff.Ulp*s[0]+0x1p-1073),
					1)
			}
		}
	}
	worst.log(t)
}

func descending(t *testing.T, where string, s []float64) {
	t.Helper()
	for i, x := range s {
		if !(x >= 0) || i > 0 && !(x <= s[i-1]) {
			t.Errorf("%s: value %d is %v after %v", where, i, x, s[max(0, i-1)])
		}
	}
}

// difference is the largest |x_i - y_i|, NaN if any is.
func difference(x, y []float64) float64 { return floats.Distance(x, y, math.Inf(1)) }

func TestSVDKinds(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {7, 4}, {30, 4}, {4, 7}, {4, 30}, {50, 50}, {1, 9}, {9, 1}} {
		m, n := shape[0], shape[1]
		r := min(m, n)
		a := random(stream(), m, n)
		dims := func(x *mat.Dense) [2]int {
			if x == nil {
				return [2]int{}
			}
			p, q := x.Dims()
			return [2]int{p, q}
		}
		_, want, _, err := linalg.SVD(a, mat.SVDThin)
		require.NoError(t, err)
		for kind, sizes := range map[mat.SVDKind][2][2]int{
			mat.SVDNone:                 {},
			mat.SVDThin:                 {{m, r}, {n, r}},
			mat.SVDFull:                 {{m, m}, {n, n}},
			mat.SVDThinU:                {{m, r}, {}},
			mat.SVDFullV:                {{}, {n, n}},
			mat.SVDThinU | mat.SVDFullV: {{m, r}, {n, n}},
		} {
			u, s, v, err := linalg.SVD(a, kind)
			require.NoError(t, err)
			require.Len(t, s, r)
			require.Equal(t, sizes, [2][2]int{dims(u), dims(v)}, "%v %v", shape, kind)
			if d := difference(s, want); !(d <= 2*float64(max(m, n))*roundoff.Ulp*want[0]) {
				t.Errorf("%v kind %v: values differ by %v", shape, kind, d)
			}
			for _, q := range []*mat.Dense{u, v} {
				if q == nil {
					continue
				}
				if ratio := orthogonality(q); !(ratio < 1) {
					t.Errorf("%v kind %v: orthogonality ratio %v", shape, kind, ratio)
				}
			}
			if u != nil && v != nil {
				if ratio := residual(a, u, s, v); !(ratio < 1) {
					t.Errorf("%v kind %v: residual ratio %v", shape, kind, ratio)
				}
			}
		}
	}
}

// TestSVDValuesByCounting holds the values of bidiagonal matrices against Sturm counts of [0 Bᵀ; B 0], a tridiagonal
// matrix with the entries of B off its diagonal in the order d_0, e_0, d_1, …, whose eigenvalues are ±σ: a method that
// shares nothing with the code.
func TestSVDValuesByCounting(t *testing.T) {
	for _, n := range []int{2, 3, 17, 64, 100} {
		r := rand.New(rand.NewPCG(5, uint64(n)))
		a, off := mat.NewDense(n, n, nil), make([]float64, 2*n-1)
		for i := range n {
			a.Set(i, i, math.Exp(4*r.NormFloat64()))
			off[2*i] = a.At(i, i)
			if i < n-1 {
				a.Set(i, i+1, r.NormFloat64())
				off[2*i+1] = a.At(i, i+1)
			}
		}
		for _, kind := range []mat.SVDKind{mat.SVDNone, mat.SVDThin} {
			_, s, _, err := linalg.SVD(a, kind)
			require.NoError(t, err)
			allowed := 2 * float64(n) * roundoff.Ulp * s[0]
			for i, x := range s { // n eigenvalues are not positive, and of the positive ones n-1-i lie below σ_i
				below, above := sturm(make([]float64, 2*n), off, x-allowed), sturm(make([]float64, 2*n), off, x+allowed)
				if x > allowed && (below > 2*n-1-i || above < 2*n-i) {
					t.Errorf("n = %d kind %v: σ_%d = %v has %d to %d eigenvalues below", n, kind, i, x, below, above)
				}
			}
		}
	}
}

// sturm is the number of eigenvalues below x of the tridiagonal matrix with that diagonal and off-diagonal: the
// negative pivots.
func sturm(diagonal, off []float64, x float64) (count int) {
	pivot := 1.0
	for i, d := range diagonal {
		next := d - x
		if i > 0 {
			next -= off[i-1] / pivot * off[i-1]
		}
		if next == 0 {
			next = -0x1p-1000
		}
		if next < 0 {
			count++
		}
		pivot = next
	}
	return count
}

// everywhere runs same on other numbers of threads and processors than one, and on every kernel that runs here.
func everywhere(t *testing.T, same func()) {
	defer blas.SetThreads(0)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, threads := range []int{2, 3, 8, 16} {
		runtime.GOMAXPROCS(threads)
		blas.SetThreads(threads)
		same()
	}
	kernels := blas.Kernels()
	for _, k := range kernels {
		if k.Chosen {
			defer func() { require.NoError(t, blas.SetKernel(k.Name)) }()
		}
	}
	for _, k := range kernels {
		if k.Available {
			require.NoError(t, blas.SetKernel(k.Name))
			same()
		}
	}
}

func TestSVDSameBitsOnAnyThreadsAndKernel(t *testing.T) {
	for _, shape := range [][2]int{{300, 270}, {70, 600}} {
		a := random(stream(), shape[0], shape[1])
		blas.SetThreads(1)
		u, s, v, err := linalg.SVD(a, mat.SVDThin)
		require.NoError(t, err)
		everywhere(t, func() {
			u2, s2, v2, err := linalg.SVD(a, mat.SVDThin)
			require.NoError(t, err)
			require.Equal(t, s, s2)
			require.True(t, mat.Equal(u, u2) && mat.Equal(v, v2))
		})
	}
}

func TestSVDRefusesWhatIsNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := random(stream(), 9, 7)
		a.Set(4, 2, bad)
		for _, kind := range []mat.SVDKind{mat.SVDNone, mat.SVDThin, mat.SVDFull} {
			u, s, v, err := linalg.SVD(a, kind)
			require.ErrorIs(t, err, linalg.ErrNotFinite)
			require.ErrorContains(t, err, fmt.Sprintf("entry (4, 2) is %v", bad))
			require.True(t, u == nil && s == nil && v == nil)
		}
	}
}

func TestSVDAtTheEnds(t *testing.T) {
	u, s, v, err := linalg.SVD(&mat.Dense{}, mat.SVDFull)
	require.NoError(t, err)
	require.True(t, u == nil && s == nil && v == nil)

	largest := mat.NewDense(2, 2, []float64{math.MaxFloat64, math.MaxFloat64, math.MaxFloat64, -math.MaxFloat64})
	_, _, _, err = linalg.SVD(largest, mat.SVDThin)
	require.ErrorContains(t, err, "overflows")

	smallest := mat.NewDense(1, 1, []float64{-0x1p-1074})
	u, s, v, err = linalg.SVD(smallest, mat.SVDThin)
	require.NoError(t, err)
	require.Equal(t, []float64{0x1p-1074}, s)
	require.Equal(t, -1.0, u.At(0, 0)*v.At(0, 0))
}

// TestSVDOfASlice: a matrix with a stride is read in its own columns only.
func TestSVDOfASlice(t *testing.T) {
	big := random(stream(), 20, 20)
	big.Set(3, 15, math.NaN())
	part := big.Slice(2, 12, 4, 11).(*mat.Dense)
	u, s, v, err := linalg.SVD(part, mat.SVDThin)
	require.NoError(t, err)
	if ratio := residual(part, u, s, v); !(ratio < 1) {
		t.Errorf("residual ratio %v", ratio)
	}
}
