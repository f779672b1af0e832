package latent

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/poly"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
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
		props.Drawn[moment, seriesClaim]{
			Name:  "series against the integral",
			Cases: props.Scale{Quick: 200, Standard: 2000, Deep: 100000},
			Tries: 12,
			// by the distance of the boundary from the origin
			Regimes: []string{"no bias", "|b| ≤ 2‖w‖", "nearly all of space", "nearly nothing of it"},
			Draw:    func(t *props.T) moment { return drawHalfSpace(t).integrated() },
			Claim:   wholeSum,
			Judge: func(r *props.Record, m moment, claim seriesClaim) {
				x := m.B / floats.Norm(m.W, 2)
				r.RegimeOf(x != 0, x > 2, x < -2)
				f := target.Monomials(m.series().Target)
				r.WithinVector("series", m.Moment, claim(m.series()),
					target.Rounding(m.series(), f, r.Unit()))
			},
			Controls: []props.Wrong[moment, seriesClaim]{
				{Reading: "limit", Draw: props.Constant(secondDegree.integrated()), Claim: claims(secondFamilyStops)},
				{Reading: "sigma-prime", Assumption: "relu", Draw: props.Constant(secondDegree.integrated()),
					Claim: claims(derivativeCoefficients)},
				{Reading: "second-line", Draw: props.Constant(secondDegreeBiased.integrated()), Claim: claims(secondLine)},
				{Name: "second line for a target with a linear part", Draw: props.Constant(linearTarget.integrated()),
					Claim: claims(secondLine)},
				{Name: "second family stops at p−1, any target", Claim: claims(secondFamilyStops)},
				{Name: "second family left out", Claim: claims(firstFamily)},
				{Name: "coefficients for bias 0", Assumption: "relu", Claim: claims(withoutBias)},
				{Name: "bias of the opposite sign", Assumption: "relu", Claim: claims(oppositeBias)},
				{Name: "coefficients for weights of unit length", Assumption: "relu", Claim: claims(unitLength)},
				{Name: "target of degree p+1", Assumption: "degree", Claim: claims(oneDegreeLess)},
				{Name: "degrees above 4 left out", Claim: claims(upToFour)},
				{Name: "the part along w alone", Claim: claims(alongWeights)},
				{Name: "coordinates are random signs", Assumption: "gaussian", Alter: func(m *moment) {
					m.Moment = signMoment(target.Monomials(m.series().Target), m.W, m.B)
				}},
			},
			Replicates: 2,
		},
	},
}.Claim()

// moment holds E[f⋆(x) x 1{w·x+b ≥ 0}], integrated by the implementation or a user.
type moment struct {
	Degrees      *mat.Dense `npy:"alpha"`
	Coefficients []float64  `npy:"h"`
	W            []float64  `npy:"w"`
	B            float64    `npy:"b"`
	Moment       []float64  `npy:"moment"`
}

// newMoment returns the instance of a target, without its moment.
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

// drawHalfSpace draws targets of degree at most 6 in at most 4 coordinates, weights of any length, and biases up to
// 6‖w‖.
func drawHalfSpace(t *props.T) moment {
	p := rapid.IntRange(0, 6).Draw(t.T, "p")
	d := gen.Dim(t.T, "d", min(4, 8-p))
	direction := target.Weights(t, d)
	w := target.Scaled(direction, gen.LogUniform(t.T, "length", 1e-6, 1e6)/floats.Norm(direction, 2))
	b := float64(rapid.IntRange(-24, 24).Draw(t.T, "4b/‖w‖")) / 4 * floats.Norm(w, 2)
	return newMoment(target.Draw(t, d, 0, p), w, b)
}

// integrated computes the moment.
func (m moment) integrated() moment {
	m.Moment = poly.HalfSpace(target.Monomials(m.series().Target), m.W, m.B).First
	return m
}

// Worked cases in which printed forms and readings fail.
var (
	secondDegree       = newMoment(theory.Target{{Coefficient: 1, Degrees: []int{2}}}, []float64{1}, 0)
	secondDegreeBiased = newMoment(theory.Target{{Coefficient: 1, Degrees: []int{2}}}, []float64{1}, 1)
	linearTarget       = newMoment(theory.Target{{Coefficient: 1, Degrees: []int{1}}}, []float64{1}, 0)
)

// signMoment returns the moment for x uniform on {±1}ᵈ, by enumeration.
func signMoment(f poly.Poly, w []float64, b float64) []float64 {
	sum := make([]float64, len(w))
	for code := range 1 << len(w) {
		x := list.Fill(len(w), func(i int) float64 { return float64(2*(code>>i&1) - 1) })
		if floats.Dot(w, x)+b >= 0 {
			floats.AddScaled(sum, f.At(x)/float64(int(1)<<len(w)), x)
		}
	}
	return sum
}

// seriesClaim returns the claimed moment.
type seriesClaim func(theory.Series) []float64

// claims claims another sum.
func claims(sum seriesClaim) func(*seriesClaim) { return func(c *seriesClaim) { *c = sum } }

// coefficients returns the c_k for weights of a length and a bias.
func coefficients(length, b float64) func(int) float64 {
	return func(k int) float64 { return theory.ReLU(k, b, length) }
}

// wholeSum returns the sum of both families, for the weights and the bias of the series.
func wholeSum(s theory.Series) []float64 {
	return s.Sum(0, s.Target.Degree(), coefficients(floats.Norm(s.W, 2), s.B))
}

func withoutBias(s theory.Series) []float64 {
	return s.Sum(0, s.Target.Degree(), coefficients(floats.Norm(s.W, 2), 0))
}

func oppositeBias(s theory.Series) []float64 {
	return s.Sum(0, s.Target.Degree(), coefficients(floats.Norm(s.W, 2), -s.B))
}

func unitLength(s theory.Series) []float64 { return s.Sum(0, s.Target.Degree(), coefficients(1, s.B)) }

// derivativeCoefficients returns the sum with the coefficients of σ′.
func derivativeCoefficients(s theory.Series) []float64 {
	c := coefficients(floats.Norm(s.W, 2), s.B)
	return s.Sum(0, s.Target.Degree(), func(k int) float64 { return c(k + 1) })
}

// second returns a term of the second family, c_{k+2}/k! C_k(w^⊗k) w.
func second(s theory.Series, k int) []float64 {
	c := coefficients(floats.Norm(s.W, 2), s.B)
	return target.Scaled(s.W, c(k+2)/hermite.Factorial(k)*s.Target.Form(k, s.W))
}

// secondFamilyStops returns the sum with the second family up to p−1.
func secondFamilyStops(s theory.Series) []float64 {
	sum := wholeSum(s)
	floats.Sub(sum, second(s, s.Target.Degree()))
	return sum
}

func firstFamily(s theory.Series) []float64 {
	sum := wholeSum(s)
	for k := range s.Target.Degree() + 1 {
		floats.Sub(sum, second(s, k))
	}
	return sum
}

// oneDegreeLess returns the sum with the first family up to p−2 and the second one up to p−1.
func oneDegreeLess(s theory.Series) []float64 {
	c, p := coefficients(floats.Norm(s.W, 2), s.B), s.Target.Degree()
	sum := s.Sum(0, p-1, c)
	if p > 0 {
		floats.AddScaled(sum, -c(p)/hermite.Factorial(p-1), s.Target.Contract(p, s.W))
	}
	return sum
}

func upToFour(s theory.Series) []float64 {
	c, p := coefficients(floats.Norm(s.W, 2), s.B), s.Target.Degree()
	s.Target = s.Target.Below(5)
	return s.Sum(0, p, c)
}

func alongWeights(s theory.Series) []float64 {
	return target.Scaled(s.W, floats.Dot(wholeSum(s), s.W)/floats.Dot(s.W, s.W))
}

// secondLine returns the second line of the display.
func secondLine(s theory.Series) []float64 {
	c := coefficients(floats.Norm(s.W, 2), s.B)
	return target.Plus(s.Sum(2, s.Target.Degree()-1, c), 1/math.Sqrt(2*math.Pi), s.Target.Contract(2, s.W))
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
