package blas

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	gblas "gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/internal/collector"
)

// Tests share out smaller work than other callers, so that those of threads need no large products.
func init() {
	parallelFlops = 4e6
	collector.Set()
}

// digest hashes the results of every routine on odd sizes and strides.
func digest() uint64 {
	h := uint64(0)
	add := func(s ...float64) {
		for _, v := range s { // the turn brings the sign, which a multiplication leaves at the top, down to the others
			h = bits.RotateLeft64((h^math.Float64bits(v))*0x9e3779b97f4a7c15, 29)
		}
	}
	rng := rand.New(rand.NewPCG(7, 1))
	impl := Implementation{}
	for _, s := range [][3]int{{1, 3, 5}, {31, 33, 35}, {163, 151, 157}, {149, 101, 397}} { // the last two use threads
		m, n, k := s[0], s[1], s[2]
		for i := range 4 {
			tA, tB := transposes[i/2], transposes[i%2]
			ra, ca := shape(tA, m, k)
			rb, cb := shape(tB, k, n)
			a, b, c := newStored(rng, ra, ca, 3), newStored(rng, rb, cb, 1), newStored(rng, m, n, 2)
			impl.Dgemm(tA, tB, m, n, k, 1.1, a.data, a.ld, b.data, b.ld, 0.3, c.data, c.ld)
			add(c.data...)

			ul, d := []gblas.Uplo{gblas.Upper, gblas.Lower}[i/2], []gblas.Diag{gblas.Unit, gblas.NonUnit}[i/2]
			side := []gblas.Side{gblas.Left, gblas.Right}[i%2]
			order := n
			if side == gblas.Left {
				order = m
			}
			tri := newTriangle(rng, ul, d, order, 1)
			sym, root := newStored(rng, order, order, 0), newStored(rng, order, order, 0)
			other := newStored(rng, order, order, 2)
			impl.Dsyrk(ul, tA, order, order, 0.01, root.data, root.ld, 1, sym.data, sym.ld)
			add(sym.data...)
			impl.Dsyr2k(ul, tB, order, order, 0.01, root.data, root.ld, other.data, other.ld, 1, sym.data, sym.ld)
			add(sym.data...)
			e := newStored(rng, m, n, 0)
			impl.Dsymm(side, ul, m, n, 1, sym.data, sym.ld, e.data, e.ld, 1, c.data, c.ld)
			impl.Dtrmm(side, ul, tA, d, m, n, 0.1, tri.data, tri.ld, c.data, c.ld)
			add(c.data...)
			impl.Dtrsm(side, ul, tB, d, m, n, 0.1, tri.data, tri.ld, c.data, c.ld)
			add(c.data...)

			inc := i - 2
			if inc == 0 {
				inc = 3
			}
			x, y := newStored(rng, 1, 3*(m+n), 0).data, newStored(rng, 1, 3*(m+n), 0).data
			impl.Dgemv(tB, m, n, 1.1, e.data, e.ld, x, inc, 0.3, y, 1)
			impl.Dsymv(ul, order, 0.1, sym.data, sym.ld, x, 1, 0.3, y, inc)
			impl.Dtrmv(ul, tA, d, order, tri.data, tri.ld, y, inc)
			impl.Dtrsv(ul, tB, d, order, tri.data, tri.ld, y, 1)
			impl.Drot(m, x, inc, y, 1, 0.8, 0.6)
			impl.Daxpy(m, 0.1, x, 1, y, 1)
			impl.Dger(m, n, 0.1, x, inc, y, 1, e.data, e.ld)
			impl.Dsyr2(ul, order, 0.1, x, 1, y, inc, sym.data, sym.ld)
			impl.Dscal(m, 1.1, y, 1)
			add(x...)
			add(y...)
			add(e.data...)
			add(sym.data...)
			add(impl.Ddot(n, x, inc, y, 1), impl.Dasum(k, x[:3*(m+n)], 1), impl.Dnrm2(m, x, 1))
			cs := newStored(rng, 9, max(m, n), 0)
			TimesBoth(m, n, e.data, e.ld, y[m+n:], x[m+n:], x, y)
			UpdateGemv(m, n, e.data, e.ld, x[m:], y[n:], x[2*m:], y[2*n:], x, y)
			add(x...)
			add(y...)
			ApplyRotations(side, i > 1, m, n, 9, cs.data, cs.data, cs.ld, e.data, e.ld)
			add(e.data...)
		}
	}
	return h
}

// everywhere is the digest on every architecture. Who changes the order of a sum, or digest, changes it here, and says
// so.
const everywhere = 0x6ac0eac194e3eeef

// TestDeterminism: the same bits from every kernel on one thread and on three, and from the one in use (but for -short)
// with every number of threads, awake or not, on every architecture, whether its compiler fuses multiplications and
// additions or not.
func TestDeterminism(t *testing.T) {
	defer SetThreads(0)
	used := current()
	eachKernel(t, func(t *testing.T) {
		numbers := []int{1, 3}
		if current() == used && !testing.Short() {
			numbers = []int{1, 2, 3, 8, 16}
		}
		for _, threads := range numbers {
			processors(t, threads)
			SetThreads(threads)
			if got := digest(); got != everywhere {
				t.Errorf("%d threads: digest %#x, want %#x", threads, got, uint64(everywhere))
			}
			Begin()
			if got := digest(); got != everywhere {
				t.Errorf("%d threads, awake: digest %#x, want %#x", threads, got, uint64(everywhere))
			}
			End()
		}
	})
}

// TestSharedPanels: large products, whose operands threads pack for each other, have the bits of one thread on any
// number of processors, whether all of C is wanted or a triangle.
func TestSharedPanels(t *testing.T) {
	defer SetThreads(0)
	rng := rand.New(rand.NewPCG(9, 1))
	const m, n, k = 250, 263, 390
	a, b, c := newStored(rng, k, m, 1), newStored(rng, k, n, 0), newStored(rng, m, n, 3)
	root, sym := newStored(rng, 90, 410, 0), newStored(rng, 410, 410, 1)
	run := func() [2]stored {
		product, square := c.clone(), sym.clone()
		Implementation{}.Dgemm('T', 'N', m, n, k, 1.1, a.data, a.ld, b.data, b.ld, 0.3, product.data, product.ld)
		for _, ul := range []gblas.Uplo{gblas.Upper, gblas.Lower} {
			Implementation{}.Dsyrk(ul, 'T', 410, 90, 0.1, root.data, root.ld, 0.7, square.data, square.ld)
		}
		return [2]stored{product, square}
	}
	for _, order := range [][2]int{{m, n}, {410, 410}} {
		g := product{m: order[0], n: order[1], k: 90, a: view{cs: 2, rs: 1}, b: view{cs: 1, rs: 1}}
		if packA, packB := g.packs(current()); !packA || !packB {
			t.Fatalf("a product of order %v is not packed", order)
		}
	}
	SetThreads(1)
	want := run()
	numbers := []int{2, 3, 8, 16}
	if testing.Short() { // as under an emulator
		numbers = numbers[1:2]
	}
	for _, threads := range numbers {
		processors(t, threads)
		SetThreads(threads)
		for i, got := range run() {
			same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
			if !slices.EqualFunc(got.data, want[i].data, same) {
				t.Errorf("%d threads: other bits in result %d", threads, i)
			}
		}
	}
}

// TestConcurrent: callers do not disturb each other, and no goroutine is left behind.
func TestConcurrent(t *testing.T) {
	processors(t, 4)
	before := runtime.NumGoroutine()
	SetThreads(3)
	defer SetThreads(0)
	want := digest()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if got := digest(); got != want {
				t.Errorf("digest %x, alone it was %x", got, want)
			}
		})
	}
	group.Wait()
	for i := 0; runtime.NumGoroutine() > before; i++ { // Wait returns a moment before the goroutines are gone
		if i == 1000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}
