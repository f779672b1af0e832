package tangent

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
)

// NetFeatures returns the tangent features of a network with one output: row i is the gradient of f(xᵢ) in all weights
// and biases (n×p), layer by layer, the weights row by row and then the biases. Samples are the rows of samples (n×d).
//
// The gradient is read off backpropagation of the loss ½(f − y)² at y = f − 1, whose gradient is f − y = 1 times that
// of f; the division undoes the rounding of f − y.
func NetFeatures(net nn.Net, samples *mat.Dense) *mat.Dense {
	n, _ := samples.Dims()
	var features *mat.Dense
	for i := range n {
		x := mat.Row(nil, i, samples)
		f := net.Forward(x, nil)
		if len(f) != 1 {
			panic("tangent: tangent features need a network with one output")
		}
		p := net.Backprop(x, []float64{f[0] - 1})
		unit := p.OutputGrad[len(net)-1][0]
		var row []float64
		for l, layer := range net {
			for _, g := range p.PreGrad[l] {
				for _, h := range p.Input[l] {
					row = append(row, g*h/unit)
				}
			}
			if layer.B != nil {
				for _, g := range p.PreGrad[l] {
					row = append(row, g/unit)
				}
			}
		}
		if features == nil {
			features = mat.NewDense(n, len(row), nil)
		}
		features.SetRow(i, row)
	}
	return features
}
