// Package outliers pairs the claim onestep/outliers with singular triplets of sampled features.
package outliers

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/props/network"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/outliers.
var Claim = props.Spec{
	Statement: &theory.Outliers,
	Checks: []props.Check{props.Grid[network.Cell, []shown, spikeClaim]{
		Name: "leading triplet",
		Cells: func(e props.Effort) []network.Cell {
			return network.Cells(setups, props.Scale{Quick: 88, Standard: 256, Deep: 256}.At(e))
		},
		Regimes:    regimes,
		Measure:    measure,
		Claim:      stated,
		Conclude:   conclude,
		Replicates: 1,
		Chosen:     map[string][]string{"allowance for what the extrapolation leaves": {left, right}},
		Controls: []props.WrongCell[network.Cell, []shown, spikeClaim]{
			{Name: "features without their linear part", Criterion: place,
				Instead: changed(func(f *theory.FeatureSpike) { f.Bulk.Linear = 0 })},
			{Name: "φ and ψ exchanged", Criterion: place,
				Instead: changed(func(f *theory.FeatureSpike) { f.Bulk.Phi, f.Bulk.Psi = f.Bulk.Psi, f.Bulk.Phi })},
			{Name: "a spike half as strong", Criterion: place,
				Instead: changed(func(f *theory.FeatureSpike) { f.Strength /= 2 })},
			{Name: "an outlier below the threshold", Assumption: "above", Criterion: below, // one third beyond the edge
				Alter: everywhere(func(m *shown) { m.Below *= 3. / 4 })},
			{Name: "a step four times as long", Criterion: below,
				Alter: everywhere(func(m *shown) { m.Below = m.Longer })},
			{Name: "a left vector across Xβ", Criterion: left,
				Instead: vectors(func(_, r float64) (float64, float64) { return 0, r })},
			{Name: "a right vector along a", Criterion: right,
				Instead: vectors(func(l, _ float64) (float64, float64) { return l, 1 })},
			{Name: "left and right exchanged", Criterion: right,
				Instead: vectors(func(l, r float64) (float64, float64) { return r, l })},
		},
	}},
	Along: &props.Along{
		Param: "eta", To: 10, Of: []string{"left", "right"}, At: map[string]string{"n": "400"},
		Y: "squared cosines with Xβ and with a", Places: 7, Reps: 5,
	},
	Try: &props.Simulation{Params: network.Samples(4, 4000, "800"), Run: try, Draw: drawSpectrum},
}.Claim()

// spikeClaim holds the closed forms that the judge compares: the spike that a step adds, and the triplet that it makes.
type spikeClaim struct {
	spike   func(s network.Setup, strength float64) theory.FeatureSpike
	triplet func(theory.FeatureSpike) (at, left, right float64)
}

var stated = spikeClaim{spike: spikeOf, triplet: theory.FeatureSpike.Triplet}

// spikeOf is the spike of features of a setup.
func spikeOf(s network.Setup, strength float64) theory.FeatureSpike {
	return theory.FeatureSpike{Bulk: theory.Features{Step: s.Step()}.Bulk(), Strength: strength}
}

// changed claims another spike.
func changed(change func(*theory.FeatureSpike)) spikeClaim {
	return spikeClaim{spike: func(s network.Setup, strength float64) theory.FeatureSpike {
		f := spikeOf(s, strength)
		change(&f)
		return f
	}}
}

// vectors claims other squared cosines than those of the statement.
func vectors(change func(left, right float64) (float64, float64)) spikeClaim {
	return spikeClaim{triplet: func(f theory.FeatureSpike) (at, left, right float64) {
		at, left, right = f.Triplet()
		left, right = change(left, right)
		return at, left, right
	}}
}

// everywhere changes what the networks of both sizes show.
func everywhere(change func(*shown)) func(network.Cell, *[]shown) {
	return func(_ network.Cell, sizes *[]shown) {
		*sizes = network.Map(*sizes, func(m shown) shown {
			change(&m)
			return m
		})
	}
}

// The criteria.
const (
	place = "largest singular value of F₁/√n over its place, minus one"
	below = "largest singular value below the threshold, over that of F₀, minus one"
	left  = "squared cosine of its left vector with Xβ, minus prediction"
	right = "squared cosine of its right vector with a, minus prediction"
)

// setups have both settings of the slides, labels with a mean, and n and d on both sides of N.
var setups = []network.Setup{
	{Name: "Setting 1", Regime: "N = n", Phi: 0.5, Psi: 0.5, Act: network.Series(0, 1, 0.3), Teacher: network.Linear(1)},
	{Name: "Setting 2", Regime: "N = 4n", Phi: 0.8, Psi: 0.2, Act: network.Named("tanh"),
		Teacher: network.Quadratic(0, 1, math.Sqrt(0.5), 0)},
	{Name: "E y ≠ 0", Regime: "n > N", Phi: 0.4, Psi: 1, Act: network.Named("relu"), Teacher: network.Rectified(0.5)},
	{Name: "d > n", Regime: "d > n", Phi: 2, Psi: 1.5, Act: network.Named("sincos"), Teacher: network.Linear(0.5)},
}

var regimes = network.Map(setups, func(s network.Setup) string { return s.Regime })

// strong and weak are the strengths of the spike over the threshold.
const (
	strong = 2
	weak   = 0.6
)

// triplet holds the measurements of one network for one direction of the step.
type triplet struct {
	Largest     float64 // singular value of F₁/√n
	Left, Right float64 // squared cosines
	Strength    float64 // θ of the sample
}

// shown holds the measurements of one network for several independent directions β and outputs a.
type shown struct {
	N, D     int
	Triplets [directions]triplet
	Below    float64 // largest singular value at the weak step over the one of F₀, in the first directions on average
	Longer   float64 // the same in one direction at four times that step, beyond the threshold by 2.4
}

// directions is the number of steps that share F₀: one direction scatters more than F₀ does, and costs less.
const directions = 8

// weakly is the number of them with a weak step: what it adds to the largest singular value has one long tail.
const weakly = 2

// sample is F₀/√n with the unit vectors of the spike, and ‖Xβ‖‖a‖/√n.
type sample struct {
	initial *mat.Dense
	u, a    []float64
	length  float64
}

func draw(t *props.Trial, s network.Setup, size int) (out sample, fresh *mat.Dense) {
	h := s.Draw(t.Rand, size)
	n, d := h.X.Dims()
	fresh = features.Gaussian(t.Rand, n, d)
	out.initial = features.Overwrite(s.Act.Run, features.PreActivations(fresh, h.W))
	out.initial.Scale(1/math.Sqrt(float64(n)), out.initial)
	return out.along(network.Times(fresh, h.Beta), h.A), fresh
}

// turned has the same F₀ and another step.
func (s sample) turned(t *props.Trial, setup network.Setup, fresh *mat.Dense, size int) sample {
	_, width := s.initial.Dims()
	return s.along(network.Times(fresh, setup.Learned(t.Rand, size)), network.Outputs(t.Rand, width))
}

// along has the spike that u and a make.
func (s sample) along(u, a []float64) sample {
	along, outputs := floats.Norm(u, 2), floats.Norm(a, 2)
	floats.Scale(1/along, u)
	floats.Scale(1/outputs, a)
	return sample{s.initial, u, a, along * outputs / math.Sqrt(float64(len(u)))}
}

// after is F₁/√n for a spike of strength θ.
func (s sample) after(strength float64) linalg.Operator {
	return linalg.Updated(linalg.Matrix(s.initial), strength, s.u, s.a)
}

// measure looks at one network, and at one of a quarter of its size.
func measure(t *props.Trial, c network.Cell) []shown {
	s, size := network.By(setups, c.Setup), props.Scale{Quick: 80, Standard: 140, Deep: 600}.At(t.Effort)
	return []shown{at(t, s, size), at(t, s, size/4)}
}

// at looks at one network of that size.
func at(t *props.Trial, s network.Setup, size int) shown {
	h, fresh := draw(t, s, size)
	f := theory.Features{Step: s.Step()}
	eta := strong * (theory.FeatureSpike{Bulk: f.Bulk()}).Threshold() / f.Length()
	n, d := fresh.Dims()
	out := shown{N: n, D: d}
	edge, under := network.Norm(linalg.Matrix(h.initial), t.Rand), weak*eta/strong
	out.Longer = network.Norm(h.after(4*under*h.length), t.Rand) / edge
	for k := range out.Triplets {
		if k > 0 {
			h = h.turned(t, s, fresh, size)
		}
		if k < weakly {
			out.Below += network.Norm(h.after(under*h.length), t.Rand) / edge / weakly
		}
		found := network.Leading(h.after(eta*h.length), 1, t.Rand)
		out.Triplets[k] = triplet{found.Values[0], math.Pow(floats.Dot(found.Left[0], h.u), 2),
			math.Pow(floats.Dot(found.Right[0], h.a), 2), eta * h.length}
	}
	return out
}

// spread is the standard deviation of a cell at √(nd) = 140 in each criterion, and the power of 1/√(nd) that it falls
// as from 80: in small networks some outliers are close to the bulk.
var spread = map[string]struct{ sd, power float64 }{
	place: {0.0225, 0.6}, left: {0.0295, 0.95}, right: {0.03, 0.95}, below: {0.0095, 1},
}

// leaves is the error that the extrapolation leaves, over the one that is allowed for: squared cosines are off by 1/d²
// as well.
var leaves = map[string]float64{place: 1, left: 1.5, right: 1.5, below: 1}

func conclude(r *props.Record, cells []network.Cell, all [][]shown, c spikeClaim) {
	for _, s := range setups {
		r.Regime(s.Regime)
		mine := network.Of(setups, s.Regime, cells, all)
		limits := limitsOf(mine[0][0])
		found := network.Map(mine, func(sizes []shown) map[string]float64 { return extrapolated(s, sizes, c) })
		for _, name := range []string{place, left, right, below} {
			limits[name].Absolute(r, network.Map(found, func(d map[string]float64) float64 { return d[name] }), 0)
		}
	}
}

// limitsOf are the criteria for networks of the size of one.
func limitsOf(m shown) map[string]props.Limit {
	out, scale := map[string]props.Limit{}, 140/math.Sqrt(float64(m.N)*float64(m.D))
	for name, s := range spread {
		limit := network.TwoSizes(name, s.sd*math.Pow(scale, s.power-1), scale)
		limit.Bias *= leaves[name]
		out[name] = limit
	}
	return out
}

// extrapolated takes out what is of order 1/d of the deviations from what is claimed.
func extrapolated(s network.Setup, sizes []shown, c spikeClaim) map[string]float64 {
	large, small := sizes[0].deviations(s, c), sizes[1].deviations(s, c)
	for name, x := range small {
		large[name] = network.Extrapolated(4, large[name], x)
	}
	return large
}

// deviations returns the deviations from the claim, by the criterion, as means over the directions.
func (m shown) deviations(s network.Setup, c spikeClaim) map[string]float64 {
	out := map[string]float64{below: m.Below - 1}
	for _, t := range m.Triplets {
		at, l, r := c.triplet(c.spike(s, t.Strength))
		out[place] += (t.Largest/at - 1) / directions
		out[left] += (t.Left - l) / directions
		out[right] += (t.Right - r) / directions
	}
	return out
}
