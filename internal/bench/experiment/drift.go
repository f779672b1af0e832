package experiment

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Unsound lists the findings of complete runs that have no number to stand on, where there should be one.
func (e Experiment) Unsound(r *Result) []string {
	var out []string
	for _, f := range r.Findings {
		if c, _ := e.Claim(f.Claim); c.Spread || f.Verdict == results.Incomplete {
			continue
		}
		for _, x := range []results.Number{f.Estimate, f.Lo, f.Hi} {
			if v := float64(x); math.IsNaN(v) || math.IsInf(v, 0) {
				out = append(out, fmt.Sprintf("%s: %v in [%v, %v] is no number", f.where(), float64(f.Estimate),
					float64(f.Lo), float64(f.Hi)))
				break
			}
		}
	}
	return out
}

// Covers returns why a run with these settings cannot be compared with the result, or nil.
func (e Experiment) Covers(r *Result, datasets []string, effort props.Effort, seed uint64) error {
	switch {
	case r.Run.Effort != effort:
		return fmt.Errorf("the published results are of effort %s, not %s", r.Run.Effort, effort)
	case r.Run.Seed != seed:
		return fmt.Errorf("the published results are of seed %d, not %d", r.Run.Seed, seed)
	case !bytes.Equal(r.Run.Sizes, encoded(e.sizes(effort))):
		return fmt.Errorf("the sizes of the published results differ from the present sizes of effort %s", effort)
	case r.Run.Cells.Run < r.Run.Cells.Planned:
		return fmt.Errorf("the published results are incomplete")
	case !slices.Equal(r.Run.Datasets, datasets):
		return fmt.Errorf("the published results are of the data sets %v, not of %v", r.Run.Datasets, datasets)
	}
	return nil
}

// Published reads the results that a run is to be compared with, before the run takes its time; nil without a folder of
// reports.
func (e Experiment) Published(dir string, sets []Set, effort props.Effort, seed uint64) (*Result, error) {
	if dir == "" {
		return nil, nil
	}
	published, err := e.Read(dir)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(e.Dir(dir), ResultsName)
	if published == nil {
		return nil, fmt.Errorf("%s is not there; --check wants the --out of a thm experiment that ran %s", file, e.Name)
	}
	if err := e.Covers(published, namesOf(sets), effort, seed); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return published, nil
}

// Drift lists where the findings of r depart from the published ones: another verdict, an estimate outside of the
// published interval, or a finding that only one of them has. On the processor and kernels of the published run
// estimates are the same to the last digit; elsewhere training takes rounding up, which is what Slack is for.
func (r *Result) Drift(published *Result) []string {
	before, out := map[string]Finding{}, []string{}
	for _, f := range published.Findings {
		before[f.where()] = f
	}
	for _, f := range r.Findings {
		was, there := before[f.where()]
		delete(before, f.where())
		if !there {
			out = append(out, f.where()+": not among the published findings")
			continue
		}
		if f.Verdict != was.Verdict {
			out = append(out, fmt.Sprintf("%s: %s, published as %s", f.where(), f.Verdict, was.Verdict))
		}
		if !was.near(float64(f.Estimate)) {
			out = append(out, fmt.Sprintf("%s: %.6g, published as %.6g in [%.6g, %.6g]", f.where(), float64(f.Estimate),
				float64(was.Estimate), float64(was.Lo), float64(was.Hi)))
		}
	}
	for _, f := range published.Findings { // in their order, unlike the map
		if _, left := before[f.where()]; left {
			out = append(out, f.where()+": published, and not found now")
		}
	}
	return out
}

// near reports whether an estimate is where the published one was. Where there was no interval the estimate takes its
// place.
func (f Finding) near(x float64) bool {
	at, lo, hi := float64(f.Estimate), float64(f.Lo), float64(f.Hi)
	if math.IsNaN(lo) || math.IsNaN(hi) {
		lo, hi = at, at
	}
	if math.IsNaN(at) {
		return math.IsNaN(x)
	}
	return lo-f.Slack <= x && x <= hi+f.Slack
}

// where names what a finding is about.
func (f Finding) where() string {
	text := f.Claim
	for _, part := range []string{f.Row, f.Column} {
		if part != "" {
			text += ", " + part
		}
	}
	return text
}
