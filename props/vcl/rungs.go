package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props"
)

// rungs are the norms of a remainder E along halved step sizes, and how far it may be from its leading order.
type rungs struct {
	steps, errors []float64 // γ, ‖E(γ)‖
	beyond        []float64 // bounds |‖E(γ)‖ − ‖γᵖE_p‖|
}

// newRungs takes the remainders E(γ) at halved steps, of the claimed order p. With E = γᵖE_p + γᵖ⁺¹E_{p+1} + … the difference
// E(γ) − 2ᵖE(γ/2) is half of the next order, and twice that bounds it. The given rounding is added. The last step only serves
// the one before it and is dropped.
func newRungs(steps []float64, remainders []*mat.Dense, order int, rounding float64) rungs {
	l, last := rungs{}, len(steps)-1
	for k := range last {
		var next mat.Dense
		next.Scale(-float64(int(1)<<order), remainders[k+1])
		next.Add(remainders[k], &next)
		l.steps = append(l.steps, steps[k])
		l.errors = append(l.errors, mat.Norm(remainders[k], 2))
		l.beyond = append(l.beyond, 2*mat.Norm(&next, 2)+rounding)
	}
	return l
}

// ofOrder judges the slopes of runs against an order, which a dose makes fractional, and asks for what logSlope presumes: that
// at most half of every remainder is of another order. It returns the mean slope too.
func ofOrder(name string, all []rungs, order float64) ([]props.Part, float64) {
	slopes, share, sum := props.Ratio{}, props.Ratio{}, 0.0
	for _, l := range all {
		slope, allowed := logSlope(l.steps, l.errors, l.beyond)
		slopes = props.Worst(slopes, props.Within(slope-order, allowed))
		for k, beyond := range l.beyond {
			share = props.Worst(share, props.Within(beyond/l.errors[k], 0.5))
		}
		sum += slope
	}
	return []props.Part{{Name: name, Ratio: slopes}, {Name: name + ": what is of another order, at most half", Ratio: share}}, sum / float64(len(all))
}

// logSlope returns the least-squares slope of log y against log x, and how far it may be off when y is known to the
// given errors. The slope is Σ wₖ log yₖ, and an error ρₖ ≤ ½ relative to yₖ moves the logarithm by at most 2ρₖ, so the
// slope is known to Σ |wₖ|·2ρₖ.
func logSlope(x, y, errors []float64) (slope, allowed float64) {
	for k, w := range slopeWeights(x) {
		slope += w * math.Log(y[k])
		allowed += math.Abs(w) * 2 * errors[k] / y[k]
	}
	return slope, allowed
}

// slopeWeights returns w with Σ wₖyₖ the least-squares slope of y against log x.
func slopeWeights(x []float64) []float64 {
	mean, spread := 0.0, 0.0
	for _, xk := range x {
		mean += math.Log(xk) / float64(len(x))
	}
	for _, xk := range x {
		spread += math.Pow(math.Log(xk)-mean, 2)
	}
	w := make([]float64, len(x))
	for k, xk := range x {
		w[k] = (math.Log(xk) - mean) / spread
	}
	return w
}
