package tangent

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/dense"
	"github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/internal/cputime"
)

func init() { blas.Use() }

func stream() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func BenchmarkNetworks(b *testing.B) {
	for _, w := range Networks(stream()) {
		b.Run(w.Name, func(b *testing.B) { measure(b, w) })
	}
}

func BenchmarkTurn(b *testing.B) { measure(b, Turn(stream())) }

// BenchmarkExplicitFeatures has the kernel beside the Gram matrix of explicit features, all p of them, over the width:
// at the start, and averaged over 4 nodes. The ratio of processor times, explicit over ours, grows with the width.
func BenchmarkExplicitFeatures(b *testing.B) {
	const n, d = 60, 16
	for _, width := range []int{32, 64, 128, 256} {
		for _, count := range []int{1, 4} {
			b.Run(fmt.Sprintf("width=%d/nodes=%d", width, count), func(b *testing.B) {
				r := stream()
				x, rule := gaussian(r, n, d, 1), tangent.Midpoint(count)
				p := tangent.Path{Start: tangent.HeNet(r, d, width, width, 1), End: tangent.HeNet(r, d, width, width, 1)}
				ours := func() *mat.Dense { return p.AveragedKernel(x, rule) }
				explicit := func() *mat.Dense { return dense.Gram(p.Averaged(x, rule)) }
				require.True(b, mat.EqualApprox(explicit(), ours(), 1e-8*mat.Norm(ours(), 2)))
				var spent [2]float64
				for b.Loop() {
					for side, f := range []func() *mat.Dense{explicit, ours} {
						before := cputime.Process()
						f()
						spent[side] += cputime.Process() - before
					}
				}
				b.ReportMetric(spent[0]/spent[1], "explicit/ours")
			})
		}
	}
}

func measure(b *testing.B, w Work) {
	for b.Loop() {
		_, err := w.Ours()
		require.NoError(b, err)
	}
}
