package blas

import (
	"runtime"
	"sync/atomic"
)

// parallelFlops is the work from which a second thread pays for its start, on a virtual machine too, where waking one
// can take longer than a product of order 128. A variable for tests.
var parallelFlops = 2e7

// awakeFlops is the work from which a second thread pays that is awake, since a computation has begun; awakeNumbers is
// the size of a matrix that is read once, from which it does. The least of both is a few microseconds.
const (
	awakeFlops   = 1e6
	awakeNumbers = 1 << 14
)

// largeFlops is the work from which the packing of more blocks costs less than waiting for the last thread.
const largeFlops = 2e8

var threadLimit atomic.Int64

// SetThreads bounds the number of goroutines that one call works with; 0 (the start) means GOMAXPROCS. Results do not
// depend on it.
func SetThreads(n int) {
	if n < 0 {
		panic("blas: negative number of threads")
	}
	threadLimit.Store(int64(n))
}

// Threads is the number of goroutines that a large call works with.
func Threads() int {
	if n := int(threadLimit.Load()); n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// threadsFor is the number of threads that pay for so many flops at the speed of products.
func threadsFor(flops float64) int {
	if flops < awakeFlops || flops < parallelFlops && crew.computations.Load() == 0 {
		return 1
	}
	return Threads()
}

// grid cuts an m×n matrix into about so many blocks and returns their size, a multiple of every tile.
func grid(m, n, blocks int) (rows, cols int) {
	const step = 48
	down, across := 1, 1
	for down*across < blocks {
		switch {
		case m/down >= n/across && m/down >= 2*step:
			down++
		case n/across >= 2*step:
			across++
		default:
			blocks = 0
		}
	}
	round := func(size, pieces int) int { return ((size+pieces-1)/pieces + step - 1) / step * step }
	return round(m, down), round(n, across)
}
