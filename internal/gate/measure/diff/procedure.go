package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/terminal"
)

// Procedure measures two versions look by look, until every gated row is decided or there are no more rounds.
type Procedure struct {
	Comparison
	Common      []measure.Benchmark // those that both versions have
	Session     measure.Session     // of the arms; what it has may hold samples of the pilot
	Pilot       []measure.Binary    // the old code three times
	PilotRounds int                 // from which is estimated what will be found; none for no estimate
	Failed      []measure.Failure   // benchmarks that did not run even once
	Display     Display
	Budget      time.Duration // after which the measurement ends with what it knows; none if 0
	Process     time.Duration // that a process takes which runs a benchmark once

	// Relink builds a package of an arm with its functions in an order that the linker draws from a seed; nil for none.
	Relink func(ctx context.Context, pkg, arm string, seed int) (measure.Binary, error)
}

// Display shows how a measurement goes.
type Display interface {
	Note(text string)
	Count(what string, done, planned int, left time.Duration)
}

// Schedule are the rounds up to each look. Where counts are judged a few rounds show that they are the same; that they
// changed takes as many as the level needs, which the second look has: two more than the fewest, for all rows that a
// benchmark can have.
func Schedule(first, further, benchmarks int, alpha float64, counting bool) []int {
	looks := list.Fill(1+further, func(i int) int { return (i + 1) * first })
	const units = 4 // time, bytes, allocations, instructions
	for i := 1; i < len(looks) && counting; i++ {
		looks[i] = max(looks[i], looks[i-1]+1, Minimum(Share(alpha, units*benchmarks, i+1))+2)
	}
	return looks
}

// Run measures and judges. A budget that ends, or a context, leaves a table of what is known, with the context's error
// if it was that. The comparison then holds the samples on which the table rests.
func (p *Procedure) Run(ctx context.Context) (*compare.Table, error) {
	samples, aside := apart(p.Session.Have)
	if p.Session.Count != nil {
		p.Session.Count.Adopt(samples)
	}
	limited, cancel := ctx, context.CancelFunc(func() {})
	if p.Budget > 0 {
		limited, cancel = context.WithTimeout(ctx, p.Budget)
	}
	defer cancel()
	each := p.Process + p.counted(limited) + 2*p.length()
	if first := p.took(p.PilotRounds+p.Looks[0], each); p.Budget > 0 && first > p.Budget {
		p.PilotRounds = 0 // the rounds that count come first
	}
	p.Display.Note(p.cost(each))
	estimate, err := p.estimate(limited, aside)
	if err == nil {
		p.Session.Have = samples
		samples, err = p.looks(limited, samples, each)
	}
	samples = p.whole(samples)
	table, failed := p.judged(samples, estimate)
	if err == nil && failed == nil {
		var more []measure.Sample
		if more, err = p.relink(limited, table, aside); len(more) > 0 {
			samples = append(samples, more...)
			table, failed = p.judged(samples, estimate)
		}
	}
	ended := err != nil && errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
	if err != nil && !ended && ctx.Err() == nil {
		return nil, err
	}
	p.Samples = samples
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	p.unmeasured(table)
	if ended {
		table.Problems = append(table.Problems, compare.Problem{Text: fmt.Sprintf("the budget of %v ended before all rows "+
			"had their rounds; a larger --budget, or 0 for none, decides more", p.Budget)})
		err = nil
	}
	return table, err
}

// looks measures look by look, and returns all samples. Within a budget every benchmark has one round before any has
// more, and rounds that do not fit go to those that look changed most. The choice of the rows that are measured further
// may depend on the data: each look has spent its part of α on all rows.
func (p *Procedure) looks(ctx context.Context, samples []measure.Sample, each time.Duration) ([]measure.Sample, error) {
	open, from := p.Common, 0
	for i, last := range p.Looks {
		steps := []int{last}
		if i == 0 && p.Budget > 0 && last > 1 {
			steps = []int{1, last}
		}
		for k, to := range steps {
			if p.Budget > 0 && i+k > 0 {
				open = p.fitting(ctx, open, samples, to-from, each)
			}
			if len(open) == 0 {
				return samples, nil
			}
			p.Session.Progress = func(at measure.Progress) {
				p.Display.Count(fmt.Sprintf("look %d of at most %d, measuring %s", i+1, len(p.Looks), at.Next.Name), at.Done,
					at.Planned, at.Left)
			}
			began := time.Now()
			more, err := p.Session.Take(ctx, open, from, to)
			samples, from = append(samples, more...), to
			if err != nil {
				return samples, err
			}
			if len(more) > 0 {
				each = time.Since(began) / time.Duration(len(more))
			}
		}
		// A session that is resumed may hold more; looking at them early would be a look that nothing was spent on.
		c := p.Comparison
		c.Samples = slices.DeleteFunc(slices.Clone(samples), func(s measure.Sample) bool { return s.Round >= last })
		table, err := c.Table()
		if err != nil {
			return samples, err
		}
		open = c.Open(table, p.Common)
	}
	return samples, nil
}

// fitting are the benchmarks whose further rounds fit into what is left of the budget, those first that look changed.
func (p *Procedure) fitting(ctx context.Context, open []measure.Benchmark, samples []measure.Sample, rounds int,
	each time.Duration) []measure.Benchmark {
	deadline, _ := ctx.Deadline()
	fit := int(time.Until(deadline) / max(1, each*time.Duration(rounds*len(Arms))))
	if fit >= len(open) {
		return open
	}
	c := p.Comparison
	c.Samples = samples
	sizes := map[key]float64{}
	for k, row := range c.blocks() {
		at := key{group: k.group, name: measure.Bare(k.name)}
		sizes[at] = max(sizes[at], sizeOf(row, c.Policy.MarginOf(k.unit)))
	}
	size := func(b measure.Benchmark) float64 { return sizes[key{group: group(b.Package), name: b.Name}] }
	open = slices.Clone(open)
	slices.SortStableFunc(open, func(a, b measure.Benchmark) int { return cmp.Compare(size(b), size(a)) })
	return open[:max(1, fit)]
}

// sizeOf returns the apparent size of a change in units of the margin, or of the difference of identical code if that
// is larger.
func sizeOf(row []Block, margin float64) float64 {
	change, noise := 0.0, 0.0
	for _, b := range row {
		change += (b.New - (b.Old+b.Again)/2) / float64(len(row))
		noise += math.Abs(b.Old-b.Again) / float64(len(row))
	}
	if size := math.Abs(change) / max(margin, noise, 1e-9); !math.IsNaN(size) {
		return size
	}
	return 0
}

// whole returns the samples of rounds that ended: a benchmark whose new code was not measured any more is not missing.
func (p *Procedure) whole(samples []measure.Sample) []measure.Sample {
	taken := measure.Taken(samples)
	return slices.DeleteFunc(slices.Clone(samples), func(s measure.Sample) bool {
		return slices.ContainsFunc(Arms, func(arm string) bool {
			return taken[measure.Slot{Benchmark: s.Benchmark, Arm: arm, Round: s.Round}] == 0
		})
	})
}

// unmeasured adds rows for the benchmarks that had no whole round before the end.
func (p *Procedure) unmeasured(t *compare.Table) {
	seen := map[key]bool{}
	for _, r := range t.Rows {
		seen[key{group: r.Group, name: measure.Bare(r.Name)}], seen[key{group: r.Group, name: r.Name}] = true, true
	}
	for _, b := range p.Common {
		if !seen[key{group: group(b.Package), name: b.Name}] {
			t.Rows = append(t.Rows, p.lone(group(b.Package), b.Name, compare.Undecided,
				"not measured before the measurement ended"))
		}
	}
}

// judged is the table of samples, and of the benchmarks that did not run.
func (p *Procedure) judged(samples []measure.Sample, e *compare.PowerEstimate) (*compare.Table, error) {
	c := p.Comparison
	for _, f := range p.Failed {
		c.Samples = append(c.Samples, measure.Sample{Benchmark: f.Benchmark, Arm: f.Arm, Fail: f.Reason})
	}
	c.Samples = append(c.Samples, samples...)
	table, err := c.Table()
	if table != nil {
		table.PowerEstimate = e
	}
	return table, err
}

// length returns the duration of a sample; 0 if the benchtime is a number of iterations.
func (p *Procedure) length() time.Duration {
	length, err := time.ParseDuration(p.Session.Benchtime)
	if err != nil {
		return 0
	}
	return length
}

// took returns the time for rounds of all benchmarks, where each sample takes the given time. go test approaches the
// length of a sample in growing attempts, which together take about as long again.
func (p *Procedure) took(rounds int, each time.Duration) time.Duration {
	return (time.Duration(rounds*len(Arms)*len(p.Common)) * each).Round(time.Second)
}

// cost says what the measurement will take.
func (p *Procedure) cost(each time.Duration) string {
	first, further := p.PilotRounds+p.Looks[0], p.Looks[len(p.Looks)-1]-p.Looks[0]
	budget := ""
	if p.Budget > 0 {
		budget = fmt.Sprintf("; it ends after %v with what is known then (--budget)", p.Budget)
	}
	return fmt.Sprintf("%s, %d samples of each: about %s; and for each row that stays undecided %d more, at most %s%s",
		terminal.Plural(len(p.Common), "benchmark"), len(Arms)*first, p.took(first, each), len(Arms)*further,
		p.took(further, each), budget)
}

// counted returns the time that counting adds to a sample, from the first of three benchmarks that can be tried; 0 if
// none can.
func (p *Procedure) counted(ctx context.Context) time.Duration {
	if p.Session.Count == nil {
		return 0
	}
	for i, b := range p.Common[:min(3, len(p.Common))] {
		for _, bin := range p.Session.Binaries {
			if bin.Package.ImportPath != b.Package {
				continue
			}
			p.Display.Count("counting "+b.Name+" once, to say what all will take", i, 1, 0)
			if took, err := p.Session.Count.Try(ctx, bin, b); err == nil {
				return took
			}
			break
		}
	}
	return 0
}

// apart tells samples of the rounds from those of the pilot and of relinked code.
func apart(have []measure.Sample) (measured, aside []measure.Sample) {
	for _, s := range have {
		if slices.Contains(Arms, s.Arm) {
			measured = append(measured, s)
		} else {
			aside = append(aside, s)
		}
	}
	return measured, aside
}

// estimate measures the pilot, and says what the first look will find; nothing without a pilot.
func (p *Procedure) estimate(ctx context.Context, have []measure.Sample) (*compare.PowerEstimate, error) {
	if p.PilotRounds == 0 || len(p.Common) == 0 {
		return nil, nil
	}
	session := measure.Session{Log: p.Session.Log, Binaries: p.Pilot, Seed: p.Session.Seed ^ 1<<63,
		Benchtime: p.Session.Benchtime, Have: have, Progress: func(at measure.Progress) {
			p.Display.Count("pilot, measuring "+at.Next.Name, at.Done, at.Planned, at.Left)
		}}
	samples, err := session.Take(ctx, p.Common, 0, p.PilotRounds)
	if err != nil {
		return nil, err
	}
	e, err := p.PowerEstimate(ctx, append(have, samples...), p.Session.Seed, func(done, planned int) {
		p.Display.Count("simulating what will be found", done, planned, 0)
	})
	if err != nil {
		return nil, err
	}
	p.Display.Note(e.Sentence())
	return e, nil
}
