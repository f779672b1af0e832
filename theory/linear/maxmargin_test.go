package linear

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestMaxMargin(t *testing.T) {
	hand, err := Separate(mat.NewDense(2, 2, []float64{1, 1, 1, -2}))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1, 0} {
		agrees(t, "ŵ", 1+hand.Direction[i], 1+want, 1e-15)
		agrees(t, "α", hand.Weights[i], []float64{2. / 3, 1. / 3}[i], 1e-15)
		agrees(t, "w̃", hand.Offset[i], []float64{math.Log(1.5) + math.Ln2/3, -math.Ln2 / 3}[i], 1e-14)
	}
	agrees(t, "μ", hand.Rate, 1, 1e-14)
	agrees(t, "gap of the direction times log t", -hand.Offset[1], .231049060187, 1e-11)

	three, err := Separate(mat.NewDense(3, 2, []float64{1, 1, 1, -2, 3, .5}))
	if err != nil {
		t.Fatal(err)
	}
	agrees(t, "w̃", three.Offset[0], .6365141682948, 1e-12)
	agrees(t, "w̃", three.Offset[1], -.2310490601866, 1e-12)
	for time, want := range map[float64][2]float64{1e4: {9.846972263919, -.2310490506877},
		1e8: {19.05719492402, -.2310490601867}} {
		agrees(t, "w₁", math.Log(time)+three.Offset[0], want[0], 3/time)
		agrees(t, "w₂", three.Offset[1], want[1], 1/time)
	}
	slow, _ := Separate(mat.NewDense(2, 2, []float64{1, .5, 1, -.5}))
	agrees(t, "slow mode", slow.Rate, .25, 1e-14)
	large, err := Separate(mat.NewDense(2, 2, []float64{1e6, 1e6, 1e6, -2e6}))
	if err != nil {
		t.Fatal(err)
	}
	agrees(t, "in another unit of the samples", large.Direction[0], 1e-6, 1e-14)
	for name, x := range map[string][]float64{"degenerate": {1, 0, 1, 1}, "not separable": {1, 0, -1, 0}} {
		if _, err := Separate(mat.NewDense(2, 2, x)); err == nil {
			t.Error(name + " data are accepted")
		}
	}
	if _, err := Separate(mat.NewDense(64, 1, nil)); err == nil {
		t.Error("64 samples are accepted")
	}
}
