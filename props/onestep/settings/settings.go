// Package settings pairs the claim onestep/settings with the two experiments of the slides, at sizes of its own.
package settings

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/internal/stat"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/settings.
var Claim = props.Spec{
	Statement: &theory.Settings,
	Checks: []props.Check{props.Sweep[cell, []float64]{
		Name: "test error against the step size",
		Cells: func(e props.Effort) []cell {
			var out []cell
			for s := range regimes {
				for i := range (props.Scale{Quick: 96, Standard: 96, Deep: 200}).At(e) {
					out = append(out, cell{s, i})
				}
			}
			return out
		},
		Regimes:    regimes,
		Measure:    measure,
		Conclude:   conclude,
		Replicates: 1,
		Controls: []props.Control{
			{Name: "an activation without a part of second order", Assumption: "square", Criterion: beyond,
				Done: "tanh"},
			{Name: "the settings exchanged", Criterion: beyond, Claimed: "exchanged"},
			{Name: "a linear teacher that gains as well", Criterion: flat, Claimed: "gains"},
		},
		Coarse: map[string]string{beyond: "an inequality", flat: "an inequality"},
	}},
	Try: &props.Simulation{Run: func(t *props.Trial, v values.Values) (map[string]float64, error) {
		n := v.Int("n")
		if n > 2000 {
			return nil, fmt.Errorf("n = %d is more than 2000: choose a smaller n", n)
		}
		out := map[string]float64{}
		for s, name := range []string{"setting1", "setting2"} {
			out[name] = leftOut(t, s, n, "", []float64{v.Float("alpha")})[0]
		}
		return out, nil
	}},
}.Claim()

// The criteria.
const (
	beyond = "gain from α = 0.1 to 0.5 in Setting 2"
	flat   = "change from α = 0.1 to 0.5 in Setting 1"
)

var (
	regimes = []string{"Setting 1", "Setting 2"}
	alphas  = []float64{-0.2, 0, 0.1, 0.2, 0.3, 0.4, 0.5}
)

type cell struct{ Setting, Index int }

// size is n = N.
var size = props.Scale{Quick: 120, Standard: 160, Deep: 500}

// networks is how many networks a cell averages.
const networks = 5

// measure returns L(α) for one network, and the mean of log L(0.5)/L(0.1) over several.
func measure(t *props.Trial, c cell, done string) []float64 {
	n := size.At(t.Effort)
	out := leftOut(t, c.Setting, n, done, alphas)
	sum := math.Log(out[slices.Index(alphas, 0.5)] / out[slices.Index(alphas, 0.1)])
	if done != "" { // far off
		return append(out, sum)
	}
	for range networks - 1 {
		both := leftOut(t, c.Setting, n, done, []float64{0.1, 0.5})
		sum += math.Log(both[1] / both[0])
	}
	return append(out, sum/networks)
}

// leftOut returns the mean square over samples that are left out, for each α, with one network, step and teacher.
func leftOut(t *props.Trial, setting, n int, done string, alphas []float64) []float64 {
	act := network.Named("relu")
	if done == "tanh" {
		act = network.Named("tanh")
	}
	teacher := network.Linear(1)
	if setting == 1 {
		teacher = network.Quadratic(0, 1, math.Sqrt(0.5), 0)
	}
	s := network.Setup{Phi: 0.6, Psi: 0.6, Act: act, Teacher: teacher}
	step := s.Draw(t.Rand, int(math.Round(float64(n)*math.Sqrt(s.Phi))))
	rows, d := step.X.Dims()
	fresh := features.Gaussian(t.Rand, rows, d)
	y := features.Teacher{Direction: step.Target, Link: teacher.Link, Noise: teacher.Noise}.Labels(t.Rand, fresh)
	z, u := features.PreActivations(fresh, step.W), mat.NewVecDense(rows, nil)
	u.MulVec(fresh, mat.NewVecDense(d, step.Beta))
	const ridge = 0.01
	return network.Map(alphas, func(alpha float64) float64 {
		var moved mat.Dense
		moved.RankOne(z, math.Pow(float64(rows), alpha)*act.Closed.Coefficient(1), u, mat.NewVecDense(len(step.A), step.A))
		regression, err := features.NewRegression(features.Apply(act.Run, &moved), ridge)
		if err != nil {
			panic(err)
		}
		return regression.Fits(mat.NewDense(1, rows, y), features.Added{})[0].LeaveOneOut
	})
}

// conclude compares the end of an interval for the median of differences of logarithms on the same network with the
// bound in Setting 2, and the sample median with that in Setting 1.
func conclude(r *props.Record, cells []cell, all [][]float64, claimed string) {
	const fall, change, slack = 0.05, 0.1, 1e-9 // slack for rounding
	for s, name := range regimes {
		r.Regime(name)
		var late []float64
		for i, c := range cells {
			if c.Setting == s {
				late = append(late, all[i][len(alphas)])
			}
		}
		second := stat.Median(late, stat.CriterionAlpha)
		r.Measured("log L(0.5)/L(0.1)", second, 0)
		if (s == 1) != (claimed == "exchanged") {
			r.AtMost(beyond, second.Hi, -fall, slack)
		} else {
			limit := change
			if claimed == "gains" {
				limit = -change
			}
			r.AtMost(flat, math.Abs(second.Estimate), limit, slack)
		}
	}
	r.Figure(figure(cells, all))
}

// figure shows medians with the middle half, and the limits with two terms.
func figure(cells []cell, all [][]float64) props.Figure {
	out := props.Figure{ID: "settings", Title: "Test error against the exponent of the step size",
		Caption: "Mean square over samples that are left out, against α, η = n^α: medians over networks with the " +
			"middle half, " +
			"and the limits with two terms at n = 160 (dashed). Setting 1 gains little, Setting 2 a second time " +
			"beyond α = 1/4.",
		X: props.Axis{Label: "α"}, Y: props.Axis{Label: "test error"}}
	for s, name := range regimes {
		curve := props.Curve{Name: name, Style: props.Points, X: alphas}
		limit := props.Curve{Name: name + ", limit", Style: props.Dashed, X: alphas}
		for k, alpha := range alphas {
			var errors []float64
			for i, c := range cells {
				if c.Setting == s {
					errors = append(errors, all[i][k])
				}
			}
			slices.Sort(errors)
			q := len(errors) / 4
			curve.Lo, curve.Hi = append(curve.Lo, errors[q]), append(curve.Hi, errors[len(errors)-1-q])
			curve.Y = append(curve.Y, errors[len(errors)/2])
			limit.Y = append(limit.Y, theory.SettingError(theory.SettingTeachers[s], float64(size.Standard), alpha))
		}
		out.Curves = append(out.Curves, curve, limit)
	}
	return out
}
