package tangent

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/stat"
)

// The claims about pairs of networks.
const (
	figure1    = "figure-1"
	figure3    = "figure-3"
	difficulty = "difficulty"
	theorem1   = "theorem-1"
	rank       = "rank"
)

var pairClaims = []experiment.Claim{
	{ID: figure1, Title: "Figure 1", Sentence: "The averaged kernel is aligned better with what was learnt from signs " +
		"than with what was learnt from smooth labels.", Quantity: "ratio of the alignments, signs over smooth labels"},
	{ID: figure3, Title: "Figure 3", Sentence: "Training on signs raises the kernel near the decision boundary, " +
		"relative to far from it, more than training on smooth labels.", Quantity: "ratio of near over far, signs " +
		"over smooth labels"},
	{ID: difficulty, Title: "Signs are more difficult", Sentence: "The norm v of what was learnt in the kernel at the " +
		"start is larger for signs.", Quantity: "ratio of v, signs over smooth labels"},
	{ID: theorem1, Title: "Theorem 1 predicts figure 1", Sentence: "Theorem 1 with the penalty (z−1)² predicts from " +
		"the kernel at the start that signs are aligned better.", Quantity: "ratio of the predicted alignments"},
	{ID: rank, Title: "Lower rank for signs", Sentence: "The change of the first layer's weights has the lower stable " +
		"rank for signs.", Quantity: "ratio of the stable ranks, smooth labels over signs"},
}

const studentOverRuns = "Intervals are Student's over runs, for the logarithm of a ratio."

// group are the runs of one setting.
type group struct {
	Row     string
	Planned int
	Pairs   []Pair
}

// judge compares the two networks of each pair.
func (g group) judge(column string) []experiment.Finding {
	var out []experiment.Finding
	for _, c := range []struct {
		claim string
		of    func(Labelled) float64
	}{{figure1, alignment}, {figure3, nearOverFar}, {difficulty, difficultyOf}, {theorem1, predictedOf},
		{rank, func(l Labelled) float64 { return 1 / l.StableRank }}} {
		ratios := geometric(g.Pairs, func(p Pair) float64 { return c.of(p.Sign) / c.of(p.Smooth) })
		out = append(out, experiment.Finding{Claim: c.claim, Row: g.Row, Column: column}.
			AtLeast(1, ratios, len(g.Pairs) >= g.Planned))
	}
	return out
}

// Quantities of a network.
func alignment(l Labelled) float64    { return l.Alignment }
func nearOverFar(l Labelled) float64  { return l.NearFar }
func difficultyOf(l Labelled) float64 { return l.Difficulty }
func predictedOf(l Labelled) float64  { return l.Predicted }
func gain(l Labelled) float64         { return l.Alignment / l.Start }

// geometric is the interval of the exponential of a mean logarithm.
func geometric[V any](runs []V, of func(V) float64) stat.Interval {
	iv := experiment.Mean(runs, func(v V) float64 { return math.Log(of(v)) })
	iv.Estimate, iv.Lo, iv.Hi = math.Exp(iv.Estimate), math.Exp(iv.Lo), math.Exp(iv.Hi)
	return iv
}

// sides are the two networks of a pair.
var sides = []struct {
	name, short string
	of          func(Pair) Labelled
}{{"smooth labels", "smooth", func(p Pair) Labelled { return p.Smooth }},
	{"signs", "sign", func(p Pair) Labelled { return p.Sign }}}

// pairsTable lists the runs.
func pairsTable(groups []group) experiment.Section {
	t := &experiment.Table{Columns: []string{"", "labels", "alignment at the start", "averaged kernel", "Theorem 1",
		"difficulty v", "near/far", "stable rank of ΔW₁", "rms miss"}}
	for _, g := range groups {
		for i, p := range g.Pairs {
			for _, side := range sides {
				l := side.of(p)
				row := []string{fmt.Sprintf("%s, run %d", g.Row, i+1), side.short}
				for _, x := range []struct {
					digits int
					value  float64
				}{{3, l.Start}, {3, l.Alignment}, {3, l.Predicted}, {2, l.Difficulty}, {2, l.NearFar}, {2, l.StableRank},
					{4, l.Miss}} {
					row = append(row, fmt.Sprintf("%.*f", x.digits, x.value))
				}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return experiment.Section{Title: "All runs", Text: "Alignments are cosines of kernels with the outer product of " +
		"what was learnt.", Table: t}
}

// cover shows alignments over difficulty, measured and predicted.
func cover(groups []group) figure.Figure {
	f := figure.Figure{ID: "alignment", Title: "Alignment over difficulty",
		Caption: "Alignment of the averaged tangent kernel with what was learnt over the difficulty v of that, and " +
			"what Theorem 1 predicts from the kernel at the start: a point for each network.",
		X: figure.Axis{Label: "difficulty v"}, Y: figure.Axis{Label: "alignment"}}
	var all []Pair
	for _, g := range groups {
		all = append(all, g.Pairs...)
	}
	for suffix, y := range []func(Labelled) float64{alignment, predictedOf} {
		for _, side := range sides {
			f.Curves = append(f.Curves, experiment.Scatter(side.name+[]string{"", ", predicted"}[suffix], all,
				func(p Pair) float64 { return side.of(p).Difficulty }, func(p Pair) float64 { return y(side.of(p)) }))
		}
	}
	return f
}
