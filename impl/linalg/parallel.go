package linalg

import (
	"sync"
	"sync/atomic"

	"gonum.org/v1/gonum/blas/blas64"

	kernel "github.com/thm-suite/thm/impl/blas"
)

// parallel runs do on pieces 0 to pieces-1, on that many threads, and returns the error of the first piece that has
// one.
func parallel(threads, pieces int, do func(piece int) error) error {
	errs := make([]error, pieces)
	var next atomic.Int64
	work := func() {
		for piece := int(next.Add(1)) - 1; piece < pieces; piece = int(next.Add(1)) - 1 {
			errs[piece] = do(piece)
		}
	}
	var group sync.WaitGroup
	for range min(threads, pieces) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// secularOrder is the number of roots of a secular equation from which a second thread pays for its start.
const secularOrder = 384

// secularThreads is the number of threads for that many roots.
func secularThreads(n int) int {
	if n < secularOrder {
		return 1
	}
	return kernel.Threads()
}

// shareRanges runs do on ranges that make up 0 to n, multiples of 8, which the kernels take at a time.
func shareRanges(threads, n int, do func(from, to int) error) error {
	size := max(8, n/(8*threads)/8*8)
	return parallel(threads, (n+size-1)/size, func(piece int) error {
		return do(piece*size, min(n, (piece+1)*size))
	})
}

// shareSecular runs a part of the solution of q on several threads.
func shareSecular(threads int, q secular, m blas64.General,
	part func(q *secular, m blas64.General, from, to int) error) error {
	return shareRanges(threads, len(q.roots), func(from, to int) error { return part(&q, m, from, to) })
}
