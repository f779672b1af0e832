package kernels

import (
	"fmt"
	"runtime"
	"testing"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// work holds the least that an operation computes and moves.
type work struct {
	flops float64
	bytes float64 // 0 where the flops alone count
	size  int     // of the data, in bytes
}

// verified times op after its result has been found right. A wrong result is never timed. The limits of the machine are
// measured before and after, and the better measurement counts.
func verified(b *testing.B, im kernel.Kernel, ratio props.Ratio, w work, op func()) {
	b.Helper()
	if ratio.Verdict() != results.Holds {
		b.Fatalf("wrong result, not timed: ratio %.3g", ratio.Value)
	}
	threads := runtime.GOMAXPROCS(0)
	if im.SetThreads != nil {
		im.SetThreads(threads)
	}
	limits := MeasureLimits(w.size)
	for b.Loop() {
		op()
	}
	seconds := b.Elapsed().Seconds() / float64(b.N)
	limits = limits.Best(MeasureLimits(w.size))
	b.ReportMetric(ratio.Value, "ratio")
	b.ReportMetric(w.flops/seconds, "flop/s")
	b.ReportMetric(limits.Seconds(w.flops, w.bytes)/float64(threads)/seconds, "peak")
}

// begun prepares the process for a kernel and returns what undoes it.
func begun(t testing.TB, im kernel.Kernel) (restore func()) {
	t.Helper()
	restore, err := im.Begin()
	if err != nil {
		t.Fatal(err)
	}
	return restore
}

// shapes of products C (m×n) = A (m×k) · B (k×n): square ones, a tall panel, a rank-k update, a long inner product, and
// products that are thin in one direction.
var shapes = []struct{ m, n, k int }{
	{8, 8, 8}, {16, 16, 16}, {32, 32, 32},
	{64, 64, 64}, {128, 128, 128}, {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024},
	{8192, 16, 128}, {1024, 1024, 16}, {32, 32, 16384},
	{1, 1000, 1000}, {1000, 1, 1000}, {1000, 1000, 1},
	{4, 1000, 1000}, {1000, 4, 1000}, {1000, 1000, 4},
	{32, 1000, 1000}, {1000, 32, 1000}, {1000, 1000, 32},
}

func BenchmarkMatMul(b *testing.B) {
	for _, im := range Impls() {
		for _, s := range shapes {
			if im.BLAS != nil {
				b.Run(fmt.Sprintf("impl=%s/m=%d/n=%d/k=%d", im.Name, s.m, s.n, s.k), func(b *testing.B) {
					matMul(b, im, s.m, s.n, s.k)
				})
			}
		}
	}
}

// matMul times a product. It takes 2mnk flops, reads A and B and writes C.
func matMul(b *testing.B, im kernel.Kernel, m, n, k int) {
	defer begun(b, im)()
	x, y, dst := testmatrix.Uniform("left", m, k), testmatrix.Uniform("right", k, n), mat.NewDense(m, n, nil)
	op := func() { gemm(im.BLAS, gblas.NoTrans, dst, x, y) }
	op()
	bytes := 8 * (m*k + k*n + m*n)
	verified(b, im, MatMulRatio(dst, x, y), work{2 * float64(m) * float64(n) * float64(k), float64(bytes), bytes}, op)
}

// svdJobs lists the computations that are timed on an m×n matrix, m ≥ n, with the flops of the Golub–Reinsch algorithm
// (G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., section 8.6) and the shapes.
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
	for _, im := range Impls() {
		for _, job := range svdJobs {
			for _, s := range job.shapes {
				if im.SVD != nil {
					b.Run(fmt.Sprintf("impl=%s/job=%s/m=%d/n=%d", im.Name, job.name, s[0], s[1]), func(b *testing.B) {
						svd(b, im, job.kind, s[0], s[1], job.flops(float64(s[0]), float64(s[1])))
					})
				}
			}
		}
	}
}

func svd(b *testing.B, im kernel.Kernel, kind mat.SVDKind, m, n int, flops float64) {
	defer begun(b, im)()
	spectrum := testmatrix.Geometric(min(m, n))
	a := testmatrix.WithSingularValues(m, n, spectrum)
	factors, err := SVD(im, a, kind)
	if err != nil {
		b.Fatal(err)
	}
	verified(b, im, SVDRatio(a, spectrum, kind, factors), work{flops: flops},
		func() { factors, err = SVD(im, a, kind) })
}

// eigenJobs lists the computations that are timed on a symmetric n×n matrix, with the flops of tridiagonal reduction
// and symmetric QR (Golub and Van Loan, section 8.3) and the sizes.
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
	for _, im := range Impls() {
		for _, job := range eigenJobs {
			for _, n := range job.sizes {
				if im.SymEigen != nil {
					b.Run(fmt.Sprintf("impl=%s/job=%s/n=%d", im.Name, job.name, n), func(b *testing.B) {
						symEigen(b, im, job.vectors, n, job.flops(float64(n)))
					})
				}
			}
		}
	}
}

func symEigen(b *testing.B, im kernel.Kernel, vectors bool, n int, flops float64) {
	defer begun(b, im)()
	spectrum := testmatrix.Linear(n)
	a := testmatrix.WithEigenvalues(spectrum)
	factors, err := SymEigen(im, a, vectors)
	if err != nil {
		b.Fatal(err)
	}
	verified(b, im, EigenRatio(a, spectrum, vectors, factors), work{flops: flops},
		func() { factors, err = SymEigen(im, a, vectors) })
}

func BenchmarkPolar(b *testing.B) {
	for _, im := range Impls() {
		for _, s := range [][2]int{{64, 64}, {128, 128}, {256, 256}, {512, 512}, {1024, 64}} {
			if im.Polar != nil {
				b.Run(fmt.Sprintf("impl=%s/m=%d/n=%d", im.Name, s[0], s[1]),
					func(b *testing.B) { polar(b, im, s[0], s[1]) })
			}
		}
	}
}

// polar times a polar factor. The nominal flops count the textbook way, thin SVD and product.
func polar(b *testing.B, im kernel.Kernel, m, n int) {
	defer begun(b, im)()
	spectrum := testmatrix.Geometric(n)
	a := testmatrix.WithSingularValues(m, n, spectrum)
	u, err := im.Polar(a)
	if err != nil {
		b.Fatal(err)
	}
	mf, nf := float64(m), float64(n)
	verified(b, im, PolarRatio(a, spectrum, u), work{flops: 16*mf*nf*nf + 8*nf*nf*nf}, func() { u, err = im.Polar(a) })
}

func BenchmarkRotations(b *testing.B) {
	for _, im := range Impls() {
		for _, n := range []int{64, 256, 512} {
			for _, side := range []gblas.Side{gblas.Left, gblas.Right} {
				if im.Rotations != nil {
					b.Run(fmt.Sprintf("impl=%s/sweeps=64/m=%d/n=%d/side=%s", im.Name, n, n,
						map[gblas.Side]string{gblas.Left: "left", gblas.Right: "right"}[side]), func(b *testing.B) {
						rotations(b, im, side, n, n, 64)
					})
				}
			}
		}
	}
}

// rotations times sweeps like those of QR iteration: 6 flops for each rotation and entry.
func rotations(b *testing.B, im kernel.Kernel, side gblas.Side, m, n, sweeps int) {
	defer begun(b, im)()
	r := randomSweeps(side, m, n, sweeps)
	a := testmatrix.Uniform("rotated", m, n)
	rotated := mat.DenseCopyOf(a)
	turn := sweepsOf(im)
	op := func() { turn(side, m, n, sweeps, r.C, r.S, len(r.C)/sweeps, rotated.RawMatrix().Data, n) }
	op()
	flops := 6 * float64(len(r.C)) * float64(m*n) / float64(len(r.C)/sweeps+1)
	verified(b, im, rotationsRatio(rotated, a, r), work{flops: flops}, op)
}
