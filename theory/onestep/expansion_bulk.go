package onestep

import (
	"math"
	"math/cmplx"
	"sort"
	"sync/atomic"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/list"
)

// Bulk is the limiting spectrum of the random features F₀/√n = σ(XW₀ᵀ)/√n for a centred activation, which is the
// spectrum of c₁XW₀ᵀ/√n plus independent noise of variance c²_{>1}/n (Pennington and Worah 2017; Hu and Lu, arXiv
// 2009.07669).
//
// With m₁(λ) = lim tr(F₀F₀ᵀ + λn)⁻¹, m₂(λ) = lim tr(Xᵀ(F₀F₀ᵀ + λn)⁻¹X)/d and e = c₁²m₂ + c²_{>1}m₁,
//
//	λm₁ + (φ/ψ) e/(1+e) = 1,   (m₁ − m₂)(1+e) = c₁²m₁m₂/ψ.
type Bulk struct {
	Phi, Psi  float64 // d/n, d/N
	Linear    float64 // c₁
	Nonlinear float64 // c²_{>1} = E σ² − c₁²
}

// valid reports whether the parameters describe a spectrum.
func (b Bulk) valid() bool {
	return b.Phi > 0 && b.Psi > 0 && b.Nonlinear >= 0 && b.Linear*b.Linear+b.Nonlinear > 0 &&
		!math.IsInf(b.Phi/b.Psi, 0)
}

// Edge returns the largest singular value of the bulk. Outside the spectrum, at λ = −x with x above the squared edge,
// the solution is real with e in (−1, 0); x as a function of e falls from infinity to the squared edge and rises again.
func (b Bulk) Edge() float64 {
	if !b.valid() {
		return math.NaN()
	}
	return math.Sqrt(b.outside(b.critical()))
}

// lastCritical holds the bulk of which critical was last asked, and its answer: a judge asks it of one bulk for
// thousands of spikes.
var lastCritical atomic.Pointer[struct {
	of Bulk
	e  float64
}]

// critical returns the e at which x(e) is the squared edge.
func (b Bulk) critical() float64 {
	if last := lastCritical.Load(); last != nil && last.of == b {
		return last.e
	}
	found := struct {
		of Bulk
		e  float64
	}{b, b.findCritical()}
	lastCritical.Store(&found)
	return found.e
}

// findCritical is critical. With e = −1/(1+exp(−t)) x falls in t and then rises again.
func (b Bulk) findCritical() float64 {
	const step, last = 0.25, 40
	e := func(t float64) float64 { return -1 / (1 + math.Exp(-t)) }
	t := step*float64(sort.Search(2*last/step, func(i int) bool {
		t := step*float64(i) - last
		return !(b.outside(e(t+step)) < b.outside(e(t)))
	})) - last
	lo, hi := t-step, t+step
	for range 70 { // golden section would save half of it; thirds are plainer
		third := (hi - lo) / 3
		if b.outside(e(lo+third)) < b.outside(e(hi-third)) {
			hi -= third
		} else {
			lo += third
		}
	}
	return e((lo + hi) / 2)
}

// traces returns x, lim (1/n) tr(x − F₀F₀ᵀ/n)⁻¹ = −m₁, the same weighted by XXᵀ/d, −m₂, and lim (1/N) tr(x −
// F₀ᵀF₀/n)⁻¹, all of them positive, at e on the branch outside the spectrum.
func (b Bulk) traces(e float64) (x, all, linear, right float64) {
	x = b.outside(e)
	q := b.Linear * b.Linear / (b.Psi * (1 + e))
	all = (1 - b.Phi/b.Psi*e/(1+e)) / x // (i)
	linear = all / (1 - q*all)          // (ii)
	return x, all, linear, b.Psi/b.Phi*all + (1-b.Psi/b.Phi)/x
}

// Top returns the mean of the largest singular value at n samples, to order n^(−2/3): the mean of the Tracy–Widom law,
// −1.2065, scaled by the curvature of x as a function of the trace −m₁ at the edge.
func (b Bulk) Top(n float64) float64 {
	e := b.critical()
	const step = 1e-3
	square, at, _, _ := b.traces(e)
	above, more, _, _ := b.traces(e * (1 - step))
	below, less, _, _ := b.traces(e * (1 + step))
	curvature := 2 * ((above-square)/(more-at) - (below-square)/(less-at)) / (more - less)
	return math.Sqrt(square - 1.2065*math.Cbrt(curvature/2)*math.Pow(n, -2./3))
}

// OwnOutlier returns the singular value of F₀/√n that c₂(|x|²/d − 1)1ᵀ puts outside of the bulk, and 0 when it puts
// none. The norm of that matrix over √n is |c₂|√(2/ψ).
func (b Bulk) OwnOutlier(c2 float64) float64 {
	strength := mat.NewDense(1, 1, []float64{2 * c2 * c2 / b.Psi})
	found := b.Outliers(mat.NewDense(1, 1, []float64{0}), mat.NewDense(1, 1, []float64{1}), strength)
	if len(found) == 0 {
		return 0
	}
	return found[0]
}

// Outliers returns the singular values of F₀/√n + UVᵀ that lie outside of the bulk, the largest first. The columns of U
// are given by their Gram matrices in the direction of the linear part of the features, linear, and in all others,
// rest; the columns of V by right. They are the roots of det(1 − x(−m₂ linear − m₁ rest)·g·right) = 0 with g = lim
// (1/N) tr(x − F₀ᵀF₀/n)⁻¹.
func (b Bulk) Outliers(linear, rest, right *mat.Dense) []float64 {
	return list.Map(b.roots(linear, rest, right), func(e float64) float64 { return math.Sqrt(b.outside(e)) })
}

// roots returns the values e at which the largest eigenvalues of x·L·R are one, for all that are above one at the edge.
// They fall as x grows.
func (b Bulk) roots(linear, rest, right *mat.Dense) []float64 {
	above := b.above(linear, rest, right)
	if above == nil {
		return nil
	}
	critical := b.critical()
	var out []float64
	for i := range above(critical) {
		lo, hi := math.Log(-critical), -60.0 // of log(−e), from the edge to far out
		for range 50 {                       // 60 over 2⁵⁰ is below 10⁻¹³
			mid := (lo + hi) / 2
			if above(-math.Exp(mid)) > i {
				lo = mid
			} else {
				hi = mid
			}
		}
		out = append(out, -math.Exp((lo+hi)/2))
	}
	return out
}

// above returns the number of eigenvalues of x·L·R above one as a function of e, and nil for invalid parameters. With
// right = CCᵀ they are the eigenvalues of xg·CᵀLC, and by Sylvester's law of inertia their number is the number of
// positive pivots in an elimination of xg·CᵀLC − 1.
func (b Bulk) above(linear, rest, right *mat.Dense) func(e float64) int {
	c := root(right)
	if !b.valid() || c == nil {
		return nil
	}
	inLine, other := algebra.Product(c.T(), linear, c), algebra.Product(c.T(), rest, c)
	var matrix mat.Dense
	return func(e float64) int {
		x, all, line, g := b.traces(e)
		matrix.Apply(func(i, j int, v float64) float64 {
			v = x * g * (line*v + all*other.At(i, j))
			if i == j {
				v--
			}
			return v
		}, inLine)
		return positivePivots(&matrix)
	}
}

// root returns a C with CCᵀ = right, for columns that may be dependent: there are fewer neurons than spikes in small
// networks. It is nil if right is not a Gram matrix. Columns of very different lengths are scaled first.
func root(right *mat.Dense) *mat.Dense {
	k, _ := right.Dims()
	lengths := make([]float64, k)
	for i := range lengths {
		lengths[i] = math.Sqrt(right.At(i, i))
		if !(lengths[i] >= 0) || math.IsInf(lengths[i], 1) {
			return nil
		}
	}
	cosines := mat.NewSymDense(k, nil)
	for i := range k {
		for j := i; j < k; j++ {
			if length := lengths[i] * lengths[j]; length > 0 {
				cosines.SetSym(i, j, right.At(i, j)/length)
			}
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(cosines, true) {
		return nil
	}
	var c mat.Dense
	eigen.VectorsTo(&c)
	values := eigen.Values(nil)
	c.Apply(func(i, j int, v float64) float64 { return lengths[i] * v * math.Sqrt(max(0, values[j])) }, &c)
	return &c
}

// positivePivots eliminates a symmetric matrix in place and counts. A pivot of zero has probability zero.
func positivePivots(m *mat.Dense) int {
	k, _ := m.Dims()
	count := 0
	for p := range k {
		pivot := m.At(p, p)
		if pivot > 0 {
			count++
		}
		for i := p + 1; i < k; i++ {
			row, factor := m.RawRowView(i), m.At(i, p)/pivot
			for j := p; j < k; j++ {
				row[j] -= factor * m.At(p, j)
			}
		}
	}
	return count
}

// forms returns x, L = −m₂ linear − m₁ rest and R = g·right at e.
func (b Bulk) forms(e float64, linear, rest, right *mat.Dense) (x float64, left, outer *mat.Dense) {
	x, all, inLine, g := b.traces(e)
	return x, algebra.Sum(algebra.Scaled(inLine, linear), algebra.Scaled(all, rest)), algebra.Scaled(g, right)
}

// outside returns x(e) = −λ on the branch outside the spectrum, +Inf where there is no solution. Eliminating m₂ leaves
// c²_{>1} q m² + (c₁² + c²_{>1} − e q) m − e = 0 for m = m₁, with q = c₁²/(ψ(1+e)); the root that vanishes with e.
func (b Bulk) outside(e float64) float64 {
	c := b.Linear * b.Linear
	q := c / (b.Psi * (1 + e))
	linear := c + b.Nonlinear - e*q
	discriminant := linear*linear + 4*b.Nonlinear*q*e
	if !(e > -1 && e < 0 && discriminant >= 0) {
		return math.Inf(1)
	}
	m := 2 * e / (linear + math.Sqrt(discriminant))
	return -(1 - b.Phi/b.Psi*e/(1+e)) / m
}

// Density returns the density of the singular values of F₀/√n at x > 0, as a fraction of n. For n > N a fraction
// 1 − N/n lies at zero and is not part of it.
func (b Bulk) Density(x float64) float64 {
	if !b.valid() || !(x > 0) {
		return math.NaN()
	}
	// Just above the real axis at λ = −(x² + iε), m₁ is the Stieltjes transform of the squares; Im m₁/π their density.
	return 2 * x * max(0, imag(b.stieltjes(x*x))) / math.Pi
}

// stieltjes returns the Stieltjes transform of the squares without those at zero. It follows the solution from far
// above the point to 10⁻⁹ above it. There, with g = 1+e, the equations are a quartic in g, and far above e =
// −(c₁²+c²_{>1})/z up to terms of order 1/z².
func (b Bulk) stieltjes(square float64) complex128 {
	energy := b.Linear*b.Linear + b.Nonlinear
	scale := square + energy*(1+b.Phi/b.Psi)
	height := 1e4 * scale
	g := 1 - complex(energy, 0)/complex(square, height)
	for {
		lambda := -complex(square, height)
		for range 50 {
			f, slope := b.quartic(g, lambda)
			step := f / slope
			g -= step
			if cmplx.Abs(step) <= 1e-14*cmplx.Abs(g) {
				break
			}
		}
		if height <= 1e-9*scale {
			atom := complex(max(0, 1-b.Phi/b.Psi), 0) // at zero, where 1/λ is its transform
			return (b.numerator(g)/g - atom) / lambda
		}
		height *= 0.8
	}
}

// numerator returns P in m₁ = P/(λg), P = g − (φ/ψ)(g − 1).
func (b Bulk) numerator(g complex128) complex128 { return g - complex(b.Phi/b.Psi, 0)*(g-1) }

// quartic returns the polynomial in g whose root solves the fixed point, and its derivative: with A = ψλg² and
// B = A + c₁²P, e(1 + q m₁) = c₁²m₁ + c²_{>1}m₁(1 + q m₁) becomes g(g−1)λB = c₁²PA + c²_{>1}PB.
func (b Bulk) quartic(g, lambda complex128) (f, slope complex128) {
	c, rest := complex(b.Linear*b.Linear, 0), complex(b.Nonlinear, 0)
	p, dp := b.numerator(g), complex(1-b.Phi/b.Psi, 0)
	a, da := complex(b.Psi, 0)*lambda*g*g, 2*complex(b.Psi, 0)*lambda*g
	s, ds := a+c*p, da+c*dp
	f = g*(g-1)*lambda*s - c*p*a - rest*p*s
	slope = (2*g-1)*lambda*s + g*(g-1)*lambda*ds - c*(dp*a+p*da) - rest*(dp*s+p*ds)
	return f, slope
}
