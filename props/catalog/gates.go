package catalog

import (
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	"github.com/thm-suite/thm/theory"
)

// Unchecked lists the claims that no run could refute, or whose passing would not be evidence: without a check or
// without a control. That every criterion has a resolution is for a run to find out.
func Unchecked(claims []props.Claim) []string {
	var out []string
	for _, c := range claims {
		if len(c.CheckNames()) == 0 {
			out = append(out, c.Statement.Slug+" has no check")
		}
		if len(c.AllControls()) == 0 {
			out = append(out, c.Statement.Slug+" has no control")
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
		for _, control := range c.AllControls() {
			dropped[control.Assumption] = true
			if control.Assumption != "" && !slices.ContainsFunc(c.Statement.Assumptions,
				func(a theory.Assumption) bool { return a.ID == control.Assumption }) {
				out = append(out, fmt.Sprintf("%s: control %q drops assumption %q, which the statement does not have", slug,
					control.Name, control.Assumption))
			}
		}
		for _, a := range c.Statement.Assumptions {
			switch {
			case !dropped[a.ID] && a.NoControl == "":
				out = append(out, fmt.Sprintf("%s: assumption %q is dropped by no control and gives no reason (NoControl)", slug,
					a.ID))
			case dropped[a.ID] && a.NoControl != "":
				out = append(out, fmt.Sprintf("%s: assumption %q is dropped by a control and yet says that it cannot be", slug,
					a.ID))
			}
		}
	}
	return out
}

// Unrefuted lists the errata and readings that no control refutes, and the controls that refute what the statement does
// not have.
func Unrefuted(claims []props.Claim) []string {
	var out []string
	for _, c := range claims {
		errata, readings := map[string]bool{}, map[string]bool{}
		for _, control := range c.AllControls() {
			errata[control.Erratum], readings[control.Reading] = true, true
			if control.Erratum != "" && c.Statement.Erratum(control.Erratum) == nil {
				out = append(out, fmt.Sprintf("%s: refutation of %q, which is no erratum of the statement", c.Statement.Slug,
					control.Erratum))
			}
			if control.Reading != "" && c.Statement.Reading(control.Reading) == nil {
				out = append(out, fmt.Sprintf("%s: refutation of %q, which is no reading of the statement", c.Statement.Slug,
					control.Reading))
			}
		}
		for _, e := range c.Statement.Errata {
			if !errata[e.ID] {
				out = append(out, fmt.Sprintf("%s: erratum %q is refuted by nothing", c.Statement.Slug, e.ID))
			}
		}
		for _, r := range c.Statement.Readings {
			if !readings[r.ID] {
				out = append(out, fmt.Sprintf("%s: reading %q is refuted by nothing", c.Statement.Slug, r.ID))
			}
		}
	}
	return out
}

// Ambiguous lists names that occur twice within a claim where a report needs to tell them apart: checks and controls.
func Ambiguous(claims []props.Claim) []string {
	var out []string
	for _, c := range claims {
		var controls []string
		for _, control := range c.AllControls() {
			controls = append(controls, control.Name)
		}
		for _, problem := range slices.Concat(uneven("check", c.CheckNames()), uneven("control", controls)) {
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

// Overspent complains when the statistical criteria of a run together may be red, undecided included, more often than
// the whole suite is allowed to be with all claims true.
func Overspent(results *props.Results) []string {
	var budget stat.Budget
	for _, c := range results.Claims {
		for _, p := range c.Criteria {
			budget.Charge(fmt.Sprintf("%s: %s / %s", c.ID, p.Check, p.Name), stat.Risk{Refuted: p.Alpha, Undecided: p.Undecided})
		}
	}
	return budget.Overspent()
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
