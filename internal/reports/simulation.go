package reports

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
)

// SimulationFigures draws what thm try measured against what the claim predicts, and after that [DrawnFigures].
func SimulationFigures(s *props.Simulated) []figure.Figure {
	return append(quantityFigures(s), DrawnFigures(s)...)
}

// DrawnFigures are the figures that the claim's own simulation drew, at each point of a sweep.
func DrawnFigures(s *props.Simulated) []figure.Figure {
	var out []figure.Figure
	for _, p := range s.Points {
		for _, f := range p.Figures {
			if s.Sweep != "" {
				f.ID = fmt.Sprintf("%s-%s-%s", f.ID, s.Sweep, p.At)
				f.Title = fmt.Sprintf("%s, %s = %s", f.Title, s.Sweep, p.At)
			}
			out = append(out, f)
		}
	}
	return out
}

// quantityFigures has, with a sweep, one figure for each measured quantity; otherwise one with the measured values over
// the predicted ones.
func quantityFigures(s *props.Simulated) []figure.Figure {
	if s.Sweep == "" {
		return []figure.Figure{ratioFigure(s)}
	}
	var out []figure.Figure
	for k, q := range s.Points[0].Quantities {
		if !math.IsNaN(float64(q.Measured)) {
			out = append(out, sweepFigure(s, k))
		}
	}
	return out
}

// ratioFigure has one point for each quantity whose prediction is not zero.
func ratioFigure(s *props.Simulated) figure.Figure {
	measured := figure.Curve{Name: "measured", Style: figure.Points}
	var names []string
	for _, q := range s.Points[0].Quantities {
		p := float64(q.Predicted)
		if math.IsNaN(float64(q.Measured)) || p == 0 || math.IsNaN(p) || math.IsInf(p, 0) {
			continue
		}
		names = append(names, q.Name)
		lo, hi := float64(q.Lo)/p, float64(q.Hi)/p
		if math.IsNaN(lo) {
			lo, hi = float64(q.Measured)/p, float64(q.Measured)/p
		}
		measured.X = append(measured.X, float64(len(names)))
		measured.Y = append(measured.Y, float64(q.Measured)/p)
		measured.Lo, measured.Hi = append(measured.Lo, min(lo, hi)), append(measured.Hi, max(lo, hi))
	}
	one := figure.Curve{Name: "prediction", Style: figure.Dashed, X: []float64{0.5, float64(len(names)) + 0.5},
		Y: []float64{1, 1}}
	return figure.Figure{
		ID: "try", Title: s.Slug + ": measured over predicted",
		Caption: fmt.Sprintf("Mean of %d simulations over the prediction, with %.0f %% intervals. From left to "+
			"right: %s.",
			s.Reps, 100*props.SimulatedConfidence, strings.Join(names, ", ")),
		X: figure.Axis{Label: "quantity"}, Y: figure.Axis{Label: "measured / predicted"},
		Curves: []figure.Curve{measured, one},
	}
}

// sweepFigure shows one quantity along the sweep.
func sweepFigure(s *props.Simulated, k int) figure.Figure {
	q := s.Points[0].Quantities[k]
	measured := figure.Curve{Name: "measured", Style: figure.Points}
	predicted := figure.Curve{Name: "predicted", Style: figure.Dashed}
	positive := true
	for _, point := range s.Points {
		x, _ := strconv.ParseFloat(point.At, 64)
		at := point.Quantities[k]
		if math.IsNaN(float64(at.Measured)) || math.IsNaN(float64(at.Predicted)) ||
			math.IsInf(float64(at.Predicted), 0) {
			continue
		}
		lo, hi := float64(at.Lo), float64(at.Hi)
		if math.IsNaN(lo) {
			lo, hi = float64(at.Measured), float64(at.Measured)
		}
		measured.X, measured.Y = append(measured.X, x), append(measured.Y, float64(at.Measured))
		measured.Lo, measured.Hi = append(measured.Lo, lo), append(measured.Hi, hi)
		predicted.X, predicted.Y = append(predicted.X, x), append(predicted.Y, float64(at.Predicted))
		positive = positive && lo > 0 && at.Predicted > 0
	}
	return figure.Figure{
		ID: "try-" + q.Name, Title: fmt.Sprintf("%s: %s", s.Slug, q.Name),
		Caption: fmt.Sprintf("%s against %s: mean of %d simulations at each point with %.0f %% intervals, and the "+
			"prediction dashed.",
			q.Meaning, s.Sweep, s.Reps, 100*props.SimulatedConfidence),
		X: figure.Axis{Label: s.Sweep, Log: true}, Y: figure.Axis{Label: q.Name, Log: positive},
		Curves: []figure.Curve{measured, predicted},
	}
}

// SimulationCSV is a table with a line for each point and quantity.
func SimulationCSV(s *props.Simulated) string {
	var out strings.Builder
	w := csv.NewWriter(&out)
	number := func(x results.Number) string { return strconv.FormatFloat(float64(x), 'g', -1, 64) }
	sweep := s.Sweep
	if sweep == "" {
		sweep = "at"
	}
	_ = w.Write([]string{sweep, "quantity", "predicted", "measured", "lo", "hi", "replicates"})
	for _, p := range s.Points {
		for _, q := range p.Quantities {
			_ = w.Write([]string{p.At, q.Name, number(q.Predicted), number(q.Measured), number(q.Lo), number(q.Hi),
				strconv.Itoa(s.Reps)})
		}
	}
	w.Flush()
	return out.String()
}
