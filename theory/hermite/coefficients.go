package hermite

import (
	"math"
	"sync"
)

// Activation is an activation function σ as a statement sees it: through its Hermite coefficients and its energies
// under a standard normal Z.
type Activation struct {
	Name        string
	Coefficient func(k int) float64 // cₖ = E σ(Z)Heₖ(Z)/k!, so that σ = Σ cₖ Heₖ; not the orthonormal convention
	Energy      float64             // E σ(Z)² = Σ k! cₖ²
	SlopeEnergy float64             // E σ′(Z)² = Σ k k! cₖ²
}

// Nonlinear returns c²_{>1} = Σ_{k≥2} k! cₖ², the energy of everything that is neither constant nor linear.
func (a Activation) Nonlinear() float64 {
	c0, c1 := a.Coefficient(0), a.Coefficient(1)
	return a.Energy - c0*c0 - c1*c1
}

// PhaseSine is σ(z) = r sin(z+t) − r e^(−1/2) sin t, centred and with bounded derivatives of all orders. From
// E e^{iZ} = e^(−1/2) and Stein's identity cₖ = E σ⁽ᵏ⁾(Z)/k!,
//
//	cₖ = r e^(−1/2) sin(t + kπ/2)/k!,   E σ² = r²(1 − e⁻² cos 2t)/2 − r² e⁻¹ sin² t,   E σ′² = r²(1 + e⁻² cos 2t)/2.
func PhaseSine(r, t float64) Activation {
	sin, cos := math.Sincos(t)
	quarter := [4]float64{sin, cos, -sin, -cos} // sin(t + kπ/2), exactly periodic
	second := math.Exp(-2) * math.Cos(2*t)
	return Activation{
		Name: "phase-sine",
		Coefficient: func(k int) float64 {
			if k == 0 {
				return 0
			}
			return r * math.Exp(-0.5) * quarter[k%4] / Factorial(k)
		},
		Energy:      r*r*(1-second)/2 - r*r*sin*sin/math.E,
		SlopeEnergy: r * r * (1 + second) / 2,
	}
}

// Series returns the polynomial Σ c[k] Heₖ as an activation.
func Series(c ...float64) Activation {
	a := Activation{Name: "series", Coefficient: func(k int) float64 {
		if k < 0 || k >= len(c) {
			return 0
		}
		return c[k]
	}}
	for k, ck := range c {
		a.Energy += Factorial(k) * ck * ck
		a.SlopeEnergy += float64(k) * Factorial(k) * ck * ck
	}
	return a
}

// Tanh returns the hyperbolic tangent, with coefficients by quadrature.
func Tanh() Activation {
	first := sync.OnceValue(func() (c [16]float64) {
		for k := 1; k < len(c); k += 2 {
			c[k] = Coefficient(math.Tanh, k)
		}
		return c
	})
	return Activation{
		Name: "tanh",
		Coefficient: func(k int) float64 {
			switch {
			case k%2 == 0:
				return 0 // σ is odd
			case k < 16:
				return first()[k]
			}
			return Coefficient(math.Tanh, k)
		},
		Energy:      Expectation(func(z float64) float64 { return math.Tanh(z) * math.Tanh(z) }),
		SlopeEnergy: Expectation(func(z float64) float64 { return math.Pow(math.Cosh(z), -4) }),
	}
}

// CentredReLU returns max(z, 0) − 1/√(2π). Besides c₁ = 1/2 only the even coefficients differ from zero.
func CentredReLU() Activation {
	return Activation{
		Name: "relu",
		Coefficient: func(k int) float64 {
			switch {
			case k == 0:
				return 0
			case k == 1:
				return 0.5
			case k%2 == 1:
				return 0
			}
			// Stein: cₖ k! = E δ⁽ᵏ⁻²⁾(Z) = φ⁽ᵏ⁻²⁾(0) for even k, which is Heₖ₋₂(0) φ(0).
			return Polynomial(k-2, 0) * PDF(0) / Factorial(k)
		},
		Energy:      0.5 - 1/(2*math.Pi),
		SlopeEnergy: 0.5,
	}
}

// Coefficient returns cₖ = E f(Z)Heₖ(Z)/k! by [Expectation].
func Coefficient(f func(float64) float64, k int) float64 {
	return Expectation(func(z float64) float64 { return f(z) * Polynomial(k, z) }) / Factorial(k)
}

// Factorial returns k!. It panics when k is negative.
func Factorial(k int) float64 { return descending(k, 1) }

// DoubleFactorial returns k!! = k(k−2)(k−4)…, with 0!! = (−1)!! = 1. E Z^(2k) = (2k−1)!!. It panics when k < −1.
func DoubleFactorial(k int) float64 {
	if k == -1 {
		return 1
	}
	return descending(k, 2)
}

func descending(k, by int) float64 {
	if k < 0 {
		panic("hermite: factorial of a negative number")
	}
	product := 1.0
	for ; k > 1; k -= by {
		product *= float64(k)
	}
	return product
}
