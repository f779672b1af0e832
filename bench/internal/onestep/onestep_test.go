//go:build system

package onestep

import (
	_ "embed"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/bench/peers"
)

func init() { blas.Use() }

//go:embed peer.py
var operations string

// BenchmarkCurves runs all curves of sections 1 and 2 of the slides, and reports how much the test error falls from α =
// 0.2 to 0.4 for the displayed weights and ReLU.
func BenchmarkCurves(b *testing.B) {
	for b.Loop() {
		all, err := Full.Run(runtime.GOMAXPROCS(0))
		require.NoError(b, err)
		from, to := slices.Index(Full.Alphas, 0.2), slices.Index(Full.Alphas, 0.4)
		for k, name := range []string{"setting1-change", "setting2-change"} {
			curve := all[0][0][k]
			b.ReportMetric(curve[to]-curve[from], name)
		}
	}
}

// The curves are the same whatever the number of workers, and large steps help Setting 2 more than Setting 1.
func TestCurves(t *testing.T) {
	small := Curves{60, 6, []float64{0.1, 0.5}, []string{"relu"}}
	one, err := small.Run(1)
	require.NoError(t, err)
	three, err := small.Run(3)
	require.NoError(t, err)
	require.Equal(t, one, three)
	require.Len(t, one[0], len(Rules))
}

func BenchmarkPoint(b *testing.B) {
	p := NewPoint(rand.New(rand.NewPCG(1, 2)), 2000, 240)
	for b.Loop() {
		_, err := p.Errors()
		require.NoError(b, err)
	}
}

// BenchmarkBesideNumPy runs the point on both sides in turns, on one thread.
func BenchmarkBesideNumPy(b *testing.B) {
	python := os.Getenv("THM_NUMPY")
	if python == "" {
		b.Skip("THM_NUMPY names no python that imports numpy")
	}
	defer blas.SetThreads(blas.Threads())
	blas.SetThreads(1)
	p := NewPoint(rand.New(rand.NewPCG(1, 2)), 2000, 240)
	peer, err := peers.StartNumPy(b.Context(), python, operations)
	require.NoError(b, err)
	defer peer.Close()
	for name, x := range map[string]*mat.Dense{"x": p.X, "w": p.W, "y": p.Labels, "u": p.U} {
		require.NoError(b, peer.Load(name, x))
	}
	agree(b, peer, p)
	times, err := peer.Beside(b.Loop, "point", func() error { _, err := p.Errors(); return err })
	require.NoError(b, err)
	b.ReportMetric(times.Share(), "of-NumPy")
}

// agree compares the results of the two sides. F₀F₀ᵀ + λn has a condition number of some hundreds, and inverting it
// amplifies roundings by far less than the tolerance.
func agree(b *testing.B, peer *peers.Peer, p Point) {
	theirs, err := peer.Run("point")
	require.NoError(b, err)
	ours, err := p.Errors()
	require.NoError(b, err)
	var gap mat.Dense
	gap.Sub(ours, theirs[0])
	require.LessOrEqual(b, mat.Norm(&gap, 2), 1e-8*mat.Norm(ours, 2))
}
