package runs

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/results"
)

// TrackSchema is the version of the format of a [Track].
const TrackSchema = "thm.track.claims/v1"

// Track is how worst ratios and resolutions moved over several results, the oldest first.
type Track struct {
	Schema string   `json:"schema"`
	Runs   []Side   `json:"runs"`
	Claims []Series `json:"claims"` // the one that moved most comes first
}

// Series is one claim over the runs; NaN where a run has no row of it.
type Series struct {
	Claim      string           `json:"claim"`
	Ratio      []results.Number `json:"ratio"`
	Resolution []results.Number `json:"resolution"`
}

// Follow orders results by time and lines up their rows. It refuses results of different efforts or seeds, whose
// differences would look like changes.
func Follow(all []*results.Results) (Track, error) {
	t := Track{Schema: TrackSchema, Claims: []Series{}}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b *results.Results) int { return a.Run.Started.Compare(b.Run.Started) })
	var slugs []string
	for _, r := range all {
		if first := all[0].Run; r.Run.Effort != first.Effort || r.Run.Seed != first.Seed {
			return t, fmt.Errorf("results of %s effort and seed %d are mixed with results of %s effort and seed %d; give "+
				"results of one effort and one seed", first.Effort, first.Seed, r.Run.Effort, r.Run.Seed)
		}
		t.Runs, slugs = append(t.Runs, side(r)), union(slugs, ids(r))
	}
	for _, slug := range slugs {
		s := Series{Claim: slug}
		for _, r := range all {
			ratio, resolution := results.Number(math.NaN()), results.Number(math.NaN())
			if row := Row(r, slug); row != nil {
				ratio, resolution = row.WorstRatio, row.Resolution
			}
			s.Ratio, s.Resolution = append(s.Ratio, ratio), append(s.Resolution, resolution)
		}
		t.Claims = append(t.Claims, s)
	}
	slices.SortStableFunc(t.Claims, func(a, b Series) int { return cmp.Compare(b.moved(), a.moved()) })
	return t, nil
}

// moved returns the largest factor between the first value and another one, of the ratio or the resolution.
func (s Series) moved() float64 {
	largest := 0.0
	for _, list := range [][]results.Number{s.Ratio, s.Resolution} {
		for _, x := range list {
			if f := math.Abs(math.Log(float64(x / list[0]))); f > largest {
				largest = f
			}
		}
	}
	return largest
}

// drawnSeries is the number of claims that a figure has room for.
const drawnSeries = 8

// Figures draws the worst ratios and the resolutions of the claims that moved most, over the runs.
func (t Track) Figures() []figure.Figure {
	of := func(id, title, label string, values func(Series) []results.Number) figure.Figure {
		f := figure.Figure{ID: id, Title: title, X: figure.Axis{Label: "run, the oldest first"},
			Y: figure.Axis{Label: label, Log: true}, Curves: []figure.Curve{},
			Caption: fmt.Sprintf("%s of the claims that moved most, over %d runs.", title, len(t.Runs))}
		for _, s := range t.Claims[:min(drawnSeries, len(t.Claims))] {
			c := figure.Curve{Name: s.Claim, Style: figure.Line}
			for i, v := range values(s) {
				if v > 0 && !math.IsInf(float64(v), 0) { // an exact check has neither
					c.Add(float64(i+1), float64(v))
				}
			}
			if len(c.X) > 0 {
				f.Curves = append(f.Curves, c)
			}
		}
		return f
	}
	return []figure.Figure{
		of("ratios", "Worst ratios", "worst ratio", func(s Series) []results.Number { return s.Ratio }),
		of("resolutions", "Resolutions", "resolution", func(s Series) []results.Number { return s.Resolution }),
	}
}
