package blas

import "testing"

// TestNoAllocation: a call on one thread allocates nothing once its workspaces exist; for a small problem that would be
// half of the time.
func TestNoAllocation(t *testing.T) {
	if len(available()) == 1 {
		t.Skip("the race detector empties the pools of workspaces")
	}
	const n = 20
	SetThreads(1)
	defer SetThreads(0)
	impl := Implementation{}
	a, b, c := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		a[i*n+i] = 1 // is its own factor
	}
	for name, work := range map[string]func(){
		"Dgemm": func() { impl.Dgemm('T', 'T', n, n, n, 1, a, n, b, n, 0, c, n) },
		"Dsyrk": func() { impl.Dsyrk('L', 'N', n, n, 1, a, n, 0, c, n) },
		"Dtrsm": func() { impl.Dtrsm('L', 'L', 'N', 'N', n, n, 1, a, n, b, n) },
		"Dtrmm": func() { impl.Dtrmm('R', 'U', 'T', 'N', n, n, 1, a, n, b, n) },
		"GemmStack": func() {
			GemmStack('N', 'T', 1, NewStack(4, 10, 10, a), NewStack(4, 10, 10, b), 0, NewStack(4, 10, 10, c))
		},
	} {
		if got := testing.AllocsPerRun(100, work); got != 0 {
			t.Errorf("%s: %v allocations in a call", name, got)
		}
	}
}
