package record

import (
	"context"
	"fmt"
	"math"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/bench/kernels"
	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/bench/roof"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/internal/cputime"
	"github.com/thm-suite/thm/internal/impl/builtin"
	"github.com/thm-suite/thm/props/results"
)

// shape is a product C (m×n) = A (m×k)·B (k×n). With n = 1 it is a product with a vector.
type shape struct{ m, n, k int }

// shapes go from what memory limits to what arithmetic limits: a matrix that is larger than the caches, times 1 to 64
// columns, and square products. Quick ones fit the caches and are for tests.
func shapes(quick bool) []shape {
	if quick {
		return []shape{{256, 1, 256}, {64, 64, 64}}
	}
	var out []shape
	const large = 3072 // 75 MB
	for n := 1; n <= 64; n *= 2 {
		out = append(out, shape{large, n, large})
	}
	return append(out, shape{128, 128, 128}, shape{512, 512, 512}, shape{1024, 1024, 1024})
}

func (s shape) flops() float64 { return 2 * float64(s.m) * float64(s.n) * float64(s.k) }
func (s shape) bytes() int     { return 8 * (s.m*s.k + s.k*s.n + s.m*s.n) }
func (s shape) name() string {
	if s.n == 1 {
		return fmt.Sprintf("gemv %d×%d", s.m, s.k)
	}
	return fmt.Sprintf("gemm %d×%d×%d", s.m, s.n, s.k)
}

// runner multiplies on one implementation.
type runner struct {
	name   string
	kernel string // the set of inner routines, for this module's
	blas   gblas.Float64
}

// runners are this module's kernels with assembly, widest first, and gonum.
func runners() []runner {
	var out []runner
	list := blas.Kernels()
	for i := len(list) - 1; i >= 0; i-- {
		if k := list[i]; k.Available && (k.Name != "portable" || len(out) == 0) {
			out = append(out, runner{"thm-" + k.Name, k.Name, blas.Implementation{}})
		}
	}
	return append(out, runner{"gonum", "", kernels.Gonum().BLAS})
}

// multiply computes C = A·B, by Dgemv where B is a vector.
func (r runner) multiply(s shape, a, b, c []float64) {
	if s.n == 1 {
		r.blas.Dgemv(gblas.NoTrans, s.m, s.k, 1, a, s.k, b, 1, 0, c, 1)
		return
	}
	r.blas.Dgemm(gblas.NoTrans, gblas.NoTrans, s.m, s.n, s.k, 1, a, s.k, b, s.n, 0, c, s.n)
}

// MeasureRoofline measures the limits and the products on one thread. The implementations take turns; each has its best
// processor time.
func MeasureRoofline(ctx context.Context, quick bool, progress func(Point)) (Roofline, error) {
	defer builtin.Limit(1)()
	before := builtin.InUse()
	defer func() { _ = blas.SetKernel(before) }()
	var out Roofline
	list := runners()
	memory := 0
	for _, s := range shapes(quick) {
		memory = max(memory, s.bytes())
	}
	limits := func() {
		out.Bytes = max(out.Bytes, kernels.MeasureLimits(memory).Bytes)
		for i, r := range list {
			if r.kernel == "" {
				continue
			}
			if i >= len(out.Roofs) {
				out.Roofs = append(out.Roofs, Roof{Impl: r.name})
			}
			if rate, err := roof.Peak(r.kernel, 8); err == nil {
				out.Roofs[i].Flops = max(out.Roofs[i].Flops, rate)
			}
		}
	}
	for _, s := range shapes(quick) {
		limits()
		points, err := measure(ctx, list, s)
		if err != nil {
			return out, err
		}
		for _, p := range points {
			progress(p)
		}
		out.Points = append(out.Points, points...)
	}
	limits()
	return out, nil
}

// measure verifies a product on every implementation and times it in five rounds.
func measure(ctx context.Context, list []runner, s shape) ([]Point, error) {
	x, y := testmatrix.Uniform("left", s.m, s.k), testmatrix.Uniform("right", s.k, s.n)
	a, b, c := x.RawMatrix().Data, y.RawMatrix().Data, make([]float64, s.m*s.n)
	points, best, repeats := make([]Point, len(list)), make([]float64, len(list)), make([]int, len(list))
	for i, r := range list {
		if err := r.use(); err != nil {
			return nil, err
		}
		start := cputime.Process()
		r.multiply(s, a, b, c)
		best[i] = max(1e-7, cputime.Process()-start)
		repeats[i] = max(1, int(5e-3/best[i])) // rounds of 5 ms, for the clock's sake
		ratio := kernels.MatMulRatio(mat.NewDense(s.m, s.n, c), x, y)
		if ratio.Verdict() != results.Holds {
			return nil, fmt.Errorf("%s: %s is wrong (error %.3g times the rounding error bound)", r.name, s.name(),
				ratio.Value)
		}
		points[i] = Point{Impl: r.name, Operation: s.name(), Intensity: s.flops() / float64(s.bytes()),
			Ratio: ratio.Value}
	}
	for range 5 {
		for i, r := range list {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := r.use(); err != nil {
				return nil, err
			}
			start := cputime.Process()
			for range repeats[i] {
				r.multiply(s, a, b, c)
			}
			best[i] = math.Min(best[i], (cputime.Process()-start)/float64(repeats[i]))
		}
	}
	for i := range points {
		points[i].Flops = s.flops() / best[i]
	}
	return points, nil
}

// use makes the kernel the one that is in use.
func (r runner) use() error {
	if r.kernel == "" {
		return nil
	}
	return blas.SetKernel(r.kernel)
}
