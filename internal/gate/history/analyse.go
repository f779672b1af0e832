package history

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/number"
)

// Schema is the name of the format of analyses; package schema has its JSON Schema.
const Schema = "thm.bench.track/v2"

// Policy declares what is looked for.
type Policy struct {
	Alpha  float64 `json:"alpha"` // chance of a change in any series of a setup in which nothing changed
	Margin float64 `json:"zone"`  // smallest relative change that a check minds; 0.05 is 5 %
	Block  int     `json:"block"` // runs that stay together in a random order, see [Calibration]
	// tracked; if none, sec/op, B/op, allocs/op and exact units with a direction
	Units []string `json:"units,omitempty"`
	Seed  uint64   `json:"seed"` // of the random orders
}

// DefaultPolicy returns the policy that applies where no other is given.
func DefaultPolicy() Policy { return Policy{Alpha: 0.01, Margin: 0.05, Block: 1, Seed: 1} }

// Validate names what is wrong with a policy.
func (p Policy) Validate() error {
	switch {
	case !(p.Alpha >= 1e-6 && p.Alpha <= 0.5):
		return fmt.Errorf("alpha must be a probability from 1e-6 to 0.5, not %v", p.Alpha)
	case !(p.Margin >= 0 && p.Margin <= 10):
		return fmt.Errorf("zone must be a relative change from 0 to 10, as 0.05 for 5 %%, not %v", p.Margin)
	case p.Block < 1 || p.Block > 1000:
		return fmt.Errorf("block must be a number of runs from 1 to 1000, not %d", p.Block)
	case slices.Contains(p.Units, ""):
		return fmt.Errorf("a unit has a name")
	}
	return nil
}

// Analysis holds the results of analysing a history.
type Analysis struct {
	Schema string     `json:"schema"`
	Policy Policy     `json:"policy"`
	Runs   []Manifest `json:"runs"`
	Rows   []Row      `json:"rows"`
	Fits   []Fit      `json:"fits"`
}

// Analyse finds change points and fits costs.
func (h *History) Analyse(p Policy) *Analysis {
	a := &Analysis{Schema: Schema, Policy: p, Runs: []Manifest{}, Rows: append([]Row{}, h.rows(p)...), Fits: []Fit{}}
	for _, r := range h.Runs {
		a.Runs = append(a.Runs, r.Manifest)
	}
	c := &Calibration{Block: p.Block, Seed: p.Seed}
	for _, level := range a.levels() {
		for i := range a.Rows {
			r := &a.Rows[i]
			for k := range r.Series {
				if s := &r.Series[k]; s.Setup == level.setup {
					r.examine(s, c, p, level.share)
				}
			}
		}
	}
	a.Fits = append(a.Fits, fits(a.Rows)...)
	return a
}

// share is the level of each series of a setup.
type share struct {
	setup string
	share float64
}

// levels divides α among the series of each setup that leave something to chance. A series that is too short for its
// share, or has one value throughout, has no part in it, since nothing can be found there; neither depends on the order
// of the runs.
func (a *Analysis) levels() []share {
	var setups []string
	lengths := map[string][]int{}
	for _, r := range a.Rows {
		for _, s := range r.Series {
			if !slices.Contains(setups, s.Setup) {
				setups = append(setups, s.Setup)
			}
			if !r.Exact && s.varies() {
				lengths[s.Setup] = append(lengths[s.Setup], len(s.Points))
			}
		}
	}
	var out []share
	for _, setup := range setups {
		all := float64(max(len(lengths[setup]), 1))
		long := list.Where(lengths[setup], func(n int) bool { return orderly(n) <= a.Policy.Alpha/all })
		out = append(out, share{setup, a.Policy.Alpha / float64(cmp.Or(len(long), int(all)))})
	}
	return out
}

// examine finds the change points of a series.
func (r *Row) examine(s *Series, c *Calibration, p Policy, level float64) {
	x := s.centers()
	var found []Found
	if r.Exact {
		found = r.steps(x)
	} else {
		s.Level = level
		if s.Delay = c.delay(len(x), level); s.Delay == 0 {
			s.Needs = max(minRuns(level)*p.Block, len(x)+1)
		}
		found = c.Find(x, level)
	}
	for i, f := range found {
		from, to := 0, len(x)
		if i > 0 {
			from = found[i-1].At
		}
		if i+1 < len(found) {
			to = found[i+1].At
		}
		before, after := number.Median(x[from:f.At]), number.Median(x[f.At:to])
		undecided := false
		if !r.Exact {
			f.At, before, after, undecided = underDrift(x, f.At, from, to, level, p.Seed)
		}
		change := r.change(f, s.Points[f.At].Run, before, after, p, level)
		if undecided {
			change.Worse, change.Better, change.Drift = false, false, true
		}
		s.Changes = append(s.Changes, change)
	}
}

// underDrift places a change between two others once more if the series drifts on its sides: there the split that
// differs most is not where the step is, and can be where there is none. It also says what was before and after, which
// then are the ends of the lines, and whether no step can be told from the drift.
func underDrift(x []float64, at, from, to int, level float64, seed uint64) (place int, before, after float64,
	undecided bool) {
	before, after = number.Median(x[from:at]), number.Median(x[at:to])
	y := make([]float64, to-from)
	for i, v := range x[from:to] {
		if !(v > 0) {
			return at, before, after, false
		}
		y[i] = math.Log(v)
	}
	if !drifts(y, at-from) {
		return at, before, after, false
	}
	s, p := beyondDrift(y, level, seed)
	if !(p <= level) {
		return at, before, after, true
	}
	before = number.Median(x[max(from, from+s.at-3) : from+s.at])
	return from + s.at, before, before * math.Exp(s.size), false
}

// steps are the changes of numbers that leave nothing to chance.
func (r *Row) steps(x []float64) (out []Found) {
	base := x[0]
	for i, value := range x {
		if value != base && !(r.Unit == "B/op" && math.Abs(value-base) < compare.MinBytes) {
			out = append(out, Found{i, 0})
			base = value
		}
	}
	return out
}

// change describes a change point. It is for the worse or better if it lies beyond the margin; exact numbers have none.
func (r *Row) change(f Found, run int, before, after float64, p Policy, level float64) Change {
	out := Change{Run: run, Before: compare.Number(before), After: compare.Number(after),
		Ratio: compare.Number(after / before)}
	if before == after {
		out.Ratio = 1
	}
	margin := p.Margin
	if slices.Contains(compare.Counted, r.Unit) {
		margin = min(margin, compare.CountMargin)
	}
	if r.Exact {
		margin = 0
	} else {
		out.P = compare.Number(math.Min(1, f.P*p.Alpha/level))
	}
	up, down := after > before*(1+margin), before > after*(1+margin)
	if r.Better < 0 {
		up, down = down, up
	}
	if r.Better != 0 {
		out.Better, out.Worse = up, down
	}
	return out
}

// JSON is the analysis as it is printed.
func (a *Analysis) JSON() ([]byte, error) {
	text, err := json.MarshalIndent(a, "", "  ")
	return append(text, '\n'), err
}
