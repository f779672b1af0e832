package blas

import "math"

// The loops of divide-and-conquer eigensolvers, which are all divisions. A scalar division takes as long as one of a
// whole register.

// SecularSums returns Σ z_i·t_i and Σ t_i² with t_i = z_i/(delta_i - shift): a part of the secular function and its
// slope. Element i belongs to lane i mod 8 of 8, where it is added by fma; lane l is then added to lane l+4, and so on.
// len(delta) ≥ len(z).
func SecularSums(z, delta []float64, shift float64) (sum, slope float64) {
	if len(z) == 0 {
		return 0, 0
	}
	return current().id.secularSums(z, delta[:len(z)], shift)
}

// SecularVector computes x_i = z_i/delta_i. The lengths of z and delta are at least that of x.
func SecularVector(x, z, delta []float64) {
	whole := len(x) &^ 7
	z, delta = z[:len(x)], delta[:len(x)]
	current().id.quotients(x[:whole], z[:whole], delta[:whole])
	for i := whole; i < len(x); i++ {
		x[i] = z[i] / delta[i]
	}
}

// SecularRatios multiplies x_i by delta_i/(d_i - pole), or delta_i/((d_i - pole)·(d_i + pole)) if squared is set. The
// lengths of d and delta are at least that of x.
func SecularRatios(squared bool, x, d, delta []float64, pole float64) {
	whole := len(x) &^ 7
	d, delta = d[:len(x)], delta[:len(x)]
	current().id.gapRatios(squared, x[:whole], d[:whole], delta[:whole], pole)
	gapRatiosPortable(squared, x[whole:], d[whole:], delta[whole:], pole)
}

const secularLanes = 8

func secularSumsPortable(z, delta []float64, shift float64) (sum, slope float64) {
	var s, g [secularLanes]float64
	for i, v := range z {
		t := v / (delta[i] - shift)
		s[i%secularLanes] = math.FMA(v, t, s[i%secularLanes])
		g[i%secularLanes] = math.FMA(t, t, g[i%secularLanes])
	}
	for half := secularLanes / 2; half >= 1; half /= 2 {
		for l := range half {
			s[l] += s[l+half]
			g[l] += g[l+half]
		}
	}
	return s[0], g[0]
}

func quotientsPortable(x, z, delta []float64) {
	for i := range x {
		x[i] = z[i] / delta[i]
	}
}

func gapRatiosPortable(squared bool, x, d, delta []float64, pole float64) {
	for i := range x {
		gap := d[i] - pole
		if squared {
			gap *= d[i] + pole
		}
		x[i] *= delta[i] / gap
	}
}
