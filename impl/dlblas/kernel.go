package dlblas

import (
	"cmp"

	"github.com/thm-suite/thm/impl/kernel"
)

// Kernel offers what the library has.
func (l *Library) Kernel() kernel.Kernel {
	k := kernel.Kernel{Name: l.Name, BLAS: l}
	if l.HasLAPACK() {
		k.SVD, k.SymEigen = l.SVD, l.SymEigen
	}
	if l.HasRotations() {
		k.Rotations = l
	}
	if threads := l.Threads(); l.SetThreads(threads) {
		k.SetThreads = func(n int) { l.SetThreads(cmp.Or(n, threads)) }
	}
	return k
}
