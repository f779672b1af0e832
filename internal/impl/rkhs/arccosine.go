package rkhs

import "math"

// arccosines overwrites cosines with length·lengthsⱼ(sin θ + slopes·(π−θ)cos θ)/π, with π − θ as π/2 + arcsin(cos θ). A
// cosine of size above one counts as 1 or −1: the angle between equal points is 0, not the root of a rounding error.
func arccosines(row []float64, length float64, lengths []float64, slopes, one float64) {
	scale, lengths := length/math.Pi, lengths[:len(row)]
	done := arccosinesInFours(row, lengths, scale, slopes, one)
	row, lengths = row[done:], lengths[done:]
	for j, cos := range row {
		if math.Abs(cos) > one {
			cos = math.Copysign(1, cos)
		}
		row[j] = scale * lengths[j] * (math.Sqrt((1-cos)*(1+cos)) + slopes*(math.Pi/2+arcsin(cos))*cos)
	}
}

// arcsin is math.Asin to a few roundings, in a fraction of its time: every entry of a Gram matrix takes one.
//
// Method: x + x·r(x²) with a rational r for |x| ≤ ½, and ±(π/2 − 2 arcsin √((1−|x|)/2)) beyond. Powers are paired, so
// that fewer operations wait for one another than in Horner's scheme. The assembly does the same operations.
//
// Coefficients from FreeBSD's msun, e_asin.c (Sun Microsystems 1993, freely granted).
func arcsin(x float64) float64 {
	y, far := x, math.Abs(x) > 0.5
	if far {
		y = math.Sqrt((1 - math.Abs(x)) * 0.5)
	}
	z := y * y
	zz := z * z
	p := (p0 - p1*z) + zz*((p2-p3*z)+zz*(p4+p5*z))
	q := (1 - q1*z) + zz*((q2-q3*z)+zz*q4)
	y += y * (z * p / q)
	if far {
		return math.Copysign(math.Pi/2-2*y, x)
	}
	return y
}

const (
	p0 = 1.66666666666666657415e-01
	p1 = 3.25565818622400915405e-01
	p2 = 2.01212532134862925881e-01
	p3 = 4.00555345006794114027e-02
	p4 = 7.91534994289814532176e-04
	p5 = 3.47933107596021167570e-05
	q1 = 2.40339491173441421878e+00
	q2 = 2.02094576023350569471e+00
	q3 = 6.88283971605453293030e-01
	q4 = 7.70381505559019352791e-02
)
