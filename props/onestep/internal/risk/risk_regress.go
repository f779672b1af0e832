package risk

import (
	"fmt"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// regressed holds the measurements of one network, on average over all teachers.
type regressed struct {
	N, D      int
	Width     int
	Traces    theory.Resolvent  // of this matrix of features
	Fits      map[string]fitted // by the case
	Alignment float64           // squared cosine of β with β⋆
}

// fitted are mean errors, and what follows from these traces and these vectors.
type fitted struct {
	features.Fit
	Cross  float64                  // the mean of the training error over (λ tr R)², R after the step
	Want   theory.Errors            // for the regression that was run
	Others map[string]theory.Errors // for [others] that it is told from
}

// base is the smaller size √(nd); the larger one is four times that.
var base = props.Scale{Quick: 22, Standard: 36, Deep: 90}

// small is the number of networks of the smaller size in a cell, which cost a tenth of the large one.
const small = 3

// measure regresses at both sizes, the larger one first.
func measure(t *props.Trial, c network.Cell) []regressed {
	s := setupOf(c)
	size, large := s.sizes(t.Effort)
	return networks(t, s, size, large, small, false)
}

// measureReused regresses on the step's own samples, and measureMean has labels with a mean that the claimed ρ² does
// not count. Both are far off.
func measureReused(t *props.Trial, c network.Cell) []regressed {
	return networks(t, setupOf(c), 12, 48, 1, true)
}

func measureMean(t *props.Trial, c network.Cell) []regressed {
	s := setupOf(c)
	s.Risk.Teacher.Coefficients = slices.Clone(s.Risk.Teacher.Coefficients)
	s.Risk.Teacher.Coefficients[0] += 5
	return networks(t, s, 8, 32, 1, false)
}

// first80 picks as many cells of a setup.
func first80(setup string) func(network.Cell) bool {
	return func(c network.Cell) bool { return c.Setup == setup && c.Index < 80 }
}

func setupOf(c network.Cell) setup { return setups[slices.Index(regimes, c.Setup)] }

// shaped has φ and ψ of this network, which are rounded: extrapolation does not take out what rounding does.
func (m regressed) shaped(r theory.Risk) theory.Risk {
	r.Phi, r.Psi = float64(m.D)/float64(m.N), float64(m.D)/float64(m.Width)
	return r
}

// networks regresses in one large network and in some of the smaller size.
func networks(t *props.Trial, s setup, size, large, count int, reuse bool) []regressed {
	out := []regressed{regress(t, s, large, 2, reuse)}
	for range count {
		out = append(out, regress(t, s, size, 1, reuse))
	}
	return out
}

// regress averages over pairs of teachers with orthogonal directions and noise, one in every sparsity dimensions, which
// removes most of the scatter of errors from one direction to the next.
func regress(t *props.Trial, s setup, size, sparsity int, reuse bool) regressed {
	n, dim, width := network.Setup{Phi: s.Risk.Phi, Psi: s.Risk.Psi}.Shape(size)
	d := teachers.Sample(t.Rand, s.Act, s.Risk, size, min(n, dim)/sparsity, reuse)
	regression := must.Get(features.NewRegression(d.Features, s.Risk.Lambda))
	out := regressed{N: n, D: dim, Width: width, Traces: teachers.Traces(regression, s.Act, d.Fresh),
		Alignment: d.Alignment(), Fits: map[string]fitted{}}
	for name, risk := range s.cases(width) {
		added := d.Added(risk)
		fits := regression.Fits(d.Labels, added)
		f := fitted{Fit: teachers.Mean(fits), Want: out.claim(d, fits, added, risk)}
		for _, fit := range fits {
			f.Cross += fit.Train / math.Pow(risk.Lambda*fit.Trace, 2) / float64(len(fits))
		}
		if told, ok := s.Other[name]; ok {
			other := risk
			others[told](&other)
			f.Others = map[string]theory.Errors{told: out.claim(d, fits, d.Added(other), other)}
		}
		out.Fits[name] = f
	}
	return out
}

// claim are the mean errors that follow from the traces and from the scalar products of the labels and of all spikes,
// F₀'s own ones included, in these samples.
func (m regressed) claim(d teachers.Draw, fits []features.Fit, added features.Added, risk theory.Risk) theory.Errors {
	spikes := d.Own(risk.Activation.Coefficient(2), risk.GaussianRows)
	return teachers.Claimed(d.Forms(spikes, added, risk), fits, risk.Lambda, m.Traces)
}

// errorsClaim holds the closed forms that the judge compares: the errors that follow, the limits of the traces, and the
// mean by which the criterion cross divides the test error.
type errorsClaim struct {
	errors func(fitted) theory.Errors
	traces func(theory.Risk) theory.Resolvent
	train  func(fitted) float64
}

var stated = errorsClaim{
	errors: func(f fitted) theory.Errors { return f.Want },
	traces: func(r theory.Risk) theory.Resolvent { return teachers.Solved(r).Resolvent },
	train:  func(f fitted) float64 { return f.Cross },
}

// another claims the errors of one of [others], in the cases that are told from it.
func another(regression string) errorsClaim {
	return errorsClaim{errors: func(f fitted) theory.Errors {
		if errors, ok := f.Others[regression]; ok {
			return errors
		}
		return f.Want
	}}
}

// tracesOf claims the traces of another regression.
func tracesOf(change func(*theory.Risk)) errorsClaim {
	return errorsClaim{traces: func(r theory.Risk) theory.Resolvent {
		change(&r)
		return teachers.Solved(r).Resolvent
	}}
}

// others are regressions that a case is told from.
var others = map[string]func(*theory.Risk){
	"no step":        func(r *theory.Risk) { r.Terms = 0 },
	"displayed":      func(r *theory.Risk) { r.Trained = false },
	"unit rows":      func(r *theory.Risk) { r.GaussianRows = false },
	"strong":         func(r *theory.Risk) { r.Eta = math.Inf(1) },
	"penalty over n": func(r *theory.Risk) { r.Lambda *= r.Phi / r.Psi },
	"all of it noise": func(r *theory.Risk) {
		r.Teacher.Noise += r.Teacher.Energy()
		r.Teacher.Coefficients = nil
	},
}

// errorKinds are the errors that are looked at.
var errorKinds = []string{"objective", "test error"}

// criterion is the name of a limit.
func criterion(kind, name string) string { return fmt.Sprintf("%s, %s", kind, name) }

// over returns a kind of error over what is claimed of it.
func (m regressed) over(name, kind string, c errorsClaim) float64 {
	f := m.Fits[name]
	want := c.errors(f)
	if kind == "test error" {
		return f.LeaveOneOut / want.Test
	}
	return f.Objective / want.Objective
}

func conclude(r *props.Record, cells []network.Cell, all [][]regressed, claim errorsClaim) {
	for _, s := range setups {
		r.Regime(s.Name)
		if mine := network.Measured(s.Name, cells, all); len(mine) > 0 {
			s.conclude(r, mine, claim)
		}
	}
}

// conclude compares errors with what follows from the traces of the features at hand, and these with their limits.
func (s setup) conclude(r *props.Record, mine [][]regressed, claim errorsClaim) {
	_, large := s.sizes(props.Standard)
	n, _, _ := network.Setup{Phi: s.Risk.Phi, Psi: s.Risk.Psi}.Shape(large)
	scale := float64(n) / float64(mine[0][0].N)
	judge := func(name string, sd float64, value func(regressed) float64) {
		network.TwoSizes(name, sd, scale).Judge(r,
			network.Map(mine, func(sizes []regressed) float64 { return network.LimitOf(sizes, value) }), 1)
	}
	for _, c := range []struct {
		name string
		sd   float64
	}{{random, s.SD.Random}, {strong, s.SD.Strong}} {
		for _, kind := range errorKinds {
			judge(criterion(kind, c.name), c.sd, func(m regressed) float64 { return m.over(c.name, kind, claim) })
		}
	}
	judge(cross, s.SD.Cross, func(m regressed) float64 { return m.Fits[strong].LeaveOneOut / claim.train(m.Fits[strong]) })
	judge(align, s.SD.Alignment, func(m regressed) float64 {
		return m.Alignment / math.Pow(m.shaped(s.Risk).Features().Step.Alignment(), 2)
	})
	want := map[int]theory.Resolvent{} // by n
	for _, sizes := range mine {
		for _, m := range sizes {
			if _, known := want[m.N]; !known {
				want[m.N] = claim.traces(m.shaped(s.Risk))
			}
		}
	}
	for k, c := range traces {
		judge(c.name, s.SD.Traces[k], func(m regressed) float64 { return c.value(m.Traces) / c.value(want[m.N]) })
	}
	if len(s.Steps) > 0 {
		shares := network.Map(mine, func(sizes []regressed) float64 {
			return network.LimitOf(sizes, func(m regressed) float64 { return m.share(claim) })
		})
		network.TwoSizes(share, 0.024, scale).Absolute(r, shares, 0)
	}
}

// The criteria that are sharper than those of errors.
const (
	share = "share of the gain at a finite step"
	cross = "test error over the training error/(λm₁)²"
	trace = "tr R over m₁"
)

// align is the criterion on which the limits of all scalar products of samples rest: β⋆ᵀx and βᵀx are jointly normal
// given β, with the correlation ρ.
const align = "squared cosine of β with β⋆ over ρ²"

// share returns the gain of a finite step over the gain of a strong one, minus the claim about this ratio.
func (m regressed) share(c errorsClaim) float64 {
	var want, got [3]float64
	for i, name := range []string{random, strong, finite} {
		f := m.Fits[name]
		want[i], got[i] = f.Want.Objective, f.Objective
	}
	want[2] = c.errors(m.Fits[finite]).Objective
	return (got[0]-got[2])/(got[0]-got[1]) - (want[0]-want[2])/(want[0]-want[1])
}

// traces lists the traces that all errors are made of, over their limits.
var traces = []struct {
	name  string
	value func(theory.Resolvent) float64
}{
	{trace, func(v theory.Resolvent) float64 { return v.All }},
	{"n tr(XᵀRX)/|X|² over m₂", func(v theory.Resolvent) float64 { return v.Linear }},
	{"n tr R² over −m₁′", func(v theory.Resolvent) float64 { return v.DAll }},
	{"n² tr(XᵀR²X)/|X|² over −m₂′", func(v theory.Resolvent) float64 { return v.DLinear }},
}
