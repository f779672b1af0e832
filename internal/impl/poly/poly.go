// Package poly holds polynomials in several variables: arithmetic, derivatives, linear substitution, exact moments
// under a standard normal law, moments over half-spaces, and with them the population gradient of a ReLU neuron. With
// integer coefficients everything but a division is exact until 2⁵³. Nothing is sampled and no series is used.
package poly

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Exponents holds the exponents of a monomial, packed four bits each, the first variable lowest: up to 16 variables and
// degree 15. The product of two monomials has the sum of their exponents.
type Exponents uint64

// The limits of the packing.
const (
	MaxVariables = 16
	MaxDegree    = 15
	bitsEach     = 4
)

// Powers returns the exponents of x₁^e₁ x₂^e₂ …. It panics when one is negative, or they are beyond the limits.
func Powers(e ...int) Exponents {
	var packed Exponents
	degree := 0
	for i, k := range e {
		degree += k
		if k < 0 || degree > MaxDegree || k > 0 && i >= MaxVariables {
			panic("poly: exponents outside the limits")
		}
		packed |= Exponents(k) << (bitsEach * i)
	}
	return packed
}

// Of returns the exponent of variable i, counted from 0.
func (e Exponents) Of(i int) int { return int(e >> (bitsEach * i) & MaxDegree) }

// Variables returns one more than the index of the last variable with a positive exponent.
func (e Exponents) Variables() int { return (bits.Len64(uint64(e)) + bitsEach - 1) / bitsEach }

// Degree returns the sum of the exponents.
func (e Exponents) Degree() int {
	sum := 0
	for ; e > 0; e >>= bitsEach {
		sum += int(e & MaxDegree)
	}
	return sum
}

// Term is a coefficient times a monomial.
type Term struct {
	Exponents   Exponents
	Coefficient float64
}

// Poly is a polynomial: its terms by ascending exponents, each at most once. Build one with [New] and the operations.
// Operations leave their operands unchanged.
type Poly []Term

// New returns the polynomial with these coefficients.
func New(coefficients map[Exponents]float64) Poly {
	p := make(Poly, 0, len(coefficients))
	for e, c := range coefficients {
		p = append(p, Term{e, c})
	}
	slices.SortFunc(p, func(a, b Term) int { return cmp.Compare(a.Exponents, b.Exponents) })
	return p
}

// Constant returns the polynomial c.
func Constant(c float64) Poly { return Poly{{0, c}} }

// Variable returns xᵢ, counted from 0.
func Variable(i int) Poly {
	if i >= MaxVariables {
		panic("poly: exponents outside the limits")
	}
	return Poly{{1 << (bitsEach * i), 1}}
}

// Hermite returns He_k(xᵢ), the probabilists' Hermite polynomial: 1, x, x²−1, x³−3x, …, from its explicit sum
// Σ_j (−1)ʲ k!/(2ʲ j! (k−2j)!) x^(k−2j).
func Hermite(k, i int) Poly {
	if k > MaxDegree || i >= MaxVariables {
		panic("poly: exponents outside the limits")
	}
	p, c := make(Poly, k/2+1), 1.0
	for j := 0; 2*j <= k; j++ {
		p[k/2-j] = Term{Exponents(k-2*j) << (bitsEach * i), c}
		c = -c * float64((k-2*j)*(k-2*j-1)) / float64(2*(j+1))
	}
	return p
}

// Degree returns the largest degree of a monomial with a coefficient other than zero, and 0 when there is none.
func (p Poly) Degree() int {
	degree := 0
	for _, t := range p {
		if t.Coefficient != 0 {
			degree = max(degree, t.Exponents.Degree())
		}
	}
	return degree
}

// Variables returns how many variables occur: one more than the index of the last.
func (p Poly) Variables() int {
	n := 0
	for _, t := range p {
		n = max(n, t.Exponents.Variables())
	}
	return n
}

// Plus returns p + q.
func (p Poly) Plus(q Poly) Poly { return p.plus(Term{0, 1}, q) }

// plus returns p + t·q. Multiplying by a monomial keeps the order of the terms, so that this is one merge.
func (p Poly) plus(t Term, q Poly) Poly {
	sum := make(Poly, 0, len(p)+len(q))
	for i, j := 0, 0; i < len(p) || j < len(q); {
		switch {
		case j == len(q) || i < len(p) && p[i].Exponents < q[j].Exponents+t.Exponents:
			sum = append(sum, p[i])
			i++
		case i == len(p) || q[j].Exponents+t.Exponents < p[i].Exponents:
			sum = append(sum, Term{q[j].Exponents + t.Exponents, t.Coefficient * q[j].Coefficient})
			j++
		default:
			sum = append(sum, Term{p[i].Exponents, p[i].Coefficient + t.Coefficient*q[j].Coefficient})
			i, j = i+1, j+1
		}
	}
	return sum
}

// Scaled returns a·p.
func (p Poly) Scaled(a float64) Poly {
	q := slices.Clone(p)
	for i := range q {
		q[i].Coefficient *= a
	}
	return q
}

// Absolute returns the polynomial with |coefficients|.
func (p Poly) Absolute() Poly {
	q := slices.Clone(p)
	for i := range q {
		q[i].Coefficient = math.Abs(q[i].Coefficient)
	}
	return q
}

// Times returns p·q. It panics when the degree of the product is beyond the limits.
func (p Poly) Times(q Poly) Poly {
	if p.largest()+q.largest() > MaxDegree {
		panic("poly: exponents outside the limits")
	}
	if len(p) > len(q) {
		p, q = q, p
	}
	var product Poly
	for _, t := range p {
		product = product.plus(t, q)
	}
	return product
}

// largest is Degree with the monomials of coefficient zero.
func (p Poly) largest() int {
	degree := 0
	for _, t := range p {
		degree = max(degree, t.Exponents.Degree())
	}
	return degree
}

// Derivative returns ∂p/∂xᵢ.
func (p Poly) Derivative(i int) Poly {
	var q Poly
	for _, t := range p {
		if k := t.Exponents.Of(i); k > 0 {
			q = append(q, Term{t.Exponents - 1<<(bitsEach*i), t.Coefficient * float64(k)})
		}
	}
	return q
}

// Substitute returns z ↦ p(Qz), where xᵢ = Σⱼ Q[i][j] zⱼ. Q has a row for every variable of p.
func (p Poly) Substitute(q [][]float64) Poly {
	if len(q) < p.Variables() {
		panic("poly: substitution has fewer rows than the polynomial has variables")
	}
	forms := make([]Poly, p.Variables())
	for i := range forms {
		for j, c := range q[i] {
			forms[i] = append(forms[i], Term{1 << (bitsEach * j), c})
		}
	}
	var sum Poly
	for _, t := range p {
		product := Constant(1)
		for i, form := range forms {
			for range t.Exponents.Of(i) {
				product = product.Times(form)
			}
		}
		sum = sum.plus(Term{0, t.Coefficient}, product)
	}
	return sum
}

// At returns p(x). Coordinates of x beyond the variables of p are ignored.
func (p Poly) At(x []float64) float64 {
	return p.sum(func(i, k int) float64 {
		power := 1.0
		for range k {
			power *= x[i]
		}
		return power
	})
}

// Mean returns E p(Z) for independent standard normal variables: E Zᵏ is (k−1)!! for even k and 0 for odd k.
func (p Poly) Mean() float64 {
	return p.sum(func(_, k int) float64 { return NormalMoment(k) })
}

// sum adds up the terms, with factor(i, k) in place of xᵢᵏ.
func (p Poly) sum(factor func(i, k int) float64) float64 {
	sum := 0.0
	for _, t := range p {
		term := t.Coefficient
		for i := range t.Exponents.Variables() {
			term *= factor(i, t.Exponents.Of(i))
		}
		sum += term
	}
	return sum
}

// NormalMoment returns E Zᵏ for a standard normal Z.
func NormalMoment(k int) float64 {
	if k%2 == 1 {
		return 0
	}
	m := 1.0
	for j := k - 1; j > 1; j -= 2 {
		m *= float64(j)
	}
	return m
}
