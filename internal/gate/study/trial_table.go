package study

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/number"
)

// Markdown is the result as tables.
func (r *TrialResult) Markdown() string {
	var out strings.Builder
	fmt.Fprintf(&out, "# Trial: changes planted into modules of others\n\nModules from the module proxy, with three "+
		"benchmarks each. Into a function that one of them calls was planted a\ncomment, another form of the same code, "+
		"a loop that executes the stated share of the instructions of that benchmark,\nor an allocation. All versions were "+
		"measured in the same rounds, and each is judged with the two measurements of the\nold code as `benchgate diff` "+
		"judges: %d rounds, and %d for what these leave open; α = %v over a table; counts at a\nmargin of %s.\n\n",
		firstLook, subjects[0].looks()[1], compare.DefaultPolicy().Alpha, percent(compare.CountMargin))
	if n := len(subjects) - len(r.Modules); n > 0 {
		fmt.Fprintf(&out, "Published before its end: %d of %d modules are not measured to the end yet.\n\n", n, len(subjects))
	}
	out.WriteString("## What was planted\n\nThe verdict on the row of instructions, or of allocations, of the benchmark " +
		"that was changed; the measured change of\nits instructions; and the minutes that the comparison alone would have " +
		"taken. *Same* is right at 0.5 %, which is less than the\nmargin, and a miss from 1 % on.\n\n| module, benchmark |")
	for _, p := range plantings {
		out.WriteString(" " + p.name + " |")
	}
	out.WriteString("\n|" + strings.Repeat(" --- |", 1+len(plantings)) + "\n")
	for _, m := range r.Modules {
		fmt.Fprintf(&out, "| %s %s, %s |", m.Module, m.Version, m.Benchmark)
		for _, c := range m.Plantings {
			fmt.Fprintf(&out, " %s<br>%+.2f %%<br>%.1f min |", c.Verdict, 100*(float64(c.Ratio)-1), c.Minutes)
		}
		out.WriteString("\n")
	}
	out.WriteString("\n| planted | found | called the same | undecided | exit codes 0, 1, 3 | minutes, median |\n" +
		"| --- | --- | --- | --- | --- | --- |\n")
	for i, p := range plantings {
		words, codes, minutes := map[string]int{}, [4]int{}, []float64{}
		for _, m := range r.Modules {
			c := m.Plantings[i]
			words[c.Verdict]++
			codes[c.Code]++
			minutes = append(minutes, c.Minutes)
		}
		fmt.Fprintf(&out, "| %s | %d of %d | %d | %d | %d, %d, %d | %.1f |\n", p.name,
			words[compare.Slower.Word(subject{}.unit(p))], len(r.Modules), words[string(compare.Same)],
			words[string(compare.Undecided)], codes[compare.Pass], codes[compare.Regression], codes[compare.NotDecided],
			number.Median(minutes))
	}
	out.WriteString("\n## What did not change\n\nRows of benchmarks that do not call the function, in all comparisons, " +
		"and of that which does where it does the same.\nThose of one module share the measurement of the old code. " +
		"Intervals at 95 %.\n")
	if r.Further > 0 {
		fmt.Fprintf(&out, "The further builds are compared by counts alone, in %d modules: another comment, another form, "+
			"another function\nbeside it, and three random orders of the linker.\n", r.Further)
	}
	out.WriteString("\n| unit | accused | interval | slower, but left to the count | called better | the same | " +
		"undecided | not measured |\n" + strings.Repeat("| --- ", 8) + "|\n")
	for _, n := range r.Unchanged {
		unit := n.Unit + map[string]string{nulls: ", further builds", byTime: ", by time alone"}[n.Stage]
		fmt.Fprintf(&out, "| %s | %d of %d | %s to %s | %d | %d | %d | %d | %d |\n", unit, n.Accused.Events,
			n.Accused.Trials, percent(float64(n.Accused.Lo)), percent(float64(n.Accused.Hi)), n.Overruled, n.Better, n.Same,
			n.Undecided, n.Unusable)
	}
	if len(r.Accused) > 0 {
		out.WriteString("\nAccused:\n\n- " + strings.Join(r.Accused, "\n- ") + "\n")
	}
	fmt.Fprintf(&out, "\nWhat is planted moves the code that follows it, and a loop that comes to lie otherwise in the "+
		"lines of a cache can\ntake twice the time at the same count, as SumCompensatedMedium of gonum does; the linker "+
		"alone does the same to it.\nBeside a count that is the same, time therefore accuses only beyond a factor of %v, or "+
		"where `benchgate diff` finds it\nslower in random orders of the linker too, which a trial does not try.\n",
		compare.Layout)
	r.byTime(&out)
	var seconds []float64
	for _, m := range r.Modules {
		seconds = append(seconds, m.Seconds)
	}
	const pullRequest = 10 * firstLook * 3 // samples
	fmt.Fprintf(&out, "\nA sample took %.2g s (median of the modules), with its time and both processes that are "+
		"counted: at this load ten\nbenchmarks of which none changed take %.1f minutes. `benchgate diff` ends after five "+
		"whatever is left (`--budget`).\n\nCounter: %s. Samples of time of %s.\n%s\n"+
		"Made by `benchgate study trial`; `benchgate study trial --measure` measures again, and "+
		"`--measure=time` the part by time.\n",
		number.Median(seconds), pullRequest*number.Median(seconds)/60, r.Plan.Counter, r.Plan.Benchtime,
		where(r.Plan.Started, r.Plan.Commit, r.Plan.Machine, r.Load))
	return out.String()
}

// byTime is the table of the comparisons by time, if there are any.
func (r *TrialResult) byTime(out *strings.Builder) {
	if len(r.Timed) == 0 {
		return
	}
	out.WriteString("\n## By time\n\nThe same changes as `benchgate diff --meter time` judges them, with the load " +
		"average that they were\nmeasured at. A change of just the margin, 5 %, is undecided by nature.\n\n| module | " +
		"benchmark | planted | verdict | measured change | exit code | minutes | load, least to greatest |\n" +
		strings.Repeat("| --- ", 8) + "|\n")
	for _, m := range r.Timed {
		for _, c := range m.Plantings {
			fmt.Fprintf(out, "| %s | %s | %s | %s | %+.2f %% | %d | %.1f | %.2f to %.2f |\n", m.Module, m.Benchmark,
				c.Planted, c.Verdict, 100*(float64(c.Ratio)-1), c.Code, c.Minutes, m.Load[0], m.Load[2])
		}
	}
}
