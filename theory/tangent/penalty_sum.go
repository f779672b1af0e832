package tangent

import (
	"errors"
	"math"
)

// Fixed is the family of a side that is not adapted: ω is infinite except at 1.
const Fixed Family = "fixed"

// Side is the penalty κω on the singular values of one factor of a transformation.
type Side struct {
	Family Family // of [Families] without Product, or Fixed
	Factor float64
}

// Sum is the product infimal convolution ω = ω₁ ⊕ … ⊕ ωₖ of the penalties of several sides,
//
//	ω(z) = min over z₁⋯zₖ = z of Σ ωᵢ(zᵢ).
//
// Every family satisfies (LC): t ↦ ω(eᵗ) is convex for t ≥ 0. Hence at the minimum for z ≥ 1, all zᵢω'(zᵢ) have the
// common value 2q, except that zᵢ = 1 where this value cannot be reached; everything below is a function of q.
type Sum []Side

// sides holds the families as functions of r = q/κ: the excess z − 1 at which zω'(z) = 2r, or 0; the value of ω there;
// and the elasticity d ln z/d ln r.
var sides = map[Family]func(r float64) (excess, value, elasticity float64){
	Quadratic: func(r float64) (excess, value, elasticity float64) { // z(z−1) = r
		e := 2 * r / (1 + math.Sqrt(1+4*r))
		return e, e * e, e / (1 + 2*e)
	},
	Absolute: func(r float64) (excess, value, elasticity float64) { // z = 2r
		if 2*r <= 1 {
			return 0, 0, 0
		}
		return 2*r - 1, 2*r - 1, 1
	},
	LogDet: func(r float64) (excess, value, elasticity float64) { // z² = 1 + r
		return r / (1 + math.Sqrt(1+r)), lessLogarithm(r), r / (2 * (1 + r))
	},
	Fixed: func(float64) (excess, value, elasticity float64) { return 0, 0, 0 },
}

// lessLogarithm returns r − ln(1+r), for r ≥ 0, without cancellation.
func lessLogarithm(r float64) float64 {
	if r > 0.1 {
		return r - math.Log1p(r)
	}
	sum, power := 0.0, -r
	for k := 2; k <= 18; k++ {
		power *= -r
		sum += power / float64(k)
	}
	return sum
}

// Valid names the violated hypothesis.
func (s Sum) Valid() error {
	for _, side := range s {
		if _, known := sides[side.Family]; !known {
			return errors.New("tangent: unknown family of penalties on a side")
		}
		if !(side.Factor > 0) || math.IsInf(side.Factor, 1) {
			return errors.New("tangent: the factor of a side's penalty must be positive and finite")
		}
	}
	return nil
}

// Split says how the sides of a [Sum] share a stretch.
type Split struct {
	Excess []float64 // zᵢ − 1
	Cost   float64   // q, half the common value of zᵢω'(zᵢ)
	Value  float64   // Σ ωᵢ(zᵢ)
}

// Size returns the whole stretch, z₁⋯zₖ.
func (s Split) Size() float64 { return 1 + s.Gain() }

// Gain returns z₁⋯zₖ − 1.
func (s Split) Gain() float64 { return math.Expm1(s.log()) }

func (s Split) log() float64 {
	sum := 0.0
	for _, e := range s.Excess {
		sum += math.Log1p(e)
	}
	return sum
}

// at returns the split for a given q.
func (s Sum) at(q float64) Split {
	out := Split{Excess: make([]float64, len(s)), Cost: q}
	for i, side := range s {
		e, value, _ := sides[side.Family](q / side.Factor)
		out.Excess[i] = e
		out.Value += side.Factor * value
	}
	return out
}

// logAt returns ln(z₁⋯zₖ) for a given q.
func (s Sum) logAt(q float64) float64 {
	sum := 0.0
	for _, side := range s {
		e, _, _ := sides[side.Family](q / side.Factor)
		sum += math.Log1p(e)
	}
	return sum
}

// Of returns the cheapest split of a stretch z ≥ 1, given as z − 1; its Value is ω(z). All fields are NaN outside the
// hypotheses, and Value is +Inf where no side can move.
func (s Sum) Of(excess float64) Split {
	target := math.Log1p(excess)
	if s.Valid() != nil || !(excess >= 0) || math.IsInf(excess, 1) {
		return Split{Cost: math.NaN(), Value: math.NaN()}
	}
	if excess == 0 {
		return s.at(0)
	}
	q := smallest(1, func(q float64) bool { return s.logAt(q) >= target })
	if math.IsInf(q, 1) {
		return Split{Excess: make([]float64, len(s)), Cost: q, Value: q}
	}
	return s.at(q)
}

// Effective returns the split that attains the effective penalty ω̃(v) = min over z ≥ 1 of ω(z) + v²/z², for v ≥ 0.
// There q is v²/z², the cost of the parameters.
func (s Sum) Effective(v float64) Split {
	if s.Valid() != nil || !(v >= 0) || v > mostNorm {
		return Split{Cost: math.NaN(), Value: math.NaN()}
	}
	if v < leastNorm {
		return s.at(v * v)
	}
	return s.at(v * v * math.Exp(s.logShare(v)))
}

// logShare returns ln(q/v²) ≤ 0, the zero x of x + 2·ln(z₁⋯zₖ) at q = v²eˣ: by Newton's method, with bisection when a
// step leaves the interval that contains the zero. The slope in x is at least 1.
func (s Sum) logShare(v float64) float64 {
	lo, hi, x := math.Inf(-1), math.Inf(1), 0.0
	for range 200 {
		value, slope := x, 1.0
		for _, side := range s {
			e, _, elasticity := sides[side.Family](v * v * math.Exp(x) / side.Factor)
			value += 2 * math.Log1p(e)
			slope += 2 * elasticity
		}
		if value > 0 {
			hi = x
		} else {
			lo = x
		}
		next := x - value/slope
		if !(lo < next && next < hi) && !math.IsInf(lo, -1) {
			next = lo + (hi-lo)/2
		}
		if math.Abs(next-x) <= 0x1p-53*math.Abs(x) || value == 0 {
			return x
		}
		x = next
	}
	return x
}

// Optimum returns ω̃(v).
func (s Sum) Optimum(v float64) float64 {
	split := s.Effective(v)
	return split.Value + split.Cost
}

// Slope returns dω̃/dv = 2q/v (the envelope theorem), and 0 at v = 0.
func (s Sum) Slope(v float64) float64 {
	if v == 0 {
		return 0
	}
	return 2 * s.Effective(v).Cost / v
}

// Convex reports whether the effective penalty is convex at v: whether the elasticities of the sides add up to at most
// ½. By v² = q·z₁²⋯zₖ² the slope 2q/v then rises with q.
func (s Sum) Convex(v float64) bool {
	q, sum := s.Effective(v).Cost, 0.0
	for _, side := range s {
		_, _, elasticity := sides[side.Family](q / side.Factor)
		sum += elasticity
	}
	return sum <= 0.5
}

// Threshold returns the v beyond which side i is adapted: 0 for a penalty that is smooth at 1, +Inf for a fixed side.
func (s Sum) Threshold(i int) float64 {
	switch side := s[i]; side.Family {
	case Absolute:
		q := side.Factor / 2
		return math.Sqrt(q) * math.Exp(s.logAt(q))
	case Fixed:
		return math.Inf(1)
	}
	return 0
}

// Growth returns the exponent of ω̃(v) as v grows: 2/(1+2Σ1/aᵢ) where ωᵢ grows like zᵃ with a = aᵢ, over the sides
// that are adapted.
func (s Sum) Growth() float64 {
	sum := 0.0
	for _, side := range s {
		switch side.Family {
		case Absolute:
			sum++
		case Quadratic, LogDet:
			sum += 0.5
		}
	}
	return 2 / (1 + 2*sum)
}

// smallest returns, up to rounding, the smallest q > 0 at which a condition holds, for a condition that then holds at
// all larger q; +Inf where it never holds. The search begins at a positive number.
func smallest(from float64, holds func(q float64) bool) float64 {
	hi := from
	for ; !holds(hi); hi *= 2 {
		if math.IsInf(hi, 1) {
			return hi
		}
	}
	for lo := hi / 2; lo > 0; lo /= 2 {
		if !holds(lo) {
			for range 54 {
				mid := lo + (hi-lo)/2
				if holds(mid) {
					hi = mid
				} else {
					lo = mid
				}
			}
			return hi
		}
		hi = lo
	}
	return hi
}

// Inflection returns the v beyond which ω̃ is concave, and its slope there, which is the largest; both are +Inf where
// ω̃ is convex for all v.
func (s Sum) Inflection() (v, slope float64) {
	q := smallest(1, func(q float64) bool {
		sum := 0.0
		for _, side := range s {
			_, _, elasticity := sides[side.Family](q / side.Factor)
			sum += elasticity
		}
		return sum > 0.5
	})
	if math.IsInf(q, 1) {
		return q, q
	}
	v = math.Sqrt(q) * math.Exp(s.logAt(q))
	return v, 2 * q / v
}

// Loss returns S = Σ 1/aᵢ over the sides that are smooth at 1, ωᵢ(z) = aᵢ(z−1)² + …: below every kink's
// [Sum.Threshold] the effective penalty lies between v² − Sv⁴ and v², and within 3S²v⁶ of v² − Sv⁴.
func (s Sum) Loss() float64 {
	sum := 0.0
	for _, side := range s {
		switch side.Family {
		case Quadratic:
			sum += 1 / side.Factor
		case LogDet:
			sum += 1 / (2 * side.Factor)
		}
	}
	return sum
}
