package truncated

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
)

// settling is a law of five bits, and a network on it with two neurons of every kind.
func settling(r *rand.Rand) (data.Sample, Net) {
	law := data.Wide{Dim: 5, Support: []int{1, 2, 4}, Accept: data.Parity(3), Pattern: data.Uniform(3, 0.5),
		Background: 0.3}
	net := Net{W: mat.NewDense(10, 5, nil), A: []float64{2, -3, 4, 1, -5, 0.5, 1, -1.5, 3, -2}}
	for i := range 10 {
		for j := range 5 {
			net.W.Set(i, j, 0.02*r.NormFloat64())
		}
		net.B = append(net.B, []float64{-0.5, 0.3, 1.5, 0, 0.7}[i%5])
	}
	return law.Draw(r, 700), net
}

// Neurons that no input bends are found, and a bent one is never taken for one of them.
func TestSettle(t *testing.T) {
	s, net := settling(rand.New(rand.NewPCG(1, 2)))
	require.Equal(t, settled{affine: []int{1, 4, 6, 9}, full: []int{2, 7}, bent: []int{3, 8}}, net.settle(s))
	require.Equal(t, 2, net.GradientProducts(s))
	require.Equal(t, 2, Paired(net.W, net.B, net.A).GradientProducts(s))
	for i, b := range net.B { // two inputs of opposite sign, along the weights, one of which passes the nearest kink
		w := net.W.RawRowView(i)
		long := 1.001 * min(math.Abs(b), math.Abs(b-1)) / floats.Norm(w, 2)
		x := mat.NewDense(2, 5, nil)
		floats.AddScaled(x.RawRowView(0), long/floats.Norm(w, 2), w)
		floats.AddScaled(x.RawRowView(1), -long/floats.Norm(w, 2), w)
		require.Contains(t, net.settle(data.Sample{X: x, Y: []float64{1, 1}, P: []float64{0.5, 0.5}}).bent, i)
	}
}

// Weights whose squares underflow still bend a neuron whose bias is smaller than their reach.
func TestSettleTinyWeights(t *testing.T) {
	for _, size := range []float64{1e-170, 1e-300} {
		net := Net{W: mat.NewDense(2, 1, []float64{size, size}), B: []float64{size / 2, 4 * size}, A: []float64{1, 1}}
		s := data.Sample{X: mat.NewDense(2, 1, []float64{1, -1}), Y: []float64{1, 1}, P: []float64{0.5, 0.5}}
		require.Equal(t, settled{affine: []int{1}, bent: []int{0}}, net.settle(s))
		net.W.Scale(1/size, net.W)
		s.X.Scale(size, s.X)
		require.Equal(t, settled{affine: []int{1}, bent: []int{0}}, net.settle(s))
	}
}

// The gradient in all parameters, with the loss, is the sum over the inputs one by one: of settled and bent neurons, of
// settled ones alone, and where some inputs are beyond their margin.
func TestGradientOfSettledNeurons(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s, all := settling(r)
	for _, net := range []Net{all, all.choose([]int{0, 1, 2, 4, 5, 6, 7, 9}), all.choose([]int{0, 5})} {
		compareOneByOne(t, s, net, 1e-13)
	}
	require.Less(t, all.Gradient(s, 0).Passing, 0.999)
}

// compareOneByOne compares the gradient with the sum over the inputs one by one.
func compareOneByOne(t *testing.T, s data.Sample, net Net, tolerance float64) {
	t.Helper()
	g := net.Gradient(s, 0)
	var diff mat.Dense
	diff.Sub(g.W, net.HingeGradient(s))
	require.LessOrEqual(t, mat.Norm(&diff, 2), tolerance)
	require.InDelta(t, net.HingeLoss(s), g.Loss, tolerance)
	passing, inB, inA := 0.0, make([]float64, len(net.A)), make([]float64, len(net.A))
	for i, p := range s.P {
		z := net.PreActivations(nil, s.X.RawRowView(i))
		if !(s.Y[i]*net.readOut(z) < 1) {
			continue
		}
		passing += p
		for k, x := range z {
			inA[k] -= p * s.Y[i] * min(1, max(x, 0))
			if x > 0 && x < 1 {
				inB[k] -= p * s.Y[i] * net.A[k]
			}
		}
	}
	require.InDelta(t, passing, g.Passing, tolerance)
	require.InDeltaSlice(t, inB, g.B, tolerance)
	require.InDeltaSlice(t, inA, g.A, tolerance)
}

// On dyadic numbers, which add without rounding, everything is the same at ties: neurons without weights whose bias is
// at a kink or next to it, neurons that an input puts on a kink, outputs on the margin, mirrors, and biases at which
// the reach of ⟨w,x⟩ ends.
func TestGradientOnKinksAndMargins(t *testing.T) {
	s := data.Sample{X: mat.NewDense(4, 2, []float64{3, 4, -3, 4, 0, 0, 3, -4}), Y: []float64{1, -1, 1, -1},
		P: []float64{0.25, 0.25, 0.25, 0.25}}
	biases := []float64{-1, -0x1p-30, 0, 0x1p-30, 0.5, 1 - 0x1p-30, 1, 1 + 0x1p-30, 2}
	var rows [][]float64
	var net Net
	for _, w := range [][]float64{{0, 0}, {0.046875, 0.0625}, {0, 0.25}} { // of reach 0, 0.390625 and 1.25
		for _, b := range append(biases, 0.390625, 1-0.390625, 1.390625) {
			rows, net.B, net.A = append(rows, w), append(net.B, b), append(net.A, float64(len(rows)%5-2)/4)
		}
	}
	net.W = mat.NewDense(len(rows), 2, slices.Concat(rows...))
	margins := 0
	for i := range rows {
		for _, a := range []float64{-4, -2, -1, 1, 2, 4} {
			one := net.choose([]int{i})
			one.A[0] = a
			compareOneByOne(t, s, one, 0)
			margins += onMargin(one, s)
		}
	}
	require.Greater(t, margins, 20)
	compareOneByOne(t, s, net, 0)
	compareOneByOne(t, s, Paired(net.W, net.B, net.A), 0)
	i := slices.Index(net.B, 2) // above the upper kink for all inputs: what puts the output at one on its margin
	net.A[i] += 1 - net.Output(s.X.RawRowView(2))
	require.Positive(t, onMargin(net, s))
	compareOneByOne(t, s, net, 0)
}

// onMargin counts the inputs with y g = 1.
func onMargin(net Net, s data.Sample) (count int) {
	for i, y := range s.Y {
		if y*net.Output(s.X.RawRowView(i)) == 1 {
			count++
		}
	}
	return count
}

// Rows that are multiples of a few are found with their factors; more lines than the limit are none.
func TestLines(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	v := mat.NewDense(2, 7, nil)
	for j := range 7 {
		v.Set(0, j, r.NormFloat64())
		v.Set(1, j, r.NormFloat64())
	}
	w := mat.NewDense(9, 7, nil)
	for i := range 9 {
		if i%3 > 0 {
			floats.AddScaled(w.RawRowView(i), r.NormFloat64(), v.RawRowView(i%3-1))
		}
	}
	l := linesOf(w, 3) // the first row is zero, and a line of its own
	require.NotNil(t, l)
	for i, k := range l.of {
		for j := range 7 {
			require.InDelta(t, w.At(i, j), l.scale[i]*l.v.At(k, j), 1e-15)
		}
	}
	require.Nil(t, linesOf(w, 2))
	w.Set(4, 3, w.At(4, 3)*(1+1e-13))
	require.Nil(t, linesOf(w, 3))
}

// Second layers fitted on shared products are those fitted on products of their own.
func TestFitOnLines(t *testing.T) {
	law := data.Wide{Dim: 5, Support: []int{1}, Accept: data.Parity(1), Pattern: data.Uniform(1, 1), Background: 0.5}
	shared := Net{W: mat.NewDense(20, 5, nil), A: make([]float64, 20)}
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 20 {
		shared.W.Set(i, 1, r.NormFloat64())
		shared.W.Set(i, 2, 0.1*shared.W.At(i, 1))
		shared.B = append(shared.B, 0.3*r.NormFloat64())
	}
	own := Net{W: mat.DenseCopyOf(shared.W), B: shared.B, A: shared.A}
	for i := range 20 {
		own.W.Set(i, i%5, own.W.At(i, i%5)*(1+1e-12)+1e-13*math.Exp(float64(i)/20))
	}
	require.NotNil(t, linesOf(shared.W, fewLines))
	require.Nil(t, linesOf(own.W, fewLines))
	require.Equal(t, []int{1, 20}, []int{shared.FitProducts(), own.FitProducts()})
	var fitted [2][]float64
	for i, net := range []Net{shared, own} {
		r := rand.New(rand.NewPCG(9, 10))
		fitted[i] = net.Fit(Head{Steps: 30, Rate: 0.05}, func() data.Sample { return law.Draw(r, 40) }).A
	}
	require.InDeltaSlice(t, fitted[1], fitted[0], 1e-8)
	require.Greater(t, floats.Norm(fitted[0], 2), 0.5)
}
