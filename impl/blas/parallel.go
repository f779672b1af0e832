package blas

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// parallelFlops is the work from which a second thread pays for its start, on a virtual machine too, where waking one
// can take longer than a product of order 128. A variable for tests.
var parallelFlops = 2e7

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

// parallel runs do(0), …, do(tasks-1) on the caller and up to threads-1 goroutines, which have ended when it returns.
func parallel(threads, tasks int, do func(task int)) {
	var next atomic.Int64
	work := func() {
		for {
			task := int(next.Add(1)) - 1
			if task >= tasks {
				return
			}
			do(task)
		}
	}
	var group sync.WaitGroup
	for range min(threads, tasks) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
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
