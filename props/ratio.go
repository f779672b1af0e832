package props

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

// inf is what every broken comparison turns into, so that NaN loses.
var inf = Ratio{math.Inf(1), math.Inf(1)}

// Within is |discrepancy|/allowed, for kernels on trial: a NaN anywhere, or a tolerance that is not a positive finite
// number, gives +Inf. The criteria of claims know a third outcome; see [Record].
func Within(discrepancy, allowed float64) Ratio {
	value := math.Abs(discrepancy) / allowed
	if !(allowed > 0) || math.IsInf(allowed, 0) || math.IsNaN(value) {
		return inf
	}
	return Ratio{value, value}
}

// Exactly is the ratio of a check without tolerance: 0 if the discrepancy is zero, +Inf otherwise.
func Exactly(discrepancy float64) Ratio {
	if discrepancy == 0 {
		return Ratio{}
	}
	return inf
}

// Condition is the ratio of a yes-or-no check.
func Condition(ok bool) Ratio {
	if ok {
		return Ratio{}
	}
	return inf
}

// reserve is how far beyond 1 a ratio of an interval lies, in half-widths of the interval: what it could move and still
// be a refutation. It is 0 where it is none, and infinite where there is no interval.
func (r Ratio) reserve() float64 {
	if !r.valid() || r.Lower <= 1 {
		return 0
	}
	return 2 * (r.Lower - 1) / (r.Value - r.Lower)
}

// valid reports whether a ratio is what the functions of this file return: 0 ≤ Lower ≤ Value.
func (r Ratio) valid() bool { return 0 <= r.Lower && r.Lower <= r.Value }

// Verdict reads a ratio. What is not a ratio is an error.
func (r Ratio) Verdict() Verdict {
	switch {
	case r.valid() && r.Value <= 1:
		return Holds
	case r.valid() && r.Lower <= 1:
		return Undecided
	case r.valid():
		return Refuted
	default:
		return Error
	}
}

// worse returns the ratio that counts when both must hold.
func worse(a, b Ratio) Ratio {
	if !a.valid() || !b.valid() {
		return invalid
	}
	return Ratio{max(a.Value, b.Value), max(a.Lower, b.Lower)}
}

// worsens reports whether b makes a worse. Nothing is worse than what is no ratio.
func (b Ratio) worsens(a Ratio) bool { return a.valid() && worse(a, b) != a }

// Worst is the ratio of several conditions that must all hold. Of no condition at all it is +Inf.
func Worst(ratios ...Ratio) Ratio {
	if len(ratios) == 0 {
		return inf
	}
	w := Ratio{}
	for _, r := range ratios {
		w = worse(w, r)
	}
	return w
}
