package blas

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkGemm reports the rate and the fraction of the peak of a loop of independent fused multiply-adds, measured in
// the same run.
func BenchmarkGemm(b *testing.B) {
	before := active.Load()
	defer active.Store(before)
	for _, k := range available() {
		for _, n := range []int{8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048} {
			if k.id == isaPortable && n > 256 {
				continue
			}
			b.Run(fmt.Sprintf("kernel=%s/n=%d", k.name, n), func(b *testing.B) {
				active.Store(&choice{k, "benchmark"})
				SetThreads(1)
				defer SetThreads(0)
				x, y, z := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
				for i := range x {
					x[i], y[i] = 1, 1
				}
				for b.Loop() {
					Implementation{}.Dgemm('N', 'N', n, n, n, 1, x, n, y, n, 0, z, n)
				}
				rate := 2 * float64(n) * float64(n) * float64(n) * float64(b.N) / b.Elapsed().Seconds()
				b.ReportMetric(rate/1e9, "Gflop/s")
				b.ReportMetric(100*rate/peak(k), "%peak")
			})
		}
	}
}

// peak is the rate of independent fused multiply-adds, the best of some bursts.
func peak(k *kernel) float64 {
	best := 0.0
	for range 10 {
		start := time.Now()
		best = max(best, k.id.fmaLoop(10000)/time.Since(start).Seconds())
	}
	return best
}

// BenchmarkLevel3 reports the rate of the other routines at n = 1024.
func BenchmarkLevel3(b *testing.B) {
	const n = 1024
	impl := Implementation{}
	x, y, z := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for i := range x {
		x[i], y[i] = 1e-9, 1
	}
	for i := range n {
		x[i*n+i] = 1
	}
	for _, c := range []struct {
		name string
		work func()
	}{
		{"gemm", func() { impl.Dgemm('N', 'N', n, n, n/2, 1, y, n, x, n, 0, z, n) }},
		{"gemmTN", func() { impl.Dgemm('T', 'N', n, n, n/2, 1, y, n, x, n, 0, z, n) }},
		{"syrk", func() { impl.Dsyrk('L', 'N', n, n, 1, y, n, 0, z, n) }},
		{"syrkT", func() { impl.Dsyrk('U', 'T', n, n, 1, y, n, 0, z, n) }},
		{"trsmL", func() { impl.Dtrsm('L', 'L', 'N', 'N', n, n, 1, x, n, y, n) }},
		{"trsmR", func() { impl.Dtrsm('R', 'L', 'N', 'N', n, n, 1, x, n, y, n) }},
		{"trmmL", func() { impl.Dtrmm('L', 'L', 'N', 'N', n, n, 1, x, n, y, n) }},
		{"trmmR", func() { impl.Dtrmm('R', 'L', 'N', 'N', n, n, 1, x, n, y, n) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			SetThreads(1)
			defer SetThreads(0)
			for b.Loop() {
				c.work()
			}
			b.ReportMetric(n*n*n*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
		})
	}
}

// BenchmarkThreads reports how much faster two threads are than one, best of interleaved runs; and, because a machine
// with other work never gives two whole cores, the same for a loop of fused multiply-adds of about the same length,
// which shows how much the machine allows.
func BenchmarkThreads(b *testing.B) {
	defer SetThreads(0)
	for _, n := range []int{128, 160, 256, 512, 1024, 2048} {
		b.Run(fmt.Sprint("n=", n), func(b *testing.B) {
			x, y, z := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
			id := current().id
			steps := int(2 * float64(n) * float64(n) * float64(n) / (id.fmaLoop(1) * 4))
			product := func(int) { Implementation{}.Dgemm('N', 'N', n, n, n, 1, x, n, y, n, 0, z, n) }
			loop := func(threads int) { Share(threads, 4, func(int) { id.fmaLoop(steps) }) }
			gain := func(work func(threads int)) func() float64 {
				best := [3]float64{0, 1e9, 1e9}
				return func() float64 {
					for threads := 1; threads <= 2; threads++ {
						SetThreads(threads)
						start := time.Now()
						work(threads)
						best[threads] = min(best[threads], time.Since(start).Seconds())
					}
					return best[1] / best[2]
				}
			}
			gemm, control := gain(product), gain(loop)
			for b.Loop() {
				b.ReportMetric(gemm(), "speedup")
				b.ReportMetric(control(), "possible")
			}
		})
	}
}

// BenchmarkApplyRotations: n sweeps of n-1 rotations on an n×n matrix, against one Drot at a time.
func BenchmarkApplyRotations(b *testing.B) {
	for _, n := range []int{128, 512, 1024} {
		a, c, s := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		for i := range c {
			a[i], c[i], s[i] = 1, 0.8, 0.6
		}
		flops := 6 * float64(n) * float64(n-1) * float64(n)
		run := func(name string, work func()) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				SetThreads(1)
				defer SetThreads(0)
				for b.Loop() {
					work()
				}
				b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
			})
		}
		run("rows", func() { ApplyRotations('L', false, n, n, n, c, s, n, a, n) })
		run("columns", func() { ApplyRotations('R', false, n, n, n, c, s, n, a, n) })
		run("Drot", func() {
			for q := range n {
				for j := range n - 1 {
					Implementation{}.Drot(n, a[j*n:], 1, a[(j+1)*n:], 1, c[q*n+j], s[q*n+j])
				}
			}
		})
	}
}
