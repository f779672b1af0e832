package nn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
)

// The central difference at step h has an error of h²/6·f‴ plus rounding u·|f|/h. At h = 1e-5 and values of order
// one both are below 1e-10; derivatives here are at most a few tens, so 1e-8 leaves two digits.
const fdStep, fdTol = 1e-5, 1e-8

func TestSlopesAreDerivatives(t *testing.T) {
	for _, a := range nn.Activations {
		for _, z := range []float64{-9.7, -3.1, -0.7, -0.02, 0.03, 0.6, 2.2, 8.9} {
			difference := (a.Value(z+fdStep) - a.Value(z-fdStep)) / (2 * fdStep)
			if !(math.Abs(difference-a.Slope(z)) <= fdTol) {
				t.Errorf("%s at %v: slope %v, central difference %v", a.Name, z, a.Slope(z), difference)
			}
		}
	}
}

func TestActivationsAreStableInTheTails(t *testing.T) {
	for _, a := range nn.Activations {
		for _, z := range []float64{-800, 800} {
			if v, s := a.Value(z), a.Slope(z); math.IsNaN(v) || math.IsInf(v, 0) || math.IsNaN(s) || math.IsInf(s, 0) {
				t.Errorf("%s at %v: value %v, slope %v", a.Name, z, v, s)
			}
		}
	}
}

// net draws a network of three layers, the middle one with a skip connection, on 4 inputs and 2 outputs.
func net(r *rand.Rand, act nn.Activation) nn.Net {
	layer := func(out, in int, a nn.Activation) nn.Layer {
		l := nn.Layer{W: mat.NewDense(out, in, nil), B: make([]float64, out), Act: a}
		l.W.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() / math.Sqrt(float64(in)) }, l.W)
		for i := range l.B {
			l.B[i] = r.NormFloat64()
		}
		return l
	}
	n := nn.Net{layer(5, 4, act), layer(5, 5, act), layer(2, 5, nn.Identity)}
	n[1].Skip = true
	return n
}

func TestBackpropAgainstCentralDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, act := range []nn.Activation{nn.Tanh, nn.GELU, nn.Softplus, nn.Sigmoid, nn.ZMinusSin} {
		n := net(r, act)
		x, y := []float64{0.3, -1.1, 0.8, 0.2}, []float64{0.5, -0.4}
		p := n.Backprop(x, y)
		if !(math.Abs(p.Loss-n.Loss(x, y)) <= 1e-14) {
			t.Errorf("%s: loss of the two passes differs", act.Name)
		}
		for l := range n {
			rows, cols := n[l].W.Dims()
			for i := range rows {
				for j := range cols {
					at := n[l].W.At(i, j)
					n[l].W.Set(i, j, at+fdStep)
					up := n.Loss(x, y)
					n[l].W.Set(i, j, at-fdStep)
					down := n.Loss(x, y)
					n[l].W.Set(i, j, at)
					if got := p.PreGrad[l][i] * p.Input[l][j]; !(math.Abs(got-(up-down)/(2*fdStep)) <= fdTol) {
						t.Errorf("%s layer %d weight %d,%d: backprop %v, difference %v", act.Name, l, i, j, got, (up-down)/(2*fdStep))
					}
				}
			}
		}
		for j := range x {
			up, down := append([]float64{}, x...), append([]float64{}, x...)
			up[j] += fdStep
			down[j] -= fdStep
			if d := (n.Loss(up, y) - n.Loss(down, y)) / (2 * fdStep); !(math.Abs(d-p.InputGrad[0][j]) <= fdTol) {
				t.Errorf("%s input %d: backprop %v, difference %v", act.Name, j, p.InputGrad[0][j], d)
			}
		}
	}
}

func TestBatchCollectsColumnsAndLeavesArgumentsAlone(t *testing.T) {
	n := net(rand.New(rand.NewPCG(3, 4)), nn.ReLU)
	samples := mat.NewDense(4, 2, []float64{1, 2, 3, 4, -5, 6, 7, -8})
	targets := mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	before := mat.DenseCopyOf(samples)
	b := n.BatchAt(1, samples, targets)
	require.True(t, mat.Equal(before, samples))
	second := n.Backprop(mat.Col(nil, 1, samples), mat.Col(nil, 1, targets))
	require.Equal(t, second.Input[1], mat.Col(nil, 1, b.Inputs))
	require.Equal(t, second.PreGrad[1], mat.Col(nil, 1, b.PreGrads))
	require.Equal(t, second.InputGrad[1], mat.Col(nil, 1, b.InputGrads))
	require.PanicsWithValue(t, "nn: input length differs from the layer's columns",
		func() { n.Forward([]float64{1}, nil) })
	require.PanicsWithValue(t, "nn: target length differs from the network's output",
		func() { n.Backprop(make([]float64, 4), []float64{1}) })
}

// TestRowsAreValuesAndSlopes: a row at once is the same bits as entry by entry, over z itself too.
func TestRowsAreValuesAndSlopes(t *testing.T) {
	z := []float64{-3, -1e-300, math.Copysign(0, -1), 0, 5e-324, 0.7, 40, math.Inf(1), math.Inf(-1)}
	for x := -9.0; x < 9; x += 0.37 {
		z = append(z, x)
	}
	for _, act := range nn.Activations {
		values, slopes, alone := make([]float64, len(z)), make([]float64, len(z)), append([]float64{}, z...)
		act.Apply(values, slopes, z)
		act.Apply(alone, nil, alone)
		for j, v := range z {
			for _, pair := range [][2]float64{{values[j], act.Value(v)}, {alone[j], act.Value(v)}, {slopes[j], act.Slope(v)}} {
				require.Equal(t, math.Float64bits(pair[1]), math.Float64bits(pair[0]), "%s at %v", act.Name, v)
			}
		}
	}
}
