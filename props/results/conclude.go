package results

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Conclude derives everything in the results that follows from something else in them: verdicts, worst ratios,
// resolutions, what was rejected, all counts, and the digest. What a file says of these is never believed.
func (r *Results) Conclude() {
	for i := range r.Claims {
		r.Claims[i].Conclude()
	}
	r.Summarise()
	r.Manifest.Effort, r.Manifest.Seed = r.Run.Effort, r.Run.Seed
	r.Manifest.Digest = r.Digest()
}

// Conclude derives what follows from the regimes of the criteria, the controls and the checks of a row.
func (row *Claim) Conclude() {
	for i := range row.Controls {
		c := &row.Controls[i]
		c.Rejected = c.Message == "" && c.Fraction == 1 && c.Ratio > 1
		c.Chance = Number(c.acceptance())
	}
	row.Errata = row.concludePrinted(row.Errata, func(c Control) string { return c.Erratum })
	row.Readings = row.concludePrinted(row.Readings, func(c Control) string { return c.Reading })
	for i := range row.Criteria {
		p := &row.Criteria[i]
		p.conclude()
		p.Controls = 0
		for _, c := range row.Controls {
			if c.Check == p.Check && slices.Contains(c.RejectedBy, p.Name) {
				p.Controls++
			}
		}
	}
	row.concludeVerdict()
	row.concludeResolution()
	row.Warnings = row.warnings()
}

// concludePrinted gives the printed forms of a row what their controls came to; the k-th belongs to the k-th control
// that names one.
func (row *Claim) concludePrinted(printed []Erratum, id func(Control) string) []Erratum {
	var out []Erratum
	for _, c := range row.Controls {
		if id(c) == "" {
			continue
		}
		e := Erratum{}
		if len(out) < len(printed) {
			e = printed[len(out)]
		}
		e.ID, e.Refuted, e.Ratio, e.Message = id(c), c.Rejected, c.Ratio, c.Message
		out = append(out, e)
	}
	if out == nil && printed != nil {
		out = []Erratum{}
	}
	return out
}

// conclude sets the figures of a criterion over all its regimes: the worst count. Of no regime it is an error.
func (p *Criterion) conclude() {
	ratio := Ratio{}
	if len(p.Regimes) == 0 {
		ratio = invalid
	}
	p.Near, p.Resolution = Number(math.NaN()), 0
	declined, judged := false, p.Cases() == 0
	for _, r := range p.Regimes {
		declined = declined || r.Declined > r.MayDecline
		judged = judged || r.Declined < r.Cases
		ratio = ratio.And(Ratio{float64(r.Ratio), float64(r.Lower)})
		p.Resolution = max(p.Resolution, r.Median)
		if !(p.Near <= r.Near) && !math.IsNaN(float64(r.Near)) {
			p.Near = r.Near
		}
	}
	p.Ratio, p.Lower, p.Verdict = Number(ratio.Value), Number(ratio.Lower), ratio.Verdict()
	if declined || !judged {
		p.Verdict = Worst(p.Verdict, Undecided)
	}
}

// concludeVerdict takes the worst of the checks and their criteria. A claim without a check is broken, and one that
// holds and whose controls have not all run is incomplete.
func (row *Claim) concludeVerdict() {
	row.Verdict, row.WorstRatio, row.Message, row.Cases = Holds, 0, "", Count{}
	if len(row.Checks) == 0 {
		row.Verdict, row.Message, row.WorstRatio = Error, "the claim has no check", Number(math.Inf(1))
	}
	for _, k := range row.Checks {
		row.Cases = row.Cases.plus(k.Cases)
		verdict, ratio := row.checkVerdict(k)
		row.Verdict, row.WorstRatio = Worst(row.Verdict, verdict), max(row.WorstRatio, ratio)
		if row.Message == "" {
			row.Message = k.Message
		}
	}
	if row.Verdict == Holds && slices.ContainsFunc(row.Controls, func(c Control) bool { return c.Incomplete }) {
		row.Verdict, row.Message = Incomplete, "not all controls have run"
	}
	if unfounded := row.Unfounded(); row.Verdict == Holds && len(unfounded) > 0 {
		row.Verdict, row.Message = Unproven, strings.Join(unfounded, "; ")
	}
}

// checkVerdict is the verdict of one check and its worst ratio. What was not judged has no ratio, which counts as
// infinite.
func (row *Claim) checkVerdict(k Check) (Verdict, Number) {
	ratio, judged, verdict := Ratio{}, false, Holds
	for _, p := range row.Criteria {
		if p.Check == k.Name {
			verdict = Worst(verdict, p.Verdict)
			ratio, judged = ratio.And(Ratio{float64(p.Ratio), float64(p.Lower)}), true
		}
	}
	number := Number(ratio.Value)
	if !judged || !ratio.Valid() {
		number = Number(math.Inf(1))
	}
	switch {
	case !k.Broken && k.Cases.Run < k.Cases.Planned:
		return Incomplete, number
	case k.Broken || !judged:
		return Error, number
	}
	return verdict, number
}

// concludeResolution sets the figure that the row shows: the median case of the worst regime of the coarsest
// criterion. Bounds count only where there is nothing else; a condition on a sign has no resolution.
func (row *Claim) concludeResolution() {
	row.Resolutions = []Resolution{}
	for _, p := range row.Criteria {
		if p.Form != YesNo {
			row.Resolutions = append(row.Resolutions, Resolution{Of: p.Check + ": " + p.Name, Unit: p.Unit,
				Value: p.Resolution})
		}
	}
	row.Resolution, _ = row.Coarsest()
}

// Coarsest is the resolution that a row shows, and its unit; [Exact] where every criterion is, counts among them, and
// empty where there is no resolution. Where a finding saw effects, they count alone.
func (row *Claim) Coarsest() (value Number, unit Unit) {
	bounds, effects := true, false
	for _, p := range row.Criteria {
		bounds = bounds && (p.Form == Bound || p.Form == YesNo)
		effects = effects || p.Unit == Share
	}
	for _, p := range row.Criteria {
		switch {
		case p.Form == YesNo || p.Form == Bound && !bounds || effects && p.Unit != Share:
		case p.Unit.notices(p.Resolution):
			unit = cmp.Or(unit, Exact)
		case unit == "" || unit == Exact || p.Resolution > value:
			value, unit = p.Resolution, p.Unit
		}
	}
	return value, unit
}

// notices reports whether any other value than the claimed one is noticed: to the last bit, or of counts the next one.
func (u Unit) notices(resolution Number) bool { return u == Exact || u == Whole && resolution < 1 }

// ResolutionText is the resolution of a row with its unit: "exact" where every criterion is, and "none" where no error
// would have been noticed.
func (row *Claim) ResolutionText() string {
	switch value, unit := row.Coarsest(); {
	case unit == "":
		return "-"
	case unit == Exact:
		return "exact"
	case math.IsInf(float64(value), 1):
		return "none"
	default:
		return fmt.Sprintf("%.2g %s", float64(value), unit.Short())
	}
}

// warnings says what is green by luck: a criterion whose worst ratio is more than half of what would refute it.
func (row *Claim) warnings() []string {
	var out []string
	for _, p := range row.lucky() {
		out = append(out, fmt.Sprintf("%s: %s passed at a ratio of %.2f: more than half of what would refute it", p.Check,
			p.Name, float64(p.Ratio)))
	}
	return out
}

func (row *Claim) lucky() []Criterion {
	return slices.DeleteFunc(slices.Clone(row.Criteria), func(p Criterion) bool {
		return p.Verdict != Holds || p.Form == YesNo || !(p.Ratio > 0.5)
	})
}

// Warned is the warnings of a row for a reader: one for each check, of the criterion that came nearest.
func (row *Claim) Warned() []string {
	more, nearest := map[string]int{}, map[string]Criterion{}
	var checks []string
	for _, p := range row.lucky() {
		if best, known := nearest[p.Check]; !known {
			nearest[p.Check], checks = p, append(checks, p.Check)
		} else if more[p.Check]++; p.Ratio > best.Ratio {
			nearest[p.Check] = p
		}
	}
	var out []string
	for _, check := range checks {
		text := fmt.Sprintf("%s: %s passed at a ratio of %.2f", check, nearest[check].Name, float64(nearest[check].Ratio))
		if n := more[check]; n > 0 {
			text += fmt.Sprintf(", and %d more at up to that", n)
		}
		out = append(out, text+": more than half of what would refute it")
	}
	return out
}

// Cases counts those of all regimes.
func (p *Criterion) Cases() int {
	n := 0
	for _, r := range p.Regimes {
		n += r.Cases
	}
	return n
}

// Unfounded lists why a pass is no evidence: what shows of the claim before it runs, controls that were accepted, and
// criteria that no control violates, which could be replaced by a tautology, and nothing would turn red.
func (row *Claim) Unfounded() []string {
	out := slices.Clone(row.Flaws)
	for _, c := range row.Controls {
		switch {
		case c.Message != "":
			out = append(out, fmt.Sprintf("control %q broke: %s", c.Name, c.Message))
		case !c.Rejected:
			out = append(out, fmt.Sprintf("control %q is accepted: it was rejected on a fraction %v of replicates, smallest "+
				"ratio %.3g", c.Name, c.Fraction, float64(c.Ratio)))
		}
	}
	for _, p := range row.Criteria {
		if p.Controls == 0 {
			out = append(out, fmt.Sprintf("%s / %s rejects no control", p.Check, p.Name))
		}
	}
	return out
}
