package risk

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	"github.com/thm-suite/thm/props/onestep/teachers"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// cell is one network of two sizes.
type cell struct {
	Setup string
	Index int
}

// regressed is what one network shows on average over all teachers.
type regressed struct {
	N, Width int
	Traces   theory.Resolvent        // of this matrix of features
	Lengths  float64                 // mean of |x|²/d
	Energy   float64                 // E y² over all directions and the noise, for these samples
	Fits     map[string]features.Fit // by the case
}

func cells(count int) []cell {
	var out []cell
	for _, s := range setups {
		for i := range count {
			out = append(out, cell{s.Name, i})
		}
	}
	return out
}

// base is the smaller size √(nd).
var base = props.Scale{Quick: 52, Standard: 72, Deep: 250}

// pairs is how many pairs of opposite teachers share one factorisation.
var pairs = props.Scale{Quick: 48, Standard: 64, Deep: 128}

// measure regresses at two sizes, one twice the other: errors of order 1/d cancel in twice the second minus the first.
func measure(t *props.Trial, c cell, done string) []regressed {
	s, size := by(c.Setup), base.At(t.Effort)
	if done == "reuse" {
		size = 36
	}
	var out []regressed
	for _, size := range []int{size, 2 * size} {
		out = append(out, regress(t, s, size, done))
	}
	return out
}

// regress averages over all directions and the noise of the fresh labels, exactly for random features; what the step
// changes is averaged over some teachers.
func regress(t *props.Trial, s setup, size int, done string) regressed {
	d := teachers.Sample(t.Rand, s.Act, s.Risk, size, pairs.At(t.Effort), done == "reuse")
	regression, err := features.NewRegression(d.Features, s.Risk.Lambda)
	if err != nil {
		panic(err)
	}
	n, width := d.Features.Dims()
	second, frobenius := teachers.Moments(s.Risk.Teacher, d.Fresh), mat.Norm(d.Fresh, 2)
	initial := regression.Average(second)
	_, dim := d.Fresh.Dims()
	out := regressed{N: n, Width: width, Traces: teachers.Traces(regression, s.Act, d.Fresh),
		Energy:  mat.Trace(second) / float64(n),
		Lengths: frobenius * frobenius / float64(n*dim), Fits: map[string]features.Fit{random: initial}}
	before := teachers.Mean(regression.Fits(d.Labels, features.Added{}))
	for name, risk := range s.cases(width) {
		if name != random || s.Risk.Intercept {
			after := teachers.Mean(regression.Fits(d.Labels, d.Added(risk)))
			out.Fits[name] = features.Fit{
				Objective:   initial.Objective + after.Objective - before.Objective,
				Train:       initial.Train + after.Train - before.Train,
				LeaveOneOut: initial.LeaveOneOut + after.LeaveOneOut - before.LeaveOneOut,
			}
		}
	}
	return out
}

// errorKinds are the errors that are looked at.
var errorKinds = []string{"objective", "test error"}

// criterion is the name of a limit.
func criterion(kind, name string) string { return fmt.Sprintf("%s, %s", kind, name) }

// over returns a kind of error over what the claim makes of the traces of these features, and of what the samples have
// in the place of E y² and of c⋆₁², in which errors are linear but for what the step learns.
func (m regressed) over(s setup, name, kind, claimed string) float64 {
	e := m.claim(s, name, claimed)
	t, v := s.Risk.Teacher, m.Traces
	mean, linear, all := t.Coefficient(0), t.Coefficient(1), t.Energy()
	got, want, one, rest := m.Fits[name].Objective, e.Objective, v.Linear, v.All
	if kind == "test error" {
		got, want, one, rest = m.Fits[name].LeaveOneOut, e.Test, v.Bias(), v.Noise()
	}
	own := m.Energy
	if s.Risk.Intercept {
		own, all = own-mean*mean, all-mean*mean
	}
	linear *= linear
	return got / want * (one*linear + rest*(all-linear)) / (one*linear*m.Lengths + rest*(own-linear*m.Lengths))
}

// claim are the errors as a version of the claim has them. A failure is a NaN, which no criterion accepts.
func (m regressed) claim(s setup, name, claimed string) theory.Errors {
	e, err := wrong(s, s.cases(m.Width)[name], claimed).ErrorsAt(m.Traces)
	if err != nil {
		return theory.Errors{Objective: math.NaN(), Test: math.NaN()}
	}
	return e
}

// extrapolated is twice a value at the larger size minus that at the smaller one.
func extrapolated(sizes []regressed, value func(regressed) float64) float64 {
	return 2*value(sizes[1]) - value(sizes[0])
}

// wrong is a regression as a version of the claim has it.
func wrong(s setup, r theory.Risk, claimed string) theory.Risk {
	c := s.Risk.Teacher.Coefficients
	switch claimed {
	case "no step":
		r.Terms = 0
	case "displayed":
		r.Trained = false
	case "unit rows":
		r.GaussianRows = false
	case "strong":
		r.Eta = math.Inf(1)
	case "exchanged":
		r.Phi, r.Psi = r.Psi, r.Phi
	case "penalty over n":
		r.Lambda *= r.Phi / r.Psi
	case "all of it noise":
		r.Teacher.Noise += c[1] * c[1]
		r.Teacher.Coefficients = []float64{c[0]}
	case "linear features":
		c1 := r.Activation.Coefficient(1)
		r.Activation.Energy = c1 * c1
	}
	return r
}

func conclude(r *props.Record, cells []cell, all [][]regressed, claimed string) {
	for _, s := range setups {
		r.Regime(s.Name)
		var mine [][]regressed
		for i, c := range cells {
			if c.Setup == s.Name {
				mine = append(mine, all[i])
			}
		}
		s.conclude(r, mine, claimed)
	}
}

// conclude compares errors with what follows from the traces of the features at hand, and these with their limits, at
// two sizes, the larger one √(nd) = 144 at standard effort.
func (s setup) conclude(r *props.Record, mine [][]regressed, claimed string) {
	scale := 144 / (float64(mine[0][1].N) * math.Sqrt(s.Risk.Phi))
	values := func(value func(regressed) float64) []float64 {
		return network.Map(mine, func(sizes []regressed) float64 { return extrapolated(sizes, value) })
	}
	for i, name := range []string{random, strong} {
		for _, kind := range errorKinds {
			limit := network.Limit{Name: criterion(kind, name), SD: s.SD[i] * scale, Bias: beyond * scale * scale}
			limit.Judge(r, values(func(m regressed) float64 { return m.over(s, name, kind, claimed) }), 1)
		}
	}
	if len(s.Steps) > 0 {
		network.Limit{Name: share, SD: 0.1 * scale, Bias: 0.03 * scale * scale}.Absolute(r,
			values(func(m regressed) float64 { return m.share(s, claimed) }), 0)
	}
	network.Limit{Name: cross, SD: s.Cross * scale, Bias: beyond * scale * scale}.Judge(r,
		values(func(m regressed) float64 { return m.cross(s, claimed) }), 1)
	want := solved(wrong(s, s.Risk, claimed)).Resolvent
	for k, c := range traces {
		network.Limit{Name: c.name, SD: s.Trace[k] * scale, Bias: 0.02 * scale * scale}.Judge(r,
			values(func(m regressed) float64 { return c.value(m.Traces) / c.value(want) }), 1)
	}
}

// Relative errors of order 1/d² at the size of standard effort.
const beyond = 0.01

// The criteria that are sharper than those of errors.
const (
	share = "share of the gain at a finite step"
	cross = "training error over (λm₁)² times the test error"
	trace = "tr R over m₁"
)

// share is what a finite step gains over what a strong one gains, minus the claim.
func (m regressed) share(s setup, claimed string) float64 {
	var want, got [3]float64
	for i, name := range []string{random, strong, finite} {
		want[i], got[i] = m.claim(s, name, claimed).Objective, m.Fits[name].Objective
	}
	if want[0] == want[1] {
		want[1] = -1
	}
	return (got[0]-got[2])/(got[0]-got[1]) - (want[0]-want[2])/(want[0]-want[1])
}

// cross is what the trace says of the training error.
func (m regressed) cross(s setup, claimed string) float64 {
	shrunk := s.Risk.Lambda * m.Traces.All
	if claimed == "unbiased" {
		shrunk = 1
	}
	fit := m.Fits[strong]
	return fit.Train / (shrunk * shrunk * fit.LeaveOneOut)
}

// traces are what all errors are made of, over their limits.
var traces = []struct {
	name  string
	value func(theory.Resolvent) float64
}{
	{trace, func(v theory.Resolvent) float64 { return v.All }},
	{"tr(XᵀRX)/d over m₂", func(v theory.Resolvent) float64 { return v.Linear }},
	{"n tr R² over −m₁′", func(v theory.Resolvent) float64 { return v.DAll }},
	{"n tr(XᵀR²X)/d over −m₂′", func(v theory.Resolvent) float64 { return v.DLinear }},
}
