package nn

import "math"

// gelu writes zΦ(z) and, unless slopes is nil, Φ(z) + zφ(z), with the distribution function and the density of standard
// normal numbers. values may be z.
func gelu(values, slopes, z []float64) {
	for done := 0; done < len(z); {
		var over []float64
		if slopes != nil {
			over = slopes[done:]
		}
		done += geluInFours(values[done:], over, z[done:])
		for end := min(done+4, len(z)); done < end; done++ {
			v := z[done]
			p, density := normal(v)
			if slopes != nil {
				slopes[done] = p + v*density
			}
			values[done] = v * p
		}
	}
}

// normal returns Φ and φ to a few roundings, in a fraction of the time of [math.Erfc] and [math.Exp], which compute
// three exponentials: in a small network they take longer than the products.
//
// Method: for x = |z| up to 6, Φ(−x) = e^(−x²/2) q(x), where q(x) = erfcx(x/√2)/2 is a ratio of polynomials, and
// e^(−x²/2) = 2ⁿ(2 + 2r − c)/(2 − c) with a remainder r of the exponent and c = r − r³p(r²). All has one denominator.
// Powers are paired, so that few operations wait for one another. The assembly does the same operations.
//
// p is that of FreeBSD's msun, e_exp.c (Sun Microsystems 1993, freely granted); q is the best ratio of degrees 8 and 9
// on [0, 6] in relative error, by Remez' algorithm in 60 digits: below 10⁻¹⁸.
func normal(z float64) (cumulative, density float64) {
	x := math.Abs(z)
	if !(x <= normalEnd) {
		return math.Erfc(-z/math.Sqrt2) / 2, math.Exp(-z*z/2) * densityAtZero
	}
	head := math.Float64frombits(math.Float64bits(x) & headBits) // x² is head² + (x − head)(x + head)
	power := head * head * -0.5
	count := power*log2e + countUnit
	n := count - countUnit
	r := (power - n*ln2Hi) - (n*ln2Lo + (x-head)*(x+head)*0.5)
	rr := r * r
	c := r - rr*((e0+rr*e1)+rr*rr*((e2+rr*e3)+rr*rr*e4))
	above := math.Float64frombits(math.Float64bits((2+2*r)-c) + math.Float64bits(count)<<52)

	xx := x * x
	x4 := xx * xx
	x8 := x4 * x4
	num := (((q0 + q1*x) + xx*(q2+q3*x)) + x4*((q4+q5*x)+xx*(q6+q7*x))) + x8*q8
	den := (((1 + d1*x) + xx*(d2+d3*x)) + x4*((d4+d5*x)+xx*(d6+d7*x))) + x8*(d8+d9*x)
	inverse := 1 / ((2 - c) * den)
	above *= inverse
	cumulative, density = above*num, above*den*densityAtZero
	if z > 0 {
		cumulative = 1 - cumulative
	}
	return cumulative, density
}

const (
	normalEnd     = 6
	densityAtZero = 0.39894228040143267793994605993438 // 1/√(2π)

	headBits  = 1<<64 - 1<<27 // a sign, an exponent and 25 digits, whose square is exact
	countUnit = 3 * (1 << 51) // the spacing of numbers that large is 1
	log2e     = 1.44269504088896338700e+00
	ln2Hi     = 6.93147180369123816490e-01
	ln2Lo     = 1.90821492927058770002e-10

	e0 = 1.66666666666666019037e-01
	e1 = -2.77777777770155933842e-03
	e2 = 6.61375632143793436117e-05
	e3 = -1.65339022054652515390e-06
	e4 = 4.13813679705723846039e-08

	q0 = 0.50000000000000000029
	q1 = 0.64316421961729703978
	q2 = 0.4144382338021964172
	q3 = 0.16762870626408368272
	q4 = 0.045880208198184309386
	q5 = 0.0086421458932277483979
	q6 = 0.0010922316863174808576
	q7 = 0.00008486620206519970339
	q8 = 3.1237031312587975661e-6
	d1 = 2.0842130000374595754
	d2 = 1.9918378417588981863
	d3 = 1.1483690943394692902
	d4 = 0.4414279240443715672
	d5 = 0.11772616949200870394
	d6 = 0.021875412595089625813
	d7 = 0.0027456471476055346033
	d8 = 0.0002127280683890754748
	d9 = 7.8299619455432579506e-6
)
