package tangent

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// measured are what an independent program got for the same setting, with its own data and starts: all runs, or the
// mean of so many where the others were not kept.
type measured struct {
	runs  []float64
	mean  float64
	count int
}

func (m measured) size() float64 { return float64(max(m.count, len(m.runs))) }

func (m measured) average() float64 {
	if len(m.runs) > 0 {
		return stat.Mean(m.runs, nil)
	}
	return m.mean
}

// The published runs agree with those of an independent program, by the test of Student for two samples of one variance
// at level 0.01; where only a mean of it is known the variance is that of the published runs. A factor of 2 in the
// learning rate moves the alignments on spheres and of signs of 5000 pictures out of it.
func TestPublishedRunsAgreeWithAnIndependentProgram(t *testing.T) {
	spheres := published[SpheresCell](t, "spheres", func(c SpheresCell) bool { return c.Scale == 1 })
	few := published[PicturesCell](t, "pictures", func(c PicturesCell) bool { return c.Samples == 500 })
	many := published[PicturesCell](t, "pictures", func(c PicturesCell) bool { return c.Samples == 5000 })
	gain := func(l Labelled) float64 { return l.Alignment / l.Start }
	start := func(l Labelled) float64 { return l.Start }
	alignment := func(l Labelled) float64 { return l.Alignment }
	rank := func(l Labelled) float64 { return l.StableRank }
	difficulty := func(l Labelled) float64 { return l.Difficulty }
	smooth := func(of func(Labelled) float64) func(Pair) float64 {
		return func(p Pair) float64 { return of(p.Smooth) }
	}
	sign := func(of func(Labelled) float64) func(Pair) float64 { return func(p Pair) float64 { return of(p.Sign) } }
	for _, c := range []struct {
		what  string
		pairs []Pair
		of    func(Pair) float64
		want  measured
	}{
		{"spheres, alignment, smooth", spheres, smooth(alignment), measured{mean: 0.110, count: 16}},
		{"spheres, alignment, signs", spheres, sign(alignment), measured{mean: 0.139, count: 16}},
		{"spheres, gain, smooth", spheres, smooth(gain), measured{mean: 3.2, count: 16}},
		{"spheres, gain, signs", spheres, sign(gain), measured{mean: 5.7, count: 16}},
		{"spheres, logarithm of the ratio", spheres, func(p Pair) float64 {
			return math.Log(p.Sign.Alignment / p.Smooth.Alignment)
		}, measured{mean: 0.240, count: 16}},
		{"spheres, near over far, signs over smooth labels", spheres, func(p Pair) float64 {
			return p.Sign.NearFar / p.Smooth.NearFar
		}, measured{mean: 1.17 / 0.93, count: 16}},
		{"500 pictures, start, signs", few, sign(start), measured{mean: 0.032, count: 5}},
		{"500 pictures, signs", few, sign(alignment), measured{runs: []float64{0.201, 0.268, 0.208, 0.249, 0.277}}},
		{"5000 pictures, smooth", many, smooth(alignment), measured{runs: []float64{0.192, 0.193}}},
		{"5000 pictures, signs", many, sign(alignment), measured{runs: []float64{0.365, 0.377}}},
		{"5000 pictures, stable rank, smooth", many, smooth(rank), measured{runs: []float64{5.7, 5.9}}},
		{"5000 pictures, stable rank, signs", many, sign(rank), measured{runs: []float64{2.0, 2.2}}},
		{"5000 pictures, fit", many, func(p Pair) float64 { return p.Fit }, measured{mean: 0.166, count: 2}},
		{"500 pictures, fit", few, func(p Pair) float64 { return p.Fit }, measured{mean: 0.063, count: 5}},
		{"500 pictures, difficulty, signs", few, sign(difficulty), measured{mean: 11.6, count: 5}},
	} {
		ours := make([]float64, len(c.pairs))
		for i, p := range c.pairs {
			ours[i] = c.of(p)
		}
		gap, allowed := compare(ours, c.want)
		t.Logf("%s: ours %.3g, theirs %.3g, allowed ±%.2g", c.what, stat.Mean(ours, nil), c.want.average(), allowed)
		if !(math.Abs(gap) <= allowed) {
			t.Errorf("%s: mean %.4g, independently %.4g, apart by more than %.2g", c.what, stat.Mean(ours, nil),
				c.want.average(), allowed)
		}
	}
}

// compare returns the difference of the means, and what Student's test at level 0.01 allows.
func compare(ours []float64, theirs measured) (gap, allowed float64) {
	n, m := float64(len(ours)), theirs.size()
	free, squares := n-1, (n-1)*stat.Variance(ours, nil)
	if len(theirs.runs) > 1 {
		free, squares = free+m-1, squares+(m-1)*stat.Variance(theirs.runs, nil)
	}
	quantile := distuv.StudentsT{Sigma: 1, Nu: free}.Quantile(0.995)
	return floats.Sum(ours)/n - theirs.average(), quantile * math.Sqrt(squares/free*(1/n+1/m))
}

// published are the pairs of a published run whose cells are of a kind.
func published[K any](t *testing.T, name string, kind func(K) bool) (out []Pair) {
	path := filepath.Join("..", "..", "..", "reports", "published", "experiments", "tangent", name, "results.json")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var result struct {
		Runs []struct {
			Cell  K    `json:"cell"`
			Value Pair `json:"value"`
		} `json:"runs"`
	}
	require.NoError(t, json.Unmarshal(text, &result))
	for _, r := range result.Runs {
		if kind(r.Cell) {
			out = append(out, r.Value)
		}
	}
	require.GreaterOrEqual(t, len(out), 3, fmt.Sprint(name, ": runs of the kind"))
	return out
}
