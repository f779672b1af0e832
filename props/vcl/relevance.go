package vcl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/rfm"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// relevance trains recursive feature machines on data of their own each.
var relevance = props.Spec{
	Statement: &theory.Relevance,
	Checks: []props.Check{
		props.Sweep[int, machines]{
			Name:     "three rounds",
			Cells:    props.Scale{Quick: 80, Standard: 120, Deep: 400}.Indices,
			Measure:  func(t *props.Trial, _ int, done string) machines { return learn(t.Rand, done) },
			Conclude: concludeRelevance,
			Controls: []props.Control{
				{Name: "a target of all coordinates", Assumption: "few-coordinates", Criterion: shareOfTrace,
					Done: "all"},
				{Name: "noise of variance 4 on a target of variance 5/4", Assumption: "signal",
					Criterion: ratioOfErrors,
					Done:      "noise"},
				{Name: "no round", Assumption: "rounds", Criterion: ratioOfErrors, Claimed: "no round"},
				{Name: "the first matrix in place of the last", Criterion: shareOfTrace, Claimed: "no round"},
				{Name: "errors before over errors after", Criterion: ratioOfErrors, Claimed: "inverted"},
			},
			Replicates: 1,
			Coarse: map[string]string{shareOfTrace: "the finding is a direction: more than nine tenths",
				ratioOfErrors: "the finding is a direction: less than nine tenths"},
		},
	},
}.Claim()

const shareOfTrace, ratioOfErrors = "share of the trace", "ratio of the errors"

// machines are a kernel machine and what three rounds make of it.
type machines struct {
	ShareBefore, ShareAfter, ErrorBefore, ErrorAfter float64

	Learnt []*mat.Dense // M before the first round and after each
}

func concludeRelevance(r *props.Record, _ []int, all []machines, claimed string) {
	shares, ratios := make([]float64, len(all)), make([]float64, len(all))
	points := props.Curve{Name: "data sets", Style: props.Points}
	for i, m := range all {
		switch claimed {
		case "no round":
			m.ShareAfter, m.ErrorAfter = m.ShareBefore, m.ErrorBefore
		case "inverted":
			m.ErrorBefore, m.ErrorAfter = m.ErrorAfter, m.ErrorBefore
		}
		shares[i], ratios[i] = m.ShareAfter, m.ErrorAfter/m.ErrorBefore
		points.X, points.Y = append(points.X, m.ErrorBefore), append(points.Y, m.ErrorAfter)
	}
	share, ratio := stat.Median(shares, stat.CriterionAlpha), stat.Median(ratios, stat.CriterionAlpha)
	r.EqualsAbsolutely(shareOfTrace, share, 1, 0.1)
	r.EqualsAbsolutely(ratioOfErrors, ratio, 0.5, 0.4)
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
			"trace: what the target does not depend on fades.",
		X: props.Axis{Label: "coordinate"}, Y: props.Axis{Label: "coordinate"}, Z: props.Axis{Label: "M / tr M"},
	}
	for round, learnt := range m.Learnt {
		var scaled mat.Dense
		scaled.Scale(1/mat.Trace(learnt), learnt)
		f.Curves = append(f.Curves, props.HeatMap(fmt.Sprintf("round %d", round), &scaled))
	}
	return f
}

// learn trains one machine on 64 samples, for three rounds, and tests it on 200.
func learn(r *rand.Rand, done string) machines {
	const dim, train, test = 8, 64, 200
	x, fresh := gen.Gaussian(r, dim, train, 1), gen.Gaussian(r, dim, test, 1)
	y, want := pairTarget(x, done), pairTarget(fresh, done)
	if done == "noise" {
		y.Add(y, gen.Gaussian(r, train, 1, 2))
	}
	all, err := rfm.Learn(rfm.Gaussian, 0.25, x, y, 1e-3, 3)
	if err != nil {
		panic(err)
	}
	first, last := all[0], all[len(all)-1]
	out := machines{ShareBefore: shareOfTwo(first.M), ShareAfter: shareOfTwo(last.M),
		ErrorBefore: rootMeanSquare(first, fresh, want), ErrorAfter: rootMeanSquare(last, fresh, want)}
	for _, m := range all {
		out.Learnt = append(out.Learnt, m.M)
	}
	return out
}

// pairTarget is x₁x₂ + x₁/2, or half of the sum of that over all pairs of coordinates.
func pairTarget(x *mat.Dense, done string) *mat.Dense {
	dim, count := x.Dims()
	y := mat.NewDense(count, 1, nil)
	for i := range count {
		sum := x.At(0, i)*x.At(1, i) + x.At(0, i)/2
		if done == "all" {
			for j := 2; j < dim; j += 2 {
				sum += x.At(j, i)*x.At(j+1, i) + x.At(j, i)/2
			}
			sum /= 2
		}
		y.Set(i, 0, sum)
	}
	return y
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
