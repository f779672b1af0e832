package linear

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The flow itself against reference values at finite times.
func TestFlowOfThreeSamples(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 1, 1, -2, 3, .5})
	for time, want := range map[float64][2]float64{10: {3.046390781422, -.2279510527749},
		1e4: {9.846972263919, -.2310490506877}, 1e8: {19.05719492402, -.2310490601867}} {
		w := flowTo(x, []float64{0, 0}, math.Log1p(time), exponential)
		for i := range w {
			if !(math.Abs(w[i]-want[i]) < 1e-6) {
				t.Errorf("t = %v: %v, want %v", time, w, want)
			}
		}
	}
}
