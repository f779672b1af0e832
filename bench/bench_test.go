package bench

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
)

// verified times op after its result has been found right. A wrong result is never timed.
func verified(b *testing.B, ratio props.Ratio, flops float64, op func()) {
	b.Helper()
	if ratio.Verdict() != props.Holds {
		b.Fatalf("wrong result, not timed: ratio %.3g", ratio.Value)
	}
	for b.Loop() {
		op()
	}
	b.ReportMetric(ratio.Value, "ratio")
	b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds(), "flop/s")
}

// shapes of products C (m×n) = A (m×k) · B (k×n): square ones, then a tall panel, a rank-k update and a long inner
// product.
var shapes = []struct{ m, n, k int }{
	{64, 64, 64}, {128, 128, 128}, {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024},
	{8192, 16, 128}, {1024, 1024, 16}, {32, 32, 16384},
}

func BenchmarkMatMul(b *testing.B) {
	for _, im := range Impls {
		for _, s := range shapes {
			if im.MatMul != nil {
				b.Run(fmt.Sprintf("impl=%s/m=%d/n=%d/k=%d", im.Name, s.m, s.n, s.k), func(b *testing.B) {
					matMul(b, im.MatMul, s.m, s.n, s.k)
				})
			}
		}
	}
}

// matMul times a product. It takes 2mnk flops.
func matMul(b *testing.B, im MatMul, m, n, k int) {
	x, y, dst := Uniform("left", m, k), Uniform("right", k, n), mat.NewDense(m, n, nil)
	im.Mul(dst, x, y)
	flops := 2 * float64(m) * float64(n) * float64(k)
	verified(b, MatMulRatio(dst, x, y), flops, func() { im.Mul(dst, x, y) })
}

// svdJobs are what to compute of an m×n matrix, m ≥ n, with the flops of the Golub–Reinsch algorithm (G. H. Golub,
// C. F. Van Loan, Matrix Computations, 4th ed., section 8.6) and the shapes that are timed.
var svdJobs = []struct {
	name   string
	kind   mat.SVDKind
	flops  func(m, n float64) float64
	shapes [][2]int
}{
	{"values", mat.SVDNone, func(m, n float64) float64 { return 4*m*n*n - 4*n*n*n/3 },
		[][2]int{{64, 64}, {128, 128}, {256, 256}, {512, 512}, {1024, 64}}},
	{"thin", mat.SVDThin, func(m, n float64) float64 { return 14*m*n*n + 8*n*n*n },
		[][2]int{{64, 64}, {128, 128}, {256, 256}, {512, 512}, {1024, 64}}},
	{"full", mat.SVDFull, func(m, n float64) float64 { return 4*m*m*n + 8*m*n*n + 9*n*n*n },
		[][2]int{{64, 64}, {128, 128}, {256, 256}, {512, 64}}},
}

func BenchmarkSVD(b *testing.B) {
	for _, im := range Impls {
		for _, job := range svdJobs {
			for _, s := range job.shapes {
				if im.SVD != nil {
					b.Run(fmt.Sprintf("impl=%s/job=%s/m=%d/n=%d", im.Name, job.name, s[0], s[1]), func(b *testing.B) {
						svd(b, im.SVD, job.kind, s[0], s[1], job.flops(float64(s[0]), float64(s[1])))
					})
				}
			}
		}
	}
}

func svd(b *testing.B, im SVD, kind mat.SVDKind, m, n int, flops float64) {
	spectrum := Geometric(min(m, n))
	a := WithSingularValues(m, n, spectrum)
	factors, err := im.SVD(a, kind)
	if err != nil {
		b.Fatal(err)
	}
	verified(b, SVDRatio(a, spectrum, kind, factors), flops, func() { factors, err = im.SVD(a, kind) })
}

// eigenJobs are what to compute of a symmetric n×n matrix, with the flops of tridiagonal reduction and symmetric QR
// (Golub and Van Loan, section 8.3) and the sizes that are timed.
var eigenJobs = []struct {
	name    string
	vectors bool
	flops   func(n float64) float64
	sizes   []int
}{
	{"values", false, func(n float64) float64 { return 4 * n * n * n / 3 }, []int{64, 128, 256, 512}},
	{"vectors", true, func(n float64) float64 { return 9 * n * n * n }, []int{64, 128, 256, 512}},
}

func BenchmarkSymEigen(b *testing.B) {
	for _, im := range Impls {
		for _, job := range eigenJobs {
			for _, n := range job.sizes {
				if im.SymEigen != nil {
					b.Run(fmt.Sprintf("impl=%s/job=%s/n=%d", im.Name, job.name, n), func(b *testing.B) {
						symEigen(b, im.SymEigen, job.vectors, n, job.flops(float64(n)))
					})
				}
			}
		}
	}
}

func symEigen(b *testing.B, im SymEigen, vectors bool, n int, flops float64) {
	spectrum := Linear(n)
	a := WithEigenvalues(spectrum)
	factors, err := im.SymEigen(a, vectors)
	if err != nil {
		b.Fatal(err)
	}
	verified(b, EigenRatio(a, spectrum, vectors, factors), flops, func() { factors, err = im.SymEigen(a, vectors) })
}
