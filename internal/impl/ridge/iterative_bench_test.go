package ridge_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/cputime"
	"github.com/thm-suite/thm/internal/impl/ridge"
	"github.com/thm-suite/thm/internal/impl/rkhs"
	"github.com/thm-suite/thm/props/stat"
)

// gram is the matrix of the Laplace kernel for n uniform points in [−1, 1]⁵ with right-hand side, and what it cost to
// solve: processor seconds by method, one for each round, and flops.
type gram struct {
	k       *mat.SymDense
	y       []float64
	seconds map[string][]float64
	flops   map[string]float64
}

const (
	leadingPairs = 40
	tolerance    = 1e-6 // of the residual
)

// BenchmarkEigenProAgainstCholesky solves systems of 250 to 2000 equations with both, in turns, and reports the slopes
// of the processor time in n against those of the counted flops. EigenPro finds its eigenpairs to two digits first.
func BenchmarkEigenProAgainstCholesky(b *testing.B) {
	previous, threads := blas.Use(), blas.Threads()
	blas.SetThreads(1)
	b.Cleanup(func() { blas64.Use(previous); blas.SetThreads(threads) })
	sizes := []float64{250, 500, 1000, 2000}
	var grams []*gram
	for _, n := range sizes {
		grams = append(grams, newGram(int(n)))
	}
	for b.Loop() {
		for _, g := range grams {
			g.time("cholesky", func() []float64 { return g.cholesky(b) })
			g.time("eigenpro", func() []float64 { return g.eigenPro(b) })
		}
	}
	for _, method := range []string{"cholesky", "eigenpro"} {
		var seconds, flops []float64
		for i, g := range grams {
			slices.Sort(g.seconds[method])
			median := g.seconds[method][len(g.seconds[method])/2]
			b.ReportMetric(1e3*median, fmt.Sprintf("%s-%v-ms", method, sizes[i]))
			seconds, flops = append(seconds, median), append(flops, g.flops[method])
		}
		b.ReportMetric(slope(sizes, seconds), method+"-slope")
		b.ReportMetric(slope(sizes, flops), method+"-flops-slope")
	}
}

func newGram(n int) *gram {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	x, y := mat.NewDense(n, 5, nil), make([]float64, n)
	x.Apply(func(int, int, float64) float64 { return 2*r.Float64() - 1 }, x)
	for i := range y {
		y[i] = math.Sin(3*x.At(i, 0)) * math.Cos(2*x.At(i, 1))
	}
	return &gram{rkhs.Laplace(1).Gram(x), y, map[string][]float64{}, map[string]float64{}}
}

func (g *gram) time(method string, solve func() []float64) {
	before := cputime.Process()
	solve()
	g.seconds[method] = append(g.seconds[method], cputime.Process()-before)
}

func (g *gram) cholesky(b *testing.B) []float64 {
	n := float64(len(g.y))
	var factor mat.Cholesky
	require.True(b, factor.Factorize(g.k))
	a := mat.NewVecDense(len(g.y), nil)
	require.NoError(b, factor.SolveVecTo(a, mat.NewVecDense(len(g.y), g.y)))
	g.flops["cholesky"] = n*n*n/3 + 2*n*n
	return a.RawVector().Data
}

func (g *gram) eigenPro(b *testing.B) []float64 {
	n, products := len(g.y), 0
	t, err := linalg.Leading(symmetric{g.k, &products}, leadingPairs+1, 1e-2, rand.New(rand.NewPCG(3, 4)))
	require.NoError(b, err)
	vectors := mat.NewDense(n, leadingPairs, nil)
	for j := range leadingPairs {
		vectors.SetCol(j, t.Right[j])
	}
	// A step of half the length, for the errors of the vectors.
	values := slices.Clone(t.Values)
	values[leadingPairs] *= 2
	got, err := ridge.EigenProWith(g.k, g.y, values, vectors, ridge.Stop{Iterations: 5000, Tolerance: tolerance})
	require.NoError(b, err)
	require.True(b, got.Converged, "n = %d", n)
	require.LessOrEqual(b, floats.Norm(got.Residual, 2), tolerance*floats.Norm(g.y, 2))
	size, basis := float64(n), float64(products)/2
	g.flops["eigenpro"] = 2*size*size*float64(products+got.Iterations) + 4*size*leadingPairs*float64(got.Iterations) +
		8*size*basis*basis
	return got.Alpha
}

// symmetric is a symmetric matrix as an operator that counts its products.
type symmetric struct {
	m        *mat.SymDense
	products *int
}

func (s symmetric) Dims() (rows, cols int)       { return s.m.SymmetricDim(), s.m.SymmetricDim() }
func (s symmetric) MulVecTrans(dst, x []float64) { s.MulVec(dst, x) }
func (s symmetric) MulVec(dst, x []float64) {
	*s.products++
	n := len(x)
	blas64.Symv(1, s.m.RawSymmetric(), blas64.Vector{N: n, Data: x, Inc: 1}, 0, blas64.Vector{N: n, Data: dst, Inc: 1})
}

// slope returns the slope of log y in log x.
func slope(x, y []float64) float64 {
	var u, v []float64
	for i := range x {
		u, v = append(u, math.Log(x[i])), append(v, math.Log(y[i]))
	}
	return stat.Slope(u, v, 0.5).Estimate
}
