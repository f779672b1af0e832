package vcl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/rfm"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// relevance trains recursive feature machines on data of their own each.
var relevance = props.Spec{
	Statement: &theory.Relevance,
	Checks: []props.Check{
		props.Grid[int, machines, struct{}]{
			Name:     "three rounds",
			Cells:    props.Scale{Quick: 60, Standard: 120, Deep: 400}.Indices,
			Measure:  func(t *props.Trial, _ int) machines { return learn(t.Rand, pairTarget, 0) },
			Conclude: concludeRelevance,
			Controls: []props.WrongCell[int, machines, struct{}]{
				{Name: "a target of all coordinates", Assumption: "few-coordinates", Criterion: shareOfTrace,
					Measure: func(t *props.Trial, _ int) machines { return learn(t.Rand, allPairs, 0) }, On: props.First(40)},
				{Name: "noise of variance 4 on a target of variance 5/4", Assumption: "signal",
					Criterion: ratioOfErrors,
					Measure:   func(t *props.Trial, _ int) machines { return learn(t.Rand, pairTarget, 2) },
					On:        props.First(50)},
				{Name: "no round", Assumption: "rounds", Criterion: ratioOfErrors, Alter: noRound},
				{Name: "the first matrix in place of the last", Criterion: shareOfTrace, Alter: noRound},
				{Name: "errors before over errors after", Criterion: ratioOfErrors,
					Alter: func(_ int, m *machines) { m.ErrorBefore, m.ErrorAfter = m.ErrorAfter, m.ErrorBefore }},
			},
			Replicates: 1,
			Tries:      40,
			Chosen:     map[string][]string{"bound": {shareOfTrace, ratioOfErrors}},
		},
	},
}.Claim()

const shareOfTrace, ratioOfErrors = "share of the trace", "ratio of the errors"

// machines are a kernel machine and what three rounds make of it.
type machines struct {
	ShareBefore, ShareAfter, ErrorBefore, ErrorAfter float64

	Learnt []*mat.Dense // M before the first round and after each
}

func noRound(_ int, m *machines) { m.ShareAfter, m.ErrorAfter = m.ShareBefore, m.ErrorBefore }

func concludeRelevance(r *props.Record, _ []int, all []machines, _ struct{}) {
	shares, ratios := make([]float64, len(all)), make([]float64, len(all))
	points := props.Curve{Name: "data sets", Style: props.Points}
	for i, m := range all {
		shares[i], ratios[i] = m.ShareAfter, m.ErrorAfter/m.ErrorBefore
		points.Add(m.ErrorBefore, m.ErrorAfter)
	}
	share, ratio := stat.Median(shares, stat.CriterionAlpha), stat.Median(ratios, stat.CriterionAlpha)
	r.EqualsAbsolutely(shareOfTrace, share, 1, 0.03)
	r.Effect(ratioOfErrors, ratio, 1, 0.9)
	r.Largest("median share of the trace on the target's coordinates", share.Estimate)
	r.Largest("median ratio of the errors, after over before", ratio.Estimate)
	r.Figure(learntFeatures(all[0]))
	r.Figure(props.Figure{
		ID:    "errors",
		Title: "Errors before and after three rounds",
		Caption: "Error of a recursive feature machine on the target x₁x₂ + x₁/2 after three rounds against that of " +
			"the same machine before the first: almost all points lie below the diagonal.",
		X: props.Axis{Label: "error with M = I/4"}, Y: props.Axis{Label: "error after three rounds"},
		Curves: []props.Curve{points, {Name: "no change", Style: props.Dashed, X: points.X, Y: points.X}},
	})
}

// learntFeatures draws M from round to round, at a trace of one.
func learntFeatures(m machines) props.Figure {
	f := props.Figure{
		ID:    "learnt",
		Title: "The features from round to round",
		Caption: "M of one recursive feature machine on the target x₁x₂ + x₁/2 of eight coordinates, divided by its " +
			"trace: coordinates that the target does not depend on fade.",
		X: props.Axis{Label: "coordinate"}, Y: props.Axis{Label: "coordinate"}, Z: props.Axis{Label: "M / tr M"},
	}
	for round, learnt := range m.Learnt {
		scaled := algebra.Scaled(1/mat.Trace(learnt), learnt)
		f.Curves = append(f.Curves, props.HeatMap(fmt.Sprintf("round %d", round), scaled))
	}
	return f
}

// learn trains one machine on 64 samples of a target with noise of that standard deviation, for three rounds, and tests
// it on 200 without noise.
func learn(r *rand.Rand, target func(x []float64) float64, noise float64) machines {
	const dim, train, test = 8, 64, 200
	x, fresh := gen.Gaussian(r, dim, train, 1), gen.Gaussian(r, dim, test, 1)
	y, want := labelled(x, target), labelled(fresh, target)
	if noise > 0 {
		y.Add(y, gen.Gaussian(r, train, 1, noise))
	}
	all := must.Get(rfm.Learn(rfm.Gaussian, 0.25, x, y, 1e-3, 3))
	first, last := all[0], all[len(all)-1]
	out := machines{ShareBefore: shareOfTwo(first.M), ShareAfter: shareOfTwo(last.M),
		ErrorBefore: rootMeanSquare(first, fresh, want), ErrorAfter: rootMeanSquare(last, fresh, want)}
	for _, m := range all {
		out.Learnt = append(out.Learnt, m.M)
	}
	return out
}

// labelled are the values of a target at points in columns.
func labelled(x *mat.Dense, target func(x []float64) float64) *mat.Dense {
	_, count := x.Dims()
	y := mat.NewDense(count, 1, nil)
	for i := range count {
		y.Set(i, 0, target(mat.Col(nil, i, x)))
	}
	return y
}

// pairTarget is x₁x₂ + x₁/2, of the first pair of coordinates.
func pairTarget(x []float64) float64 { return x[0]*x[1] + x[0]/2 }

// allPairs is half of the sum of that over all pairs of coordinates.
func allPairs(x []float64) float64 {
	sum := 0.0
	for j := 0; j < len(x); j += 2 {
		sum += pairTarget(x[j:])
	}
	return sum / 2
}

func shareOfTwo(m *mat.Dense) float64 { return (m.At(0, 0) + m.At(1, 1)) / mat.Trace(m) }

func rootMeanSquare(f *rfm.Machine, x, want *mat.Dense) float64 {
	_, count := x.Dims()
	sum := 0.0
	for i := range count {
		sum += math.Pow(f.Predict(mat.Col(nil, i, x))[0]-want.At(i, 0), 2)
	}
	return math.Sqrt(sum / float64(count))
}
