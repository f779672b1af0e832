package latent

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory/hermite"
)

// Sampling describes a sample of N points in D dimensions with noise ±Noise, for a target of degree at most 3 without
// constant and linear part.
type Sampling struct {
	D, N   int
	Noise  float64
	Target Target
}

// Valid names the violated hypothesis.
func (s Sampling) Valid() error {
	switch {
	case s.N < 1 || s.D < 1:
		return errors.New("latent: need samples in at least one dimension")
	case s.Target.Coordinates() > s.D:
		return errors.New("latent: the target has more coordinates than the samples")
	case len(s.Target.From(2)) < len(s.Target):
		return errors.New("latent: the target has a constant or a linear part")
	case s.Target.Degree() > 3:
		return errors.New("latent: the sampling noise is known for targets of degree 2 and 3")
	}
	return nil
}

// Raw returns (Q₂/2 − E‖g‖²)/n; NaN outside the hypotheses.
func (s Sampling) Raw() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	m := s.moments()
	return (m.square(2)/2 - m.gradient()) / float64(s.N)
}

// Preprocessed returns the mean square error after preprocessing by the sample's own α and β; NaN outside the
// hypotheses.
func (s Sampling) Preprocessed() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	m := s.moments()
	d, n := m.d, float64(s.N)
	pairs := (n+2*d+2)*m.square(2) - 2*m.square(4) - 2*(n-1)*m.along(1) + m.square(0)*((n-2)*sign*sign+2*d) +
		2*(m.quadratic+m.along(3)+m.second()) + m.cubic + m.cubicTrace + m.cubed() + m.third()
	one := 2*m.square(6) - (4*n*n-16*n+8)*m.gradient() + (8*n-4)*m.inner()
	return ((n-1)*pairs + one) / (4 * n * n * n)
}

// Limit returns the limit of n times [Sampling.Preprocessed]; NaN outside the hypotheses.
func (s Sampling) Limit() float64 {
	if s.Valid() != nil {
		return math.NaN()
	}
	m := s.moments()
	return m.square(2)/4 - m.along(1)/2 + m.square(0)*sign*sign/4 - m.gradient()
}

// sign is E|z| for a standard normal z. E sign(z)He_k(z) is 1, −1 and 3 times that for k = 1, 3 and 5.
var sign = math.Sqrt(2 / math.Pi)

// moments holds the quantities on which the sampling noise, averaged over directions, depends.
type moments struct {
	d, noise          float64 // ς²
	quadratic, trace  float64 // ‖H‖_F² and (tr H)²
	cubic, cubicTrace float64 // ‖C‖_F² and ‖C(I)‖²
}

func (s Sampling) moments() moments {
	m := moments{d: float64(s.D), noise: s.Noise * s.Noise}
	trace, cubicTrace := 0.0, make([]float64, s.Target.Coordinates())
	for _, t := range s.Target {
		entry := t.Coefficient // of the tensor of mean derivatives, α! h_α; it has k!/α! such entries
		for _, a := range t.Degrees {
			entry *= hermite.Factorial(a)
		}
		size := entry * t.Coefficient * hermite.Factorial(t.Degree())
		if t.Degree() == 2 {
			m.quadratic += size
		} else {
			m.cubic += size
		}
		twice, once := -1, -1
		for i, a := range t.Degrees {
			if a >= 2 {
				twice = i
			}
			if a%2 == 1 {
				once = i
			}
		}
		switch {
		case twice >= 0 && once < 0:
			trace += entry
		case twice >= 0:
			cubicTrace[once] += entry
		}
	}
	m.trace = trace * trace
	for _, x := range cubicTrace {
		m.cubicTrace += x * x
	}
	return m
}

// square returns Q_k = E y²‖x‖ᵏ. The mean of ‖x‖ᵏ times a part of f² that is homogeneous of degree j is the mean of
// that part times E‖x‖^(j+k)/E‖x‖ʲ. The parts come from (½(xᵀHx − tr H) + (C(x,x,x) − 3C(I)·x)/6)².
func (m moments) square(k int) float64 {
	parts := []float64{m.noise + m.trace/4, -m.trace/2 + m.cubicTrace/4,
		(2*m.quadratic+m.trace)/4 - m.cubicTrace/2, (6*m.cubic + 9*m.cubicTrace) / 36}
	sum := 0.0
	for i, p := range parts {
		sum += p * lengthQuotient(m.d, 2*i, k)
	}
	return sum
}

// lengthQuotient returns E‖x‖^(j+k)/E‖x‖ʲ for standard normal x in d dimensions.
func lengthQuotient(d float64, j, k int) float64 {
	q, at := 1.0, d+float64(j)
	if k%2 == 1 {
		above, _ := math.Lgamma((at + 1) / 2)
		below, _ := math.Lgamma(at / 2)
		q, at = math.Sqrt2*math.Exp(above-below), at+1
	}
	for range k / 2 {
		q, at = q*at, at+2
	}
	return q
}

// along returns the mean over ŵ of √(2/π) E y²‖x‖^(k−1)|ŵ·x|; the mean of |ŵ·x| over ŵ is ‖x‖ times E|z|/E‖x‖.
func (m moments) along(k int) float64 { return sign * sign / lengthQuotient(m.d, 0, 1) * m.square(k) }

// form returns E(wᵀHw)² over the sphere.
func (m moments) form() float64 { return (2*m.quadratic + m.trace) / (m.d * (m.d + 2)) }

// slope returns E‖Hw − ½(wᵀHw)w‖², which is π/2 times E‖2g‖².
func (m moments) slope() float64 { return m.quadratic/m.d - 0.75*m.form() }

// gradient returns E‖g‖².
func (m moments) gradient() float64 { return sign * sign * m.slope() / 4 }

// inner returns E g·h for h = E syx‖x‖² = √(2/π)((d+3)(Hw − ½(wᵀHw)w) + tr H w).
func (m moments) inner() float64 { return sign * sign * ((m.d+3)*m.slope() + m.trace/(2*m.d)) / 2 }

// cubed returns E‖h‖².
func (m moments) cubed() float64 {
	return sign * sign * ((m.d+3)*(m.d+3)*m.slope() + (m.d+3)*m.trace/m.d + m.trace)
}

// third returns E‖K‖² for K = E syx⊗x⊗x: the means of the third Hermite tensor, of squared length
// (2/π)(9/4(wᵀHw)² − 3‖Hw‖² + 3‖H‖²), and of I ⊗ x in its three positions.
func (m moments) third() float64 {
	hermite := 2.25*m.form() - 3*m.quadratic/m.d + 3*m.quadratic
	mixed := m.slope() + m.trace/(2*m.d)
	return sign * sign * (hermite + 6*mixed + 3*(m.d+2)*m.slope())
}

// second returns E‖Γ‖² for Γ = E syxxᵀ = √(2/π)(½C(w,w,w)wwᵀ − ½(wvᵀ + vwᵀ) + C(w) − C(w,w,w)I/6) with v = C(w,w).
func (m moments) second() float64 {
	d := m.d
	whole := (6*m.cubic + 9*m.cubicTrace) / (d * (d + 2) * (d + 4)) // E C(w,w,w)²
	vector := (2*m.cubic + m.cubicTrace) / (d * (d + 2))            // E‖C(w,w)‖²
	mixed := 3 * m.cubicTrace / (d * (d + 2))                       // E C(w,w,w) C(I)·w
	return sign * sign * (whole*(11./12+d/36) - 1.5*vector + m.cubic/d - mixed/3)
}
