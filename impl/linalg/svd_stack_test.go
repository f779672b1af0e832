package linalg_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/linalg"
)

// randomStack is a stack of normal entries.
func randomStack(count, rows, cols int) blas.Stack {
	s, r := blas.NewStack(count, rows, cols, nil), stream()
	for i := range s.Data {
		s.Data[i] = r.NormFloat64()
	}
	return s
}

func TestSVDStackHasTheBitsOfSVD(t *testing.T) {
	defer blas.SetThreads(0)
	const count = 60
	for _, shape := range [][2]int{{1, 1}, {2, 2}, {4, 4}, {8, 8}, {5, 3}, {3, 5}, {16, 16}, {17, 17}, {30, 9}, {9, 30},
		{33, 33}} {
		m, n := shape[0], shape[1]
		r := min(m, n)
		a := randomStack(count, m, n)
		for kind, columns := range map[mat.SVDKind][2]int{mat.SVDThin: {r, r}, mat.SVDFull: {m, n}, mat.SVDNone: {},
			mat.SVDThinU: {r, 0}} {
			for _, threads := range []int{1, 3} {
				blas.SetThreads(threads)
				s := make([]float64, count*r)
				var u, v blas.Stack
				if columns[0] > 0 {
					u = blas.NewStack(count, m, columns[0], nil)
				}
				if columns[1] > 0 {
					v = blas.NewStack(count, n, columns[1], nil)
				}
				require.NoError(t, linalg.SVDStack(a, s, u, v))
				for i := range count {
					wantU, want, wantV, err := linalg.SVD(mat.NewDense(m, n, slices.Clone(a.At(i))), kind)
					require.NoError(t, err)
					require.Equal(t, want, s[i*r:(i+1)*r])
					if wantU != nil {
						require.Equal(t, wantU.RawMatrix().Data, u.At(i))
					}
					if wantV != nil {
						require.Equal(t, wantV.RawMatrix().Data, v.At(i))
					}
				}
			}
		}
	}
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
