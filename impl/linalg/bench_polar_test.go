package linalg_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/linalg"
)

// rate runs work on one thread and reports its flop rate. flops may depend on what work has found out.
func rate(b *testing.B, work func(), flops func() float64) {
	blas.SetThreads(1)
	defer blas.SetThreads(0)
	for b.Loop() {
		work()
	}
	b.ReportMetric(flops()*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gflop/s")
}

func must(b *testing.B, err error) {
	if err != nil {
		b.Fatal(err)
	}
}

var benchSizes = []int{64, 128, 256, 512, 1024}

// BenchmarkPolar: a random square matrix, of which κ is about n; with the SVD route for comparison. gonum has no polar
// factor.
func BenchmarkPolar(b *testing.B) {
	for _, n := range benchSizes {
		a, cube := gaussian(stream(), n, n), float64(n)*float64(n)*float64(n)
		b.Run(fmt.Sprintf("qdwh/n=%d", n), func(b *testing.B) {
			var p linalg.PolarFactor
			rate(b, func() {
				var err error
				p, err = linalg.Polar(a, linalg.PolarOptions{})
				must(b, err)
			}, func() float64 { return (float64(p.Iterations)*10 + 19) / 3 * cube }) // at most
			b.ReportMetric(float64(p.Iterations), "iterations")
		})
		b.Run(fmt.Sprintf("svd/n=%d", n), func(b *testing.B) {
			rate(b, func() {
				_, err := linalg.PolarSVD(a)
				must(b, err)
			}, func() float64 { return 22 * cube })
		})
	}
}

// BenchmarkCholeskyAndQR: against gonum's lapack on gonum's BLAS, and on ours.
func BenchmarkCholeskyAndQR(b *testing.B) {
	gonumOn := func(impl string, work func()) func() {
		return func() {
			before := blas64.Implementation()
			defer blas64.Use(before)
			if blas64.Use(gonum.Implementation{}); impl == "thm" {
				blas.Use()
			}
			work()
		}
	}
	for _, n := range benchSizes {
		a, s, cube := gaussian(stream(), n, n), definite(n, 1), float64(n)*float64(n)*float64(n)
		third := func() float64 { return cube / 3 }
		b.Run(fmt.Sprintf("Cholesky/ours/n=%d", n), func(b *testing.B) {
			rate(b, func() {
				_, err := linalg.Cholesky(s)
				must(b, err)
			}, third)
		})
		both := func() float64 { return 8 * cube / 3 }
		b.Run(fmt.Sprintf("QR/ours/n=%d", n), func(b *testing.B) {
			rate(b, func() {
				f, err := linalg.QR(a)
				must(b, err)
				f.Q()
			}, both)
		})
		for _, impl := range []string{"gonum", "thm"} {
			b.Run(fmt.Sprintf("Cholesky/gonum on %s/n=%d", impl, n), func(b *testing.B) {
				rate(b, gonumOn(impl, func() { new(mat.Cholesky).Factorize(s) }), third)
			})
			b.Run(fmt.Sprintf("QR/gonum on %s/n=%d", impl, n), func(b *testing.B) {
				rate(b, gonumOn(impl, func() {
					var f mat.QR
					var q mat.Dense
					f.Factorize(a)
					f.QTo(&q)
				}), both)
			})
		}
	}
}
