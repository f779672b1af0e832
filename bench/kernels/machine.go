package kernels

import (
	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/bench/roof"
)

// Limits holds the most that the machine can do per second, on the threads in use.
type Limits struct {
	Flops float64 // floating-point operations, as fused multiply-adds in the widest registers
	Bytes float64 // bytes read or written, whichever is faster, where the data are
}

// Seconds is the least time that an operation can take which computes flops and must move bytes: the longer of the two,
// as in the roofline model (S. Williams, A. Waterman, D. Patterson, Roofline: an insightful visual performance model
// for multicore architectures, Comm. ACM 52 (2009)).
func (l Limits) Seconds(flops, bytes float64) float64 { return max(flops/l.Flops, bytes/l.Bytes) }

// MeasureLimits measures one thread, for data of the given size in bytes, in a few milliseconds. Measure next to what
// is compared with the limits: clocks change, and so do neighbours.
func MeasureLimits(bytes int) Limits {
	return Limits{Flops: fmaRate(), Bytes: moveRate(bytes)}
}

// Best takes the larger of two measurements of each limit.
func (l Limits) Best(m Limits) Limits {
	return Limits{max(l.Flops, m.Flops), max(l.Bytes, m.Bytes)}
}

// fmaRate is the peak of the widest kernel that runs here, whichever is in use.
func fmaRate() float64 {
	best := 0.0
	for _, k := range blas.Kernels() {
		if !k.Available {
			continue
		}
		if rate, err := roof.Peak(k.Name, 8); err == nil {
			best = max(best, rate)
		}
	}
	return best
}

// moveRate is the faster of reading and writing data of the given size, at least 32 KiB.
func moveRate(bytes int) float64 {
	rates := roof.Bandwidth(max(bytes, 32<<10), 5)
	return max(rates.Read, rates.Write)
}
