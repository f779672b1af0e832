// Package rational helps claims that are checked in rational arithmetic.
package rational

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
)

// Exactly records the criterion got = want in every entry, without any rounding: numbers whose difference floating
// point cannot show are recorded as differing in the last bit.
func Exactly(r *props.Record, name string, got, want []*big.Rat) {
	g, w := make([]float64, len(got)), make([]float64, len(want))
	for i := range want {
		g[i], w[i] = Float(got[i]), Float(want[i])
		if g[i] == w[i] && got[i].Cmp(want[i]) != 0 {
			g[i] = math.Nextafter(w[i], math.Inf(1))
		}
	}
	r.ExactlyVector(name, g, w)
}

// Float rounds a rational to floating point.
func Float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// Texts prints rationals.
func Texts(xs []*big.Rat) []string {
	return list.Map(xs, func(x *big.Rat) string { return x.RatString() })
}

// Subset draws k of the numbers 0, …, n−1, in ascending order.
func Subset(r *rand.Rand, n, k int) []int {
	s := r.Perm(n)[:k]
	slices.Sort(s)
	return s
}

// Indicator returns n entries: 1 at the members of a subset of 0, …, n−1, and 0 elsewhere.
func Indicator(n int, members []int) []float64 {
	out := make([]float64, n)
	for _, j := range members {
		out[j] = 1
	}
	return out
}
