package stat

import "math"

// SpreadRatio is the interval for the ratio of the standard deviations of two normal quantities measured on the same
// runs, which may be correlated: with w the ratio of the sample variances, r the sample correlation, t Student's
// quantile for n−2 degrees of freedom and K = 1 + 2(1−r²)t²/(n−2), the ratio of the variances lies in w(K ± √(K²−1)).
//
// Source: Pitman, Biometrika 31 (1939) 9; Morgan, ibid. 13.
func SpreadRatio(a, b []float64, alpha float64) Interval {
	n := float64(len(a))
	if len(a) < 3 || len(a) != len(b) || !level(alpha) {
		return invalid(alpha)
	}
	var aa, bb, ab float64
	ma, mb := Mean(a, alpha).Estimate, Mean(b, alpha).Estimate
	for i := range a {
		aa, bb, ab = aa+(a[i]-ma)*(a[i]-ma), bb+(b[i]-mb)*(b[i]-mb), ab+(a[i]-ma)*(b[i]-mb)
	}
	w, r2 := aa/bb, ab*ab/(aa*bb)
	t := studentQuantile(alpha/2, n-2)
	k := 1 + 2*(1-r2)*t*t/(n-2)
	root := math.Sqrt(k*k - 1)
	return Interval{Estimate: math.Sqrt(w), Lo: math.Sqrt(w / (k + root)), Hi: math.Sqrt(w * (k + root)),
		alpha: alpha}
}
