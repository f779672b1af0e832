//go:build system

package tangent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/features"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// The ladder at the sizes of an independent program: 200 points on the sphere in 20 dimensions, a network 20→64→64→1,
// labels along five eigenvectors, 600 epochs in batches of 20 with rates that fall from 0.03 like a cosine on the mean
// of (f − y)². The geometric means of the amplification over the law s² in its 10 draws are given; ours are over 5
// other draws, and agree by Student's test for a difference of two means with 4 degrees of freedom, level 0.01, one
// spread for both. So do the logarithms of amplification, law and alignment with three draws of which it has every
// figure. In each of its draws the amplification rises with every step of difficulty and the alignment falls; in ours
// they do from the second label on, and between the first two in most draws.
func TestReferenceLadder(t *testing.T) {
	const draws = 5
	eigenvectors, want := []int{1, 4, 12, 40, 120}, []float64{0.52, 0.58, 0.67, 0.60, 0.82}
	tables := map[string][3][5]float64{
		"amplification": {{1.40, 1.86, 2.93, 6.22, 14.5}, {1.15, 1.58, 3.09, 4.53, 10.7}, {1.52, 1.95, 2.53, 4.21, 12.4}},
		"law":           {{2.58, 2.97, 4.16, 8.59, 15.8}, {2.39, 3.09, 4.28, 7.80, 13.8}, {2.54, 2.92, 3.92, 7.96, 14.2}},
		"alignment": {{0.085, 0.077, 0.049, 0.017, 0.011}, {0.126, 0.074, 0.057, 0.018, 0.011},
			{0.108, 0.093, 0.057, 0.015, 0.012}},
	}
	logs, ordered := make([][]float64, len(eigenvectors)), 0
	ours := map[string]*[5][]float64{"amplification": {}, "law": {}, "alignment": {}}
	for k := range draws {
		all := trainLarge(t, rand.New(rand.NewPCG(53, uint64(k))), eigenvectors)
		for i, c := range all {
			s := theory.Stretch{Norm: c.difficulty, Family: theory.Quadratic, Factor: 1}
			logs[i] = append(logs[i], math.Log(c.amplification/s.Amplification()))
			for name, x := range map[string]float64{"amplification": c.amplification, "law": s.Amplification(),
				"alignment": c.alignment} {
				ours[name][i] = append(ours[name][i], math.Log(x))
			}
		}
		if all[1].amplification > all[0].amplification && all[1].alignment < all[0].alignment {
			ordered++
		}
		for i := 2; i < len(all); i++ {
			require.Greater(t, all[i].amplification, all[i-1].amplification, "draw %d, eigenvector %d", k, eigenvectors[i])
			require.Less(t, all[i].alignment, all[i-1].alignment, "draw %d, eigenvector %d", k, eigenvectors[i])
		}
	}
	require.Greater(t, 2*ordered, draws, "draws in which the first two labels are in order")
	for i, w := range want {
		mean, sd := stat.MeanStdDev(logs[i], nil)
		allowed := 4.60 * sd * math.Sqrt(1./draws+1./10)
		t.Logf("eigenvector %d: %.3f, independently %.2f, allowed factor %.3g", eigenvectors[i], math.Exp(mean), w,
			math.Exp(allowed))
		require.InDelta(t, math.Log(w), mean, allowed, "eigenvector %d", eigenvectors[i])
		for name, table := range tables {
			var theirs []float64
			for _, draw := range table {
				theirs = append(theirs, math.Log(draw[i]))
			}
			agree(t, fmt.Sprintf("%s, eigenvector %d", name, eigenvectors[i]), ours[name][i], theirs)
		}
	}
}

// agree is Student's test for two samples of 5 and 3 with one variance at level 0.01: 6 degrees of freedom.
func agree(t *testing.T, what string, ours, theirs []float64) {
	n, m := float64(len(ours)), float64(len(theirs))
	mean, variance := stat.MeanVariance(ours, nil)
	other, others := stat.MeanVariance(theirs, nil)
	allowed := 3.71 * math.Sqrt(((n-1)*variance+(m-1)*others)/(n+m-2)*(1/n+1/m))
	t.Logf("%s: %.3g, independently %.3g, allowed factor %.3g", what, math.Exp(mean), math.Exp(other), math.Exp(allowed))
	if !(math.Abs(mean-other) <= allowed) {
		t.Errorf("%s: %.4g, independently %.4g, apart by more than a factor of %.3g", what, math.Exp(mean), math.Exp(other),
			math.Exp(allowed))
	}
}

// large is one network on one eigenvector.
type large struct{ difficulty, amplification, alignment float64 }

func trainLarge(t *testing.T, r *rand.Rand, eigenvectors []int) (out []large) {
	const n, d, width = 200, 20, 64
	x, start := features.UnitRows(r, n, d), impl.HeNet(r, d, width, width, 1)
	outputs := impl.Outputs(start, x)
	kernel := impl.LayerKernel(impl.FactorsOf(start, x))
	values, vectors, err := linalg.SymEigen(mat.NewSymDense(n, mat.DenseCopyOf(kernel).RawMatrix().Data), true)
	require.NoError(t, err)
	for _, k := range eigenvectors {
		lambda, u := values[n-1-k], mat.Col(nil, n-1-k, vectors)
		labels := append([]float64{}, outputs...)
		floats.AddScaled(labels, math.Sqrt(n), u)
		end := impl.Training{Rate: 2 * 0.03, Momentum: 0.9, Batch: 20, Epochs: 600}.Fit(r, start, x, labels)
		averaged := impl.Path{Start: start, End: end}.AveragedKernel(x, impl.Midpoint(20))
		out = append(out, large{math.Sqrt(n / lambda), energy(averaged, u) / lambda, impl.Alignment(averaged, u)})
	}
	return out
}
