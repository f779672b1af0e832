package linalg_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/roundoff"
)

// randomStack is a stack of normal entries.
func randomStack(count, rows, cols int) blas.Stack {
	s, r := blas.NewStack(count, rows, cols, nil), stream()
	for i := range s.Data {
		s.Data[i] = r.NormFloat64()
	}
	return s
}

// stackKinds are the vectors to ask for of m×n matrices, in columns of u and v.
func stackKinds(m, n int) map[mat.SVDKind][2]int {
	r := min(m, n)
	return map[mat.SVDKind][2]int{mat.SVDThin: {r, r}, mat.SVDFull: {m, n}, mat.SVDNone: {}, mat.SVDThinU: {r, 0},
		mat.SVDThinV: {0, r}}
}

// stacked is the decomposition of a stack.
type stacked struct {
	s    []float64
	u, v blas.Stack
}

func stackSVD(t *testing.T, a blas.Stack, columns [2]int) (f stacked) {
	f.s = make([]float64, a.Count*min(a.Rows, a.Cols))
	if columns[0] > 0 {
		f.u = blas.NewStack(a.Count, a.Rows, columns[0], nil)
	}
	if columns[1] > 0 {
		f.v = blas.NewStack(a.Count, a.Cols, columns[1], nil)
	}
	require.NoError(t, linalg.SVDStack(a, f.s, f.u, f.v))
	return f
}

// matrixOf is matrix i of a stack, nil of one that is empty.
func matrixOf(s blas.Stack, i int) *mat.Dense {
	if s.Count == 0 {
		return nil
	}
	return mat.NewDense(s.Rows, s.Cols, slices.Clone(s.At(i)))
}

// TestSVDStack: the vectors that are asked for, and values, form a decomposition, to the bounds of LAPACK's testers;
// where matrices are factorised one by one they have the bits of SVD.
func TestSVDStack(t *testing.T) {
	defer blas.SetThreads(0)
	const count = 21
	for _, shape := range [][2]int{{1, 1}, {2, 1}, {2, 2}, {3, 3}, {4, 4}, {8, 8}, {5, 3}, {3, 5}, {16, 16}, {17, 17},
		{30, 9}, {9, 30}, {1, 32}, {32, 32}, {33, 33}, {40, 3}} {
		m, n := shape[0], shape[1]
		a := randomStack(count, m, n)
		for kind, columns := range stackKinds(m, n) {
			thin := columns[0] <= min(m, n) && columns[1] <= min(m, n) && columns[0]+columns[1] > 0
			for _, threads := range []int{1, 3} {
				blas.SetThreads(threads)
				got := stackSVD(t, a, columns)
				for i := range count {
					x := stackedSVD{matrixOf(a, i), got.s[i*min(m, n) : (i+1)*min(m, n)], matrixOf(got.u, i), matrixOf(got.v, i)}
					if thin && max(m, n) <= 32 {
						x.judge(t, fmt.Sprint(shape, " matrix ", i))
					} else {
						x.sameAsSVD(t, kind)
					}
				}
			}
		}
	}
}

// stackedSVD is the decomposition of one matrix of a stack.
type stackedSVD struct {
	a    *mat.Dense
	s    []float64
	u, v *mat.Dense
}

func (x stackedSVD) sameAsSVD(t *testing.T, kind mat.SVDKind) {
	t.Helper()
	u, s, v, err := linalg.SVD(x.a, kind)
	require.NoError(t, err)
	require.Equal(t, s, x.s)
	require.True(t, (u == nil) == (x.u == nil) && (u == nil || mat.Equal(u, x.u)))
	require.True(t, (v == nil) == (x.v == nil) && (v == nil || mat.Equal(v, x.v)))
}

// judge holds values, vectors and, with both sides, the product to a tenth of what LAPACK's testers allow, 50 times
// max(m, n) roundings.
func (x stackedSVD) judge(t *testing.T, name string) {
	t.Helper()
	const allowed = 5
	m, n := x.a.Dims()
	size := float64(max(m, n, 10)) * roundoff.Ulp
	_, want, _, err := linalg.SVD(x.a, mat.SVDNone)
	require.NoError(t, err)
	require.True(t, slices.IsSortedFunc(x.s, func(p, q float64) int { return cmp.Compare(q, p) }), name)
	for i, s := range want {
		below(t, name, "value", math.Abs(s-x.s[i]), allowed*size*want[0])
		require.False(t, math.Signbit(x.s[i]), name)
	}
	for _, q := range []*mat.Dense{x.u, x.v} {
		if q != nil {
			below(t, name, "orthogonality", skewness(q), allowed)
		}
	}
	if x.u != nil && x.v != nil {
		var product, d mat.Dense
		product.Mul(x.u, mat.NewDiagDense(len(x.s), x.s))
		d.Mul(&product, x.v.T())
		d.Sub(&d, x.a)
		subnormal := float64(m*n) * 0x1p-1074 // what products may lose there
		below(t, name, "residual", mat.Norm(&d, 1), allowed*size*mat.Norm(x.a, 1)+subnormal)
	}
}

// TestSVDStackLooksAtOneMatrix: what a matrix gives does not depend on the number of matrices, its place among them, or
// what the others are.
func TestSVDStackLooksAtOneMatrix(t *testing.T) {
	for _, shape := range [][2]int{{2, 2}, {8, 8}, {13, 7}, {7, 13}, {32, 32}} {
		m, n := shape[0], shape[1]
		r := min(m, n)
		a := randomStack(29, m, n)
		clear(a.At(3))                     // one that has converged at once
		copy(a.At(5), a.At(4))             // one that goes with another
		scaleAll(a.At(6), 1e300)           // others of other sizes
		scaleAll(a.At(7), 1e-300)          //
		scaleAll(a.At(9)[:n], 1e-12)       //
		copy(a.At(11)[(m-1)*n:], a.At(11)) // a singular one
		all := stackSVD(t, a, [2]int{r, r})
		for i := range a.Count {
			for _, count := range []int{1, 3, 9} {
				b := blas.NewStack(count, m, n, nil)
				for j := range count {
					copy(b.At(j), a.At((i*j+count)%a.Count))
				}
				place := i % count
				copy(b.At(place), a.At(i))
				got := stackSVD(t, b, [2]int{r, r})
				require.Equal(t, bitsOf(all.s[i*r:(i+1)*r]), bitsOf(got.s[place*r:(place+1)*r]))
				require.Equal(t, bitsOf(all.u.At(i)), bitsOf(got.u.At(place)))
				require.Equal(t, bitsOf(all.v.At(i)), bitsOf(got.v.At(place)))
			}
		}
	}
}

func scaleAll(x []float64, factor float64) {
	for i := range x {
		x[i] *= factor
	}
}

func bitsOf(x []float64) []uint64 {
	bits := make([]uint64, len(x))
	for i, v := range x {
		bits[i] = math.Float64bits(v)
	}
	return bits
}

// TestSVDStackOfDegenerateMatrices: matrices of all kinds that break factorisations, in one stack for each shape.
func TestSVDStackOfDegenerateMatrices(t *testing.T) {
	judged := 0
	for _, x := range append(examples(), treacherous()...) {
		m, n := x.a.Dims()
		if max(m, n) > 32 {
			continue
		}
		judged++
		a := randomStack(3, m, n)
		copy(a.At(1), mat.DenseCopyOf(x.a).RawMatrix().Data)
		got, r := stackSVD(t, a, [2]int{min(m, n), min(m, n)}), min(m, n)
		stackedSVD{x.a, got.s[r : 2*r], matrixOf(got.u, 1), matrixOf(got.v, 1)}.judge(t, fmt.Sprint(x.name, " ", m, "×", n))
	}
	require.True(t, judged > 30, "only %d matrices", judged)
}

func TestSVDStackNamesTheMatrix(t *testing.T) {
	defer blas.SetThreads(0)
	a := randomStack(2000, 4, 4)
	a.Data[16*700+5], a.Data[16*1500] = math.NaN(), math.Inf(1)
	for _, threads := range []int{1, 2, 5} {
		blas.SetThreads(threads)
		err := linalg.SVDStack(a, make([]float64, 8000), blas.Stack{}, blas.Stack{})
		require.ErrorIs(t, err, linalg.ErrNotFinite)
		require.ErrorContains(t, err, "matrix 700: ")
		require.ErrorContains(t, err, "entry (1, 1) is NaN")
	}
}

func TestSVDStackRefusesWhatDoesNotFit(t *testing.T) {
	a, none := randomStack(3, 4, 2), blas.Stack{}
	require.NoError(t, linalg.SVDStack(none, nil, none, none))
	for name, call := range map[string]func(){
		"values":  func() { _ = linalg.SVDStack(a, make([]float64, 5), none, none) },
		"count":   func() { _ = linalg.SVDStack(a, make([]float64, 6), blas.NewStack(2, 4, 2, nil), none) },
		"rows":    func() { _ = linalg.SVDStack(a, make([]float64, 6), none, blas.NewStack(3, 4, 2, nil)) },
		"columns": func() { _ = linalg.SVDStack(a, make([]float64, 6), blas.NewStack(3, 4, 3, nil), none) },
		"overlap": func() {
			_ = linalg.SVDStack(a, make([]float64, 6),
				blas.Stack{Count: 3, Rows: 4, Cols: 2, Ld: 2, Step: 7, Data: make([]float64, 99)}, none)
		},
		"length": func() {
			_ = linalg.SVDStack(blas.NewStack(3, 4, 2, make([]float64, 23)), make([]float64, 6), none, none)
		},
	} {
		require.Panics(t, call, name)
	}
}

func TestSVDStackAllocatesNothing(t *testing.T) {
	if blas.Kernels()[0].Chosen {
		t.Skip("the race detector empties the pools of workspaces")
	}
	blas.SetThreads(1)
	defer blas.SetThreads(0)
	const count = 20
	for _, n := range []int{4, 16, 24} {
		a, s := randomStack(count, n, n), make([]float64, count*n)
		u, v := blas.NewStack(count, n, n, nil), blas.NewStack(count, n, n, nil)
		if got := testing.AllocsPerRun(20, func() { _ = linalg.SVDStack(a, s, u, v) }); got != 0 {
			t.Errorf("n = %d: %v allocations", n, got)
		}
		if got := testing.AllocsPerRun(20, func() { _ = linalg.SVDStack(a, s, blas.Stack{}, blas.Stack{}) }); got != 0 {
			t.Errorf("n = %d, values alone: %v allocations", n, got)
		}
	}
}

// BenchmarkSVDStack reports the time of one decomposition in a stack of 10³.
func BenchmarkSVDStack(b *testing.B) {
	const count = 1000
	for _, n := range []int{4, 8, 16, 32} {
		a, s := randomStack(count, n, n), make([]float64, count*n)
		u, v := blas.NewStack(count, n, n, nil), blas.NewStack(count, n, n, nil)
		for _, c := range []struct {
			name string
			u, v blas.Stack
		}{{"thin", u, v}, {"values", blas.Stack{}, blas.Stack{}}} {
			b.Run(fmt.Sprintf("%s/n=%d", c.name, n), func(b *testing.B) {
				blas.SetThreads(1)
				defer blas.SetThreads(0)
				b.ReportAllocs()
				for b.Loop() {
					succeed(b, linalg.SVDStack(a, s, c.u, c.v))
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/count, "us/matrix")
			})
		}
	}
}

// jordan is one Jordan block, or part of one: d on the diagonal and ones above it.
func jordan(m, n int, d float64) *mat.Dense {
	a := mat.NewDense(m, n, nil)
	for i := range min(m, n) {
		a.Set(i, i, d)
		if i+1 < n {
			a.Set(i, i+1, 1)
		}
	}
	return a
}

// treacherous are finite matrices whose triangles have an inverse that overflows, or hides all singular values but
// one: nilpotent ones, and Jordan blocks with an eigenvalue below the weight of their coupling.
func treacherous() []example {
	list := []example{{"shift", jordan(22, 18, 0)}, {"shift", jordan(18, 22, 0)}}
	for n := 1; n <= 25; n++ {
		list = append(list, example{"shift", jordan(n, n, 0)})
	}
	for _, n := range []int{10, 26, 63, 64, 65, 100} {
		for _, d := range []float64{0.1, 1e-2, 1e-5, 1e-7} {
			list = append(list, example{fmt.Sprint("Jordan ", d), jordan(n, n, d)})
		}
		strict := gaussian(stream(), n, n)
		strict.Apply(func(i, j int, v float64) float64 {
			if i >= j {
				return 0
			}
			return v
		}, strict)
		list = append(list, example{"strictly upper", strict})
	}
	return list
}
