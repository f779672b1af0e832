// Package target draws the polynomials and half-spaces for the claims about latent directions. The theory represents a
// target by its Hermite expansion, the implementation by its monomials.
package target

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/poly"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/latent"
)

// Monomials multiplies out a Hermite expansion. Integer coefficients stay exact.
func Monomials(f theory.Target) poly.Poly {
	sum := poly.Poly{}
	for _, t := range f {
		product := poly.Constant(t.Coefficient)
		for i, k := range t.Degrees {
			if k > 0 {
				product = product.Times(poly.Hermite(k, i))
			}
		}
		sum = sum.Plus(product)
	}
	return sum
}

// Draw draws a target of exactly this degree in d coordinates with integer coefficients of at most 3 in size, all terms
// of which have at least the degree from.
func Draw(t *props.T, d, from, degree int) theory.Target {
	coefficient := rapid.IntRange(-3, 3)
	f := theory.Target{{Coefficient: float64(rapid.IntRange(1, 3).Draw(t.T, "leading")), Degrees: []int{degree}}}
	for _, alpha := range MultiIndices(d, degree) {
		term := theory.Term{Degrees: alpha}
		if term.Degree() < from || alpha[0] == degree {
			continue
		}
		if term.Coefficient = float64(coefficient.Draw(t.T, fmt.Sprint(alpha))); term.Coefficient != 0 {
			f = append(f, term)
		}
	}
	return f
}

// MultiIndices lists all α of length d with |α| ≤ degree.
func MultiIndices(d, degree int) [][]int {
	if d == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for k := 0; k <= degree; k++ {
		for _, rest := range MultiIndices(d-1, degree-k) {
			all = append(all, append([]int{k}, rest...))
		}
	}
	return all
}

// Wick replaces every monomial of a polynomial by the product of Hermite polynomials of the same degrees, in d
// coordinates.
func Wick(p poly.Poly, d int) theory.Target {
	var out theory.Target
	for _, t := range p {
		degrees := list.Fill(d, t.Exponents.Of)
		if t.Coefficient != 0 {
			out = append(out, theory.Term{Coefficient: t.Coefficient, Degrees: degrees})
		}
	}
	return out
}

// Along returns the target whose C_k(w^⊗k) equals the one of f at (u₁·w, u₂·w, …), where uᵢ are the rows of u: of f⋆(x)
// = g(u₁·x, …) if they are orthonormal. With integers it is exact.
func Along(f theory.Target, u [][]float64) theory.Target {
	coefficients := map[poly.Exponents]float64{}
	for _, t := range f {
		coefficients[poly.Powers(t.Degrees...)] += t.Coefficient
	}
	return Wick(poly.New(coefficients).Substitute(u), len(u[0]))
}

// Weights draws a vector of multiples of ¼ in [−2, 2]ᵈ other than zero.
func Weights(t *props.T, d int) []float64 {
	w := make([]float64, d)
	for i := range w {
		w[i] = float64(rapid.IntRange(-8, 8).Draw(t.T, fmt.Sprintf("4w%d", i+1))) / 4
	}
	if floats.Norm(w, 2) == 0 {
		w[0] = 1
	}
	return w
}

// Scaled returns a·w.
func Scaled(w []float64, a float64) []float64 {
	v := make([]float64, len(w))
	floats.AddScaled(v, a, w)
	return v
}

// Plus returns v + a·w.
func Plus(v []float64, a float64, w []float64) []float64 {
	return floats.AddScaledTo(make([]float64, len(v)), v, a, w)
}

// Rounding bounds the error of the integral over the half-space minus the series. The series knows its own. On the side
// of the integral, with x = b/‖w‖, degree p and N monomials: an entry of the reflection errs by at most 10u, a product
// of p linear forms in it by 12pu, a half-line moment of order k ≤ p+1 by (3k+5x²+10)u, and at most 2N summands meet in
// one number.
func Rounding(s theory.Series, f poly.Poly, unit float64) float64 {
	x, p := s.B/floats.Norm(s.W, 2), float64(f.Degree())
	count := 15*(p+2) + 5*x*x + 2*float64(len(f)) + 20
	return s.Rounding(unit) + count*unit*poly.Magnitude(f, s.W, s.B)
}

// MaxDegree is the largest degree of a target that can be multiplied out; one more is needed for its moments.
const MaxDegree = poly.MaxDegree - 1

// Usable says what keeps a user's target from being multiplied out.
func Usable(f theory.Target, w []float64) error {
	if f.Coordinates() > poly.MaxVariables {
		return fmt.Errorf("latent: a target has at most %d coordinates here", poly.MaxVariables)
	}
	return theory.Series{Target: f, W: w}.Valid()
}
