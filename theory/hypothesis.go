package theory

import (
	"errors"
	"math"
)

// When returns x where the hypotheses of a formula hold, and NaN elsewhere.
func When(hold bool, x float64) float64 {
	if hold {
		return x
	}
	return math.NaN()
}

// Require returns nil where a hypothesis holds, and elsewhere an error that names it.
func Require(holds bool, hypothesis string) error {
	if holds {
		return nil
	}
	return errors.New(hypothesis)
}
