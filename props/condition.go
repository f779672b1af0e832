package props

import (
	"math"

	"github.com/thm-suite/thm/props/results"
)

// Ratio is a discrepancy divided by what is allowed.
type Ratio = results.Ratio

// inf replaces the ratio of every broken comparison, so that NaN loses.
var inf = Ratio{Value: math.Inf(1), Lower: math.Inf(1)}

// Within is |discrepancy|/allowed, for kernels on trial: a NaN anywhere, or a tolerance that is not a positive finite
// number, gives +Inf. The criteria of claims know a third outcome; see [Record].
func Within(discrepancy, allowed float64) Ratio {
	value := math.Abs(discrepancy) / allowed
	if !(allowed > 0) || math.IsInf(allowed, 0) || math.IsNaN(value) {
		return inf
	}
	return Ratio{Value: value, Lower: value}
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

// Worst is the ratio of several conditions that must all hold. Of no condition at all it is +Inf.
func Worst(ratios ...Ratio) Ratio {
	if len(ratios) == 0 {
		return inf
	}
	w := Ratio{}
	for _, r := range ratios {
		w = w.And(r)
	}
	return w
}
