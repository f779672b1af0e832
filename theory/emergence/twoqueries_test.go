package emergence

import (
	"math"
	"testing"
)

// D = 201 as it was computed apart, and D = 3, where sign e₁ is the majority itself.
func TestTwoQueries(t *testing.T) {
	s := Triples{201}
	for name, c := range map[string]struct{ got, want, digit float64 }{
		"parity":    {float(s.Agreement(false)), 0.49986, 1e-5},
		"majority":  {float(s.Agreement(true)), 0.54233, 1e-5},
		"tolerance": {float(s.Tolerance()), 0.0212, 5e-5},
		"error":     {float(s.ParityError()), 0.49973, 1e-5},
		"printed":   {math.Cbrt(Binomial(201, 3)) / 2, 55.03, 1e-2},
		"D = 3":     {float(Triples{3}.Agreement(true)), 1, 1e-15},
	} {
		if !(math.Abs(c.got-c.want) <= c.digit) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if (Triples{4}).Agreement(true) != nil || (Triples{1}).Tolerance() != nil || (Triples{2}).ParityError() != nil {
		t.Error("a number outside the hypotheses")
	}
}
