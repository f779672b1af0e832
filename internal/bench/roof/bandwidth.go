package roof

import (
	"slices"
	"time"

	"github.com/thm-suite/thm/impl/blas"
)

// Rates are bytes per second that one thread moves. A skinny product does 2·min(m, n, k) flops for every element of its
// large matrix; the smaller of that times the rate over 8 and of [Peak] limits it.
type Rates struct {
	Read   float64 // two streams read: what Dgemv, and a product with m or n = 1, does with A or B
	Write  float64 // one stream written: what a product with k = 1 and beta = 0 does with C
	Update float64 // one stream read, another read and written, 24 bytes an element, like STREAM's triad: Daxpy, Dger
}

// Bandwidth measures the rates at which the kernels in use stream through buffers of `size` bytes altogether, each the
// best of some bursts, as for [Peak]. What a size measures depends on the machine: 32 KiB the first-level cache, 512
// KiB mostly the second, 8 MiB, a 1000×1000 matrix, mostly the last, four times the last-level cache (128 MiB and more)
// the memory. It panics if the size is below 1 KiB.
//
// A cached size is walked as often as it takes to move 4 MiB in a burst. Beyond the first-level cache the rates depend
// on the neighbours as much as on the machine: measure them next to the work that they are compared with.
func Bandwidth(size, bursts int) Rates {
	if size < 1<<10 {
		panic("roof: a buffer of less than 1 KiB")
	}
	var kernels blas.Implementation
	n, sum := size/16, 0.0
	all := slices.Repeat([]float64{1}, 2*n)
	x, y := all[:n], all[n:]
	rates := Rates{
		Read:   stream(16*n, bursts, func() { sum += kernels.Ddot(n, x, 1, y, 1) }),
		Update: stream(24*n, bursts, func() { kernels.Daxpy(n, 0.5, x, 1, y, 1) }),
		Write:  stream(16*n, bursts, func() { clear(all) }),
	}
	if sum <= 0 {
		panic("roof: a sum of ones is not positive")
	}
	return rates
}

// stream returns the best rate of work, which moves so many bytes.
func stream(bytes, bursts int, work func()) float64 {
	passes, best := max(1, 4<<20/bytes), 0.0
	for range bursts {
		start := time.Now()
		for range passes {
			work()
		}
		best = max(best, float64(passes)*float64(bytes)/time.Since(start).Seconds())
	}
	return best
}
