// Package reuse pairs the claim onestep/reuse with regressions on the samples of the step.
package reuse

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
	statement "github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/reuse.
var Claim = props.Spec{
	Statement: &theory.Reuse,
	Checks: []props.Check{
		props.Drawn[instance, struct{}]{
			Name:       "closed forms",
			Cases:      props.Scale{Quick: 300, Standard: 2000, Deep: 50000},
			Regimes:    []string{"N ≤ n", "N > n", "c⋆₁ = 0"},
			Draw:       draw,
			Judge:      judge,
			Replicates: 3,
			Controls: []props.Wrong[instance, struct{}]{
				{Name: "half of the objective on fresh samples", Criterion: less,
					Alter: func(in *instance) { in.fresh /= 2 }},
			},
		},
		props.Grid[cell, shares, shareClaim]{
			Name:       "regression",
			Cells:      cells,
			Regimes:    network.Map(setups, func(s setup) string { return s.Name }),
			Measure:    measure,
			Claim:      shareOf,
			Conclude:   conclude,
			Replicates: 1,
			Controls: []props.WrongCell[cell, shares, shareClaim]{
				{Name: "fresh samples", Assumption: "own-samples", Measure: measureFresh, On: tellsFresh},
				{Name: "the formula for fresh samples", Instead: shareOfFresh},
				{Name: "a quarter of the share", Instead: func(r theory.Risk) float64 { return shareOf(r) / 4 }},
				{Name: "no noise in β", Instead: shareWithoutNoise},
			},
		},
	},
	Along: &props.Along{
		Param: "lambda", From: 0.01, To: 10, Of: []string{"own", "fresh", "before"},
		At: map[string]string{"n": "200"}, Y: "objective", Places: 7, Reps: 3,
	},
	Try: &props.Simulation{Params: network.Samples(4, 4000, "600"), Run: try},
}.Claim()

const (
	less  = "objective on the step's samples, at most that on fresh ones"
	share = "share that the step takes of the objective, minus prediction"
)

// instance is a regression after one strong term.
type instance struct {
	Phi, Psi, Lambda, C1, Rest, Linear, Noise float64

	own, fresh float64
}

func (in instance) risk() theory.Risk {
	return theory.Risk{Phi: in.Phi, Psi: in.Psi, Lambda: in.Lambda, Terms: 1, Eta: math.Inf(1),
		Activation: hermite.Series(0, in.C1, math.Sqrt(in.Rest/2)),
		Teacher:    theory.Teacher{Coefficients: []float64{0, in.Linear}, Noise: in.Noise}}
}

func draw(t *props.T) instance {
	in := instance{
		Phi: gen.LogUniform(t.T, "φ", 0.01, 100), Psi: gen.LogUniform(t.T, "ψ", 0.01, 100),
		Lambda: gen.LogUniform(t.T, "λ", 1e-4, 1e4), C1: gen.LogUniform(t.T, "c₁", 0.1, 5),
		Rest: gen.LogUniform(t.T, "c²_{>1}", 0.01, 20), Linear: gen.LogUniform(t.T, "c⋆₁", 0.1, 10),
		Noise: gen.LogUniform(t.T, "τ²", 0.05, 20),
	}
	if rapid.IntRange(0, 4).Draw(t.T, "c⋆₁ = 0") == 0 {
		in.Linear = 0
	}
	in.own, in.fresh = limits(in.risk())
	return in
}

// limits are the objectives on the step's samples and on fresh ones; a failure is a NaN, which no criterion accepts.
func limits(r theory.Risk) (own, fresh float64) {
	own, err := r.Reused()
	e, other := r.Errors()
	if err != nil || other != nil {
		return math.NaN(), math.NaN()
	}
	return own, e.Objective
}

// judge allows roundings of λm₁E y², which bounds all terms.
func judge(r *props.Record, in instance, _ struct{}) {
	r.RegimeOf(in.Phi > in.Psi, in.Linear == 0)
	e, err := in.risk().Errors()
	if err != nil {
		r.Holds("the equations have a solution", false)
		return
	}
	slack := 512 * r.Unit() * in.Lambda * e.Resolvent.All * (in.Linear*in.Linear + in.Noise)
	r.AtMost(less, in.own, in.fresh, slack)
}

// setup is a network with a teacher.
type setup struct {
	Name string // the regime
	Act  network.Activation
	Risk theory.Risk
	SD   float64 // of the share in one cell, at sizes √(nd) of 80 and 160; it falls as a size to the power of 0.6 to 1
}

var setups = []setup{
	of("linear teacher", "sincos", 0.5, 0.5, 0.1, []float64{0, 1}, 1, 0.02),
	of("odd activation", "tanh", 0.8, 0.4, 0.05, []float64{0, 1}, 0.25, 0.02),
	of("nonlinear teacher", "relu", 0.6, 0.6, 0.1, []float64{0, 1, math.Sqrt(0.5)}, 0, 0.02),
	of("d > n, c⋆₁ = 0", "phase-sine", 1.5, 2, 0.1, []float64{0}, 1, 0.0235),
}

func of(name, activation string, phi, psi, lambda float64, teacher []float64, noise, sd float64) setup {
	act := network.Named(activation)
	return setup{name, act, theory.Risk{Phi: phi, Psi: psi, Lambda: lambda, Activation: act.Closed, Terms: 1,
		Eta: math.Inf(1), Teacher: theory.Teacher{Coefficients: teacher, Noise: noise}}, sd}
}

// cell is a replicate of some networks of a size √(nd) and of some of twice that. In twice the larger size minus the
// smaller one both scatter alike, and the smaller costs a sixth.
type cell struct {
	Setup, Index                    int
	Size, Networks, NetworksOfTwice int
}

func (c cell) String() string { return fmt.Sprintf("%s/%d", setups[c.Setup].Name, c.Index) }

func cells(e props.Effort) []cell {
	at := cell{Size: base.At(e), Networks: props.Scale{Quick: 2, Standard: 5, Deep: 5}.At(e),
		NetworksOfTwice: props.Scale{Quick: 1, Standard: 2, Deep: 2}.At(e)}
	var out []cell
	for at.Setup = range setups {
		for at.Index = range (props.Scale{Quick: 64, Standard: 144, Deep: 200}).At(e) {
			out = append(out, at)
		}
	}
	return out
}

// base is the smaller size.
var base = props.Scale{Quick: 28, Standard: 80, Deep: 250}

// shares holds the shares of the objective that the step takes, at a size and at twice that.
type shares struct{ Once, Twice float64 }

func measure(t *props.Trial, c cell) shares {
	return shares{c.share(t, c.Size, c.Networks, true), c.share(t, 2*c.Size, c.NetworksOfTwice, true)}
}

// measureFresh regresses on fresh samples. It is far off: small networks show it, and the margin is the margin of the
// claim.
func measureFresh(t *props.Trial, c cell) shares {
	return shares{c.share(t, base.Quick, 1, false), c.share(t, 2*base.Quick, 1, false)}
}

// tellsFresh are cells of the setup in which it is seen most.
func tellsFresh(c cell) bool { return setups[c.Setup].Name == "d > n, c⋆₁ = 0" && c.Index < 64 }

// share is the mean over some networks.
func (c cell) share(t *props.Trial, size, networks int, reuse bool) (mean float64) {
	for range networks {
		before, after := setups[c.Setup].regress(t, size, reuse)
		mean += (1 - after/before) / float64(networks)
	}
	return mean
}

// pairs is the number of pairs of opposite teachers that share one factorisation.
const pairs = 24

// regress returns mean objectives over the teachers before the step and after it.
func (s setup) regress(t *props.Trial, size int, reuse bool) (before, after float64) {
	d := teachers.Sample(t.Rand, s.Act, s.Risk, size, pairs, reuse)
	regression := must.Get(features.NewRegression(d.Features, s.Risk.Lambda))
	return teachers.Mean(regression.Fits(d.Labels, features.Added{})).Objective,
		teachers.Mean(regression.Fits(d.Labels, d.Added(s.Risk))).Objective
}

// shareClaim is the share that the step takes of the objective.
type shareClaim func(theory.Risk) float64

// shareOf returns the share on the step's own samples.
func shareOf(r theory.Risk) float64 {
	own, _ := limits(r)
	return 1 - own/untrained(r)
}

func shareOfFresh(r theory.Risk) float64 {
	_, fresh := limits(r)
	return 1 - fresh/untrained(r)
}

// shareWithoutNoise has none in β, unless all labels are noise.
func shareWithoutNoise(r theory.Risk) float64 {
	if r.Teacher.Coefficient(1) != 0 {
		r.Teacher.Noise = 0
	}
	return shareOf(r)
}

// untrained is the objective before the step.
func untrained(r theory.Risk) float64 {
	r.Terms = 0
	e, err := r.Errors()
	if err != nil {
		return math.NaN()
	}
	return e.Objective
}

func conclude(r *props.Record, cells []cell, all []shares, claim shareClaim) {
	for i, s := range setups {
		r.Regime(s.Name)
		var values []float64
		for k, c := range cells {
			if c.Setup == i {
				values = append(values, 2*all[k].Twice-all[k].Once)
			}
		}
		if len(values) == 0 {
			continue
		}
		want := claim(s.Risk)
		scale := 80 / float64(cells[0].Size)
		limit := props.Limit{Name: share, SD: s.SD * math.Pow(scale, 0.75), Bias: 0.005 * scale * scale}
		limit.Absolute(r, network.Map(values, func(x float64) float64 { return x - want }), 0)
	}
}

// try regresses teachers with Gaussian noise for all that is not linear.
func try(t *props.Trial, v statement.Values) (map[string]float64, error) {
	s := of("", v.Choice("activation"), v.Float("phi"), v.Float("psi"), v.Float("lambda"),
		[]float64{0, v.Float("linear")}, v.Float("rest"), 0)
	size := teachers.Size(t, v, s.Risk)
	before, own := s.regress(t, size, true)
	_, fresh := s.regress(t, size, false)
	return map[string]float64{"own": own, "fresh": fresh, "before": before}, nil
}
