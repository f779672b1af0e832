package latent

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/poly"
	"github.com/thm-suite/thm/impl/population"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/latent"
)

// series pairs the Hermite series with the integral over the half-space: a reflection, half-line moments and double
// factorials, in which no series and no derivative occurs.
var series = props.Claim{
	Statement: &theory.HermiteSeries,
	Verify: []props.LegacyCheck{
		seriesTensors(seriesTrial{}),
		seriesIdentity(seriesTrial{}),
		seriesOddDegree(seriesTrial{}),
		seriesLostTerm(seriesTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "second family stops at p−1", Check: seriesIdentity(seriesTrial{limit: true})},
		{Name: "coefficients of σ′", Assumption: "relu", Check: seriesIdentity(seriesTrial{slope: true})},
		{Name: "coefficients for bias 0", Assumption: "relu", Check: seriesIdentity(seriesTrial{noBias: true})},
		{Name: "coefficients for weights of unit length", Assumption: "relu", Check: seriesIdentity(seriesTrial{unit: true})},
		{Name: "bias of the opposite sign", Check: seriesIdentity(seriesTrial{opposite: true})},
		{Name: "second family left out", Check: seriesIdentity(seriesTrial{oneFamily: true})},
		{Name: "target of degree p+1", Assumption: "degree", Check: seriesIdentity(seriesTrial{higher: true})},
		{Name: "coordinates are random signs", Assumption: "gaussian", Check: seriesIdentity(seriesTrial{signs: true})},
		{Name: "printed limit for an even degree without bias", Check: seriesOddDegree(seriesTrial{even: true})},
		{Name: "lost term as without bias", Check: seriesLostTerm(seriesTrial{noBias: true})},
		{Name: "Hermite coefficients in place of mean derivatives", Check: seriesTensors(seriesTrial{raw: true})},
	},
	Errata: []props.Refutation{
		{Erratum: "limit", Check: seriesExamples(seriesTrial{limit: true}, smallest, mixedUnit, mixedBiased)},
		{Erratum: "sigma-prime", Check: seriesExamples(seriesTrial{slope: true}, smallest)},
		{Erratum: "second-line", Check: seriesExamples(seriesTrial{secondLine: true}, linear, shifted)},
	},
	Resolve: []props.Resolution{
		{Of: "the mean derivatives, on integers", Unit: props.Exact, Check: func(dose float64) props.LegacyCheck { return seriesTensors(seriesTrial{dose: dose}) }},
		{Of: "the series", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return seriesIdentity(seriesTrial{dose: dose}) }},
		{Of: "the term that the printed limit loses", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return seriesLostTerm(seriesTrial{dose: dose}) }},
	},
}

// seriesTrial is the version of the claim on trial. The zero value is the claim itself.
type seriesTrial struct {
	dose       float64 // the claimed side times 1+dose
	limit      bool    // the sums stop at p−1
	slope      bool    // c_k of σ′ in place of σ
	noBias     bool    // c_k(0, s) in place of c_k(b, s)
	unit       bool    // c_k(b, 1) in place of c_k(b, s)
	opposite   bool    // c_k(−b, s)
	oneFamily  bool    // Σ c_{k+1}/k! C_{k+1}(w^⊗k) alone
	secondLine bool    // Hw/√(2π) and the terms from k = 2 on
	higher     bool    // the target has one degree more than the sums
	signs      bool    // x uniform on {±1}ᵈ
	even       bool    // the check for odd degrees draws even ones
	raw        bool    // h_α in place of α! h_α
}

// coefficients returns the c_k of the version on trial.
func (v seriesTrial) coefficients(s theory.Series) func(int) float64 {
	length, b := norm(s.W), s.B
	switch {
	case v.noBias:
		b = 0
	case v.opposite:
		b = -b
	}
	if v.unit {
		length = 1
	}
	return func(k int) float64 {
		if v.slope {
			k++
		}
		return theory.ReLU(k, b, length)
	}
}

// claimed returns the series of the version on trial.
func (v seriesTrial) claimed(s theory.Series) []float64 {
	c, from, to := v.coefficients(s), 0, s.Target.Degree()
	if v.limit || v.higher {
		to--
	}
	if v.secondLine {
		from = 2
	}
	sum := s.Sum(from, to, c)
	if v.secondLine {
		sum = plus(sum, 1/math.Sqrt(2*math.Pi), s.Target.Contract(2, s.W))
	}
	if v.higher {
		// For a target of degree to the first family ends at to−1, since C_{to+1} vanishes. Here it does not.
		sum = plus(sum, -c(to+1)/math.Gamma(float64(to+1)), s.Target.Contract(to+1, s.W))
	}
	if v.oneFamily {
		for k := from; k <= to; k++ {
			// The second family at k is c_{k+2}/k! C_k(w^⊗k) w.
			sum = plus(sum, -c(k+2)/math.Gamma(float64(k+1))*s.Target.Form(k, s.W), s.W)
		}
	}
	return scaled(sum, 1+v.dose)
}

// obtained returns E[f x 1{w·x+b ≥ 0}].
func (v seriesTrial) obtained(in instance) []float64 {
	if v.signs {
		return signMoment(in)
	}
	return population.HalfSpace(in.f, in.w, in.b).First
}

// signMoment is the moment for x uniform on {±1}ᵈ, by enumeration.
func signMoment(in instance) []float64 {
	d := len(in.w)
	sum := make([]float64, d)
	for code := range 1 << d {
		x, z := make([]float64, d), in.b
		for i := range x {
			x[i] = float64(2*(code>>i&1) - 1)
			z += in.w[i] * x[i]
		}
		if z >= 0 {
			sum = plus(sum, in.f.At(x)/float64(int(1)<<d), x)
		}
	}
	return sum
}

// judge compares the two sides in Euclidean norm.
func (v seriesTrial) judge(in instance) (obtained, claimed []float64, ratio props.Ratio) {
	obtained, claimed = v.obtained(in), v.claimed(in.series())
	return obtained, claimed, props.Within(norm(plus(obtained, -1, claimed)), in.rounding())
}

// compare is judge for a property, with the two sides shown.
func (v seriesTrial) compare(t *props.T, in instance) props.Ratio {
	obtained, claimed, ratio := v.judge(in)
	in.show(t)
	t.Show("E[f x 1{w·x+b ≥ 0}]", obtained)
	t.Show("claimed series", claimed)
	return ratio
}

// seriesIdentity is the identity for random polynomials, weights and biases, within rounding.
func seriesIdentity(v seriesTrial) props.LegacyCheck {
	return props.Property{
		Name:  "series against the integral",
		Cases: props.Scale{Quick: 200, Standard: 1000, Deep: 100000},
		Prop:  func(t *props.T) props.Ratio { return v.compare(t, drawInstance(t)) },
	}.Check()
}

// seriesOddDegree is the printed form, whose sums stop at p−1, where it is right: odd degree, no bias.
func seriesOddDegree(v seriesTrial) props.LegacyCheck {
	return props.Property{
		Name:  "printed limit for odd degrees without bias",
		Cases: props.Scale{Quick: 200, Standard: 1000, Deep: 20000},
		Prop: func(t *props.T) props.Ratio {
			p := 2*rapid.IntRange(0, 2).Draw(t.T, "(p−1)/2") + 1
			if v.even {
				p++
			}
			d := gen.Dim(t.T, "d", 3)
			in := instance{target: drawTarget(t, d, 0, p), w: drawWeights(t, d)}
			in.f = monomials(in.target)
			printed := v
			printed.limit = true
			return printed.compare(t, in)
		},
	}.Check()
}

// seriesTensors holds the forms C_k(w^⊗k), read off the Hermite expansion, against the mean of the k-fold derivative
// along w, by differentiating the polynomial. With integers both are exact: coefficients stay below 10⁸.
func seriesTensors(v seriesTrial) props.LegacyCheck {
	return props.Property{
		Name:  "mean derivatives by differentiation",
		Cases: props.Scale{Quick: 200, Standard: 1000, Deep: 20000},
		Prop: func(t *props.T) props.Ratio {
			in := drawInstance(t)
			for i := range in.w {
				in.w[i] = math.Round(4 * in.w[i])
			}
			derivative, factorial, gap := in.f, 1.0, 0.0
			in.show(t)
			for k := 0; k <= in.target.Degree()+1; k++ {
				claimed := in.target.Form(k, in.w) * (1 + v.dose)
				if v.raw {
					claimed /= factorial
				}
				t.Show(fmt.Sprintf("C_%d(w,…,w) by differentiation and claimed", k), []float64{derivative.Mean(), claimed})
				gap += math.Abs(derivative.Mean() - claimed)
				derivative, factorial = along(derivative, in.w), factorial*float64(k+1)
			}
			return props.Exactly(gap)
		},
	}.Check()
}

// along returns Σ wᵢ ∂f/∂xᵢ.
func along(f poly.Poly, w []float64) poly.Poly {
	sum := poly.Poly{}
	for i, wi := range w {
		sum = sum.Plus(f.Derivative(i).Scaled(wi))
	}
	return sum
}
