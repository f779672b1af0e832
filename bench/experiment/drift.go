package experiment

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/thm-suite/thm/props"
)

// Unsound lists the findings that have no number to stand on, where there should be one. Runs that are all alike have
// no spread to compare, and two have no interval for it, so that robustness over seeds may be without.
func (r *Result) Unsound() []string {
	var out []string
	for _, f := range r.Findings {
		if f.Claim == RobustSeeds || f.Verdict == props.Incomplete {
			continue
		}
		for _, x := range []props.Number{f.Estimate, f.Lo, f.Hi} {
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
func (r *Result) Covers(names, datasets []string, e props.Effort, seed uint64) error {
	for _, part := range []struct {
		what      string
		here, all []string
	}{{"experiment", names, r.Run.Experiments}, {"data set", datasets, r.Run.Datasets}} {
		for _, name := range part.here {
			if !slices.Contains(part.all, name) {
				return fmt.Errorf("the published results have no %s %q, they have %v", part.what, name, part.all)
			}
		}
	}
	switch {
	case r.Run.Effort != e:
		return fmt.Errorf("the published results are of effort %s, not %s", r.Run.Effort, e)
	case r.Run.Seed != seed:
		return fmt.Errorf("the published results are of seed %d, not %d", r.Run.Seed, seed)
	case !reflect.DeepEqual(r.Run.Sizes, SizesAt(e)):
		return fmt.Errorf("the published results are of other sizes than those of effort %s now", e)
	case r.Run.Cells.Run < r.Run.Cells.Planned:
		return fmt.Errorf("the published results are incomplete")
	}
	return nil
}

// Drift lists where the findings of r depart from the published ones of the same experiments and data sets: another
// verdict, an estimate outside of the published interval, or a finding that only one of them has. On the processor and
// kernels of the published run estimates are the same to the last digit; elsewhere training takes rounding up, and
// accuracies are allowed the half point that does not count beside their interval.
func (r *Result) Drift(published *Result) []string {
	before, out := map[string]Finding{}, []string{}
	for _, f := range published.Findings {
		if slices.Contains(r.Run.Datasets, f.Dataset) && slices.Contains(r.Run.Experiments, experimentOf(f.Claim)) {
			before[f.where()] = f
		}
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
	at, lo, hi, slack := float64(f.Estimate), float64(f.Lo), float64(f.Hi), 0.0
	if experimentOf(f.Claim) == Training {
		slack = Margin
	}
	if math.IsNaN(lo) || math.IsNaN(hi) {
		lo, hi = at, at
	}
	if math.IsNaN(at) {
		return math.IsNaN(x)
	}
	return lo-slack <= x && x <= hi+slack
}

// where names what a finding is about.
func (f Finding) where() string {
	text := f.Claim + " on " + f.Dataset
	if f.Network != "" {
		text += ", " + string(f.Network)
	}
	if f.Rule != "" {
		text += ", " + f.Rule.Title()
	}
	return text
}

// experimentOf is the experiment that a claim is judged by.
func experimentOf(claim string) string {
	switch claim {
	case Correlates, Increments:
		return Covariance
	case Keeps:
		return NewtonSchulz
	}
	return Training
}
