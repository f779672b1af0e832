package emergence

import (
	"fmt"

	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/props"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// drawBroken draws the medians of the first run of each variant.
func drawBroken(r *props.Record, cells []variant, all []broken, _ breaksClaim) {
	var first []broken
	for i, cell := range cells {
		if cell.Seed == 0 && all[i].Neurons > 0 {
			first = append(first, all[i])
		}
	}
	if len(first) == len(leftOut) {
		r.Figure(figureOfBreaks(first))
	}
}

// figureOfBreaks draws the median |cos| of each variant before, between and after the steps.
func figureOfBreaks(all []broken) props.Figure {
	f := props.Figure{ID: "breaks", Title: "What breaks the emergence of the feature",
		Caption: "Median |cos(w, u)| over the neurons before training and after each of two steps, by the source's " +
			"recipe and with one part left out: a run of each. A dead neuron counts as 0.",
		X: props.Axis{Label: "steps taken"}, Y: props.Axis{Label: "median |cos(w, u)|"}}
	for i, b := range all {
		f.Curves = append(f.Curves, props.Curve{Name: leftOut[i], Style: props.Line, X: []float64{0, 1, 2},
			Y: []float64{number.Median(b.Start), number.Median(b.First), number.Median(b.Final)}})
	}
	return f
}

// sizesOfBreaks are a user's, or an error when they cost too much.
func sizesOfBreaks(v values.Values) (netSizes, error) {
	size := netSizes{theory.Mixture{Dim: v.Int("D"), Count: v.Int("k"), Background: v.Float("background"),
		Uniform: v.Float("uniform")}, v.Int("m"), v.Int("n")}
	if float64(size.law.Dim)*float64(size.neurons)*float64(size.samples) > 1e8 {
		return size, fmt.Errorf("n=%d, D=%d, m=%d cannot be simulated: n·D·m is at most 1e8", size.samples,
			size.law.Dim, size.neurons)
	}
	return size, nil
}

// breakAll takes the steps of all variants at a user's sizes.
func breakAll(t *props.Trial, v values.Values) (map[string]float64, error) {
	size, err := sizesOfBreaks(v)
	if err != nil {
		return nil, err
	}
	out := map[string]float64{"second": number.Median(breakSteps(t.Rand, size, recipes[leftOut[0]]).Final)}
	out["kept"] = number.Median(breakSteps(t.Rand, size, recipes[noForgetting]).Final)
	without := breakSteps(t.Rand, size, recipes[noNoise])
	out["dead"] = float64(without.Dead) / float64(without.Neurons)
	return out, nil
}

// drawBreaks draws all variants at a user's sizes.
func drawBreaks(t *props.Trial, v values.Values) ([]props.Figure, error) {
	size, err := sizesOfBreaks(v)
	if err != nil {
		return nil, err
	}
	var all []broken
	for _, left := range leftOut {
		all = append(all, breakSteps(t.Rand, size, recipes[left]))
	}
	return []props.Figure{figureOfBreaks(all)}, nil
}
