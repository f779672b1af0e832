//go:build system

package tangent

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/cputime"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/impl/tangent"
)

func init() { blas.Use() }

func stream() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func BenchmarkNetworks(b *testing.B) {
	for _, w := range Networks(stream()) {
		b.Run(w.Name, func(b *testing.B) { measure(b, w) })
	}
}

func BenchmarkTurn(b *testing.B) { measure(b, Turn(stream())) }

// BenchmarkExplicitFeatures has the Gram matrix of explicit tangent features, all p of them, against the kernel of
// layers, over the width: at the start, and averaged over 4 nodes. The ratio of processor times, explicit over ours,
// must grow with the width w: the Gram matrix of explicit features is n²·p flops, p ≈ w², where layers take n² for
// each unit and 4n for each weight and node, for the sweeps that both need. At widths far beyond n the ratio of the
// flops tends to n/4 at one node.
func BenchmarkExplicitFeatures(b *testing.B) {
	for _, count := range []int{1, 4} {
		var ratios []float64
		for _, width := range []int{32, 64, 128, 256} {
			b.Run(fmt.Sprintf("nodes=%d/width=%d", count, width), func(b *testing.B) {
				ratios = append(ratios, explicitOverOurs(b, width, count))
			})
		}
		if last := len(ratios) - 1; last > 0 && !(ratios[last] > ratios[0]) {
			b.Errorf("%d nodes: explicit over ours is %.3g, and falls with the width", count, ratios)
		}
	}
}

// The samples of [BenchmarkExplicitFeatures], and their number of inputs.
const explicitSamples, explicitInputs = 200, 16

func explicitOverOurs(b *testing.B, width, count int) float64 {
	const n, d = explicitSamples, explicitInputs
	r := stream()
	x, rule := gaussian(r, n, d, 1), tangent.Midpoint(count)
	p := tangent.Path{Start: tangent.HeNet(r, d, width, width, 1), End: tangent.HeNet(r, d, width, width, 1)}
	ours := func() *mat.Dense { return p.AveragedKernel(x, rule) }
	explicit := func() *mat.Dense { return dense.Gram(explicitFeatures(p, x, rule)) }
	require.True(b, mat.EqualApprox(explicit(), ours(), 1e-8*mat.Norm(ours(), 2)))
	require.InDelta(b, mat.Norm(dense.Gram(p.Averaged(x, rule)), 2), mat.Norm(ours(), 2), 1e-8*mat.Norm(ours(), 2))
	var spent [2]float64
	for b.Loop() {
		for side, f := range []func() *mat.Dense{explicit, ours} {
			before := cputime.Process()
			f()
			spent[side] += cputime.Process() - before
		}
	}
	b.ReportMetric(spent[0]/spent[1], "explicit/ours")
	flops := explicitFlops(width, count)
	b.ReportMetric(flops.Peers/flops.Ours, "flops-explicit/ours")
	return spent[0] / spent[1]
}

// explicitFeatures are the averaged tangent features (n×p), each an outer product of factors.
func explicitFeatures(p tangent.Path, x *mat.Dense, rule tangent.Rule) *mat.Dense {
	n, _ := x.Dims()
	out := mat.NewDense(n, len(tangent.Weights(p.Start)), nil)
	for k, t := range rule.Nodes {
		at := 0
		for _, f := range tangent.FactorsOf(p.At(t), x) {
			_, units := f.D.Dims()
			_, wide := f.H.Dims()
			for i := range n {
				row := out.RawRowView(i)[at:]
				for j, delta := range f.D.RawRowView(i) {
					floats.AddScaled(row[j*wide:(j+1)*wide], rule.Weights[k]*delta, f.H.RawRowView(i))
				}
			}
			at += units * wide
		}
	}
	return out
}

// explicitFlops: explicit features on the side of the peers. Layers take the second one over pairs of nodes, and the
// others, of which one factor stays as it is or has one entry, once.
func explicitFlops(width, count int) Flops {
	const n, d = explicitSamples, explicitInputs
	w, nodes := float64(width), float64(count)
	weights := (d+1)*w + w*(w+1) + w + 1
	sweeps := nodes * 4 * n * w * w
	pairs := nodes * (nodes + 1) / 2 * 2 * n * n * (2*w + 1)
	if blocks := n * (n + 2*nodes) * w * (w + 1); blocks < pairs {
		pairs = blocks
	}
	return Flops{Ours: sweeps + 4*n*d*w + n*n*(d+1+w) + pairs + n*n*(w+1), Peers: sweeps + 2*n*d*w*nodes +
		2*n*weights*nodes + n*n*weights}
}

func measure(b *testing.B, w Work) {
	for b.Loop() {
		_, err := w.Ours()
		require.NoError(b, err)
	}
}
