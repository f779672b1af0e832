package width

import (
	"math"
	"sync/atomic"

	"github.com/thm-suite/thm/theory/hermite"
)

// Pair returns E φ(√q u)φ(√r v) for standard normal u and v with correlation c.
func (p Propagation) Pair(q, r, c float64) float64 {
	if p.Valid() != nil || !(q >= 0 && r >= 0 && math.Abs(c) <= 1) {
		return math.NaN()
	}
	switch p.Activation {
	case "relu":
		return math.Sqrt(q) * math.Sqrt(r) * arcCosine(1, angleOf(c)) / (2 * math.Pi)
	case "erf":
		return Erf{q, math.Sqrt(q) * math.Sqrt(r) * c, r}.Mean()
	}
	switch {
	case q == r && c == 1:
		return p.mean(q, func(j [4]float64) float64 { return j[0] * j[0] })
	case math.Abs(c) > slowSeries:
		return math.Copysign(p.close(q, r, math.Abs(c), 0), c)
	}
	sum, power, a := 0.0, 1.0, p.series(q)
	b := a
	if r != q {
		b = p.series(r)
	}
	for k := range a {
		sum += a[k] * b[k] * power
		power *= c
	}
	return sum
}

// CorrelationSlope returns χ_c = σ_w² E φ′(√q u)φ′(√q v) at correlation c, by which the differences to a fixed c
// shrink.
func (p Propagation) CorrelationSlope(q, c float64) float64 {
	if p.Valid() != nil || !(q >= 0 && math.Abs(c) <= 1) {
		return math.NaN()
	}
	switch p.Activation {
	case "relu":
		return p.Weight * arcCosine(0, angleOf(c)) / (2 * math.Pi)
	case "erf":
		return p.Weight * Erf{q, q * c, q}.Slope()
	}
	switch {
	case c == 1:
		return p.Weight * p.mean(q, func(j [4]float64) float64 { return j[1] * j[1] })
	case math.Abs(c) > slowSeries:
		return p.Weight * p.close(q, q, math.Abs(c), 1)
	}
	sum, power := 0.0, 1.0
	for k, a := range p.series(q)[1:] {
		sum += float64(k+1) * a * a * power
		power *= c
	}
	return p.Weight * sum / q
}

// slowSeries is the correlation beyond which a series in its powers converges too slowly at lengths up to 20.
const slowSeries = 0.8

// close returns E φ⁽ᵏ⁾(√q u)φ⁽ᵏ⁾(√r v) for an odd φ and a correlation c near 1. With z and d independent, u = az + bd
// and v = az − bd: b is small, so that a step of 0.2 in d is short next to the distance of poles. d and −d give the
// same.
func (p Propagation) close(q, r, c float64, k int) float64 {
	const step = 0.2
	jet, a, b := jets[p.Activation], math.Sqrt((1+c)/2), math.Sqrt((1-c)/2)
	at := func(d float64) float64 {
		return hermite.PDF(d) * hermite.Expectation(func(z float64) float64 {
			return jet(math.Sqrt(q) * (a*z + b*d))[k] * jet(math.Sqrt(r) * (a*z - b*d))[k]
		})
	}
	sum := at(0) / 2
	for i := 1; i <= 44; i++ {
		sum += at(step * float64(i))
	}
	return 2 * step * sum
}

// seriesTerms is the number of coefficients of a series.
const seriesTerms = 160

// seriesOf is a series, by what it is of.
type seriesOf struct {
	activation string
	q          float64
	terms      []float64
}

// lastSeries is the series that was computed last: a search for a fixed correlation asks for it at every step.
var lastSeries atomic.Pointer[seriesOf]

// series returns E φ(√q Z)h_k(Z) for orthonormal Hermite polynomials h_k.
func (p Propagation) series(q float64) []float64 {
	if last := lastSeries.Load(); last != nil && last.activation == p.Activation && last.q == q {
		return last.terms
	}
	terms := hermiteSeries(q, jets[p.Activation])
	lastSeries.Store(&seriesOf{p.Activation, q, terms})
	return terms
}

// hermiteSeries uses the trapezoidal rule. With poles of φ(√q ·) at a distance d the terms fall as e^(−d√(2k)), and the
// rule errs by e^(−2πd/step).
func hermiteSeries(q float64, jet func(float64) [4]float64) []float64 {
	const nodes, step = 417, 1. / 16
	var roots [seriesTerms + 1]float64
	for k := range roots {
		roots[k] = math.Sqrt(float64(k))
	}
	a, root := make([]float64, seriesTerms), math.Sqrt(q)
	for i := range nodes {
		z := step * float64(i-nodes/2)
		before, now := 0.0, step*hermite.PDF(z)*jet(root * z)[0]
		for k := range a {
			a[k] += now
			before, now = now, (z*now-roots[k]*before)/roots[k+1]
		}
	}
	return a
}
