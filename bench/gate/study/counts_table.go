package study

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/bench/gate/compare"
)

// Markdown is the result as tables.
func (r *CountResult) Markdown() string {
	var out strings.Builder
	out.WriteString("# Instructions study: counts beside time\n\nThree benchmarks of this module and two that work with " +
		"golang.org/x/text and\ngithub.com/klauspost/compress, unchanged and slowed down by doing every hundredth, " +
		"fiftieth or\ntwentieth operation twice. Instructions and time are of the same binaries and minutes.\n\n")
	out.WriteString("| benchmark | standard deviation of instructions | of time |\n| --- | --- | --- |\n")
	for _, s := range r.Spread {
		fmt.Fprintf(&out, "| %s | %.2f %% | %.1f %% |\n", s.Name, 100*s.Instructions, 100*s.Time)
	}
	fmt.Fprintf(&out, "\n## Unchanged code\n\nTables of %d rows at α = %v. A false alarm is a table in which a row is "+
		"called changed. Intervals at 95 %%.\n\n| judged by | false alarms | interval | rows called the same |\n"+
		"| --- | --- | --- | --- |\n", len(planted), compare.DefaultPolicy().Alpha)
	for _, n := range r.Null {
		fmt.Fprintf(&out, "| %s | %d of %d | %s to %s | %d of %d |\n", n.Rule, n.Alarms.Events, n.Alarms.Trials,
			percent(float64(n.Alarms.Lo)), percent(float64(n.Alarms.Hi)), n.Same.Events, n.Same.Trials)
	}
	out.WriteString("\n## Slowdowns\n\nFound is how often the row is called slower. At a margin of 1 % a slowdown of " +
		"1 % lies on the boundary of\nwhat matters and is not to be found.\n\n" +
		"| benchmark | slowdown | measured ratio |")
	for _, rule := range countRules {
		out.WriteString(" " + rule.name + " |")
	}
	out.WriteString("\n|" + strings.Repeat(" --- |", 3+len(countRules)) + "\n")
	for _, p := range planted {
		for _, s := range []float64{0.01, 0.02, 0.05} {
			cells := ""
			for _, w := range r.Power {
				if w.Name == p.name && w.Slowdown == s {
					if cells == "" {
						cells = fmt.Sprintf("| %s | %s | %.4f |", p.name, percent(s), w.Ratio)
					}
					cells += fmt.Sprintf(" %d of %d |", w.Found.Events, w.Found.Trials)
				}
			}
			out.WriteString(cells + "\n")
		}
	}
	fmt.Fprintf(&out, "\nThe comparisons are drawn from the samples of %d rounds without replacement, in random order: "+
		"those of one\ncomparison are different samples, those of two can be the same, so that the fractions vary more "+
		"than their\nintervals say. Instructions have a look after %d rounds, and what that leaves open one after %d; "+
		"time and\nbenchstat have all %d.\n\nCounter: %s. Samples of time of %s.\nBegun %s at commit %s.\nMachine: %s.\n"+
		"Load average %.1f to %.1f, median %.1f.\n\nMade by `go run ./cmd/thm bench study instructions`.\n", r.Rounds,
		firstLook, r.Rounds, r.Rounds, r.Plan.Counter, r.Plan.Benchtime,
		r.Plan.Started.Format("2006-01-02 15:04 MST"), r.Plan.Commit, r.Plan.Machine, r.Load[0], r.Load[2], r.Load[1])
	return out.String()
}
