package latent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// caps integrates the density of the angle, and counts sets of random directions that are packings.
var caps = props.Spec{
	Statement: &theory.Caps,
	Checks:    []props.Check{capLaw, packings},
	Along: &props.Along{
		Param: "t", To: 0.9, At: map[string]string{"n": "4000"},
		Y: "probability of a cosine of t or more", Of: []string{"probability"},
		Each: &props.ParamSweep{Name: "d", Values: []string{"3", "10", "50"}}, Places: 10, Reps: 3,
	},
	Try: &props.Simulation{Run: tryCaps, Params: []statement.Param{{Name: "n", Symbol: "n",
		Meaning: "number of guesses", Domain: statement.IntegerBetween(1, 1e7), Default: "20000"}}},
}.Claim()

// capShare holds a cap, and the share of the sphere that the integral gives it.
type capShare struct {
	theory.Cap
	Share float64
}

var capLaw = props.Drawn[capShare, capClaim]{
	Name:    "law of the cosine",
	Cases:   props.Scale{Quick: 150, Standard: 1000, Deep: 20000},
	Regimes: []string{"two dimensions", "up to 20 dimensions", "more", "half of the sphere"},
	Draw: func(t *props.T) capShare {
		c := theory.Cap{D: rapid.IntRange(2, 20).Draw(t.T, "d"),
			T: float64(rapid.IntRange(0, 99).Draw(t.T, "100t")) / 100}
		if rapid.Bool().Draw(t.T, "many dimensions") {
			c.D = rapid.IntRange(21, 3000).Draw(t.T, "more")
			c.T *= min(0.9, 20/math.Sqrt(float64(c.D))) // beyond this the probability may underflow
		}
		return capShare{c, capIntegral(c)}
	},
	Claim: capClaim{law: theory.Cap.Probability, bound: theory.Cap.Bound},
	Judge: func(r *props.Record, c capShare, claim capClaim) {
		r.RegimeOf(c.D > 2, c.D > 20, c.T == 0)
		law, bound := claim.law(c.Cap), claim.bound(c.Cap)
		r.Within("P(u·v ≥ t)", c.Share, law, 1e-11*law)
		r.AtMost("P(u·v ≥ t) ≤ e^(−dt²/2)", c.Share, bound, 1e-11*bound)
	},
	Controls: []props.Wrong[capShare, capClaim]{
		{Name: "probability of |u·v| ≥ t", Criterion: "P(u·v ≥ t)",
			Instead: capClaim{law: func(c theory.Cap) float64 { return 2 * c.Probability() }}},
		{Name: "law of one dimension less", Criterion: "P(u·v ≥ t)",
			Instead: capClaim{law: func(c theory.Cap) float64 { return theory.Cap{D: max(2, c.D-1), T: c.T}.Probability() }}},
		{Name: "bound with twice the exponent", Criterion: "P(u·v ≥ t) ≤ e^(−dt²/2)",
			Instead: capClaim{bound: func(c theory.Cap) float64 { return math.Pow(c.Bound(), 2) }}},
		{Name: "negative t", Assumption: "positive", Criterion: "P(u·v ≥ t) ≤ e^(−dt²/2)",
			Alter: func(c *capShare) { c.Share = 1 - c.Share }},
	},
}

// capClaim holds the claimed share of a cap, and its bound.
type capClaim struct{ law, bound func(theory.Cap) float64 }

// capIntegral returns the share of angles below arccos t under the density ∝ sin^(d−2), which it evaluates relative to
// its value at arccos t.
func capIntegral(c theory.Cap) float64 {
	power, end := float64(c.D-2), math.Acos(c.T)
	integral := func(to float64) float64 {
		// The density falls off over about 1/√d from its maximum.
		from := max(0, to-60/math.Sqrt(float64(c.D)))
		return quad.Fixed(func(a float64) float64 {
			return math.Exp(power * (math.Log(math.Sin(a)) -
				math.Log(math.Sin(to))))
		},
			from, to, 200, quad.Legendre{}, 0)
	}
	half := integral(math.Pi / 2)
	return integral(end) * math.Exp(power*math.Log(math.Sin(end))) / (2 * half)
}

// packing says how many directions a set has, and how many sets are drawn.
type packing struct{ D, Count, Sets int }

// at returns the cosine at which the union bound by the exact law is one half.
func (p packing) at() float64 {
	lo, hi := 0.0, 0.999
	for range 60 {
		if mid := (lo + hi) / 2; (theory.Cap{D: p.D, T: mid}).Packing(p.Count) < 0.5 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// packed counts sets, those in which all pairs stay below the cosine, and those in which all stay below half of it.
type packed struct{ Sets, Whole, Half int }

var packings = props.Grid[packing, packed, struct{}]{
	Name: "packings among sets of random directions",
	Cells: func(e props.Effort) []packing {
		sets := props.Scale{Quick: 600, Standard: 2000, Deep: 20000}.At(e)
		return []packing{{2, 3, sets}, {8, 10, sets}, {64, 30, sets}, {256, 20, sets}}
	},
	Measure: func(t *props.Trial, p packing) packed {
		return p.count(func() *mat.Dense { return features.UnitRows(t.Rand, p.Count, p.D) }, p.Sets)
	},
	Judge: func(r *props.Record, p packing, sets packed, _ struct{}) {
		probability := theory.Cap{D: p.D, T: p.at()}.Packing(p.Count)
		iv := stat.Proportion(sets.Whole, sets.Sets, stat.CriterionAlpha)
		r.MeasuredAbove("share of packings", iv, probability)
		r.NotBelow("share of packings", iv, probability, 1e-12)
	},
	Controls: []props.WrongCell[packing, packed, struct{}]{
		{Name: "√(ln N/d) for √(4 ln N/d)",
			Alter: func(_ packing, sets *packed) { sets.Whole = sets.Half }},
		{Name: "directions of one orthant", Assumption: "uniform", Measure: func(t *props.Trial, p packing) packed {
			return p.count(func() *mat.Dense {
				u := features.UnitRows(t.Rand, p.Count, p.D)
				u.Apply(func(_, _ int, x float64) float64 { return math.Abs(x) }, u)
				return u
			}, p.Sets/4) // far off
		}},
	},
	Replicates: 2,
}

// count counts the packings among the given number of sets of directions.
func (p packing) count(draw func() *mat.Dense, sets int) packed {
	limit, count := p.at(), packed{Sets: sets}
	for range sets {
		u, largest := draw(), 0.0
		for i := range p.Count {
			for j := range i {
				largest = max(largest, math.Abs(floats.Dot(u.RawRowView(i), u.RawRowView(j))))
			}
		}
		if largest < limit {
			count.Whole++
		}
		if largest < limit/2 {
			count.Half++
		}
	}
	return count
}

func tryCaps(t *props.Trial, v statement.Values) (map[string]float64, error) {
	hits, n := 0, v.Int("n")
	for range n {
		if u := features.UnitVector(t.Rand, v.Int("d")); u[0] >= v.Float("t") {
			hits++
		}
	}
	return map[string]float64{"probability": float64(hits) / float64(n)}, nil
}
