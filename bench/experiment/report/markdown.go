package report

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/bench/experiment"
)

// Markdown renders the verdicts as a summary.
func Markdown(r *experiment.Result) ([]byte, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n", sentence(r))
	out.WriteString(scope + "\n\n")
	t := headlines(r)
	writeTable(&out, t)
	fmt.Fprintf(&out, "\n%d of %d planned runs, effort %s, seed %d: `%s`\n\n## What was run\n\n", r.Run.Cells.Run,
		r.Run.Cells.Planned, r.Run.Effort, r.Run.Seed, command(r))
	for _, s := range setup(r) {
		fmt.Fprintf(&out, "- %s\n", s)
	}
	for _, c := range experiment.Claims {
		t, ok := claimTable(r, c)
		if !ok {
			continue
		}
		unit := ""
		if t.InPoints() {
			unit = ", in percentage points"
		}
		fmt.Fprintf(&out, "\n## %s\n\n%s In the cells: %s, with its interval%s.\n\n", c.Title, c.Sentence, c.Quantity,
			unit)
		writeTable(&out, t)
	}
	if t := keeping(r); len(t.Rows) > 0 {
		out.WriteString("\n## Ten Newton–Schulz steps against the exact polar factor\n\n")
		writeTable(&out, t)
	}
	if t := broken(r); len(t.Rows) > 0 {
		out.WriteString("\n## Runs that came to nothing\n\nWeights that are not finite, or a rule without a next " +
			"step, over the whole grid.\n\n")
		writeTable(&out, t)
	}
	for _, c := range r.Covariance {
		v, err := covariance(c)
		if err != nil {
			return nil, err
		}
		if len(v.Facts) > 0 {
			fmt.Fprintf(&out, "\n## Virtual covariance on %s\n\n- %s\n", v.Title, strings.Join(v.Facts, "\n- "))
		}
	}
	return []byte(out.String()), nil
}

// InPoints reports whether the numbers of the table are accuracies.
func (t table) InPoints() bool {
	return t.ID == experiment.Efficient || t.ID == experiment.RobustRates || t.ID == experiment.NoOverfit
}

// Tuned reports whether the cells of the table name a step size.
func (t table) Tuned() bool {
	return t.ID == experiment.Efficient || t.ID == experiment.RobustSeeds || t.ID == experiment.NoOverfit
}

// writeTable writes a table.
func writeTable(out *strings.Builder, t table) {
	escape := strings.NewReplacer("|", `\|`, "\n", " ").Replace
	fmt.Fprintf(out, "| |%s\n| --- |%s\n", strings.Join(prefixed(t.Columns), ""),
		strings.Repeat(" --- |", len(t.Columns)))
	for _, r := range t.Rows {
		fmt.Fprintf(out, "| %s |", escape(r.Name+", "+r.Note))
		for _, c := range r.Cells {
			text := c.Evidence
			if c.Verdict != nil {
				text = strings.TrimSpace(c.Verdict.Sign + " " + c.Verdict.Word + " " + c.Evidence)
			}
			if c.Note != "" {
				text += " (" + c.Note + ")"
			}
			fmt.Fprintf(out, " %s |", escape(text))
		}
		out.WriteString("\n")
	}
}

func prefixed(columns []string) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = " " + c + " |"
	}
	return out
}
