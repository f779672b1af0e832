package study

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/internal/gate/compare"
)

// Markdown is the result as tables.
func (r *CountResult) Markdown() string {
	var out strings.Builder
	r.intro(&out)
	r.twinTable(&out)
	r.nullTable(&out)
	r.powerTable(&out)
	fmt.Fprintf(&out, "\nCounter: %s. Samples of time of %s, up to %d at the same time.\n%s\n"+
		"Made by `go run ./cmd/thm bench study instructions`.\n", r.Plan.Counter, r.Plan.Benchtime, r.Plan.Jobs,
		where(r.Plan.Started, r.Plan.Commit, r.Plan.Machine, r.Load))
	return out.String()
}

func (r *CountResult) intro(out *strings.Builder) {
	out.WriteString("# Instructions study: counts beside time\n\nThree benchmarks of this module and two that work with " +
		"golang.org/x/text and\ngithub.com/klauspost/compress, unchanged and slowed down by doing every hundredth, " +
		"fiftieth or\ntwentieth operation twice. Instructions and time are of the same binaries and minutes.\n\n")
	out.WriteString("| benchmark | samples of unchanged code | standard deviation of instructions | of time |\n" +
		"| --- | --- | --- | --- |\n")
	for _, s := range r.Spread {
		fmt.Fprintf(out, "| %s | %d | %.2f %% | %.1f %% |\n", s.Name, s.Samples, 100*s.Instructions, 100*s.Time)
	}
}

func (r *CountResult) twinTable(out *strings.Builder) {
	fmt.Fprintf(out, "\n## Binaries that do the same\n\nComparisons as `thm bench diff` makes them on instructions, of "+
		"the unchanged binary with itself and with one whose\nsource differs in a comment (the numbers of its lines "+
		"change) or "+
		"in a function that no benchmark calls (the places of\nthe code change). Each has rounds of old, old again and new "+
		"in random order, %d at first and %d where these leave it\nundecided. Each is one row of a table of %d, at a margin "+
		"of %s; a whole table has a false alarm with probability\nα = %v at most, a row so with %s. Intervals at 95 %%.\n\n"+
		"| compared with | false alarms | interval | the same | second looks | largest change of medians |\n"+
		"| --- | --- | --- | --- | --- | --- |\n", firstLook, lookRounds(), len(planted), percent(compare.CountMargin),
		compare.DefaultPolicy().Alpha, percent(compare.DefaultPolicy().Alpha/float64(len(planted))))
	for _, t := range r.Twins {
		fmt.Fprintf(out, "| %s | %d of %d | %s to %s | %d of %d | %d | %.2f %% |\n", t.Kind, t.Alarms.Events, t.Alarms.Trials,
			percent(float64(t.Alarms.Lo)), percent(float64(t.Alarms.Hi)), t.Same.Events, t.Same.Trials, t.Further,
			100*t.Largest)
	}
	waiting, missing := 0, 0
	for _, t := range r.Twins {
		waiting, missing = waiting+t.Waiting, missing+t.Missing
	}
	if waiting+missing > 0 {
		fmt.Fprintf(out, "\nPublished before its end: %d comparisons wait for their second look, and %d were not measured "+
			"yet.\n", waiting, missing)
	}
	out.WriteString("\nNo two comparisons of the same binary share more than one of their three samples a round; those " +
		"with another\nbinary share the samples of the unchanged one.\n")
}

func (r *CountResult) nullTable(out *strings.Builder) {
	fmt.Fprintf(out, "\n## Tables of unchanged code\n\nTables of %d rows of unchanged code, drawn from all samples, "+
		"beside other rules. A false alarm is a table in which a row\nis called changed. At the margin 0 every change "+
		"that is not "+
		"chance counts as one.\n\n| judged by | false alarms | interval | rows called the same |\n"+
		"| --- | --- | --- | --- |\n", len(planted))
	for _, n := range r.Null {
		fmt.Fprintf(out, "| %s | %d of %d | %s to %s | %d of %d |\n", n.Rule, n.Alarms.Events, n.Alarms.Trials,
			percent(float64(n.Alarms.Lo)), percent(float64(n.Alarms.Hi)), n.Same.Events, n.Same.Trials)
	}
}

func (r *CountResult) powerTable(out *strings.Builder) {
	out.WriteString("\n## Slowdowns\n\nHow often the row is called slower or worse.\n\n" +
		"| benchmark | slowdown | measured ratio |")
	columns := 3
	for _, rule := range countRules {
		if !rule.level {
			out.WriteString(" " + rule.name + " |")
			columns++
		}
	}
	out.WriteString("\n|" + strings.Repeat(" --- |", columns) + "\n")
	for _, p := range planted {
		for _, s := range Slowdowns[2:] {
			cells := ""
			for _, w := range r.Power {
				if w.Name == p && w.Slowdown == s {
					if cells == "" {
						cells = fmt.Sprintf("| %s | %s | %.4f |", p, percent(s), w.Ratio)
					}
					cells += fmt.Sprintf(" %d of %d |", w.Found.Events, w.Found.Trials)
				}
			}
			out.WriteString(cells + "\n")
		}
	}
	fmt.Fprintf(out, "\nThese comparisons are drawn from %d samples of each slowdown without replacement, in random "+
		"order: those of one\ncomparison are different samples, those of two can be the same, so that the fractions "+
		"vary more "+
		"than independent ones\nwould. Instructions have a look after %d rounds, and what that leaves open one after %d; "+
		"time and benchstat have all %d.\n", r.Rounds, firstLook, lookRounds(), lookRounds())
}
