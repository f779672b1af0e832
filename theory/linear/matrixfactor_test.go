package linear

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestMatrixFactor(t *testing.T) {
	a := mat.NewDense(2, 4, []float64{1, 2, 1, .5, 1, 0, 2, 1})
	at := func(alpha float64) []float64 {
		x, err := LeastEntropy(a, []float64{3, 2}, alpha)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for alpha, want := range map[float64][4]float64{1: {.5987860763253, .8503034809187, .3888269938222, .6235599360303},
		.1: {.440957321316, .889760669671, .6518632732753, .2553161321333}} {
		for i, x := range at(alpha) {
			agrees(t, "x", x, want[i], 1e-11)
		}
	}
	small, smaller := at(1e-14), at(1e-16)
	for i, want := range []float64{0.25, 0, 0, 0.5} { // 1 less the certificate (3/4, 1, 1, 1/2)
		agrees(t, "exponent", 1+math.Log(small[i]/smaller[i])/math.Log(100), 1+want, 1e-2)
	}
	agrees(t, "least trace", smaller[1], 1, 1e-3)
	agrees(t, "least trace", smaller[2], 1, 1e-3)

	hand, _ := LeastEntropy(mat.NewDense(1, 2, []float64{1, 2}), []float64{2.5}, 0.25)
	agrees(t, "by hand", hand[0], 0.5, 1e-14)
	agrees(t, "by hand", hand[1], 1, 1e-14)
	if _, err := LeastEntropy(mat.NewDense(1, 2, nil), []float64{1}, 0); err == nil {
		t.Error("a start of size 0 is accepted")
	}
}
