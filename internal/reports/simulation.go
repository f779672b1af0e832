package reports

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
)

// DrawnFigures returns the figures that the claim's own simulation drew, at each point of a sweep.
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

// SimulationSVG returns the drawings of a simulation, by their IDs.
func SimulationSVG(s *props.Simulated) map[string]string {
	out := map[string]string{}
	figures := DrawnFigures(s)
	if s.Sweep == "" {
		f, names := ratioFigure(s)
		out[f.ID] = draw.Forest(f, f.ID, names)
	} else {
		for k, q := range s.Points[0].Quantities {
			if !math.IsNaN(float64(q.Measured)) {
				figures = append(figures, sweepFigure(s, k))
			}
		}
	}
	for _, f := range figures {
		out[f.ID] = draw.Evidence(f, f.ID)
	}
	return out
}

// Names of the curves of measured values.
const (
	within = "measured"
	beyond = "measured, the interval excludes the prediction"
)

// ratioFigure draws a row for each quantity whose prediction or bound is a number other than zero, with its name.
func ratioFigure(s *props.Simulated) (f figure.Figure, names []string) {
	curves := map[string]*figure.Curve{}
	order := []string{within, beyond, "predicted", "bound"}
	for i, name := range order {
		curves[name] = &figure.Curve{Name: name, Style: []figure.Style{figure.Points, figure.Dashed}[i/2]}
	}
	for _, q := range s.Points[0].Quantities {
		p := float64(q.Predicted)
		if math.IsNaN(float64(q.Measured)) || p == 0 || math.IsNaN(p) || math.IsInf(p, 0) {
			continue
		}
		names = append(names, strings.TrimSpace(q.Name+" "+q.Bound))
		row := float64(len(names))
		points, reference := curves[within], curves["predicted"]
		if q.Excluded {
			points = curves[beyond]
		}
		if q.Bound != "" {
			reference = curves["bound"]
		}
		lo, hi := float64(q.Lo)/p, float64(q.Hi)/p
		points.AddInterval(float64(q.Measured)/p, row, min(lo, hi), max(lo, hi))
		reference.Add(1, row-0.4)
		reference.Add(1, row+0.4)
		reference.Add(math.NaN(), math.NaN())
	}
	f = figure.Figure{
		ID: "try", Title: s.Slug + ": measured over predicted",
		Caption: fmt.Sprintf("Mean of %s over the prediction or the bound, with %.0f %% intervals. From top to bottom: %s.",
			plural(s.Reps, "simulation", "simulations"), 100*props.SimulatedConfidence, strings.Join(names, ", ")),
		X: figure.Axis{Label: "measured / predicted"},
	}
	for _, name := range order {
		if c := curves[name]; len(c.X) > 0 {
			f.Curves = append(f.Curves, *c)
		}
	}
	return f, names
}

// sweepFigure shows one quantity along the sweep.
func sweepFigure(s *props.Simulated, k int) figure.Figure {
	q := s.Points[0].Quantities[k]
	measured := figure.Curve{Name: within, Style: figure.Points}
	excluding := figure.Curve{Name: beyond, Style: figure.Points}
	predicted := figure.Curve{Name: "predicted", Style: figure.Dashed}
	if q.Bound != "" {
		predicted.Name = "bound, " + q.Bound
	}
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
		points := &measured
		if at.Excluded {
			points = &excluding
		}
		points.AddInterval(x, float64(at.Measured), lo, hi)
		predicted.Add(x, float64(at.Predicted))
		positive = positive && lo > 0 && at.Predicted > 0
	}
	return figure.Figure{
		ID: "try-" + q.Name, Title: fmt.Sprintf("%s: %s", s.Slug, q.Name),
		Caption: fmt.Sprintf("%s against %s: mean of %s at each point with %.0f %% intervals, and the "+
			"prediction or bound dashed.",
			q.Meaning, s.Sweep, plural(s.Reps, "simulation", "simulations"), 100*props.SimulatedConfidence),
		X: figure.Axis{Label: s.Sweep, Log: true}, Y: figure.Axis{Label: q.Name, Log: positive},
		Curves: slices.DeleteFunc([]figure.Curve{measured, excluding, predicted},
			func(c figure.Curve) bool { return len(c.X) == 0 }),
	}
}

// SimulationCSV returns a table with a line for each point and quantity.
func SimulationCSV(s *props.Simulated) string {
	var out strings.Builder
	w := csv.NewWriter(&out)
	number := func(x results.Number) string { return strconv.FormatFloat(float64(x), 'g', -1, 64) }
	_ = w.Write([]string{cmp.Or(s.Sweep, "at"), "quantity", "bound", "predicted", "measured", "lo", "hi", "replicates"})
	for _, p := range s.Points {
		for _, q := range p.Quantities {
			_ = w.Write([]string{p.At, q.Name, q.Bound, number(q.Predicted), number(q.Measured), number(q.Lo), number(q.Hi),
				strconv.Itoa(s.Reps)})
		}
	}
	w.Flush()
	return out.String()
}
