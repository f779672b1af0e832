package study

import (
	"context"
	"fmt"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/blocks"
	"github.com/thm-suite/thm/internal/streams"
)

// Null compares a binary with itself, again and again. Each comparison has two parts in random order: randomised
// blocks, with further rounds for what they leave undecided, as thm bench diff does it; and all benchmarks of one copy
// followed by all of the other, as people do it with go test -count.
func Null(ctx context.Context, o Options) (*Data, error) {
	l, err := o.enter(ctx, nullFormat, "^BenchmarkNull$")
	if err != nil {
		return nil, err
	}
	defer l.leave()
	return l.run(ctx, l.null)
}

func (l *runner) null(ctx context.Context, index int) (c Comparison, err error) {
	bins, err := l.copies(index)
	if err != nil {
		return c, err
	}
	defer remove(bins)
	sequential := map[string][2][]float64{}
	blocksFirst := streams.New(l.seedOf(index), "study", "null").IntN(2) == 0
	for part := range 2 {
		if (part == 0) == blocksFirst {
			c.Rows, err = l.interleaved(ctx, index, bins)
		} else {
			sequential, err = l.sequential(ctx, bins[0], bins[2])
		}
		if err != nil {
			return c, err
		}
	}
	for i, r := range c.Rows {
		times := sequential[r.Name]
		if len(times[0]) != l.Rounds || len(times[1]) != l.Rounds {
			return c, fmt.Errorf("%s: go test -count gave %d and %d results", r.Name, len(times[0]), len(times[1]))
		}
		c.Rows[i].Old, c.Rows[i].New = times[0], times[1]
	}
	return c, nil
}

// interleaved measures as thm bench diff does.
func (l *runner) interleaved(ctx context.Context, index int, bins []measure.Binary) ([]Row, error) {
	s := measure.Session{Binaries: bins, Seed: l.seedOf(index), Benchtime: l.Benchtime}
	p := compare.DefaultPolicy()
	var failed error
	samples, err := s.Until(ctx, l.benchmarks, measure.Even(l.Rounds, l.Looks),
		func(look int, samples []measure.Sample) (open []measure.Benchmark) {
			rows, err := gather(l.benchmarks, samples)
			if err != nil {
				failed = err
				return nil
			}
			for i, r := range rows {
				if len(r.Rounds) == look*l.Rounds && verdict(r, l.Rounds, p.Alpha, p.Margin,
					len(rows)) == compare.Undecided {
					open = append(open, l.benchmarks[i])
				}
			}
			return open
		})
	if err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, failed
	}
	return gather(l.benchmarks, samples)
}

// verdict is that of thm bench diff on a row of a table, after as many looks as its rounds make.
func verdict(r Row, n int, alpha, margin float64, rows int) compare.Decision {
	look := max(1, len(r.Rounds)/n)
	return blocks.Judge(logs(r.Rounds, look*n), compare.Spec{Alpha: blocks.Share(alpha, rows, look), Margin: margin,
		Better: -1}).Verdict
}

// sequential measures all benchmarks of one binary, then all of the other.
func (l *runner) sequential(ctx context.Context, bins ...measure.Binary) (map[string][2][]float64, error) {
	times := map[string][2][]float64{}
	for k, bin := range bins {
		results, err := measure.Batch(ctx, bin, "^BenchmarkNull$", l.Rounds, l.Benchtime)
		if err != nil {
			return nil, err
		}
		for _, r := range results {
			name := measure.Bare(string(r.Name))
			pair := times[name]
			seconds, _ := r.Value("sec/op")
			pair[k] = append(pair[k], nanoseconds(seconds))
			times[name] = pair
		}
	}
	return times, nil
}
