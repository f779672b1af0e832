package poly

import (
	"math"
)

// Moments are E[f(x) 1] and E[f(x) x 1] over a half-space.
type Moments struct {
	Mass  float64
	First []float64 // of the length of w
}

// HalfSpace integrates f over w·x + b ≥ 0 for standard normal x in the dimension of w. It panics when w is zero or f
// has more variables than w.
//
// Monomials are grouped by the variables that occur in them. For one group, all other coordinates enter through their
// component along w only, so the integral runs over the group's variables and that component. A reflection turns w into
// the first axis; the integral is then a product of a half-line moment and of full moments. A group of k variables and
// degree p costs about (k+1)^p multiplications, whatever the dimension.
func HalfSpace(f Poly, w []float64, b float64) Moments { return integrate(f, w, b, false) }

// Magnitude returns a number that no partial sum of HalfSpace's First exceeds in length: the result of the same
// computation with every sign positive. Rounding errors are multiples of u·Magnitude.
func Magnitude(f Poly, w []float64, b float64) float64 {
	return norm(integrate(f.Absolute(), w, b, true).First)
}

// integrate is HalfSpace, or with absolute set the same sums with every sign positive.
func integrate(f Poly, w []float64, b float64, absolute bool) Moments {
	if f.Variables() > len(w) {
		panic("population: the polynomial has more variables than the weights")
	}
	length := norm(w)
	if !(length > 0) {
		panic("population: the weights are zero")
	}
	total, along := Moments{First: make([]float64, len(w))}, 0.0
	for _, g := range groups(f) {
		m := g.integrate(w, length, b, absolute)
		total.Mass += m.Mass
		along += m.rest
		for i, v := range g.variables {
			correction := -m.rest * w[v]
			if absolute {
				correction = math.Abs(correction)
			}
			total.First[v] += m.First[i] + correction
		}
	}
	for i, wi := range w {
		if absolute {
			wi = math.Abs(wi)
		}
		total.First[i] += along * wi
	}
	return total
}

// group is the part of a polynomial whose monomials contain exactly these variables. Its polynomial is in variables
// 0, 1, …, one for each, in that order.
type group struct {
	variables []int
	part      Poly
}

// groups splits a polynomial, in a fixed order.
func groups(f Poly) []group {
	var all []group
	index := map[int]int{}
	for _, t := range f {
		e := t.Exponents
		if t.Coefficient == 0 {
			continue
		}
		var variables, powers []int
		support := 0
		for i := range e.Variables() {
			if k := e.Of(i); k > 0 {
				variables, powers, support = append(variables, i), append(powers, k), support|1<<i
			}
		}
		at, known := index[support]
		if !known {
			at = len(all)
			index[support] = at
			all = append(all, group{variables, nil})
		}
		// Dropping variables that all of the group lack keeps the order of the terms.
		all[at].part = append(all[at].part, Term{Exponents: Powers(powers...), Coefficient: t.Coefficient})
	}
	return all
}

// reduced are the moments of a group: First over the group's variables, and rest such that the moment of every other
// coordinate xᵢ is rest·wᵢ.
type reduced struct {
	Moments
	rest float64
}

func (g group) integrate(w []float64, length, b float64, absolute bool) reduced {
	inside, others := make([]float64, len(g.variables)), length*length
	for i, v := range g.variables {
		inside[i] = w[v] / length
	}
	if len(g.variables) > 0 {
		others = sumSquaresExcept(w, g.variables)
	}
	axis := inside
	if others > 0 {
		axis = append(axis, math.Sqrt(others)/length)
	}
	q, t := reflection(axis), -b/length
	half := HalfLine(g.part.Degree()+1, t)
	if absolute {
		q, half = positive(q), halfLineMagnitude(g.part.Degree()+1, t)
	}
	m := axisMoments(g.part.Substitute(q), len(axis), half)
	first := apply(q, m.First)
	r := reduced{Moments{m.Mass, first[:len(g.variables)]}, 0}
	if others > 0 {
		r.rest = first[len(first)-1] / math.Sqrt(others)
	}
	return r
}

// axisMoments integrates p in n dimensions, where half[k] is the integral of z₀ᵏ.
func axisMoments(p Poly, n int, half []float64) Moments {
	m := Moments{First: make([]float64, n)}
	for _, t := range p {
		if t.Coefficient == 0 { // and perhaps of a degree that half does not reach
			continue
		}
		e, others := t.Exponents, t.Coefficient
		for i := 1; i < n; i++ {
			others *= NormalMoment(e.Of(i))
		}
		m.Mass += half[e.Of(0)] * others
		m.First[0] += half[e.Of(0)+1] * others
		for j := 1; j < n; j++ {
			product := t.Coefficient * half[e.Of(0)]
			for i := 1; i < n; i++ {
				k := e.Of(i)
				if i == j {
					k++
				}
				product *= NormalMoment(k)
			}
			m.First[j] += product
		}
	}
	return m
}

// HalfLine returns M_k = E[Zᵏ 1{Z ≥ t}] for k = 0, …, n, by M₀ = P(Z ≥ t), M₁ = φ(t), M_k = tᵏ⁻¹φ(t) + (k−1)M_{k−2}.
func HalfLine(n int, t float64) []float64 {
	density := math.Exp(-t*t/2) / math.Sqrt(2*math.Pi)
	m := make([]float64, max(n+1, 2))
	m[0], m[1] = math.Erfc(t/math.Sqrt2)/2, density
	power := t
	for k := 2; k <= n; k++ {
		m[k] = power*density + float64(k-1)*m[k-2]
		power *= t
	}
	return m[:n+1]
}

// halfLineMagnitude is HalfLine with every sign positive.
func halfLineMagnitude(n int, t float64) []float64 {
	m := HalfLine(n, t) // M₀ and M₁ are positive; the others are replaced
	power := math.Abs(t)
	for k := 2; k <= n; k++ {
		m[k] = power*m[1] + float64(k-1)*m[k-2]
		power *= math.Abs(t)
	}
	return m
}

// positive returns the matrix of absolute values.
func positive(q [][]float64) [][]float64 {
	p := make([][]float64, len(q))
	for i, row := range q {
		p[i] = make([]float64, len(row))
		for j, x := range row {
			p[i][j] = math.Abs(x)
		}
	}
	return p
}

// reflection returns the symmetric orthogonal matrix that exchanges the unit vector and ±e₀, with the sign that makes
// its first column the unit vector: I − 2vvᵀ/‖v‖² with v = unit ± e₀, the sign chosen against cancellation.
func reflection(unit []float64) [][]float64 {
	n := len(unit)
	v, sign := append([]float64{}, unit...), 1.0
	if unit[0] >= 0 { // reflects unit to −e₀, so the first column is −unit; it is negated below
		v[0]++
		sign = -1
	} else {
		v[0]--
	}
	square := norm(v) * norm(v)
	q := make([][]float64, n)
	for i := range q {
		q[i] = make([]float64, n)
		for j := range q[i] {
			q[i][j] = -2 * v[i] * v[j] / square
		}
		q[i][i]++
		q[i][0] *= sign
	}
	return q
}

func apply(q [][]float64, x []float64) []float64 {
	y := make([]float64, len(q))
	for i, row := range q {
		for j, c := range row {
			y[i] += c * x[j]
		}
	}
	return y
}

func norm(x []float64) float64 {
	sum := 0.0
	for _, xi := range x {
		sum += xi * xi
	}
	return math.Sqrt(sum)
}

// sumSquaresExcept adds up wᵢ² over all i that are not listed. The list ascends.
func sumSquaresExcept(w []float64, except []int) float64 {
	sum, next := 0.0, 0
	for i, wi := range w {
		if next < len(except) && i == except[next] {
			next++
			continue
		}
		sum += wi * wi
	}
	return sum
}
