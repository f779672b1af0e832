package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"

	"github.com/thm-suite/thm/bench/gate/compare"
	"github.com/thm-suite/thm/bench/gate/measure/blocks"
	"github.com/thm-suite/thm/internal/streams"
)

// CountResult is what a study of instructions found. Its comparisons are drawn from the samples without replacement, in
// random order: samples of one table are different ones, those of two tables can be the same.
type CountResult struct {
	Plan        CountPlan     `json:"plan"`
	Rounds      int           `json:"rounds"`
	Comparisons int           `json:"comparisons"`
	Load        [3]float64    `json:"load"` // least, median and greatest load average
	Spread      []CountSpread `json:"spread"`
	Null        []CountNull   `json:"null"`
	Power       []CountPower  `json:"power"`
}

// CountSpread is how much the samples of the unchanged code vary, as relative standard deviations.
type CountSpread struct {
	Name         string  `json:"name"`
	Instructions float64 `json:"instructions"`
	Time         float64 `json:"time"`
}

// CountNull counts the tables of unchanged code in which a row is called changed, and the rows called the same.
type CountNull struct {
	Rule   string   `json:"rule"`
	Alarms Fraction `json:"alarms"`
	Same   Fraction `json:"same"`
}

// CountPower counts how often a slowdown is found.
type CountPower struct {
	Name     string   `json:"name"`
	Rule     string   `json:"rule"`
	Slowdown float64  `json:"slowdown"`
	Found    Fraction `json:"found"`
	Ratio    float64  `json:"ratio"` // of the medians of all samples
}

// firstLook is the number of rounds after which a count is first looked at.
const firstLook = 3

// countRule judges n rounds of old code twice and new code once, of one row of a table of rows.
type countRule struct {
	name  string
	times bool
	judge func(old, again, new []float64, rows int) compare.Decision
}

// countRules are those of thm bench diff on instructions at two margins, on time, and benchstat.
var countRules = []countRule{
	{"instructions, margin 1 %", false, diffOfCounts(compare.CountMargin)},
	{"instructions, margin 0.5 %", false, diffOfCounts(compare.CountMargin / 2)},
	{"time, margin 5 %", true, func(old, again, new []float64, rows int) compare.Decision {
		return blocks.Judge(blocksOf(old, again, new), blocks.Share(compare.DefaultPolicy().Alpha, rows, 1),
			compare.DefaultPolicy().Margin, -1).Verdict
	}},
	{"benchstat on time, p < 0.05", true, benchstatOf},
	{"benchstat on instructions, p < 0.05", false, benchstatOf},
}

// diffOfCounts judges as thm bench diff does on instructions: what a first look leaves open has all rounds.
func diffOfCounts(margin float64) func(old, again, new []float64, rows int) compare.Decision {
	return func(old, again, new []float64, rows int) compare.Decision {
		var j compare.Judgement
		for look, n := range []int{firstLook, len(new)} {
			b := blocksOf(old[:n], again[:n], new[:n])
			share := blocks.Share(compare.DefaultPolicy().Alpha, rows, look+1)
			if j = blocks.Judge(b, share, margin, -1); j.Verdict == compare.Undecided {
				olds, news := blocks.Sides(b)
				j.Settle(olds, news, compare.Spec{Alpha: share, Margin: margin, Floor: j.Floor, Better: -1})
			}
			if j.Verdict != compare.Undecided {
				break
			}
		}
		return j.Verdict
	}
}

func blocksOf(old, again, new []float64) []blocks.Block {
	out := make([]blocks.Block, len(new))
	for i := range out {
		out[i] = blocks.Block{Old: math.Log(old[i]), Again: math.Log(again[i]), New: math.Log(new[i])}
	}
	return out
}

func benchstatOf(old, _, new []float64, _ int) compare.Decision {
	a := benchmath.NewSample(slices.Clone(old), &benchmath.DefaultThresholds)
	b := benchmath.NewSample(slices.Clone(new), &benchmath.DefaultThresholds)
	switch {
	case !mannWhitney(a, b):
		return compare.Undecided
	case median(new) > median(old):
		return compare.Slower
	}
	return compare.Faster
}

func median(x []float64) float64 {
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(x), &benchmath.DefaultThresholds),
		0.95).Center
}

// JudgeCounts judges the data of a study of instructions by comparisons drawn from its samples.
func JudgeCounts(plan CountPlan, all []Counting, comparisons int) (*CountResult, error) {
	r := &CountResult{Plan: plan, Rounds: wholeRounds(all), Comparisons: comparisons}
	if r.Rounds <= firstLook {
		return nil, fmt.Errorf("%d whole rounds are too few; go on with the study", r.Rounds)
	}
	var loads []float64
	pools := map[bool]map[string]map[float64][]float64{false: {}, true: {}} // by time, name and slowdown
	for _, c := range all {
		if c.Round >= r.Rounds {
			continue
		}
		loads = append(loads, c.Load)
		for _, times := range []bool{false, true} {
			if pools[times][c.Name] == nil {
				pools[times][c.Name] = map[float64][]float64{}
			}
			x := c.Instructions
			if times {
				x = c.Nanoseconds
			}
			s := Slowdowns[c.Place]
			pools[times][c.Name][s] = append(pools[times][c.Name][s], x)
		}
	}
	slices.Sort(loads)
	r.Load = [3]float64{loads[0], loads[len(loads)/2], loads[len(loads)-1]}
	for _, p := range planted {
		r.Spread = append(r.Spread, CountSpread{p.name, deviation(pools[false][p.name][0]),
			deviation(pools[true][p.name][0])})
	}
	for _, rule := range countRules {
		r.Null = append(r.Null, r.null(rule, pools[rule.times]))
		for _, p := range planted {
			for _, s := range []float64{0.01, 0.02, 0.05} {
				r.Power = append(r.Power, r.power(rule, p.name, s, pools[rule.times][p.name]))
			}
		}
	}
	return r, nil
}

// wholeRounds is the number of rounds that are there as a whole.
func wholeRounds(all []Counting) int {
	taken := map[int]int{}
	for _, c := range all {
		taken[c.Round]++
	}
	n := 0
	for taken[n] == len(planted)*len(Slowdowns) {
		n++
	}
	return n
}

// null compares the unchanged code with itself, in tables of all benchmarks.
func (r *CountResult) null(rule countRule, pool map[string]map[float64][]float64) CountNull {
	rng := streams.New(r.Plan.Seed, "study", "counts", rule.name)
	alarms, same, n := 0, 0, r.Rounds
	for range r.Comparisons {
		alarm := false
		for _, p := range planted {
			x := shuffled(rng, pool[p.name][0])
			v := rule.judge(x[:n], x[n:2*n], x[2*n:3*n], len(planted))
			alarm = alarm || v == compare.Slower || v == compare.Faster
			same += count(v == compare.Same)
		}
		alarms += count(alarm)
	}
	return CountNull{rule.name, fraction(alarms, r.Comparisons), fraction(same, r.Comparisons*len(planted))}
}

// power compares the unchanged code with the slowed.
func (r *CountResult) power(rule countRule, name string, slowdown float64, pool map[float64][]float64) CountPower {
	rng := streams.New(r.Plan.Seed, "study", "counts", rule.name, name, fmt.Sprint(slowdown))
	found, n := 0, r.Rounds
	for range r.Comparisons {
		x, y := shuffled(rng, pool[0]), shuffled(rng, pool[slowdown])
		found += count(rule.judge(x[:n], x[n:2*n], y[:n], len(planted)) == compare.Slower)
	}
	return CountPower{name, rule.name, slowdown, fraction(found, r.Comparisons), median(pool[slowdown]) / median(pool[0])}
}

// deviation is the relative standard deviation.
func deviation(x []float64) float64 {
	mean, squares := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares/float64(len(x)-1)) / mean
}

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
