package kernel

import (
	"fmt"
	"math"

	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// figures draws the runs of an optimiser, the optima that it found, and what it did to the kernels.
func figures(r *props.Record, all []optimised) {
	effective := props.Figure{
		ID: "effective-penalties", Title: "Effective penalties",
		Caption: "Effective penalty ω̃(v) against the length v of the interpolant, both for a factor of 1: costs that optimisation found " +
			"lie on the closed forms. All curves start as v², drawn dashed, and then fall far below it: the quadratic penalty " +
			"grows linearly in the end, the absolute one as the power 2/3 and their product convolution as the power 1/2.",
		X: props.Axis{Label: "v = ‖β̂‖"}, Y: props.Axis{Label: "ω̃(v)"},
	}
	aligned := props.Figure{
		ID: "alignment", Title: "Kernel alignment before and after adaptation",
		Caption: "Alignment of the kernel matrix with yyᵀ before adaptation, against that of the kernels that optimisation found. Points are " +
			"problems of at least two samples; none lies below the diagonal. Weak labels leave the kernel nearly as it is.",
		X: props.Axis{Label: "alignment before"}, Y: props.Axis{Label: "alignment after"},
		Curves: []props.Curve{{Name: "unchanged", Style: props.Dashed, X: []float64{0, 1}, Y: []float64{0, 1}}},
	}
	runs := props.Figure{
		ID: "convergence", Title: "Optimisation from random starts",
		Caption: "Excess of the cost over the closed form ω̃(v), relative to it, along the iterations for one problem of each smooth " +
			"penalty, on a logarithmic axis; each is started near the identity, from a Gaussian matrix, and over θ and M together. All " +
			"runs fall to the floor of rounding, where values are drawn at 10⁻¹⁶, and none ends above it.",
		X: props.Axis{Label: "iteration"}, Y: props.Axis{Label: "(cost − ω̃)/ω̃", Log: true},
	}
	for _, family := range theory.Families {
		found, after := props.Curve{Name: string(family) + ", found", Style: props.Points}, props.Curve{Name: string(family), Style: props.Points}
		first := family != theory.Absolute // its stages minimise other costs
		for _, o := range all {
			if o.Family != family {
				continue
			}
			p, err := pose(o.Features, o.Labels, o.Family, o.Factor, 0x1p-53)
			if err != nil {
				panic(err)
			}
			if v := p.stretch.Norm / math.Sqrt(o.Factor); v <= 5 {
				found.X, found.Y = append(found.X, v), append(found.Y, o.Endings[0].Total/o.Factor)
			}
			if len(o.Labels) > 1 {
				fixed, _ := p.claim.Alignment(o.Features)
				after.X = append(after.X, fixed)
				after.Y = append(after.Y, impl.Alignment(impl.Kernel(o.Features, o.Features, o.Endings[0].M), o.Labels))
			}
			if first {
				runs.Curves, first = append(runs.Curves, traces(o, p.stretch)...), false
			}
		}
		effective.Curves = append(effective.Curves, found, closedForm(string(family)+", closed form", props.Line, func(v float64) float64 {
			return theory.Stretch{Norm: v, Family: family, Factor: 1}.Optimum()
		}))
		aligned.Curves = append(aligned.Curves, after)
	}
	effective.Curves = append(effective.Curves, closedForm("v²", props.Dashed, func(v float64) float64 { return v * v }))
	r.Figure(effective)
	r.Figure(aligned)
	r.Figure(runs)
}

// closedForm is a function of v from 0.1 to 5.
func closedForm(name string, style props.Style, f func(v float64) float64) props.Curve {
	c := props.Curve{Name: name, Style: style}
	for k := range 50 {
		v := 0.1 * float64(k+1)
		c.X, c.Y = append(c.X, v), append(c.Y, f(v))
	}
	return c
}

// traces are the costs along the runs on one problem.
func traces(o optimised, s theory.Stretch) []props.Curve {
	var curves []props.Curve
	for way, e := range o.Endings {
		c := props.Curve{Name: fmt.Sprintf("%s, %s", o.Family, []string{"near I", "Gaussian", "θ and M"}[way]), Style: props.Line}
		for i, cost := range e.Trace {
			c.X, c.Y = append(c.X, float64(i)), append(c.Y, max(1e-16, cost/s.Optimum()-1))
		}
		curves = append(curves, c)
	}
	return curves
}
