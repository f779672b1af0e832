package tangent

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/stat"
)

// spheresSpec repeats the figures where nothing is known of the points but that they are uniform, over the scale of the
// labels.
var spheresSpec = experiment.Spec[SphereSizes, SpheresCell, Pair]{
	About: experiment.About{Name: "tangent/spheres", Title: "Kernel alignment of networks trained on spheres",
		Source: source + ", on points without clusters", Cost: "3 min",
		Claims: append(append([]experiment.Claim{}, pairClaims...),
			experiment.Claim{ID: scale, Title: "Larger labels align more", Sentence: "From one scale of the labels to " +
				"the next larger one, training on signs raises the alignment over that at the start by a larger " +
				"factor.",
				Quantity: "ratio of the factors, at a scale over the one before"},
			experiment.Claim{ID: lowers, Title: "Larger labels lower the rank", Sentence: "From the smallest scale of " +
				"the labels to the largest, the stable rank of the change of the first layer falls for signs.",
				Quantity: "ratio of the stable ranks, smallest scale over largest"})},
	Version: 2, // 1 had half of the rate, 0.05 for the mean of ½(f − y)²
	Sizes: map[props.Effort]SphereSizes{props.Quick: {40, 5, 12, 20, 20, 4}, props.Standard: {400, 20, 64, 400, 20, 20},
		props.Deep: {400, 20, 64, 400, 20, 20}},
	Runs: map[props.Effort]int{props.Quick: 3, props.Standard: 8, props.Deep: 40},
	Cells: func(_ props.Effort, run int, _ string) (out []SpheresCell) {
		return list.Map(scales, func(s float64) SpheresCell { return SpheresCell{s, run} })
	},
	Train: func(_ context.Context, env *experiment.Env, s SphereSizes, c SpheresCell) (Pair, error) {
		return s.once(streams.New(env.Seed, "experiment", "tangent/spheres", strconv.Itoa(c.Run)), c.Scale)
	},
	Judge: judgeSpheres,
}

const (
	scale  = "label-scale"
	lowers = "rank-falls"
)

// scales lists the scales of the labels. At the smallest the network hardly leaves the kernel at the start.
var scales = []float64{0.02, 0.1, 0.3, 1}

// SphereSizes holds the sizes of the networks trained on spheres.
type SphereSizes struct {
	Points int `json:"points"`
	Dim    int `json:"dim"`
	Width  int `json:"width"` // of both hidden layers
	Epochs int `json:"epochs"`
	Batch  int `json:"batch"`
	Nodes  int `json:"nodes"` // of the midpoint rule along the path
}

// SpheresCell is one run. Runs of one number have the same points, labels but for their scale, and start.
type SpheresCell struct {
	Scale float64 `json:"scale"` // root mean square of the labels
	Run   int     `json:"run"`
}

// String names the cell.
func (c SpheresCell) String() string {
	return fmt.Sprintf("labels of scale %g, run %d", c.Scale, c.Run)
}

// once trains two networks on labels that are added to their outputs at the start.
func (s SphereSizes) once(r *rand.Rand, scale float64) (out Pair, err error) {
	x := features.UnitRows(r, s.Points, s.Dim)
	w := features.UnitRows(r, 1, s.Dim)
	smooth, sign := make([]float64, s.Points), make([]float64, s.Points)
	for i := range smooth {
		smooth[i] = mat.Dot(x.RowView(i), w.RowView(0)) * scale * math.Sqrt(float64(s.Dim))
		sign[i] = math.Copysign(scale, smooth[i])
		out.Fit += math.Pow(smooth[i]/scale-sign[i]/scale, 2) / float64(s.Points)
	}
	start := tangent.HeNet(r, s.Dim, s.Width, s.Width, 1)
	before := tangent.Outputs(start, x)
	schedule := schedule{tangent.Training{Rate: 2 * 0.05, Momentum: 0.9, Batch: s.Batch, Epochs: s.Epochs}, s.Points,
		s.Nodes}
	fit := append([]float64{}, smooth...)
	floats.Add(smooth, before)
	floats.Add(sign, before)
	if out.Smooth, err = schedule.train(r, start, x, smooth, fit); err != nil {
		return out, err
	}
	out.Sign, err = schedule.train(r, start, x, sign, fit)
	return out, err
}

func judgeSpheres(set experiment.Setting, s SphereSizes,
	runs []experiment.Run[SpheresCell, Pair]) experiment.Judgement {
	out := experiment.Judgement{Setup: []string{fmt.Sprintf("%d points uniform on the sphere in %d dimensions; smooth "+
		"labels are a linear function of root mean square 1, times a scale, and signs have that scale. Networks "+
		"%d→%d→%d→1 with ReLU are trained on labels plus their outputs at the start, by gradient descent with momentum "+
		"0.9 on batches of %d for %d epochs, with rates that fall from 0.05 like a cosine, on the mean of (f − y)². "+
		"Kernels are those of all points, averaged over %d nodes of the midpoint rule.", s.Points, s.Dim, s.Dim, s.Width,
		s.Width, s.Batch, s.Epochs, s.Nodes), studentOverRuns}}
	var groups []group
	for _, a := range scales {
		groups = append(groups, group{fmt.Sprintf("labels of scale %g", a), set.Runs,
			experiment.Among(runs, func(c SpheresCell) bool { return c.Scale == a })})
	}
	largest := groups[len(groups)-1]
	out.Findings = append(out.Findings, largest.judge("")...)
	for i, g := range groups[1:] {
		out.Findings = append(out.Findings, compared(scale, groups[i], g, gain))
	}
	out.Findings = append(out.Findings, compared(lowers, groups[0], largest, func(l Labelled) float64 {
		return 1 / l.StableRank
	}))
	out.Cover = gains(groups)
	out.Sections = []experiment.Section{pairsTable(groups)}
	return out
}

// compared is the finding that a quantity of the networks trained on signs is larger in the second group.
func compared(claim string, a, b group, of func(Labelled) float64) experiment.Finding {
	ratios := list.Fill(min(len(a.Pairs), len(b.Pairs)),
		func(i int) float64 { return of(b.Pairs[i].Sign) / of(a.Pairs[i].Sign) })
	iv := geometric(ratios, func(x float64) float64 { return x })
	return experiment.Finding{Claim: claim, Row: b.Row}.AtLeast(1, iv, len(ratios) >= b.Planned)
}

// gains draws the factor by which training raised the alignment over the scale of the labels.
func gains(groups []group) figure.Figure {
	f := figure.Figure{ID: "gains", Title: "Alignment gained over the scale of the labels",
		Caption: "Alignment of the averaged kernel over that of the kernel at the start, mean and interval over runs. " +
			"Small labels leave the kernel as it was.",
		X: figure.Axis{Label: "scale of the labels", Log: true}, Y: figure.Axis{Label: "alignment gained", Log: true}}
	at := map[string]float64{}
	for i, g := range groups {
		at[g.Row] = scales[i]
	}
	for _, side := range sides {
		f.Curves = append(f.Curves, experiment.Estimates(side.name, groups, func(g group) float64 { return at[g.Row] },
			func(g group) stat.Interval {
				return geometric(g.Pairs, func(p Pair) float64 { return gain(side.of(p)) })
			}))
	}
	return f
}
