package emergence

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
)

// small is a network at the start with a few samples.
func small(seed uint64) (truncated.Net, data.Sample) {
	r := streams.New(seed, "small")
	law, net := begin(r, ParitySizes{Dim: 6, Count: 3, Neurons: 5}, false)
	return net, law.Draw(r, 40)
}

// The linear network is the derivative of the network: its outputs are central differences of the network's along the
// same direction.
func TestLinearNetworkIsTheDerivative(t *testing.T) {
	const step = 1e-6
	net, s := small(1)
	r := streams.New(2, "direction")
	l := newLinear(net)
	n, d := net.W.Dims()
	l.w.Copy(features.Gaussian(r, n, d))
	for i := range n {
		l.a[i], l.b[i] = r.NormFloat64(), r.NormFloat64()
	}
	at := func(h float64) []float64 {
		moved := truncated.Net{W: mat.DenseCopyOf(net.W), B: append([]float64{}, net.B...), A: append([]float64{},
			net.A...)}
		for i := range n {
			floats.AddScaled(moved.W.RawRowView(i), h, l.w.RawRowView(i))
			moved.B[i] += h * l.b[i]
			moved.A[i] += h * l.a[i]
		}
		return moved.Outputs(s, 0)
	}
	plus, minus := at(step), at(-step)
	f, _, _ := l.outputs(s)
	for i := range f {
		// The network is of degree two between its kinks: the difference errs by rounding alone, 10⁻¹⁴/step.
		require.InDelta(t, (plus[i]-minus[i])/(2*step), f[i], 1e-7)
	}
}

// The gradient of the linear network's loss is a central difference of the loss, in each kind of parameter.
func TestLinearGradientAgainstDifferences(t *testing.T) {
	const step = 1e-6
	net, s := small(3)
	r := streams.New(4, "point")
	l := newLinear(net)
	n, d := net.W.Dims()
	l.w.Copy(features.Gaussian(r, n, d))
	for i := range n {
		l.a[i], l.b[i] = r.NormFloat64(), r.NormFloat64()
	}
	probe := newLinear(net)
	loss := func() float64 { return probe.gradient(s) }
	probe.w.Copy(l.w)
	copy(probe.a, l.a)
	copy(probe.b, l.b)
	require.Positive(t, l.gradient(s))
	for _, c := range []struct {
		x    *float64
		want float64
	}{{&probe.w.RawMatrix().Data[3], l.gw.RawMatrix().Data[3]}, {&probe.w.RawMatrix().Data[20],
		l.gw.RawMatrix().Data[20]},
		{&probe.b[1], l.gb[1]}, {&probe.a[7], l.ga[7]}} {
		before := *c.x
		*c.x = before + step
		up := loss()
		*c.x = before - step
		down := loss()
		*c.x = before
		require.InDelta(t, (up-down)/(2*step), c.want, 1e-8)
	}
}

// A rank-one set of neurons is two points at distance two, on the sides of their signs.
func TestPlaneOfALine(t *testing.T) {
	w := mat.NewDense(4, 3, []float64{1, 2, 3, 2, 4, 6, -1, -2, -3, -3, -6, -9})
	p := scaled(truncated.Net{W: w, A: []float64{1, 2, -1, -3}, B: make([]float64, 4)})
	for i, sign := range []float64{1, 1, -1, -1} {
		require.InDelta(t, sign*math.Sqrt(2)/2, p.X[i]/math.Sqrt(2), 1e-12)
		require.InDelta(t, 0, p.Y[i], 1e-7)
	}
	require.Equal(t, 1.0, p.sides())
	require.InDelta(t, 1, meanPair(w, 4), 1e-12)
}

// The accuracy of the nearer mean of two points equals the accuracy of a half-space.
func TestNearest(t *testing.T) {
	train := data.Sample{X: mat.NewDense(2, 1, []float64{-1, 3}), Y: []float64{-1, 1}}
	test := data.Sample{X: mat.NewDense(4, 1, []float64{0.9, 1.1, 0.5, 7}), Y: []float64{-1, 1, 1, 1}}
	require.Equal(t, 0.75, nearest(train, test))
	require.Equal(t, 1.0, effective(train).AtVec(0))
}

// Injected inputs have the mean squared length of the pictures.
func TestInjectedInputsHaveTheLengthOfPictures(t *testing.T) {
	r := streams.New(5, "inject")
	p := pictures{train: features.Gaussian(r, 200, 8)}
	p.train.Scale(3, p.train)
	for _, inputs := range injections {
		x := TeacherCell{Inputs: inputs}.inject(r, p, 4000, 200)
		// relative standard deviation of a mean of 4000 squared lengths of eight coordinates: at most √(1/6000)
		// = 0.013
		require.InEpsilon(t, meanSquare(p.train), meanSquare(x), 5*0.013, inputs)
	}
}

// Quick runs on the built-in pictures are whole, and the same again.
func TestQuickRuns(t *testing.T) {
	for _, e := range Experiments[1:] {
		o := experiment.Options{Effort: props.Quick, Seed: 1, Jobs: 2, Sets: []experiment.Set{experiment.SyntheticSet(
			1)}}
		first, err := e.Run(t.Context(), o)
		require.NoError(t, err)
		require.Equal(t, first.Run.Cells.Planned, first.Run.Cells.Run)
		require.Empty(t, e.Unsound(first))
		o.Jobs = 1
		second, err := e.Run(t.Context(), o)
		require.NoError(t, err)
		a, err := first.Encode()
		require.NoError(t, err)
		b, err := second.Encode()
		require.NoError(t, err)
		require.Equal(t, string(a), string(b))
	}
}

// In the quick run the network is ahead of random features, which keep their loss, and
// does not learn without structure.
func TestQuickParity(t *testing.T) {
	loss := map[ParityCell]float64{}
	for _, inputs := range []string{structured, uniform} {
		for _, m := range methods {
			c := ParityCell{inputs, m, 0}
			curve, err := paritySpec.Train(t.Context(), experiment.NewEnv(1), paritySpec.Sizes[props.Quick], c)
			require.NoError(t, err)
			loss[c] = curve.last().Loss
		}
	}
	require.Less(t, loss[ParityCell{structured, network, 0}], loss[ParityCell{structured, random, 0}])
	require.Greater(t, loss[ParityCell{structured, random, 0}], 0.4)
	require.Greater(t, loss[ParityCell{uniform, network, 0}], 0.9)
}

// On all patterns of five bits with the structured law the sign of the sum is right with probability 27/32.
func TestSignOfSum(t *testing.T) {
	law := data.Wide{Dim: 5, Support: []int{0, 1, 2, 3, 4}, Accept: data.Parity(5), Pattern: data.Uniform(5, 0.5)}
	s := data.Sample{X: mat.NewDense(32, 5, nil), P: law.Pattern}
	for p := range 32 {
		for j := range 5 {
			s.X.Set(p, j, float64(p>>j&1)-0.5)
		}
		s.Y = append(s.Y, law.Label(p))
	}
	require.InDelta(t, threshold, signOfSum(s, law.Support), 1e-15)
}
