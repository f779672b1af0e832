// Package outliers pairs the claim onestep/outliers with singular triplets of sampled features.
package outliers

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// Claim is onestep/outliers.
var Claim = props.Spec{
	Statement: &theory.Outliers,
	Checks: []props.Check{props.Sweep[network.Cell, triplet]{
		Name: "leading triplet",
		Cells: func(e props.Effort) []network.Cell {
			return network.Cells(setups, props.Scale{Quick: 128, Standard: 256, Deep: 256}.At(e))
		},
		Regimes:    regimes,
		Measure:    measure,
		Conclude:   conclude,
		Replicates: 1,
		Controls: []props.Control{
			{Name: "features without their linear part", Criterion: place, Claimed: "no linear part"},
			{Name: "φ and ψ exchanged", Criterion: place, Claimed: "exchanged"},
			{Name: "a spike half as strong", Criterion: place, Claimed: "half"},
			{Name: "an outlier below the threshold", Assumption: "above", Criterion: below, Claimed: "visible"},
			{Name: "a step three times as long", Criterion: below, Done: "longer"},
			{Name: "a left vector across Xβ", Criterion: left, Claimed: "across"},
			{Name: "a right vector along a", Criterion: right, Claimed: "aligned"},
			{Name: "left and right exchanged", Criterion: right, Claimed: "sides exchanged"},
		},
	}},
	Along: &props.Along{
		Param: "eta", To: 10, Of: []string{"left", "right"}, At: map[string]string{"n": "400"},
		Y: "squared cosines with Xβ and with a", Places: 7, Reps: 5,
	},
	Try: &props.Simulation{Params: sizes, Run: try, Draw: drawSpectrum},
}.Claim()

// The criteria.
const (
	place = "largest singular value of F₁/√n over its place"
	below = "largest singular value below the threshold, over that of F₀"
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

// triplet is what one network shows.
type triplet struct {
	N, D        int
	Largest     float64 // singular value of F₁/√n
	Left, Right float64 // squared cosines
	Strength    float64 // θ of the sample
	Below       float64 // largest singular value at the weak step, over that of F₀
}

// sample is F₀/√n with the unit vectors of the spike, and ‖Xβ‖‖a‖/√n.
type sample struct {
	initial *mat.Dense
	u, a    []float64
	length  float64
}

func draw(t *props.Trial, s network.Setup, size int) sample {
	h := s.Draw(t.Rand, size)
	n, d := h.X.Dims()
	fresh := features.Gaussian(t.Rand, n, d)
	out := sample{initial: features.Apply(s.Act.Run, features.PreActivations(fresh, h.W)), a: h.A,
		u: network.Times(fresh, h.Beta)}
	root := math.Sqrt(float64(n))
	out.initial.Scale(1/root, out.initial)
	along, outputs := floats.Norm(out.u, 2), floats.Norm(out.a, 2)
	floats.Scale(1/along, out.u)
	floats.Scale(1/outputs, out.a)
	out.length = along * outputs / root
	return out
}

// after is F₁/√n for a spike of strength θ.
func (s sample) after(strength float64) linalg.Operator {
	return linalg.Updated(linalg.Matrix(s.initial), strength, s.u, s.a)
}

func measure(t *props.Trial, c network.Cell, done string) triplet {
	s, size := network.By(setups, c.Setup), props.Scale{Quick: 60, Standard: 200, Deep: 600}.At(t.Effort)
	h := draw(t, s, size)
	f := theory.Features{Step: s.Step()}
	eta := strong * (theory.FeatureSpike{Bulk: f.Bulk()}).Threshold() / f.Length()
	out := triplet{N: len(h.u), D: int(math.Round(float64(len(h.u)) * s.Phi)), Strength: eta * h.length}
	found := network.Leading(h.after(out.Strength), 1, t.Rand)
	out.Largest = found.Values[0]
	out.Left = math.Pow(floats.Dot(found.Left[0], h.u), 2)
	out.Right = math.Pow(floats.Dot(found.Right[0], h.a), 2)
	under := weak / strong * out.Strength
	if done == "longer" { // beyond the threshold by 1.8
		under *= 3
	}
	out.Below = network.Norm(h.after(under), t.Rand) / network.Norm(linalg.Matrix(h.initial), t.Rand)
	return out
}

// spread is the standard deviation of one network at √(nd) = 200 in each criterion, which falls as d^(−1/2) for a
// random direction β, and shift what of order 1/d it is off by, times d.
var (
	spread = map[string]float64{place: 0.03, left: 0.042, right: 0.042, below: 0.009}
	shift  = map[string]float64{place: 0.4, left: 0.6, right: 0.7, below: 0.4}
)

func conclude(r *props.Record, cells []network.Cell, all []triplet, claimed string) {
	for _, s := range setups {
		r.Regime(s.Regime)
		mine := network.Of(setups, s.Regime, cells, all)
		limit := func(name string) network.Limit {
			size := math.Sqrt(float64(mine[0].N) * float64(mine[0].D))
			return network.Limit{Name: name, SD: spread[name] * math.Pow(200/size, 0.6), Bias: shift[name] / float64(mine[0].D)}
		}
		values := func(f func(triplet) float64) []float64 { return network.Map(mine, f) }
		limit(place).Judge(r, values(func(m triplet) float64 { return m.Largest / expected(s, m, claimed).Largest() }), 1)
		limit(left).Absolute(r, values(func(m triplet) float64 {
			want, _ := overlaps(expected(s, m, claimed), claimed)
			return m.Left - want
		}), 0)
		limit(right).Absolute(r, values(func(m triplet) float64 {
			_, want := overlaps(expected(s, m, claimed), claimed)
			return m.Right - want
		}), 0)
		factor := 1.0
		if claimed == "visible" { // one third beyond the edge
			factor = 4. / 3
		}
		limit(below).Judge(r, values(func(m triplet) float64 { return m.Below / factor }), 1)
	}
}

// overlaps are the squared cosines as a version of the claim has them.
func overlaps(s theory.FeatureSpike, claimed string) (left, right float64) {
	switch claimed {
	case "aligned":
		return 1, 1
	case "across":
		return 0, 0
	case "sides exchanged":
		return s.Right(), s.Left()
	}
	return s.Left(), s.Right()
}

// expected is the spike of a sample as a version of the claim has it.
func expected(s network.Setup, m triplet, claimed string) theory.FeatureSpike {
	bulk := theory.Features{Step: s.Step()}.Bulk()
	switch claimed {
	case "no linear part":
		bulk.Linear = 0
	case "exchanged":
		bulk.Phi, bulk.Psi = bulk.Psi, bulk.Phi
	}
	out := theory.FeatureSpike{Bulk: bulk, Strength: m.Strength}
	if claimed == "half" {
		out.Strength /= 2
	}
	return out
}
