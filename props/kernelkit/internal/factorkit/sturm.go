package factorkit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/internal/list"
)

// tridiagonal is a symmetric tridiagonal matrix in double-double: the diagonal and the squares next to it. Its
// eigenvalues are counted by Sturm's theorem, which is what LAPACK's testers trust as well (dstech, dsvdch).
type tridiagonal struct{ diagonal, squares []doubledouble.Number }

// below counts the eigenvalues less than x: the negative pivots of the factorisation of T − xI. A pivot that vanishes
// is moved by less than rounding does.
func (t tridiagonal) below(x doubledouble.Number) int {
	const tiny = 1e-200 // entries are at most 1
	count, q := 0, doubledouble.Number{Hi: 1}
	for i, d := range t.diagonal {
		d = d.Minus(x)
		if i > 0 {
			d = d.Minus(t.squares[i-1].Over(q))
		}
		if math.Abs(d.Hi) < tiny {
			d = doubledouble.Number{Hi: -tiny}
		}
		if q = d; q.Hi < 0 {
			count++
		}
	}
	return count
}

// allAbove reports whether no eigenvalue is below x.
func (t tridiagonal) allAbove(x float64) bool { return t.below(doubledouble.Number{Hi: x}) == 0 }

// distance returns the distance of x from eigenvalue i, counted from the smallest, in units of a tolerance: the
// smallest power of two from 1/64 on that suffices, at most twice the truth. +Inf if x is not a number.
func (t tridiagonal) distance(i int, x, tolerance float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return math.Inf(1)
	}
	for f := 1.0 / 64; f < 0x1p80; f *= 2 {
		if t.below(doubledouble.TwoSum(x, -f*tolerance)) <= i && t.below(doubledouble.TwoSum(x, f*tolerance)) >= i+1 {
			return f
		}
	}
	return math.Inf(1)
}

// reduceSymmetric brings a symmetric matrix with entries of at most 1 to tridiagonal form by reflections in
// double-double, which move its eigenvalues by some n²·2⁻¹⁰⁴.
func reduceSymmetric(a *mat.Dense) tridiagonal {
	x := exactCopy(a)
	n := len(x)
	t := tridiagonal{diagonal: make([]doubledouble.Number, n), squares: make([]doubledouble.Number, max(0, n-1))}
	for k := range n {
		t.diagonal[k] = x[k][k]
		if k+1 < n {
			h := newReflection(column(x, k, k+1))
			h.rows(x, k+1, k+1)
			h.columns(x, k+1, k+1)
			t.squares[k] = h.image.Times(h.image)
		}
	}
	return t
}

// reduceGeneral brings a matrix with entries of at most 1 to bidiagonal form and returns the tridiagonal matrix with a
// zero diagonal (Golub and Kahan) whose eigenvalues are ± its singular values: of 2r eigenvalues, r = min(m, n), the
// largest r.
func reduceGeneral(a *mat.Dense) tridiagonal {
	if m, n := a.Dims(); m < n {
		a = transposed(a)
	}
	x := exactCopy(a)
	n := len(x[0])
	var beside []doubledouble.Number
	for k := range n {
		h := newReflection(column(x, k, k))
		h.rows(x, k, k+1)
		beside = append(beside, h.image.Times(h.image))
		if k+1 < n {
			h = newReflection(x[k][k+1:])
			h.columns(x, k+1, k+1)
			beside = append(beside, h.image.Times(h.image))
		}
	}
	return tridiagonal{diagonal: make([]doubledouble.Number, 2*n), squares: beside}
}

func exactCopy(a *mat.Dense) [][]doubledouble.Number {
	m, _ := a.Dims()
	return list.Fill(m, func(i int) []doubledouble.Number {
		return list.Map(a.RawRowView(i), func(v float64) doubledouble.Number { return doubledouble.Number{Hi: v} })
	})
}

func column(x [][]doubledouble.Number, j, from int) []doubledouble.Number {
	var c []doubledouble.Number
	for i := from; i < len(x); i++ {
		c = append(c, x[i][j])
	}
	return c
}

// reflection is I − factor·v·vᵀ. It maps the vector that it was made for to image in the first place and zeros below.
type reflection struct {
	v             []doubledouble.Number
	factor, image doubledouble.Number
}

// newReflection scales the vector by a power of two first, so that squares neither vanish nor lose bits.
func newReflection(x []doubledouble.Number) reflection {
	largest := 0.0
	for _, c := range x {
		largest = max(largest, math.Abs(c.Hi))
	}
	h := reflection{v: make([]doubledouble.Number, len(x))}
	if largest == 0 {
		return h
	}
	_, e := math.Frexp(largest)
	var sum doubledouble.Number
	for i, c := range x {
		h.v[i] = c.Ldexp(-e)
		sum = sum.Plus(h.v[i].Times(h.v[i]))
	}
	norm := sum.Sqrt()
	if h.v[0].Hi > 0 {
		norm = norm.Neg()
	}
	first := h.v[0]
	h.v[0] = first.Minus(norm)
	// vᵀv = 2(norm² − norm·first), in which nothing cancels
	h.factor = doubledouble.Number{Hi: 1}.Over(sum.Minus(norm.Times(first)))
	h.image = norm.Ldexp(e)
	return h
}

// rows applies the reflection from the left, to the rows from top on of the columns from left on.
func (h reflection) rows(x [][]doubledouble.Number, top, left int) {
	for j := left; j < len(x[0]); j++ {
		var s doubledouble.Number
		for i, v := range h.v {
			s = s.Plus(v.Times(x[top+i][j]))
		}
		s = s.Times(h.factor)
		for i, v := range h.v {
			x[top+i][j] = x[top+i][j].Minus(v.Times(s))
		}
	}
}

// columns applies it from the right.
func (h reflection) columns(x [][]doubledouble.Number, top, left int) {
	for i := top; i < len(x); i++ {
		var s doubledouble.Number
		for j, v := range h.v {
			s = s.Plus(v.Times(x[i][left+j]))
		}
		s = s.Times(h.factor)
		for j, v := range h.v {
			x[i][left+j] = x[i][left+j].Minus(v.Times(s))
		}
	}
}
