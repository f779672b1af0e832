package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/terminal"
)

// judge gives every row its verdict. Rows of units that are declared exact, and counts that are the same in all
// samples, leave nothing to chance; the others share the policy's α, those that are gated if there are any. Which rows
// share does not depend on which sample is old and which is new, so that the level of each holds.
func (b *builder) judge() {
	var sampled, counted []int
	for i := range b.table.Rows {
		r, data := &b.table.Rows[i], b.pairs[i]
		switch {
		case r.Column == "":
		case data.old == nil:
			r.Verdict, r.Reason = Added, "not in "+r.Base
		case data.new == nil:
			r.Verdict, r.Reason = Missing, "not in "+r.Column
		case b.exact(r.Unit) || constant(r.Unit, data):
			b.judgeExact(r, data)
		case isCount(r.Unit, data):
			counted = append(counted, i)
		default:
			sampled = append(sampled, i)
		}
	}
	varying := slices.Concat(counted, sampled)
	gated := list.Where(varying, func(i int) bool { return b.table.Rows[i].Gated })
	b.statistical = cmp.Or(len(gated), len(varying))
	for _, i := range counted {
		b.judgeExact(&b.table.Rows[i], b.pairs[i])
	}
	if b.rule != nil {
		for _, i := range varying {
			r := &b.table.Rows[i]
			b.rule(r, b.table.Policy.SpecOf(r.Unit, 0, b.better(r.Unit)), b.statistical)
		}
	} else {
		for _, i := range counted {
			b.judgeCount(&b.table.Rows[i], b.pairs[i])
		}
		b.judgeSampled(sampled)
	}
	b.unallocated()
}

// unallocated calls undecided bytes the same where operations of neither side allocate, which the counts of allocations
// say, and the ranges of the bytes overlap. They come from the setup then, divided by a number of operations that
// differs from run to run.
func (b *builder) unallocated() {
	type key struct{ group, name, column string }
	none := map[key]bool{}
	for _, r := range b.table.Rows {
		if r.Unit == "allocs/op" && r.Verdict == Same {
			none[key{r.Group, r.Name, r.Column}] = r.Old.Center == 0 && r.New.Center == 0
		}
	}
	for i := range b.table.Rows {
		r, p := &b.table.Rows[i], b.pairs[i]
		if r.Unit != "B/op" || r.Verdict != Undecided || !none[key{r.Group, r.Name, r.Column}] {
			continue
		}
		if slices.Min(p.new.values) <= slices.Max(p.old.values) && slices.Min(p.old.values) <= slices.Max(p.new.values) {
			r.Verdict, r.Needs = Same, 0
			r.Reason = "less than one allocation in an operation: what is left of the setup"
		}
	}
}

// samples returns the samples of both sides.
func (p pair) samples() (old, new []float64) { return p.old.samples(), p.new.samples() }

// judgeExact judges a row that leaves nothing to chance.
func (b *builder) judgeExact(r *Row, data pair) {
	r.Exact = true
	lowest := 0.0
	if r.Unit == "B/op" && !b.exact(r.Unit) {
		lowest = MinBytes
	}
	old, new := data.old.values, data.new.values
	if lowest > 0 || r.Unit == "allocs/op" && !b.exact(r.Unit) {
		old, new = data.samples()
	}
	r.Judgement = judgeExact(old, new, b.margin(r.Unit, true), lowest, b.better(r.Unit))
}

// judgeCount judges counts that differ by their ranges. Identical code can allocate differently from run to run, and
// two samples are apart whenever they differ: a change is one only if it is unlikely that the order of the samples
// alone has put all of one side beyond all of the other.
func (b *builder) judgeCount(r *Row, data pair) {
	old, new := data.samples()
	m, n, share := len(old), len(new), b.table.Policy.Share(b.statistical)
	r.Change.Level = 1 - share
	r.Judgement.Attest(Separation(m, n), share, rankSumMinimum(share), min(m, n))
	r.SettleShift(old, new, r.Unit, share)
}

// Separation is the probability that all of m samples lie beyond all of n others, on either side, if all orders of them
// are equally likely: 2/C(m+n, n).
func Separation(m, n int) float64 {
	p := 2.0
	for i := 1; i <= n; i++ {
		p *= float64(i) / float64(m+i)
	}
	return p
}

// Attest leaves a count undecided if its change is one that the order of the samples brings about with more than the
// probability share. It takes needed samples a side, of which there are n.
func (j *Judgement) Attest(chance, share float64, needed, n int) {
	switch j.Verdict {
	case Slower, Faster, Changed:
		if chance > share {
			j.Verdict, j.Needs = Undecided, max(needed, n+1)
			j.Reason = fmt.Sprintf("%s a side differ by chance with probability %.2g, and the row's part of α is %.2g",
				terminal.Plural(n, "sample"), chance, share)
		}
	}
}

// judgeSampled judges rows of numbers that vary, by intervals.
func (b *builder) judgeSampled(rows []int) {
	floor := b.commonDrift(rows)
	var scatter map[int]float64
	if b.blocked() {
		scatter = b.scatter(rows)
	}
	for _, i := range rows {
		r := &b.table.Rows[i]
		old, new := b.pairs[i].samples()
		spec := Spec{
			Alpha:  b.table.Policy.Share(b.statistical),
			Margin: b.margin(r.Unit, false),
			Floor:  max(floor, scatter[i], drift(old), drift(new)),
			Better: b.better(r.Unit),
		}
		if slices.Contains(Counted, r.Unit) { // what slows the machine adds no instructions
			spec.Floor, spec.Reaching = max(drift(old), drift(new)), true
		}
		if why := unusable(b.pairs[i].old.values, b.pairs[i].new.values); why != "" {
			// no median may hide it
			r.Judgement = Judge(b.pairs[i].old.values, b.pairs[i].new.values, spec)
			continue
		}
		r.Judgement = Judge(old, new, spec)
		if Settles(r.Unit) {
			r.Settle(old, new, spec)
		}
	}
}

// commonDrift is the floor that all rows have. One row's ten samples show little of how the machine changes, but the
// rows of a table were measured by one machine: what one sample in ten shows of itself, every row must expect. Samples
// without any drift look drifting in one case of twenty, which in a table of many rows leaves the floor at 0.
func (b *builder) commonDrift(rows []int) float64 {
	var seen []float64
	for _, i := range rows {
		if b.table.Rows[i].Unit == "sec/op" {
			old, new := b.pairs[i].samples()
			seen = append(seen, drift(old), drift(new))
		}
	}
	if len(seen) == 0 {
		return 0
	}
	slices.Sort(seen)
	return seen[(9*len(seen)-1)/10]
}

// scatter is the floor of each row when samples were taken row by row, each row's at one time. They hide how the
// machine changes from row to row, but the rows are one another's controls: what one other row in ten changed by is
// taken for the machine's doing, and since disturbances have long tails, only twice as much for the code's. Where more
// of the code did change, the floor is too high, and rows are undecided rather than wrong.
func (b *builder) scatter(rows []int) map[int]float64 {
	sizes := map[int]float64{}
	var others []int
	for _, i := range rows {
		if r := b.table.Rows[i]; r.Unit == "sec/op" && r.Old.Center > 0 && r.New.Center > 0 {
			sizes[i] = math.Abs(math.Log(float64(r.New.Center / r.Old.Center)))
			others = append(others, i)
		}
	}
	slices.SortStableFunc(others, func(i, k int) int { return cmp.Compare(sizes[i], sizes[k]) })
	out := map[int]float64{}
	n := len(others) - 1 // without the row itself
	for at, i := range others {
		if n < 1 {
			break
		}
		control := (9*n - 1) / 10 // of the others, in order
		if control >= at {
			control++
		}
		out[i] = math.Expm1(2 * sizes[others[control]])
	}
	return out
}

// better is 1 where more is better, -1 where less is, and 0 if nobody says. The policy says it, then what everybody
// knows, and then the old results: new code does not choose what counts as better.
func (b *builder) better(unit string) int {
	switch b.table.Policy.Better[unit] {
	case "higher":
		return 1
	case "lower":
		return -1
	}
	return cmp.Or(known(unit), b.units.GetBetter(unit))
}

// known is the direction of a unit that everybody knows; 0 of others.
func known(unit string) int {
	if slices.Contains(Counted, unit) {
		return -1
	}
	return benchfmt.UnitMetadataMap{}.GetBetter(unit)
}

// margin is the smallest relative change of a unit that matters.
func (b *builder) margin(unit string, exact bool) float64 {
	if margin, ok := b.table.Policy.Margins[unit]; ok {
		return margin
	}
	if exact {
		return 0
	}
	return b.table.Policy.MarginOf(unit)
}

// MinBytes is the smallest change of B/op that can be an allocation: Go's sizes are multiples of 8 bytes. What is less
// is the setup of a benchmark, divided by a number of operations that differs from run to run.
const MinBytes = 8

// constant reports whether a count is the same in all samples of both sides (bytes: by less than an allocation).
func constant(unit string, data pair) bool {
	all := slices.Concat(data.old.values, data.new.values)
	return unit == "B/op" && spread(all) < MinBytes || unit == "allocs/op" && spread(all) == 0
}

func spread(x []float64) float64 { return slices.Max(x) - slices.Min(x) }

// isCount reports whether a row counts allocations or bytes, and the counts do not vary on either side (bytes: by less
// than an allocation). Counts that vary are samples like times, unless one of them is 0 and has no ratio.
func isCount(unit string, data pair) bool {
	old, new := data.samples()
	zero := slices.Contains(data.old.values, 0) || slices.Contains(data.new.values, 0)
	switch unit {
	case "B/op":
		return spread(old) < MinBytes && spread(new) < MinBytes || zero
	case "allocs/op":
		return spread(old) == 0 && spread(new) == 0 || zero
	}
	return false
}

// judgeExact compares the ranges of two samples of a number that should not vary. Equal ranges are the same; ranges
// that lie apart are a change, by the ratio of the ends that are nearest to each other; ranges that overlap are
// undecided. Changes within the margin, or less than lowest, are none.
func judgeExact(old, new []float64, margin, lowest float64, better int) Judgement {
	j := Judgement{Change: Interval{Level: 1}, Verdict: Undecided}
	for _, x := range slices.Concat(old, new) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			j.Change = nowhere(0)
			j.Verdict, j.Reason = Unusable, fmt.Sprintf("a value is %v", x)
			return j
		}
	}
	oldLo, oldHi, newLo, newHi := slices.Min(old), slices.Max(old), slices.Min(new), slices.Max(new)
	j.Change = Interval{Number(math.NaN()), ratio(newLo, oldHi), ratio(newHi, oldLo), 1}
	if j.Change.Lo == j.Change.Hi {
		j.Change.Center = j.Change.Lo
	}
	switch {
	case oldLo == newLo && oldHi == newHi, within(oldLo, oldHi, newLo, newHi, margin),
		max(newHi-oldLo, oldHi-newLo) < lowest:
		j.Verdict = Same
	case newLo > oldHi && beyond(newLo, oldHi, margin):
		j.Verdict = worseBy(-better)
	case newHi < oldLo && beyond(oldLo, newHi, margin):
		j.Verdict = worseBy(better)
	default:
		j.Reason = fmt.Sprintf("should not vary, but ranges from %v to %v before and from %v to %v after", oldLo, oldHi,
			newLo, newHi)
	}
	return j
}

// within reports whether all ratios of new to old lie in the margin; with the margin 0 only equal numbers do.
func within(oldLo, oldHi, newLo, newHi, margin float64) bool {
	return !beyondOrNegative(newHi, oldLo, margin) && !beyondOrNegative(oldHi, newLo, margin)
}

func beyondOrNegative(a, b, margin float64) bool { return a != b && (b < 0 || !(a <= b*(1+margin))) }

// beyond reports whether a > b by more than the margin.
func beyond(a, b, margin float64) bool { return b <= 0 || a > b*(1+margin) }

// ratio of new to old; 0/0 is no change.
func ratio(new, old float64) Number {
	if new == old {
		return 1
	}
	return Number(new / old)
}

// drift is the noise floor of one sample, in the order of its measurement: if its second half differs from its first
// by a Mann-Whitney interval of 95 %, the machine changed while it was measured. Files are measured one after the
// other, so that their centers are twice as far apart in time as those of the halves; so is a steady drift.
func drift(values []float64) float64 {
	n := len(values)
	if n < 4 || n > maxSamples || unusable(values) != "" {
		return 0
	}
	const alpha = 0.05
	k := rankSumOrder(n/2, n-n/2, alpha)
	logs := make([]float64, 0, n*n/4)
	for _, a := range values[:n/2] {
		for _, b := range values[n/2:] {
			logs = append(logs, math.Log(b/a))
		}
	}
	if c := orderInterval(logs, k, alpha); c.Lo > 1 || c.Hi < 1 {
		return math.Expm1(2 * math.Abs(math.Log(float64(c.Center))))
	}
	return 0
}
