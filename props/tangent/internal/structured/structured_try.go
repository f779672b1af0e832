package structured

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/internal/pictures"
	"github.com/thm-suite/thm/theory"
	closed "github.com/thm-suite/thm/theory/tangent"
)

// simulation solves one layer of one entry, and draws a layer of 4×4.
var simulation = &props.Simulation{Run: simulate, Draw: drawLayer}

// simulate: the cheapest factors of σ by descent are those of the spectral route.
func simulate(_ *props.Trial, v theory.Values) (map[string]float64, error) {
	sigma := v.Float("sigma")
	s := chosenLayer(v, 1, mat.NewDense(1, 1, []float64{1}), []float64{sigma})
	found, err := s.Alternate(2, 0)
	if err != nil {
		return nil, err
	}
	f := found.Factors[0]
	if math.IsInf(found.Cost, 1) {
		return nil, errors.New("the cost is infinite")
	}
	return map[string]float64{"optimum": found.Cost, "left": f.A.At(0, 0), "right": f.C.At(0, 0)}, nil
}

// chosenLayer is a problem with one square layer and the penalties of a user's.
func chosenLayer(v theory.Values, size int, features *mat.Dense, labels []float64) impl.Structured {
	return impl.Structured{Labels: labels, Layers: []impl.StructuredLayer{{Rows: size, Cols: size, Features: features,
		Left:  penaltyOf(closed.Family(v.Choice("left")), v.Float("kl")),
		Right: penaltyOf(closed.Family(v.Choice("right")), v.Float("kr"))}}}
}

// drawLayer solves a layer of 4×4 with 8 Gaussian constraints, whose parameters of least norm have the largest singular
// value of the user's, and draws kernels, spectra, and alignment over the scale of the labels.
func drawLayer(t *props.Trial, v theory.Values) ([]props.Figure, error) {
	const size, n = 4, 8
	features, labels := gen.Gaussian(t.Rand, n, size*size, 1), gen.Gaussian(t.Rand, n, 1, 1).RawMatrix().Data
	fixed, err := chosenLayer(v, size, features, labels).MinFrobenius()
	if err != nil {
		return nil, err
	}
	floats.Scale(v.Float("sigma")/singular(fixed[0])[0], labels)
	s := chosenLayer(v, size, features, labels)
	found, err := s.Alternate(300, 1e-10)
	if err != nil {
		return nil, err
	}
	identity := []impl.Sided{{A: impl.Identity(size), C: impl.Identity(size)}}
	before, after, f := s.Kernel(identity), s.Kernel(found.Factors), found.Factors[0]
	spectrum := func(k *mat.Dense) []float64 {
		values, _, e := linalg.SymEigen(mat.NewSymDense(n, mat.DenseCopyOf(k).RawMatrix().Data), false)
		err = errors.Join(err, e)
		return values
	}
	figures := []props.Figure{
		pictures.Kernels(fmt.Sprintf("Kernel of %d samples in the order of their labels, before and after a layer of %d×%d "+
			"adapts with the penalties %s on A and %s on C.", n, size, size, v.Choice("left"), v.Choice("right")), labels,
			pictures.Kernel{Name: "before", K: before}, pictures.Kernel{Name: "after", K: after}),
		pictures.Spectra("spectra", "Spectra of the kernels", "Eigenvalues of both kernels.", "eigenvalue", true,
			pictures.Spectrum{Name: "before", Values: spectrum(before)},
			pictures.Spectrum{Name: "after", Values: spectrum(after)}),
		pictures.Spectra("stretches", "Singular values of parameters and factors", "Singular values of B, and the stretches "+
			"of A and C along its singular vectors.", "singular value", true,
			pictures.Spectrum{Name: "B", Values: singular(f.Product())},
			pictures.Spectrum{Name: "A", Values: singular(f.A)}, pictures.Spectrum{Name: "C", Values: singular(f.C)}),
	}
	over, e := alignmentFigure(s, v, before)
	return append(figures, over), errors.Join(err, e)
}

// alignmentFigure has the alignment of the kernel over the scale of the labels, from a hundredth to a hundred times.
func alignmentFigure(s impl.Structured, v theory.Values, before *mat.Dense) (props.Figure, error) {
	c := props.Curve{Name: "adapted", Style: props.Line}
	start := props.Curve{Name: "before", Style: props.Dashed}
	for k := range 17 {
		scale := math.Pow(10, float64(k-8)/4)
		scaled := s
		scaled.Labels = floats.ScaleTo(make([]float64, len(s.Labels)), scale, s.Labels)
		found, err := scaled.Alternate(300, 1e-10)
		if err != nil {
			return props.Figure{}, err
		}
		c.X, c.Y = append(c.X, scale*v.Float("sigma")), append(c.Y, impl.Alignment(s.Kernel(found.Factors), s.Labels))
		start.X, start.Y = append(start.X, scale*v.Float("sigma")), append(start.Y, impl.Alignment(before, s.Labels))
	}
	return props.Figure{ID: "alignment", Title: "Alignment over the scale of the labels",
		Caption: "Alignment of the kernel with the labels against the largest singular value of the parameters of least " +
			"norm.",
		X: props.Axis{Label: "scale of the labels", Log: true}, Y: props.Axis{Label: "alignment"},
		Curves: []props.Curve{c, start}}, nil
}
