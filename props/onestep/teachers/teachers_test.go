package teachers

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// In the plane the mean over the circle of a polynomial of degree six is that over eight directions or more, exactly.
func TestMomentsAreMeansOverDirections(t *testing.T) {
	teacher := theory.Teacher{Coefficients: []float64{0.3, 0.8, -0.5, 0.4}, Noise: 0.2}
	x := mat.NewDense(3, 2, []float64{1.2, -0.4, 0.3, 2, -0.9, 0.5})
	link, got, want := features.Series(teacher.Coefficients...), Moments(teacher, x), mat.NewDense(3, 3, nil)
	const directions = 16
	for k := range directions {
		angle := 2 * math.Pi * float64(k) / directions
		y := make([]float64, 3)
		for i := range y {
			y[i] = link.Value(x.At(i, 0)*math.Cos(angle) + x.At(i, 1)*math.Sin(angle))
		}
		want.RankOne(want, 1./directions, mat.NewVecDense(3, y), mat.NewVecDense(3, y))
	}
	for i := range 3 {
		want.Set(i, i, want.At(i, i)+teacher.Noise)
	}
	if !mat.EqualApprox(got, want, 1e-12) {
		t.Errorf("got %v, want %v", mat.Formatted(got), mat.Formatted(want))
	}
}
