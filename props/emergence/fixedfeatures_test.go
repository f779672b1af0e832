package emergence

import (
	"math"
	"testing"
)

// The loss of the feature of the total count in the reading at p_o = 10⁻⁵, k = 5, D = 80: 0.3137p_o.
func TestStrayLoss(t *testing.T) {
	in := coordinate{Dim: 80, Count: 5, Background: 1e-5, Uniform: 1e-5}
	if got := strayLoss(in).Loss / in.Background; !(math.Abs(got-0.3137) <= 5e-5) {
		t.Errorf("loss %vp_o, want 0.3137p_o", got)
	}
}
