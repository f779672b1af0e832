package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/blocks"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/streams"
)

// CountResult is what a study of instructions found. The comparisons of twins were measured as such. Those of tables
// and slowdowns are drawn from the samples without replacement, in random order: samples of one comparison are
// different ones, those of two can be the same.
type CountResult struct {
	Plan        CountPlan     `json:"plan"`
	Rounds      int           `json:"rounds"`
	Samples     int           `json:"samples"`
	Comparisons int           `json:"comparisons"` // that were drawn for each slowdown; and twice as many tables
	Load        [3]float64    `json:"load"`        // least, median and greatest load average
	Spread      []CountSpread `json:"spread"`
	Twins       []TwinResult  `json:"twins"`
	Null        []CountNull   `json:"null"`
	Power       []CountPower  `json:"power"`
}

// CountSpread is how much the samples of the unchanged code vary, as relative standard deviations.
type CountSpread struct {
	Name         string  `json:"name"`
	Samples      int     `json:"samples"`
	Instructions float64 `json:"instructions"`
	Time         float64 `json:"time"`
}

// TwinResult counts the verdicts of benchgate diff on the twins of a kind.
type TwinResult struct {
	Kind    string   `json:"kind"`
	Alarms  Fraction `json:"alarms"`
	Same    Fraction `json:"same"`
	Further int      `json:"further"` // comparisons that had a second look
	Waiting int      `json:"waiting"` // undecided ones that did not have theirs yet
	Missing int      `json:"missing"` // comparisons that were not measured yet
	Largest float64  `json:"largest"` // change of the medians, relative
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

// countRule judges n rounds of old code twice and new code once, of one row of a table of rows.
type countRule struct {
	name  string
	value func(Counting) float64
	judge judgingRounds
	level bool // is about unchanged code alone
}

type judgingRounds func(old, again, new []float64, rows int) compare.Decision

func instructionsOf(c Counting) float64 { return c.Instructions }

func timeOf(c Counting) float64 { return c.Nanoseconds }

// countRules are those of thm bench diff on instructions and on time, and benchstat. At the margin 0 any change is
// called one, which is where the level of the rank test is all that keeps from a false alarm.
var countRules = []countRule{
	{"instructions, margin 1 %", instructionsOf, diffOfCounts(compare.CountMargin), false},
	{"instructions, margin 0", instructionsOf, diffOfCounts(0), true},
	{"time, margin 5 %", timeOf, func(old, again, new []float64, rows int) compare.Decision {
		p := compare.DefaultPolicy()
		return blocks.Judge(blocksOf(old, again, new), p.SpecOf("sec/op", blocks.Share(p.Alpha, rows, 1), -1)).Verdict
	}, false},
	{"benchstat on time, p < 0.05", timeOf, benchstatOf, false},
	{"benchstat on instructions, p < 0.05", instructionsOf, benchstatOf, false},
}

// diffOfCounts judges as thm bench diff does on instructions: what a first look leaves open has all rounds.
func diffOfCounts(margin float64) judgingRounds {
	p := compare.DefaultPolicy()
	p.Margins = map[string]float64{measure.InstructionUnit: margin}
	return func(old, again, new []float64, rows int) compare.Decision {
		var j compare.Judgement
		for look, n := range []int{firstLook, len(new)} {
			b := blocksOf(old[:n], again[:n], new[:n])
			spec := p.SpecOf(measure.InstructionUnit, blocks.Share(p.Alpha, rows, look+1), -1)
			if j = blocks.Judge(b, spec); j.Verdict == compare.Undecided {
				olds, news := blocks.Sides(b)
				spec.Floor = j.Floor
				j.Settle(olds, news, spec)
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

// pools are the samples of a study by benchmark and slowdown; identical twins are unchanged code.
type pools map[string]map[float64][]Counting

func poolsOf(all []Counting) pools {
	out := pools{}
	for _, p := range planted {
		out[p] = map[float64][]Counting{}
	}
	for _, c := range all {
		if c.Twin == 0 || twinKind(c.Twin) == identical {
			s := Slowdowns[c.Place]
			out[c.Name][s] = append(out[c.Name][s], c)
		}
	}
	return out
}

// rounds is the number of samples that every benchmark and slowdown has.
func (p pools) rounds() int {
	n := math.MaxInt
	for _, of := range p {
		for _, s := range Slowdowns {
			n = min(n, len(of[s]))
		}
	}
	return n
}

// shuffled are the values of samples, in random order.
func shuffled(rng *rand.Rand, from []Counting, value func(Counting) float64) []float64 {
	out := make([]float64, len(from))
	for i, k := range rng.Perm(len(from)) {
		out[i] = value(from[k])
	}
	return out
}

// JudgeCounts judges the data of a study of instructions, as far as it has come.
func JudgeCounts(plan CountPlan, all []Counting, comparisons int) (*CountResult, error) {
	from := poolsOf(all)
	r := &CountResult{Plan: plan, Rounds: from.rounds(), Samples: len(all), Comparisons: comparisons}
	if n := lookRounds(); r.Rounds < n {
		return nil, fmt.Errorf("%d rounds are too few, a second look has %d; go on with the study", r.Rounds, n)
	}
	r.Load = loadsOf(list.Map(all, func(c Counting) float64 { return c.Load }))
	for _, p := range planted {
		x := from[p][0]
		r.Spread = append(r.Spread, CountSpread{p, len(x), deviation(x, instructionsOf), deviation(x, timeOf)})
	}
	r.twins(all)
	for _, rule := range countRules {
		r.Null = append(r.Null, r.null(rule, from))
		if rule.level {
			continue
		}
		for _, p := range planted {
			for _, s := range Slowdowns[2:] {
				r.Power = append(r.Power, r.power(rule, p, s, from[p]))
			}
		}
	}
	return r, nil
}

// judge is the verdict of benchgate diff on a comparison of twins, the ratio of the medians, and the rounds that they
// rest on; without the rounds of the first look there is no verdict.
func (c twinComparison) judge(by map[countSlot]Counting) (v compare.Decision, ratio float64, rounds int) {
	var sides [3][]float64
	round := c.round
	for c.sampled(by, round) {
		for i, a := range c.arms {
			sides[i] = append(sides[i], by[a.slot(c.name, round)].Instructions)
		}
		if round++; round == c.round+firstLook {
			round = furtherRound
		}
	}
	if rounds = len(sides[0]); rounds < firstLook {
		return "", math.NaN(), rounds
	}
	old := slices.Concat(sides[0], sides[1])
	return countRules[0].judge(sides[0], sides[1], sides[2], len(planted)), median(sides[2]) / median(old), rounds
}

// sampled reports whether there are all samples of a round.
func (c twinComparison) sampled(by map[countSlot]Counting, round int) bool {
	return !slices.ContainsFunc(c.arms[:], func(a arm) bool {
		_, taken := by[a.slot(c.name, round)]
		return !taken
	})
}

func bySlot(all []Counting) map[countSlot]Counting {
	by := map[countSlot]Counting{}
	for _, c := range all {
		by[c.countSlot] = c
	}
	return by
}

// twins judges all comparisons of twins.
func (r *CountResult) twins(all []Counting) {
	by := bySlot(all)
	for _, kind := range TwinKinds {
		one := TwinResult{Kind: kind}
		trials, alarms, same := 0, 0, 0
		for _, c := range twinComparisons() {
			v, ratio, rounds := c.judge(by)
			if c.kind != kind {
				continue
			}
			if rounds < firstLook {
				one.Missing++
				continue
			}
			trials++
			one.Waiting += count(v == compare.Undecided && rounds < lookRounds())
			alarms += count(v == compare.Slower || v == compare.Faster)
			same += count(v == compare.Same)
			one.Further += count(rounds > firstLook)
			one.Largest = max(one.Largest, math.Abs(ratio-1))
		}
		one.Alarms, one.Same = fraction(alarms, trials), fraction(same, trials)
		r.Twins = append(r.Twins, one)
	}
}

// null compares the unchanged code with itself, in tables of all benchmarks.
func (r *CountResult) null(rule countRule, from pools) CountNull {
	rng := streams.New(r.Plan.Seed, "study", "counts", rule.name)
	alarms, same, n := 0, 0, lookRounds()
	for range 2 * r.Comparisons {
		alarm := false
		for _, p := range planted {
			x := shuffled(rng, from[p][0], rule.value)
			n := min(n, len(x)/3)
			v := rule.judge(x[:n], x[n:2*n], x[2*n:3*n], len(planted))
			alarm = alarm || v == compare.Slower || v == compare.Faster
			same += count(v == compare.Same)
		}
		alarms += count(alarm)
	}
	return CountNull{rule.name, fraction(alarms, 2*r.Comparisons), fraction(same, 2*r.Comparisons*len(planted))}
}

// power compares the unchanged code with the slowed.
func (r *CountResult) power(rule countRule, name string, slowdown float64, from map[float64][]Counting) CountPower {
	rng := streams.New(r.Plan.Seed, "study", "counts", rule.name, name, fmt.Sprint(slowdown))
	found, n := 0, lookRounds()
	for range r.Comparisons {
		x, y := shuffled(rng, from[0], rule.value), shuffled(rng, from[slowdown], rule.value)
		found += count(rule.judge(x[:n], x[n:2*n], y[:n], len(planted)) == compare.Slower)
	}
	ratio := median(shuffled(rng, from[slowdown], rule.value)) / median(shuffled(rng, from[0], rule.value))
	return CountPower{name, rule.name, slowdown, fraction(found, r.Comparisons), ratio}
}

// deviation is the relative standard deviation.
func deviation(from []Counting, value func(Counting) float64) float64 {
	mean, squares := 0.0, 0.0
	for _, c := range from {
		mean += value(c) / float64(len(from))
	}
	for _, c := range from {
		squares += (value(c) - mean) * (value(c) - mean)
	}
	return math.Sqrt(squares/float64(len(from)-1)) / mean
}
