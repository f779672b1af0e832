package tangent

import "math"

// Convolved returns the product infimal convolution, min over a > 0 of p(a) + q(z/a). It takes the best of the two
// ends, where one of the factors is 1, and of the point between where the derivative in ln a changes sign. That is the
// minimum when p and q are convex in ln z on the side of 1 on which z lies, or cheapest at an end.
func Convolved(p, q Penalty) Penalty {
	c := convolution{p, q}
	return Penalty{Name: p.Name + " ⊕ " + q.Name,
		Value: func(e float64) float64 { a, b, _ := c.split(e); return c.value(a, b) },
		Slope: func(e float64) float64 { _, slope := c.at(e); return slope },
		both:  c.at}
}

type convolution struct{ p, q Penalty }

// at returns value and slope. By the envelope theorem the factor that gives way pays, and not one that sits at a kink.
func (c convolution) at(e float64) (value, slope float64) {
	a, b, alone := c.split(e)
	value = c.value(a, b)
	if alone {
		return value, c.q.Slope(b) * (1 + b) / (1 + e)
	}
	return value, c.p.Slope(a) * (1 + a) / (1 + e)
}

// elastic is dω/d ln z at z = 1+e.
func (p Penalty) elastic(e float64) float64 { return p.Slope(e) * (1 + e) }

// split returns the factors less 1, and whether the first one is 1.
func (c convolution) split(e float64) (first, second float64, alone bool) {
	switch p, q := c.p, c.q; {
	case e == -1: // z = 0: one factor is 0, the other 1
		if p.Value(e) < q.Value(e) {
			return e, 0, false
		}
		return 0, e, true
	case e == 0:
		return 0, 0, q.Slope(0) < p.Slope(0)
	case e > 0 && p.elastic(0) >= q.elastic(e) && c.cheapest(0, e):
		return 0, e, true
	case e > 0 && p.elastic(e) <= q.elastic(0) && c.cheapest(e, 0):
		return e, 0, false
	}
	t := math.Log1p(e)
	a := crossing(min(0, t), max(0, t), func(a float64) float64 { // the derivative in ln a of p(a) + q(z/a)
		return c.p.elastic(math.Expm1(a)) - c.q.elastic(math.Expm1(t-a))
	})
	first, second = math.Expm1(a), math.Expm1(t-a)
	// between an end and a point next to it the derivative decides, and not the rounding of the value
	const better = 1 - 1e-12
	inner := c.value(first, second)
	if e < 0 && c.value(e, 0) <= inner || c.value(e, 0) < better*inner {
		first, second, inner = e, 0, c.value(e, 0)
	}
	if e < 0 && c.value(0, e) <= inner || c.value(0, e) < better*inner {
		return 0, e, true
	}
	return first, second, false
}

func (c convolution) value(first, second float64) float64 {
	return c.p.Value(first) + c.q.Value(second)
}

// cheapest reports whether one end costs no more than the other.
func (c convolution) cheapest(first, second float64) bool {
	return c.value(first, second) <= c.value(second, first)
}

// crossing returns where an increasing function changes its sign between lo and hi, or the end next to it, to the
// rounding of the interval's length. Secants find the place in a few steps where the function is smooth, and every step
// that does not halve the interval is followed by a bisection.
func crossing(lo, hi float64, f func(float64) float64) float64 {
	width := 0x1p-56 * (hi - lo)
	below, above := f(lo), f(hi)
	for halve := false; hi-lo > width; {
		before, x := hi-lo, lo+(hi-lo)/2
		if secant := lo - below*(hi-lo)/(above-below); !halve && secant >= lo && secant <= hi {
			x = min(max(secant, lo+width/2, math.Nextafter(lo, hi)), hi-width/2, math.Nextafter(hi, lo))
		}
		if !(lo < x && x < hi) { // neighbours
			break
		}
		if y := f(x); y > 0 {
			hi, above = x, y
		} else {
			lo, below = x, y
		}
		halve = !halve && hi-lo > before/2
	}
	return lo + (hi-lo)/2
}
