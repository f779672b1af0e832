// Package order judges the order of a remainder in a small step size.
package order

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
)

// Remainder is the norm of a remainder E along step sizes, and how far it may be from its leading order γᵖE_p.
type Remainder struct {
	Steps, Norms []float64 // γ, ‖E(γ)‖
	Beyond       []float64 // bounds |‖E(γ)‖ − ‖γᵖE_p‖|
	Another      []float64 // ‖E(γ) − 2ᵖE(γ/2)‖, without a part of order p
	Allowed      []float64 // what a proof allows of it; nil where none is known
}

// Halved takes the remainders E(γ) at steps each of which is half of the one before, of the claimed order p. With E =
// γᵖE_p + γᵖ⁺¹E_{p+1} + … the difference E(γ) − 2ᵖE(γ/2) is half of the next order, and twice that bounds it. The given
// rounding is added. The last step only serves the one before it and is dropped.
func Halved(steps []float64, remainders []*mat.Dense, order int, rounding float64) Remainder {
	var r Remainder
	for k := range len(steps) - 1 {
		var next mat.Dense
		next.Scale(-float64(int(1)<<order), remainders[k+1])
		next.Add(remainders[k], &next)
		r.Steps = append(r.Steps, steps[k])
		r.Norms = append(r.Norms, mat.Norm(remainders[k], 2))
		r.Another = append(r.Another, mat.Norm(&next, 2))
		r.Beyond = append(r.Beyond, 2*r.Another[k]+rounding)
	}
	return r
}

// Judge states two criteria: the slope of log ‖E‖ against log γ is the claimed order, and at most half of every
// remainder is of another order, which [Slope] presumes. It returns the slope.
func Judge(r *props.Record, name string, e Remainder, order float64) float64 {
	slope, allowed := Slope(e.Steps, e.Norms, e.Beyond)
	r.WithinExponent(name, slope, order, allowed)
	for k, beyond := range e.Beyond {
		r.AtMost(name+PartOfAnother, beyond/e.Norms[k], 0.5, 8*roundoff.Unit)
	}
	return slope
}

// JudgeBounded is [Judge] for remainders whose leading order may vanish in some draws, as the leading order of a
// product does where its factors are orthogonal. It presumes nothing: that E(γ) − 2ᵖE(γ/2) stays below what a proof
// allows is judged at every step, and is what a part of lower order violates. The slope says nothing of a remainder
// whose leading order is not seen next to the next one, and is declined there.
func JudgeBounded(r *props.Record, name string, e Remainder, order float64) {
	for k, another := range e.Another {
		r.AtMost(name+PartOfAnother, another, e.Allowed[k], 8*roundoff.Unit*e.Allowed[k])
	}
	if !r.Declines(name, e.Resolved(), 2) {
		slope, allowed := Slope(e.Steps, e.Norms, e.Beyond)
		r.WithinExponent(name, slope, order, allowed)
	}
}

// PartOfAnother is the suffix in the name of the criterion on the part of another order.
const PartOfAnother = ": the part of another order"

// Resolved returns the ratio of the remainder to the part that may be of another order, at the step where it is least.
func (e Remainder) Resolved() float64 {
	smallest := math.Inf(1)
	for k, norm := range e.Norms {
		smallest = min(smallest, norm/e.Beyond[k])
	}
	return smallest
}

// Slope returns the least-squares slope of log y against log x, and how far it may be off when y is known to the given
// errors. The slope is Σ wₖ log yₖ, and an error ρₖ ≤ ½ relative to yₖ moves the logarithm by at most 2ρₖ, so the slope
// is known to Σ |wₖ|·2ρₖ.
func Slope(x, y, errors []float64) (slope, allowed float64) {
	logs := list.Map(x, math.Log)
	for k, w := range stat.SlopeWeights(logs) {
		slope += w * math.Log(y[k])
		allowed += math.Abs(w) * 2 * errors[k] / y[k]
	}
	return slope, allowed
}

// Limit extrapolates values Q(γ) = Q₀ + γQ₁ + γ²Q₂ + … at halved steps to Q₀ by Neville's scheme, and says how far it
// may be off: the last correction, which is larger than the next one would be, and the given error of each value, which
// the scheme amplifies less than ninefold, Π(2ʲ+1)/(2ʲ−1) < 8.3.
func Limit(values []*mat.Dense, errors []float64) (limit *mat.Dense, err float64) {
	table, worst := make([]*mat.Dense, len(values)), 0.0
	for k, q := range values {
		table[k], worst = mat.DenseCopyOf(q), max(worst, errors[k])
	}
	for j := 1; j < len(table); j++ {
		for k := len(table) - 1; k >= j; k-- {
			var correction mat.Dense
			correction.Sub(table[k], table[k-1])
			correction.Scale(1/(math.Ldexp(1, j)-1), &correction)
			table[k].Add(table[k], &correction)
			if j == len(table)-1 {
				err = mat.Norm(&correction, 2)
			}
		}
	}
	return table[len(table)-1], err + 9*worst
}
