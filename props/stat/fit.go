package stat

import "math"

// Line is a straight line y = intercept + slope·x that was fitted by least squares.
type Line struct {
	Slope     Interval
	Intercept Interval // of y at x = 0
	SD        float64  // residual standard deviation, with n-2 degrees of freedom
	Points    int      // n
}

// Fit fits a line by ordinary least squares to points whose errors in y are independent and normal with one standard
// deviation. Replicates enter as points with the same x and add degrees of freedom. The false-alarm rate of each
// interval alone is alpha. Both are invalid with fewer than three points, when x is constant, or when anything is not
// finite. It panics when the lengths of x and y differ.
//
// An exponent is the slope of log y over log x.
func Fit(x, y []float64, alpha float64) Line {
	if len(x) != len(y) {
		panic("stat: x and y of different lengths")
	}
	n, meanX, meanY := float64(len(x)), average(x), average(y)
	xx, xy := squaresAbout(meanX, x), 0.0
	if len(x) < 3 || constant(x) || !(xx > 0) || math.IsInf(xx, 1) {
		return Line{invalid(alpha), invalid(alpha), math.NaN(), len(x)}
	}
	for i := range x {
		xy += (x[i] - meanX) * (y[i] - meanY)
	}
	slope, residuals := xy/xx, make([]float64, len(x))
	for i := range x {
		residuals[i] = y[i] - meanY - slope*(x[i]-meanX)
	}
	sd := math.Sqrt(squaresAbout(0, residuals) / (n - 2))
	return Line{
		Slope:     around(slope, sd/math.Sqrt(xx), n-2, alpha),
		Intercept: around(meanY-slope*meanX, sd*math.Sqrt(1/n+meanX*meanX/xx), n-2, alpha),
		SD:        sd,
		Points:    len(x),
	}
}

// Slope is the slope of [Fit].
func Slope(x, y []float64, alpha float64) Interval { return Fit(x, y, alpha).Slope }
