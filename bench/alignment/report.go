package alignment

import (
	"fmt"
	"math"
	"strings"

	"github.com/thm-suite/thm/internal/figure"
	"github.com/thm-suite/thm/internal/stat"
)

// Result is what a run publishes.
type Result struct {
	Schema   string    `json:"schema"`
	Settings Settings  `json:"settings"`
	Pairs    []Pair    `json:"pairs"`
	Findings []Finding `json:"findings"`
}

// Schema is the version of the format of [Result].
const Schema = "thm-alignment-1"

// Finding is a sentence and what the interval of a mean over runs shows of it.
type Finding struct {
	ID       string  `json:"id"`
	Sentence string  `json:"sentence"`
	Verdict  string  `json:"verdict"` // holds, refuted or undecided
	Estimate float64 `json:"estimate"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

// Alpha is the level of each interval.
const Alpha = 0.05

// NewResult judges the runs.
func NewResult(s Settings, pairs []Pair) Result {
	log := func(of func(Labelled) float64) []float64 {
		var out []float64
		for _, p := range pairs {
			out = append(out, math.Log(of(p.Sign)/of(p.Smooth)))
		}
		return out
	}
	alignment := func(l Labelled) float64 { return l.Alignment }
	r := Result{Schema: Schema, Settings: s, Pairs: pairs}
	r.Findings = []Finding{
		positive("figure-1", "The averaged kernel is aligned better with the signs of the fit than with the fit itself; "+
			"logarithm of the ratio of the alignments.", log(alignment)),
		positive("figure-3", "Training on signs raises the kernel near the decision boundary, relative to far from it, "+
			"more than training on the fit; logarithm of the ratio.", log(func(l Labelled) float64 { return l.NearFar })),
		positive("difficulty", "Signs are the more difficult labels; logarithm of the ratio of v.",
			log(func(l Labelled) float64 { return l.Difficulty })),
		positive("theorem-1", "Theorem 1 with (z−1)² predicts that signs are aligned better; logarithm of the ratio of the "+
			"predictions.", log(func(l Labelled) float64 { return l.Predicted })),
		positive("rank", "The change of the first layer's weights has the lower stable rank for signs; logarithm of the "+
			"ratio, negated.", log(func(l Labelled) float64 { return 1 / l.StableRank })),
	}
	return r
}

// positive judges whether a mean is above zero.
func positive(id, sentence string, draws []float64) Finding {
	iv := stat.Mean(draws, Alpha)
	f := Finding{ID: id, Sentence: sentence, Verdict: "undecided", Estimate: iv.Estimate, Low: iv.Lo, High: iv.Hi}
	switch {
	case !iv.Valid():
		f.Estimate, f.Low, f.High = 0, 0, 0
	case iv.Lo > 0:
		f.Verdict = "holds"
	case iv.Hi < 0:
		f.Verdict = "refuted"
	}
	return f
}

// Markdown is the report, with the figure in a file beside it.
func (r Result) Markdown() string {
	var b strings.Builder
	s := r.Settings
	fmt.Fprintf(&b, "# Kernel alignment of trained networks: figures 1 and 3 of arXiv 2308.15478\n\n"+
		"%s, classes 2 and 3: networks 784→%d→%d→1 with ReLU trained on %d pictures for %d epochs, kernels on the first "+
		"%d. Smooth labels are the least-squares fit of ±1 with random features of a network that is not trained; signs "+
		"are those of the fit. Both networks of a run have one start.\n\n", s.Dataset, s.Width, s.Width, s.Samples,
		s.Epochs, s.Kernel)
	fmt.Fprintf(&b, "| finding | verdict | estimate | 95 %% interval |\n| --- | --- | ---: | ---: |\n")
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "| %s | %s | %.3f | %.3f to %.3f |\n", f.Sentence, f.Verdict, f.Estimate, f.Low, f.High)
	}
	b.WriteString("\n![Alignment of the averaged kernel over the difficulty of the labels](alignment.svg)\n\n" +
		"| run | labels | alignment at the start | averaged kernel | Theorem 1 | difficulty v | near/far | " +
		"stable rank of ΔW₁ | rms miss |\n| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for i, p := range r.Pairs {
		for _, row := range []struct {
			name string
			Labelled
		}{{"smooth", p.Smooth}, {"sign", p.Sign}} {
			fmt.Fprintf(&b, "| %d | %s | %.3f | %.3f | %.3f | %.2f | %.2f | %.2f | %.4f |\n", i+1, row.name, row.Start,
				row.Alignment, row.Predicted, row.Difficulty, row.NearFar, row.StableRank, row.Miss)
		}
	}
	return b.String()
}

// Figure shows alignments over difficulty, measured and predicted.
func (r Result) Figure() string {
	curve := func(name string, of func(Pair) Labelled, y func(Labelled) float64) figure.Curve {
		c := figure.Curve{Name: name, Style: figure.Points}
		for _, p := range r.Pairs {
			c.X, c.Y = append(c.X, of(p).Difficulty), append(c.Y, y(of(p)))
		}
		return c
	}
	smooth, sign := func(p Pair) Labelled { return p.Smooth }, func(p Pair) Labelled { return p.Sign }
	found, law := func(l Labelled) float64 { return l.Alignment }, func(l Labelled) float64 { return l.Predicted }
	return figure.File(figure.SVG(figure.Figure{
		ID: "alignment", Title: "Alignment over difficulty",
		Caption: "Alignment of the averaged tangent kernel with what was learnt, and what Theorem 1 predicts from the " +
			"kernel at the start.",
		X: figure.Axis{Label: "difficulty v"}, Y: figure.Axis{Label: "alignment"},
		Curves: []figure.Curve{curve("smooth labels", smooth, found), curve("signs", sign, found),
			curve("smooth labels, Theorem 1", smooth, law), curve("signs, Theorem 1", sign, law)}}, "alignment"))
}
