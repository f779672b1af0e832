package diff

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/blocks"
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
	Process     time.Duration // that a process takes which runs a benchmark once
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
	looks := make([]int, 1+further)
	for i := range looks {
		looks[i] = (i + 1) * first
	}
	const units = 4 // time, bytes, allocations, instructions
	for i := 1; i < len(looks) && counting; i++ {
		looks[i] = max(looks[i], looks[i-1]+1, blocks.Minimum(blocks.Share(alpha, units*benchmarks, i+1))+2)
	}
	return looks
}

// Run measures and judges.
func (p *Procedure) Run(ctx context.Context) (*compare.Table, error) {
	samples, piloted := apart(p.Session.Have)
	if p.Session.Count != nil {
		p.Session.Count.Adopt(samples)
	}
	p.Display.Note(p.cost(ctx))
	estimate, err := p.estimate(ctx, piloted)
	if err != nil {
		return nil, err
	}
	p.Session.Have = samples
	table, err := p.judged(samples, estimate)
	open, from := p.Common, 0
	for i, to := range p.Looks {
		if err != nil || len(open) == 0 {
			break
		}
		p.Session.Progress = func(at measure.Progress) {
			p.Display.Count(fmt.Sprintf("look %d of at most %d, measuring %s", i+1, len(p.Looks), at.Next.Name), at.Done,
				at.Planned, at.Left)
		}
		more, stopped := p.Session.Take(ctx, open, from, to)
		samples, from = append(samples, more...), to
		if stopped != nil {
			return nil, stopped
		}
		// A session that is resumed may hold more; looking at them early would be a look that nothing was spent on.
		table, err = p.judged(slices.DeleteFunc(slices.Clone(samples), func(s measure.Sample) bool {
			return s.Round >= to
		}), estimate)
		if err == nil {
			c := p.Comparison
			c.Samples = samples
			open = c.Open(table, p.Common)
		}
	}
	return table, err
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

// cost says what the measurement will take.
func (p *Procedure) cost(ctx context.Context) string {
	arms, last := len(Arms), p.Looks[len(p.Looks)-1]
	first, further := arms*(p.PilotRounds+p.Looks[0]), arms*(last-p.Looks[0])
	length, err := time.ParseDuration(p.Session.Benchtime)
	if err != nil {
		length = 0 // so many iterations
	}
	// go test approaches the length of a sample in growing attempts, which together take about as long again
	each := p.Process + p.counted(ctx) + 2*length
	took := func(samples int) string {
		return (time.Duration(samples*len(p.Common)) * each).Round(time.Second).String()
	}
	noun := "benchmarks"
	if len(p.Common) == 1 {
		noun = "benchmark"
	}
	return fmt.Sprintf("%d %s, %d samples of each: about %s; and for each row that stays undecided %d more, at most %s",
		len(p.Common), noun, first, took(first), further, took(further))
}

// counted is what counting adds to a sample, from the first of three benchmarks that can be tried; 0 if none can.
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

// apart tells samples that count from those of the pilot.
func apart(have []measure.Sample) (measured, piloted []measure.Sample) {
	for _, s := range have {
		if IsPilot(s) {
			piloted = append(piloted, s)
		} else {
			measured = append(measured, s)
		}
	}
	return measured, piloted
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
