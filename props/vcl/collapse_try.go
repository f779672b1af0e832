package vcl

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	"github.com/thm-suite/thm/theory"
)

// drawCollapse draws Gram matrices of features on their way to collapse next to that of the targets, of a few classes
// and samples so that the blocks can be seen.
func drawCollapse(t *props.Trial, v theory.Values) ([]props.Figure, error) {
	classes, size := min(v.Int("classes"), 6), min(v.Int("size"), 4)
	var labels []float64
	for k := range classes {
		for range size {
			labels = append(labels, float64(k))
		}
	}
	means := repeated(algebra.Product(gen.Orthonormal(t.Rand, classes, classes-1), simplex(classes, 1)), labels)
	noise := gen.Gaussian(t.Rand, classes, len(labels), math.Sqrt(1/float64(classes)))
	f := props.Figure{ID: "gram", Title: "Gram matrices on the way to collapse",
		X: props.Axis{Label: "sample, class by class"}, Y: props.Axis{Label: "sample, class by class"},
		Z: props.Axis{Label: "inner product over a"},
		Caption: fmt.Sprintf("Inner products of the features of %d classes of %d samples, in units of the squared length "+
			"of a class mean, with noise within the classes of that size, of a tenth of it, and of none. Collapsed "+
			"features have the Gram matrix of the centred targets, up to a factor.", classes, size)}
	for _, square := range []float64{1, 0.1, 0} {
		h := algebra.Scaled(math.Sqrt(square), noise)
		h.Add(h, means)
		name := "collapsed"
		if square > 0 {
			name = fmt.Sprintf("noise %g", square)
		}
		f.Curves = append(f.Curves, props.HeatMap(name, layers.Gram(h)))
	}
	targets := look(means, labels, centredTargets, 0).targets
	gram := layers.Gram(mat.DenseCopyOf(targets.T()))
	gram.ScaleSym(float64(classes)/float64(classes-1), gram)
	f.Curves = append(f.Curves, props.HeatMap("targets", gram))
	return []props.Figure{f}, nil
}
