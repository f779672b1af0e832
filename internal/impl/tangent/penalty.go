package tangent

import (
	"errors"
	"math"
)

// Penalty gives the cost of a singular value 1+e, and its derivative in e. It is a function of e because the penalties
// of interest vanish at e = 0, and 1+e would lose what makes them differ from zero. At a kink Slope is a derivative
// from one side.
type Penalty struct {
	Name  string
	Value func(e float64) float64
	Slope func(e float64) float64

	both func(e float64) (value, slope float64) // where that is cheaper; else nil
}

// at returns value and slope.
func (p Penalty) at(e float64) (value, slope float64) {
	if p.both != nil {
		return p.both(e)
	}
	return p.Value(e), p.Slope(e)
}

// Square is e².
var Square = Penalty{Name: "e²",
	Value: func(e float64) float64 { return e * e },
	Slope: func(e float64) float64 { return 2 * e }}

// Modulus is |e|.
var Modulus = Penalty{Name: "|e|", Value: math.Abs,
	Slope: func(e float64) float64 { return math.Copysign(1, e) }}

// LogDet is z² − 1 − 2 ln z at z = 1+e; infinite for z ≤ 0.
var LogDet = Penalty{Name: "z²−1−2 ln z",
	Value: func(e float64) float64 {
		if e <= -1 {
			return math.Inf(1)
		}
		return e*(2+e) - 2*math.Log1p(e)
	},
	Slope: func(e float64) float64 { return 2 * e * (2 + e) / (1 + e) }}

// WeightDecay is z² at z = 1+e. Its minimum is not at z = 1.
var WeightDecay = Penalty{Name: "z²",
	Value: func(e float64) float64 { return (1 + e) * (1 + e) },
	Slope: func(e float64) float64 { return 2 * (1 + e) }}

// Saturating is 1 − 1/z² for z = 1+e ≥ 1 and e² below: bounded, so that no size is too expensive.
var Saturating = Penalty{Name: "1−1/z²",
	Value: func(e float64) float64 {
		if e <= 0 {
			return e * e
		}
		return 1 - math.Pow(1+e, -2)
	},
	Slope: func(e float64) float64 {
		if e <= 0 {
			return 2 * e
		}
		return 2 * math.Pow(1+e, -3)
	}}

// Flat leaves the sizes z = 1+e from 1 to 2 free and charges the squared distance from them.
var Flat = Penalty{Name: "distance² from [1, 2]",
	Value: func(e float64) float64 { return math.Pow(beyond(e), 2) },
	Slope: func(e float64) float64 { return 2 * beyond(e) }}

// beyond is the signed distance of 1+e from [1, 2].
func beyond(e float64) float64 { return e - min(max(e, 0), 1) }

// Times returns the penalty multiplied by a positive factor.
func (p Penalty) Times(factor float64) Penalty {
	return Penalty{Name: p.Name,
		Value: func(e float64) float64 { return factor * p.Value(e) },
		Slope: func(e float64) float64 { return factor * p.Slope(e) },
		both: func(e float64) (value, slope float64) {
			value, slope = p.at(e)
			return factor * value, factor * slope
		}}
}

// Smoothed returns ω²/(2·width) where the penalty ω is at most width, and ω − width/2 beyond: no kink where |e| has
// one, the same slope beyond, and less than the penalty by at most width/2.
func (p Penalty) Smoothed(width float64) Penalty {
	return Penalty{Name: p.Name,
		Value: func(e float64) float64 {
			w := p.Value(e)
			if w > width {
				return w - width/2
			}
			return w * w / (2 * width)
		},
		Slope: func(e float64) float64 { return p.Slope(e) * min(1, p.Value(e)/width) }}
}

// Minimum minimises p(z) + v²/z² over z = 1+e ≥ 1 by brute force: golden section in ln z, on an interval that doubles
// until its right end costs more than its middle. The value is good to rounding, e to its square root. The objective
// must have a single valley in ln z. An error says that it never rises.
func (p Penalty) Minimum(v float64) (e, value float64, err error) {
	cost := func(t float64) float64 { return p.Value(math.Expm1(t)) + math.Pow(v*math.Exp(-t), 2) }
	const farthest = 300 // z up to 10¹³⁰
	hi := 1e-9
	for !(cost(hi) > cost(hi/2)) {
		if hi *= 2; hi > farthest {
			return math.Inf(1), cost(farthest), errors.New("tangent: no minimum: the penalised stretch never costs " +
				"more than a smaller one")
		}
	}
	t := goldenSection(0, hi, cost)
	if cost(0) <= cost(t) {
		t = 0
	}
	return math.Expm1(t), cost(t), nil
}

// Stationary returns e ≥ 0 where p(z) + v²/z² has slope zero, z = 1+e, or 0 if it only rises: where z³p'(z) − 2v²
// changes its sign, to the rounding of e.
func (p Penalty) Stationary(v float64) float64 {
	target := 2 * v * v
	slope := func(e float64) float64 { z := 1 + e; return p.Slope(e)*z*z*z - target }
	hi := 1.0
	for !(slope(hi) > 0) && hi < 1e100 {
		hi *= 2
	}
	lo := hi // an interval between powers of two keeps the relative accuracy of a small e
	for ; slope(lo) > 0 && lo > 1e-300; lo /= 2 {
		hi = lo
	}
	if slope(lo) > 0 {
		return 0
	}
	return crossing(lo, hi, slope)
}

// goldenSection narrows [lo, hi] around the minimum of a function with a single valley, until rounding stops it.
//
// Source: Kiefer, Proc. Amer. Math. Soc. 4 (1953) 502.
func goldenSection(lo, hi float64, f func(float64) float64) float64 {
	const ratio = 1 / math.Phi
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fa, fb := f(a), f(b)
	for range 100 { // ratio¹⁰⁰ = 1e-21
		if fa <= fb {
			hi, b, fb = b, a, fa
			a = hi - ratio*(hi-lo)
			fa = f(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + ratio*(hi-lo)
			fb = f(b)
		}
	}
	if fa <= fb {
		return a
	}
	return b
}
