package results

import "math"

// Ratio is a discrepancy divided by what is allowed.
//
// A claim holds when Value is at most one, and is refuted when Lower exceeds one. For a deterministic check the
// two are equal. For a statistical check Value is the discrepancy at the unfavourable end of a confidence
// interval and Lower the one at the favourable end; as long as 1 lies between them the claim is undecided.
type Ratio struct {
	Value float64
	Lower float64
}

// invalid is a ratio that is not valid.
var invalid = Ratio{math.NaN(), math.NaN()}

// Reserve returns the distance of a ratio of an interval beyond 1, in half-widths of the interval: it could move by
// this and still be a refutation. It is 0 where it is none, and infinite where there is no interval.
func (r Ratio) Reserve() float64 {
	if !r.Valid() || r.Lower <= 1 {
		return 0
	}
	return 2 * (r.Lower - 1) / (r.Value - r.Lower)
}

// Valid reports whether a ratio is one: 0 ≤ Lower ≤ Value. A NaN is none.
func (r Ratio) Valid() bool { return 0 <= r.Lower && r.Lower <= r.Value }

// Verdict reads a ratio. What is not a ratio is an error.
func (r Ratio) Verdict() Verdict {
	switch {
	case r.Valid() && r.Value <= 1:
		return Holds
	case r.Valid() && r.Lower <= 1:
		return Undecided
	case r.Valid():
		return Refuted
	default:
		return Error
	}
}

// And is the ratio that counts when both conditions must hold.
func (r Ratio) And(other Ratio) Ratio {
	if !r.Valid() || !other.Valid() {
		return invalid
	}
	return Ratio{max(r.Value, other.Value), max(r.Lower, other.Lower)}
}

// Worsens reports whether the ratio makes another one worse. Nothing is worse than an invalid one.
func (r Ratio) Worsens(other Ratio) bool { return other.Valid() && other.And(r) != other }
