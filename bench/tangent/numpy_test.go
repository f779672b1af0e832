//go:build system

package tangent

import (
	_ "embed"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/bench/peers"
	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/cputime"
)

//go:embed peer.py
var script string

// Both sides compute the same; the ratios of ten interleaved rounds are logged, and judged by nobody: they depend on
// the machine and on the BLAS that NumPy finds.
func TestBesideNumPy(t *testing.T) {
	python := ""
	for _, candidate := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(candidate, "-c", "import numpy").Run() == nil {
			python = candidate
			break
		}
	}
	require.NotEmpty(t, python, "no python3 that imports numpy; install one, such as Debian's python3-numpy")
	defer blas.SetThreads(blas.Threads())
	blas.SetThreads(1)
	r := stream()
	for _, w := range append(Networks(r), Turn(r)) {
		environment := append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1")
		p, err := peers.Start(t.Context(), environment, python, "-c", script)
		require.NoError(t, err)
		for name, x := range w.Operands {
			require.NoError(t, p.Load(name, x))
		}
		besides(t, p, w)
		p.Close()
	}
}

func besides(t *testing.T, p *peers.Peer, w Work) {
	theirs, err := p.Run(w.Name)
	require.NoError(t, err)
	ours, err := w.Ours()
	require.NoError(t, err)
	var gap mat.Dense
	gap.Sub(ours, theirs[0])
	// Sums of up to 65 536 products, solves and 50 steps of training amplify roundings by far less than this.
	require.LessOrEqual(t, mat.Norm(&gap, 2), 1e-8*mat.Norm(ours, 2), w.Name)
	const rounds = 10
	var ratios []float64
	for range rounds {
		before := cputime.Process()
		_, err := w.Ours()
		require.NoError(t, err)
		spent := cputime.Process() - before
		seconds, err := p.Time(w.Name, 1)
		require.NoError(t, err)
		ratios = append(ratios, spent/seconds)
	}
	slices.Sort(ratios)
	t.Logf("%s: our time over NumPy %s's, median %.3f, from %.3f to %.3f of %d rounds", w.Name, p.Version,
		(ratios[rounds/2-1]+ratios[rounds/2])/2, ratios[0], ratios[rounds-1], rounds)
}
