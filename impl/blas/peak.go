package blas

import "time"

// Peak measures what the named kernel is held against: the rate, in flop/s, of independent fused multiply-adds in its widest registers, on one
// thread. It is the best of some bursts of a fraction of a millisecond; measure it beside the work that it is compared with, because clocks
// and neighbours change.
func Peak(name string, bursts int) (float64, error) {
	k, err := find(name)
	if err != nil {
		return 0, err
	}
	best := 0.0
	for range bursts {
		start := time.Now()
		flops := k.id.fmaLoop(peakSteps)
		best = max(best, flops/time.Since(start).Seconds())
	}
	return best, nil
}

// peakSteps is the length of a burst: 60 µs at 4 GHz for 24 chains.
const peakSteps = 10000
