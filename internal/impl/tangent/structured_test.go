package tangent_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/internal/impl/tangent"
)

// reference is a problem with one layer of 3×2 whose solutions are known to 10 digits from an independent computation.
func reference(left, right *tangent.Penalty) tangent.Structured {
	features := mat.NewDense(2, 6, []float64{1, 0, 0, 1, 1, 1, 0, 2, 1, -1, 0, 1})
	return tangent.Structured{Labels: []float64{3, -1},
		Layers: []tangent.StructuredLayer{{Rows: 3, Cols: 2, Features: features, Left: left, Right: right}}}
}

func TestStructuredReference(t *testing.T) {
	square := tangent.Square
	for _, c := range []struct {
		left, right   *tangent.Penalty
		k11, k12, k22 float64
	}{{&square, nil, 8.1432864277, 0.0515110843, 13.0233855677},
		{nil, &square, 8.2023163599, 0.3298190598, 14.3355220784}} {
		s := reference(c.left, c.right)
		min, err := s.MinFrobenius()
		require.NoError(t, err)
		require.True(t, mat.EqualApprox(min[0],
			mat.NewDense(3, 2, []float64{0.75, -2. / 7, -1. / 7, 25. / 28, 0.75, 17. / 28}), 1e-13))
		alternated, err := s.Alternate(1000, 1e-16)
		require.NoError(t, err)
		descent, err := s.Descend(1000, 1e-13)
		require.NoError(t, err)
		for name, got := range map[string]tangent.Solution{"alternation": alternated, "descent": descent} {
			require.InDelta(t, 1.536097829823, got.Cost, 1e-11, name)
			require.InDelta(t, got.Cost, s.Cost(got.Factors), 1e-13, name)
			k := s.Kernel(got.Factors)
			require.InDelta(t, c.k11, k.At(0, 0), 1e-6, name)
			require.InDelta(t, c.k12, k.At(0, 1), 1e-6, name)
			require.InDelta(t, c.k22, k.At(1, 1), 1e-6, name)
			require.Less(t, got.Stationarity, 1e-7, name)
			require.Less(t, s.Residual(got.Products()), 1e-12, name)
		}
	}
}

// Singular values of the reference problem's solutions, to 10 digits, and the absolute penalty on one side, whose
// optimum is the best end of 30 starts: it is not convex.
func TestStructuredReferenceSpectra(t *testing.T) {
	square, modulus := tangent.Square, tangent.Modulus
	spectrum := func(m *mat.Dense) []float64 {
		values, err := linalg.SingularValues(m)
		require.NoError(t, err)
		return values
	}
	s := reference(&modulus, nil)
	min, err := s.MinFrobenius()
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{0.75, -2. / 7, -1. / 7, 0.892857142857, 0.75, 0.607142857143},
		min[0].RawMatrix().Data, 1e-12)
	require.InDeltaSlice(t, []float64{1.1492985947, 1.0353597843}, spectrum(min[0]), 1e-9)
	found, err := s.Descend(1000, 1e-13)
	require.NoError(t, err)
	require.InDelta(t, 1.889774662015, found.Cost, 1e-11)
	require.InDeltaSlice(t, []float64{1.6498760206, 0.5010000569}, spectrum(found.Products()[0]), 1e-6)
	require.InDeltaSlice(t, []float64{1.7591824033, 1, 1}, spectrum(found.Factors[0].A), 1e-6)
	k := s.Kernel(found.Factors)
	require.InDeltaSlice(t, []float64{8.3675467220, -0.8540879867, 8.8374823682},
		[]float64{k.At(0, 0), k.At(0, 1), k.At(1, 1)}, 1e-5)
	found, err = reference(&square, nil).Descend(1000, 1e-13)
	require.NoError(t, err)
	require.InDeltaSlice(t, []float64{1.1944195622, 0.9863591452}, spectrum(found.Products()[0]), 1e-6)
}

// The gradient that descent uses is the gradient of the cost of the cheapest factors; nothing rises on the way; and no
// random factors of the same product cost less. Two sides, of two layers.
func TestStructuredTwoSides(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	square, modulus := tangent.Square, tangent.Modulus
	s := tangent.Structured{Labels: []float64{2, -1, 3, 1}, Layers: []tangent.StructuredLayer{
		{Rows: 3, Cols: 2, Features: gaussian(r, 4, 6), Left: &square, Right: &modulus},
		{Rows: 2, Cols: 2, Features: gaussian(r, 4, 4), Left: &square, Right: &square}}}
	alternated, err := s.Alternate(3000, 0)
	require.NoError(t, err)
	for i := 1; i < len(alternated.Trace); i++ {
		require.LessOrEqual(t, alternated.Trace[i], alternated.Trace[i-1]*(1+1e-14))
	}
	descent, err := s.Descend(3000, 1e-12)
	require.NoError(t, err)
	require.InEpsilon(t, alternated.Cost, descent.Cost, 1e-9)
	require.Less(t, descent.Stationarity, 1e-7)
	for range 200 {
		factors := make([]tangent.Sided, 2)
		for l, f := range descent.Factors {
			factors[l] = tangent.Sided{A: nudged(r, f.A), Theta: f.Theta, C: nudged(r, f.C)}
			var inverse, back mat.Dense
			require.NoError(t, inverse.Inverse(factors[l].A))
			require.NoError(t, back.Inverse(factors[l].C))
			var half, theta mat.Dense
			half.Mul(&inverse, f.Product())
			theta.Mul(&half, &back)
			factors[l].Theta = &theta
		}
		if cost := s.Cost(factors); !(cost >= descent.Cost-1e-12) {
			t.Errorf("cost %v below %v", cost, descent.Cost)
		}
	}
}

func nudged(r *rand.Rand, m *mat.Dense) *mat.Dense {
	rows, cols := m.Dims()
	out := gaussian(r, rows, cols)
	out.Scale(math.Exp(-6*r.Float64()), out)
	out.Add(out, m)
	return out
}

func TestStructuredFailures(t *testing.T) {
	s := reference(nil, nil)
	s.Labels = []float64{1}
	_, err := s.Alternate(1, 0)
	require.ErrorContains(t, err, "label")
	_, err = s.Descend(1, 0)
	require.ErrorContains(t, err, "label")
	s = reference(nil, nil)
	s.Layers[0].Features = mat.NewDense(2, 6, make([]float64, 12))
	_, err = s.Alternate(1, 0)
	require.Error(t, err)
	_, err = s.Descend(1, 0)
	require.Error(t, err)
	moved := tangent.Sided{A: mat.NewDense(3, 3, []float64{2, 0, 0, 0, 1, 0, 0, 0, 1}), Theta: mat.NewDense(3, 2, nil),
		C: tangent.Identity(2)}
	require.True(t, math.IsInf(s.Cost([]tangent.Sided{moved}), 1))
}

// The search over A and C has the gradient that it says, and reaches the known optima with one side.
func TestStructuredSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	square, logDet := tangent.Square, tangent.LogDet
	s := tangent.Structured{Labels: []float64{2, -1, 3, 1}, Layers: []tangent.StructuredLayer{
		{Rows: 3, Cols: 2, Features: gaussian(r, 4, 6), Left: &square, Right: &logDet},
		{Rows: 2, Cols: 2, Features: gaussian(r, 4, 4), Right: &square}}}
	objective := s.Eliminated()
	x := append(append(flat(nudged(r, tangent.Identity(3))), flat(nudged(r, tangent.Identity(2)))...),
		flat(nudged(r, tangent.Identity(2)))...)
	grad, scratch := make([]float64, len(x)), make([]float64, len(x))
	objective(grad, x)
	const h = 1e-5
	for i := range x {
		at := func(step float64) float64 {
			moved := append([]float64{}, x...)
			moved[i] += step
			return objective(scratch, moved)
		}
		require.InDelta(t, (at(h)-at(-h))/(2*h), grad[i], 1e-6*(1+math.Abs(grad[i])), i)
	}
	for _, one := range []tangent.Structured{reference(&square, nil), reference(nil, &square)} {
		found, err := one.Search([]tangent.Sided{{A: nudged(r, tangent.Identity(3)), C: nudged(r, tangent.Identity(2))}},
			optim.Stop{Gradient: 1e-6, Evaluations: 1000})
		require.NoError(t, err)
		require.InDelta(t, 1.536097829823, found.Cost, 1e-11)
	}
}

func flat(m *mat.Dense) []float64 { return append([]float64{}, m.RawMatrix().Data...) }

// The bound of a convex problem is its optimum, from the solution's multipliers. Where the penalty is not convex it is
// below the cost of every end of descent, and no multipliers lift it above; without adaptation the optimum is ‖B‖².
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	square, modulus := tangent.Square, tangent.Modulus
	for _, sides := range [][2]*tangent.Penalty{{&square, nil}, {nil, &square}, {nil, nil}, {&modulus, nil},
		{&square, &modulus}, {&square, &square}} {
		s := reference(sides[0], sides[1])
		found, err := s.Descend(1000, 1e-12)
		require.NoError(t, err)
		bound, err := s.GlobalBound(found)
		require.NoError(t, err)
		if sides[0] != &modulus && (sides[0] == nil || sides[1] == nil) { // convex
			require.InDelta(t, found.Cost, bound, 1e-9)
		}
		require.LessOrEqual(t, bound, found.Cost)
		require.Greater(t, bound, 0.5*found.Cost)
		t.Logf("cost %v, bound %v", found.Cost, bound)
		for range 20 {
			other, err := s.Bound(gaussian(r, 2, 1).RawMatrix().Data, found.Cost)
			require.NoError(t, err)
			require.LessOrEqual(t, other, found.Cost)
		}
	}
	s := reference(&square, nil)
	_, err := s.Bound([]float64{1}, 1)
	require.Error(t, err)
	s.Labels = nil
	_, err = s.Bound(nil, 1)
	require.Error(t, err)
}
