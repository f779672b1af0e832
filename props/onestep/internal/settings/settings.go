// Package settings pairs the claim onestep/settings with the two experiments of the slides, at other sizes.
package settings

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/settings.
var Claim = props.Spec{
	Statement: &theory.Settings,
	Checks: []props.Check{props.Grid[int, shown, gains]{
		Name:       "test error against the step size",
		Cells:      props.Scale{Quick: 216, Standard: 216, Deep: 216}.Indices,
		Measure:    measure,
		Claim:      gains{first: predicted(0), second: predicted(1)},
		Conclude:   conclude,
		Replicates: 1,
		Controls: []props.WrongCell[int, shown, gains]{
			{Name: "an activation without a part of second order", Assumption: "square", Criterion: beyond,
				Measure: measureTanh},
			{Name: "fifteen times the gain of the limits", Criterion: beyond,
				Instead: gains{second: func(n int) float64 { return 15 * predicted(1)(n) }}},
			{Name: "Setting 1 gaining more", Criterion: more, Alter: func(_ int, m *shown) { m.More = -m.More }},
		},
	}},
	Try: &props.Simulation{Run: func(t *props.Trial, v statement.Values) (map[string]float64, error) {
		both := leftOut(t, relu, affordable(t, v), names, []float64{v.Float("alpha")})
		return map[string]float64{"setting1": both[0][0], "setting2": both[1][0]}, nil
	}, Draw: drawCurves},
}.Claim()

// The criteria.
const (
	beyond = "log L(0.5)/L(0.1) in Setting 2"
	more   = "log L(0.5)/L(0.1) in Setting 2 minus that in Setting 1"
)

var (
	names  = []string{"Setting 1", "Setting 2"}
	alphas = []float64{-0.2, 0, 0.1, 0.2, 0.3, 0.4, 0.5}
)

// size is n = N. At n = 48 a network scatters little more than at n = 100, and costs a sixth.
var size = props.Scale{Quick: 48, Standard: 100, Deep: 500}

// networks is the number of networks that a cell averages.
var networks = props.Scale{Quick: 28, Standard: 28, Deep: 8}

// drawn is one in how many cells shows whole curves.
const drawn = 4

// shown holds the measurements of the networks of a cell in the two settings.
type shown struct {
	N     int
	Curve [2][]float64 // L(α) of one network; nil in most cells
	Late  float64      // mean of log L(0.5)/L(0.1) in Setting 2
	More  float64      // mean of that minus the same in Setting 1
}

// relu has a part of second order.
var relu = network.Named("relu")

func measure(t *props.Trial, cell int) shown {
	n, count := size.At(t.Effort), networks.At(t.Effort)
	var curve [2][]float64
	if cell%drawn == 0 {
		curve = leftOut(t, relu, n, names, alphas)
	}
	out := averaged(t, relu, n, count, count)
	out.Curve = curve
	return out
}

// measureTanh gains nothing.
func measureTanh(t *props.Trial, _ int) shown {
	return averaged(t, network.Named("tanh"), size.Quick, 24, 1)
}

// averaged takes means over count networks; both is the number of them in both settings.
func averaged(t *props.Trial, act network.Activation, n, count, both int) (out shown) {
	ends := []float64{0.1, 0.5}
	for range both {
		l := leftOut(t, act, n, names, ends)
		late := math.Log(l[1][1] / l[1][0])
		out.Late += late / float64(count)
		out.More += (late - math.Log(l[0][1]/l[0][0])) / float64(both)
	}
	for range count - both {
		l := leftOut(t, act, n, names[1:], ends)[1]
		out.Late += math.Log(l[1]/l[0]) / float64(count)
	}
	out.N = n
	return out
}

// leftOut returns the mean square over samples that are left out, in these settings and for each α, with one network,
// samples and β⋆ for both.
func leftOut(t *props.Trial, act network.Activation, n int, settings []string,
	alphas []float64) (out [2][]float64) {
	teachers := [2]network.Teacher{network.Linear(1), network.Quadratic(0, 1, math.Sqrt(0.5), 0)}
	s := network.Setup{Phi: 0.6, Psi: 0.6, Act: act, Teacher: teachers[0]}
	step := s.Draw(t.Rand, int(math.Round(float64(n)*math.Sqrt(s.Phi))))
	rows, d := step.X.Dims()
	fresh := features.Gaussian(t.Rand, rows, d)
	z := features.PreActivations(fresh, step.W)
	for i, teacher := range teachers {
		if !slices.Contains(settings, names[i]) {
			continue
		}
		labels := features.Teacher{Direction: step.Target, Link: teacher.Link, Noise: teacher.Noise}
		beta := network.Correlate(step.X, labels.Labels(t.Rand, step.X))
		out[i] = errors(act, z, step.A, network.Times(fresh, beta), labels.Labels(t.Rand, fresh), alphas)
	}
	return out
}

// errors returns the errors after steps of sizes n^α for labels y, with u = Xβ.
func errors(act network.Activation, z *mat.Dense, a, u, y, alphas []float64) []float64 {
	const ridge = 0.01
	n := len(y)
	return network.Map(alphas, func(alpha float64) float64 {
		var moved mat.Dense
		eta := math.Pow(float64(n), alpha)
		moved.RankOne(z, eta*act.Closed.Coefficient(1), mat.NewVecDense(n, u), mat.NewVecDense(len(a), a))
		regression := must.Get(features.NewRegression(features.Overwrite(act.Run, &moved), ridge))
		return regression.Fits(mat.NewDense(1, n, y), features.Added{})[0].LeaveOneOut
	})
}

// minEffect is the share of what the limits say that is claimed.
const minEffect = 0.25

// conclude holds medians against a share of what the limits say.
func conclude(r *props.Record, _ []int, all []shown, claim gains) {
	late := network.Map(all, func(m shown) float64 { return m.Late })
	difference := network.Map(all, func(m shown) float64 { return m.More })
	first, second := claim.first(all[0].N), claim.second(all[0].N)
	for _, criterion := range []struct {
		name    string
		values  []float64
		claimed float64
	}{{beyond, late, second}, {more, difference, second - first}} {
		iv := stat.Median(criterion.values, stat.CriterionAlpha)
		r.MeasuredBelow(criterion.name, iv, criterion.claimed)
		r.Effect(criterion.name, iv, 0, minEffect*criterion.claimed)
	}
	r.Draw(func() props.Figure { return figure(all) })
}

// gains are the claimed log L(0.5)/L(0.1) in the two settings at n samples.
type gains struct{ first, second func(n int) float64 }

// predicted is the limit of log L(0.5)/L(0.1) in a setting, with two terms.
func predicted(setting int) func(n int) float64 {
	return func(n int) float64 {
		at := func(alpha float64) float64 {
			return theory.SettingError(theory.SettingTeachers[setting], float64(n), alpha)
		}
		return math.Log(at(0.5) / at(0.1))
	}
}

// figure shows medians with the middle half, and the limits with two terms.
func figure(all []shown) props.Figure {
	out := curves(all[0].N, "medians over networks with the middle half, and the limits with two terms at n = %d "+
		"(dashed). Setting 1 gains little, Setting 2 a second time beyond α = 1/4.")
	for s := range names {
		for k := range alphas {
			var errors []float64
			for i := 0; i < len(all); i += drawn {
				errors = append(errors, all[i].Curve[s][k])
			}
			slices.Sort(errors)
			q := len(errors) / 4
			curve := &out.Curves[2*s]
			curve.Lo, curve.Hi = append(curve.Lo, errors[q]), append(curve.Hi, errors[len(errors)-1-q])
			curve.Y = append(curve.Y, errors[len(errors)/2])
		}
	}
	return out
}

// curves has the limits at n samples, and points still to be filled in.
func curves(n int, points string) props.Figure {
	out := props.Figure{ID: "settings", Title: "Test error against the exponent of the step size",
		Caption: "Mean square over samples that are left out, against α, η = n^α: " + fmt.Sprintf(points, n),
		X:       props.Axis{Label: "α"}, Y: props.Axis{Label: "test error"}}
	for s, name := range names {
		limit := network.Map(alphas, func(alpha float64) float64 {
			return theory.SettingError(theory.SettingTeachers[s], float64(n), alpha)
		})
		out.Curves = append(out.Curves, props.Curve{Name: name, Style: props.Points, X: alphas},
			props.Curve{Name: name + ", limit", Style: props.Dashed, X: alphas, Y: limit})
	}
	return out
}

// affordable is n of a simulation.
func affordable(t *props.Trial, v statement.Values) int {
	n := v.Int("n")
	t.Need(n <= 2000, "n = %d is more than 2000: choose a smaller n", n)
	return n
}

// drawCurves shows one network in both settings.
func drawCurves(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	n := affordable(t, v)
	out := curves(n, "one network with n = N = %d, and the limits with two terms at that n (dashed).")
	for s, errors := range leftOut(t, relu, n, names, alphas) {
		out.Curves[2*s].Y = errors
	}
	return []props.Figure{out}, nil
}
