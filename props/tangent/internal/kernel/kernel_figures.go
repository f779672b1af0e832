package kernel

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// byLabel are the training samples in the order of their labels.
func (p problem) byLabel() *mat.Dense {
	order := make([]int, len(p.Labels))
	for i := range order {
		order[i] = i
	}
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
	var claimed mat.Dense
	claimed.Add(before, p.claim.Growth(sorted, sorted))
	return props.Figure{
		ID: "kernels", Title: "The kernel before and after it adapts",
		Caption: fmt.Sprintf("Kernel of %d training samples in the order of their labels: of the features as they were "+
			"drawn, of the pair that optimisation from a random start found, and as the theorem predicts. The %s penalty "+
			"with ‖β̂‖ = %.3g at a factor of %.3g stretches one direction by %.3g, which adds a multiple of yyᵀ.",
			len(p.Labels), p.stretch.Family, p.stretch.Norm, p.stretch.Factor, p.stretch.Size()),
		X: props.Axis{Label: "sample, by label"}, Y: props.Axis{Label: "sample, by label"}, Z: props.Axis{Label: "kernel"},
		Curves: []props.Curve{props.HeatMap("before", before),
			props.HeatMap("found after", impl.Kernel(sorted, sorted, m)), props.HeatMap("predicted after", &claimed)},
	}
}

// added draws what the kernel has gained, which may be small beside it.
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
		p, err := pose(o.Features, o.Labels, o.Family, o.Factor, roundoff.Unit)
		if err != nil {
			panic(err)
		}
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
			beta, err := theory.MinNorm(o.Features, o.Labels)
			if err != nil {
				panic(err)
			}
			v := floats.Norm(beta, 2) / math.Sqrt(o.Factor)
			if v <= 5 {
				found.X, found.Y = append(found.X, v), append(found.Y, o.Endings[0].Total/o.Factor)
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
		c.X, c.Y = append(c.X, v), append(c.Y, f(v))
	}
	return c
}
