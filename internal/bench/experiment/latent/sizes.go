package latent

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/ridge"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/latent"
)

// sizesSpec varies one of the samples, the neurons and the noise at a time.
var sizesSpec = experiment.Spec[sweeps, Cell, []Sized]{
	About: experiment.About{Name: "latent/sizes", Title: "Samples, neurons and noise of one gradient step",
		Source: source + ", Theorem 1", Cost: "1 min", Claims: sizesClaims},
	Version: 1,
	Sizes:   at(sizesProblem),
	Runs:    at(func(e props.Effort) int { return sizesProblem(e).Runs }),
	Cells: func(e props.Effort, run int, _ string) []Cell {
		p := sizesProblem(e)
		return cells([]sizes{{p.Dim, p.Samples}}, run)
	},
	Train: trainSizes,
	Judge: judgeSizes,
}

// sweeps holds the values that vary: samples at the width of their curve, and widths and noises at the numbers Fixed of
// samples.
type sweeps struct {
	problem
	Dim     int       `json:"dim"`
	Samples []int     `json:"samples"`
	Fixed   int       `json:"fixed"`
	Widths  []int     `json:"widths"`
	Noises  []float64 `json:"noises"`
	Across  int       `json:"across"` // neurons where samples vary
	Runs    int       `json:"runs"`
}

func sizesProblem(e props.Effort) sweeps {
	p := sweeps{problem: problem{Degree: 3, Width: 500, Validation: 2000, Nodes: 48, Copies: 20}, Dim: 30,
		Samples: []int{450, 900, 1800, 3600, 7200, 14400}, Fixed: 3600,
		Widths: []int{20, 50, 100, 200, 500, 1000, 2000}, Noises: []float64{0, 0.5, 1}, Across: 1000, Runs: 6}
	switch e {
	case props.Quick:
		p.Dim, p.Samples, p.Fixed, p.Widths, p.Across, p.Runs = 8, []int{64, 128}, 128, []int{10, 40}, 40, 3
		p.Width, p.Validation, p.Copies = 40, 200, 3
	case props.Deep:
		p.Runs = 20
	}
	return p
}

// Sized are the errors of Algorithm 1 for a number of neurons and a size of noise: E(f − f⋆)² and E|f − f⋆|.
type Sized struct {
	Width    int     `json:"width"`
	Noise    float64 `json:"noise"`
	Square   float64 `json:"square"`
	Absolute float64 `json:"absolute"`
}

// trained lists the networks of one data set.
func (p sweeps) trained(samples int) (out []Sized) {
	if samples == p.Fixed {
		for _, m := range p.Widths {
			out = append(out, Sized{Width: m})
		}
		for _, noise := range p.Noises {
			if !slices.Contains(out, Sized{Width: p.Width, Noise: noise}) {
				out = append(out, Sized{Width: p.Width, Noise: noise})
			}
		}
	}
	if !slices.Contains(out, Sized{Width: p.Across}) {
		out = append(out, Sized{Width: p.Across})
	}
	return out
}

func trainSizes(_ context.Context, env *experiment.Env, p sweeps, c Cell) ([]Sized, error) {
	f, r := target.Mixed(3), c.stream(env, "latent/sizes")
	train := latent.Sample(r, c.Samples, c.Dim, f.Latent, f.At)
	validation := latent.Sample(r, p.Validation, c.Dim, f.Latent, f.At)
	test := latent.Quadrature(r, p.Nodes, p.Copies, c.Dim, f.Latent, f.At)
	out := p.trained(c.Samples)
	for i, s := range out {
		learnt, err := latent.Learn(r, train.X, disturbed(r, train.Y, s.Noise), s.Width, ridge.Penalties(1e-4, 1e2, 13),
			latent.Points{X: validation.X, Y: disturbed(r, validation.Y, s.Noise), Weights: validation.Weights})
		if err != nil {
			return nil, err
		}
		predictions := learnt.Output(test.X)
		out[i].Square, out[i].Absolute = test.Square(predictions), test.Absolute(predictions)
	}
	return out, nil
}

// disturbed are labels with the noise ±ς.
func disturbed(r *rand.Rand, y []float64, noise float64) []float64 {
	out := slices.Clone(y)
	for i := range out {
		out[i] += noise * float64(2*r.IntN(2)-1)
	}
	return out
}

const (
	moreSamples = "samples"
	moreNeurons = "neurons"
	moreNoise   = "noise"
	rightSide   = "right-side"
)

const logOfQuotient = "logarithm of the quotient of the squared errors"

var sizesClaims = []experiment.Claim{
	{ID: moreSamples, Title: "More samples, smaller error", Sentence: "Twice as many samples lower the squared " +
		"error of Algorithm 1, in the geometric mean over runs.", Quantity: logOfQuotient},
	{ID: moreNeurons, Title: "More neurons, smaller error", Sentence: "On the same data more neurons lower the " +
		"squared error of Algorithm 1, in the geometric mean over runs.", Quantity: logOfQuotient},
	{ID: moreNoise, Title: "More noise, larger error", Sentence: "On the same inputs more noise in the labels raises " +
		"the squared error of Algorithm 1 against the target without it, in the geometric mean over runs.",
		Quantity: logOfQuotient},
	{ID: rightSide, Title: "Below the right side of Theorem 1", Sentence: "The mean absolute error without noise is " +
		"at most √(d/n) + √(1/m) + n^(−1/4), the right side of Theorem 1 with the constant 1 and without logarithms.",
		Quantity: "mean absolute error"},
}

// setup says what the problem is.
func (p sweeps) setup() []string {
	return []string{
		fmt.Sprintf("The target is ½He₂(x₁) + He₃(x₁)/√12, of mean square 1, at standard normal inputs in d = %d dimensions."+
			" Labels have the noise ±ς with equal chances; errors are against the target without it.", p.Dim),
		fmt.Sprintf("Algorithm 1: a linear part, one step that forgets the initial weights, with rows of root mean square "+
			"length 1, biases N(0, 1), and ridge regression, whose penalty is chosen on %d fresh samples with the same "+
			"noise. The sweep over samples has m = %d neurons and no noise, that over neurons n = %d samples and no noise, "+
			"that over the noise n = %d and m = %d.", p.Validation, p.Across, p.Fixed, p.Fixed, p.Width),
		p.errorsText(),
		"Intervals are Student's over runs. Runs of different numbers of samples have fresh data; networks of different " +
			"widths are trained on the same data, and with different noise on the same inputs.",
	}
}

// sized are the runs of one number of samples, neurons and noise.
type sized struct {
	Samples, Width   int
	Noise            float64
	Square, Absolute []float64
}

func (s sized) String() string {
	return fmt.Sprintf("n = %d, m = %d, ς = %g", s.Samples, s.Width, s.Noise)
}

// gathered sorts the runs by sizes, in the order of the sweeps.
func (p sweeps) gathered(runs []experiment.Run[Cell, []Sized]) (out []sized) {
	for _, n := range p.Samples {
		of := experiment.Among(runs, func(c Cell) bool { return c.Samples == n })
		for i, shape := range p.trained(n) {
			out = append(out, sized{Samples: n, Width: shape.Width, Noise: shape.Noise,
				Square:   experiment.Each(of, func(all []Sized) float64 { return all[i].Square }),
				Absolute: experiment.Each(of, func(all []Sized) float64 { return all[i].Absolute })})
		}
	}
	return out
}

func judgeSizes(_ experiment.Setting, p sweeps, runs []experiment.Run[Cell, []Sized]) experiment.Judgement {
	all := p.gathered(runs)
	samples := list.Where(all, func(g sized) bool { return g.Width == p.Across && g.Noise == 0 })
	widths := list.Where(all, func(g sized) bool { return g.Samples == p.Fixed && g.Noise == 0 })
	noises := list.Where(all, func(g sized) bool { return g.Samples == p.Fixed && g.Width == p.Width })
	out := experiment.Judgement{Setup: p.setup()}
	complete := func(g sized) bool { return len(g.Square) >= p.Runs }
	steps := func(claim string, sweep []sized, judged func(experiment.Finding, float64, stat.Interval,
		bool) experiment.Finding) {
		for i := 1; i < len(sweep); i++ {
			before, after := sweep[i-1], sweep[i]
			f := experiment.Finding{Claim: claim, Row: fmt.Sprintf("%v against %v", after, before)}
			out.Findings = append(out.Findings, judged(f, 0, quotient(after.Square, before.Square),
				complete(before) && complete(after)))
		}
	}
	steps(moreSamples, samples, experiment.Finding.AtMost)
	steps(moreNeurons, widths, experiment.Finding.AtMost)
	steps(moreNoise, noises, experiment.Finding.AtLeast)
	for _, g := range all {
		if g.Noise == 0 {
			bound := theory.Sizes{D: p.Dim, N: g.Samples, M: g.Width}.RightSide()
			_, absolute := g.means()
			out.Findings = append(out.Findings,
				experiment.Finding{Claim: rightSide, Row: g.String()}.AtMost(bound, absolute, complete(g)))
		}
	}
	out.Cover = sizesFigure("samples", "Error over the number of samples", figure.Axis{Label: "samples n", Log: true},
		samples, func(g sized) float64 { return float64(g.Samples) })
	byWidth := sizesFigure("neurons", "Error over the number of neurons", figure.Axis{Label: "neurons m", Log: true},
		widths, func(g sized) float64 { return float64(g.Width) })
	byNoise := sizesFigure("noise", "Error over the noise", figure.Axis{Label: "noise ς"}, noises,
		func(g sized) float64 { return g.Noise })
	out.Sections = []experiment.Section{{Title: "Errors", Table: sizesTable(all)},
		{Title: "Neurons", Figures: []figure.Figure{byWidth}}, {Title: "Noise", Figures: []figure.Figure{byNoise}}}
	return out
}

// quotient is the interval for the mean of ln(after/before), run by run.
func quotient(after, before []float64) stat.Interval {
	n := min(len(after), len(before))
	return stat.Paired(experiment.Each(after[:n], math.Log), experiment.Each(before[:n], math.Log), experiment.Alpha)
}

// means are the intervals of the two errors of a group.
func (s sized) means() (square, absolute stat.Interval) {
	return stat.Mean(s.Square, experiment.Alpha), stat.Mean(s.Absolute, experiment.Alpha)
}

func sizesFigure(id, title string, x figure.Axis, sweep []sized, at func(sized) float64) figure.Figure {
	square := func(s sized) stat.Interval { iv, _ := s.means(); return visible(iv) }
	absolute := func(s sized) stat.Interval { _, iv := s.means(); return visible(iv) }
	return figure.Figure{ID: id, Title: title, Caption: "Mean squared and mean absolute error of Algorithm 1 against " +
		"the target without noise, means and intervals over runs.", X: x, Y: figure.Axis{Label: "error", Log: true},
		Curves: []figure.Curve{experiment.Estimates("E(f − f⋆)²", sweep, at, square),
			experiment.Estimates("E|f − f⋆|", sweep, at, absolute)}}
}

func sizesTable(all []sized) *experiment.Table {
	t := &experiment.Table{Columns: []string{"", "E(f − f⋆)²", "E|f − f⋆|"}}
	for _, s := range all {
		square, absolute := s.means()
		t.Rows = append(t.Rows, []string{s.String(), written(square, 4), written(absolute, 4)})
	}
	return t
}
