package kernel

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/internal/pictures"
	"github.com/thm-suite/thm/theory"
	closed "github.com/thm-suite/thm/theory/tangent"
)

// simulation optimises a random problem with Gaussian features from a random start, θ and M together and then M alone.
var simulation = &props.Simulation{
	Params: []theory.Param{
		{Name: "p", Symbol: "p", Meaning: "number of features", Domain: sizes(1, 12), Default: "12"},
		{Name: "n", Symbol: "n", Meaning: "number of samples, at most p", Domain: sizes(1, 12), Default: "8"},
	},
	Run:  simulate,
	Draw: drawKernels,
}

func sizes(lo, hi float64) *theory.Domain {
	d := theory.Between(lo, hi)
	d.Integer = true
	return d
}

// search optimises the problem that a user names, and returns its model and the transformation that was found.
func search(t *props.Trial, v theory.Values) (impl.Model, *mat.Dense, error) {
	n, p, norm, factor := v.Int("n"), v.Int("p"), v.Float("v"), v.Float("factor")
	family := closed.Family(v.Choice("omega"))
	switch ratio := norm / math.Sqrt(factor); {
	case n > p:
		return impl.Model{}, nil, fmt.Errorf("n=%d samples cannot be simulated with p=%d features: n is at most p", n, p)
	case !(ratio >= 0.01 && ratio <= 100):
		return impl.Model{}, nil, fmt.Errorf("v=%g cannot be simulated: v/√factor must be between 0.01 and 100, and is %.3g",
			norm, ratio)
	}
	features, _ := drawFeatures(t.Rand, gaussian, n, p)
	labels := drawLabels(t.Rand, features, norm)
	model := impl.Model{Features: features, Labels: labels, Penalty: penalties[family].Times(factor)}
	search := impl.Search{Model: model, Tiny: 1e-4 * min(factor, norm*norm),
		Kink: kink(family, factor), Smoothing: smoothing}
	m, _, err := search.From(gen.Gaussian(t.Rand, p, 1, 1).RawMatrix().Data, gen.Gaussian(t.Rand, p, p, 1))
	if err != nil {
		return model, nil, err
	}
	m, _, err = search.From(nil, m)
	return model, m, err
}

// simulate measures the stretch as the largest singular value, the amplification and the coefficient from the growth
// of the kernel, and the costs of the pair that was found.
func simulate(t *props.Trial, v theory.Values) (map[string]float64, error) {
	model, m, err := search(t, v)
	if err != nil {
		return nil, err
	}
	theta, err := model.Parameters(m)
	if err != nil {
		return nil, err
	}
	cost := floats.Dot(theta, theta)
	_, singular, _, err := linalg.SVD(m, mat.SVDNone)
	if err != nil {
		return nil, err
	}
	y := mat.NewVecDense(len(model.Labels), model.Labels)
	var grown mat.Dense
	grown.Sub(impl.Kernel(model.Features, model.Features, m), initialKernel(model))
	coefficient := mat.Inner(y, &grown, y) / math.Pow(mat.Dot(y, y), 2)
	return map[string]float64{
		"stretch":       singular[0],
		"optimum":       model.Cost(theta, m),
		"coefficient":   coefficient,
		"amplification": math.Pow(v.Float("v"), 2) / cost,
		"cost":          cost,
	}, nil
}

// drawKernels draws the kernel of the training samples before and after, with the closed form of the latter, their
// spectra, and alignment over the scale of the labels.
func drawKernels(t *props.Trial, v theory.Values) ([]props.Figure, error) {
	model, m, err := search(t, v)
	if err != nil {
		return nil, err
	}
	claim, err := pose(model.Features, model.Labels, closed.Family(v.Choice("omega")), v.Float("factor"), roundoff.Unit)
	if err != nil {
		return nil, err
	}
	spectra, err := spectraFigure(model, m)
	if err != nil {
		return nil, err
	}
	return []props.Figure{kernels(claim, m), added(claim, m), spectra, alignmentFigure(claim, m)}, nil
}

func initialKernel(model impl.Model) *mat.Dense {
	_, p := model.Features.Dims()
	return impl.Kernel(model.Features, model.Features, impl.Identity(p))
}

// spectraFigure has the eigenvalues of the kernel before and after.
func spectraFigure(model impl.Model, m *mat.Dense) (props.Figure, error) {
	n, _ := model.Features.Dims()
	var spectra [2][]float64
	for i, k := range []*mat.Dense{initialKernel(model), impl.Kernel(model.Features, model.Features, m)} {
		var err error
		if spectra[i], _, err = linalg.SymEigen(mat.NewSymDense(n, k.RawMatrix().Data), false); err != nil {
			return props.Figure{}, err
		}
	}
	return pictures.Spectra("spectra", "Spectra of the kernels",
		"Eigenvalues of the kernel of the training samples, before and after it adapts.", "eigenvalue", true,
		pictures.Spectrum{Name: "before", Values: spectra[0]},
		pictures.Spectrum{Name: "found after", Values: spectra[1]}), nil
}

// alignmentFigure has the alignment of the kernel with the labels over their scale in closed form, and where
// optimisation arrived.
func alignmentFigure(p problem, m *mat.Dense) props.Figure {
	adapted := props.Curve{Name: "closed form", Style: props.Line}
	before := props.Curve{Name: "before", Style: props.Dashed}
	for k := range 41 {
		scaled := p.claim
		scaled.Interpolant = floats.ScaleTo(make([]float64, p.p), math.Pow(10, float64(k-20)/10), p.claim.Interpolant)
		fixed, after := scaled.Alignment(p.Features)
		v := scaled.Stretch().Norm
		adapted.X, adapted.Y = append(adapted.X, v), append(adapted.Y, after)
		before.X, before.Y = append(before.X, v), append(before.Y, fixed)
	}
	return props.Figure{ID: "alignment", Title: "Alignment over the scale of the labels",
		Caption: "Alignment of the kernel with its labels against ‖β̂‖, to which the labels are scaled: it never falls " +
			"below that before, and grows with the labels.",
		X: props.Axis{Label: "v = ‖β̂‖", Log: true}, Y: props.Axis{Label: "alignment"},
		Curves: []props.Curve{adapted, before, {Name: "found", Style: props.Points, X: []float64{p.stretch.Norm},
			Y: []float64{impl.Alignment(impl.Kernel(p.Features, p.Features, m), p.Labels)}}}}
}
