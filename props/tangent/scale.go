package tangent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// aligned is one label scale: the problem, and what optimisation made of it.
type aligned struct {
	v       float64
	problem *problem
	ending  ending
	fixed   float64 // alignment of K₀
	found   float64 // alignment of the kernel found
}

// labelScale multiplies one set of labels by growing factors, on a network's tangent features: the alignment of the
// optimised kernel with the labels is that of the closed form, and never drops. Each cell is one network.
func labelScale(v trial) props.LegacyCheck {
	return props.LegacySweep[int, map[theory.Family][]aligned]{
		Name:       "alignment along the label scale",
		Share:      "label scale",
		Replicates: 3,
		Cells: func(e props.Effort) []int {
			cells := make([]int, props.Scale{Quick: 2, Standard: 8, Deep: 400}.At(e))
			for i := range cells {
				cells[i] = i
			}
			return cells
		},
		Measure: measureAlignment,
		Judge:   v.judgeAlignment,
	}.Check()
}

// measureAlignment optimises at v = 2⁻⁴ … 2⁶, from near the identity. The features are better conditioned than elsewhere: a
// kernel that is nearly of rank one is aligned with its own leading direction, and labels hardly change that.
func measureAlignment(t *props.Trial, _ int) map[theory.Family][]aligned {
	const condition = 30
	base := newProblem(t.Rand, theory.Quadratic, 1, condition, 3, networkFeatures(t.Rand))
	eye := impl.Identity(networkWidth)
	out := map[theory.Family][]aligned{}
	for _, family := range theory.Families {
		for e := -4; e <= 6; e++ {
			p := *base
			p.family, p.model.Penalty = family, penalties[family]
			p.model.Labels = append([]float64{}, base.model.Labels...)
			v := math.Ldexp(1, e)
			p.scaled(v)
			start := gen.Gaussian(t.Rand, networkWidth, networkWidth, 0.1)
			start.Add(start, eye)
			end := p.optimise(nil, start, false, t.Rand)
			out[family] = append(out[family], aligned{v, &p, end, p.alignment(eye), p.alignment(end.m)})
		}
	}
	return out
}

// judgeAlignment allows what the spread of a near-solution does to an alignment: a change of K by κ moves ⟨K, Y⟩/‖K‖‖Y‖
// by at most 2κ/‖K‖.
func (v trial) judgeAlignment(_ []int, networks []map[theory.Family][]aligned) props.Judgement {
	form, order := props.Ratio{}, props.Ratio{}
	var facts []props.Fact
	for i, network := range networks {
		for _, family := range theory.Families {
			points := network[family]
			previous, slack := points[0].fixed, 0.0
			for _, at := range points {
				x, claimed := at.problem.model.Features, v.alignment(at.problem)
				s := v.claimed(at.problem).Stretch()
				spread := math.Pow(mat.Norm(x, 2), 2) * s.Spread(at.ending.excess(at.problem, s))
				allowed := 2 * spread / mat.Norm(impl.Kernel(x, x, at.ending.m), 2)
				form = props.Worst(form, props.Within(at.found-claimed, allowed))
				order = props.Worst(order, props.AtMost(previous, at.found, allowed+slack))
				previous, slack = at.found, allowed
				if i == 0 && at.v == 1 {
					facts = append(facts, props.Noted(fmt.Sprintf("alignment at v = 1, %s penalty (%.6f before)", family, at.fixed), at.found, claimed))
				}
			}
		}
	}
	return props.Judgement{
		Parts:   []props.Part{{Name: "alignment", Ratio: form}, {Name: "never drops", Ratio: order}},
		Facts:   facts,
		Figures: []props.Figure{v.alignments(networks[0])},
	}
}

// alignment is that of the kernel as claimed, on the training points.
func (v trial) alignment(p *problem) float64 {
	x := p.model.Features
	var k mat.Dense
	k.Add(impl.Kernel(x, x, impl.Identity(p.width())), v.growth(v.claimed(p), x, x))
	return impl.Alignment(&k, p.model.Labels)
}

// alignments draws one network.
func (v trial) alignments(network map[theory.Family][]aligned) props.Figure {
	f := props.Figure{
		ID:    "alignment",
		Title: "Kernel alignment before and after adaptation",
		Caption: "Alignment of the kernel matrix with yyᵀ against the scale of the labels, for the tangent features of one small network. Optimised kernels lie " +
			"on the closed forms; the dashed line is the fixed kernel. Small labels leave the kernel nearly as it is, and under the absolute " +
			"penalty up to v = 0.707 exactly. With larger labels alignment only grows, most for the product penalty.",
		X: props.Axis{Label: "v = ‖β̂‖, proportional to the label scale", Log: true}, Y: props.Axis{Label: "alignment"},
	}
	fixed := props.Curve{Name: "fixed features", Style: props.Dashed}
	for i, family := range theory.Families {
		found := props.Curve{Name: string(family) + ", optimised", Style: props.Points}
		claimed := props.Curve{Name: string(family) + ", closed form", Style: props.Line}
		for _, at := range network[family] {
			found.X, found.Y = append(found.X, at.v), append(found.Y, at.found)
			claimed.X, claimed.Y = append(claimed.X, at.v), append(claimed.Y, v.alignment(at.problem))
			if i == 0 {
				fixed.X, fixed.Y = append(fixed.X, at.v), append(fixed.Y, at.fixed)
			}
		}
		f.Curves = append(f.Curves, found, claimed)
	}
	f.Curves = append(f.Curves, fixed)
	return f
}
