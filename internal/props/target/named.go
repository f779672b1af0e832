package target

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/internal/impl/poly"
	theory "github.com/thm-suite/thm/theory/latent"
)

// Named is a target on the first coordinates, as an expansion and as a function.
type Named struct {
	Name   string
	Latent int // how many coordinates it depends on
	Terms  theory.Target
	At     func(z []float64) float64
}

func named(name string, latent int, f theory.Target) Named {
	return Named{name, latent, f, Monomials(f).At}
}

// Isotropic is Σ_{i≤r}(xᵢ²−1)/√(2r).
func Isotropic(r int) Named {
	return named("isotropic", r, theory.Isotropic{D: r, R: r}.Target())
}

// Simulated is the isotropic target, or an error that names r where it has more directions than a polynomial here can.
func Simulated(r int) (Named, error) {
	if r > poly.MaxVariables {
		return Named{}, fmt.Errorf("r=%d cannot be simulated: take at most %d latent directions", r, poly.MaxVariables)
	}
	return Isotropic(r), nil
}

// Mixed is ½He₂(x₁) + He_p(x₁)/√(2·p!), p ≥ 3.
func Mixed(p int) Named {
	return named("½He₂ + He_p", 1, theory.Target{{Coefficient: 0.5, Degrees: []int{2}},
		{Coefficient: 1 / math.Sqrt(2*factorial(p)), Degrees: []int{p}}})
}

// Pure is He_p(x₁)/√p!.
func Pure(p int) Named {
	return named("He_p", 1, theory.Target{{Coefficient: 1 / math.Sqrt(factorial(p)), Degrees: []int{p}}})
}

// TwoDirections has H = Π⋆/√2 and degree 3.
func TwoDirections() Named {
	c := math.Sqrt(0.5) / 2
	return named("two directions", 2,
		theory.Target{{Coefficient: c, Degrees: []int{2, 0}}, {Coefficient: c, Degrees: []int{0, 2}},
			{Coefficient: c, Degrees: []int{1, 2}}, {Coefficient: c, Degrees: []int{2, 1}}})
}

// Degenerate is ½He₂(x₁) + He₃(x₂)/√12, of which H has rank 1.
func Degenerate() Named {
	return named("two directions, H of rank 1", 2, theory.Target{{Coefficient: 0.5, Degrees: []int{2, 0}},
		{Coefficient: 1 / math.Sqrt(12), Degrees: []int{0, 3}}})
}

// WithLinearPart is 3x₁ + He₂(x₂)/√2, of mean square 10.
func WithLinearPart() Named {
	return named("with a linear part", 2, theory.Target{{Coefficient: 3, Degrees: []int{1, 0}},
		{Coefficient: math.Sqrt(0.5), Degrees: []int{0, 2}}})
}

// WithLinearPartAlong is 3x₁ + He₂(x₁)/√2, of mean square 10.
func WithLinearPartAlong() Named {
	return named("with a linear part", 1, theory.Target{{Coefficient: 3, Degrees: []int{1}},
		{Coefficient: math.Sqrt(0.5), Degrees: []int{2}}})
}

func factorial(k int) float64 { return math.Gamma(float64(k + 1)) }
