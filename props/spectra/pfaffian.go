package spectra

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

// confined is the probability that all singular values of an n×p matrix of independent standard normal numbers, p ≤ n,
// lie between lo and hi. Their joint density is ∏rᵢⁿ⁻ᵖ e^(−rᵢ²/2) ∏|rᵢ²−rⱼ²|, and its integral over ordered points the
// Pfaffian of ∫∫ over s < t of ψᵢ(s)ψⱼ(t) − ψⱼ(s)ψᵢ(t), with a border ∫ψᵢ where p is odd (de Bruijn). The ψᵢ are
// orthonormal on (0, ∞), which leaves the matrices well conditioned: Laguerre polynomials of r² times rⁿ⁻ᵖ e^(−r²/2).
func confined(n, p int, lo, hi float64) float64 {
	// A share of at most e^(−40) is farther out (Davidson and Szarek).
	a, b := math.Sqrt(float64(n)), math.Sqrt(float64(p))
	start, end := max(0, a-b-9), a+b+9
	lo, hi = max(lo, start), min(hi, end)
	if lo >= hi {
		return 0
	}
	whole, known := wholes.Load([2]int{n, p})
	if !known {
		whole, _ = mat.LogDet(ordered(n, p, start, end))
		wholes.Store([2]int{n, p}, whole)
	}
	part, _ := mat.LogDet(ordered(n, p, lo, hi))
	return math.Exp((part - whole.(float64)) / 2)
}

var wholes sync.Map // logarithms of determinants for the whole line, by n and p

// ordered is the matrix of that Pfaffian.
func ordered(n, p int, lo, hi float64) *mat.Dense {
	// The largest frequency is 2√p, and the nodes are farthest apart in the middle, by π/2 of the mean: for two of them in
	// a half-wave these would be as many as the product here without 1.4 and 60.
	nodes := 60 + int(1.4*(hi-lo)*math.Sqrt(float64(p)))
	x, w, cumulative := legendre(nodes)
	half := (hi - lo) / 2
	psi := mat.NewDense(nodes, p, nil)
	for k := range nodes {
		orthonormal(psi.RawRowView(k), float64(n-p), lo+half*(1+x[k]))
	}
	var integrals, forms mat.Dense
	integrals.Mul(cumulative, psi)
	integrals.Scale(half, &integrals)
	for k := range nodes {
		for i := range p {
			psi.Set(k, i, half*w[k]*psi.At(k, i))
		}
	}
	forms.Mul(integrals.T(), psi)
	size := p + p%2
	out := mat.NewDense(size, size, nil)
	for i := range p {
		for j := range p {
			out.Set(i, j, forms.At(i, j)-forms.At(j, i))
		}
		if size > p {
			total := mat.Sum(psi.ColView(i))
			out.Set(i, p, total)
			out.Set(p, i, -total)
		}
	}
	return out
}

// orthonormal fills in ψ₀, ψ₁, … at r, by the recurrence of Laguerre polynomials of order κ − ½.
func orthonormal(psi []float64, kappa, r float64) {
	gamma, _ := math.Lgamma(kappa + 0.5)
	psi[0] = math.Exp((math.Ln2-gamma-r*r)/2 + kappa*math.Log(r))
	order, below := kappa-0.5, 0.0
	for i := range len(psi) - 1 {
		k := float64(i)
		next := (r*r-2*k-1-order)*psi[i] - math.Sqrt(k*(k+order))*below
		below = psi[i]
		psi[i+1] = next / math.Sqrt((k+1)*(k+1+order))
	}
}

// rule is a Gauss-Legendre rule on [−1, 1], with the integrals from −1 to its nodes of the polynomial through values.
type rule struct {
	x, w       []float64
	cumulative *mat.Dense
}

var rules sync.Map // by the number of nodes

// legendre returns the rule, made once. ∫ Pₘ from −1 to x is (Pₘ₊₁ − Pₘ₋₁)(x)/(2m+1), and P₋₁ stands for −1.
func legendre(nodes int) (x, w []float64, cumulative *mat.Dense) {
	if made, ok := rules.Load(nodes); ok {
		r := made.(rule)
		return r.x, r.w, r.cumulative
	}
	x, w = make([]float64, nodes), make([]float64, nodes)
	quad.Legendre{}.FixedLocations(x, w, -1, 1)
	p, integrals := mat.NewDense(nodes, nodes, nil), mat.NewDense(nodes, nodes, nil)
	for k := range nodes {
		below, at := -1.0, 1.0
		for m := range nodes {
			next := x[k]
			if m > 0 {
				next = (float64(2*m+1)*x[k]*at - float64(m)*below) / float64(m+1)
			}
			p.Set(k, m, at*w[k]/2)
			integrals.Set(k, m, next-below)
			below, at = at, next
		}
	}
	cumulative = new(mat.Dense)
	cumulative.Mul(integrals, p.T())
	rules.Store(nodes, rule{x, w, cumulative})
	return x, w, cumulative
}
