package tangent

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// Bound returns a number below which no factors cost that meet the labels, for multipliers λ (n) of the caller's and
// the cost c of any factors that meet them: with X = Σ λᵢFᵢ per layer, up to rounding,
//
//	min(c, ⟨λ, y⟩ − Σ over layers and singular values xⱼ of X of the sup over 0 ≤ v ≤ R of xⱼv − ω̃(v)),
//
// where ω̃ is the effective penalty of the layer and ω̃(R) ≥ c: cheaper factors have no larger singular value in B. It
// needs no convexity of ω̃, but (LC) of both penalties where both factors of a layer adapt. It is −Inf where ω̃ stays
// below c.
func (s Structured) Bound(multipliers []float64, c float64) (float64, error) {
	if err := s.valid(); err != nil {
		return math.NaN(), err
	}
	if len(multipliers) != len(s.Labels) {
		return math.NaN(), errMultipliers
	}
	bound := floats.Dot(multipliers, s.Labels)
	for _, layer := range s.Layers {
		values, err := linalg.SingularValues(layer.combined(mat.NewDense(len(multipliers), 1, multipliers)))
		if err != nil {
			return math.NaN(), err
		}
		reach := layer.reach(c)
		for _, x := range values {
			bound -= layer.conjugate(x, reach, 1e-12*c)
		}
	}
	return min(c, bound), nil
}

var errMultipliers = errors.New("tangent: need one multiplier per label")

// GlobalBound is the best [Structured.Bound] for multiples of a solution's multipliers, to a part in a thousand. It is
// the cost of the solution where that is the minimum and the effective penalties are convex; elsewhere it is less.
func (s Structured) GlobalBound(found Solution) (float64, error) {
	best, scaled := 0.0, make([]float64, len(found.Multipliers)) // no cost is negative
	from, to := 0.0, 2.0
	at := func(factor float64) (float64, error) {
		floats.ScaleTo(scaled, factor, found.Multipliers)
		bound, err := s.Bound(scaled, found.Cost)
		best = max(best, bound)
		return bound, err
	}
	if _, err := at(1); err != nil {
		return math.NaN(), err
	}
	for to-from > 1e-3 { // the bound is concave in the factor
		low, _ := at(from + (to-from)/3)
		high, _ := at(to - (to-from)/3)
		if low < high {
			from += (to - from) / 3
		} else {
			to -= (to - from) / 3
		}
	}
	return best, nil
}

// effective is ω̃(v).
func (l StructuredLayer) effective(v float64) float64 {
	_, _, cost := l.share(v)
	return cost
}

// reach returns a v with ω̃(v) ≥ c, +Inf if there is none below 10¹⁰⁰.
func (l StructuredLayer) reach(c float64) float64 {
	for v := math.Sqrt(c); v < 1e100; v *= 2 {
		if l.effective(v) >= c {
			return v
		}
	}
	return math.Inf(1)
}

// conjugate bounds the sup over 0 ≤ v ≤ reach of xv − ω̃(v) from above, and exceeds it by at most tiny unless a
// thousand halvings do not do. Between two points ω̃ is at least its chord in v², in which it is concave.
func (l StructuredLayer) conjugate(x, reach, tiny float64) float64 {
	if math.IsInf(reach, 1) {
		return reach
	}
	whole := piece{to: reach, high: l.effective(reach)}
	pieces, attained := []piece{whole}, max(0, x*reach-whole.high)
	for range 1000 {
		top := 0
		for i, p := range pieces {
			if p.sup(x) > pieces[top].sup(x) {
				top = i
			}
		}
		p := pieces[top]
		if p.sup(x) <= attained+tiny {
			break
		}
		mid := p.from + (p.to-p.from)/2
		value := l.effective(mid)
		attained = max(attained, x*mid-value)
		pieces[top].to, pieces[top].high = mid, value
		pieces = append(pieces, piece{mid, p.to, value, p.high})
	}
	highest := attained
	for _, p := range pieces {
		highest = max(highest, p.sup(x))
	}
	return highest
}

// piece is an interval of v with the values of ω̃ at its ends.
type piece struct{ from, to, low, high float64 }

// sup returns the supremum of xv less the chord in v².
func (p piece) sup(x float64) float64 {
	slope := max(0, (p.high-p.low)/(p.to*p.to-p.from*p.from))
	v := p.to
	if slope > 0 {
		v = min(p.to, max(p.from, x/(2*slope)))
	}
	return x*v - p.low - slope*(v*v-p.from*p.from)
}
