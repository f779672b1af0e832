package linalg_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/linalg"
)

// The benchmarks run on one thread and report the rate at the flops of the textbook algorithm on a square matrix, so
// that rows compare: 28/3·n³ and 8/3·n³ for the SVD, 14/3·n³ and 4/3·n³ for the eigenvalue problem, with vectors and
// without. gonum runs on its own kernels, on sizes that it finishes within a second.
func benchmark(b *testing.B, thirds float64, peerTo int, ours, peer func(a *mat.Dense)) {
	blas.SetThreads(1)
	defer blas.SetThreads(0)
	for _, n := range []int{64, 128, 256, 512, 1024} {
		a := random(stream(), n, n)
		for _, impl := range []struct {
			name string
			to   int
			run  func(*mat.Dense)
		}{{"thm", 1024, ours}, {"gonum", peerTo, peer}} {
			if n > impl.to {
				continue
			}
			b.Run(fmt.Sprintf("impl=%s/n=%d", impl.name, n), func(b *testing.B) {
				for b.Loop() {
					impl.run(a)
				}
				b.ReportMetric(thirds/3*float64(n)*float64(n)*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
			})
		}
	}
}

func succeed(b *testing.B, err error) {
	if err != nil {
		b.Fatal(err)
	}
}

func benchmarkSVD(b *testing.B, kind mat.SVDKind, thirds float64, peerTo int) {
	benchmark(b, thirds, peerTo, func(a *mat.Dense) {
		_, _, _, err := linalg.SVD(a, kind)
		succeed(b, err)
	}, func(a *mat.Dense) {
		var f mat.SVD
		if !f.Factorize(a, kind) {
			b.Fatal("gonum's SVD failed")
		}
	})
}

func BenchmarkSVDThin(b *testing.B)   { benchmarkSVD(b, mat.SVDThin, 28, 256) }
func BenchmarkSVDValues(b *testing.B) { benchmarkSVD(b, mat.SVDNone, 8, 512) }

func benchmarkEigen(b *testing.B, vectors bool, thirds float64, peerTo int) {
	benchmark(b, thirds, peerTo, func(a *mat.Dense) {
		_, _, err := linalg.SymEigen(symmetric(a), vectors)
		succeed(b, err)
	}, func(a *mat.Dense) {
		var f mat.EigenSym
		if !f.Factorize(symmetric(a), vectors) {
			b.Fatal("gonum's eigenvalue problem failed")
		}
	})
}

func BenchmarkSymEigenVectors(b *testing.B) { benchmarkEigen(b, true, 14, 256) }
func BenchmarkSymEigenValues(b *testing.B)  { benchmarkEigen(b, false, 4, 512) }

// BenchmarkRotationSweeps is the work that QR iteration would do in place of divide and conquer, both sides of the SVD:
// on random matrices it takes about 1.7·n sweeps, of n/2 rotations on the average as the active block shrinks.
func BenchmarkRotationSweeps(b *testing.B) {
	blas.SetThreads(1)
	defer blas.SetThreads(0)
	for _, n := range []int{256, 512, 1024} {
		a := random(stream(), n, n)
		sweeps := 17 * n / 10
		c, s := make([]float64, sweeps*n/2), make([]float64, sweeps*n/2)
		for i := range c {
			c[i], s[i] = 0.8, 0.6
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				for range 2 {
					blas.ApplyRotations('L', false, n/2+1, n, sweeps, c, s, n/2, a.RawMatrix().Data, n)
				}
			}
		})
	}
}
