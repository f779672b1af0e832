package nn

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/dense"
)

// Trace holds the results of a forward and backward pass of a batch. A trace that is passed on to the next batch lends
// it its memory. The zero value is ready.
type Trace struct {
	Loss   float64    // mean over the batch
	Output *mat.Dense // B×outputs
	Views  []View     // one per stage
	grad   *mat.Dense
}

// View holds the data of one stage in a pass of a batch, one row per sample, or per sample and site for a convolution.
// Unlike in [Batch], samples are rows; H.T() and PreGrad.T() are the matrices of columns of the literature.
//
// The loss is the mean over the batch, so row i of PreGrad is (1/B)·∂ℓᵢ/∂zᵢ of the sample's own loss ℓᵢ.
type View struct {
	Stage   *Stage
	Inputs  *mat.Dense // N×in, rows hᵢ that the weights are applied to: samples or patches
	Pre     *mat.Dense // N×out, rows zᵢ = W hᵢ + b
	PreGrad *mat.Dense // N×out, rows ∂loss/∂zᵢ

	activated, pooled, back, images *mat.Dense
	slopes                          *mat.Dense // of the activation at Pre, if it gives them with the values
	winners                         []int
}

// WeightGrad sets dst (out×in) to ∂loss/∂W = Σ (∂loss/∂zᵢ) hᵢᵀ.
func (v *View) WeightGrad(dst *mat.Dense) { dense.Gemm(dst, 1, v.PreGrad.T(), v.Inputs, 0) }

// BiasGrad returns ∂loss/∂b = Σ ∂loss/∂zᵢ, of length out.
func (v *View) BiasGrad() []float64 {
	rows, out := v.PreGrad.Dims()
	sum := make([]float64, out)
	for i := range rows {
		for j, g := range v.PreGrad.RawRowView(i) {
			sum[j] += g
		}
	}
	return sum
}

// InputGrad returns ∂loss/∂hᵢ = Wᵀ ∂loss/∂zᵢ as rows (N×in). A patch counts as an input of its own, also where patches
// overlap: this is the gradient for which Wᵀ·∂loss/∂W = Σ (∂loss/∂hᵢ) hᵢᵀ. It uses the weights as they are now.
func (v *View) InputGrad() *mat.Dense { return dense.Mul(v.PreGrad, v.Stage.W) }

// ImageGrad returns the gradient in the samples that entered the stage, B×inputs: for a convolution the fold of
// InputGrad, in which overlapping patches add up, otherwise InputGrad itself.
func (v *View) ImageGrad() *mat.Dense {
	grad := v.InputGrad()
	c := v.Stage.Conv
	if c == nil {
		return grad
	}
	rows, _ := grad.Dims()
	images := mat.NewDense(rows/v.Stage.sites(), c.Height*c.Width*c.Channels, nil)
	c.Fold(images, grad)
	return images
}

// Predict returns the outputs (B×outputs) for the rows of x (B×inputs).
func (m *Model) Predict(x *mat.Dense) *mat.Dense {
	const chunk = 256 // rows at a time: patches of a whole data set would not fit into memory
	var t Trace
	var outputs *mat.Dense
	batch, in := x.Dims()
	for i := 0; i < batch; i += chunk {
		end := min(i+chunk, batch)
		m.forward(&t, x.Slice(i, end, 0, in).(*mat.Dense), false)
		_, k := t.Output.Dims()
		if outputs == nil {
			outputs = mat.NewDense(batch, k, nil)
		}
		outputs.Slice(i, end, 0, k).(*mat.Dense).Copy(t.Output)
	}
	return outputs
}

// Value returns the mean loss over the batch x (B×inputs), y (B×outputs).
func (m *Model) Value(x, y *mat.Dense) float64 {
	outputs := m.Predict(x)
	return m.Loss.Mean(mat.DenseCopyOf(outputs), outputs, y)
}

// Backprop runs the batch x (B×inputs), y (B×outputs) forwards and backwards and leaves in t what it met. The views
// refer to x and to the stages of the model. Cost: three products per stage (two in the first, whose input gradient
// nobody needs here), each of 2·rows·out·in flops.
func (m *Model) Backprop(t *Trace, x, y *mat.Dense) {
	m.forward(t, x, true)
	t.grad = reuse(t.grad, t.Output)
	t.Loss = m.Loss.Mean(t.grad, t.Output, y)
	grad := t.grad
	for l := len(m.Stages) - 1; l >= 0; l-- {
		grad = t.Views[l].backward(grad, l > 0)
	}
}

func (m *Model) forward(t *Trace, x *mat.Dense, slopes bool) {
	if len(t.Views) != len(m.Stages) {
		t.Views = make([]View, len(m.Stages))
	}
	for l := range m.Stages {
		t.Views[l].Stage = &m.Stages[l]
		x = t.Views[l].forward(x, slopes)
	}
	t.Output = x
}

// forward takes a batch through the stage. Slopes are wanted if it is to go back.
func (v *View) forward(x *mat.Dense, slopes bool) *mat.Dense {
	s := v.Stage
	batch, _ := x.Dims()
	out, in := s.W.Dims()
	rows := batch * s.sites()
	if s.Conv == nil {
		v.Inputs = x
	} else {
		if v.Inputs == nil || !has(v.Inputs, rows, in) {
			v.Inputs = mat.NewDense(rows, in, nil)
		}
		s.Conv.Unfold(v.Inputs, x)
	}
	v.Pre = dense.Sized(v.Pre, rows, out)
	for i, bias := 0, s.bias(out); i < rows; i++ {
		copy(v.Pre.RawRowView(i), bias)
	}
	dense.Gemm(v.Pre, 1, v.Inputs, s.W.T(), 1)
	v.activate(slopes)
	result := reshaped(v.activated, batch)
	if p, ok := s.pooling(); ok {
		v.pooled = dense.Sized(v.pooled, batch, p.length())
		if len(v.winners) != batch*p.length() {
			v.winners = make([]int, batch*p.length())
		}
		p.forward(v.pooled, result, v.winners)
		result = v.pooled
	}
	return result
}

// activate applies the activation to Pre, and keeps the derivatives there if they are wanted.
func (v *View) activate(slopes bool) {
	rows, out := v.Pre.Dims()
	v.activated = dense.Sized(v.activated, rows, out)
	if slopes {
		v.slopes = dense.Sized(v.slopes, rows, out)
	}
	for i := range rows {
		var d []float64
		if slopes {
			d = v.slopes.RawRowView(i)
		}
		v.Stage.Act.Apply(v.activated.RawRowView(i), d, v.Pre.RawRowView(i))
	}
}

// applySlopes multiplies PreGrad by the derivatives that activate kept.
func (v *View) applySlopes() {
	rows, _ := v.Pre.Dims()
	for i := range rows {
		floats.Mul(v.PreGrad.RawRowView(i), v.slopes.RawRowView(i))
	}
}

// backward takes the gradient in the stage's output to PreGrad, and on to the stage's input if further is set.
func (v *View) backward(grad *mat.Dense, further bool) *mat.Dense {
	s := v.Stage
	rows, out := v.Pre.Dims()
	batch := rows / s.sites()
	v.PreGrad = dense.Sized(v.PreGrad, rows, out)
	if p, ok := s.pooling(); ok {
		p.backward(reshaped(v.PreGrad, batch), grad, v.winners)
	} else {
		copy(v.PreGrad.RawMatrix().Data, grad.RawMatrix().Data)
	}
	v.applySlopes()
	if !further {
		return nil
	}
	_, in := s.W.Dims()
	v.back = dense.Sized(v.back, rows, in)
	dense.Gemm(v.back, 1, v.PreGrad, s.W, 0)
	if s.Conv == nil {
		return v.back
	}
	v.images = dense.Sized(v.images, batch, s.Conv.Height*s.Conv.Width*s.Conv.Channels)
	s.Conv.Fold(v.images, v.back)
	return v.images
}

// bias is the stage's bias, or zeros.
func (s *Stage) bias(out int) []float64 {
	if s.B == nil {
		return make([]float64, out)
	}
	return s.B
}

func reuse(m, like *mat.Dense) *mat.Dense {
	rows, cols := like.Dims()
	return dense.Sized(m, rows, cols)
}

func has(m *mat.Dense, rows, cols int) bool {
	r, c := m.Dims()
	return r == rows && c == cols
}

// reshaped reads the entries of m, row after row, as a matrix of that many rows, without copying.
func reshaped(m *mat.Dense, rows int) *mat.Dense {
	raw := m.RawMatrix()
	return mat.NewDense(rows, raw.Rows*raw.Cols/rows, raw.Data)
}
