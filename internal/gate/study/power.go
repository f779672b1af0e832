package study

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/blocks"
	"github.com/thm-suite/thm/internal/gate/measure/diff"
	"github.com/thm-suite/thm/internal/streams"
)

// PowerEstimate is the power that is estimated at a slowdown.
type PowerEstimate struct {
	Slowdown float64 `json:"dose"` // relative slowdown
	Margin   float64 `json:"zone"`
	Power    float64 `json:"power"`
}

// The rules whose power is studied: the level of thm bench diff, at two sizes of the change that matters.
const powerAlpha = 0.01

var powerMargins = []float64{0.01, 0.05}

// What an estimate is made from: this many simulated comparisons, at the noise that the true one exceeds with at most
// this probability, judging by the pilot.
const (
	estimateRuns  = 400
	estimateGamma = 0.05
)

// Power compares a binary with itself slowed down, again and again. A comparison begins with a pilot without
// injection, from which the power is estimated; then every slowdown is measured in randomised blocks, in one look.
func Power(ctx context.Context, o Options) (*Data, error) {
	l, err := o.enter(ctx, powerFormat, "^BenchmarkSpin$")
	if err != nil {
		return nil, err
	}
	defer l.leave()
	return l.run(ctx, l.power)
}

func (l *runner) power(ctx context.Context, index int) (c Comparison, err error) {
	bins, err := l.copies(index, "THM_STUDY_INJECT=1")
	if err != nil {
		return c, err
	}
	defer remove(bins)
	if c.Pilot, err = l.pilot(ctx, index, bins); err != nil {
		return c, err
	}
	c.Power = l.estimate(index, c.Pilot)
	s := measure.Session{Binaries: bins, Seed: l.seedOf(index), Benchtime: l.Benchtime}
	samples, err := s.Take(ctx, l.benchmarks, 0, l.Rounds)
	if err != nil {
		return c, err
	}
	for _, sample := range samples {
		if err := injected(sample); err != nil {
			return c, err
		}
	}
	c.Rows, err = gather(l.benchmarks, samples)
	return c, err
}

// pilot measures the benchmark without a slowdown.
func (l *runner) pilot(ctx context.Context, index int, bins []measure.Binary) ([]Rounds, error) {
	s := measure.Session{Binaries: bins, Seed: l.seedOf(index) ^ 1<<63, Benchtime: l.Benchtime}
	unslowed := l.benchmarks[:1]
	samples, err := s.Take(ctx, unslowed, 0, l.Pilot)
	if err != nil {
		return nil, err
	}
	rows, err := gather(unslowed, samples)
	if err != nil {
		return nil, err
	}
	return rows[0].Rounds, nil
}

// estimate simulates the rule on the noise of the pilot.
func (l *runner) estimate(index int, pilot []Rounds) []PowerEstimate {
	var out []PowerEstimate
	noise := logs(pilot, len(pilot))
	share := blocks.Share(powerAlpha, len(l.benchmarks), 1)
	for _, margin := range powerMargins {
		for _, b := range l.benchmarks {
			d := slowdownOf(b.Name)
			rng := streams.New(l.seedOf(index), "study", "promise", b.Name, fmt.Sprint(margin))
			power := blocks.Power(noise, l.Rounds, 1+d, share, margin, blocks.Inflation(len(noise), estimateGamma),
				estimateRuns, rng)
			out = append(out, PowerEstimate{d, margin, power})
		}
	}
	return out
}

// slowdownOf reads the relative slowdown from the name of a benchmark, NaN if there is none.
func slowdownOf(name string) float64 {
	_, text, _ := strings.Cut(name, "dose=")
	percent, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return unknown
	}
	return percent / 100
}

// injected makes sure that a sample did the work that its arm and slowdown demand, by its count of multiplications.
func injected(s measure.Sample) error {
	if s.Fail != "" {
		return fmt.Errorf("%s failed: %s", s.Name, s.Fail)
	}
	want := 20000.0
	if s.Arm == diff.New {
		want *= 1 + slowdownOf(s.Name)
	}
	steps, _ := s.Result.Value("steps/op")
	if d := steps - want; !(d > -0.5 && d < 0.5) { // whole numbers; the product is rounded
		return fmt.Errorf("%s of %s did %v steps and not %v", s.Name, s.Arm, steps, want)
	}
	return nil
}
