package kernel

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/internal/pictures"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// byLabel are the training samples in the order of their labels.
func (p problem) byLabel() *mat.Dense {
	order := list.Fill(len(p.Labels), func(i int) int { return i })
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(p.Labels[i], p.Labels[j]) })
	sorted := mat.NewDense(len(order), p.p, nil)
	for k, i := range order {
		sorted.SetRow(k, p.Features.RawRowView(i))
	}
	return sorted
}

// kernels draws the kernel of the training samples, in the order of their labels, before it adapts, as it was found
// afterwards, and as the theorem has it. What is added is a multiple of yyᵀ.
func kernels(p problem, m *mat.Dense) props.Figure {
	sorted := p.byLabel()
	before := impl.Kernel(sorted, sorted, impl.Identity(p.p))
	claimed := algebra.Sum(before, p.claim.Growth(sorted, sorted))
	return props.Figure{
		ID: "kernels", Title: "The kernel before and after it adapts",
		Caption: fmt.Sprintf("Kernel of %d training samples in the order of their labels: of the features as they were "+
			"drawn, of the pair that optimisation from a random start found, and as the theorem predicts. The %s penalty "+
			"with ‖β̂‖ = %.3g at a factor of %.3g stretches one direction by %.3g, which adds a multiple of yyᵀ.",
			len(p.Labels), p.stretch.Family, p.stretch.Norm, p.stretch.Factor, p.stretch.Size()),
		X: props.Axis{Label: "sample, by label"}, Y: props.Axis{Label: "sample, by label"}, Z: props.Axis{Label: "kernel"},
		Curves: []props.Curve{props.HeatMap("before", before),
			props.HeatMap("found after", impl.Kernel(sorted, sorted, m)), props.HeatMap("predicted after", claimed)},
	}
}

// added draws what the kernel has gained, which may be small against it.
func added(p problem, m *mat.Dense) props.Figure {
	sorted := p.byLabel()
	grown := impl.Kernel(sorted, sorted, m)
	grown.Sub(grown, impl.Kernel(sorted, sorted, impl.Identity(p.p)))
	return props.Figure{
		ID: "added", Title: "What adaptation adds to the kernel",
		Caption: "The kernel after it has adapted less that before, for the same samples in the order of their labels, as " +
			"it was found and as the theorem predicts: c(v)·yyᵀ.",
		X: props.Axis{Label: "sample, by label"}, Y: props.Axis{Label: "sample, by label"},
		Z:      props.Axis{Label: "kernel less that before"},
		Curves: []props.Curve{props.HeatMap("found", grown), props.HeatMap("predicted", p.claim.Growth(sorted, sorted))},
	}
}

// grownKernels draws the kernels of one of the optimised problems: of those with the most samples, whose stretch is
// closest to 2 on a logarithmic scale, so that the kernel before and what is added are both seen.
func grownKernels(all []optimised) props.Figure {
	var best problem
	var found *mat.Dense
	distance := func(p problem) float64 { return math.Abs(math.Log(p.stretch.Size() / 2)) }
	for _, o := range all {
		if len(o.Endings) == 0 || found != nil && len(o.Labels) < len(best.Labels) {
			continue
		}
		p := must.Get(pose(o.Features, o.Labels, o.Family, o.Factor, roundoff.Unit))
		if found == nil || len(o.Labels) > len(best.Labels) || distance(p) < distance(best) {
			best, found = p, o.Endings[0].M
		}
	}
	return kernels(best, found)
}

// effectivePenalties draws the optima that optimisation found on the closed forms, for a factor of 1.
func effectivePenalties(all []optimised) props.Figure {
	f := props.Figure{
		ID: "effective-penalties", Title: "Effective penalties",
		Caption: "Effective penalty ω̃(v) against the length v of the interpolant, both for a factor of 1: costs " +
			"that optimisation found lie on the closed forms, drawn dashed. All of them start as v² and then fall " +
			"far below it: the quadratic penalty grows linearly in the end, the absolute one as the power 2/3 and " +
			"their product convolution as the power 1/2.",
		X: props.Axis{Label: "v = ‖β̂‖"}, Y: props.Axis{Label: "ω̃(v)"},
		Curves: []props.Curve{curve("v²", props.Line, func(v float64) float64 { return v * v })},
	}
	for _, family := range theory.Families {
		found := props.Curve{Name: string(family), Style: props.Points}
		for _, o := range all {
			if o.Family != family || len(o.Endings) == 0 {
				continue
			}
			beta := must.Get(theory.MinNorm(o.Features, o.Labels))
			v := floats.Norm(beta, 2) / math.Sqrt(o.Factor)
			if v <= 5 {
				found.Add(v, o.Endings[0].Total/o.Factor)
			}
		}
		f.Curves = append(f.Curves, found, curve(string(family), props.Dashed, func(v float64) float64 {
			return theory.Stretch{Norm: v, Family: family, Factor: 1}.Optimum()
		}))
	}
	return f
}

// curve is a function of v from 0.1 to 5.
func curve(name string, style props.Style, f func(v float64) float64) props.Curve {
	c := props.Curve{Name: name, Style: style}
	for k := range 50 {
		v := 0.1 * float64(k+1)
		c.Add(v, f(v))
	}
	return c
}

// simulation optimises a random problem with Gaussian features from a random start, θ and M together and then M alone.
var simulation = &props.Simulation{
	Params: []statement.Param{
		{Name: "p", Symbol: "p", Meaning: "number of features", Domain: statement.IntegerBetween(1, 12), Default: "12"},
		{Name: "n", Symbol: "n", Meaning: "number of samples, at most p", Domain: statement.IntegerBetween(1, 12),
			Default: "8"},
	},
	Run:  simulate,
	Draw: drawKernels,
}

// search optimises the problem that a user names, and returns its model and the transformation that was found.
func search(t *props.Trial, v statement.Values) (impl.Model, *mat.Dense) {
	n, p, norm, factor := v.Int("n"), v.Int("p"), v.Float("v"), v.Float("factor")
	family := theory.Family(v.Choice("omega"))
	ratio := norm / math.Sqrt(factor)
	t.Need(n <= p, "n=%d samples cannot be simulated with p=%d features: n is at most p", n, p)
	t.Need(ratio >= 0.01 && ratio <= 100, "v=%g cannot be simulated: v/√factor must be between 0.01 and 100, and is %.3g",
		norm, ratio)
	features, _ := drawFeatures(t.Rand, gaussian, n, p)
	labels := drawLabels(t.Rand, features, norm)
	model := impl.Model{Features: features, Labels: labels, Penalty: penalties[family].Times(factor)}
	search := impl.Search{Model: model, Tiny: 1e-4 * min(factor, norm*norm),
		Kink: kink(family, factor), Smoothing: smoothing}
	m, _, err := search.From(gen.Gaussian(t.Rand, p, 1, 1).RawMatrix().Data, gen.Gaussian(t.Rand, p, p, 1))
	t.Refuse(err)
	m, _, err = search.From(nil, m)
	t.Refuse(err)
	return model, m
}

// simulate measures the stretch as the largest singular value, the amplification and the coefficient from the growth
// of the kernel, and the costs of the pair that was found.
func simulate(t *props.Trial, v statement.Values) (map[string]float64, error) {
	model, m := search(t, v)
	theta, singular := must.Get(model.Parameters(m)), must.Get(linalg.SingularValues(m))
	cost := floats.Dot(theta, theta)
	y := mat.NewVecDense(len(model.Labels), model.Labels)
	grown := algebra.Difference(impl.Kernel(model.Features, model.Features, m), initialKernel(model))
	coefficient := mat.Inner(y, grown, y) / math.Pow(mat.Dot(y, y), 2)
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
func drawKernels(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	model, m := search(t, v)
	claim, err := pose(model.Features, model.Labels, theory.Family(v.Choice("omega")), v.Float("factor"), roundoff.Unit)
	t.Refuse(err)
	spectra := pictures.KernelSpectra("Eigenvalues of the kernel of the training samples, before and after it adapts.",
		pictures.Kernel{Name: "before", K: initialKernel(model)},
		pictures.Kernel{Name: "found after", K: impl.Kernel(model.Features, model.Features, m)})
	return []props.Figure{kernels(claim, m), added(claim, m), spectra, alignmentFigure(claim, m)}, nil
}

func initialKernel(model impl.Model) *mat.Dense {
	_, p := model.Features.Dims()
	return impl.Kernel(model.Features, model.Features, impl.Identity(p))
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
		adapted.Add(v, after)
		before.Add(v, fixed)
	}
	return props.Figure{ID: "alignment", Title: "Alignment over the scale of the labels",
		Caption: "Alignment of the kernel with its labels against ‖β̂‖, to which the labels are scaled: it never falls " +
			"below that before, and grows with the labels.",
		X: props.Axis{Label: "v = ‖β̂‖", Log: true}, Y: props.Axis{Label: "alignment"},
		Curves: []props.Curve{adapted, before, {Name: "found", Style: props.Points, X: []float64{p.stretch.Norm},
			Y: []float64{impl.Alignment(impl.Kernel(p.Features, p.Features, m), p.Labels)}}}}
}
