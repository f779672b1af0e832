package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// effectivePenalties draws the optima that optimisation found on the closed forms, for a factor of 1.
func effectivePenalties(all []optimised) props.Figure {
	f := props.Figure{
		ID: "effective-penalties", Title: "Effective penalties",
		Caption: "Effective penalty ω̃(v) against the length v of the interpolant, both for a factor of 1: costs " +
			"that optimisation found lie on the closed forms. All curves start as v², drawn dashed, and then fall " +
			"far below it: the quadratic penalty grows linearly in the end, the absolute one as the power 2/3 and " +
			"their product convolution as the power 1/2.",
		X: props.Axis{Label: "v = ‖β̂‖"}, Y: props.Axis{Label: "ω̃(v)"},
		Curves: []props.Curve{curve("v²", props.Dashed, func(v float64) float64 { return v * v })},
	}
	for _, family := range theory.Families {
		found := props.Curve{Name: string(family) + ", found", Style: props.Points}
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
		f.Curves = append(f.Curves, found, curve(string(family)+", closed form", props.Line, func(v float64) float64 {
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
