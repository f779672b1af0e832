package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thm-suite/thm/props/kernelkit"

	"github.com/thm-suite/thm/internal/terminal"

	"github.com/thm-suite/thm/internal/reports/console"
)

// Text returns the report as text: checks × kernels, failures, waivers, speeds, and a line per kernel.
func Text(r Report, s terminal.Style) string {
	return kernelsTable(r).Render(s) + kernelsFailures(r, s) + kernelsWaivers(r, s) + kernelsSpeeds(r,
		s) + kernelsSummary(r, s)
}

// kernelsTable returns a row for each check that a kernel offers and a column for each kernel: the worst ratio, or the
// outcome.
func kernelsTable(r Report) *terminal.Table {
	t := terminal.NewTable("check")
	for _, k := range r.Kernels {
		t.Columns = append(t.Columns, terminal.Column{Head: k.Result.Kernel, Right: true})
	}
	if len(r.Kernels) == 0 {
		return t
	}
	for i, c := range r.Kernels[0].Result.Checks {
		offers := func(k Kernel) bool { return k.Result.Checks[i].Verdict != kernelkit.NotOffered }
		if !slices.ContainsFunc(r.Kernels, offers) {
			continue
		}
		row := []terminal.Cell{terminal.Text(c.Check)}
		for _, k := range r.Kernels {
			row = append(row, kernelCell(k.Result.Checks[i]))
		}
		t.Add(row...)
	}
	return t
}

func kernelCell(c kernelkit.CheckResult) terminal.Cell {
	ratio := fmt.Sprintf("%.2g", float64(c.Ratio))
	switch c.Verdict {
	case kernelkit.Holds:
		return terminal.Text(ratio)
	case kernelkit.Failed:
		return terminal.Painted("✗ "+ratio, terminal.Red)
	case kernelkit.Waived:
		return terminal.Painted("waived "+ratio, terminal.Yellow)
	case kernelkit.NotOffered:
		return terminal.Painted("-", terminal.Faint)
	}
	return terminal.Painted("? "+string(c.Verdict), terminal.Yellow)
}

// kernelsFailures shows the simplest failing instances.
func kernelsFailures(r Report, s terminal.Style) string {
	var out strings.Builder
	for _, k := range r.Kernels {
		for _, c := range k.Result.Checks {
			if c.Verdict != kernelkit.Failed && c.Verdict != kernelkit.Waived && c.Verdict != kernelkit.Error &&
				c.Verdict != kernelkit.Incomplete {
				continue
			}
			fmt.Fprintf(&out, "\n%s  %s: %s, ratio %.3g on %s cases\n", s.Paint(terminal.Bold, k.Result.Kernel),
				s.Paint(terminal.Bold, c.Check), c.Verdict,
				float64(c.Ratio), console.Count(c.Cases))
			lines := terminal.Wrap(c.Doc, 98)
			for _, text := range []string{c.Message, c.Counterexample} {
				if text = strings.TrimSpace(text); text != "" {
					lines = append(lines, strings.Split(text, "\n")...)
				}
			}
			if c.Reproducer != "" {
				lines = append(lines, "--reproducers DIR writes a program that shows it: "+programName(k.Result.Kernel, c))
			}
			fmt.Fprintln(&out, "  "+strings.Join(lines, "\n  "))
		}
	}
	return out.String()
}

// kernelsWaivers lists the accepted failures, why and until when, and the waivers that are wrong.
func kernelsWaivers(r Report, s terminal.Style) string {
	var out strings.Builder
	for _, k := range r.Kernels {
		for _, c := range k.Result.Checks {
			if c.Waiver != nil {
				fmt.Fprintf(&out, "\nwaiver: %s %s until %s: %s\n", k.Result.Kernel, c.Check, c.Waiver.Expires,
					c.Waiver.Reason)
			}
		}
		for _, complaint := range k.Result.Complaints {
			fmt.Fprintf(&out, "\n%s\n", s.Paint(terminal.Red, k.Result.Kernel+": "+complaint))
		}
	}
	return out.String()
}

// kernelsSpeeds returns a row for each operation: gigaflops and the fraction of the peak.
func kernelsSpeeds(r Report, s terminal.Style) string {
	var operations []string
	cells := map[string]map[string]terminal.Cell{}
	var notes strings.Builder
	noise := 0.0
	t := terminal.NewTable("Gflop/s (of peak)")
	for _, k := range r.Kernels {
		t.Columns = append(t.Columns, terminal.Column{Head: k.Result.Kernel, Right: true})
		for _, v := range k.Speeds {
			operation := fmt.Sprintf("%s n=%d", v.Operation, v.N)
			if cells[operation] == nil {
				operations, cells[operation] = append(operations, operation), map[string]terminal.Cell{}
			}
			c := terminal.Text(fmt.Sprintf("%.1f (%.0f%%)", v.Flops/1e9, 100*v.Peak))
			noise = max(noise, v.Noise)
			if v.Refused != "" {
				c = terminal.Painted("not timed", terminal.Red)
				fmt.Fprintf(&notes, "not timed: %s, %s: %s\n", k.Result.Kernel, operation, v.Refused)
			}
			cells[operation][k.Result.Kernel] = c
		}
	}
	if len(operations) == 0 {
		return ""
	}
	for _, operation := range operations {
		row := []terminal.Cell{terminal.Text(operation)}
		for _, k := range r.Kernels {
			c, ok := cells[operation][k.Result.Kernel]
			if !ok {
				c = terminal.Painted("-", terminal.Faint)
			}
			row = append(row, c)
		}
		t.Add(row...)
	}
	return "\n" + t.Render(s) + fmt.Sprintf("noise floor %.1f %%: as far apart are the best of the odd and "+
		"of the even runs of one measurement\n", 100*noise) + notes.String()
}

func kernelsSummary(r Report, s terminal.Style) string {
	out := "\n"
	for _, k := range r.Kernels {
		sign, paint := "✓", terminal.Green
		if !k.Result.OK() {
			sign, paint = "✗", terminal.Red
		}
		out += fmt.Sprintf("%s %s: %s; %s cases", s.Paint(paint, sign), k.Result.Kernel, counts(k.Result),
			console.Count(k.Result.Cases))
		if !k.Result.OK() && !k.Counts {
			out += "; not counted in the exit code, because it was not named"
		}
		out += "\n"
	}
	return out
}

// counts says how many checks came to which verdict.
func counts(r *kernelkit.Result) string {
	var said []string
	for _, v := range []kernelkit.Verdict{kernelkit.Holds, kernelkit.Failed, kernelkit.Waived, kernelkit.Incomplete,
		kernelkit.Error, kernelkit.NotOffered} {
		if n := r.Counts[v]; n > 0 {
			said = append(said, fmt.Sprintf("%d %s", n, v))
		}
	}
	return strings.Join(said, ", ")
}
