package tangent

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/list"
)

// Layer is one layer of Theorem 2: its effective parameters B = AΘC (m×k) and the penalties on the singular values of A
// (m×m) and C (k×k).
type Layer struct {
	B           *mat.Dense
	Left, Right Side
}

// Valid names the violated hypothesis.
func (l Layer) Valid() error {
	if l.B == nil || mat.Norm(l.B, 2) > mostNorm {
		return errors.New("tangent: a layer needs finite parameters B")
	}
	return l.Sides().Valid()
}

// Sides holds the penalties on both sides.
func (l Layer) Sides() Sum { return Sum{l.Left, l.Right} }

// spectrum returns the singular values of B and the singular vectors (m×r and k×r, r = min(m, k)).
func (l Layer) spectrum() (values []float64, u, v *mat.Dense) {
	var svd mat.SVD
	if !svd.Factorize(l.B, mat.SVDThin) {
		panic("tangent: no singular values of a finite matrix")
	}
	u, v = &mat.Dense{}, &mat.Dense{}
	svd.UTo(u)
	svd.VTo(v)
	return svd.Values(nil), u, v
}

// Splits returns the split of every singular value's stretch between the two sides, largest singular value first.
func (l Layer) Splits() []Split {
	values, _, _ := l.spectrum()
	return list.Map(values, l.Sides().Effective)
}

// Optimum returns Σⱼ ω̃(σⱼ(B)) for ω = ω₁ ⊕ ω₂, the least of ‖Θ‖² + Σω₁(σ(A)) + Σω₂(σ(C)) over AΘC = B.
func (l Layer) Optimum() float64 {
	sum := 0.0
	for _, s := range l.Splits() {
		sum += s.Value + s.Cost
	}
	return sum
}

// Factors returns A = I + U·diag(zⱼ−1)·Uᵀ, Θ = U·diag(σⱼ/(zⱼwⱼ))·Vᵀ and C = I + V·diag(wⱼ−1)·Vᵀ, which attain it.
func (l Layer) Factors() (a, theta, c *mat.Dense) {
	values, u, v := l.spectrum()
	left, right, middle := make([]float64, len(values)), make([]float64, len(values)), make([]float64, len(values))
	for j, s := range l.Splits() {
		left[j], right[j] = s.Excess[0], s.Excess[1]
		middle[j] = values[j] / ((1 + left[j]) * (1 + right[j]))
	}
	return plusIdentity(u, left), between(u, middle, v), plusIdentity(v, right)
}

// Moments returns AAᵀ (m×m) and CᵀC (k×k), which all solutions with these B share.
func (l Layer) Moments() (left, right *mat.Dense) {
	_, u, v := l.spectrum()
	var a, c []float64
	for _, s := range l.Splits() {
		a, c = append(a, s.Excess[0]*(2+s.Excess[0])), append(c, s.Excess[1]*(2+s.Excess[1]))
	}
	return plusIdentity(u, a), plusIdentity(v, c)
}

// Gradient returns the gradient of [Layer.Optimum] in B, U·diag(ω̃'(σⱼ))·Vᵀ.
func (l Layer) Gradient() *mat.Dense {
	values, u, v := l.spectrum()
	slopes := list.Map(values, l.Sides().Slope)
	return between(u, slopes, v)
}

// Kernel returns ⟨F, AAᵀF'CᵀC⟩, the layer's part of the adapted kernel for features F and F' (m×k).
func (l Layer) Kernel(f, other *mat.Dense) float64 {
	left, right := l.Moments()
	return inner(f, algebra.Product(algebra.Product(left, other), right))
}

// Conjugate returns the dual function of the layer's penalty at X, Σⱼ sup over v of xⱼv − ω̃(v) with the singular
// values xⱼ of X: with r = x²/4, the term is κr/(κ−r) for one quadratic side, −κ ln(1 − r/κ) for one log-det side, and
// r without sides. It is +Inf where r ≥ κ, and NaN for sides of other kinds.
func (l Layer) Conjugate(x *mat.Dense) float64 {
	side := l.Left
	if side.Family == Fixed {
		side = l.Right
	} else if l.Right.Family != Fixed {
		return math.NaN()
	}
	values, _, _ := Layer{B: x}.spectrum()
	sum := 0.0
	for _, value := range values {
		r := value * value / 4
		switch {
		case side.Family == Fixed:
			sum += r
		case side.Family == Absolute:
			return math.NaN()
		case r >= side.Factor:
			return math.Inf(1)
		case side.Family == Quadratic:
			sum += side.Factor * r / (side.Factor - r)
		default:
			sum -= side.Factor * math.Log1p(-r/side.Factor)
		}
	}
	return sum
}

// plusIdentity returns I + U·diag(d)·Uᵀ.
func plusIdentity(u *mat.Dense, d []float64) *mat.Dense {
	m := between(u, d, u)
	n, _ := m.Dims()
	for i := range n {
		m.Set(i, i, 1+m.At(i, i))
	}
	return m
}

// between returns U·diag(d)·Vᵀ.
func between(u *mat.Dense, d []float64, v *mat.Dense) *mat.Dense {
	var scaled mat.Dense
	scaled.Apply(func(_, j int, x float64) float64 { return x * d[j] }, u)
	return algebra.Product(&scaled, v.T())
}

func inner(a, b *mat.Dense) float64 {
	sum := 0.0
	m, n := a.Dims()
	for i := range m {
		for j := range n {
			sum += a.At(i, j) * b.At(i, j)
		}
	}
	return sum
}
