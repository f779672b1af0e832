package latent

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/poly"
	"github.com/thm-suite/thm/impl/population"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/latent/target"
	statement "github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/latent"
)

// series pairs the Hermite series with the integral over the half-space: a reflection, half-line moments and double
// factorials, in which no series and no derivative occurs.
var series = props.Spec{
	Statement: &theory.HermiteSeries,
	Along: &props.Along{
		Param: "b", From: -3, To: 3, Of: []string{"along_latent"}, At: map[string]string{"n": "10000"},
		Each: &props.ParamSweep{Name: "p", Values: []string{"1", "2", "3", "4"}}, Places: 13, Reps: 4,
	},
	Try: &props.Simulation{Run: trySeries, Params: []statement.Param{{Name: "n", Symbol: "n",
		Meaning: "number of samples", Domain: statement.IntegerBetween(1, 1e7), Default: "1000000"}}},
	Checks: []props.Check{
		props.Instances[moment]{
			Name:    "series against the integral",
			Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 100000},
			Regimes: halfSpaces,
			Draw:    drawMoment,
			Judge: func(r *props.Record, m moment, claimed string) {
				r.Regime(m.regime())
				f := target.Monomials(m.series().Target)
				r.WithinVector("series", m.Moment, claimedSum(m.series(), claimed),
					target.Rounding(m.series(), f, r.Unit()))
			},
			Controls: []props.Control{
				{Reading: "limit", Done: "x²−1", Claimed: "second family to p−1"},
				{Reading: "sigma-prime", Assumption: "relu", Done: "x²−1", Claimed: "coefficients of σ′"},
				{Reading: "second-line", Done: "x²−1, b = 1", Claimed: "second line"},
				{Name: "second line for a target with a linear part", Done: "x", Claimed: "second line"},
				{Name: "second family stops at p−1, any target", Claimed: "second family to p−1"},
				{Name: "second family left out", Claimed: "first family"},
				{Name: "coefficients for bias 0", Assumption: "relu", Claimed: "no bias"},
				{Name: "bias of the opposite sign", Assumption: "relu", Claimed: "opposite bias"},
				{Name: "coefficients for weights of unit length", Assumption: "relu", Claimed: "unit length"},
				{Name: "target of degree p+1", Assumption: "degree", Claimed: "degree p−1"},
				{Name: "degrees above 4 left out", Claimed: "degree 4"},
				{Name: "the part along w alone", Claimed: "along w"},
				{Name: "coordinates are random signs", Assumption: "gaussian", Done: "random signs"},
			},
			Replicates: 2,
		},
	},
}.Claim()

// moment is E[f⋆(x) x 1{w·x+b ≥ 0}] as the implementation integrates it, or a user.
type moment struct {
	Degrees      *mat.Dense `npy:"alpha"`
	Coefficients []float64  `npy:"h"`
	W            []float64  `npy:"w"`
	B            float64    `npy:"b"`
	Moment       []float64  `npy:"moment"`
}

// newMoment is the moment of a target, which is not yet taken.
func newMoment(f theory.Target, w []float64, b float64) moment {
	m := moment{W: w, B: b}
	m.Degrees, m.Coefficients = f.Arrays(len(w))
	return m
}

func (m moment) series() theory.Series {
	return theory.Series{Target: theory.NewTarget(m.Degrees, m.Coefficients), W: m.W, B: m.B}
}

// Valid names the hypothesis that a user's numbers violate.
func (m moment) Valid() error {
	if err := theory.ValidArrays(m.Degrees, m.Coefficients, target.MaxDegree); err != nil {
		return err
	}
	if err := m.series().Valid(); err != nil {
		return err
	}
	if s := floats.Norm(m.W, 2); !(s >= 1e-6 && s <= 1e6 && math.Abs(m.B) <= 30*s) {
		return errors.New("latent: need 1e-6 ≤ ‖w‖ ≤ 1e6 and |b| ≤ 30‖w‖: beyond, powers and tails underflow")
	}
	return target.Usable(m.series().Target, m.W)
}

// halfSpaces are the regimes: where the boundary lies, in lengths of w from the origin.
var halfSpaces = []string{"no bias", "|b| ≤ 2‖w‖", "nearly all of space", "nearly nothing of it"}

func (m moment) regime() string {
	switch x := m.B / floats.Norm(m.W, 2); {
	case x == 0:
		return halfSpaces[0]
	case x > 2:
		return halfSpaces[2]
	case x < -2:
		return halfSpaces[3]
	}
	return halfSpaces[1]
}

// drawMoment draws targets of degree at most 6 in at most 4 coordinates, weights of any length, and biases up to 6‖w‖.
func drawMoment(t *props.T, done string) moment {
	m, example := examples[done]
	if example {
		rapid.Bool().Draw(t.T, "nothing")
	} else {
		p := rapid.IntRange(0, 6).Draw(t.T, "p")
		d := gen.Dim(t.T, "d", min(4, 8-p))
		direction := target.Weights(t, d)
		w := target.Scaled(direction, gen.LogUniform(t.T, "length", 1e-6, 1e6)/floats.Norm(direction, 2))
		b := float64(rapid.IntRange(-24, 24).Draw(t.T, "4b/‖w‖")) / 4 * floats.Norm(w, 2)
		m = newMoment(target.Draw(t, d, 0, p), w, b)
	}
	if f := target.Monomials(m.series().Target); done == "random signs" {
		m.Moment = signMoment(f, m.W, m.B)
	} else {
		m.Moment = population.HalfSpace(f, m.W, m.B).First
	}
	return m
}

// examples are the worked cases of printed forms and readings that fail.
var examples = map[string]moment{
	"x²−1":        newMoment(theory.Target{{Coefficient: 1, Degrees: []int{2}}}, []float64{1}, 0),
	"x²−1, b = 1": newMoment(theory.Target{{Coefficient: 1, Degrees: []int{2}}}, []float64{1}, 1),
	"x":           newMoment(theory.Target{{Coefficient: 1, Degrees: []int{1}}}, []float64{1}, 0),
}

// signMoment is the moment for x uniform on {±1}ᵈ, by enumeration.
func signMoment(f poly.Poly, w []float64, b float64) []float64 {
	sum := make([]float64, len(w))
	for code := range 1 << len(w) {
		x := make([]float64, len(w))
		for i := range x {
			x[i] = float64(2*(code>>i&1) - 1)
		}
		if floats.Dot(w, x)+b >= 0 {
			floats.AddScaled(sum, f.At(x)/float64(int(1)<<len(w)), x)
		}
	}
	return sum
}

// coefficients returns the c_k that are claimed.
func coefficients(s theory.Series, claimed string) func(int) float64 {
	length, b, shift := floats.Norm(s.W, 2), s.B, 0
	switch claimed {
	case "no bias":
		b = 0
	case "opposite bias":
		b = -b
	case "unit length":
		length = 1
	case "coefficients of σ′":
		shift = 1
	}
	return func(k int) float64 { return theory.ReLU(k+shift, b, length) }
}

// claimedSum returns what is claimed of the moment.
func claimedSum(s theory.Series, claimed string) []float64 {
	c, p := coefficients(s, claimed), s.Target.Degree()
	second := func(k int) []float64 { // c_{k+2}/k! C_k(w^⊗k) w
		return target.Scaled(s.W, c(k+2)/hermite.Factorial(k)*s.Target.Form(k, s.W))
	}
	sum := s.Sum(0, p, c)
	switch claimed {
	case "second family to p−1":
		floats.Sub(sum, second(p))
	case "first family":
		for k := range p + 1 {
			floats.Sub(sum, second(k))
		}
	case "degree p−1": // the first family stops at p−2, the second at p−1
		sum = s.Sum(0, p-1, c)
		if p > 0 {
			floats.AddScaled(sum, -c(p)/hermite.Factorial(p-1), s.Target.Contract(p, s.W))
		}
	case "degree 4":
		s.Target = s.Target.Below(5)
		return s.Sum(0, p, c)
	case "along w":
		return target.Scaled(s.W, floats.Dot(sum, s.W)/floats.Dot(s.W, s.W))
	case "second line":
		sum = target.Plus(s.Sum(2, p-1, c), 1/math.Sqrt(2*math.Pi), s.Target.Contract(2, s.W))
	}
	return sum
}

// trySeries samples He_p(x₁)/√p! x 1{w·x+b ≥ 0} in the plane of the latent direction and w.
func trySeries(t *props.Trial, v statement.Values) (map[string]float64, error) {
	p, n, cosine := v.Int("p"), v.Int("n"), v.Float("cosine")
	sine, along, across := math.Sqrt(1-cosine*cosine), 0.0, 0.0
	for range n {
		x, y := t.Rand.NormFloat64(), t.Rand.NormFloat64()
		if v.Float("s")*(cosine*x+sine*y)+v.Float("b") >= 0 {
			f := hermite.Polynomial(p, x)
			along, across = along+f*x, across+f*y
		}
	}
	scale := math.Sqrt(hermite.Factorial(p)) * float64(n)
	return map[string]float64{"along_latent": along / scale, "across": across / scale}, nil
}
