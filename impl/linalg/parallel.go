package linalg

import (
	"gonum.org/v1/gonum/blas/blas64"

	kernel "github.com/thm-suite/thm/impl/blas"
)

// parallel runs do on pieces 0 to pieces-1, on that many threads, and returns the error of the first piece that has
// one.
func parallel(threads, pieces int, do func(piece int) error) error {
	errs := make([]error, pieces)
	kernel.Share(threads, pieces, func(piece int) { errs[piece] = do(piece) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// gather keeps helpers awake, for the factorisation of a matrix with so many numbers, until the function that it
// returns is called. Small ones do not gain what it takes to wake the first.
func gather(numbers int) (dismiss func()) {
	if numbers <= fusedSize {
		return func() {}
	}
	kernel.Begin()
	return kernel.End
}

// The orders from which a second thread pays that is awake: of the roots of a secular equation, of a problem whose
// halves or sides are treated at the same time, and of a symmetric matrix that is multiplied with a vector.
const (
	secularOrder = 64
	halvesOrder  = 128
	bandsOrder   = 128
)

// threadsFrom is the number of threads for a problem of size n where a second one pays from size first on.
func threadsFrom(first, n int) int {
	if n < first {
		return 1
	}
	return kernel.Awake()
}

// shareRanges runs do on up to 64 ranges that make up 0 to n, multiples of 8, which the kernels take at a time.
func shareRanges(threads, n int, do func(from, to int) error) error {
	size := (n/64 + 8) / 8 * 8
	return parallel(threads, (n+size-1)/size, func(piece int) error {
		return do(piece*size, min(n, (piece+1)*size))
	})
}

// shareSecular runs a part of the solution of q on several threads.
func shareSecular(threads int, q secular, m blas64.General,
	part func(q *secular, m blas64.General, from, to int) error) error {
	return shareRanges(threads, len(q.roots), func(from, to int) error { return part(&q, m, from, to) })
}
