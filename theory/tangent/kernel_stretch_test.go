package tangent_test

import (
	"math"
	"testing"

	"github.com/thm-suite/thm/theory/tangent"
)

// The table was computed independently by brute force and root finding, to 12 digits.
func TestStretchTable(t *testing.T) {
	cos15 := math.Cos(math.Pi / 12)
	for _, c := range []struct {
		family     tangent.Family
		v, s, best float64
	}{
		{tangent.Quadratic, 0.1, 1.00971414712, 0.00990287642471},
		{tangent.Quadratic, 0.5, 1.16011626779, 0.211390706211},
		{tangent.Quadratic, cos15, 1.36602540378, 0.633974596216},
		{tangent.Quadratic, 1, 1.38027756910, 0.669499628215},
		{tangent.Quadratic, 2, 1.74840288125, 1.86861662659},
		{tangent.Quadratic, 5, 2.53487167679, 6.24653380524},
		{tangent.Quadratic, 100, 10.2596948117, 180.743590824},
		{tangent.Absolute, 0.1, 1, 0.01},
		{tangent.Absolute, 0.5, 1, 0.25},
		{tangent.Absolute, cos15, 1.23113548916, 0.846703233747},
		{tangent.Absolute, 1, 1.25992104989, 0.889881574842},
		{tangent.Absolute, 2, 2, 2},
		{tangent.Absolute, 5, 3.68403149864, 4.52604724796},
		{tangent.Absolute, 100, 27.1441761659, 39.7162642489},
		{tangent.Product, 0.5, 1.16011626779, 0.211390706211},
		{tangent.Product, cos15, 1.36602540378, 0.633974596216},
		{tangent.Product, 1, 1.39996927555, 0.668996233053},
		{tangent.Product, 2, 2.29227789931, 1.53937938079},
		{tangent.Product, 5, 4.42694566807, 3.36742891307},
		{tangent.Product, 100, 39.4968154550, 22.5603029214},
		{tangent.LogDet, 1, math.Sqrt(math.Phi), math.Sqrt(5) - 1 - math.Log(math.Phi)}, // by hand
	} {
		s := tangent.Stretch{Norm: c.v, Family: c.family, Factor: 1}
		near(t, string(c.family)+" s", s.Size(), c.s, 5e-11)
		near(t, string(c.family)+" ω̃", s.Optimum(), c.best, 5e-11)
	}
}

// Small v: quadratic and product ω̃ = v² − v⁴ + O(v⁶) and log-det v² − v⁴/2 + O(v⁶) with e = v²/(ω”(1)/2) + …; absolute
// is v² exactly. What s − 1 would lose, Excess keeps.
func TestSmallNorms(t *testing.T) {
	for family, half := range map[tangent.Family]float64{tangent.Quadratic: 1, tangent.Product: 1, tangent.LogDet: 2} {
		for _, v := range []float64{1e-3, 1e-8, 1e-100} {
			s := tangent.Stretch{Norm: v, Family: family, Factor: 1}
			near(t, string(family)+" excess", s.Excess(), v*v/half, 4*v*v+1e-15)
			near(t, string(family)+" deficit", s.Optimum(), v*v*(1-v*v/half), 4*v*v*v*v+1e-15)
			near(t, string(family)+" coefficient", s.Coefficient(), 2/half, 4*v*v+1e-15)
		}
	}
	v := 0.7
	s := tangent.Stretch{Norm: v, Family: tangent.Absolute, Factor: 1}
	if s.Excess() != 0 || s.Optimum() != v*v || s.Coefficient() != 0 {
		t.Errorf("absolute penalty below 1/√2: %v, %v", s.Excess(), s.Optimum())
	}
}

// Large v: ω(z) ~ zᵃ gives ω̃ ~ v^(2a/(a+2)). For the quadratic penalty ω̃ = 2v − 2√v + 3/4 + o(1); its deviation from
// 3/4 at v = 1e6 is 6.3e-5.
func TestLargeNorms(t *testing.T) {
	const v = 1e6
	at := func(f tangent.Family, v float64) tangent.Stretch {
		return tangent.Stretch{Norm: v, Family: f, Factor: 1}
	}
	near(t, "constant", at(tangent.Quadratic, v).Optimum()-2*v+2*math.Sqrt(v), 0.75, 1e-4)
	for family, exponent := range map[tangent.Family]float64{tangent.Quadratic: 1.00050, tangent.Absolute: 0.66670,
		tangent.Product: 0.50486} {
		s := at(family, v)
		near(t, string(family)+" logarithmic slope", s.Slope()*v/s.Optimum(), exponent, 1e-5)
	}
}

// The coefficient of the absolute penalty is largest at s = √3; the coefficient of the product penalty has a second
// maximum.
func TestCoefficientExtrema(t *testing.T) {
	s := tangent.Stretch{Norm: 1.6118548977, Family: tangent.Absolute, Factor: 1}
	near(t, "s", s.Size(), math.Sqrt(3), 1e-10)
	near(t, "c", s.Coefficient(), 0.769800358920, 1e-11)
	s = tangent.Stretch{Norm: 1.4955920, Family: tangent.Product, Factor: 1}
	near(t, "c", s.Coefficient(), 1.104838198688, 1e-11)
}

// Slope is the derivative of the optimum: central difference with step 1e-5·v, whose error is about 1e-10 relative.
func TestSlopeIsTheDerivativeOfTheOptimum(t *testing.T) {
	for _, family := range tangent.Families {
		for _, v := range []float64{0.03, 0.9, 1.7, 40} {
			at := func(v float64) tangent.Stretch { return tangent.Stretch{Norm: v, Family: family, Factor: 3.7} }
			h := 1e-5 * v
			near(t, string(family), (at(v+h).Optimum()-at(v-h).Optimum())/(2*h), at(v).Slope(), 1e-8)
		}
	}
}

// The solvers reach the edges of their range without overflow or an unfinished iteration.
func TestExtremeNorms(t *testing.T) {
	for _, family := range tangent.Families {
		for _, v := range []float64{1e-150, 1e150} {
			s := tangent.Stretch{Norm: v, Family: family, Factor: 1}
			for _, x := range []float64{s.Optimum(), s.Size(), s.Coefficient(), s.Cost()} {
				if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
					t.Errorf("%s at v = %g: %v", family, v, x)
				}
			}
			if !(s.Optimum() <= v*v) {
				t.Errorf("%s at v = %g: ω̃ = %g exceeds v²", family, v, s.Optimum())
			}
		}
	}
}
