package results

import "slices"

// Summarise counts the rows again, after rows were added or joined.
func (r *Results) Summarise() {
	r.Summary = Summary{Verdicts: map[Verdict]int{}}
	r.Run.FalseAlarm = 0
	for _, v := range Verdicts {
		r.Summary.Verdicts[v] = 0
	}
	for _, c := range r.Claims {
		r.Summary.Verdicts[c.Verdict]++
		r.Summary.Cases = r.Summary.Cases.plus(c.Cases)
		for _, control := range c.Controls {
			r.Summary.Controls = r.Summary.Controls.plus(tried(control.Rejected))
		}
		r.Summary.Errata = r.Summary.Errata.plus(refuted(c.Errata))
		r.Summary.Readings = r.Summary.Readings.plus(refuted(c.Readings))
		for _, p := range c.Criteria {
			r.Run.FalseAlarm += p.Alpha
		}
	}
}

// refuted counts printed forms. Several controls may try one form: it is refuted if all of them are rejected.
func refuted(printed []Erratum) (n Count) {
	all := map[string]bool{}
	for _, e := range printed {
		before, tried := all[e.ID]
		all[e.ID] = e.Refuted && (before || !tried)
	}
	for _, yes := range all {
		n = n.plus(tried(yes))
	}
	return n
}

// tried counts one attempt.
func tried(succeeded bool) Count {
	c := Count{Planned: 1}
	if succeeded {
		c.Run = 1
	}
	return c
}

// Missed reports whether a control was accepted or a printed error was not refuted: the check is too weak, or
// the erratum is wrong. Controls that could not run to their end do not count as accepted.
func (c Claim) Missed() bool {
	for _, control := range c.Controls {
		if !control.Rejected && control.Message == "" {
			return true
		}
	}
	return slices.ContainsFunc(c.Errata, func(e Erratum) bool { return !e.Refuted && e.Message == "" })
}

// Unfinished reports whether the row is undecided, unproven, incomplete or in error, or a control or erratum of it is.
func (c Claim) Unfinished() bool {
	for _, control := range c.Controls {
		if control.Message != "" {
			return true
		}
	}
	for _, e := range c.Errata {
		if e.Message != "" {
			return true
		}
	}
	return c.Verdict != Holds && c.Verdict != Refuted
}

// ExitCode returns the exit code of a command that produced these results: 0 if all claims hold and all controls and
// printed errors are rejected, 1 if a claim is refuted or a control is not rejected, 3 if something is undecided,
// unproven, incomplete or broken. No claim at all is incomplete.
func (r *Results) ExitCode() int {
	code := 0
	if len(r.Claims) == 0 {
		return 3
	}
	for _, c := range r.Claims {
		if c.Verdict == Refuted || c.Missed() {
			return 1
		}
		if c.Unfinished() {
			code = 3
		}
	}
	return code
}
