package tangent_test

import (
	"math"
	"testing"

	"github.com/thm-suite/thm/theory/tangent"
)

func side(f tangent.Family) tangent.Side { return tangent.Side{Family: f, Factor: 1} }

var (
	one      = tangent.Sum{side(tangent.Quadratic)}
	two      = tangent.Sum{side(tangent.Absolute)}
	oneOne   = tangent.Sum{side(tangent.Quadratic), side(tangent.Quadratic)}
	oneTwo   = tangent.Sum{side(tangent.Quadratic), side(tangent.Absolute)}
	logs     = tangent.Sum{side(tangent.LogDet), side(tangent.LogDet)}
	unmoving = tangent.Sum{side(tangent.Fixed)}
)

// ω₁ ⊕ ω₂ at points computed independently by brute force to 12 digits.
func TestSumTable(t *testing.T) {
	for _, c := range [][2]float64{{1.2, 0.04}, {1.5, 0.231234562836}, {2, 0.581412179607}, {3, 1.234886096074},
		{5, 2.417345374373}, {6, 2.965379954231}, {10, 4.971353678398}} {
		near(t, "ω₁ ⊕ ω₂", oneTwo.Of(c[0]-1).Value, c[1], 1e-11)
	}
	if v := unmoving.Of(1).Value; !math.IsInf(v, 1) {
		t.Errorf("a fixed side moves at cost %v", v)
	}
}

// The general solution in q against the closed forms of each family, which solve other equations.
func TestSumAgainstClosedForms(t *testing.T) {
	for family, sum := range map[tangent.Family]tangent.Sum{tangent.Quadratic: one, tangent.Absolute: two,
		tangent.Product: oneTwo, tangent.LogDet: {side(tangent.LogDet)}} {
		for _, v := range []float64{1e-100, 1e-9, 0.1, 0.5, 0.7, 0.97, 1, 2, 5, 100, 1e9, 1e100} {
			s := tangent.Stretch{Norm: v, Family: family, Factor: 1}
			near(t, string(family)+" ω̃", sum.Optimum(v), s.Optimum(), 1e-13)
			near(t, string(family)+" s−1", sum.Effective(v).Gain(), s.Excess(), 1e-12)
			near(t, string(family)+" slope", sum.Slope(v), s.Slope(), 1e-12)
		}
	}
	// by brute force: splits between the sides, the largest slope, the log-det side at v = 1, where s² is the golden ratio
	for _, c := range [][3]float64{{1, 1.371909672, 1.020452953}, {2, 1.505607657, 1.522493519},
		{5, 1.735172162, 2.551300537}} {
		split := oneTwo.Effective(c[0])
		near(t, "z₁", 1+split.Excess[0], c[1], 1e-9)
		near(t, "z₂", 1+split.Excess[1], c[2], 1e-9)
	}
	_, slope := oneTwo.Inflection()
	near(t, "largest slope", slope, 1.0353, 5e-5)
	logDet := tangent.Sum{side(tangent.LogDet)}
	near(t, "log-det, s", logDet.Effective(1).Size(), 1.2720196495, 1e-10)
	near(t, "log-det, ω̃", logDet.Optimum(1), 0.7548561524, 1e-10)
	near(t, "c(1)", tangent.Stretch{Norm: 1, Family: tangent.Product, Factor: 1}.Coefficient(), 0.9599, 5e-5)
}

// Two equal sides by hand: z⁵(z−1) = v² with value 3z²−5z+2 for the quadratic penalty, z⁴(z²−1) = v² for log-det.
func TestEqualSides(t *testing.T) {
	for _, z := range []float64{1 + 1e-6, 1.2, 3} {
		v := math.Sqrt(math.Pow(z, 5) * (z - 1))
		near(t, "ω₁ ⊕ ω₁", oneOne.Optimum(v), 3*z*z-5*z+2, 1e-9)
		near(t, "s", oneOne.Effective(v).Size(), z*z, 1e-12)
		v = math.Sqrt(math.Pow(z, 4) * (z*z - 1))
		near(t, "ω_S ⊕ ω_S", logs.Effective(v).Size(), z*z, 1e-12)
	}
}

// Thresholds and inflections by hand: 1/√2, cos 15°; two quadratic sides bend at z = 3/2, two log-det sides at z² = 2.
func TestThresholdsAndInflections(t *testing.T) {
	cos15 := math.Cos(math.Pi / 12)
	near(t, "ω₂ alone", two.Threshold(0), 1/math.Sqrt2, 1e-15)
	near(t, "ω₂ added to ω₁", oneTwo.Threshold(1), cos15, 1e-14)
	near(t, "ω₁", oneTwo.Threshold(0), 0, 1e-15)
	for _, c := range []struct {
		sum tangent.Sum
		at  float64
	}{{two, 1 / math.Sqrt2}, {oneTwo, cos15}, {oneOne, math.Sqrt(math.Pow(1.5, 5) / 2)}, {logs, 2}} {
		if !c.sum.Convex(c.at*0.999) || c.sum.Convex(c.at*1.001) {
			t.Errorf("%v does not bend at %v", c.sum, c.at)
		}
	}
	if !one.Convex(1e6) {
		t.Error("ω̃₁ is convex")
	}
}

// Growth exponents 1, 2/3, 1/2, and 2/3 for two quadratic sides; at v = 1e60 the logarithmic slope has arrived.
func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		sum  tangent.Sum
		want float64
	}{{one, 1}, {two, 2. / 3}, {oneTwo, 0.5}, {oneOne, 2. / 3}, {logs, 2. / 3}, {unmoving, 2}} {
		near(t, "exponent", c.sum.Growth(), c.want, 1e-15)
		const v = 1e60
		near(t, "slope", c.sum.Slope(v)*v/c.sum.Optimum(v), c.want, 1e-12)
	}
}

// Factors: κ multiplies the value, and v²/κ takes the place of v². The splits of unequal factors balance.
func TestSumFactors(t *testing.T) {
	scaled := tangent.Sum{{tangent.Quadratic, 4}, {tangent.Absolute, 4}}
	near(t, "ω̃", scaled.Optimum(3), 4*oneTwo.Optimum(1.5), 1e-13)
	mixed := tangent.Sum{{tangent.Quadratic, 0.3}, {tangent.Quadratic, 7}}
	split := mixed.Effective(5)
	a, b := split.Excess[0], split.Excess[1]
	near(t, "balance", 0.3*a*(1+a), 7*b*(1+b), 1e-13)
	for _, bad := range []tangent.Sum{{{tangent.Product, 1}}, {{tangent.Quadratic, 0}}, {{"else", 1}}} {
		if bad.Valid() == nil || !math.IsNaN(bad.Optimum(1)) || !math.IsNaN(bad.Of(1).Value) {
			t.Errorf("%v is taken for a penalty", bad)
		}
	}
}

// The curves of Figure 2 for ω₁ and ω₂ cross at one v > 0.
func TestCrossing(t *testing.T) {
	const v = 2.3612021859
	near(t, "ω̃₁", one.Optimum(v), 2.3511204806, 1e-10)
	near(t, "ω̃₂", two.Optimum(v), 2.3511204806, 1e-10)
}
