//go:build system

package emergence

import (
	_ "embed"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/peers"
	"github.com/thm-suite/thm/internal/number"
)

//go:embed peer.py
var operations string

func restore(previous gblas.Float64) { blas64.Use(previous) }

// beside times the work here, and in turns with it in NumPy if there is one, in seconds of processor time each, and
// reports medians and the median ratio.
func beside(b *testing.B, name string, operands map[string]*mat.Dense, work func() *mat.Dense) {
	python := os.Getenv("THM_NUMPY")
	if python == "" {
		for b.Loop() {
			work()
		}
		return
	}
	p, err := peers.StartNumPy(b.Context(), python, operations)
	require.NoError(b, err)
	defer p.Close()
	for operand, x := range operands {
		require.NoError(b, p.Load(operand, x))
	}
	agree(b, p, name, work())
	times, err := p.Beside(b.Loop, name, func() error { work(); return nil })
	require.NoError(b, err)
	b.ReportMetric(1e3*number.Median(times.Ours), "ours-ms")
	b.ReportMetric(1e3*number.Median(times.Peers), "numpy-ms")
	b.ReportMetric(times.Speedup(), "ratio")
}

// agree compares the results of the two sides.
func agree(b *testing.B, p *peers.Peer, name string, ours *mat.Dense) {
	theirs, err := p.Run(name)
	require.NoError(b, err)
	var gap mat.Dense
	gap.Sub(ours, theirs[0])
	require.LessOrEqual(b, mat.Norm(&gap, 2), 1e-9*mat.Norm(ours, 2), name)
}
