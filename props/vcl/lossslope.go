package vcl

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/derivative"
	"github.com/thm-suite/thm/props/gen"
)

// lossSlope compares a gradient in the weights of stage l with differences of the model's mean loss over the batch x, y, both along a
// random direction. Laws about gradients mostly hold for any matrix in the place of Γ; this is what ties it to the loss.
func lossSlope(t *props.T, r *rand.Rand, model *nn.Model, x, y *mat.Dense, l int, grad mat.Matrix) props.Ratio {
	w := model.Stages[l].W
	rows, cols := w.Dims()
	direction := gen.Gaussian(r, rows, cols, 1)
	var product mat.Dense
	product.MulElem(grad, direction)
	slope, allowed := derivative.Along(w.RawMatrix().Data, direction.RawMatrix().Data, func() float64 { return model.Value(x, y) })
	t.Show("slope of the loss, by differences and by backpropagation", []float64{slope, mat.Sum(&product)})
	return props.Within(slope-mat.Sum(&product), allowed)
}

// trainingGradient is the gradient that training follows in some stage of a dense GELU network, for batches of 2 … 8 samples, where
// backpropagation differs from that of one sample. With summed it is taken for that of the summed loss.
func trainingGradient(summed bool) props.LegacyCheck {
	return props.Property{
		Name:  "gradient of training by differences",
		Cases: props.Scale{Quick: 60, Standard: 300, Deep: 10000},
		Prop: func(t *props.T) props.Ratio {
			inputs, width, batch := gen.Dim(t.T, "inputs", 6), gen.Dim(t.T, "width", 6), 1+gen.Dim(t.T, "B−1", 7)
			l := rapid.IntRange(0, 2).Draw(t.T, "stage")
			r := t.Stream("entries")
			model := nn.NewDenseModel(r, []int{inputs, width, width, 2}, nn.GELU, nn.Squared)
			x, y := gen.Gaussian(r, batch, inputs, 1), gen.Gaussian(r, batch, 2, 1)
			var trace nn.Trace
			model.Backprop(&trace, x, y)
			grad := mat.DenseCopyOf(model.Stages[l].W)
			trace.Views[l].WeightGrad(grad)
			if summed {
				grad.Scale(float64(batch), grad)
			}
			return lossSlope(t, r, model, x, y, l, grad)
		},
	}.Check()
}
