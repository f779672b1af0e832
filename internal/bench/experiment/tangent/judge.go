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
	}{
		{figure1, func(l Labelled) float64 { return l.Alignment }},
		{figure3, func(l Labelled) float64 { return l.NearFar }},
		{difficulty, func(l Labelled) float64 { return l.Difficulty }},
		{theorem1, func(l Labelled) float64 { return l.Predicted }},
		{rank, func(l Labelled) float64 { return 1 / l.StableRank }},
	} {
		var logs []float64
		for _, p := range g.Pairs {
			logs = append(logs, math.Log(c.of(p.Sign)/c.of(p.Smooth)))
		}
		f := experiment.Finding{Claim: c.claim, Row: g.Row, Column: column}
		out = append(out, f.AtLeast(1, geometric(logs), len(g.Pairs) >= g.Planned))
	}
	return out
}

// geometric is the interval of the exponential of a mean.
func geometric(logs []float64) stat.Interval {
	iv := stat.Mean(logs, experiment.Alpha)
	iv.Estimate, iv.Lo, iv.Hi = math.Exp(iv.Estimate), math.Exp(iv.Lo), math.Exp(iv.Hi)
	return iv
}

// pairsTable lists the runs.
func pairsTable(groups []group) experiment.Section {
	t := &experiment.Table{Columns: []string{"", "labels", "alignment at the start", "averaged kernel", "Theorem 1",
		"difficulty v", "near/far", "stable rank of ΔW₁", "rms miss"}}
	for _, g := range groups {
		for i, p := range g.Pairs {
			for _, row := range []struct {
				name string
				Labelled
			}{{"smooth", p.Smooth}, {"sign", p.Sign}} {
				t.Rows = append(t.Rows, []string{fmt.Sprintf("%s, run %d", g.Row, i+1), row.name,
					fmt.Sprintf("%.3f", row.Start), fmt.Sprintf("%.3f", row.Alignment), fmt.Sprintf("%.3f",
						row.Predicted),
					fmt.Sprintf("%.2f", row.Difficulty), fmt.Sprintf("%.2f", row.NearFar), fmt.Sprintf("%.2f",
						row.StableRank),
					fmt.Sprintf("%.4f", row.Miss)})
			}
		}
	}
	return experiment.Section{Title: "All runs", Text: "Alignments are cosines of kernels with the outer product of " +
		"what was learnt.", Table: t}
}

// cover shows alignments over difficulty, measured and predicted.
func cover(groups []group) *figure.Figure {
	f := &figure.Figure{ID: "alignment", Title: "Alignment over difficulty",
		Caption: "Alignment of the averaged tangent kernel with what was learnt over the difficulty v of that, and " +
			"what Theorem 1 predicts from the kernel at the start: a point for each network.",
		X: figure.Axis{Label: "difficulty v"}, Y: figure.Axis{Label: "alignment"}}
	for _, c := range []struct {
		name string
		of   func(Pair) Labelled
		y    func(Labelled) float64
	}{
		{"smooth labels", func(p Pair) Labelled { return p.Smooth }, func(l Labelled) float64 { return l.Alignment }},
		{"signs", func(p Pair) Labelled { return p.Sign }, func(l Labelled) float64 { return l.Alignment }},
		{"smooth labels, Theorem 1", func(p Pair) Labelled { return p.Smooth },
			func(l Labelled) float64 { return l.Predicted }},
		{"signs, Theorem 1", func(p Pair) Labelled { return p.Sign }, func(l Labelled) float64 { return l.Predicted }},
	} {
		curve := figure.Curve{Name: c.name, Style: figure.Points}
		for _, g := range groups {
			for _, p := range g.Pairs {
				curve.X, curve.Y = append(curve.X, c.of(p).Difficulty), append(curve.Y, c.y(c.of(p)))
			}
		}
		f.Curves = append(f.Curves, curve)
	}
	return f
}
