package universality

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// errorKinds are the errors that are compared.
var errorKinds = []string{"objective", "test error"}

// replaced is the name of a difference between F₀ without its own part and the Gaussian matrix, and own of that which
// this part makes.
func replaced(kind, name string) string { return fmt.Sprintf("%s, replaced, %s", kind, name) }

func own(kind, name string) string { return fmt.Sprintf("%s, F₀'s own part, %s", kind, name) }

// The criteria for traces.
const (
	all            = "tr R over m₁, random features"
	linear         = "tr(XᵀRX)/d over m₂, random features"
	gaussian       = "tr R over m₁, Gaussian matrix"
	linearGaussian = "tr(XᵀRX)/d over m₂, Gaussian matrix"
)

// extrapolated is twice a value at the larger size minus that at the smaller one.
func extrapolated(sizes []paired, value func(paired) float64) float64 {
	return 2*value(sizes[1]) - value(sizes[0])
}

// in are the measurements in a setup.
func in(setup int, cells []cell, measured [][]paired) [][]paired {
	var out [][]paired
	for k, c := range cells {
		if c.Setup == setup {
			out = append(out, measured[k])
		}
	}
	return out
}

func concludeReplaced(r *props.Record, cells []cell, measured [][]paired, claimed string) {
	for i, s := range setups {
		r.Regime(s.Name)
		mine := in(i, cells, measured)
		s.concludeTraces(r, mine, claimed)
		for _, name := range cases {
			for kind := range errorKinds {
				s.concludeReplaced(r, mine, name, kind, claimed)
			}
		}
	}
}

func concludeOwn(r *props.Record, _ []int, all [][]paired, claimed string) {
	for i, regime := range []string{small, large} {
		r.Regime(regime)
		mine := network.Map(all, func(sizes []paired) paired { return sizes[i] })
		for _, name := range cases {
			for kind := range errorKinds {
				setups[0].concludeOwn(r, mine, name, kind, claimed)
			}
		}
	}
}

// solved are the limits; a failure is a NaN, which no criterion accepts.
func solved(r theory.Risk) theory.Errors {
	e, err := r.Errors()
	if err != nil {
		return theory.Errors{Objective: math.NaN(), Test: math.NaN()}
	}
	return e
}

// limits are the error of random features and what F₀'s own part adds in a case, at a dimension, or in the limit where
// that is 0.
func (s setup) limits(name string, kind, width, dim int) (start, added float64) {
	whole := s.risk(name, width)
	gaussian := whole
	gaussian.Equivalent, whole.Dimension = true, float64(dim)
	return of(s.risk(random, width), kind), of(whole, kind) - of(gaussian, kind)
}

// of is the limit of an error.
func of(r theory.Risk, kind int) float64 { e := solved(r); return []float64{e.Objective, e.Test}[kind] }

// difference states that a quantity vanishes. Its standard deviation for one network of the size of standard effort
// falls as 1/size, and what two sizes leave of its bias as the square.
func (s setup) difference(r *props.Record, criterion string, mine [][]paired, sd, bias float64,
	value func(paired) float64) {
	scale := 160 / (float64(mine[0][1].N) * math.Sqrt(s.Risk.Phi))
	values := network.Map(mine, func(sizes []paired) float64 { return extrapolated(sizes, value) })
	root := math.Sqrt(float64(mine[0][0].Networks))
	limit := network.Limit{Name: criterion, SD: sd * scale / root, Bias: bias * scale * scale}
	limit.Absolute(r, values, 0)
}

// chosen is an error.
func chosen(f features.Fit, kind int) float64 { return []float64{f.Objective, f.LeaveOneOut}[kind] }

// concludeReplaced holds differences over the error of random features.
func (s setup) concludeReplaced(r *props.Record, mine [][]paired, name string, kind int, claimed string) {
	start, want := map[int]float64{}, map[int]float64{} // by N, of which there are two
	for _, p := range mine[0] {
		start[p.Width], _ = s.limits(name, kind, p.Width, 0)
		if claimed == "more noise" {
			want[p.Width] = s.noisier(name, kind, p.Width)
		}
	}
	value := func(p paired) float64 {
		return (chosen(p.Rest.Fits[name], kind) - chosen(p.Gaussian.Fits[name], kind) - want[p.Width]) / start[p.Width]
	}
	sd := s.Replaced[kind]
	if name == random { // averaged over all teachers
		sd /= 2
	}
	s.difference(r, replaced(errorKinds[kind], name), mine, sd, 0.2*s.Replaced[kind], value)
}

// noisier is what a hundred times the variance of the noise would change.
func (s setup) noisier(name string, kind, width int) float64 {
	whole := s.risk(name, width)
	whole.Equivalent = true
	noisy := whole
	c1 := noisy.Activation.Coefficient(1)
	noisy.Activation.Energy = c1*c1 + 100*(noisy.Activation.Energy-c1*c1)
	return of(whole, kind) - of(noisy, kind)
}

// The regimes of F₀'s own part: its effect has either sign, as d^(−1/2) is large or small.
const (
	small = "few samples"
	large = "many samples"
)

// ownSpread is the standard deviation of what F₀'s own part adds to the two errors, over the error of random features,
// for one network, times (√(nd))^(1/2); and ownBias what of order 1/d it is off by, times d.
var (
	ownSpread = [2]float64{0.085, 0.14}
	ownBias   = [2]float64{0.15, 0.25}
)

// concludeOwn compares what F₀'s own part adds, over the error of random features, with the claim at that dimension.
func (s setup) concludeOwn(r *props.Record, mine []paired, name string, kind int, claimed string) {
	start, want := s.limits(name, kind, mine[0].Width, mine[0].Dim)
	switch claimed {
	case "sign":
		want = -want
	case "limit":
		_, want = s.limits(name, kind, mine[0].Width, 0)
	case "added": // ten times as much as at a finite step
		_, want = s.limits(finite, kind, mine[0].Width, 0)
		want *= 10
	}
	values := network.Map(mine, func(p paired) float64 {
		return (chosen(p.Whole.Fits[name], kind) - chosen(p.Rest.Fits[name], kind) - want) / start
	})
	sd := ownSpread[kind] / math.Sqrt(float64(mine[0].Networks)*math.Sqrt(float64(mine[0].N)*math.Sqrt(s.Risk.Phi)))
	limit := network.Limit{Name: own(errorKinds[kind], name), SD: sd, Bias: ownBias[kind] / float64(mine[0].Dim)}
	limit.Absolute(r, values, 0)
}

func (s setup) concludeTraces(r *props.Record, mine [][]paired, claimed string) {
	scale := 160 / (float64(mine[0][1].N) * math.Sqrt(s.Risk.Phi))
	risk := s.risk(random, 0)
	switch claimed {
	case "energy":
		c1 := risk.Activation.Coefficient(1)
		risk.Activation.Energy += c1 * c1
	case "penalty":
		risk.Lambda *= risk.Phi / risk.Psi
	}
	want := solved(risk).Resolvent
	if claimed == "m₁" {
		want.Linear = want.All
	}
	for _, c := range []struct {
		name  string
		value func(paired) float64
	}{
		{all, func(p paired) float64 { return p.Whole.All / want.All }},
		{linear, func(p paired) float64 { return p.Whole.Linear / want.Linear }},
		{gaussian, func(p paired) float64 { return p.Gaussian.All / want.All }},
		{linearGaussian, func(p paired) float64 { return p.Gaussian.Linear / want.Linear }},
	} {
		values := network.Map(mine, func(sizes []paired) float64 { return extrapolated(sizes, c.value) })
		sd := 0.04 / math.Sqrt(float64(mine[0][0].Networks))
		network.Limit{Name: c.name, SD: sd * scale, Bias: 0.006 * scale * scale}.Judge(r, values, 1)
	}
}
