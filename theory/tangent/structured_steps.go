package tangent

import (
	"github.com/thm-suite/thm/theory"
	"math"
)

// Step is a penalty without (LC): 0 at 1, Height for all other stretches up to End, infinite beyond.
type Step struct{ Height, End float64 }

// Valid names the violated hypothesis.
func (s Step) Valid() error {
	return theory.Require(s.Height > 0 && s.End > 1, "tangent: a step needs a positive height and an end beyond 1")
}

// Optimum returns the effective penalty at σ of the sum ⊕ of the given number of sides with this penalty: the minimum
// over k of k·Height + σ²/End²ᵏ, with k of the sides stretched to the end.
func (s Step) Optimum(sigma float64, sides int) float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	lowest := math.Inf(1)
	for k := range sides + 1 {
		lowest = min(lowest, float64(k)*s.Height+math.Pow(sigma/math.Pow(s.End, float64(k)), 2))
	}
	return lowest
}
