package optim_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/impl/optim"
)

// quadratic is ½Σ i²(xᵢ−i)², i = 1, 2, …, with minimum 0 at xᵢ = i.
func quadratic(grad, x []float64) float64 {
	sum := 0.0
	for i := range x {
		k := float64(i + 1)
		d := x[i] - k
		grad[i] = k * k * d
		sum += k * k * d * d / 2
	}
	return sum
}

// rosenbrock has its minimum 0 at (1, 1), at the end of a curved valley.
func rosenbrock(grad, x []float64) float64 {
	a, b := 1-x[0], x[1]-x[0]*x[0]
	grad[0], grad[1] = -2*a-400*b*x[0], 200*b
	return a*a + 100*b*b
}

func TestFindsMinima(t *testing.T) {
	start := []float64{-1.2, 1}
	m, err := optim.LBFGS(rosenbrock, start, optim.Stop{Gradient: 1e-9, Evaluations: 1000})
	require.NoError(t, err)
	require.Equal(t, []float64{-1.2, 1}, start)
	// The Hessian's smallest eigenvalue at the minimum is 0.3994, so |x − x*| ≤ 1e-9/0.39.
	if !(m.Gradient <= 1e-9 && math.Hypot(m.X[0]-1, m.X[1]-1) <= 3e-9) {
		t.Errorf("Rosenbrock's function: %+v", m)
	}

	m, err = optim.LBFGS(quadratic, make([]float64, 20), optim.Stop{Gradient: 1e-9, Evaluations: 1000})
	require.NoError(t, err)
	for i, x := range m.X { // the smallest curvature is 1
		if !(math.Abs(x-float64(i+1)) <= 1e-9) {
			t.Errorf("quadratic: x[%d] = %v", i, x)
		}
	}
	require.True(t, slices.IsSortedFunc(m.Trace, func(a, b float64) int { return int(math.Copysign(1, b-a)) }),
		"values fall")
	require.Equal(t, 0.5*sumOfFourthPowers(20), m.Trace[0])
}

// sumOfFourthPowers is 1⁴ + 2⁴ + … + n⁴.
func sumOfFourthPowers(n int) float64 {
	sum := 0.0
	for k := 1; k <= n; k++ {
		sum += math.Pow(float64(k), 4)
	}
	return sum
}

// With Gradient 0 the run goes on until rounding stops it, and that is no error. About a value of 1 the descent is
// hidden once g²/2λ falls below 2⁻⁵³, for curvatures λ up to 200: g ≈ 2e-7.
func TestEndsWhereRoundingHidesTheDescent(t *testing.T) {
	lifted := func(grad, x []float64) float64 { return 1 + rosenbrock(grad, x) }
	m, err := optim.LBFGS(lifted, []float64{-1.2, 1}, optim.Stop{Evaluations: 5000})
	require.NoError(t, err)
	if !(m.Value-1 <= 1e-15 && m.Gradient <= 1e-5) {
		t.Errorf("%+v", m)
	}
}

func TestSameBitsEveryTime(t *testing.T) {
	stop := optim.Stop{Gradient: 1e-10, Evaluations: 1000}
	first, err := optim.LBFGS(rosenbrock, []float64{-1.2, 1}, stop)
	require.NoError(t, err)
	second, err := optim.LBFGS(rosenbrock, []float64{-1.2, 1}, stop)
	require.NoError(t, err)
	require.Equal(t, first, second)
}

func TestFailuresAreErrors(t *testing.T) {
	m, err := optim.LBFGS(rosenbrock, []float64{-1.2, 1}, optim.Stop{Gradient: 1e-9, Evaluations: 10})
	require.ErrorContains(t, err, "no minimum after 10 evaluations")
	require.Less(t, m.Value, 24.2) // better than the start all the same

	falling := func(grad, x []float64) float64 { grad[0] = -1; return -x[0] }
	_, err = optim.LBFGS(falling, []float64{0}, optim.Stop{Gradient: 1e-9, Evaluations: 200})
	require.Error(t, err)

	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		_, err = optim.LBFGS(func(grad, x []float64) float64 { grad[0] = 0; return bad }, []float64{1},
			optim.Stop{Evaluations: 10})
		require.ErrorContains(t, err, "at the start")
		_, err = optim.LBFGS(func(grad, x []float64) float64 { grad[0] = bad; return 1 }, []float64{1},
			optim.Stop{Evaluations: 10})
		require.ErrorContains(t, err, "at the start")
	}
}

// A point outside the domain shortens the step and does not end the run: −ln x + x has its minimum at 1.
func TestInfiniteValuesBoundTheDomain(t *testing.T) {
	barrier := func(grad, x []float64) float64 {
		if x[0] <= 0 {
			return math.Inf(1)
		}
		grad[0] = 1 - 1/x[0]
		return x[0] - math.Log(x[0])
	}
	m, err := optim.LBFGS(barrier, []float64{30}, optim.Stop{Gradient: 1e-8, Evaluations: 500})
	require.NoError(t, err)
	if !(math.Abs(m.X[0]-1) <= 1e-7) {
		t.Errorf("%+v", m)
	}
}

// TestARestartHasItsOwnPatience: far from the minimum of x − ln x the slope is one and the curvature 1/x². From two
// points there a quasi-Newton step is so long that halving it 25 times does not bring it back into the domain. Only
// beginning again without memory goes on, and it must not inherit that the descent before it had lost its patience.
func TestARestartHasItsOwnPatience(t *testing.T) {
	barrier := func(grad, x []float64) float64 {
		if x[0] <= 0 {
			return math.Inf(1)
		}
		grad[0] = 1 - 1/x[0]
		return x[0] - math.Log(x[0])
	}
	for _, start := range []float64{1e9, 1e12, 1e15} {
		m, err := optim.LBFGS(barrier, []float64{start}, optim.Stop{Gradient: 1e-8, Evaluations: 1000})
		require.NoError(t, err)
		if !(math.Abs(m.X[0]-1) <= 1e-8*m.X[0] && m.Gradient <= 1e-8) { // |1 − 1/x| = |x − 1|/x
			t.Errorf("from %g: %+v", start, m)
		}
	}
}

// TestOfEqualValuesTheFlattestPointIsKept: where rounding hides the descent, the gradient still tells which point is
// better.
func TestOfEqualValuesTheFlattestPointIsKept(t *testing.T) {
	start, flattest := []float64{0}, math.Inf(1)
	m, err := optim.LBFGS(func(grad, x []float64) float64 {
		grad[0] = 1e-20 * (x[0] - 3)
		flattest = min(flattest, math.Abs(grad[0]))
		return 1 + 0.5e-20*(x[0]-3)*(x[0]-3) // which is 1
	}, start, optim.Stop{Evaluations: 200})
	require.NoError(t, err)
	require.Equal(t, 1.0, m.Value)
	require.Less(t, m.Gradient, 3e-20, "no point but the start was met")
	require.Equal(t, flattest, m.Gradient)
}

func TestPanicOfTheObjectiveReachesTheCaller(t *testing.T) {
	calls := 0
	require.PanicsWithValue(t, "objective", func() {
		_, _ = optim.LBFGS(func(grad, x []float64) float64 {
			if calls++; calls > 3 {
				panic("objective")
			}
			return rosenbrock(grad, x)
		}, []float64{-1.2, 1}, optim.Stop{Gradient: 1e-9, Evaluations: 100})
	})
}
