//go:build system

package tangent

import (
	_ "embed"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/bench/peers"
	"github.com/thm-suite/thm/internal/bench/roof"
	"github.com/thm-suite/thm/internal/impl/builtin"
	"github.com/thm-suite/thm/internal/number"
)

//go:embed peer.py
var operations string

// BenchmarkBesideNumPy runs the same work on both sides in turns. Beside our share of NumPy's time it reports the
// share that is left by counting: our flops over NumPy's, and the time of our flops at the peak over NumPy's time.
func BenchmarkBesideNumPy(b *testing.B) {
	python := os.Getenv("THM_NUMPY")
	if python == "" {
		b.Skip("THM_NUMPY names no python that imports numpy")
	}
	defer blas.SetThreads(blas.Threads())
	blas.SetThreads(1)
	r := stream()
	for _, w := range append(Networks(r), Turn(r)) {
		b.Run(w.Name, func(b *testing.B) { beside(b, python, w) })
	}
}

func beside(b *testing.B, python string, w Work) {
	p, err := peers.StartNumPy(b.Context(), python, operations)
	require.NoError(b, err)
	defer p.Close()
	for name, x := range w.Operands {
		require.NoError(b, p.Load(name, x))
	}
	agree(b, p, w)
	times, err := p.Beside(b.Loop, w.Name, func() error { _, err := w.Ours(); return err })
	require.NoError(b, err)
	b.StopTimer()
	peak, err := roof.Peak(builtin.InUse(), 8)
	require.NoError(b, err)
	theirs := number.Median(times.Peers)
	b.ReportMetric(times.Share(), "of-NumPy")
	b.ReportMetric(w.Flops.Ours/w.Flops.Peers, "flops-of-NumPy's")
	b.ReportMetric(w.Flops.Ours/peak/theirs, "of-NumPy-at-peak")
	b.ReportMetric(1e-9*peak, "peak-Gflop/s")
}

// agree compares the results of the two sides. Sums of up to 65 536 products, solves and 50 steps of training amplify
// roundings by far less than the tolerance.
func agree(b *testing.B, p *peers.Peer, w Work) {
	theirs, err := p.Run(w.Name)
	require.NoError(b, err)
	ours, err := w.Ours()
	require.NoError(b, err)
	var gap mat.Dense
	gap.Sub(ours, theirs[0])
	require.LessOrEqual(b, mat.Norm(&gap, 2), 1e-8*mat.Norm(ours, 2), w.Name)
}
