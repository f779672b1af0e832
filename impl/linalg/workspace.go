package linalg

import (
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
)

// workspace is the memory of one factorisation, used again by the next: for a small matrix, asking for memory and
// collecting it costs as much as the work. What it hands out is valid until release or giveBack, and holds what was
// there before.
type workspace struct {
	numbers       []float64
	used, missing int // missing is what numbers was too short for
	merge         mergeSpace
	order         []int
}

// keepNumbers is the length up to which memory is kept: larger factorisations do not notice what theirs costs.
const keepNumbers = 1 << 20

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

func borrow() *workspace { return workspaces.Get().(*workspace) }

// giveBack ends a factorisation. What was missing will be there next time.
func (w *workspace) giveBack() {
	w.rewind()
	workspaces.Put(w)
}

// rewind begins a new factorisation in the same memory.
func (w *workspace) rewind() {
	if need := len(w.numbers) + w.missing; w.missing > 0 && need <= keepNumbers {
		w.numbers = make([]float64, need)
	}
	w.used, w.missing = 0, 0
}

// take is n numbers of any value.
func (w *workspace) take(n int) []float64 {
	if w.used+n > len(w.numbers) {
		w.missing += n
		return make([]float64, n)
	}
	s := w.numbers[w.used : w.used+n : w.used+n]
	w.used += n
	return s
}

// zeros is n zeros.
func (w *workspace) zeros(n int) []float64 {
	fresh := w.used+n > len(w.numbers)
	s := w.take(n)
	if !fresh {
		clear(s)
	}
	return s
}

// general is an r×c matrix of any entries.
func (w *workspace) general(r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: max(1, c), Data: w.take(r * c)}
}

// blank is an r×c matrix of zeros.
func (w *workspace) blank(r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: max(1, c), Data: w.zeros(r * c)}
}

// release gives back what was taken since used was that.
func (w *workspace) release(used int) { w.used = used }

// sized returns a slice of length n in the memory of *s, if that is enough.
func sized[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	return (*s)[:n]
}
