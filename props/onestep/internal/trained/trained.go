// Package trained pairs the claim onestep/trained with networks after one step along their gradient.
package trained

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/trained.
var Claim = props.Spec{
	Statement: &theory.TrainedNetworks,
	Checks: []props.Check{props.Grid[network.Cell, []ratios, ratiosClaim]{
		Name: "gradient and displayed weights",
		Cells: func(e props.Effort) []network.Cell {
			count := props.Scale{Quick: 128, Standard: 216, Deep: 400}.At(e)
			// The last one tells the lean from none: with as many cells the interval ends a half-width beyond the margin.
			more := props.Scale{Quick: 208, Standard: 216, Deep: 400}.At(e)
			last := len(names) - 1
			return append(network.CellsOf(names[:last], count), network.CellsOf(names[last:], more)...)
		},
		Regimes:    names,
		Measure:    measure,
		Claim:      ratiosClaim{theory.Trained.Ratios, theory.Trained.RatiosOfLean},
		Conclude:   conclude,
		Replicates: 1,
		Controls: []props.WrongCell[network.Cell, []ratios, ratiosClaim]{
			{Name: "the limit of large N", Assumption: "finite", Criterion: objective,
				Instead: ratiosClaim{log: theory.Trained.RatiosOfLimit}},
			{Name: none, Assumption: "gradient", Criterion: objective,
				Instead: ratiosClaim{log: times(0, theory.Trained.Ratios)}},
			{Name: "no difference in the test error", Criterion: test, As: none},
			{Name: "regression on the step's own samples", Assumption: "fresh", Criterion: objective,
				Measure: measureReused, On: tellsReuse},
			{Name: opposite, Criterion: test,
				Instead: ratiosClaim{log: times(-1, theory.Trained.Ratios)}},
			{Name: "an objective that is higher", Criterion: lower, As: opposite},
			{Name: "rows that do not lean", Assumption: "lean", Criterion: leanObjective,
				Instead: ratiosClaim{lean: times(0, theory.Trained.RatiosOfLean)}},
			{Name: "the opposite lean", Criterion: leanTest,
				Instead: ratiosClaim{lean: times(-1, theory.Trained.RatiosOfLean)}},
		},
		Coarse: map[string]string{objective: "one network scatters by 0.2", test: "one network scatters by 0.3",
			leanObjective: "one network scatters by 0.2", leanTest: "one network scatters by 0.2"},
		Chosen: map[string][]string{"margin": {objective, test, leanObjective, leanTest}},
	}},
	Along: &props.Along{
		Param: "N", From: 50, To: 200, Of: []string{"objective", "test"},
		Y: "log ratio, gradient over displayed weights", Places: 3, Reps: 9,
	},
	Try: &props.Simulation{Run: try},
}.Claim()

// Controls that others share.
const (
	none     = "no difference in the objective"
	opposite = "the opposite difference"
)

// The criteria.
const (
	objective = "log ratio of objectives"
	test      = "log ratio of test errors"
	lower     = "log ratio of objectives, below 0"

	leanObjective = "log ratio of objectives, with the lean over without"
	leanTest      = "log ratio of test errors, with the lean over without"
)

// Margins are part of the claim.
const (
	margin     = 0.08
	leanMargin = 0.06
)

// minEffect is the smallest log ratio of objectives that is claimed, on the side of 0 that the formula says.
const minEffect = 0.05

// setup is a network with a teacher, at any size.
type setup struct {
	Name string // the regime
	theory.Trained
	SD, LeanSD [2]float64 // of a network at √(nd) = 40
}

// The lean makes most of the log ratios in the last one.
var setups = []setup{
	{"N = n = d", theory.Trained{Phi: 1, Psi: 1, Lambda: 4, First: 1, Second: 1, Linear: 1, Square: 0.5, Noise: 1,
		Kappa: 2, Rows: true, Lean: true}, [2]float64{0.19, 0.27}, [2]float64{0.115, 0.19}},
	{"N = n = 2d", theory.Trained{Phi: 0.5, Psi: 0.5, Lambda: 4, First: 1, Second: 1, Linear: 1, Square: 0.7, Noise: 1,
		Kappa: 3, Rows: true, Lean: true}, [2]float64{0.175, 0.25}, [2]float64{0.135, 0.195}},
	{"N = n = 10d/3", theory.Trained{Phi: 0.3, Psi: 0.3, Lambda: 4, First: 1, Second: 1, Linear: 1, Square: 1,
		Noise: 0.2, Kappa: 2, Rows: true, Lean: true}, [2]float64{0.225, 0.285}, [2]float64{0.21, 0.25}},
}

var names = network.Map(setups, func(s setup) string { return s.Name })

// ratios are means of log ratios over networks: of the objective and of the test error.
type ratios struct {
	Width, Networks int
	Log, Lean       [2]float64
}

// sizes are √(nd), and of how many networks a cell takes means: one size is looked at closely, and the other one a
// little.
var sizes = []struct{ size, networks props.Scale }{
	{props.Scale{Quick: 48, Standard: 80, Deep: 160}, props.Scale{Quick: 5, Standard: 6, Deep: 10}},
	{props.Scale{Quick: 64, Standard: 48, Deep: 80}, props.Scale{Quick: 1, Standard: 3, Deep: 4}},
}

func measure(t *props.Trial, c network.Cell) (out []ratios) {
	s := setups[slices.Index(names, c.Setup)]
	for _, at := range sizes {
		out = append(out, s.average(t, at.size.At(t.Effort), at.networks.At(t.Effort), false))
	}
	return out
}

// measureReused is far off: small networks show it.
func measureReused(t *props.Trial, c network.Cell) []ratios {
	return []ratios{setups[slices.Index(names, c.Setup)].average(t, 40, 2, true)}
}

// tellsReuse are cells of the setup in which it is seen, and of the others as many as an interval needs.
func tellsReuse(c network.Cell) bool { return c.Index < 32 || c.Setup == names[0] && c.Index < 128 }

// average takes means over some networks.
func (s setup) average(t *props.Trial, size, count int, reuse bool) ratios {
	out := ratios{Networks: count}
	for range count {
		log, lean, width := s.compare(t, size, reuse)
		out.Width = width
		for k := range log {
			out.Log[k] += log[k] / float64(count)
			out.Lean[k] += lean[k] / float64(count)
		}
	}
	return out
}

// network is the setup as networks are drawn.
func (s setup) network() network.Setup {
	return network.Setup{Phi: s.Phi, Psi: s.Psi, Act: network.Series(0, s.First, s.Second),
		Teacher: network.Quadratic(0, s.Linear, s.Square, math.Sqrt(s.Noise))}
}

// compare returns the log ratios of one network, and its width. The regression is on fresh samples, or on the step's.
func (s setup) compare(t *props.Trial, size int, reuse bool) (log, lean [2]float64, width int) {
	at := s.network()
	h := at.Draw(t.Rand, size)
	n, d := h.X.Dims()
	fresh, y := h.X, mat.NewDense(1, n, h.Y)
	if !reuse {
		fresh = features.Gaussian(t.Rand, n, d)
		y = labels(t, at.Teacher, network.Times(fresh, h.Target))
	}
	s.Width = float64(len(h.A))
	eta := s.Kappa * math.Pow(s.Width, 0.25)
	displayed := mat.DenseCopyOf(h.W)
	displayed.RankOne(displayed, eta*s.First, mat.NewVecDense(len(h.A), h.A), mat.NewVecDense(d, h.Beta))
	w := algebra.Sum(algebra.Scaled(eta, h.Gradient(at.Act.Run)), h.W)
	before, after := s.fit(at, fresh, displayed, y), s.fit(at, fresh, w, y)
	straight := s.fit(at, fresh, beside(w, displayed, h.Beta, h.Target), y)
	return logs(after, before), logs(after, straight), len(h.A)
}

// labels returns the labels of samples with β⋆ᵀx = z, with eight draws of the noise and their negatives.
func labels(t *props.Trial, teacher network.Teacher, z []float64) *mat.Dense {
	const draws = 8
	y := mat.NewDense(2*draws, len(z), nil)
	for k := range draws {
		for i, z := range z {
			e := teacher.Noise * t.Rand.NormFloat64()
			y.Set(2*k, i, teacher.Link(z)+e)
			y.Set(2*k+1, i, teacher.Link(z)-e)
		}
	}
	return y
}

// beside is w with w − base taken out of the plane of two vectors.
func beside(w, base *mat.Dense, one, two []float64) *mat.Dense {
	across := append([]float64{}, two...)
	floats.AddScaled(across, -floats.Dot(one, two)/floats.Dot(one, one), one)
	rest := algebra.Difference(w, base)
	out := mat.DenseCopyOf(w)
	for _, v := range [][]float64{one, across} {
		along := network.Times(rest, v)
		out.RankOne(out, -1/floats.Dot(v, v), mat.NewVecDense(len(along), along), mat.NewVecDense(len(v), v))
	}
	return out
}

// fit returns mean errors over labels in rows, for regressions on the features of these weights.
func (s setup) fit(at network.Setup, x, w, y *mat.Dense) features.Fit {
	f := features.Overwrite(at.Act.Run, features.PreActivations(x, w))
	regression := must.Get(features.NewRegression(f, s.Lambda))
	return teachers.Mean(regression.Fits(y, features.Added{}))
}

func logs(after, before features.Fit) [2]float64 {
	return [2]float64{math.Log(after.Objective / before.Objective), math.Log(after.LeaveOneOut / before.LeaveOneOut)}
}

// ratiosClaim are log ratios, of the objective and of the test error: of the gradient over the displayed weights, and
// of rows that lean over rows that do not.
type ratiosClaim struct{ log, lean logRatios }

type logRatios func(theory.Trained) (objective, test float64, err error)

// times has them multiplied by a factor.
func times(factor float64, of logRatios) logRatios {
	return func(t theory.Trained) (objective, test float64, err error) {
		objective, test, err = of(t)
		return factor * objective, factor * test, err
	}
}

// of returns the logarithms of the ratios of a setup. A failure is a NaN, which no criterion accepts.
func (l logRatios) of(s setup) [2]float64 {
	objective, test, err := l(s.Trained)
	if err != nil {
		return [2]float64{math.NaN(), math.NaN()}
	}
	return [2]float64{objective, test}
}

func conclude(r *props.Record, cells []network.Cell, all [][]ratios, claim ratiosClaim) {
	for _, s := range setups {
		r.Regime(s.Name)
		mine := network.Measured(s.Name, cells, all)
		for i := range mine[0] {
			s.conclude(r, network.Map(mine, func(sizes []ratios) ratios { return sizes[i] }), claim)
		}
	}
}

// conclude compares at one size.
func (s setup) conclude(r *props.Record, mine []ratios, claim ratiosClaim) {
	s.Width = float64(mine[0].Width)
	// Like means over samples, one network scatters as 1/√n.
	spread := math.Sqrt(40 / (s.Width * s.Psi / math.Sqrt(s.Phi)) / float64(mine[0].Networks))
	log, lean := claim.log.of(s), claim.lean.of(s)
	objectives := stat.Median(network.Map(mine, func(m ratios) float64 { return m.Log[0] }), stat.CriterionAlpha/2)
	r.Effect(lower, objectives, 0, math.Copysign(minEffect, log[0]))
	for k, name := range []string{objective, test} {
		props.Limit{Name: name, SD: s.SD[k] * spread, Bias: margin}.Absolute(r,
			network.Map(mine, func(m ratios) float64 { return m.Log[k] }), log[k])
	}
	for k, name := range []string{leanObjective, leanTest} {
		props.Limit{Name: name, SD: s.LeanSD[k] * spread, Bias: leanMargin}.Absolute(r,
			network.Map(mine, func(m ratios) float64 { return m.Lean[k] }), lean[k])
	}
}

// try takes one network.
func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	s := setup{Trained: theory.TrainedFrom(v)}
	size := s.Width * s.Psi / math.Sqrt(s.Phi)
	n, d, width := s.network().Shape(int(math.Round(size)))
	work := float64(n) * (float64(n) + float64(d)) * float64(width)
	t.Need(work <= 2e9, "n(n + d)N = %.2g is more than 2e9: choose a smaller N", work)
	log, _, _ := s.compare(t, int(math.Round(size)), false)
	return map[string]float64{"objective": log[0], "test": log[1]}, nil
}
