package main

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/props/kernelkit"
)

// kernelsText is the report for a reader: checks × kernels, what fails, what is waived, speed, and a line per kernel.
func kernelsText(r kernelsReport, s style) string {
	return kernelsTable(r).render(s) + kernelsFailures(r, s) + kernelsWaivers(r, s) + kernelsSpeeds(r, s) + kernelsSummary(r, s)
}

// kernelsTable has a row for each check and a column for each kernel: the worst ratio, or what became of it.
func kernelsTable(r kernelsReport) *table {
	t := &table{columns: []column{{"check", false}}}
	for _, k := range r.Kernels {
		t.columns = append(t.columns, column{k.Result.Kernel, true})
	}
	if len(r.Kernels) == 0 {
		return t
	}
	for i, c := range r.Kernels[0].Result.Checks {
		row := []cell{{c.Check, plain}}
		for _, k := range r.Kernels {
			row = append(row, kernelCell(k.Result.Checks[i]))
		}
		t.add(row...)
	}
	return t
}

func kernelCell(c kernelkit.CheckResult) cell {
	ratio := fmt.Sprintf("%.2g", float64(c.Ratio))
	switch c.Verdict {
	case kernelkit.Holds:
		return cell{ratio, plain}
	case kernelkit.Failed:
		return cell{"✗ " + ratio, red}
	case kernelkit.Waived:
		return cell{"waived " + ratio, yellow}
	case kernelkit.NotOffered:
		return cell{"-", faint}
	}
	return cell{"? " + string(c.Verdict), yellow}
}

// kernelsFailures shows the simplest failing instances.
func kernelsFailures(r kernelsReport, s style) string {
	var out strings.Builder
	for _, k := range r.Kernels {
		for _, c := range k.Result.Checks {
			if c.Verdict != kernelkit.Failed && c.Verdict != kernelkit.Waived && c.Verdict != kernelkit.Error && c.Verdict != kernelkit.Incomplete {
				continue
			}
			fmt.Fprintf(&out, "\n%s  %s: %s, ratio %.3g on %s cases\n", s.paint(bold, k.Result.Kernel), s.paint(bold, c.Check), c.Verdict,
				float64(c.Ratio), count(c.Cases))
			lines := wrap(c.Doc, 98)
			for _, text := range []string{c.Message, c.Counterexample} {
				if text = strings.TrimSpace(text); text != "" {
					lines = append(lines, strings.Split(text, "\n")...)
				}
			}
			fmt.Fprintln(&out, "  "+strings.Join(lines, "\n  "))
		}
	}
	return out.String()
}

// kernelsWaivers lists what is accepted, why and until when, and the waivers that are wrong.
func kernelsWaivers(r kernelsReport, s style) string {
	var out strings.Builder
	for _, k := range r.Kernels {
		for _, c := range k.Result.Checks {
			if c.Waiver != nil {
				fmt.Fprintf(&out, "\nwaiver: %s %s until %s: %s\n", k.Result.Kernel, c.Check, c.Waiver.Expires, c.Waiver.Reason)
			}
		}
		for _, complaint := range k.Result.Complaints {
			fmt.Fprintf(&out, "\n%s\n", s.paint(red, k.Result.Kernel+": "+complaint))
		}
	}
	return out.String()
}

// kernelsSpeeds has a row for each operation: gigaflops and the fraction of the peak.
func kernelsSpeeds(r kernelsReport, s style) string {
	var operations []string
	cells := map[string]map[string]cell{}
	var notes strings.Builder
	t := &table{columns: []column{{"Gflop/s (of peak)", false}}}
	for _, k := range r.Kernels {
		t.columns = append(t.columns, column{k.Result.Kernel, true})
		for _, v := range k.Speeds {
			operation := fmt.Sprintf("%s n=%d", v.Operation, v.N)
			if cells[operation] == nil {
				operations, cells[operation] = append(operations, operation), map[string]cell{}
			}
			c := cell{fmt.Sprintf("%.1f (%.0f%%)", v.Flops/1e9, 100*v.Peak), plain}
			if v.Refused != "" {
				c = cell{"not timed", red}
				fmt.Fprintf(&notes, "not timed: %s, %s: %s\n", k.Result.Kernel, operation, v.Refused)
			}
			cells[operation][k.Result.Kernel] = c
		}
	}
	if len(operations) == 0 {
		return ""
	}
	for _, operation := range operations {
		row := []cell{{operation, plain}}
		for _, k := range r.Kernels {
			c, ok := cells[operation][k.Result.Kernel]
			if !ok {
				c = cell{"-", faint}
			}
			row = append(row, c)
		}
		t.add(row...)
	}
	return "\n" + t.render(s) + notes.String()
}

func kernelsSummary(r kernelsReport, s style) string {
	out := "\n"
	for _, k := range r.Kernels {
		sign, paint := "✓", green
		if !k.Result.OK() {
			sign, paint = "✗", red
		}
		out += fmt.Sprintf("%s %s: %s; %s cases", s.paint(paint, sign), k.Result.Kernel, counts(k.Result), count(k.Result.Cases))
		if !k.Result.OK() && !k.Counts {
			out += "; not counted in the exit code, because it was not named"
		}
		out += "\n"
	}
	return out
}
