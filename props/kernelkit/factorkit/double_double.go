package factorkit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// dd is a number of about 106 significant bits: the unevaluated sum of two float64 that do not overlap. The oracles of
// the factorisations compute in it, so that their own rounding, near 2^-104, can be left out of every tolerance.
// (Dekker, Numer. Math. 18 (1971) 224; Joldes, Muller, Popescu, ACM Trans. Math. Softw. 44(2), 2017.)
type dd struct{ hi, lo float64 }

func exactSum(a, b float64) dd {
	s := a + b
	t := s - a
	return dd{s, (a - (s - t)) + (b - t)}
}

func exactProduct(a, b float64) dd {
	p := a * b
	return dd{p, math.FMA(a, b, -p)}
}

// quickSum needs |a| ≥ |b|.
func quickSum(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

func (x dd) add(y dd) dd {
	s, t := exactSum(x.hi, y.hi), exactSum(x.lo, y.lo)
	v := quickSum(s.hi, s.lo+t.hi)
	return quickSum(v.hi, t.lo+v.lo)
}

func (x dd) neg() dd { return dd{-x.hi, -x.lo} }

func (x dd) sub(y dd) dd { return x.add(y.neg()) }

func (x dd) times(c float64) dd {
	p := exactProduct(x.hi, c)
	return quickSum(p.hi, math.FMA(x.lo, c, p.lo))
}

func (x dd) mul(y dd) dd {
	p := exactProduct(x.hi, y.hi)
	return quickSum(p.hi, math.FMA(x.hi, y.lo, math.FMA(x.lo, y.hi, p.lo)))
}

func (x dd) div(y dd) dd {
	q := x.hi / y.hi
	r := x.sub(y.times(q))
	q2 := r.hi / y.hi
	r = r.sub(y.times(q2))
	return quickSum(q, q2).add(dd{r.hi / y.hi, 0})
}

// sqrt is one Newton step from the square root of the leading part; x ≥ 0.
func (x dd) sqrt() dd {
	if !(x.hi > 0) {
		return dd{}
	}
	r := math.Sqrt(x.hi)
	e := x.sub(exactProduct(r, r))
	return quickSum(r, e.hi/(2*r))
}

func (x dd) float() float64 { return x.hi + x.lo }

// exactDot is Σ x_i·y_i in double-double, the second vector with a stride.
func exactDot(x, y []float64, stride int) dd {
	var sum dd
	for i, v := range x {
		sum = sum.add(exactProduct(v, y[i*stride]))
	}
	return sum
}

// transposed is a copy of aᵀ.
func transposed(a *mat.Dense) *mat.Dense { return mat.DenseCopyOf(a.T()) }
