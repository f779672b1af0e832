// Package doubledouble computes with numbers of about 106 significant bits, each the unevaluated sum of two float64.
// Code that checks a kernel computes with it, so that no tolerance has to account for the checker's own rounding. No
// kernel may use it: a mistake in it must not be on both sides of a comparison.
//
// Products are converted to float64 before anything is added, so that no compiler fuses operations that must be
// rounded.
package doubledouble

import "math"

// Number is Hi + Lo, which do not overlap: |Lo| ≤ u·|Hi|. Arithmetic has relative errors near 2⁻¹⁰⁴, but for sums that
// cancel in the leading parts as well as in the others (T. J. Dekker, Numer. Math. 18 (1971) 224; M. Joldes,
// J.-M. Muller, V. Popescu, ACM Trans. Math. Softw. 44(2), 2017). Infinities become NaN.
type Number struct{ Hi, Lo float64 }

// TwoSum is a + b without error.
func TwoSum(a, b float64) Number {
	s := a + b
	t := s - a
	return Number{s, (a - (s - t)) + (b - t)}
}

// TwoProduct is a·b without error, if nothing underflows.
func TwoProduct(a, b float64) Number {
	p := float64(a * b)
	return Number{p, math.FMA(a, b, -p)}
}

// fastTwoSum is a + b without error if |a| ≥ |b|.
func fastTwoSum(a, b float64) Number {
	s := a + b
	return Number{s, b - (s - a)}
}

// Plus is x + y.
func (x Number) Plus(y Number) Number {
	s, t := TwoSum(x.Hi, y.Hi), TwoSum(x.Lo, y.Lo)
	v := fastTwoSum(s.Hi, s.Lo+t.Hi)
	return fastTwoSum(v.Hi, t.Lo+v.Lo)
}

// Minus is x − y.
func (x Number) Minus(y Number) Number { return x.Plus(y.Neg()) }

// Neg is −x.
func (x Number) Neg() Number { return Number{-x.Hi, -x.Lo} }

// Scaled is c·x.
func (x Number) Scaled(c float64) Number {
	p := TwoProduct(x.Hi, c)
	return fastTwoSum(p.Hi, math.FMA(x.Lo, c, p.Lo))
}

// Times is x·y.
func (x Number) Times(y Number) Number {
	p := TwoProduct(x.Hi, y.Hi)
	return fastTwoSum(p.Hi, math.FMA(x.Hi, y.Lo, math.FMA(x.Lo, y.Hi, p.Lo)))
}

// Ldexp is x·2^exponent.
func (x Number) Ldexp(exponent int) Number {
	return Number{math.Ldexp(x.Hi, exponent), math.Ldexp(x.Lo, exponent)}
}

// Over is x/y.
func (x Number) Over(y Number) Number {
	q := x.Hi / y.Hi
	r := x.Minus(y.Scaled(q))
	q2 := r.Hi / y.Hi
	r = r.Minus(y.Scaled(q2))
	return fastTwoSum(q, q2).Plus(Number{r.Hi / y.Hi, 0})
}

// Sqrt is one Newton step from the square root of the leading part; 0 unless x > 0.
func (x Number) Sqrt() Number {
	if !(x.Hi > 0) {
		return Number{}
	}
	r := math.Sqrt(x.Hi)
	e := x.Minus(TwoProduct(r, r))
	return fastTwoSum(r, e.Hi/(2*r))
}

// Float64 rounds x.
func (x Number) Float64() float64 { return x.Hi + x.Lo }

// Dot is Σ x_i·y_i.
func Dot(x, y []float64) Number {
	var sum Number
	for i, v := range x {
		sum = sum.Plus(TwoProduct(v, y[i]))
	}
	return sum
}
