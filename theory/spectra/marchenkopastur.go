package spectra

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat/combin"
)

// Wishart is S = XᵀX for an N×D matrix of independent standard normal entries.
type Wishart struct{ N, D int }

// Valid names the violated hypothesis.
func (w Wishart) Valid() error {
	if w.N < 1 || w.D < 1 {
		return errors.New("spectra: need at least one sample and one dimension")
	}
	return nil
}

// Moment returns E tr Sᵏ, for 1 ≤ k ≤ 6.
func (w Wishart) Moment(k int) float64 {
	if w.Valid() != nil || k < 1 || k > 6 {
		return math.NaN()
	}
	return expectedTraces([]int{w.D, w.N}, k)
}

// Variance returns Var tr Sᵏ, for 1 ≤ k ≤ 3.
func (w Wishart) Variance(k int) float64 {
	if w.Valid() != nil || k < 1 || k > 3 {
		return math.NaN()
	}
	return expectedTraces([]int{w.D, w.N}, k, k) - math.Pow(w.Moment(k), 2)
}

// scaled is the mean of (1/D) tr Wᵏ.
func (w Wishart) scaled(k int) float64 {
	return w.Moment(k) / float64(w.D) / math.Pow(float64(w.N), float64(k))
}

// SquareOf returns E tr S² for entries that are independent with mean 0, variance 1 and any fourth moment.
func (w Wishart) SquareOf(fourth float64) float64 {
	if w.Valid() != nil || !(fourth >= 1) {
		return math.NaN()
	}
	return float64(w.N) * float64(w.D) * (float64(w.N+w.D-2) + fourth)
}

// MP is the law of Marchenko and Pastur for the ratio Gamma of dimension to samples.
type MP struct{ Gamma float64 }

// Valid names the violated hypothesis.
func (m MP) Valid() error {
	if !(m.Gamma > 0) || math.IsInf(m.Gamma, 0) {
		return errors.New("spectra: the ratio of dimension to samples must be positive")
	}
	return nil
}

// Edges returns the ends (1±√γ)² of the density.
func (m MP) Edges() (lo, hi float64) {
	if m.Valid() != nil {
		return math.NaN(), math.NaN()
	}
	r := math.Sqrt(m.Gamma)
	return (1 - r) * (1 - r), (1 + r) * (1 + r)
}

// Density returns the density at x, which leaves out the mass at 0.
func (m MP) Density(x float64) float64 {
	lo, hi := m.Edges()
	switch {
	case m.Valid() != nil || math.IsNaN(x):
		return math.NaN()
	case x <= lo || x >= hi:
		return 0
	}
	return math.Sqrt((hi-x)*(x-lo)) / (2 * math.Pi * m.Gamma * x)
}

// Above returns the mass above x ≥ 0.
func (m MP) Above(x float64) float64 {
	if m.Valid() != nil || !(x >= 0) {
		return math.NaN()
	}
	g, r := m.Gamma, math.Sqrt(m.Gamma)
	t := math.Acos(max(-1, min(1, (x-1-g)/(2*r))))
	sin, cos := math.Sincos(t / 2)
	return 2 / math.Pi * ((1+g)*t/(4*g) - math.Sin(t)/(2*r) -
		math.Abs(1-g)/(2*g)*math.Atan2(math.Abs(1-r)*sin, (1+r)*cos))
}

// Moment returns mₖ, for k ≥ 1.
func (m MP) Moment(k int) float64 {
	if m.Valid() != nil || k < 1 {
		return math.NaN()
	}
	sum := 0.0
	for r := range k {
		sum += math.Pow(m.Gamma, float64(r)) * float64(combin.Binomial(k, r)*combin.Binomial(k-1, r)) / float64(r+1)
	}
	return sum
}

// Stieltjes returns s(x), the mean of 1/(λ+x), and the mean −s'(x) of its square, for x > 0.
func (m MP) Stieltjes(x float64) (s, square float64) {
	if m.Valid() != nil || !(x > 0) {
		return math.NaN(), math.NaN()
	}
	b := 1 - m.Gamma + x
	root := math.Sqrt(b*b + 4*m.Gamma*x)
	if s = 2 / (b + root); b < 0 { // the other form of the root, which does not cancel there
		s = (root - b) / (2 * m.Gamma * x)
	}
	return s, (m.Gamma*s*s + s) / root
}

// Correction returns the limit of E tr (W + x)⁻¹ − d·s(x) for entries of that fourth moment.
func (m MP) Correction(x, fourth float64) float64 {
	s, _ := m.Stieltjes(x)
	q := (1 - m.Gamma + m.Gamma*x*s) / (1 - m.Gamma + m.Gamma*x*s + x) // s̲/(1+s̲), x s̲ = 1 − γ + γxs
	rest := 1 - m.Gamma*q*q
	return m.Gamma * q * q * q * (1/rest + fourth - 3) / rest
}
