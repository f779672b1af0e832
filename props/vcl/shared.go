package vcl

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/vcl/layers"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// Names by which claims that are not converted yet call package layers.

var (
	asSymmetric = func(a *mat.Dense) *mat.SymDense { return layers.Symmetric(a) }
	gramOf      = func(w *mat.Dense) *mat.SymDense { return layers.Gram(w) }
	distance    = func(a, b *mat.Dense) float64 { return layers.SquaredDistance(a, b) }
	condition   = layers.Spread
)

// conditionedLayer draws weights with singular values evenly spread over [1, 2].
func conditionedLayer(t *props.Trial, shape theory.LayerShape) *mat.Dense {
	values := make([]float64, min(shape.Outputs, shape.Inputs))
	for j := range values {
		values[j] = 1
		if len(values) > 1 {
			values[j] += float64(j) / float64(len(values)-1)
		}
	}
	return layers.WithSingularValues(t.Rand, shape.Outputs, shape.Inputs, values)
}
