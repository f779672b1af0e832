//go:build unix

package blas

import (
	"flag"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"syscall"
	"testing"
	"unsafe"

	gblas "gonum.org/v1/gonum/blas"
)

// guardedCalls is the number of calls of TestGuardPages on each kernel; .ci/run --long makes more.
var guardedCalls = flag.Int("guarded-calls", 400, "calls of TestGuardPages on each kernel")

// fenced is memory between two pages that nobody may touch.
type fenced struct {
	mapping []byte
	numbers []float64
}

// fence maps memory for at least n numbers.
func fence(t *testing.T, n int) fenced {
	page := os.Getpagesize()
	size := (8*n + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(m) })
	for _, guard := range [][]byte{m[:page], m[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return fenced{m, unsafe.Slice((*float64)(unsafe.Pointer(&m[page])), size/8)}
}

// slice is n numbers with the fence right behind them, or right before.
func (f fenced) slice(rng *rand.Rand, n int) []float64 {
	s := f.numbers[:n:n]
	if rng.IntN(2) == 0 {
		s = f.numbers[len(f.numbers)-n:]
	}
	for i := range s {
		s[i] = 0.5 + rng.Float64()
	}
	return s
}

// guarded makes calls on memory between fences.
type guarded struct {
	rng    *rand.Rand
	fences []fenced
	next   int
}

func (g *guarded) numbers(n int) []float64 {
	g.next++
	return g.fences[g.next-1].slice(g.rng, n)
}

// matrix is the memory of rows×cols entries and a leading dimension.
func (g *guarded) matrix(rows, cols int) ([]float64, int) {
	ld := cols + g.rng.IntN(2)*g.rng.IntN(9)
	return g.numbers((rows-1)*ld + cols), ld
}

// vector is the memory of n elements and an increment.
func (g *guarded) vector(n int) ([]float64, int) {
	inc := []int{1, 1, 1, 2, -1, -3}[g.rng.IntN(6)]
	return g.numbers((n-1)*int(abs(inc)) + 1), inc
}

// size favours what lies around the widths of vectors and tiles.
func (g *guarded) size() int {
	if g.rng.IntN(8) == 0 {
		return 1 + g.rng.IntN(150)
	}
	return 1 + g.rng.IntN(40)
}

func (g *guarded) transpose() gblas.Transpose { return transposes[g.rng.IntN(2)] }

func (g *guarded) uplo() gblas.Uplo { return []gblas.Uplo{gblas.Upper, gblas.Lower}[g.rng.IntN(2)] }

func (g *guarded) side() gblas.Side { return []gblas.Side{gblas.Left, gblas.Right}[g.rng.IntN(2)] }

func (g *guarded) diag() gblas.Diag { return []gblas.Diag{gblas.Unit, gblas.NonUnit}[g.rng.IntN(2)] }

// guardedRoutines are calls with sizes, flags and strides by chance.
var guardedRoutines = []struct {
	name string
	call func(g *guarded, impl Implementation)
}{
	{"Dgemm", func(g *guarded, impl Implementation) {
		m, n, k, tA, tB := g.size(), g.size(), g.size(), g.transpose(), g.transpose()
		a, lda := g.matrix(shape(tA, m, k))
		b, ldb := g.matrix(shape(tB, k, n))
		c, ldc := g.matrix(m, n)
		impl.Dgemm(tA, tB, m, n, k, 1.1, a, lda, b, ldb, float64(g.rng.IntN(3))/2, c, ldc)
	}},
	{"Dsymm", func(g *guarded, impl Implementation) {
		m, n, side := g.size(), g.size(), g.side()
		order := n
		if side == gblas.Left {
			order = m
		}
		a, lda := g.matrix(order, order)
		b, ldb := g.matrix(m, n)
		c, ldc := g.matrix(m, n)
		impl.Dsymm(side, g.uplo(), m, n, 1.1, a, lda, b, ldb, 0.3, c, ldc)
	}},
	{"Dsyrk", func(g *guarded, impl Implementation) {
		n, k, tA := g.size(), g.size(), g.transpose()
		a, lda := g.matrix(shape(tA, n, k))
		b, ldb := g.matrix(shape(tA, n, k))
		c, ldc := g.matrix(n, n)
		impl.Dsyrk(g.uplo(), tA, n, k, 1.1, a, lda, 0.3, c, ldc)
		impl.Dsyr2k(g.uplo(), tA, n, k, 1.1, a, lda, b, ldb, 0.3, c, ldc)
	}},
	{"Dtrmm and Dtrsm", func(g *guarded, impl Implementation) {
		m, n, side, ul, tA, d := g.size(), g.size(), g.side(), g.uplo(), g.transpose(), g.diag()
		order := n
		if side == gblas.Left {
			order = m
		}
		a, lda := g.matrix(order, order)
		b, ldb := g.matrix(m, n)
		impl.Dtrmm(side, ul, tA, d, m, n, 0.9, a, lda, b, ldb)
		impl.Dtrsm(side, ul, tA, d, m, n, 0.9, a, lda, b, ldb)
	}},
	{"Dgemv and Dger", func(g *guarded, impl Implementation) {
		m, n, tA := g.size(), g.size(), g.transpose()
		a, lda := g.matrix(m, n)
		rows, cols := shape(tA, m, n)
		x, incX := g.vector(cols)
		y, incY := g.vector(rows)
		impl.Dgemv(tA, m, n, 1.1, a, lda, x, incX, 0.3, y, incY)
		u, incU := g.vector(m)
		v, incV := g.vector(n)
		impl.Dger(m, n, 0.1, u, incU, v, incV, a, lda)
	}},
	{"symmetric and triangular, with vectors", func(g *guarded, impl Implementation) {
		n, ul := g.size(), g.uplo()
		a, lda := g.matrix(n, n)
		x, incX := g.vector(n)
		y, incY := g.vector(n)
		impl.Dsymv(ul, n, 1.1, a, lda, x, incX, 0.3, y, incY)
		impl.Dsyr(ul, n, 0.1, x, incX, a, lda)
		impl.Dsyr2(ul, n, 0.1, x, incX, y, incY, a, lda)
		impl.Dtrmv(ul, g.transpose(), g.diag(), n, a, lda, x, incX)
		impl.Dtrsv(ul, g.transpose(), g.diag(), n, a, lda, x, incX)
	}},
	{"vectors", func(g *guarded, impl Implementation) {
		n := 4 * g.size()
		x, incX := g.vector(n)
		y, incY := g.vector(n)
		impl.Ddot(n, x, incX, y, incY)
		impl.Daxpy(n, 0.1, x, incX, y, incY)
		impl.Drot(n, x, incX, y, incY, 0.8, 0.6)
		impl.Dswap(n, x, incX, y, incY)
		impl.Dcopy(n, x, incX, y, incY)
		impl.Dscal(n, 1.1, x, int(abs(incX)))
		impl.Dasum(n, x, int(abs(incX)))
		impl.Dnrm2(n, x, int(abs(incX)))
		impl.Idamax(n, x, int(abs(incX)))
	}},
	{"ApplyRotations", func(g *guarded, _ Implementation) {
		m, n, side, sweeps := 1+g.size(), 1+g.size(), g.side(), 1+g.rng.IntN(9)
		z := n
		if side == gblas.Left {
			z = m
		}
		c, ldr := g.matrix(sweeps, z-1)
		s := g.numbers(len(c))
		a, lda := g.matrix(m, n)
		ApplyRotations(side, g.rng.IntN(2) == 0, m, n, sweeps, c, s, ldr, a, lda)
	}},
	{"Transpose and SolveMore", func(g *guarded, _ Implementation) {
		m, n := g.size(), g.size()
		a, lda := g.matrix(m, n)
		b, ldb := g.matrix(n, m)
		Transpose(m, n, a, lda, b, ldb)
		k, rows := g.rng.IntN(9), 1+g.rng.IntN(9)
		u, ldu := g.matrix(k+rows, k+rows)
		x, ldx := g.matrix(k+rows, n)
		SolveMore(k, rows, n, u, ldu, x, ldx)
	}},
	{"GemmStack", func(g *guarded, _ Implementation) {
		count, n := 1+g.rng.IntN(4), 1+g.rng.IntN(20)
		a, b, c := g.numbers(count*n*n), g.numbers(count*n*n), g.numbers(count*n*n)
		GemmStack(g.transpose(), g.transpose(), 1.1, NewStack(count, n, n, a), NewStack(count, n, n, b),
			float64(g.rng.IntN(3))/2, NewStack(count, n, n, c))
	}},
	{"secular", func(g *guarded, _ Implementation) {
		n := g.size()
		z, delta, x := g.numbers(n), g.numbers(n), g.numbers(n)
		SecularSums(z, delta, -1)
		SecularVector(x, z, delta)
		SecularRatios(g.rng.IntN(2) == 0, x, z, delta, -1)
	}},
}

// TestGuardPages: no routine reads or writes a number outside of its slices, not even one that it does not use. Behind
// or before each slice lies a page whose touch is a fault.
func TestGuardPages(t *testing.T) {
	SetThreads(1) // a fault in another goroutine is no panic of this one
	defer SetThreads(0)
	g := &guarded{}
	for range 6 {
		g.fences = append(g.fences, fence(t, 170*170))
	}
	eachKernel(t, func(t *testing.T) {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // of this goroutine
		for i := range *guardedCalls {
			g.rng, g.next = rand.New(rand.NewPCG(11, uint64(i))), 0
			r := guardedRoutines[i%len(guardedRoutines)]
			if text := panics(func() { r.call(g, Implementation{}) }); text != "" {
				t.Fatalf("call %d, %s: %s", i, r.name, text)
			}
		}
	})
}

// TestGuardPagesNotice: one number too many is seen, on either side and by every kernel, and the test goes on.
func TestGuardPagesNotice(t *testing.T) {
	f := fence(t, 10)
	n := len(f.numbers)
	first := unsafe.Pointer(&f.numbers[0])
	long := map[string][]float64{
		"before": unsafe.Slice((*float64)(unsafe.Add(first, -8)), n+1),
		"behind": unsafe.Slice((*float64)(first), n+1),
	}
	eachKernel(t, func(t *testing.T) {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // of this goroutine
		for where, x := range long {
			if text := panics(func() { Implementation{}.Ddot(n+1, x, 1, x, 1) }); text == "" {
				t.Errorf("a number %s the slice was not noticed", where)
			}
		}
	})
}
