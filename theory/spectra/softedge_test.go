package spectra

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
)

// TestTracyWidom compares with moments of F₁ by quadrature, and with another computation of its determinant.
func TestTracyWidom(t *testing.T) {
	near(t, "F₁(−1)", TracyWidom(-1), 0.5837898955198, 1e-12)
	mean := quad.Fixed(func(s float64) float64 { return 1 - TracyWidom(s) }, -10, 12, 60, quad.Legendre{}, 0) - 10
	square := quad.Fixed(func(s float64) float64 { return 2 * s * (1 - TracyWidom(s)) }, -10, 12, 60, quad.Legendre{}, 0)
	near(t, "mean", mean, TracyWidomMean, 1e-9)
	near(t, "deviation", math.Sqrt(square+100-mean*mean), TracyWidomSD, 1e-9)
	near(t, "deviation, squared", TracyWidomSD*TracyWidomSD, 1.607781034581, 1e-9)
	near(t, "far", TracyWidom(30)+TracyWidom(-30), 1, 0)
	l := LargestWishart{200, 100}
	near(t, "centre", l.Centre(), 580.7818305001, 1e-12)
	near(t, "scale", l.Scale(), 13.3776865953, 1e-12)
	near(t, "more columns than rows", LargestWishart{3, 4}.Centre(), math.NaN(), 0)
}
