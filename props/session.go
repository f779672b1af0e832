package props

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

// measuredCells are the measurements of one thing done, on one replicate.
type measuredCells struct {
	cells   []cell
	results []any
	count   results.Count
	message string // the first cell that broke
}

// measurementKey says which measurement it is: what is done, and nothing of what is claimed.
type measurementKey struct {
	check     string
	done      string
	replicate int
}

// session runs the checks of one claim. Variants that do the same share its measurements.
type session struct {
	*run
	slug         string
	measurements map[measurementKey]measuredCells

	compared []series // what the claim and its controls compared

	mu    sync.Mutex
	costs []results.Cost
}

func newSession(r *run, slug string) *session {
	return &session{run: r, slug: slug, measurements: map[measurementKey]measuredCells{}}
}

// spend notes what the cells of a check cost, in seconds.
func (s *session) spend(check string, spent float64, cases int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.costs, func(c results.Cost) bool { return c.Check == check })
	if at < 0 {
		at = len(s.costs)
		s.costs = append(s.costs, results.Cost{Check: check})
	}
	s.costs[at].Cases += cases
	s.costs[at].Seconds += spent
}

// claim runs everything about one claim.
func (r *run) claim(c Claim) (row results.Claim) {
	s := newSession(r, c.Statement.Slug)
	row = newRow(c)
	for _, k := range c.checks {
		s.verifyCheck(k, &row)
	}
	for _, k := range c.checks {
		for _, control := range k.controls {
			r.report(Event{Claim: s.slug, Stage: "control: " + control.Name})
			s.runControl(c.Statement, k, control, &row)
		}
	}
	row.Conclude()
	s.drawTheorem(c, &row)
	drawComparison(&row, s.compared)
	for _, cost := range s.costs {
		row.Seconds += cost.Seconds
	}
	row.Costs = s.costs
	return row
}

// drawTheorem puts the figure of the theorem before all others of a claim, where it is made here or was. A figure that
// cannot be drawn is no reason to doubt a verdict; props.Test complains of it.
func (s *session) drawTheorem(c Claim, row *results.Claim) {
	place, codec := figurePlace(s.slug), codecOf(reflect.TypeFor[[]Figure]())
	if c.Along == nil || s.ctx.Err() != nil || s.Journal.ownsNone(s.slug, place.measurementKey) {
		return
	}
	key := unitKey(place, "")
	m, spent, known := s.Journal.lookup(key, codec)
	if !known && !s.Journal.makes() {
		return
	}
	s.report(Event{Claim: s.slug, Stage: "figure"})
	defer func() { _ = recover() }()
	if !known {
		var err error
		s.clock.during(func() { m, err = c.theoremFigures(s.ctx, s.Options, s.pool) }, &spent)
		if err != nil || s.ctx.Err() != nil {
			return
		}
		s.Journal.keep(key, codec, m, spent)
	}
	row.Figures = slices.Insert(row.Figures, 0, m.([]Figure)...)
	s.spend(figureName, spent, 0)
}

// cellsOf makes the measurements of one thing done, or finds them made.
func (s *session) cellsOf(k checker, done string, replicate int) measuredCells {
	key := measurementKey{k.name, done, replicate}
	if m, ok := s.measurements[key]; ok {
		return m
	}
	if s.Journal.ownsNone(s.slug, key) {
		return measuredCells{count: results.Count{Planned: 1}} // how many there are takes a while to find out
	}
	e := s.at(k, done)
	cells := k.cells(e, done)
	m := measuredCells{cells: cells, results: make([]any, len(cells))}
	broken := make([]string, len(cells))
	planned := casesIn(cells)
	claims := k.claimsFor(done)
	finished := 0
	own := s.Journal.ownCells(s.slug, key, len(cells))
	s.pool.each(s.ctx, len(own), func(n int) func() {
		i := own[n]
		result, trouble := s.tryCell(k, cells[i], e, unitPlace{s.slug, key, i}, claims)
		return func() {
			m.results[i], broken[i] = result, trouble
			cases := casesIn(cells[i : i+1])
			s.cells.Add(int64(cases))
			finished += cases
			s.report(Event{Claim: s.slug, Cases: results.Count{Planned: planned, Run: finished}})
		}
	})
	m.count.Planned = planned
	for i := range cells {
		if m.results[i] != nil {
			m.count.Run += casesIn(cells[i : i+1])
		}
		if m.message == "" {
			m.message = broken[i]
		}
	}
	s.measurements[key] = m // also what is incomplete: a shard would make its cells again for every control
	return m
}

// tryCell is measureCell, and says what became of a cell that broke.
func (s *session) tryCell(k checker, c cell, e Effort, at unitPlace, claims []string) (m any, trouble string) {
	defer func() {
		if p := recover(); p != nil {
			m, trouble = nil, fmt.Sprintf("cell %s: %s", c.label(), describe(p))
		}
	}()
	return s.measureCell(k, c, e, at, claims), ""
}

// measureCell makes one measurement, or takes it from the journal.
func (s *session) measureCell(k checker, c cell, e Effort, at unitPlace, claims []string) any {
	label := c.label()
	key := unitKey(at, label)
	m, spent, known := s.Journal.lookup(key, k.codec)
	if !known && !s.Journal.makes() {
		return nil
	}
	defer func() { s.spend(k.name, spent, casesIn([]cell{c})) }()
	if !known {
		t := s.trial(k, label, c.index, e, at.replicate)
		s.clock.during(func() { m = k.measure(t, c, at.done, claims) }, &spent)
		s.Journal.keep(key, k.codec, m, spent)
	}
	return m
}

// at is the effort at which a check does something in this run.
func (s *session) at(k checker, done string) Effort { return k.at(s.effortOf(s.slug, k.name), done) }

// trial is the execution of one cell. Streams are keyed by the cell's label and not by its position, so that adding a
// size leaves the others as they were.
func (s *session) trial(k checker, label string, index int, e Effort, replicate int) *Trial {
	key := []string{s.slug, k.name, label, strconv.Itoa(replicate)}
	return &Trial{Effort: e, Index: index, Rand: streams.New(s.Seed, key...), seed: s.Seed, key: key}
}

// casesIn counts the cases of cells: the instances of a block, or one.
func casesIn(cells []cell) int {
	n := 0
	for i := range cells {
		n += casesOf(&cells[i])
	}
	return n
}

func casesOf(c *cell) int { return max(1, c.to-c.from) }

// evaluate judges one variant. Fewer cells than planned are never judged. A plan may panic, which the other claims must
// not pay for.
func (s *session) evaluate(k checker, v variant, replicate int) evaluated {
	return s.evaluateOn(nil, k, v, replicate)
}

// evaluateOn is evaluate on the cells, by their positions, that a control picks; nil is all.
func (s *session) evaluateOn(on func(int) bool, k checker, v variant, replicate int) (o evaluated) {
	defer func() {
		if p := recover(); p != nil {
			o.tally, o.verdict, o.message = nil, results.Error, k.name+": "+describe(p)
		}
	}()
	m := s.cellsOf(k, v.done, replicate)
	o.count = m.count
	switch {
	case m.message != "":
		o.verdict, o.message = results.Error, k.name+": "+m.message
	case m.count.Run < m.count.Planned:
		o.verdict, o.message = results.Incomplete, fmt.Sprintf("%s: %d of %d cases ran", k.name, m.count.Run, m.count.Planned)
	case m.count.Planned == 0:
		o.verdict, o.message = results.Error, k.name+": no case is planned"
	default:
		s.judgeCells(k, m.on(on), v, replicate, &o)
	}
	return o
}

// on returns the measurements of the claim that a control picks.
func (m measuredCells) on(picks func(int) bool) measuredCells {
	if picks == nil {
		return m
	}
	picked := measuredCells{count: m.count}
	for i, c := range m.cells {
		if picks(c.index) {
			picked.cells, picked.results = append(picked.cells, c), append(picked.results, m.results[i])
		}
	}
	return picked
}

// evaluated holds the result of one variant on one replicate.
type evaluated struct {
	*tally
	verdict results.Verdict
	count   results.Count
	message string
}

func (s *session) judgeCells(k checker, m measuredCells, v variant, replicate int, o *evaluated) {
	defer func() {
		if p := recover(); p != nil {
			o.tally, o.verdict, o.message = nil, results.Error, fmt.Sprintf("%s: judging: %s", k.name, describe(p))
		}
	}()
	o.tally = k.judge(judging{effort: s.at(k, v.done), cells: m.cells, results: m.results,
		unit:     0x1p-53,
		rank:     slices.Index(k.claimsFor(v.done), v.claimed),
		detailed: v == variant{},
		entry:    entryStream(s.Seed, s.slug, k.name, replicate)}, v.claimed)
	o.verdict = o.ratio().Verdict()
	switch {
	case len(o.Rows) == 0:
		o.verdict, o.message = results.Error, k.name+": the judge states no criterion"
	case o.Broken != "":
		o.verdict, o.message = results.Error, k.name+": "+o.Broken
	}
}

// verifyCheck runs the claim itself.
func (s *session) verifyCheck(k checker, row *results.Claim) {
	s.report(Event{Claim: s.slug, Stage: "verify: " + k.name})
	o := s.evaluate(k, variant{}, 0)
	row.Checks = append(row.Checks, results.Check{Name: k.name, Cases: o.count,
		Broken: o.verdict == results.Error, Message: o.message})
	if o.tally == nil {
		return
	}
	row.Checks[len(row.Checks)-1].Drawn = o.Drawn
	addTally(row, k, o.tally)
	s.compared = append(s.compared, seriesOf(k.name, "", o.tally)...)
	if o.verdict == results.Refuted && row.Counterexample == "" && o.Failing != nil {
		row.Counterexample = s.simplest(k, o.Failing, row)
	}
}

// simplest is the counterexample of a refuted check, shrunk where the check can shrink.
func (s *session) simplest(k checker, f *failing, row *results.Claim) string {
	if k.shrink == nil || f.Ratio.Verdict() != results.Refuted {
		return f.Shown
	}
	s.report(Event{Claim: s.slug, Stage: "shrink: " + k.name})
	trial := s.trial(k, strconv.Itoa(f.Case), f.Case, s.at(k, ""), 0)
	in, text := k.shrink(trial, variant{})
	if text == "" {
		return f.Shown
	}
	if k.certify != nil {
		row.Instance = in
	}
	return text
}

// runControl runs a wrong version of the claim, which must be rejected on every replicate.
func (s *session) runControl(st *theory.Statement, k checker, c Control, row *results.Claim) {
	result := results.Control{Name: c.Name, Assumption: c.Assumption, Check: k.name, Criterion: c.Criterion,
		Erratum: c.Erratum, Reading: c.Reading, Ratio: results.Number(math.Inf(1))}
	n, rejected, shown := k.times(s.at(k, c.done), c.done), 0, ""
	result.Replicates, result.Reserve, result.Fixed = n, results.Number(math.Inf(1)), true
	lowers := map[string][]float64{}
	var on func(int) bool
	if c.on != nil {
		on = c.on(s.at(k, c.done))
	}
	for replicate := range n {
		o := s.evaluateOn(on, k, variant{c.done, c.claimed}, replicate)
		result.Incomplete = result.Incomplete || o.verdict == results.Incomplete
		if o.message != "" {
			result.Message = o.message
			continue
		}
		ratio, name := o.rejecting(c.Criterion)
		failing := ""
		if o.Failing != nil {
			failing = o.Failing.Shown
		}
		if replicate == 0 {
			result.Criterion, shown = name, failing
			s.compared = append(s.compared, seriesOf(k.name, c.Name, o.tally)...)
		}
		result.Fixed = result.Fixed && failing == shown && (replicate == 0 || results.Number(ratio.Lower) == result.Ratio)
		result.Ratio = min(result.Ratio, results.Number(ratio.Lower))
		weigh(&result, o, c.Criterion, name, k.shrink != nil)
		if ratio.Verdict() == results.Refuted {
			rejected++
		}
		o.addLowers(lowers)
	}
	result.RejectedAt = map[string]results.Number{}
	for name, of := range lowers {
		if lowest := slices.Min(of); len(of) == n && lowest > 1 {
			result.RejectedAt[name] = results.Number(lowest)
		}
	}
	result.RejectedBy = slices.Sorted(maps.Keys(result.RejectedAt))
	result.Fraction = results.Number(float64(rejected) / float64(n))
	row.Controls = append(row.Controls, result)
	addPrinted(row, st, result, shown)
}

// rejecting is the ratio that rejects a control, and the criterion it belongs to.
func (o evaluated) rejecting(criterion string) (Ratio, string) {
	if criterion == "" {
		criterion = o.worstCriterion()
	}
	ratio, stated := o.ratioOf(criterion)
	if !stated {
		return invalid, criterion
	}
	return ratio, criterion
}

// weigh adds what the rejection on one replicate rests on: the cases that see it, or how far an interval lies beyond
// its margin. A yes or no is fixed if the case that says so is the same on every replicate, which takes one that is
// shown whole.
func weigh(c *results.Control, o evaluated, criterion, rejectedBy string, shownWhole bool) {
	reserve := 0.0
	for _, r := range o.Rows {
		if r.Criterion.Name != rejectedBy {
			continue
		}
		c.Fixed = c.Fixed && (shownWhole || r.Criterion.Form != results.YesNo)
		if r.Criterion.Form == results.Estimate {
			reserve = max(reserve, r.Reserve)
		}
	}
	c.Reserve = min(c.Reserve, results.Number(reserve))
	if criterion == "" {
		c.Cases, c.Seen = c.Cases+o.tally.Cases, c.Seen+o.Rejected
		return
	}
	stated, sum, largest := 0, 0, 0
	for _, r := range o.Rows {
		if r.Criterion.Name == criterion {
			stated, sum, largest = stated+r.Cases, sum+r.Rejected, max(largest, r.Rejected)
		}
	}
	cases := o.tally.Cases
	switch {
	case stated > cases: // a case is of several regimes, and is counted once
		sum = largest
	case !shownWhole: // of a sweep, whose cells differ and whose conclusion is one more case
		cases = stated
	}
	c.Cases, c.Seen = c.Cases+cases, c.Seen+sum
}

// addLowers adds, by criterion, the ratio at which this version of the claim is refuted, or is not.
func (o evaluated) addLowers(to map[string][]float64) {
	lowers := map[string]float64{}
	for _, r := range o.Rows {
		lower := 0.0
		if r.Worst.Valid() {
			lower = r.Worst.Lower
		}
		lowers[r.Criterion.Name] = max(lowers[r.Criterion.Name], lower)
	}
	for name, lower := range lowers {
		to[name] = append(to[name], lower)
	}
}

// figureName is the work of the figure of a theorem, besides the work of the checks.
const figureName = "figure of the theorem"

func figurePlace(slug string) unitPlace { return unitPlace{slug, measurementKey{figureName, "", 0}, 0} }

// unitKey names a unit of work within a run. It has the label of the cell and not the position, so that adding a size
// leaves the others as they were.
func unitKey(p unitPlace, cell string) string {
	return p.slug + keySeparator + p.check + keySeparator + p.done + keySeparator + strconv.Itoa(p.replicate) +
		keySeparator + cell
}

const keySeparator = "\x00"
