package lapack_test

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	gblas "gonum.org/v1/gonum/blas"
	glapack "gonum.org/v1/gonum/lapack"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/impl/lapack"
)

// digest hashes the results of every routine on odd sizes and strides.
func digest(t *testing.T) uint64 {
	h := fnv.New64a()
	rng := rand.New(rand.NewPCG(7, 1))
	for _, n := range []int{1, 31, 64, 65, 163, 300} { // the last uses threads
		for _, ul := range []gblas.Uplo{gblas.Upper, gblas.Lower} {
			a := definite(rng, ul, n, 1)
			bad, _ := lapack.Cholesky(ul, n, a.data, a.ld)
			require.Negative(t, bad)
			require.NoError(t, binary.Write(h, binary.LittleEndian, a.data))
		}
		for _, pivot := range []glapack.Pivot{glapack.Variable, glapack.Top, glapack.Bottom} {
			for _, side := range []gblas.Side{gblas.Left, gblas.Right} {
				a, r := newStored(rng, n, n+2, 1), newStored(rng, 2, n+1, 0)
				lapack.Implementation{}.Dlasr(side, pivot, glapack.Backward, n, n+2, r.data[:n+1], r.data[n+1:], a.data, a.ld)
				require.NoError(t, binary.Write(h, binary.LittleEndian, a.data))
			}
		}
	}
	return h.Sum64()
}

// everywhere is the digest on every architecture.
const everywhere = 0x8fdf457d69b79d24

// TestDeterminism: the same bits from every kernel, with every number of threads, on every architecture.
func TestDeterminism(t *testing.T) {
	defer blas.SetThreads(0)
	eachKernel(t, func(t *testing.T) {
		for _, threads := range []int{1, 3} {
			blas.SetThreads(threads)
			require.Equal(t, uint64(everywhere), digest(t), "%d threads", threads)
		}
	})
}

// TestNoAllocation: a call on one thread allocates nothing once its workspaces exist; for a small matrix that would be
// half of the time.
func TestNoAllocation(t *testing.T) {
	available := 0
	for _, k := range blas.Kernels() {
		if k.Available {
			available++
		}
	}
	if available == 1 {
		t.Skip("the race detector empties the pools of workspaces")
	}
	const n = 20
	blas.SetThreads(1)
	defer blas.SetThreads(0)
	a := make([]float64, n*n)
	for i := range n {
		a[i*n+i] = 1 // is its own factor
	}
	require.Zero(t, testing.AllocsPerRun(100, func() { lapack.Cholesky('L', n, a, n) }))
}
