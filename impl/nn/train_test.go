package nn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
)

func gaussian(r *rand.Rand, rows, cols int) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, m)
	return m
}

// targets suit every loss: rows of probabilities.
func targets(r *rand.Rand, rows, cols int) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	for i := range rows {
		var sum float64
		for j := range cols {
			m.Set(i, j, r.Float64())
			sum += m.At(i, j)
		}
		for j := range cols {
			m.Set(i, j, m.At(i, j)/sum)
		}
	}
	return m
}

// models have every kind of stage: dense, with and without bias; convolutions with padding, with stride, with pooling
// that leaves a border over; a convolution on a convolution; a dense stage on an image.
func models(r *rand.Rand, act nn.Activation, loss nn.Loss) map[string]*nn.Model {
	bare := nn.NewDenseModel(r, []int{5, 6, 3}, act, loss)
	bare.Stages[0].B = nil
	image := nn.Conv{Height: 6, Width: 5, Channels: 2, Size: 3, Pad: 1, Stride: 1}
	pooled := nn.Conv{Height: 3, Width: 2, Channels: 3, Size: 2, Pad: 0, Stride: 1}
	strided := nn.Conv{Height: 6, Width: 5, Channels: 2, Size: 2, Pad: 1, Stride: 2}
	return map[string]*nn.Model{
		"one stage": nn.NewDenseModel(r, []int{4, 3}, act, loss),
		"dense":     nn.NewDenseModel(r, []int{4, 6, 5, 3}, act, loss),
		"no bias":   bare,
		"convolutions": {Stages: []nn.Stage{nn.NewConvStage(r, image, 3, act, 2), nn.NewConvStage(r, pooled, 4, act, 0),
			nn.NewStage(r, 2*1*4, 3, nn.Identity)}, Loss: loss},
		"stride": {Stages: []nn.Stage{nn.NewConvStage(r, strided, 2, act, 0), nn.NewStage(r, 4*3*2, 3, nn.Identity)},
			Loss: loss},
	}
}

func inputs(m *nn.Model) int {
	s := m.Stages[0]
	if s.Conv != nil {
		return s.Conv.Height * s.Conv.Width * s.Conv.Channels
	}
	_, in := s.W.Dims()
	return in
}

func TestBatchedGradientsAgainstCentralDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, loss := range nn.Losses {
		for _, act := range []nn.Activation{nn.GELU, nn.Tanh} {
			for name, m := range models(r, act, loss) {
				x, y := gaussian(r, 3, inputs(m)), targets(r, 3, 3)
				var tr nn.Trace
				m.Backprop(&tr, x, y)
				if d := tr.Loss - m.Value(x, y); !(math.Abs(d) <= 1e-14) {
					t.Errorf("%s: loss of the two passes differs by %v", name, d)
				}
				near := func(what string, got float64, at *float64) {
					old := *at
					*at = old + fdStep
					up := m.Value(x, y)
					*at = old - fdStep
					down := m.Value(x, y)
					*at = old
					if !(math.Abs(got-(up-down)/(2*fdStep)) <= fdTol) {
						t.Errorf("%s, %s, %s, %s: backprop %v, difference %v", name, loss.Name, act.Name, what, got, (up-down)/(2*fdStep))
					}
				}
				for l := range m.Stages {
					var grad mat.Dense
					grad.CloneFrom(m.Stages[l].W)
					tr.Views[l].WeightGrad(&grad)
					weights := m.Stages[l].W.RawMatrix().Data
					for i := range weights {
						near("weight", grad.RawMatrix().Data[i], &weights[i])
					}
					for i, g := range tr.Views[l].BiasGrad() {
						if m.Stages[l].B != nil {
							near("bias", g, &m.Stages[l].B[i])
						}
					}
				}
				image := tr.Views[0].ImageGrad()
				for i := range x.RawMatrix().Data {
					near("input", image.RawMatrix().Data[i], &x.RawMatrix().Data[i])
				}
			}
		}
	}
}

// TestBatchedAgainstPerSample compares the batched pass with the independent per-sample one. Both sum the same few
// products; 1e-14 is a hundred roundings of values of order one.
func TestBatchedAgainstPerSample(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, act := range nn.Activations {
		m := nn.NewDenseModel(r, []int{4, 6, 5, 3}, act, nn.Squared)
		var single nn.Net
		for _, s := range m.Stages {
			single = append(single, nn.Layer{W: s.W, B: s.B, Act: s.Act})
		}
		const batch = 7
		x, y := gaussian(r, batch, 4), gaussian(r, batch, 3)
		var tr nn.Trace
		m.Backprop(&tr, gaussian(r, 2, 4), gaussian(r, 2, 3)) // a smaller batch first: its memory must not show
		m.Backprop(&tr, x, y)
		var loss float64
		near := func(what string, got, want float64) {
			if !(math.Abs(got-want) <= 1e-14*(1+math.Abs(want))) {
				t.Errorf("%s %s: batched %v, per sample %v", act.Name, what, got, want)
			}
		}
		for i := range batch {
			p := single.Backprop(x.RawRowView(i), y.RawRowView(i))
			loss += p.Loss / batch
			for l, v := range tr.Views {
				inputGrad := v.InputGrad()
				for j := range p.Input[l] {
					near("input", v.Inputs.At(i, j), p.Input[l][j])
					near("input gradient", inputGrad.At(i, j), p.InputGrad[l][j]/batch)
				}
				for j := range p.Pre[l] {
					near("pre-activation", v.Pre.At(i, j), p.Pre[l][j])
					near("gradient", v.PreGrad.At(i, j), p.PreGrad[l][j]/batch)
				}
			}
		}
		near("loss", tr.Loss, loss)
	}
}

// TestConvolutionAgainstTheDefinition sums over the image directly, on integers, with tolerance 0.
func TestConvolutionAgainstTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, c := range []nn.Conv{
		{Height: 5, Width: 4, Channels: 2, Size: 3, Pad: 1, Stride: 1},
		{Height: 4, Width: 7, Channels: 3, Size: 2, Pad: 0, Stride: 1},
		{Height: 5, Width: 6, Channels: 1, Size: 2, Pad: 2, Stride: 3},
		{Height: 1, Width: 1, Channels: 1, Size: 3, Pad: 1, Stride: 1},
		{Height: 2, Width: 3, Channels: 1, Size: 5, Pad: 4, Stride: 1},
		{Height: 2, Width: 3, Channels: 2, Size: 2, Pad: 3, Stride: 1}, // some patches see nothing of the image
	} {
		s := nn.NewConvStage(r, c, 2, nn.Identity, 0)
		s.B = nil
		integer := func(m *mat.Dense) {
			m.Apply(func(_, _ int, _ float64) float64 { return float64(r.IntN(9) - 4) }, m)
		}
		integer(s.W)
		const batch = 2
		x := mat.NewDense(batch, c.Height*c.Width*c.Channels, nil)
		integer(x)
		got := (&nn.Model{Stages: []nn.Stage{s}, Loss: nn.Squared}).Predict(x)
		down, across := c.Sites()
		for b := range batch {
			for site := range down * across {
				for channel := range 2 {
					var want float64
					for i := range c.Size {
						for j := range c.Size {
							row, col := site/across*c.Stride+i-c.Pad, site%across*c.Stride+j-c.Pad
							if row < 0 || row >= c.Height || col < 0 || col >= c.Width {
								continue
							}
							for k := range c.Channels {
								want += s.W.At(channel, (i*c.Size+j)*c.Channels+k) * x.At(b, (row*c.Width+col)*c.Channels+k)
							}
						}
					}
					require.Equal(t, want, got.At(b, site*2+channel), "%+v", c)
				}
			}
		}
		unfolded := mat.NewDense(batch*down*across, c.PatchLen(), nil)
		folded := mat.NewDense(batch, c.Height*c.Width*c.Channels, nil)
		patches := mat.NewDense(batch*down*across, c.PatchLen(), nil)
		integer(patches)
		integer(unfolded) // what dst held must not show
		integer(folded)
		c.Unfold(unfolded, x)
		c.Fold(folded, patches)
		require.Equal(t, inner(unfolded, patches), inner(x, folded), "Fold is not the transpose of Unfold")
	}
}

func inner(a, b *mat.Dense) (sum float64) {
	for i, v := range a.RawMatrix().Data {
		sum += v * b.RawMatrix().Data[i]
	}
	return sum
}

// TestLossGradients takes targets that are no probabilities too.
func TestLossGradients(t *testing.T) {
	f, y, grad := []float64{0.3, -1.2, 2.1}, []float64{0.5, 0.9, -0.3}, make([]float64, 3)
	for _, loss := range nn.Losses {
		loss.Row(grad, f, y)
		for i := range f {
			up, down := append([]float64{}, f...), append([]float64{}, f...)
			up[i] += fdStep
			down[i] -= fdStep
			spare := make([]float64, 3)
			if d := (loss.Row(spare, up, y) - loss.Row(spare, down, y)) / (2 * fdStep); !(math.Abs(d-grad[i]) <= fdTol) {
				t.Errorf("%s: gradient %v, difference %v", loss.Name, grad[i], d)
			}
		}
	}
}

// TestPoolingSendsTheGradientToTheFirstMaximum: on a constant image, whose squares are all ties.
func TestPoolingSendsTheGradientToTheFirstMaximum(t *testing.T) {
	c := nn.Conv{Height: 5, Width: 4, Channels: 1, Size: 1, Stride: 1}
	m := &nn.Model{Loss: nn.Squared,
		Stages: []nn.Stage{{W: mat.NewDense(1, 1, []float64{1}), Act: nn.Identity, Conv: &c, Pool: 2}}}
	x := mat.NewDense(1, 20, nil)
	var tr nn.Trace
	m.Backprop(&tr, x, mat.NewDense(1, 4, []float64{-1, -2, -3, -4})) // gradients 1, 2, 3, 4
	require.Equal(t, []float64{1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		tr.Views[0].PreGrad.RawMatrix().Data)
}

func TestLossesInTheTails(t *testing.T) {
	for _, loss := range nn.Losses {
		grad := make([]float64, 2)
		for _, f := range [][]float64{{800, -800}, {-800, 800}, {0, 0}} {
			v := loss.Row(grad, f, []float64{1, 0})
			for _, x := range append([]float64{v}, grad...) {
				require.False(t, math.IsNaN(x) || math.IsInf(x, 0), "%s at %v", loss.Name, f)
			}
			require.True(t, v >= 0, loss.Name)
		}
		require.True(t, math.IsNaN(loss.Row(grad, []float64{math.NaN(), 0}, []float64{1, 0})), loss.Name)
	}
	require.Equal(t, math.Log(2), nn.SoftmaxCrossEntropy.Row(make([]float64, 2), []float64{3, 3}, []float64{0, 1}))
	require.Equal(t, math.Log(2), nn.Logistic.Row(make([]float64, 1), []float64{0}, []float64{1}))
}

func TestAccuracyTargetsAndShapes(t *testing.T) {
	nan := math.NaN()
	outputs := mat.NewDense(4, 3, []float64{1, 2, 3, 5, 4, 3, nan, 1, 0, 1, 1, 0})
	require.Equal(t, 0.5, nn.Accuracy(outputs, []int{2, 0, 1, 1})) // a NaN is wrong, and so is a tie
	require.Equal(t, 0.75, nn.Accuracy(mat.NewDense(4, 1, []float64{1, -1, 2, nan}), []int{1, 0, 1, 0}))
	require.Equal(t, []float64{0, 1, 1, 0}, nn.OneHot([]int{1, 0}, 2).RawMatrix().Data)

	r := rand.New(rand.NewPCG(1, 1))
	m := nn.NewDenseModel(r, []int{4, 3}, nn.Tanh, nn.Squared)
	require.PanicsWithValue(t, "nn: shape of the targets differs from that of the outputs",
		func() { m.Value(gaussian(r, 2, 4), gaussian(r, 3, 3)) })
	require.PanicsWithValue(t, "dense: shapes of a product do not fit", func() { m.Predict(gaussian(r, 2, 5)) })
	require.Panics(t, func() { nn.Conv{Height: 2, Width: 2, Channels: 1, Size: 3, Stride: 1}.Sites() })

	large := gaussian(r, 300, 4) // more than one chunk
	one := m.Predict(large.Slice(270, 271, 0, 4).(*mat.Dense))
	require.Equal(t, one.RawRowView(0), m.Predict(large).RawRowView(270))

	clone := m.Clone()
	clone.Stages[0].W.Set(0, 0, 7)
	clone.Stages[0].B[0] = 7
	require.NotEqual(t, 7.0, m.Stages[0].W.At(0, 0))
	require.NotEqual(t, 7.0, m.Stages[0].B[0])
}

// TestSplitComputesTheSame: outputs and the gradients of what was there before, of every stage of every model.
func TestSplitComputesTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(50, 1))
	for name, m := range models(r, nn.GELU, nn.Squared) {
		for l := range m.Stages {
			s := m.Split(l)
			x := gaussian(r, 4, inputs(m))
			require.True(t, mat.Equal(m.Predict(x), s.Predict(x)), "%s, stage %d", name, l)
			y := targets(r, 4, len(m.Predict(x).RawRowView(0)))
			var old, split nn.Trace
			m.Backprop(&old, x, y)
			s.Backprop(&split, x, y)
			require.True(t, mat.Equal(old.Views[l].PreGrad, split.Views[l].PreGrad), "%s, stage %d: R is the identity", name, l)
			require.True(t, mat.Equal(old.Views[l].PreGrad, split.Views[l+1].PreGrad), "%s, stage %d", name, l)
			require.True(t, mat.Equal(old.Views[l].Inputs, split.Views[l].Inputs))
			joined := s.Joined()
			require.Len(t, joined.Stages, len(m.Stages))
			require.True(t, mat.Equal(m.Predict(x), joined.Predict(x)), "%s, stage %d", name, l)
		}
		require.Panics(t, func() { m.Split(len(m.Stages)) })
	}
}
