package latent

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/hermite"
)

// Target is a polynomial given by its Hermite expansion, f⋆(x) = Σ h_α Π_i He_{αᵢ}(xᵢ), with one term per α. The
// expansion gives its mean derivatives: E ∂^α f⋆ = α! h_α.
type Target []Term

// Term is one term h_α Π_i He_{αᵢ}(xᵢ).
type Term struct {
	Coefficient float64 // h_α
	Degrees     []int   // α; coordinates after the last one have degree 0
}

// NewTarget returns the target with the term h[i] Π_j He_{α[i,j]}(xⱼ) for every row i of α.
func NewTarget(alpha mat.Matrix, h []float64) Target {
	_, d := alpha.Dims()
	f := make(Target, len(h))
	for i := range f {
		f[i] = Term{h[i], make([]int, d)}
		for j := range d {
			f[i].Degrees[j] = int(alpha.At(i, j))
		}
	}
	return f
}

// Arrays returns the target in d coordinates as a matrix of degrees, one row per term, and the coefficients.
func (f Target) Arrays(d int) (alpha *mat.Dense, h []float64) {
	alpha, h = mat.NewDense(len(f), d, nil), make([]float64, len(f))
	for i, t := range f {
		h[i] = t.Coefficient
		for j, k := range t.Degrees {
			alpha.Set(i, j, float64(k))
		}
	}
	return alpha, h
}

// ValidArrays returns an error if a matrix of degrees and coefficients is not a target of at most the given degree.
func ValidArrays(alpha mat.Matrix, h []float64, degree int) error {
	rows, cols := alpha.Dims()
	if rows != len(h) {
		return errors.New("latent: degrees and coefficients have different numbers of terms")
	}
	for i := range rows {
		sum := 0.0
		for j := range cols {
			k := alpha.At(i, j)
			if !(k >= 0) || k != math.Trunc(k) {
				return errors.New("latent: a degree is not a whole number")
			}
			sum += k
		}
		if sum > float64(degree) {
			return errors.New("latent: the degree of a term is too large")
		}
	}
	return nil
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

// Degree returns the largest degree of a term with h_α ≠ 0, or 0 if there is none.
func (f Target) Degree() int {
	degree := 0
	for _, t := range f {
		if t.Coefficient != 0 {
			degree = max(degree, t.Degree())
		}
	}
	return degree
}

// Coordinates returns the number of leading coordinates of x on which f⋆ depends.
func (f Target) Coordinates() int {
	n := 0
	for _, t := range f {
		n = max(n, len(t.Degrees))
	}
	return n
}

// From returns the terms of at least the given degree.
func (f Target) From(degree int) Target {
	var g Target
	for _, t := range f {
		if t.Degree() >= degree {
			g = append(g, t)
		}
	}
	return g
}

// Below returns the terms of less than the given degree.
func (f Target) Below(degree int) Target {
	var g Target
	for _, t := range f {
		if t.Degree() < degree {
			g = append(g, t)
		}
	}
	return g
}

// Part returns the terms of exactly the given degree.
func (f Target) Part(degree int) Target {
	var g Target
	for _, t := range f {
		if t.Degree() == degree {
			g = append(g, t)
		}
	}
	return g
}

// MeanSquare returns E f⋆² = Σ α! h_α² for terms that differ in α.
func (f Target) MeanSquare() float64 {
	sum := 0.0
	for _, t := range f {
		square := t.Coefficient * t.Coefficient
		for _, a := range t.Degrees {
			square *= hermite.Factorial(a)
		}
		sum += square
	}
	return sum
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

// Hessian returns H = E∇²f⋆ on the first n coordinates; column i is C₂(eᵢ).
func (f Target) Hessian(n int) *mat.SymDense {
	h := mat.NewSymDense(n, nil)
	for i := range n {
		axis := make([]float64, n)
		axis[i] = 1
		for j, x := range f.Contract(2, axis) {
			h.SetSym(i, j, x)
		}
	}
	return h
}

// absolute returns the target with |h_α| in place of h_α. Its forms at |w| bound every partial sum of the forms at w.
func (f Target) absolute() Target {
	g := make(Target, len(f))
	for i, t := range f {
		g[i] = Term{math.Abs(t.Coefficient), t.Degrees}
	}
	return g
}

func norm(w []float64) float64 { return floats.Norm(w, 2) }
