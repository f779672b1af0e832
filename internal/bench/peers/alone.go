package peers

import (
	"context"
	"fmt"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/impl/builtin"
	"github.com/thm-suite/thm/internal/number"
)

// Timing is one operation at one size on one implementation: the median over some runs, in seconds of processor time.
type Timing struct {
	Name    string  `json:"name"`
	N       int     `json:"n"`
	Seconds float64 `json:"seconds"`
	Runs    int     `json:"runs"`
	Error   float64 `json:"error"` // of the result, divided by the rounding error bound
}

// String is the timing in a line of progress.
func (t Timing) String() string { return fmt.Sprintf("%s n = %d, %.3g ms", t.Name, t.N, 1e3*t.Seconds) }

// Alone verifies and times an implementation by itself, on the inputs and sizes of a plan and those of its operations
// that the implementation has: as many runs as
// the plan has samples, but no more once they have taken two seconds. It is for what is too slow to take turns with
// others; what takes two seconds is run once in all.
func Alone(ctx context.Context, im kernel.Kernel, plan Plan, progress func(Timing)) ([]Timing, error) {
	const enough = 2.0
	var out []Timing
	defer builtin.Limit(1)()
	restore, err := im.Begin()
	if err != nil {
		return nil, err
	}
	defer restore()
	err = plan.each(func(o operation, n int) error {
		if o.own && im.Name != builtin.Thm().Name {
			return nil
		}
		t := o.make(im, n)
		wrong, first, err := t.judge(im.Name, o.name, n)
		if err != nil {
			return err
		}
		seconds := []float64{first}
		if first < enough {
			if seconds, err = repeat(ctx, oursSide(t, false), plan, enough); err != nil {
				return err
			}
		}
		timing := Timing{o.name, n, number.Median(seconds), len(seconds), wrong}
		progress(timing)
		out = append(out, timing)
		return nil
	})
	return out, err
}

// repeat runs a side as often as the plan has samples, or until that has taken enough seconds.
func repeat(ctx context.Context, run side, plan Plan, enough float64) ([]float64, error) {
	repeats, err := calibrate(run, plan.Burst)
	if err != nil {
		return nil, err
	}
	var seconds []float64
	for spent := 0.0; len(seconds) < plan.Samples && spent < enough; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		total, err := run(repeats)
		if err != nil {
			return nil, err
		}
		spent += total
		seconds = append(seconds, total/float64(repeats))
	}
	return seconds, nil
}
