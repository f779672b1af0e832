package width

import (
	"math"

	"github.com/thm-suite/thm/theory/hermite"
)

// Pair returns E φ(√q u)φ(√r v) for standard normal u and v with correlation c.
func (p Propagation) Pair(q, r, c float64) float64 {
	if p.Valid() != nil || !(q >= 0 && r >= 0 && math.Abs(c) <= 1) {
		return math.NaN()
	}
	switch p.Activation {
	case "relu":
		return math.Sqrt(q*r) * arcCosine(1, angleOf(c)) / (2 * math.Pi)
	case "erf":
		return Erf{q, math.Sqrt(q*r) * c, r}.Mean()
	}
	if q == r && c == 1 {
		return p.mean(q, func(j [4]float64) float64 { return j[0] * j[0] })
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
	if c == 1 {
		return p.Weight * p.mean(q, func(j [4]float64) float64 { return j[1] * j[1] })
	}
	sum, power := 0.0, 1.0
	for k, a := range p.series(q)[1:] {
		sum += float64(k+1) * a * a * power
		power *= c
	}
	return p.Weight * sum / q
}

// series returns E φ(√q Z)h_k(Z) for orthonormal Hermite polynomials h_k, by the trapezoidal rule. With poles of φ(√q
// ·) at a distance d they fall as e^(−d√(2k)), and the rule errs by e^(−2πd/step).
func (p Propagation) series(q float64) []float64 {
	const nodes, step = 261, 0.1
	a, root, jet := make([]float64, 160), math.Sqrt(q), jets[p.Activation]
	for i := range nodes {
		z := step * float64(i-nodes/2)
		before, now := 0.0, step*hermite.PDF(z)*jet(root * z)[0]
		for k := range a {
			a[k] += now
			before, now = now, (z*now-math.Sqrt(float64(k))*before)/math.Sqrt(float64(k+1))
		}
	}
	return a
}
