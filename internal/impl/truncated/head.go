package truncated

import (
	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/internal/impl/data"
)

// Head says how the output weights alone are trained: so many steps of [Adam] at this rate.
type Head struct {
	Steps int
	Rate  float64
	Watch func(step int, net Net) // called after every step with the network as it is then; nil for none
}

// fewLines is the largest number of lines that the weights of neurons may have for their products to be shared.
const fewLines = 8

// Fit returns the network with output weights trained on the hinge loss from zero, without noise, each step on a fresh
// batch. Neurons whose weights are multiples of one another share the product with an input.
func (n Net) Fit(h Head, batch func() data.Sample) Net {
	out := Net{n.W, n.B, make([]float64, len(n.A))}
	grad, optimiser := make([]float64, len(n.A)), Adam{Rate: h.Rate}
	var b *block
	shared := linesOf(n.W, fewLines)
	for step := 1; step <= h.Steps; step++ {
		s := batch()
		if b == nil || len(b.out) < len(s.P) {
			b = newBlock(len(s.P), len(out.A))
		}
		if shared != nil {
			b.valuesOnLines(shared, out, s)
		} else {
			b.values(out, 0, s, 0, len(s.P))
		}
		clear(grad)
		for i, p := range s.P {
			row := b.value.RawRowView(i)
			if s.Y[i]*floats.Dot(out.A, row) < 1 {
				floats.AddScaled(grad, -p*s.Y[i], row)
			}
		}
		optimiser.Move(out.A, grad)
		if h.Watch != nil {
			h.Watch(step, out)
		}
	}
	return out
}

// FitProducts counts the vectors whose products with every input [Net.Fit] forms.
func (n Net) FitProducts() int {
	if shared := linesOf(n.W, fewLines); shared != nil {
		lines, _ := shared.v.Dims()
		return lines
	}
	return len(n.A)
}

// Score returns how many of the samples are wrongly classified, an output of 0 counted as wrong, and the hinge loss.
func (n Net) Score(s data.Sample) (wrong int, loss float64) {
	for i, g := range n.Outputs(s, 0) {
		if !(s.Y[i]*g > 0) {
			wrong++
		}
		loss += s.P[i] * max(0, 1-s.Y[i]*g)
	}
	return wrong, loss
}
