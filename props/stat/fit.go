package stat

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Line is a straight line y = intercept + slope·x that was fitted by least squares.
type Line struct {
	Slope     Interval
	Intercept Interval // of y at x = 0
	SD        float64  // residual standard deviation, with n-2 degrees of freedom
	Points    int      // n
}

// Fit fits a line by ordinary least squares. Replicates enter as points with the same x and add degrees of freedom. It
// panics when the lengths of x and y differ.
//
// Assumption: the errors in y are independent and normal with one standard deviation. As with [Mean], it matters at
// small alpha, where a criterion takes [MedianSlope].
//
// Level: one look at a number of points fixed in advance; alpha for each interval alone.
//
// Both are invalid with fewer than three points, when x is constant, or when anything is not finite.
//
// An exponent is the slope of log y over log x.
func Fit(x, y []float64, alpha float64) Line {
	if len(x) != len(y) {
		panic("stat: x and y of different lengths")
	}
	n := float64(len(x))
	l := newLeastSquares(x)
	meanY, dy, _ := centred(y)
	if len(x) < 3 || math.IsNaN(l.norm) || !level(alpha) {
		return Line{invalid(alpha), invalid(alpha), math.NaN(), len(x)}
	}
	slope, lever := l.slope(dy), l.mean/l.norm
	floats.AddScaled(dy, -slope, l.deviations) // the residuals
	sd, t := floats.Norm(dy, 2)/math.Sqrt(n-2), studentQuantile(alpha/2, n-2)
	return Line{
		Slope:     around(slope, sd/l.norm, t, alpha),
		Intercept: around(meanY-slope*l.mean, sd*math.Sqrt(1/n+lever*lever), t, alpha),
		SD:        sd,
		Points:    len(x),
	}
}

// Slope is the slope of [Fit].
func Slope(x, y []float64, alpha float64) Interval { return Fit(x, y, alpha).Slope }
