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

// mostPieces bounds the pieces that one call is cut into, and with it the threads that find work in it. Pieces follow
// from the shape alone; who works on which is settled at run time, so that no thread waits long for a slower one.
const mostPieces = 64

// piece is the length of the pieces that size is cut into, a multiple of step.
func piece(size, step int) int { return max(1, ceil(size, mostPieces*step)) * step }

// ceil is a/b, rounded up.
func ceil(a, b int) int { return (a + b - 1) / b }

// evenly is the length of pieces of about the same length, a multiple of step, of which each is at most longest.
func evenly(size, longest, step int) int { return ceil(ceil(size, ceil(size, longest)), step) * step }

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
	const height, width = 24, 48
	down, across := 1, 1
	for down*across < blocks {
		switch {
		case m/down >= n/across && m/down >= 2*width:
			down++
		case n/across >= 2*width:
			across++
		default:
			blocks = 0
		}
	}
	return evenly(m, ceil(m, down), height), evenly(n, ceil(n, across), width)
}
