package props

import (
	"fmt"
	"slices"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/theory"
)

// Flaws lists why passing would be no evidence, as far as it shows before a run: no check, no control, an assumption
// that no control drops, a printed form that nothing refutes, names that a report could not tell apart.
func (c Claim) Flaws() []string {
	var out, names []string
	controls := c.AllControls()
	if len(c.checks) == 0 {
		out = append(out, "the claim has no check")
	}
	if len(controls) == 0 {
		out = append(out, "the claim has no control: nothing says that its checks can fail")
	}
	for _, control := range controls {
		names = append(names, control.Name)
	}
	return slices.Concat(out, undropped(c.Statement, controls), unrefuted(c.Statement, controls),
		list.Repeated("check", c.CheckNames()), list.Repeated("control", names))
}

// undropped lists the assumptions that no control drops and that give no reason, those that do both, and the controls
// that drop an assumption which the statement does not have.
func undropped(s *theory.Statement, controls []Control) []string {
	var out []string
	dropped := map[string]bool{}
	for _, control := range controls {
		dropped[control.Assumption] = true
		if control.Assumption != "" && !slices.ContainsFunc(s.Assumptions,
			func(a theory.Assumption) bool { return a.ID == control.Assumption }) {
			out = append(out, fmt.Sprintf("control %q drops assumption %q, which the statement does not have", control.Name,
				control.Assumption))
		}
	}
	for _, a := range s.Assumptions {
		switch {
		case !dropped[a.ID] && a.NoControl == "":
			out = append(out, fmt.Sprintf("assumption %q is dropped by no control and gives no reason (NoControl)", a.ID))
		case dropped[a.ID] && a.NoControl != "":
			out = append(out, fmt.Sprintf("assumption %q is dropped by a control and yet says that it cannot be", a.ID))
		}
	}
	return out
}

// unrefuted lists the errata and readings that no control refutes.
func unrefuted(s *theory.Statement, controls []Control) []string {
	var out []string
	refuted := map[string]bool{}
	for _, control := range controls {
		refuted["erratum "+control.Erratum], refuted["reading "+control.Reading] = true, true
	}
	for _, e := range s.Errata {
		if !refuted["erratum "+e.ID] {
			out = append(out, fmt.Sprintf("erratum %q is refuted by nothing", e.ID))
		}
	}
	for _, r := range s.Readings {
		if !refuted["reading "+r.ID] {
			out = append(out, fmt.Sprintf("reading %q is refuted by nothing", r.ID))
		}
	}
	return out
}

// Conflicts lists what claims of one list contradict each other in: a slug that occurs twice, or one that a claim rests
// on and that is not there.
func Conflicts(claims []Claim) []string {
	var out []string
	seen := map[string]bool{}
	for _, c := range claims {
		if seen[c.Statement.Slug] {
			out = append(out, c.Statement.Slug+": slug occurs twice")
		}
		seen[c.Statement.Slug] = true
	}
	for _, c := range claims {
		for _, slug := range c.Statement.RestsOn {
			if !seen[slug] || slug == c.Statement.Slug {
				out = append(out, fmt.Sprintf("%s: rests on %q, which is no other claim", c.Statement.Slug, slug))
			}
		}
	}
	return out
}
