package study

import (
	"fmt"
	"strings"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/number"
)

// Markdown is the result as tables.
func (r *TrialResult) Markdown() string {
	var out strings.Builder
	fmt.Fprintf(&out, "# Trial: changes planted into other people's modules\n\nThe modules come from the module proxy, "+
		"each with three benchmarks. Into a function that one of the benchmarks\ncalls we planted a comment, another form "+
		"of the same code, a loop that executes the stated share of that\nbenchmark's instructions, or an allocation. All "+
		"versions were measured in the same rounds. Each version is compared\nwith both measurements of the old code and "+
		"judged as `benchgate diff` judges: after %d rounds, and after %d where\nthat leaves a row undecided; α = %v for a "+
		"table; the margin of counts is %s.\n\n",
		firstLook, subjects[0].looks()[1], compare.DefaultPolicy().Alpha, percent(compare.CountMargin))
	if n := len(subjects) - len(r.Modules); n > 0 {
		fmt.Fprintf(&out, "This page was published early: %d of %d modules are not fully measured yet.\n\n", n, len(subjects))
	}
	out.WriteString("## What was planted\n\nEach cell gives the verdict on the changed benchmark's row of instructions " +
		"(or of allocations), the measured change of\nits instructions, and the minutes that this comparison alone would " +
		"have taken. *Same* is right at 0.5 %, which is\nbelow the margin, and a miss from 1 % on.\n\n| module, benchmark |")
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
	out.WriteString("\n## What did not change\n\nThe rows below should not change: in every comparison, the rows of the " +
		"benchmarks that do not call the function; and\nthe row of the benchmark that does call it, where the planted " +
		"change leaves the work the same. All rows of a module\nshare one measurement of the old code. Intervals are at 95 " +
		"%.\n")
	if r.Further > 0 {
		fmt.Fprintf(&out, "Further builds are compared by counts alone, in %d modules: another comment, another form, "+
			"another function beside\nthe planted one, and three random orders of the linker.\n", r.Further)
	}
	out.WriteString("\n| unit | accused | interval | slower by time, overruled by the count | called better | the same " +
		"| undecided | not measured |\n" + strings.Repeat("| --- ", 8) + "|\n")
	for _, n := range r.Unchanged {
		unit := n.Unit + map[string]string{nulls: ", further builds", byTime: ", by time alone"}[n.Stage]
		fmt.Fprintf(&out, "| %s | %d of %d | %s to %s | %d | %d | %d | %d | %d |\n", unit, n.Accused.Events,
			n.Accused.Trials, percent(float64(n.Accused.Lo)), percent(float64(n.Accused.Hi)), n.Overruled, n.Better, n.Same,
			n.Undecided, n.Unusable)
	}
	if len(r.Accused) > 0 {
		out.WriteString("\nAccused:\n\n- " + strings.Join(r.Accused, "\n- ") + "\n")
	}
	fmt.Fprintf(&out, "\nA planted change moves the code behind it. A loop that then lies differently across cache "+
		"lines can take twice the\ntime at the same count, as gonum's SumCompensatedMedium does; changing only the order "+
		"of the linker has the same\neffect. So if the count is the same, time accuses only beyond a factor of %v, or if "+
		"`benchgate diff` also finds the\ncode slower in random orders of the linker, which a trial does not try.\n",
		compare.Layout)
	r.byTime(&out)
	seconds := list.Map(r.Modules, func(m TrialModule) float64 { return m.Seconds })
	const pullRequest = 10 * firstLook * 3 // samples
	fmt.Fprintf(&out, "\nA sample took %.2g s (median of the modules), including its time and two counted processes. At "+
		"this load, ten unchanged\nbenchmarks take %.1f minutes. `benchgate diff` stops after five minutes, whatever is "+
		"left (`--budget`).\n\nCounter: %s. Samples of time of %s.\n%s\nMade by `benchgate study trial`. `benchgate study "+
		"trial --measure` measures everything again, `--measure=time` only the\npart by time.\n",
		number.Median(seconds), pullRequest*number.Median(seconds)/60, r.Plan.Counter, r.Plan.Benchtime,
		where(r.Plan.Started, r.Plan.Commit, r.Plan.Machine, r.Load))
	return out.String()
}

// byTime is the table of the comparisons by time, if there are any.
func (r *TrialResult) byTime(out *strings.Builder) {
	if len(r.Timed) == 0 {
		return
	}
	out.WriteString("\n## By time\n\n`benchgate diff --meter time` judged the same changes, at the load average in the " +
		"last column. A change of exactly\nthe margin, 5 %, stays undecided by nature.\n\n| module | benchmark | planted | " +
		"verdict | measured change | exit code | minutes | load, least to greatest |\n" +
		strings.Repeat("| --- ", 8) + "|\n")
	for _, m := range r.Timed {
		for _, c := range m.Plantings {
			fmt.Fprintf(out, "| %s | %s | %s | %s | %+.2f %% | %d | %.1f | %.2f to %.2f |\n", m.Module, m.Benchmark,
				c.Planted, c.Verdict, 100*(float64(c.Ratio)-1), c.Code, c.Minutes, m.Load[0], m.Load[2])
		}
	}
}
