package stat

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestFit(t *testing.T) {
	// By hand: Sxx = 5, Sxy = 3, residuals -0.1, 0.3, -0.3, 0.1, hence s² = 0.2/2; t for 2 degrees of freedom is
	// 4.3026527.
	line := Fit([]float64{0, 1, 2, 3}, []float64{0, 1, 1, 2}, 0.05)
	const quantile = 4.30265272974946
	near(t, line.Slope.Estimate, 0.6, 8*ulp, "slope")
	near(t, line.Intercept.Estimate, 0.1, 32*ulp, "intercept")
	near(t, line.SD, math.Sqrt(0.1), 16*ulp, "residual standard deviation")
	near(t, line.Slope.Hi-0.6, quantile*math.Sqrt(0.1/5), 1e-13, "half-width of the slope")
	near(t, line.Intercept.Hi-0.1, quantile*math.Sqrt(0.1*(1.0/4+2.25/5)), 1e-13, "half-width of the intercept")
	require.Equal(t, 4, line.Points)
	require.Equal(t, line.Slope, Slope([]float64{0, 1, 2, 3}, []float64{0, 1, 1, 2}, 0.05))
	require.Panics(t, func() { Fit([]float64{0, 1, 2}, []float64{0, 1}, 0.05) })
}

// Whatever the units and the origin, the fit is the fit of the same points.
func TestFitEquivariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfNDistinct(rapid.IntRange(-50, 50), 3, 12, rapid.ID[int]).Draw(t, "x")
		scaleX := math.Ldexp(1, rapid.IntRange(-700, 300).Draw(t, "log scale of x"))
		scaleY := math.Ldexp(1, rapid.IntRange(-300, 300).Draw(t, "log scale of y"))
		shift := float64(rapid.IntRange(-1000, 1000).Draw(t, "shift"))
		var xs, ys, xt, yt []float64
		for _, v := range x {
			y := rapid.IntRange(-50, 50).Draw(t, "y")
			xs, ys = append(xs, float64(v)), append(ys, float64(y))
			xt, yt = append(xt, (float64(v)+shift)*scaleX), append(yt, (float64(y)-shift)*scaleY)
		}
		plain, moved := Fit(xs, ys, 0.01), Fit(xt, yt, 0.01)
		// Powers of two scale without rounding. A shift of 1000 costs three digits of the deviations, and the
		// half-width of 12 points on a line within rounding is nothing but rounding: 1e5 ulp of the scale of y over
		// that of x.
		tol := 1e5 * ulp * 1050
		unit := scaleX / scaleY
		for _, d := range []float64{moved.Slope.Lo*unit - plain.Slope.Lo, moved.Slope.Hi*unit - plain.Slope.Hi} {
			if ok := math.Abs(d) <= tol; !ok {
				t.Fatalf("the ends of the slope moved by %g: %+v, %+v", d, plain.Slope, moved.Slope)
			}
		}
	})
}

func TestWiderAtSmallerAlpha(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = float64(rapid.IntRange(0, 10).Draw(t, "x")) / 10
		}
		loose, strict := 0.1, math.Pow(10, -float64(rapid.IntRange(2, 12).Draw(t, "digits")))
		for name, interval := range map[string]sequence{
			"Mean": Mean, "SubGaussianMean": subGaussianMean, "SubGamma": boundedSubGamma,
			"Proportion": func(xs []float64, alpha float64) Interval {
				return Proportion(int(xs[0]*float64(n)), n, alpha)
			},
		} {
			wide, narrow := interval(xs, strict), interval(xs, loose)
			if ok := wide.Valid() && narrow.Valid() && wide.Lo <= narrow.Lo && narrow.Hi <= wide.Hi; !ok {
				t.Fatalf("%s: %+v is not inside %+v", name, narrow, wide)
			}
		}
	})
}
