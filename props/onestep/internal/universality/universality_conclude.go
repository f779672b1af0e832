package universality

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/internal/teachers"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// errorKinds are the errors that are compared.
var errorKinds = []string{"objective", "test error"}

// replaced is the name of a difference between F₀ without its own part and the Gaussian matrix, and own the name of the
// difference that this part makes.
func replaced(kind, name string) string { return fmt.Sprintf("%s, replaced, %s", kind, name) }

func own(kind, name string) string { return fmt.Sprintf("%s, F₀'s own part, %s", kind, name) }

// The criteria for traces.
const (
	all            = "tr R over m₁, random features"
	linear         = "n tr(XᵀRX)/|X|² over m₂, random features"
	gaussian       = "tr R over m₁, Gaussian matrix"
	linearGaussian = "n tr(XᵀRX)/|X|² over m₂, Gaussian matrix"

	noise               = "n tr R²/(tr R)² over 1+V, random features"
	linearNoise         = "|X|² tr(XᵀR²X)/tr(XᵀRX)² over −m₂′/m₂², random features"
	noiseGaussian       = "n tr R²/(tr R)² over 1+V, Gaussian matrix"
	linearNoiseGaussian = "|X|² tr(XᵀR²X)/tr(XᵀRX)² over −m₂′/m₂², Gaussian matrix"
)

func concludeReplaced(r *props.Record, cells []network.Cell, measured [][]paired, claim replacement) {
	for _, s := range setups {
		r.Regime(s.Name)
		mine := network.Measured(s.Name, cells, measured)
		s.concludeTraces(r, mine, claim)
		for _, name := range cases {
			for kind := range errorKinds {
				s.concludeReplaced(r, mine, name, kind, claim)
			}
		}
	}
}

func concludeOwn(r *props.Record, _ []int, all [][]paired, claim ownPart) {
	for i, regime := range []string{small, large} {
		r.Regime(regime)
		mine := network.Map(all, func(sizes []paired) paired { return sizes[i] })
		for _, name := range cases {
			if regime == small && name != finite { // nothing is added in the limit, and much of order 1/d here
				continue
			}
			for kind := range errorKinds {
				alone.concludeOwn(r, mine, name, kind, claim)
			}
		}
	}
}

// replacement holds the claims about F₀ less its own part and about the Gaussian matrix: the difference of an error
// over the error of random features, and the traces of both.
type replacement struct {
	difference func(s setup, name string, kind, width int) float64
	traces     func(theory.Risk) theory.Resolvent
}

// ownPart gives the amount that F₀'s own part adds to an error in a case, at a dimension, or in the limit where that is
// 0.
type ownPart func(s setup, name string, kind, width, dim int) float64

func (s setup) added(name string, kind, width, dim int) float64 {
	whole := s.risk(name, width)
	gaussian := whole
	gaussian.Equivalent, whole.Dimension = true, float64(dim)
	return of(whole, kind) - of(gaussian, kind)
}

// start is the error of random features.
func (s setup) start(kind, width int) float64 { return of(s.risk(random, width), kind) }

// of is the limit of an error.
func of(r theory.Risk, kind int) float64 {
	e := teachers.Solved(r)
	return []float64{e.Objective, e.Test}[kind]
}

// scale returns the size of standard effort over the size of the networks.
func (s setup) scale(mine [][]paired) float64 {
	n, _, _ := network.Setup{Phi: s.Risk.Phi, Psi: s.Risk.Psi}.Shape(4 * base.At(props.Standard))
	return float64(n) / float64(mine[0][0].N)
}

// concludeReplaced holds differences of errors, each over what is claimed of it.
func (s setup) concludeReplaced(r *props.Record, mine [][]paired, name string, kind int, claim replacement) {
	want := map[int]float64{} // by N, which has two values
	for _, p := range mine[0] {
		want[p.Width] = claim.difference(s, name, kind, p.Width)
	}
	value := func(p paired) float64 {
		rest, other := p.Rest.Errors[name][kind], p.Gaussian.Errors[name][kind]
		return rest.Got/rest.Want - other.Got/other.Want - want[p.Width]
	}
	limit := network.TwoSizes(replaced(errorKinds[kind], name), s.Replaced[kind], s.scale(mine))
	limit.Absolute(r, network.Map(mine, func(sizes []paired) float64 { return network.LimitOf(sizes, value) }), 0)
}

// moreNoise returns the change of an error by a hundred times the variance of the noise.
func moreNoise(s setup, name string, kind, width int) float64 {
	whole := s.risk(name, width)
	whole.Equivalent = true
	noisy := whole
	c1 := noisy.Activation.Coefficient(1)
	noisy.Activation.Energy = c1*c1 + 100*(noisy.Activation.Energy-c1*c1)
	return (of(whole, kind) - of(noisy, kind)) / s.start(kind, width)
}

// linearCountedTwice are traces of an activation whose noise has the energy of its linear part as well.
func linearCountedTwice(r theory.Risk) theory.Resolvent {
	c1 := r.Activation.Coefficient(1)
	r.Activation.Energy += c1 * c1
	return teachers.Solved(r).Resolvent
}

// allForLinear has m₁ for m₂.
func allForLinear(r theory.Risk) theory.Resolvent {
	v := teachers.Solved(r).Resolvent
	v.Linear, v.DLinear = v.All, v.DAll
	return v
}

// The regimes of F₀'s own part: its effect has either sign, as d^(−1/2) is large or small.
const (
	small = "few samples"
	large = "many samples"
)

// ownSpread is the standard deviation of what F₀'s own part adds to the two errors, over the error of random features,
// for one network, times (√(nd))^(1/2).
var ownSpread = [2]float64{0.085, 0.16}

// column returns the amount that one more column with a penalty takes from the objective of random features, over that
// objective, by fitting n labels of whatever kind: m₁sL_te/n from yᵀRy, s = m₁g/(1 + e + m₁g) with its length g =
// 2c₂²/ψ, since vᵀRy has the mean square yᵀR²y·|v|²/n = m₁²L_te|v|²/n² for a vector v that has nothing to do with y.
func (s setup) column(n int) float64 {
	e := teachers.Solved(s.risk(random, 0))
	c2 := s.Act.Closed.Coefficient(2)
	g := e.Resolvent.All * 2 * c2 * c2 / s.Risk.Psi
	return s.Risk.Lambda * e.Resolvent.All * g / (1 + e.Resolvent.Leak + g) * e.Test / (float64(n) * e.Objective)
}

// concludeOwn compares what F₀'s own part adds, over the error of random features, with the claim at that dimension.
// One more column is of the same order 1/d as what the claim leaves out; it moves the error of samples left out in
// two ways, by what it fits and by its part of tr R.
func (s setup) concludeOwn(r *props.Record, mine []paired, name string, kind int, claim ownPart) {
	start, want := s.start(kind, mine[0].Width), claim(s, name, kind, mine[0].Width, mine[0].Dim)
	bias := s.column(mine[0].N)
	if kind == 1 && name != finite {
		bias *= 2
	}
	values := network.Map(mine, func(p paired) float64 {
		return (p.Whole.Errors[name][kind].Got - p.Rest.Errors[name][kind].Got - want) / start
	})
	sd := ownSpread[kind] / math.Sqrt(float64(mine[0].Networks)*float64(mine[0].N)*math.Sqrt(s.Risk.Phi))
	props.Limit{Name: own(errorKinds[kind], name), SD: sd, Bias: bias}.Absolute(r, values, 0)
}

func (s setup) concludeTraces(r *props.Record, mine [][]paired, claim replacement) {
	want := claim.traces(s.risk(random, 0))
	scale := s.scale(mine)
	for _, c := range []struct {
		name  string
		sd    float64
		value func(paired) float64
	}{
		{all, s.Traces[0], func(p paired) float64 { return p.Rest.Traces.All / want.All }},
		{linear, s.Traces[1], func(p paired) float64 { return p.Rest.Traces.Linear / want.Linear }},
		{gaussian, s.Traces[0], func(p paired) float64 { return p.Gaussian.Traces.All / want.All }},
		{linearGaussian, s.Traces[1], func(p paired) float64 { return p.Gaussian.Traces.Linear / want.Linear }},
		{noise, s.Traces[2], func(p paired) float64 { return p.Rest.Traces.Noise() / want.Noise() }},
		{linearNoise, s.Traces[3], func(p paired) float64 { return linearNoises(p.Rest.Traces) / linearNoises(want) }},
		{noiseGaussian, s.Traces[2], func(p paired) float64 { return p.Gaussian.Traces.Noise() / want.Noise() }},
		{linearNoiseGaussian, s.Traces[3],
			func(p paired) float64 { return linearNoises(p.Gaussian.Traces) / linearNoises(want) }},
	} {
		values := network.Map(mine, func(sizes []paired) float64 { return network.LimitOf(sizes, c.value) })
		network.TwoSizes(c.name, c.sd, scale).Judge(r, values, 1)
	}
}

// linearNoises is −m₂′/m₂².
func linearNoises(v theory.Resolvent) float64 { return -v.DLinear / (v.Linear * v.Linear) }
