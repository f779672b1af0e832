package tangent

import (
	"errors"
	"math"
)

// Family names a function ω that is zero at 1 and positive elsewhere, decreases before 1 and increases after it.
type Family string

// The families. The first three appear in the paper's Figure 2. The last is the penalty whose stationarity conditions
// hold along plain gradient flow on the model without any penalty.
const (
	Quadratic Family = "quadratic" // ω₁(z) = (z−1)²
	Absolute  Family = "absolute"  // ω₂(z) = |z−1|
	Product   Family = "product"   // ω₃ = ω₁ ⊕ ω₂, ω₃(z) = min over a > 0 of ω₁(a) + ω₂(z/a)
	LogDet    Family = "log-det"   // ω_S(z) = z² − 1 − 2 ln z
)

// Families lists all families; add new ones here.
var Families = []Family{Quadratic, Absolute, Product, LogDet}

// Stretch is the scalar problem to which Theorem 1 reduces the claim: minimise Factor·ω(z) + v²/z² over z ≥ 1. A factor
// rescales v, because the minimum is Factor times the minimum of ω(z) + (v/√Factor)²/z².
type Stretch struct {
	Norm   float64 // v = ‖β̂‖ > 0
	Family Family
	Factor float64 // > 0
}

// Within this range of v/√Factor, squares are normal floating-point numbers.
const leastNorm, mostNorm = 1e-150, 1e150

// Valid names the violated hypothesis.
func (s Stretch) Valid() error {
	v := s.Norm / math.Sqrt(s.Factor)
	switch _, known := solvers[s.Family]; {
	case !known:
		return errors.New("tangent: unknown family of penalties")
	case !(s.Factor > 0):
		return errors.New("tangent: the penalty's factor must be positive")
	case !(v >= leastNorm && v <= mostNorm):
		return errors.New("tangent: the norm divided by the root of the factor must lie between 1e-150 and 1e150")
	}
	return nil
}

// Excess returns s − 1, where s = argmin over z ≥ 1 is the factor by which features are stretched along β̂. For small
// v it is of order v², and forming s first would lose it.
func (s Stretch) Excess() float64 {
	e, _ := s.solve()
	return e
}

// Size returns s.
func (s Stretch) Size() float64 { return 1 + s.Excess() }

// Optimum returns the effective penalty ω̃(v) = min over z ≥ 1 of Factor·ω(z) + v²/z².
func (s Stretch) Optimum() float64 {
	_, value := s.solve()
	return s.Factor * value
}

// Slope returns dω̃/dv = 2v/s² (the envelope theorem).
func (s Stretch) Slope() float64 { return 2 * s.Norm / s.Amplification() }

// Cost returns ‖θ̂‖² = v²/s², the contribution of the parameters to the optimum.
func (s Stretch) Cost() float64 { return s.Norm * s.Norm / s.Amplification() }

// Amplification returns s², the factor by which the kernel grows along the labels.
func (s Stretch) Amplification() float64 { return s.Size() * s.Size() }

// Coefficient returns c(v) = (s²−1)/v², the weight of yyᵀ in the adapted kernel.
func (s Stretch) Coefficient() float64 {
	e := s.Excess()
	return e * (2 + e) / (s.Norm * s.Norm)
}

// solve returns s − 1 and ω̃ for Factor = 1 at v/√Factor.
func (s Stretch) solve() (excess, value float64) {
	if s.Valid() != nil {
		return math.NaN(), math.NaN()
	}
	return solvers[s.Family](s.Norm / math.Sqrt(s.Factor))
}

// solvers holds the closed forms of e = s − 1 and of ω̃(v). In each, e follows from d/dz (ω(z) + v²/z²) = 0.
var solvers = map[Family]func(v float64) (excess, value float64){
	Quadratic: quadratic,
	Absolute:  absolute,
	Product:   product,
	LogDet:    logDet,
}

// quadratic: e(1+e)³ = v², and ω̃ = e(1+2e).
func quadratic(v float64) (excess, value float64) {
	e := root(v*v, min(v*v, math.Sqrt(v)), func(e float64) (f, slope float64) {
		z := 1 + e
		return e * z * z * z, z * z * (1 + 4*e)
	})
	return e, e * (1 + 2*e)
}

// absolute: s = max(1, (2v²)^(1/3)), and ω̃ = v² as long as s = 1, 3s/2 − 1 beyond.
func absolute(v float64) (excess, value float64) {
	if 2*v*v <= 1 {
		return 0, v * v
	}
	s := math.Cbrt(2 * v * v)
	return s - 1, 1.5*s - 1
}

// product: up to v = cos 15° the second factor stays 1, and ω₃ acts as ω₁. Beyond, the split is s = a·2a(a−1) with
// 4a⁵(a−1)³ = v², and ω̃ = 4a² − 5a.
func product(v float64) (excess, value float64) {
	if v*v <= (2+math.Sqrt(3))/4 { // cos² 15°
		return quadratic(v)
	}
	e := root(v*v, min(math.Cbrt(v*v/4), math.Pow(v*v/4, 1./8)), func(e float64) (f, slope float64) {
		a := 1 + e
		g := 4 * a * a * a * a * e * e
		return g * a * e, g * (3 + 8*e)
	})
	a := 1 + e
	return 2*a*a*e - 1, a * (4*a - 5)
}

// logDet: s²(s²−1) = v², a quadratic equation in x = s² − 1, and ω̃ = 2x − ln(1+x).
func logDet(v float64) (excess, value float64) {
	x := 2 * v / (1/v + math.Hypot(1/v, 2)) // the positive root of x² + x = v²
	return x / (math.Sqrt(1+x) + 1), 2*x - math.Log1p(x)
}

// root solves f(e) = target for an increasing convex f by Newton's method from a point at or beyond the root. The
// iterates then fall towards it, until rounding stops them.
func root(target, from float64, f func(e float64) (value, slope float64)) float64 {
	e := from
	for range 100 {
		value, slope := f(e)
		next := e - (value-target)/slope
		if !(next < e) {
			return e
		}
		e = next
	}
	return e
}
