package emergence

import (
	"math"
	"testing"
)

// In one dimension every cosine is ±1; in two it is that of a uniform angle, 2/π; in three the coordinate is uniform on
// [−1, 1]. For d = 500 it is about √(2/(πd)).
func TestMeanCosine(t *testing.T) {
	near(t, "d = 1", MeanCosine(1), 1, 1e-14)
	near(t, "d = 2", MeanCosine(2), 2/math.Pi, 1e-14)
	near(t, "d = 3", MeanCosine(3), 0.5, 1e-14)
	near(t, "d = 500", MeanCosine(500)*math.Sqrt(500), 0.798, 1e-3)
}

// One vector and its opposite are at 1 and −1; three against one at 1/2 and −3/2, with eigenvalue 3/4 + 9/4.
func TestSides(t *testing.T) {
	plus, minus := Sides{1, 1}.Coordinates()
	near(t, "plus", plus, 1, 0)
	near(t, "minus", minus, -1, 0)
	plus, minus = Sides{3, 1}.Coordinates()
	near(t, "three", plus, 0.5, 0)
	near(t, "one", minus, -1.5, 0)
	near(t, "eigenvalue", Sides{3, 1}.Eigenvalue(), 3*plus*plus+minus*minus, 0)
	if x := (Sides{0, 0}).Eigenvalue(); !math.IsNaN(x) {
		t.Errorf("no vectors: %v", x)
	}
}
