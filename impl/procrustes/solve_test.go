package procrustes_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/roundoff"
)

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 17)) }

func gaussian(r *rand.Rand, rows, cols int) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, m)
	return m
}

// generic is a layer as training meets it: entries of W of size 1/√n, gradients of size 1/B.
func generic(r *rand.Rand, m, n, batch int, rate float64) procrustes.Problem {
	w := gaussian(r, m, n)
	w.Scale(1/math.Sqrt(float64(n)), w)
	gamma := gaussian(r, m, batch)
	gamma.Scale(1/float64(batch), gamma)
	return procrustes.Problem{W: w, Gamma: gamma, H: gaussian(r, n, batch), Rate: rate}
}

// withValues has W with the given singular values, min(m, n) of them.
func withValues(r *rand.Rand, m, n, batch int, rate float64, values []float64) procrustes.Problem {
	p := generic(r, m, n, batch, rate)
	var left, right mat.QR
	left.Factorize(gaussian(r, m, m))
	right.Factorize(gaussian(r, n, n))
	var q, v mat.Dense
	left.QTo(&q)
	right.QTo(&v)
	p.W.Zero()
	for i, s := range values {
		p.W.Set(i, i, s)
	}
	p.W.Mul(&q, p.W)
	p.W.Mul(p.W, v.T())
	return p
}

type instance struct {
	name string
	procrustes.Problem
}

// degenerate instances: every kind of degeneracy, on wide, square and tall layers.
func degenerate() []instance {
	var all []instance
	for i, s := range [][2]int{{7, 16}, {9, 9}, {16, 7}, {1, 5}, {5, 1}, {1, 1}} {
		m, n := s[0], s[1]
		r := stream(uint64(100 + i))
		short := min(m, n)
		equal := make([]float64, short)
		for i := range equal {
			equal[i] = 2
		}
		low := make([]float64, short)
		for i := range (short + 1) / 2 {
			low[i] = 1 / float64(1+i)
		}
		graded := make([]float64, short)
		for i := range graded {
			graded[i] = math.Pow(10, -7*float64(i)/float64(max(1, short-1)))
		}
		add := func(name string, p procrustes.Problem) {
			all = append(all, instance{fmt.Sprintf("%s %d×%d", name, m, n), p})
		}
		add("generic", generic(r, m, n, 3, 0.05))
		add("large step", generic(r, m, n, 3, 5))
		add("one sample", generic(r, m, n, 1, 0.1))
		add("large batch", generic(r, m, n, 3*m+2*n, 0.05))
		add("repeated values", withValues(r, m, n, 2, 0.05, equal))
		add("rank deficient", withValues(r, m, n, 2, 0.05, low))
		add("graded", withValues(r, m, n, 2, 0.05, graded))
		still := generic(r, m, n, 2, 0.1)
		still.Gamma = mat.NewDense(m, 2, nil)
		add("zero gradient", still)
		add("zero rate", generic(r, m, n, 2, 0))
		dead := generic(r, m, n, 2, 0.1)
		dead.H = mat.NewDense(n, 2, nil)
		add("zero inputs", dead)
		zero := generic(r, m, n, 2, 0.1)
		zero.W = mat.NewDense(m, n, nil)
		add("zero weights", zero)
		twice := generic(r, m, n, 4, 0.05)
		for _, a := range []mat.Matrix{twice.Gamma, twice.H} {
			d := a.(*mat.Dense)
			for j := 1; j < 4; j++ {
				d.SetCol(j, mat.Col(nil, 0, d))
			}
		}
		add("duplicate samples", twice)
	}
	return all
}

// reference is the definition on gonum's factorisations: target, its best part of rank m, factor, rotation.
func reference(t *testing.T, p procrustes.Problem, target procrustes.Target) (weights, gram *mat.Dense) {
	t.Helper()
	m, n := p.W.Dims()
	var g, next, step mat.Dense
	step.Mul(p.Gamma, p.H.T())
	step.Scale(p.Rate, &step)
	next.Sub(p.W, &step)
	if g.Mul(next.T(), &next); target == procrustes.TrueShift {
		var back, a, cross, square mat.Dense
		back.Mul(p.W.T(), p.Gamma)
		back.Scale(p.Rate, &back)
		a.Mul(p.W.T(), p.W)
		cross.Mul(&back, p.H.T())
		square.Mul(&back, back.T())
		g.Add(&a, &square)
		g.Sub(&g, &cross)
		g.Sub(&g, cross.T())
	}
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sym.SetSym(i, j, (g.At(i, j)+g.At(j, i))/2)
		}
	}
	var eigen mat.EigenSym
	require.True(t, eigen.Factorize(sym, true))
	var q mat.Dense
	eigen.VectorsTo(&q)
	factor := mat.NewDense(min(m, n), n, nil)
	for i := range min(m, n) {
		root := math.Sqrt(max(0, eigen.Values(nil)[n-1-i]))
		for j := range n {
			factor.Set(i, j, root*q.At(j, n-1-i))
		}
	}
	var product, left, right, turn, w mat.Dense
	product.Mul(p.W, factor.T())
	var svd mat.SVD
	require.True(t, svd.Factorize(&product, mat.SVDThin))
	svd.UTo(&left)
	svd.VTo(&right)
	turn.Mul(&left, right.T())
	w.Mul(&turn, factor)
	gram = new(mat.Dense)
	gram.Mul(factor.T(), factor)
	return &w, gram
}

// solvers maps a name to a solver and the target it solves for.
type solver struct {
	name   string
	target procrustes.Target
	procrustes.Solver
}

func solvers() []solver {
	var all []solver
	for _, target := range []procrustes.Target{procrustes.SGDGram, procrustes.TrueShift} {
		all = append(all, solver{"full", target, procrustes.Full{Target: target}},
			solver{"reduced", target, procrustes.Reduced{Target: target}},
			solver{"krylov", target, procrustes.Krylov{Target: target}},
			solver{"rational", target, procrustes.Krylov{Target: target, Rational: true}},
			solver{"auto", target, procrustes.Auto{Target: target}},
			solver{"auto with a gap", target, procrustes.Auto{Target: target, Gap: 1e-7}})
	}
	return append(all, solver{"polar", procrustes.SGDGram, procrustes.Polar{}},
		solver{"factored", procrustes.SGDGram, factored{}},
		solver{"factor", procrustes.TrueShift, procrustes.Factor{}})
}

// scale bounds every quantity that enters the target: W, its step, and the shift of the inputs.
func scale(p procrustes.Problem) float64 {
	w, g, h := mat.Norm(p.W, 2), p.Rate*mat.Norm(p.Gamma, 2), mat.Norm(p.H, 2)
	return math.Pow(w+g*h, 2) + 2*w*g*h + math.Pow(w*g, 2)
}

// check holds a step against the definition: Gram matrix, certificate (W₊Wᵀ symmetric positive semidefinite) and least
// distance. Each product of length n and each factorisation adds a few roundings per entry; with shapes below 40 that
// is at most 10·n·u of the scale, for about ten operations in a row.
func check(t *testing.T, name string, p procrustes.Problem, step, want, gram *mat.Dense, gap float64) {
	t.Helper()
	m, n := p.W.Dims()
	tol := 100 * float64(m+n) * roundoff.Unit * scale(p)
	var got, product, skew, d mat.Dense
	got.Mul(step.T(), step)
	got.Sub(&got, gram)
	if e := mat.Norm(&got, 2); !(e <= tol) {
		t.Errorf("%s: the Gram matrix is off by %.3g, allowed %.3g", name, e, tol)
	}
	d.Sub(step, p.W)
	distance := math.Pow(mat.Norm(&d, 2), 2)
	d.Sub(want, p.W)
	smallest := math.Pow(mat.Norm(&d, 2), 2)
	if e := distance - smallest; !(e <= tol+gap*smallest) || !(e >= -tol) {
		t.Errorf("%s: squared distance %.6g, least %.6g", name, distance, smallest)
	}
	if gap > 0 {
		return // a near-minimum is no zero of the certificate
	}
	product.Mul(step, p.W.T())
	skew.Sub(&product, product.T())
	if e := mat.Norm(&skew, 2); !(e <= tol) {
		t.Errorf("%s: W₊Wᵀ is asymmetric by %.3g, allowed %.3g", name, e, tol)
	}
	sym := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			sym.SetSym(i, j, (product.At(i, j)+product.At(j, i))/2)
		}
	}
	var eigen mat.EigenSym
	require.True(t, eigen.Factorize(sym, false))
	if e := eigen.Values(nil)[0]; !(e >= -tol) {
		t.Errorf("%s: W₊Wᵀ has the eigenvalue %.3g", name, e)
	}
}

func TestEverySolverOnEveryInstance(t *testing.T) {
	refused := map[string]int{}
	for _, in := range degenerate() {
		w, gamma, h := mat.DenseCopyOf(in.W), mat.DenseCopyOf(in.Gamma), mat.DenseCopyOf(in.H)
		for _, s := range solvers() {
			want, gram := reference(t, in.Problem, s.target)
			name := s.name + ", " + s.target.String() + ", " + in.name
			step, err := s.Solve(in.Problem)
			m, n := in.W.Dims()
			if (s.name == "factor" || s.name == "krylov" || s.name == "rational") &&
				(errors.Is(err, procrustes.ErrInfeasible) || errors.Is(err, procrustes.ErrRankDeficient)) {
				refused[s.name]++
				require.True(t, m < n || !feasible(t, in.Problem, gram) || rankDeficient(in.Problem), name)
				continue
			}
			require.NoError(t, err, name)
			gap := 0.0
			if s.name == "auto with a gap" || s.name == "rational" {
				gap = 1e-6
			}
			check(t, name, in.Problem, step.W, want, gram, gap)
			require.NotEmpty(t, step.Method, name)
			require.NotEmpty(t, step.Why, name)
		}
		require.True(t, mat.Equal(w, in.W) && mat.Equal(gamma, in.Gamma) && mat.Equal(h, in.H), "arguments changed")
	}
	require.Greater(t, refused["factor"], 10)
}

// feasible reports that the positive part of the target is all of it.
func feasible(t *testing.T, p procrustes.Problem, gram *mat.Dense) bool {
	t.Helper()
	d := procrustes.TrueShift.Gram(p)
	d.Sub(d, gram)
	return mat.Norm(d, 2) <= 1e-10*scale(p)
}

func rankDeficient(p procrustes.Problem) bool {
	var svd mat.SVD
	svd.Factorize(p.W, mat.SVDNone)
	values := svd.Values(nil)
	return !(values[len(values)-1] > 1e-12*values[0])
}

func TestNotFiniteIsAnErrorAndShapesPanic(t *testing.T) {
	for _, s := range solvers() {
		for i := range 3 {
			for _, bad := range []float64{math.NaN(), math.Inf(-1)} {
				p := generic(stream(3), 9, 6, 2, 0.01)
				[]*mat.Dense{p.W, p.Gamma.(*mat.Dense), p.H.(*mat.Dense)}[i].Set(1, 1, bad)
				_, err := s.Solve(p)
				require.ErrorIs(t, err, linalg.ErrNotFinite, s.name)
			}
		}
		if s.name == "factored" {
			continue // see TestFactoredRefuses: the products that it is given are not its own
		}
		p := generic(stream(3), 9, 6, 2, math.NaN())
		_, err := s.Solve(p)
		require.ErrorContains(t, err, "step size", s.name)
		p.H = mat.NewDense(9, 2, nil)
		require.PanicsWithValue(t, "procrustes: shapes of W, Γ and H do not fit", func() { _, _ = s.Solve(p) })
	}
}

func TestBatchesByRowsAreReadInPlace(t *testing.T) {
	p := generic(stream(4), 12, 8, 3, 0.02)
	rows := p
	rows.Gamma, rows.H = mat.DenseCopyOf(p.Gamma.T()).T(), mat.DenseCopyOf(p.H.T()).T()
	for _, s := range solvers() {
		a, err := s.Solve(p)
		require.NoError(t, err)
		b, err := s.Solve(rows)
		require.NoError(t, err)
		require.True(t, mat.Equal(a.W, b.W), s.name)
	}
}
