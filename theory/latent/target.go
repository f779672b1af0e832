package latent

import (
	"math"

	"github.com/thm-suite/thm/theory/hermite"
)

// Target is a polynomial by its Hermite expansion, f⋆(x) = Σ h_α Π_i He_{αᵢ}(xᵢ), one term per α. Its mean
// derivatives are read off: E ∂^α f⋆ = α! h_α.
type Target []Term

// Term is h_α Π_i He_{αᵢ}(xᵢ).
type Term struct {
	Coefficient float64 // h_α
	Degrees     []int   // α; coordinates after the last one have degree 0
}

// Degree returns |α| = Σ αᵢ.
func (t Term) Degree() int {
	sum := 0
	for _, a := range t.Degrees {
		sum += a
	}
	return sum
}

// power returns h_α w^α, or with i ≥ 0 its derivative in wᵢ.
func (t Term) power(w []float64, i int) float64 {
	product := t.Coefficient
	for j, a := range t.Degrees {
		if j == i {
			product *= float64(a)
			a = max(0, a-1)
		}
		for range a {
			product *= w[j]
		}
	}
	if i >= len(t.Degrees) {
		return 0
	}
	return product
}

// Degree returns the largest degree of a term with h_α ≠ 0, and 0 when there is none.
func (f Target) Degree() int {
	degree := 0
	for _, t := range f {
		if t.Coefficient != 0 {
			degree = max(degree, t.Degree())
		}
	}
	return degree
}

// Coordinates returns how many coordinates of x the terms speak about: f⋆ depends on the first ones only.
func (f Target) Coordinates() int {
	n := 0
	for _, t := range f {
		n = max(n, len(t.Degrees))
	}
	return n
}

// Form returns C_k(w^⊗k) = k! Σ_{|α|=k} h_α w^α.
func (f Target) Form(k int, w []float64) float64 {
	sum := 0.0
	for _, t := range f {
		if t.Degree() == k {
			sum += t.power(w, -1)
		}
	}
	return sum * hermite.Factorial(k)
}

// Contract returns C_k(w^⊗(k−1)) for k ≥ 1, the vector (k−1)! Σ_{|α|=k} h_α ∇w^α, of the length of w.
func (f Target) Contract(k int, w []float64) []float64 {
	v := make([]float64, len(w))
	for _, t := range f {
		if t.Degree() != k {
			continue
		}
		for i := range t.Degrees {
			v[i] += hermite.Factorial(k-1) * t.power(w, i)
		}
	}
	return v
}

// absolute returns the target with |h_α| in place of h_α. Its forms at |w| bound every partial sum of the forms at w.
func (f Target) absolute() Target {
	g := make(Target, len(f))
	for i, t := range f {
		g[i] = Term{math.Abs(t.Coefficient), t.Degrees}
	}
	return g
}

// norm returns ‖w‖.
func norm(w []float64) float64 {
	sum := 0.0
	for _, x := range w {
		sum += x * x
	}
	return math.Sqrt(sum)
}
