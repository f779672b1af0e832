package diff

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/thm-suite/thm/internal/gate/compare"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/internal/streams"
)

// Pilots are the arms of a pilot, three appearances of the old code, in the order of [Arms].
var Pilots = []string{"pilot", "pilot again", "pilot a third time"}

// What an estimate holds for: this power, at the noise that the true one exceeds with at most the probability gamma as
// far as the pilot tells. It is read off simulated looks, so many that the power has a standard deviation of 2 %.
const (
	estimatedPower = 0.8
	estimateGamma  = 0.05
	estimateRuns   = 400
)

// PowerEstimate says what the first look will find, from the samples of a pilot. It simulates, until the
// context ends; progress is told row by row.
func (c Comparison) PowerEstimate(ctx context.Context, pilot []measure.Sample, seed uint64,
	progress func(done, planned int)) (*compare.PowerEstimate, error) {
	relabelled := c
	relabelled.Samples = nil
	for _, s := range pilot {
		if i := slices.Index(Pilots, s.Arm); i >= 0 && s.Fail == "" {
			s.Arm = Arms[i]
			relabelled.Samples = append(relabelled.Samples, s)
		}
	}
	table, err := relabelled.Table()
	if err != nil {
		return nil, err
	}
	units, rounds := relabelled.units(), relabelled.blocks()
	var rows []compare.Row
	sharing := 0 // counts that do not vary in the old code may do so in the new, and then share α
	for _, r := range table.Rows {
		declared := units.Get(r.Unit, "assume")
		sharing += number.Indicator(r.Gated && (declared == nil || declared.Value != "exact"))
		if r.Gated && !r.Exact && r.Verdict != compare.Missing && r.Verdict != compare.Added {
			rows = append(rows, r)
		}
	}
	share := Share(c.Policy.Alpha, sharing, 1)
	p := &compare.PowerEstimate{Power: estimatedPower, Rounds: c.Rounds, Minimum: Minimum(share),
		Rows: []compare.EstimatedRow{}}
	for i, r := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		progress(i, len(rows))
		seen := rounds[key{r.Group, r.Name, r.Unit}]
		p.Pilot = max(p.Pilot, len(seen))
		spec := table.Policy.SpecOf(r.Unit, share, units.GetBetter(r.Unit))
		f := Forecast{Pilot: seen, Rounds: c.Rounds, Alpha: share, Margin: spec.Margin, Better: spec.Better,
			Reaching: spec.Reaching, Power: estimatedPower,
			Inflate: Inflation(len(seen), estimateGamma), Runs: estimateRuns,
			Stop:   func() bool { return ctx.Err() != nil },
			Random: func() *rand.Rand { return streams.New(seed, "bench", "promise", r.Group, r.Name, r.Unit) }}
		p.Rows = append(p.Rows, compare.EstimatedRow{Group: r.Group, Name: r.Name, Unit: r.Unit,
			Detects: compare.Number(f.Detectable()), Settles: f.Settles(), Floor: Floor(seen)})
	}
	return p, ctx.Err()
}
