package latent

import (
	"math"
	"testing"
)

// A single feature of length 1 and the label 1: without a sample the head is 0, and so is a; with a = 1 the penalty is
// all of the bound.
func TestFrozenHead(t *testing.T) {
	about(t, "no sample", FrozenHead{0, 1, 1, 0}.Bound(), 4, 0)
	about(t, "the error of 0", FrozenHead{0, 1e9, 0, 1}.Bound(), 1, 1e-8)
	about(t, "at μ = M", FrozenHead{9, 1, 5, 2}.Bound(), 4*2+4*5./10, 1e-14)
	about(t, "factor", FrozenHead{9, 0.5, 5, 2}.Factor(), 9, 0)
	for _, f := range []FrozenHead{{-1, 1, 1, 0}, {1, 0, 1, 0}, {1, 1, -1, 0}, {1, 1, 1, math.NaN()}} {
		if !math.IsNaN(f.Bound()) {
			t.Errorf("%+v has a bound", f)
		}
	}
}
