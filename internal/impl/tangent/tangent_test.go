package tangent_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/internal/impl/tangent"
)

func gaussian(r *rand.Rand, rows, cols int) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, m)
	return m
}

// nearIdentity is a transformation whose singular values stay away from zero.
func nearIdentity(r *rand.Rand, p int) *mat.Dense {
	m := gaussian(r, p, p)
	m.Scale(0.3/math.Sqrt(float64(p)), m)
	m.Add(m, tangent.Identity(p))
	return m
}

// The central difference at step 1e-5 has an error of 1e-10/6 times the third derivative and a rounding error of
// about 1e-11 times the value; the values here are of order ten and the third derivatives at most a few hundred times
// the first.
const fdStep, fdTol = 1e-5, 1e-7

// checkGradient holds a gradient against central differences in every coordinate.
func checkGradient(t *testing.T, what string, f optim.Objective, x []float64) {
	t.Helper()
	grad, scratch := make([]float64, len(x)), make([]float64, len(x))
	value := f(grad, x)
	require.False(t, math.IsNaN(value) || math.IsInf(value, 0), what)
	for i := range x {
		at := x[i]
		x[i] = at + fdStep
		up := f(scratch, x)
		x[i] = at - fdStep
		down := f(scratch, x)
		x[i] = at
		if d := (up - down) / (2 * fdStep); !(math.Abs(d-grad[i]) <= fdTol*(1+math.Abs(d))) {
			t.Errorf("%s, coordinate %d: gradient %v, difference %v", what, i, grad[i], d)
		}
	}
}

var smooth = []tangent.Penalty{tangent.Square, tangent.Modulus.Smoothed(0.01), tangent.LogDet, tangent.WeightDecay,
	tangent.Saturating, tangent.Flat, tangent.Convolved(tangent.Square, tangent.Modulus), tangent.Square.Times(3)}

func TestObjectivesHaveTheGradientsTheySay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, penalty := range smooth {
		model := tangent.Model{Features: gaussian(r, 3, 5), Labels: gaussian(r, 3, 1).RawMatrix().Data,
			Penalty: penalty}
		joint, err := model.Joint()
		require.NoError(t, err)
		checkGradient(t, "eliminated, "+penalty.Name, model.Eliminated(nil), nearIdentity(r, 5).RawMatrix().Data)
		checkGradient(t, "joint, "+penalty.Name, joint.Objective,
			append(gaussian(r, 5, 1).RawMatrix().Data, nearIdentity(r, 5).RawMatrix().Data...))
	}
}

func TestPenaltySlopesAreDerivatives(t *testing.T) {
	for _, p := range append(smooth, tangent.Modulus) {
		for _, e := range []float64{-0.7, -0.31, -0.02, 0.03, 0.4, 0.9, 1.4, 6} {
			d := (p.Value(e+1e-6) - p.Value(e-1e-6)) / 2e-6
			if !(math.Abs(d-p.Slope(e)) <= 1e-7*(1+math.Abs(d))) {
				t.Errorf("%s at %v: slope %v, difference %v", p.Name, e, p.Slope(e), d)
			}
		}
	}
}

// By hand: ω₁ ⊕ ω₂ is (z−1)² up to (1+√3)/2 and 3a²−4a with 2a²(a−1) = z beyond; a = 3/2 gives z = 9/4 and 3/4. The
// operation commutes, and lies below both of its arguments.
func TestConvolution(t *testing.T) {
	c, swapped := tangent.Convolved(tangent.Square, tangent.Modulus), tangent.Convolved(tangent.Modulus, tangent.Square)
	for _, pair := range [][2]float64{{1, 0}, {1.2, 0.04}, {2.25, 0.75}, {0.3, 0.49}, {0, 1}} {
		if got := c.Value(pair[0] - 1); !(math.Abs(got-pair[1]) <= 1e-14) {
			t.Errorf("ω₃(%v) = %v, want %v", pair[0], got, pair[1])
		}
	}
	for _, e := range []float64{-1, -0.9, -0.2, 1e-9, 0.36, 0.37, 2, 80} {
		v := c.Value(e)
		if !(math.Abs(v-swapped.Value(e)) <= 1e-13*v && v <= tangent.Square.Value(e) && v <= tangent.Modulus.Value(e)) {
			t.Errorf("at %v: %v, swapped %v", e, v, swapped.Value(e))
		}
	}
}

// Brute force against algebra: e² + v²/z² at z = 3/2 is stationary for v² = z³(z−1) = 27/16.
func TestLeastAndStationary(t *testing.T) {
	v := math.Sqrt(27. / 16)
	e, value, err := tangent.Square.Minimum(v)
	require.NoError(t, err)
	if !(math.Abs(e-0.5) <= 1e-7 && math.Abs(value-1) <= 1e-14 && math.Abs(tangent.Square.Stationary(v)-0.5) <= 1e-14) {
		t.Errorf("got e = %v with value %v, stationary at %v", e, value, tangent.Square.Stationary(v))
	}
	e, value, err = tangent.Modulus.Minimum(0.5) // 2v² < 1: the left end
	require.NoError(t, err)
	require.Zero(t, e)
	require.Equal(t, 0.25, value)
	require.Zero(t, tangent.Modulus.Stationary(0.5))
	if e := tangent.Square.Stationary(1e-6); !(math.Abs(e-1e-12) <= 1e-23) { // e = v² − 3v⁴
		t.Errorf("small v: %v", e)
	}
	_, _, err = tangent.Saturating.Minimum(2)
	require.ErrorContains(t, err, "no minimum")
}

func TestTangentFeaturesAgainstCentralDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	net := nn.Net{
		{W: gaussian(r, 3, 2), B: gaussian(r, 3, 1).RawMatrix().Data, Act: nn.Tanh},
		{W: gaussian(r, 1, 3), Act: nn.Identity},
	}
	samples := gaussian(r, 4, 2)
	features := tangent.NetFeatures(net, samples)
	var weights []*float64
	for i := range net[0].W.RawMatrix().Data {
		weights = append(weights, &net[0].W.RawMatrix().Data[i])
	}
	for i := range net[0].B {
		weights = append(weights, &net[0].B[i])
	}
	for i := range net[1].W.RawMatrix().Data {
		weights = append(weights, &net[1].W.RawMatrix().Data[i])
	}
	n, p := features.Dims()
	require.Equal(t, len(weights), p)
	for i := range n {
		x := mat.Row(nil, i, samples)
		for k, w := range weights {
			at := *w
			*w = at + fdStep
			up := net.Forward(x, nil)[0]
			*w = at - fdStep
			down := net.Forward(x, nil)[0]
			*w = at
			if d := (up - down) / (2 * fdStep); !(math.Abs(d-features.At(i, k)) <= 1e-9) {
				t.Errorf("sample %d weight %d: feature %v, difference %v", i, k, features.At(i, k), d)
			}
		}
	}
	net[1].W = gaussian(r, 2, 3)
	require.PanicsWithValue(t, "tangent: tangent features need a network with one output",
		func() { tangent.NetFeatures(net, samples) })
}

// The kernel of a two-layer network without biases, from the formula
// K(x,x') = Σ φ(zⱼ)φ(z'ⱼ) + xᵀx' Σ aⱼ²φ'(zⱼ)φ'(z'ⱼ), for one fixed net; numbers computed independently.
func TestTangentKernelByHand(t *testing.T) {
	net := nn.Net{
		{W: mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, -1}), Act: nn.Tanh},
		{W: mat.NewDense(1, 3, []float64{1, -1, 2}), Act: nn.Identity},
	}
	x := mat.NewDense(2, 2, []float64{0.5, -0.2, 0.3, 0.8})
	require.InDeltaSlice(t, []float64{1.8682280317192, -1.2969584723363}, tangent.Outputs(net, x), 1e-12)
	phi := tangent.NetFeatures(net, x)
	k := tangent.Kernel(phi, phi, tangent.Identity(9))
	want := mat.NewDense(2, 2, []float64{1.5323371957319, -0.3082700477464, -0.3082700477464, 3.3848936324146})
	require.True(t, mat.EqualApprox(want, k, 1e-12), "%v", mat.Formatted(k))
}

// Both parametrisations interpolate: the shortest parameters of a random M, and every pair of the joint one.
func TestPairsInterpolate(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	model := tangent.Model{Features: gaussian(r, 3, 5), Labels: []float64{1, -2, 0.5}, Penalty: tangent.Square}
	m := gaussian(r, 5, 5)
	theta, err := model.Parameters(m)
	require.NoError(t, err)
	joint, err := model.Joint()
	require.NoError(t, err)
	point := gaussian(r, 6, 5).RawMatrix().Data
	theta2, m2 := joint.Pair(point)
	grad := make([]float64, len(point))
	for _, miss := range []float64{
		model.Residual(theta, m), model.Residual(theta2, m2),
		joint.Objective(grad, point) - model.Cost(theta2, m2),
		model.Eliminated(nil)(make([]float64, 25), m.RawMatrix().Data) - model.Cost(theta, m),
	} {
		if !(math.Abs(miss) <= 1e-11) { // sums of 25 products of order ten, condition number below a thousand
			t.Errorf("misses by %v", miss)
		}
	}
	require.True(t, math.IsInf(joint.Objective(grad, make([]float64, 30)), 1))
}

func TestFailuresAreErrors(t *testing.T) {
	model := tangent.Model{Features: mat.NewDense(2, 2, []float64{1, 2, 2, 4}), Labels: []float64{1, 2},
		Penalty: tangent.Square}
	_, err := model.Parameters(tangent.Identity(2))
	require.Error(t, err)
	_, err = model.Predict(model.Features, tangent.Identity(2))
	require.Error(t, err)
	_, err = model.Joint()
	require.Error(t, err)
	require.True(t, math.IsInf(model.Eliminated(nil)(make([]float64, 4), []float64{1, 0, 0, 1}), 1))
	nan := mat.NewDense(2, 2, []float64{math.NaN(), 0, 0, 1})
	require.True(t, math.IsNaN(model.Cost([]float64{0, 0}, nan)))
	model.Labels = []float64{1}
	require.PanicsWithValue(t, "tangent: need one label per row of the features",
		func() { _, _ = model.Parameters(nan) })
}

// Masked entries have no gradient, and the arguments are left alone.
func TestMaskAndArguments(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	model := tangent.Model{Features: gaussian(r, 2, 4), Labels: []float64{1, 2}, Penalty: tangent.Square}
	block := func(i, j int) bool { return i/2 == j/2 }
	x, grad, all := tangent.Identity(4).RawMatrix().Data, make([]float64, 16), make([]float64, 16)
	before := append([]float64{}, x...)
	model.Eliminated(block)(grad, x)
	model.Eliminated(nil)(all, x)
	require.Equal(t, before, x)
	for k, g := range grad {
		if block(k/4, k%4) {
			require.Equal(t, all[k], g)
		} else {
			require.Zero(t, g)
		}
	}
}

// From any start and by either way a search ends where the gradient vanishes, and where the penalty has a kink on it.
func TestSearchEndsAtAMinimum(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	features, start := gaussian(r, 2, 4), gaussian(r, 4, 4)
	search := tangent.Search{Tiny: 1e-4, Smoothing: 1e-3,
		Model: tangent.Model{Features: features, Labels: []float64{0.2, -0.1}, Penalty: tangent.LogDet}}
	var costs []float64
	for _, theta := range [][]float64{nil, {1, 0.5, -1, 2}} {
		m, gradient, err := search.From(theta, start)
		require.NoError(t, err)
		if !(gradient <= 1e-13) {
			t.Errorf("gradient %v", gradient)
		}
		best, err := search.Parameters(m)
		require.NoError(t, err)
		costs = append(costs, search.Cost(best, m))
	}
	require.InEpsilon(t, costs[0], costs[1], 1e-13)

	search.Penalty, search.Kink = tangent.Modulus.Times(3), 3 // the labels are too weak to stretch against this slope
	m, _, err := search.From(nil, start)
	require.NoError(t, err)
	var mm mat.Dense
	mm.Mul(m, m.T())
	require.True(t, mat.EqualApprox(&mm, tangent.Identity(4), 1e-14), "%v", mat.Formatted(&mm))

	search.Free = func(i, j int) bool { return i/2 == j/2 }
	m, _, err = search.From(nil, start)
	require.NoError(t, err)
	if x := math.Abs(m.At(0, 3)); !(x <= 1e-15) {
		t.Errorf("an entry that may not move has moved to %v", x)
	}
	require.NotZero(t, start.At(0, 3))
}
