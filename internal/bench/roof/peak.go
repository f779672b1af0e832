// Package roof measures the peak rates of the machine: fused multiply-adds per second, and bytes moved per second.
// These are the two limits of the roofline model (S. Williams, A. Waterman, D. Patterson, Comm. ACM 52 (2009)).
package roof

import (
	"time"

	"github.com/thm-suite/thm/impl/blas"
)

// Peak is the rate, in flop/s, of independent fused multiply-adds in the widest registers of the named kernel, on one
// thread. It is the best of some bursts of a fraction of a millisecond; measure it next to the work that it is compared
// with, because clocks and neighbours change.
func Peak(kernel string, bursts int) (float64, error) {
	best := 0.0
	for range bursts {
		start := time.Now()
		flops, err := blas.MultiplyAdds(kernel, peakSteps)
		if err != nil {
			return 0, err
		}
		best = max(best, flops/time.Since(start).Seconds())
	}
	return best, nil
}

// peakSteps is the length of a burst: 60 µs at 4 GHz for 24 chains.
const peakSteps = 10000
