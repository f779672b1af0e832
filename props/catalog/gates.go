package catalog

import (
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	"github.com/thm-suite/thm/theory"
)

// Unchecked lists the claims that no run could refute, or whose passing would not be evidence: without a check,
// without a control, or without a resolution.
func Unchecked(claims []props.Claim) []string {
	var out []string
	for _, c := range claims {
		for _, need := range []struct {
			what string
			n    int
		}{{"check (Verify)", len(c.Verify)}, {"control (Controls)", len(c.Controls)}, {"resolution (Resolve)", len(c.Resolve)}} {
			if need.n == 0 {
				out = append(out, fmt.Sprintf("%s has no %s", c.Statement.Slug, need.what))
			}
		}
	}
	return out
}

// Untouched lists the assumptions that no control drops and that give no reason, those that do both, and the
// controls that drop an assumption which the statement does not have.
func Untouched(claims []props.Claim) []string {
	var out []string
	for _, c := range claims {
		slug, dropped := c.Statement.Slug, map[string]bool{}
		for _, control := range c.Controls {
			dropped[control.Assumption] = true
			if control.Assumption != "" && !slices.ContainsFunc(c.Statement.Assumptions,
				func(a theory.Assumption) bool { return a.ID == control.Assumption }) {
				out = append(out, fmt.Sprintf("%s: control %q drops assumption %q, which the statement does not have", slug, control.Name, control.Assumption))
			}
		}
		for _, a := range c.Statement.Assumptions {
			switch {
			case !dropped[a.ID] && a.NoControl == "":
				out = append(out, fmt.Sprintf("%s: assumption %q is dropped by no control and gives no reason (NoControl)", slug, a.ID))
			case dropped[a.ID] && a.NoControl != "":
				out = append(out, fmt.Sprintf("%s: assumption %q is dropped by a control and yet says that it cannot be", slug, a.ID))
			}
		}
	}
	return out
}

// Unrefuted lists the printed errors that nothing refutes, and the refutations of errors that the statement does
// not have.
func Unrefuted(claims []props.Claim) []string {
	var out []string
	for _, c := range claims {
		refuted := map[string]bool{}
		for _, r := range c.Errata {
			refuted[r.Erratum] = true
			if !slices.ContainsFunc(c.Statement.Errata, func(e theory.Erratum) bool { return e.ID == r.Erratum }) {
				out = append(out, fmt.Sprintf("%s: refutation of %q, which is no erratum of the statement", c.Statement.Slug, r.Erratum))
			}
		}
		for _, e := range c.Statement.Errata {
			if !refuted[e.ID] {
				out = append(out, fmt.Sprintf("%s: erratum %q is refuted by nothing", c.Statement.Slug, e.ID))
			}
		}
	}
	return out
}

// Ambiguous lists names that occur twice within a claim where a report needs to tell them apart: checks, controls,
// resolutions.
func Ambiguous(claims []props.Claim) []string {
	var out []string
	for _, c := range claims {
		var checks, controls, resolutions []string
		for _, check := range c.Verify {
			checks = append(checks, check.Name())
		}
		for _, control := range c.Controls {
			controls = append(controls, control.Name)
		}
		for _, r := range c.Resolve {
			resolutions = append(resolutions, r.Of)
		}
		for _, problem := range slices.Concat(uneven("check", checks), uneven("control", controls), uneven("resolution", resolutions)) {
			out = append(out, c.Statement.Slug+": "+problem)
		}
	}
	return out
}

// uneven lists the empty and the repeated among the names of something.
func uneven(what string, names []string) []string {
	var out []string
	for i, name := range names {
		switch {
		case name == "":
			out = append(out, fmt.Sprintf("%s number %d has no name", what, i+1))
		case slices.Contains(names[:i], name):
			out = append(out, fmt.Sprintf("%s %q occurs twice", what, name))
		}
	}
	return out
}

// Unpredictable lists the statements whose closed forms give no finite number at their own defaults.
func Unpredictable(statements []*theory.Statement) []string {
	var out []string
	for _, s := range statements {
		if s.Predict == nil {
			continue
		}
		quantities, err := s.Evaluate(nil)
		if err != nil {
			out = append(out, fmt.Sprintf("%s: prediction at the defaults: %v", s.Slug, err))
			continue
		}
		if len(quantities) == 0 {
			out = append(out, s.Slug+": prediction at the defaults: no quantity at all")
		}
		var names []string
		for _, q := range quantities {
			names = append(names, q.Name)
			if math.IsNaN(q.Value) || math.IsInf(q.Value, 0) {
				out = append(out, fmt.Sprintf("%s: prediction at the defaults: %s is %v", s.Slug, q.Name, q.Value))
			}
		}
		for _, problem := range uneven("predicted quantity", names) {
			out = append(out, s.Slug+": "+problem)
		}
	}
	return out
}

// Overspent complains when the statistical parts of a run together may raise a false alarm more often than the
// whole suite is allowed to.
func Overspent(results *props.Results) []string {
	total := 0.0
	var out []string
	for _, c := range results.Claims {
		for _, p := range c.Parts {
			if !(p.Alpha >= 0) {
				out = append(out, fmt.Sprintf("%s: %s / %s: false-alarm probability %v", c.ID, p.Check, p.Name, p.Alpha))
			}
			total += p.Alpha
		}
	}
	if !(total <= stat.SuiteAlpha) {
		out = append(out, fmt.Sprintf("false-alarm probabilities add up to %.3g; the budget of a run is %.3g", total, stat.SuiteAlpha))
	}
	return out
}

// Confused lists the figures of a row whose names occur twice: a report could not tell them apart.
func Confused(results *props.Results) []string {
	var out []string
	for _, c := range results.Claims {
		var ids []string
		for _, f := range c.Figures {
			ids = append(ids, f.ID)
		}
		for _, problem := range uneven("figure", ids) {
			out = append(out, c.ID+": "+problem)
		}
	}
	return out
}
