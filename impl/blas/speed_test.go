package blas

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"testing"
	"text/tabwriter"
	"time"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
	lapack "gonum.org/v1/gonum/lapack/gonum"
)

// go test ./impl/blas -run TestSpeedTable -speed 1s prints the table of speeds. The contestants of a row, and the loop that measures the
// peak, take turns in short bursts; every number is the best burst, so that all have the same chance on a machine with other work.
var (
	speedBudget  = flag.Duration("speed", 0, "time per row of the table of speeds; 0 skips it")
	speedRows    = flag.String("speedrows", "", "regular expression of the rows of the table of speeds")
	speedThreads = flag.Int("speedthreads", 1, "threads of our kernels in the table of speeds")
)

// contestant is one column: work must run `reps` times the same operation.
type contestant struct {
	name string
	work func(reps int)
}

// race returns the shortest time of one operation in seconds for every contestant.
func race(budget time.Duration, field []contestant) []float64 {
	const burst = 5e-4
	best, reps := make([]float64, len(field)), make([]int, len(field))
	for i, c := range field { // warm up and set the length of a burst
		best[i], reps[i] = math.Inf(1), 1
		for {
			start := time.Now()
			c.work(reps[i])
			if t := time.Since(start).Seconds(); t > burst/2 || reps[i] > 1<<20 {
				reps[i] = max(1, int(float64(reps[i])*burst/t))
				break
			}
			reps[i] *= 2
		}
	}
	for round, end := 0, time.Now().Add(budget); round < 3 || time.Now().Before(end); round++ {
		for i, c := range field {
			start := time.Now()
			c.work(reps[i])
			best[i] = min(best[i], time.Since(start).Seconds()/float64(reps[i]))
		}
	}
	return best
}

// on runs work with the kernel.
func on(k *kernel, work func()) func(int) {
	return func(reps int) {
		before := active.Load()
		active.Store(&choice{k, "speed"})
		for range reps {
			work()
		}
		active.Store(before)
	}
}

// field lists the contestants for an operation: our kernels with their peaks, and the peers.
func field(op func(impl gblas.Float64)) (list []contestant, peakFlops []float64) {
	for _, k := range available()[1:] {
		flops := k.id.fmaLoop(peakSteps)
		list = append(list, contestant{k.name, on(k, func() { op(Implementation{}) })},
			contestant{k.name + " peak", func(reps int) {
				for range reps {
					k.id.fmaLoop(peakSteps)
				}
			}})
		peakFlops = append(peakFlops, flops)
	}
	if peer := loadOpenBLAS(); peer != nil {
		list = append(list, contestant{"OpenBLAS " + os.Getenv("OPENBLAS_CORETYPE"), func(reps int) {
			for range reps {
				op(peer)
			}
		}})
	}
	list = append(list, contestant{"gonum", func(reps int) {
		for range reps {
			op(gonum.Implementation{})
		}
	}})
	return list, peakFlops
}

func speedRow(w *tabwriter.Writer, name string, flops float64, op func(impl gblas.Float64)) {
	if ok, err := regexp.MatchString(*speedRows, name); err != nil {
		panic(err)
	} else if !ok {
		return
	}
	list, peakFlops := field(op)
	times := race(*speedBudget, list)
	fmt.Fprintf(w, "%s", name)
	for i, c := range list {
		switch {
		case i < 2*len(peakFlops) && i%2 == 0:
			peak := peakFlops[i/2] / times[i+1]
			fmt.Fprintf(w, "\t%s %.1f (%.0f%%)", c.name, flops/times[i]/1e9, 100*flops/times[i]/peak)
		case i >= 2*len(peakFlops):
			fmt.Fprintf(w, "\t%s %.1f", c.name, flops/times[i]/1e9)
		}
	}
	fmt.Fprintln(w)
	w.Flush()
}

// memoryLimit says what memory allows a skinny product, in Gflop/s: 2·small flops for every element of the large matrix, which is read, or written
// if k is small. The smaller of this and the peak binds.
func memoryLimit(m, n, k int) string {
	small := min(m, n, k)
	if small > 32 || small == max(m, n, k) {
		return ""
	}
	rates := Bandwidth(8*m*n*k/small, 50)
	rate := rates.Read
	if small == k {
		rate = rates.Write
	}
	return fmt.Sprintf(" (memory %.0f)", 2*float64(small)*rate/8e9)
}

func TestSpeedTable(t *testing.T) {
	if *speedBudget == 0 {
		t.Skip("-speed 0")
	}
	SetThreads(*speedThreads)
	defer SetThreads(0)
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	for _, n := range []int{8, 9, 12, 16, 24, 31, 32, 48, 64, 96, 128, 192, 256, 384, 500, 512, 520, 768, 1000, 1024, 2048} {
		speedProduct(w, 'N', 'N', n, n, n)
	}
	for _, n := range []int{16, 64, 128, 192, 256, 1024} {
		speedProduct(w, 'N', 'T', n, n, n)
		speedProduct(w, 'T', 'N', n, n, n)
	}
	for _, small := range []int{1, 2, 3, 4, 8, 16, 32} {
		speedProduct(w, 'N', 'N', small, 1000, 1000)
		speedProduct(w, 'N', 'N', 1000, small, 1000)
		speedProduct(w, 'N', 'N', 1000, 1000, small)
	}
	for _, s := range [][2]int{{16, 16}, {32, 256}, {64, 256}, {128, 128}, {128, 784}, {256, 256}, {256, 784}, {784, 256}, {1024, 1024}} {
		speedTriangles(w, s[0], s[1])
	}
	for _, n := range []int{8, 16, 24, 32, 64, 96, 128, 256, 512, 1024} {
		speedCholesky(w, 'L', n)
		speedCholesky(w, 'U', n)
	}
	for _, n := range []int{16, 64, 256, 1024} {
		a, x, y := random(n*n), random(n), random(n)
		speedRow(w, fmt.Sprintf("gemv N %d", n), 2*float64(n*n), func(impl gblas.Float64) { impl.Dgemv('N', n, n, 1, a, n, x, 1, 0, y, 1) })
		speedRow(w, fmt.Sprintf("gemv T %d", n), 2*float64(n*n), func(impl gblas.Float64) { impl.Dgemv('T', n, n, 1, a, n, x, 1, 0, y, 1) })
		speedRow(w, fmt.Sprintf("dot %d", n), 2*float64(n), func(impl gblas.Float64) { impl.Ddot(n, x, 1, y, 1) })
	}
}

func random(n int) []float64 {
	rng := rand.New(rand.NewPCG(9, uint64(n)))
	s := make([]float64, n)
	for i := range s {
		s[i] = rng.Float64() - 0.5
	}
	return s
}

func speedProduct(w *tabwriter.Writer, tA, tB gblas.Transpose, m, n, k int) {
	a, b, c := random(m*k), random(k*n), random(m*n)
	lda, ldb := k, n
	if tA != gblas.NoTrans {
		lda = m
	}
	if tB != gblas.NoTrans {
		ldb = k
	}
	speedRow(w, fmt.Sprintf("gemm %c%c %dx%dx%d%s", tA, tB, m, n, k, memoryLimit(m, n, k)), 2*float64(m)*float64(n)*float64(k), func(impl gblas.Float64) {
		impl.Dgemm(tA, tB, m, n, k, 1, a, lda, b, ldb, 0, c, n)
	})
}

// speedTriangles are the operations with a triangle of order n and k rows or columns beside it.
func speedTriangles(w *tabwriter.Writer, n, k int) {
	flops := float64(n * n * k)
	a, b, c := random(n*n), random(n*k), random(n*n)
	for i := range a {
		a[i] /= float64(n * n)
	}
	for i := range n {
		a[i*n+i] = 1 // what works in place is repeated, and nothing may shrink to subnormal numbers
	}
	speedRow(w, fmt.Sprintf("syrk N %dx%d", n, k), flops, func(impl gblas.Float64) { impl.Dsyrk('L', 'N', n, k, 1, b, k, 0, c, n) })
	speedRow(w, fmt.Sprintf("syrk T %dx%d", n, k), flops, func(impl gblas.Float64) { impl.Dsyrk('L', 'T', n, k, 1, b, n, 0, c, n) })
	for _, tA := range []gblas.Transpose{'N', 'T'} {
		speedRow(w, fmt.Sprintf("trsm L%c %dx%d", tA, n, k), flops, func(impl gblas.Float64) { impl.Dtrsm('L', 'L', tA, 'N', n, k, 1, a, n, b, k) })
		speedRow(w, fmt.Sprintf("trsm R%c %dx%d", tA, k, n), flops, func(impl gblas.Float64) { impl.Dtrsm('R', 'L', tA, 'N', k, n, 1, a, n, b, n) })
	}
	speedRow(w, fmt.Sprintf("trmm L %dx%d", n, k), flops, func(impl gblas.Float64) { impl.Dtrmm('L', 'L', 'N', 'N', n, k, 1, a, n, b, k) })
	speedRow(w, fmt.Sprintf("trmm R %dx%d", k, n), flops, func(impl gblas.Float64) { impl.Dtrmm('R', 'L', 'N', 'N', k, n, 1, a, n, b, n) })
}

// speedCholesky includes a copy of the matrix. gonum's own factorisation on gonum's own BLAS stands for all peers.
func speedCholesky(w *tabwriter.Writer, ul gblas.Uplo, n int) {
	a, f := make([]float64, n*n), make([]float64, n*n)
	for i := range a {
		a[i] = 1
	}
	for i := range n {
		a[i*n+i] = float64(n)
	}
	speedRow(w, fmt.Sprintf("Cholesky %c %d (every peer: gonum)", ul, n), float64(n*n*n)/3, func(impl gblas.Float64) {
		copy(f, a)
		if _, ours := impl.(Implementation); ours {
			Cholesky(ul, n, f, n)
		} else {
			lapack.Implementation{}.Dpotrf(ul, n, f, n)
		}
	})
}
