package props

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// SampleRates measures what a case costs, by [CostKey], at one of the named efforts: of each check it makes units of
// work, spread evenly over its plan, until so many seconds are spent and at least eight units are made. What a unit
// panics with is an error, next to the rates of the other checks.
func (c Claim) SampleRates(ctx context.Context, o Options, seconds float64) (map[string]float64, error) {
	o.Jobs, o.Journal = 1, nil
	s := newSession(&run{Options: o, ctx: ctx, pool: newPool(1)}, c.Statement.Slug)
	rates := map[string]float64{}
	var failed error
	for _, k := range c.checks {
		rate, err := s.sampleRate(k, seconds)
		if failed = errors.Join(failed, err); rate > 0 {
			rates[CostKey(s.slug, k.name)] = rate
		}
	}
	if c.Along != nil && o.Effort == Standard {
		var spent float64
		s.clock.during(func() {
			_, err := c.theoremFigures(ctx, o, s.pool)
			failed = errors.Join(failed, err)
		}, &spent)
		rates[CostKey(s.slug, figureName)] = spent
	}
	return rates, failed
}

func (s *session) sampleRate(k checker, seconds float64) (rate float64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s at %s effort: %s", CostKey(s.slug, k.name), s.Effort, describe(p))
		}
	}()
	type unit struct {
		measurementKey
		cell
	}
	var units []unit
	for _, b := range k.batches(s.Effort) {
		for _, c := range b.cells {
			if c.priced == s.Effort {
				units = append(units, unit{b.measurementKey, c})
			}
		}
	}
	seen, spent, cases := map[int]bool{}, 0.0, 0.0
	for i := 0; len(seen) < len(units) && (len(seen) < 8 || spent < seconds) && s.ctx.Err() == nil; i++ {
		_, place := math.Modf(float64(i) * math.Phi)
		at := int(place * float64(len(units)))
		if seen[at] {
			continue
		}
		seen[at] = true
		u := units[at]
		trial := s.trial(k, u.cell.label(), u.cell.index, k.at(s.Effort, u.done), u.replicate)
		s.clock.during(func() { k.measure(trial, u.cell, u.done, k.claimsFor(u.done)) }, &spent)
		cases += u.cost
	}
	if cases == 0 {
		return 0, s.ctx.Err()
	}
	return spent / cases, s.ctx.Err()
}
