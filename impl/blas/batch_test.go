package blas

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	gblas "gonum.org/v1/gonum/blas"
)

// TestGemmStack: the bits of one product at a time, for every kernel, shape, stride and number of threads.
func TestGemmStack(t *testing.T) {
	defer SetThreads(0)
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 1))
		for _, size := range [][3]int{{1, 1, 1}, {4, 4, 4}, {5, 3, 7}, {8, 8, 8}, {16, 16, 16}, {3, 6, 4}, {13, 29, 2},
			{33, 31, 40}, {3, 2, 0}, {2, 2, 500}} {
			for i := range 12 {
				m, n, k := size[0], size[1], size[2]
				tA, tB := transposes[i%2], transposes[i/2%2]
				ra, ca := shape(tA, m, k)
				rb, cb := shape(tB, k, n)
				const count = 37
				a, b := randomStack(rng, count, ra, ca, i%3), randomStack(rng, count, rb, cb, 2*(i%2))
				c := randomStack(rng, count, m, n, i%2)
				if i%5 == 4 {
					a.Step = 0
				}
				alpha, beta := []float64{1, 0.3}[i%2], []float64{0, 1, -0.7}[i%3]
				want := append([]float64{}, c.Data...)
				for j := range count {
					x, y := a.At(j), b.At(j)
					if k == 0 {
						x, y = a.Data, b.Data // Dgemm wants room for rows without columns
					}
					Implementation{}.Dgemm(tA, tB, m, n, k, alpha, x, a.Ld, y, b.Ld, beta, want[j*c.Step:], c.Ld)
				}
				SetThreads(1 + i%3)
				GemmStack(tA, tB, alpha, a, b, beta, c)
				for j, v := range c.Data {
					if v != want[j] {
						t.Fatalf("%v %c%c: entry %d is %v, want %v", size, tA, tB, j, v, want[j])
					}
				}
			}
		}
	})
}

// TestGemmStackRuns: stacks of more matrices of one tile than one run takes.
func TestGemmStackRuns(t *testing.T) {
	SetThreads(1)
	defer SetThreads(0)
	eachKernel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 2))
		for _, count := range []int{longestRun, longestRun + 1, 2*longestRun + 5} {
			a, b, c := randomStack(rng, count, 2, 3, 0), randomStack(rng, count, 3, 2, 1), randomStack(rng, count, 2, 2, 0)
			want := append([]float64{}, c.Data...)
			for i := range count {
				Implementation{}.Dgemm('N', 'N', 2, 2, 3, 1, a.At(i), a.Ld, b.At(i), b.Ld, 0, want[i*c.Step:], c.Ld)
			}
			GemmStack('N', 'N', 1, a, b, 0, c)
			require.Equal(t, want, c.Data)
		}
	})
}

// randomStack has gaps of pad between the rows and between the matrices.
func randomStack(rng *rand.Rand, count, rows, cols, pad int) Stack {
	s := Stack{Count: count, Rows: rows, Cols: cols, Ld: max(1, cols+pad)}
	s.Step = rows*s.Ld + pad
	s.Data = make([]float64, count*s.Step+100)
	for i := range s.Data {
		s.Data[i] = rng.NormFloat64()
	}
	return s
}

func TestGemmStackRefuses(t *testing.T) {
	good := NewStack(3, 4, 4, nil)
	change := func(with func(s *Stack)) Stack {
		s := good
		with(&s)
		return s
	}
	for name, c := range map[string]Stack{
		"count":  NewStack(2, 4, 4, nil),
		"shape":  NewStack(3, 4, 5, nil),
		"length": change(func(s *Stack) { s.Data = s.Data[:47] }),
		"rows":   change(func(s *Stack) { s.Data = s.Data[:10] }),
		"ld":     change(func(s *Stack) { s.Ld = 3 }),
		"step":   change(func(s *Stack) { s.Step = -1 }),
		"huge":   change(func(s *Stack) { s.Step = 1 << 62 }),
		"apart":  change(func(s *Stack) { s.Step = 15 }),
		"size":   change(func(s *Stack) { s.Count = -1 }),
	} {
		if panics(func() { GemmStack('N', 'N', 1, good, good, 0, c) }) == "" {
			t.Errorf("%s: accepted", name)
		}
	}
	GemmStack('N', 'T', 1, good, good, 0, change(func(*Stack) {}))
}

// BenchmarkGemmStack reports the time of one product of a stack of 10⁴, against calls of Dgemm.
func BenchmarkGemmStack(b *testing.B) {
	const count = 10000
	for _, n := range []int{4, 8, 16, 32} {
		x, y, z := NewStack(count, n, n, nil), NewStack(count, n, n, nil), NewStack(count, n, n, nil)
		run := func(name string, work func()) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				SetThreads(1)
				defer SetThreads(0)
				b.ReportAllocs()
				for b.Loop() {
					work()
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/count, "ns/product")
			})
		}
		run("stack", func() { GemmStack(gblas.NoTrans, gblas.NoTrans, 1, x, y, 0, z) })
		run("calls", func() {
			for i := range count {
				Implementation{}.Dgemm(gblas.NoTrans, gblas.NoTrans, n, n, n, 1, x.At(i), n, y.At(i), n, 0, z.At(i), n)
			}
		})
	}
}
