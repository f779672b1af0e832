package latent

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/impl/population"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/latent"
)

// lostCell is one point of the lost term: the target He_p(x₁)/√p!, w = (0.8, 0.6), and a bias.
type lostCell struct {
	Degree int
	Bias   float64
}

func (c lostCell) instance() instance {
	target := theory.Target{{Coefficient: 1 / math.Sqrt(math.Gamma(float64(c.Degree+1))), Degrees: []int{c.Degree}}}
	return instance{target, monomials(target), []float64{0.8, 0.6}, c.Bias}
}

// lostTerm is the integral minus the printed sum, along the unit vector w and across it, and the rounding error of it.
type lostTerm struct{ along, across, rounding float64 }

// seriesLostTerm says that the integral exceeds the printed sum by c_{p+2} w C_p(w^⊗p)/p!, and nothing else.
func seriesLostTerm(v seriesTrial) props.LegacyCheck {
	return props.LegacySweep[lostCell, lostTerm]{
		Name:  "what the printed limit loses",
		Share: "lost",
		Cells: func(props.Effort) []lostCell {
			var cells []lostCell
			for p := 1; p <= 5; p++ {
				for k := -12; k <= 12; k++ {
					cells = append(cells, lostCell{p, float64(k) / 4})
				}
			}
			return cells
		},
		Measure: func(_ *props.Trial, c lostCell) lostTerm {
			in := c.instance()
			difference := plus(population.HalfSpace(in.f, in.w, in.b).First, -1, seriesTrial{limit: true}.claimed(in.series()))
			return lostTerm{
				along:    difference[0]*in.w[0] + difference[1]*in.w[1],
				across:   difference[1]*in.w[0] - difference[0]*in.w[1],
				rounding: 2 * in.rounding(), // the printed sum is rounded too
			}
		},
		Judge: func(cells []lostCell, lost []lostTerm) props.Judgement { return judgeLostTerm(v, cells, lost) },
	}.Check()
}

func judgeLostTerm(v seriesTrial, cells []lostCell, lost []lostTerm) props.Judgement {
	ratio, curves := props.Ratio{}, map[int]*[2]props.Curve{}
	for p := 1; p <= 5; p++ {
		curves[p] = &[2]props.Curve{{Name: fmt.Sprintf("measured, p = %d", p), Style: props.Points}, {Name: fmt.Sprintf("lost term, p = %d", p), Style: props.Dashed}}
	}
	for i, c := range cells {
		in := c.instance()
		s := in.series()
		term := s.Term(c.Degree, v.coefficients(s))
		claimed := (term[0]*in.w[0] + term[1]*in.w[1]) * (1 + v.dose)
		ratio = props.Worst(ratio, props.Within(lost[i].along-claimed, lost[i].rounding), props.Within(lost[i].across, lost[i].rounding))
		for j, y := range []float64{lost[i].along, claimed} {
			curves[c.Degree][j].X, curves[c.Degree][j].Y = append(curves[c.Degree][j].X, c.Bias), append(curves[c.Degree][j].Y, y)
		}
	}
	return props.Judgement{
		Parts: []props.Part{{Name: "lost term", Ratio: ratio}},
		Figures: []props.Figure{{
			ID:    "lost-term",
			Title: "What the printed series loses",
			Caption: "Integral over the half-space minus the sum with the printed limit p−1, for the target He_p(x₁)/√p! and a unit w at cosine 0.8, against the " +
				"bias: the differences lie on the lost term c_{p+2} C_p(w,…,w)/p!. For p = 2 they are largest without bias; for p = 3 they vanish there, and not elsewhere.",
			X: props.Axis{Label: "bias b"}, Y: props.Axis{Label: "difference along w"},
			Curves: []props.Curve{curves[2][0], curves[2][1], curves[3][0], curves[3][1]},
		}},
	}
}
