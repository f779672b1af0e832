package emergence

import (
	"math"
	"testing"
)

// Values of the activation and of the gate under noise 0.1 that were computed apart, and limits.
func TestActivation(t *testing.T) {
	for _, c := range []struct{ z, s, value, slope float64 }{
		{0, 0.1, 0.0398942280401433, 0.5},
		{0.05, 0.1, 0.0697796557401306, 0.691462461274013},
		{1, 0.1, 0.960105771959857, 0.5},
		{math.Inf(-1), 0.1, 0, 0},
		{math.Inf(1), 0.1, 1, 0},
		{0.5, 3, 0.5, 0.132367665222}, // 2Φ(1/6) − 1
		{0.3, 1e-9, 0.3, 1},
	} {
		if got := Activation(c.z, c.s); !(math.Abs(got-c.value) <= 1e-14) {
			t.Errorf("z = %v, s = %v: value %v, want %v", c.z, c.s, got, c.value)
		}
		if got := Gate(c.z, c.s); !(math.Abs(got-c.slope) <= 1e-11) {
			t.Errorf("z = %v, s = %v: slope %v, want %v", c.z, c.s, got, c.slope)
		}
	}
	if got := Activation(0.3, 0); !math.IsNaN(got) {
		t.Errorf("no noise: %v, want NaN", got)
	}
	if got := Forgotten([]float64{3}, []float64{2}, 0.25, 2); got[0] != -0.5 {
		t.Errorf("a step with λ_w = 1/(2η) left %v of 3", got[0])
	}
}
