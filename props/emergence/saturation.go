package emergence

import (
	"math"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// cell is one size of the weights and one law: uniform and equal parts on A weigh as given.
type cell struct {
	Reach   float64 // the largest pre-activation
	Uniform int64   // λ = Uniform/(Uniform+1)
}

// feature is the effective feature of the cell's law.
func (c cell) feature() theory.Feature {
	m := theory.Mixture{Dim: 9, Count: 3, Background: 0.5, Uniform: float64(c.Uniform) / float64(c.Uniform+1)}
	return theory.Feature{Covariance: m.Covariance(), Deviation: m.Deviation()}
}

// departure is the first gradient beyond the reach of the identity.
type departure struct {
	step
	feature theory.Feature
}

// halfSaturation holds the departure of T from its level, as the weights grow until all pre-activations are beyond 1,
// against its bound. With λ = 0 the label is the common bit of A, γ = 1/2, and the bound is attained.
func halfSaturation(v halfTrial) props.LegacyCheck {
	return props.LegacySweep[cell, departure]{
		Name:  "beyond saturation",
		Share: "growing weights",
		Cells: func(e props.Effort) []cell {
			var cells []cell
			steps := props.Scale{Quick: 12, Standard: 40, Deep: 400}.At(e)
			for i := range steps {
				reach := 0.5 * math.Pow(64, (float64(i)+0.5)/float64(steps)) // from 1/2 to 32, off the round numbers
				cells = append(cells, cell{reach, 1}, cell{reach, 0})
			}
			return cells
		},
		Measure: func(t *props.Trial, c cell) departure {
			h := data.NewHidden(9, props.Indices(3), data.Parity(3), data.Mixture(3, c.Uniform, 1), data.Fair)
			return departure{firstStep(h, identity(9), gen.Gaussian(t.Rand, 1, 9, 1), c.Reach, 1), c.feature()}
		},
		Judge: func(cells []cell, found []departure) props.Judgement { return judgeDepartures(v, cells, found) },
	}.Check()
}

func judgeDepartures(v halfTrial, cells []cell, found []departure) props.Judgement {
	bound, attained := props.Ratio{}, props.Ratio{}
	var shares, ratios, edges, low, high []float64
	for i, f := range found {
		for j, t := range f.direction.RawVector().Data {
			level := 0.0
			if j < 3 {
				level = f.feature.Level()
			}
			gap, most := math.Abs(t-level), f.feature.Departure(f.outside)/(1+v.dose)
			bound = props.Worst(bound, props.AtMost(gap, most, f.rounding))
			if j < 3 && cells[i].Uniform == 0 {
				attained = props.Worst(attained, props.Within(gap-most, f.rounding))
			}
			if j < 3 && cells[i].Uniform == 1 {
				shares, ratios = append(shares, f.outside), append(ratios, t/level)
			}
		}
	}
	half := cell{Uniform: 1}.feature()
	for i := range 21 {
		share := float64(i) / 20
		edges = append(edges, share)
		low = append(low, 1-half.Departure(share)/half.Level())
		high = append(high, 1+half.Departure(share)/half.Level())
	}
	return props.Judgement{
		Parts: []props.Part{
			{Name: "departure from the level", Ratio: bound},
			{Name: "equality when γ = 1/2", Ratio: attained},
		},
		Figures: []props.Figure{{
			ID:    "saturation",
			Title: "How the identity breaks when neurons saturate",
			Caption: "T on A divided by γ/(2σ̃), for random weights of growing size (D = 9, k = 3, γ = 1/4, three values per draw): the ratio is 1 while no input has a " +
				"pre-activation beyond 1, departs as the share of such inputs grows, stays between the two lines of the bound, and tends to 0 as " +
				"nearly all inputs are beyond.",
			X: props.Axis{Label: "Pr[|z| ≥ 1]"}, Y: props.Axis{Label: "T / (γ/2σ̃)"},
			Curves: []props.Curve{
				{Name: "measured", Style: props.Points, X: shares, Y: ratios},
				{Name: "bound, below", Style: props.Dashed, X: edges, Y: low},
				{Name: "bound, above", Style: props.Dashed, X: edges, Y: high},
			},
		}},
	}
}
