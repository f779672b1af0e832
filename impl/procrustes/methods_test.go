package procrustes_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/roundoff"
)

func solve(t *testing.T, s procrustes.Solver, p procrustes.Problem) procrustes.Step {
	t.Helper()
	step, err := s.Solve(p)
	require.NoError(t, err)
	return step
}

// apart is ‖a − b‖ relative to the length of the step b − W.
func apart(p procrustes.Problem, a, b *mat.Dense) float64 {
	var d, move mat.Dense
	d.Sub(a, b)
	move.Sub(b, p.W)
	return mat.Norm(&d, 2) / mat.Norm(&move, 2)
}

// squared is ‖a − W‖².
func squared(p procrustes.Problem, a *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, p.W)
	return math.Pow(mat.Norm(&d, 2), 2)
}

func gram(w *mat.Dense) *mat.Dense {
	var g mat.Dense
	g.Mul(w.T(), w)
	return &g
}

// TestSolversAgreeOnWellConditionedLayers: where the solution is unique the solvers return the same weights. Errors of
// factors and rotations are of order u·‖M‖/σmin(M), here 100·u per operation, relative to steps of 1/100 of the
// weights.
func TestSolversAgreeOnWellConditionedLayers(t *testing.T) {
	for i, s := range [][3]int{{20, 60, 5}, {20, 60, 50}, {60, 20, 5}, {60, 20, 30}} {
		p := generic(stream(uint64(i)), s[0], s[1], s[2], 0.02)
		p.H.(*mat.Dense).Scale(0.1, p.H) // short inputs: feasible where m ≥ n
		for _, in := range solvers() {
			if in.name == "auto with a gap" || in.name == "rational" || in.target == procrustes.TrueShift && s[0] < s[1] &&
				(in.name == "factor" || in.name == "krylov") {
				continue
			}
			full := solve(t, procrustes.Full{Target: in.target}, p)
			if e := apart(p, solve(t, in.Solver, p).W, full.W); !(e <= 1e-10) {
				t.Errorf("%s, %s, %v: step off by %.3g", in.name, in.target, s, e)
			}
		}
	}
}

func TestReducedIsFullForEveryExponent(t *testing.T) {
	p := generic(stream(5), 12, 40, 6, 0.3)
	for _, alpha := range []float64{0, 0.1, 0.3, 0.5, 1} {
		for _, target := range []procrustes.Target{procrustes.SGDGram, procrustes.TrueShift} {
			full := solve(t, procrustes.Full{Target: target, Exponent: alpha}, p)
			reduced := solve(t, procrustes.Reduced{Target: target, Exponent: alpha}, p)
			if e := apart(p, reduced.W, full.W); !(e <= 1e-12) {
				t.Errorf("α = %v, %s: step off by %.3g", alpha, target, e)
			}
			require.Equal(t, 18, reduced.Dim)
			if e := math.Abs(full.Dropped - reduced.Dropped); !(e <= 1e-13*mat.Norm(gram(p.W), 2)) {
				t.Errorf("α = %v, %s: dropped %v and %v", alpha, target, full.Dropped, reduced.Dropped)
			}
		}
	}
	_, err := procrustes.Reduced{}.Solve(procrustes.Problem{W: p.W, Gamma: p.Gamma, H: p.H, Rate: 1,
		Past: mat.NewDense(40, 40, nil)})
	require.ErrorContains(t, err, "use Full")
}

// TestDroppedIsTheGramResidual: what is not met of the true shift of a wide layer is what Step says was dropped.
func TestDroppedIsTheGramResidual(t *testing.T) {
	p := generic(stream(6), 10, 30, 4, 0.2)
	step := solve(t, procrustes.Full{Target: procrustes.TrueShift}, p)
	d := procrustes.TrueShift.Gram(p)
	d.Sub(d, gram(step.W))
	if e := mat.Norm(d, 2); !(math.Abs(e-step.Dropped) <= 1e-13*mat.Norm(gram(p.W), 2)) || !(step.Dropped > 1e-4) {
		t.Errorf("residual %v, said to be %v", e, step.Dropped)
	}
	_, err := procrustes.Full{Target: procrustes.TrueShift, Strict: true}.Solve(generic(stream(6), 9, 9, 4, 5))
	require.ErrorContains(t, err, "has no power 0.5")
}

// TestPastShiftsAreAdded: a past shift that is the next one's negative leaves the Gram matrix as it is.
func TestPastShiftsAreAdded(t *testing.T) {
	p := generic(stream(7), 20, 8, 3, 0.01)
	for _, s := range []procrustes.Solver{procrustes.Full{Target: procrustes.TrueShift},
		procrustes.Auto{Target: procrustes.TrueShift}} {
		p.Past = p.Shift()
		p.Past.Scale(-1, p.Past)
		step := solve(t, s, p)
		d := gram(step.W)
		d.Sub(d, gram(p.W))
		if e := mat.Norm(d, 2); !(e <= 1e-13*scale(p)) {
			t.Errorf("Gram matrix moved by %v", e)
		}
		require.Equal(t, "full", step.Method)
	}
	p.Past = mat.NewDense(20, 20, nil)
	require.Panics(t, func() { _, _ = procrustes.Full{}.Solve(p) })
}

func TestExactFactorHasTheGramButIsNotNearest(t *testing.T) {
	for i, s := range [][3]int{{40, 16, 3}, {40, 16, 20}, {16, 16, 2}} {
		p := generic(stream(uint64(20+i)), s[0], s[1], s[2], 1e-3)
		w, err := procrustes.ExactFactor(p)
		require.NoError(t, err)
		d := gram(w)
		d.Sub(d, procrustes.TrueShift.Gram(p))
		if e := mat.Norm(d, 2); !(e <= 1e-14*scale(p)) {
			t.Errorf("%v: Gram off by %v", s, e)
		}
		if ratio := squared(p, w) / squared(p, solve(t, procrustes.Factor{}, p).W); !(ratio > 1.001) {
			t.Errorf("%v: squared distance %v times the least", s, ratio)
		}
	}
	wide := generic(stream(23), 5, 9, 2, 1e-3)
	_, err := procrustes.ExactFactor(wide)
	require.ErrorIs(t, err, procrustes.ErrInfeasible)
	one := procrustes.Problem{W: mat.NewDense(1, 1, []float64{1}), Gamma: mat.NewDense(1, 1, []float64{1}),
		H: mat.NewDense(1, 1, []float64{2}), Rate: 1}
	_, err = procrustes.ExactFactor(one) // G = 1 − 4 + 1
	require.ErrorContains(t, err, "-2")
	one.W.Set(0, 0, 0)
	_, err = procrustes.ExactFactor(one)
	require.ErrorIs(t, err, procrustes.ErrRankDeficient)
}

// TestKeptGramDoesNotDrift trains with and without it. The error of WWᵀ grows by a few roundings of it per step.
func TestKeptGramDoesNotDrift(t *testing.T) {
	r := stream(10)
	p := generic(r, 12, 30, 4, 0.05)
	var g mat.Dense
	g.Mul(p.W, p.W.T())
	warm, plain := &procrustes.WarmStart{Gram: &g}, p
	const steps = 500
	for range steps {
		p.Gamma, p.H = gaussian(r, 12, 4), gaussian(r, 30, 4)
		p.W = solve(t, procrustes.Polar{WarmStart: warm}, p).W
		plain.Gamma, plain.H = p.Gamma, p.H
		plain.W = solve(t, procrustes.Polar{}, plain).W
	}
	var d mat.Dense
	d.Mul(p.W, p.W.T())
	d.Sub(&d, &g)
	if e := mat.Norm(&d, 2) / mat.Norm(&g, 2); !(e <= 100*roundoff.Unit*math.Sqrt(steps)) {
		t.Errorf("the Gram kept is off by %v after %d steps", e, steps)
	}
	d.Reset()
	d.Sub(p.W, plain.W)
	if e := mat.Norm(&d, 2) / mat.Norm(plain.W, 2); !(e <= 1e-11) {
		t.Errorf("the weights differ by %v", e)
	}
	require.Panics(t, func() {
		_, _ = procrustes.Polar{WarmStart: &procrustes.WarmStart{Gram: mat.NewDense(30, 30, nil)}}.Solve(p)
	})
}

// TestAWrongBoundOnlyCostsTime hands over bounds that are wrong by far, also on a matrix without full rank.
func TestAWrongBoundOnlyCostsTime(t *testing.T) {
	for _, p := range []procrustes.Problem{generic(stream(11), 14, 40, 3, 0.1),
		withValues(stream(12), 14, 40, 2, 0.1, []float64{3, 2, 1}),
		withValues(stream(13), 8, 20, 2, 0.1, []float64{1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7})} {
		want, g := reference(t, p, procrustes.SGDGram)
		for _, bound := range []float64{1, 0.5, 1e-3, 1e-12} {
			warm := &procrustes.WarmStart{Bound: bound}
			for range 2 {
				check(t, fmt.Sprint("bound ", bound), p, solve(t, procrustes.Polar{WarmStart: warm}, p).W, want, g, 0)
			}
		}
	}
}

func TestZIsUsed(t *testing.T) {
	p := generic(stream(14), 10, 40, 3, 0.1)
	var z mat.Dense
	z.Mul(p.W, p.H)
	plain := solve(t, procrustes.Polar{}, p)
	p.Z = &z
	for _, s := range []procrustes.Solver{procrustes.Polar{}, procrustes.Krylov{}, procrustes.Krylov{Rational: true}} {
		if e := apart(p, solve(t, s, p).W, plain.W); !(e <= 1e-11) {
			t.Errorf("%T: step off by %v", s, e)
		}
	}
	p.Z = mat.DenseCopyOf(z.T())
	require.Panics(t, func() { _, _ = procrustes.Polar{}.Solve(p) })
}

func TestAutoSaysWhatItChose(t *testing.T) {
	short := generic(stream(15), 60, 20, 2, 0.01)
	short.H.(*mat.Dense).Scale(0.1, short.H)
	for _, c := range []struct {
		name   string
		auto   procrustes.Auto
		p      procrustes.Problem
		method string
		why    string
	}{
		{"exact", procrustes.Auto{}, generic(stream(15), 20, 60, 2, 0.1), "polar", "exact"},
		{"small batch", procrustes.Auto{Gap: 1e-4}, generic(stream(15), 64, 300, 1, 0.1), "krylov", "batch 1 is small"},
		{"large batch", procrustes.Auto{Gap: 1e-4}, generic(stream(15), 64, 300, 30, 0.1), "polar", "no small subspace"},
		{"ill-conditioned", procrustes.Auto{Gap: 1e-4}, generic(stream(15), 64, 64, 1, 0.1), "krylov", "ill-conditioned"},
		{"ill-conditioned, larger batch", procrustes.Auto{Gap: 1e-4}, generic(stream(15), 64, 64, 4, 0.1), "polar",
			"ill-conditioned: "},
		{"wide, true", procrustes.Auto{Target: procrustes.TrueShift}, generic(stream(15), 20, 60, 2, 0.1), "reduced",
			"m < n"},
		{"tall, true", procrustes.Auto{Target: procrustes.TrueShift}, short, "factor", "exact"},
		{"tall, nearly", procrustes.Auto{Target: procrustes.TrueShift, Gap: 1e-3}, short, "krylov", "small"},
		{"tall, infeasible", procrustes.Auto{Target: procrustes.TrueShift}, generic(stream(15), 60, 20, 2, 3), "full",
			"not a Gram matrix"},
		{"tall, rank deficient", procrustes.Auto{Target: procrustes.TrueShift, Gap: 1e-3},
			withValues(stream(15), 60, 20, 2, 0.1, []float64{1}), "full", "full column rank"},
	} {
		step := solve(t, c.auto, c.p)
		require.Equal(t, c.method, step.Method, "%s: %s", c.name, step.Why)
		require.Contains(t, step.Why, c.why, c.name)
	}
}
