package soak

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// Schema is the version of the format of a [Summary].
const Schema = "thm.soak/v1"

// Summary holds the findings of a soak.
type Summary struct {
	Schema string       `json:"schema"`
	Commit string       `json:"commit"`
	Others []Other      `json:"others,omitempty"` // programs that some claims ran with
	Tool   results.Tool `json:"tool"`
	Effort props.Effort `json:"effort"`
	Seeds  []Seed       `json:"seeds"`
	Claims int          `json:"claims"`
	Items  []Item       `json:"items"` // the likeliest to be red first
}

// Other is a program of another commit, and the claims that are known from it.
type Other struct {
	Commit string   `json:"commit"`
	Claims []string `json:"claims"`
}

// Seed holds the results of the claims at one seed.
type Seed struct {
	Seed    uint64   `json:"seed"`
	Claims  int      `json:"claims"`
	Red     []string `json:"red"`  // slugs that were not green
	Exit    int      `json:"exit"` // the exit code of thm check: 0, 1 or 3
	Seconds float64  `json:"seconds"`
}

// add counts a claim.
func (s *Seed) add(e Entry) {
	s.Claims, s.Seconds = s.Claims+1, s.Seconds+e.Seconds
	if e.Green {
		return
	}
	s.Red = append(s.Red, e.Claim)
	accepted := slices.ContainsFunc(e.Controls, func(c Tried) bool { return !c.Rejected })
	switch {
	case e.Verdict == results.Refuted || accepted:
		s.Exit = 1
	case s.Exit == 0:
		s.Exit = 3
	}
}

// Item is a criterion or a control over all seeds.
type Item struct {
	Claim     string         `json:"claim"`
	Check     string         `json:"check"`
	Name      string         `json:"name"`
	Control   bool           `json:"control,omitempty"`
	Form      results.Form   `json:"form,omitempty"`
	Seeds     int            `json:"seeds"`
	Red       int            `json:"red,omitempty"` // seeds at which it was not green
	Worst     results.Number `json:"worst"`         // ratio; of a control the smallest
	WorstSeed uint64         `json:"worst_seed"`
	Median    results.Number `json:"median"`
	Cases     int            `json:"cases,omitempty"`
	Declined  int            `json:"declined,omitempty"`
	// that a run at another seed is red because of it, with the end of its confidence interval
	Chance results.Number `json:"chance"`
	Upper  results.Number `json:"upper"`
	Basis  Basis          `json:"basis"`
}

// Basis says where a chance comes from.
type Basis string

// The bases of chances.
const (
	Proven    Basis = "proven"    // the tolerance covers every draw, see [results.Criterion.Proven]
	Declared  Basis = "declared"  // by a statistical criterion, from its level and the plan of its margin
	Exact     Basis = "exact"     // nothing is rounded: a count, a bit or a truth value, which has no tail
	Extended  Basis = "tail"      // a generalised Pareto law for the logarithms of the ratios
	Binomial  Basis = "cases"     // the share of the cases that see a control
	Interval  Basis = "interval"  // how far the interval of a control lies beyond its margin
	Constant  Basis = "constant"  // nothing is drawn, or all ratios are the same
	Occurring Basis = "frequency" // seeds at which it was red
)

// series holds the results of one criterion or control at each seed.
type series struct {
	Item
	ratios   []float64
	worst    []worst // of each run
	declared float64
	proven   bool
	tried    []Tried
}

// worst holds the ratios of the worst cases of a run, the worst first.
type worst struct {
	ratios []float64
	whole  bool // of all its cases
}

// Summarise sums up the results of a soak so far.
func Summarise(run Run, entries []Entry) *Summary {
	s := &Summary{Schema: Schema, Commit: run.Commit, Tool: run.Tool, Effort: run.Effort, Seeds: []Seed{}, Items: []Item{}}
	claims, seeds := map[string]string{}, map[uint64]*Seed{}
	var all []*series
	known := map[Item]*series{}
	find := func(key Item) *series {
		if known[key] == nil {
			known[key] = &series{Item: key}
			all = append(all, known[key])
		}
		return known[key]
	}
	entries = slices.Clone(entries)
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Claim, b.Claim))
	})
	for _, e := range entries {
		claims[e.Claim] = cmp.Or(e.commit, run.Commit)
		at := seeds[e.Seed]
		if at == nil {
			at = &Seed{Seed: e.Seed, Red: []string{}}
			seeds[e.Seed] = at
		}
		at.add(e)
		for _, m := range e.Criteria {
			find(Item{Claim: e.Claim, Check: m.Check, Name: m.Name}).criterion(e.Seed, m)
		}
		for _, c := range e.Controls {
			find(Item{Claim: e.Claim, Check: c.Check, Name: c.Name, Control: true}).control(e.Seed, c)
		}
	}
	s.Claims, s.Others = len(claims), others(claims, run.Commit)
	for _, at := range seeds {
		slices.Sort(at.Red)
		s.Seeds = append(s.Seeds, *at)
	}
	slices.SortFunc(s.Seeds, func(a, b Seed) int { return cmp.Compare(a.Seed, b.Seed) })
	for _, x := range all {
		s.Items = append(s.Items, x.conclude())
	}
	slices.SortStableFunc(s.Items, likeliest)
	return s
}

// likeliest orders items: the likeliest to be red first.
func likeliest(a, b Item) int {
	return cmp.Or(cmp.Compare(b.Chance, a.Chance), cmp.Compare(b.Upper, a.Upper), cmp.Compare(a.Claim, b.Claim))
}

// others lists the programs of other commits than a summary's own that claims are known from.
func others(claims map[string]string, own string) []Other {
	var out []Other
	for _, slug := range slices.Sorted(maps.Keys(claims)) {
		commit := claims[slug]
		at := slices.IndexFunc(out, func(o Other) bool { return o.Commit == commit })
		switch {
		case commit == own:
		case at < 0:
			out = append(out, Other{commit, []string{slug}})
		default:
			out[at].Claims = append(out[at].Claims, slug)
		}
	}
	return out
}

// criterion adds the result of a criterion at a seed.
func (x *series) criterion(seed uint64, m Criterion) {
	ratio := float64(m.Ratio)
	if x.Seeds == 0 || !(ratio <= float64(x.Worst)) {
		x.Worst, x.WorstSeed = m.Ratio, seed
	}
	x.Form, x.proven, x.declared = m.Form, m.Proven, max(x.declared, m.Chance)
	x.Cases, x.Declined = x.Cases+m.Cases, x.Declined+m.Declined
	x.worst = append(x.worst, worst{m.Largest, len(m.Largest) >= m.Cases-m.Declined})
	x.add(ratio, m.Verdict == results.Holds)
}

// control adds the result of a control at a seed.
func (x *series) control(seed uint64, c Tried) {
	ratio := float64(c.Ratio)
	if x.Seeds == 0 || !(ratio >= float64(x.Worst)) {
		x.Worst, x.WorstSeed = c.Ratio, seed
	}
	x.Cases += c.Cases
	x.tried = append(x.tried, c)
	x.add(ratio, c.Rejected)
}

func (x *series) add(ratio float64, green bool) {
	x.Seeds++
	if !green {
		x.Red++
	}
	x.ratios = append(x.ratios, ratio)
}

// conclude estimates the probability that another seed is red because of the item.
func (x *series) conclude() Item {
	sorted := slices.Clone(x.ratios)
	slices.Sort(sorted)
	x.Median = results.Number(sorted[len(sorted)/2])
	chance, basis := x.extrapolated()
	x.Chance, x.Upper, x.Basis = digits(chance.Estimate), digits(max(chance.Estimate, chance.Upper)), basis
	x.Worst, x.Median = digits(float64(x.Worst)), digits(float64(x.Median))
	return x.Item
}

func (x *series) extrapolated() (stat.Chance, Basis) {
	counted := stat.Frequency(x.Red, x.Seeds)
	switch {
	case x.Red > 0:
		return counted, Occurring
	case x.Control:
		return x.acceptance()
	case x.Form == results.Estimate || x.Form == results.YesNo && x.declared > 0:
		return stat.Chance{Estimate: x.declared, Upper: x.declared}, Declared
	case x.proven:
		return stat.Chance{}, Proven
	case x.Form == results.YesNo || x.Form == results.Exactness:
		return stat.Chance{}, Exact
	case x.Worst == 0: // no ratio to extrapolate
		return counted, Occurring
	}
	c, basis := x.tailOfCases()
	return stat.SumOfChances([]stat.Chance{c, {Estimate: x.declared, Upper: x.declared}}), basis
}

// tail extrapolates the logarithms of the ratios to the limit at 1, from below (sign −1) or from above (sign 1).
func (x *series) tail(sign float64) (stat.Chance, Basis) {
	if slices.Min(x.ratios) == slices.Max(x.ratios) {
		return stat.Chance{}, Constant
	}
	return stat.LowestBelowZero(margins(x.ratios, sign), len(x.ratios)), Extended
}

// tailOfCases extrapolates the ratios of the worst cases of all runs to the limit at 1. All cases are known that are
// worse than the last that every run has kept. The expected number of cases beyond the limit bounds the chance that a
// run has one.
func (x *series) tailOfCases() (stat.Chance, Basis) {
	runs, basis := x.tail(-1)
	if basis == Constant {
		return runs, basis
	}
	threshold := 0.0
	for _, w := range x.worst {
		if !w.whole && len(w.ratios) > 0 {
			threshold = max(threshold, w.ratios[len(w.ratios)-1])
		}
	}
	var known []float64
	for _, w := range x.worst {
		for _, ratio := range w.ratios {
			if ratio >= threshold {
				known = append(known, ratio)
			}
		}
	}
	if len(known) < fewCases || x.Cases < len(known) {
		return runs, basis
	}
	c, perRun := stat.LowestBelowZero(margins(known, -1), x.Cases), float64(x.Cases)/float64(x.Seeds)
	return stat.Chance{Estimate: min(1, perRun*c.Estimate), Upper: min(1, perRun*c.Upper)}, Extended
}

// fewCases say no more than the runs do.
const fewCases = 30

// margins returns the logarithms of the distances from 1. It omits ratios of 0 and infinite ones, which are beyond
// every threshold.
func margins(ratios []float64, sign float64) []float64 {
	var out []float64
	for _, ratio := range ratios {
		if ratio > 0 && !math.IsInf(ratio, 1) {
			out = append(out, sign*math.Log(ratio))
		}
	}
	return out
}

// acceptance returns the chance that a control is accepted: by the share of the cases that see it, by the interval that
// rejects it, or by its ratios, whichever is most informative.
func (x *series) acceptance() (stat.Chance, Basis) {
	cases, seen, replicates, reserve, fixed, intervals := 0, 0, 0, 0.0, true, true
	yesNo := true
	for _, c := range x.tried {
		cases, seen, replicates = cases+c.Cases, seen+c.Seen, replicates+c.Replicates
		reserve += float64(c.Reserve) / float64(len(x.tried))
		fixed = fixed && c.Fixed
		intervals = intervals && c.Reserve > 0
		yesNo = yesNo && c.Form == results.YesNo
	}
	if replicates == 0 {
		return stat.Frequency(x.Red, x.Seeds), Occurring
	}
	times := float64(replicates) / float64(len(x.tried)) // in a run
	// Cases are taken for alike. Of cells that differ the product of their chances is smaller, so that this is a bound
	// where the ratios may give an estimate.
	best, basis := stat.Chance{Estimate: math.Inf(1), Upper: math.Inf(1)}, Occurring
	consider := func(c stat.Chance, b Basis) {
		if c.Estimate < best.Estimate {
			basis = b
		}
		best = stat.Chance{Estimate: min(best.Estimate, c.Estimate), Upper: min(best.Upper, c.Upper)}
	}
	if fixed && replicates > 1 {
		return stat.Chance{}, Constant
	}
	if n := cases / replicates; n > 0 && seen <= cases {
		upper := min(1, times*stat.NoEvent(seen, cases, n, confidence))
		consider(stat.Chance{Estimate: min(1, times*math.Pow(1-float64(seen)/float64(cases), float64(n))), Upper: upper},
			Binomial)
	}
	if intervals {
		p := min(1, times*stat.CrossedBy(reserve, stat.CriterionAlpha))
		consider(stat.Chance{Estimate: p, Upper: p}, Interval)
	}
	if !yesNo {
		c, b := x.tail(1)
		consider(c, b)
	}
	return best, basis
}

// confidence is the level of the upper ends.
const confidence = 0.01

// digits rounds to the three digits that a file of a thousand rows has room for.
func digits(x float64) results.Number {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		return results.Number(x)
	}
	return results.Number(rounded)
}
