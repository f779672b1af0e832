package nn

import "gonum.org/v1/gonum/mat"

// Layer computes σ(W h + b), plus h itself when Skip is set.
type Layer struct {
	W    *mat.Dense // out×in
	B    []float64  // out; nil for no bias
	Act  Activation
	Skip bool // adds the input to the output; needs out = in
}

// Net is a chain of layers with the loss ½‖f(x) − y‖² per sample.
type Net []Layer

// Pass holds the results of one forward and backward pass of one sample. Index l belongs to layer l.
type Pass struct {
	Loss       float64
	Input      [][]float64 // hₗ, what the layer is applied to
	Pre        [][]float64 // zₗ = Wₗhₗ + bₗ
	PreGrad    [][]float64 // ∂loss/∂zₗ
	InputGrad  [][]float64 // ∂loss/∂hₗ
	OutputGrad [][]float64 // ∂loss/∂ of the layer's output
}

// Forward returns f(x), leaving inputs and pre-activations in p when p is not nil. len(x) is the first layer's in.
func (n Net) Forward(x []float64, p *Pass) []float64 {
	h := x
	for _, layer := range n {
		z := layer.affine(h)
		if p != nil {
			p.Input, p.Pre = append(p.Input, h), append(p.Pre, z)
		}
		out := make([]float64, len(z))
		for i, zi := range z {
			out[i] = layer.Act.Value(zi)
			if layer.Skip {
				out[i] += h[i]
			}
		}
		h = out
	}
	return h
}

// affine returns W h + b.
func (l Layer) affine(h []float64) []float64 {
	out, in := l.W.Dims()
	if len(h) != in {
		panic("nn: input length differs from the layer's columns")
	}
	z := make([]float64, out)
	for i := range z {
		for j, w := range l.W.RawRowView(i) {
			z[i] += w * h[j]
		}
		if l.B != nil {
			z[i] += l.B[i]
		}
	}
	return z
}

// Loss returns ½‖f(x) − y‖².
func (n Net) Loss(x, y []float64) float64 {
	var sum float64
	for i, f := range n.Forward(x, nil) {
		sum += (f - y[i]) * (f - y[i])
	}
	return sum / 2
}

// Backprop runs one sample forwards and backwards. All gradients are exact up to rounding, and exact where the
// arithmetic is (integer weights with ReLU or identity activations). Cost: about 3 multiply-adds per weight.
func (n Net) Backprop(x, y []float64) *Pass {
	p := &Pass{}
	grad := n.Forward(x, p)
	if len(grad) != len(y) {
		panic("nn: target length differs from the network's output")
	}
	for i := range grad {
		grad[i] -= y[i]
		p.Loss += grad[i] * grad[i] / 2
	}
	p.PreGrad, p.InputGrad, p.OutputGrad = make([][]float64, len(n)), make([][]float64, len(n)), make([][]float64, len(n))
	for l := len(n) - 1; l >= 0; l-- {
		p.OutputGrad[l] = grad
		p.PreGrad[l] = make([]float64, len(grad))
		for i, g := range grad {
			p.PreGrad[l][i] = g * n[l].Act.Slope(p.Pre[l][i])
		}
		p.InputGrad[l] = n[l].pullBack(p.PreGrad[l], grad)
		grad = p.InputGrad[l]
	}
	return p
}

// pullBack returns ∂loss/∂h = Wᵀ·preGrad, plus the output gradient along a skip connection.
func (l Layer) pullBack(preGrad, outputGrad []float64) []float64 {
	_, in := l.W.Dims()
	back := make([]float64, in)
	for i, g := range preGrad {
		for j, w := range l.W.RawRowView(i) {
			back[j] += w * g
		}
	}
	if l.Skip {
		for i, g := range outputGrad {
			back[i] += g
		}
	}
	return back
}

// Batch is one layer's view of a batch, one sample per column.
type Batch struct {
	Inputs     *mat.Dense // n×B, hidden states hᵢ
	PreGrads   *mat.Dense // m×B, ∂lossᵢ/∂zᵢ
	InputGrads *mat.Dense // n×B, ∂lossᵢ/∂hᵢ
}

// Batches runs every sample through the network once and collects what every layer sees. Samples and targets are
// columns.
func (n Net) Batches(samples, targets *mat.Dense) []Batch {
	_, size := samples.Dims()
	all := make([]Batch, len(n))
	for l := range n {
		m, in := n[l].W.Dims()
		all[l] = Batch{mat.NewDense(in, size, nil), mat.NewDense(m, size, nil), mat.NewDense(in, size, nil)}
	}
	for i := range size {
		p := n.Backprop(mat.Col(nil, i, samples), mat.Col(nil, i, targets))
		for l, b := range all {
			b.Inputs.SetCol(i, p.Input[l])
			b.PreGrads.SetCol(i, p.PreGrad[l])
			b.InputGrads.SetCol(i, p.InputGrad[l])
		}
	}
	return all
}

// BatchAt returns the batch of layer l; see [Net.Batches].
func (n Net) BatchAt(l int, samples, targets *mat.Dense) Batch { return n.Batches(samples, targets)[l] }

// WeightGrad returns the gradient of the summed loss in the layer's weights, Σ gᵢhᵢᵀ (m×n).
func (b Batch) WeightGrad() *mat.Dense {
	var grad mat.Dense
	grad.Mul(b.PreGrads, b.Inputs.T())
	return &grad
}
