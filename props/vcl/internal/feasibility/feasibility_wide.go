package feasibility

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// bound is (x − √(x²+4y²))/2, which is −2y²/(x + √(x²+4y²)) for x > 0: the least eigenvalue of the target on the two
// vectors where its block between row space and kernel is largest.
func (g target) bound(across *mat.Dense) float64 {
	left, values, _ := layers.SVD(algebra.Product(g.W.T(), across))
	a := left.ColView(0)
	x, y := mat.Inner(a, g.G, a), g.Rate*values[0]
	if x > 0 {
		return -2 * y * y / (x + math.Hypot(x, 2*y))
	}
	return (x - math.Hypot(x, 2*y)) / 2
}

// acrossKernel is ΓHᵀ on the kernel of W.
func (g target) acrossKernel() *mat.Dense { return algebra.Product(g.Gamma, g.H.T(), kernel(g.W)) }

func (g target) acrossAll() *mat.Dense { return algebra.Product(g.Gamma, g.H.T()) }

// kernel is an orthonormal basis of the kernel of W, m < n of full rank (n×(n−m)).
func kernel(w *mat.Dense) *mat.Dense {
	var qr mat.QR
	var q mat.Dense
	m, n := w.Dims()
	qr.Factorize(w.T())
	qr.QTo(&q)
	return mat.DenseCopyOf(q.Slice(0, n, m, n))
}

// wide is a layer with fewer outputs than inputs, a batch, and the conditions of W and of ΓHᵀP₀.
type wide struct {
	M, N, B int
	Kappa   float64
}

// signs counts the negative and the positive eigenvalues of a target.
type signs struct{ Negative, Positive int }

// inertia counts the eigenvalues of targets for m < n. The smallest that counts is about γ²σ² for the smallest
// singular value σ = 10⁻² of ΓHᵀP₀: 10⁻¹¹ at the smallest step, a hundred times the noise. Up to the largest one the
// row space of W has no negative eigenvalue of its own.
var inertia = props.Grid[wide, signs, countOf]{
	Name:    "inertia for m < n",
	Regimes: []string{"well-conditioned", "ill-conditioned"},
	Cells: func(props.Effort) (cells []wide) {
		for m := 1; m <= 5; m++ {
			for n := m + 1; n <= 10; n += 2 {
				for _, b := range []int{1, 2, 5, 8} {
					cells = append(cells, wide{m, n, b, 2}, wide{m, n, b, 100})
				}
			}
		}
		return cells
	},
	Measure: func(t *props.Trial, c wide) signs { return countSigns(c.problem(t.Rand, inAndOutside)) },
	Claim:   theory.NegativeEigenvalues,
	Judge: func(r *props.Record, c wide, m signs, claim countOf) {
		r.Regime(map[bool]string{true: "well-conditioned", false: "ill-conditioned"}[c.Kappa < 10])
		r.Exactly("negative eigenvalues", float64(m.Negative), float64(claim(c.M, c.N, c.B)))
		r.Exactly("positive eigenvalues", float64(m.Positive), float64(c.M))
	},
	Controls: []props.WrongCell[wide, signs, countOf]{
		{Name: "weights that have lost a direction", Assumption: "full-rank", Criterion: "positive eigenvalues",
			Measure: func(t *props.Trial, c wide) signs {
				p := c.problem(t.Rand, inAndOutside)
				p.W.SetRow(c.M-1, make([]float64, c.N))
				return countSigns(p)
			}},
		{Name: "hidden states in the row space of W", Assumption: "outside", Criterion: "negative eigenvalues",
			Measure: func(t *props.Trial, c wide) signs {
				return countSigns(c.problem(t.Rand, func(inside, _ *mat.Dense) *mat.Dense { return inside }))
			}},
		{Name: "as many negative eigenvalues as samples", Criterion: "negative eigenvalues",
			Instead: func(_, _, batch int) int { return batch }},
	},
}

// countOf is the number of negative eigenvalues of a layer with m outputs and n inputs on a batch.
type countOf func(m, n, batch int) int

func inAndOutside(inside, outside *mat.Dense) *mat.Dense {
	inside.Add(inside, outside)
	return inside
}

func countSigns(p routes.Problem) (out signs) {
	values := layers.Eigenvalues(routes.TrueShift.Gram(p))
	n := len(values)
	noise := 64 * float64(n) * roundoff.Unit * max(-values[0], values[n-1])
	out.Negative = negative(values, noise)
	for _, x := range values {
		if x > noise {
			out.Positive++
		}
	}
	return out
}

// problem draws W with its condition κ, and a batch such that ΓHᵀP₀ has rank r = min(B, n−m, m) and that condition:
// with orthonormal columns U, V, Q (B×r), R of condition √κ and a basis K of the kernel, Γ = URQᵀ and P₀H = KVRQᵀ. What
// is orthogonal to Q is added to one of them that keeps the product so, to make both as general as they can be. The
// step is between 3·10⁻⁴ and 10⁻².
func (c wide) problem(r *rand.Rand, states func(inside, outside *mat.Dense) *mat.Dense) routes.Problem {
	w := layers.Conditioned(r, c.M, c.N, c.Kappa)
	across := theory.NegativeEigenvalues(c.M, c.N, c.B)
	root := layers.Conditioned(r, across, across, math.Sqrt(c.Kappa))
	q := gen.Orthonormal(r, c.B, across)
	gamma := algebra.Product(gen.Orthonormal(r, c.M, across), root, q.T())
	outside := algebra.Product(gen.Orthonormal(r, c.N-c.M, across), root, q.T())
	beside := func(rows int) *mat.Dense { // random, and orthogonal to Q
		z := gen.Gaussian(r, rows, c.B, 1)
		z.Sub(z, algebra.Product(z, q, q.T()))
		return z
	}
	if c.M > across {
		gamma.Add(gamma, beside(c.M))
	} else if c.N-c.M > across {
		outside.Add(outside, beside(c.N-c.M))
	}
	h := algebra.Product(w.T(), gen.Gaussian(r, c.M, c.B, 1))
	p := routes.Problem{W: w, Gamma: gamma, H: states(h, algebra.Product(kernel(w), outside))}
	p.Rate = 1e-2 * math.Pow(0.03, r.Float64())
	return p
}

// halvings are quotients λ_min/(−γ²‖g‖²) along halved steps, and what they tend to.
type halvings struct {
	Steps, Quotients, Rounding []float64
	Outside, Whole             float64 // ‖P₀h‖² and ‖h‖²
	Reach, Within              float64 // R and M, see [reach]
}

// reach returns a radius R and M such that the quotient Q = λ_min/(−γ²‖g‖²) has a power series in γ whose terms from
// order k ≥ 1 on add up, in size, to at most M(γ/R)ᵏ. In blocks of row space and kernel of W, with A = WᵀW, a =
// A^{+½}h, ρ = ‖P₀h‖² and unit vectors b, the eigenvalue solves
//
//	Q = ρ bᵀ(1 + E + γ²‖g‖²QA⁺)⁻¹b,  ‖E‖ ≤ s = 2γ‖a‖‖g‖ + γ²‖g‖².
//
// By Neumann's series the terms of Q are at most those of the solution of Q̄ = ρ/(1 − s − cQ̄), c = (γ‖g‖/σ)² for the
// least singular value σ of W. They are positive up to where (1 − s)² = 4cρ, which is γ‖g‖ = 1/(β + √(β²+1)) for β =
// ‖a‖ + √ρ/σ, and there Q̄ = σ√ρ/(γ‖g‖).
func reach(w, h *mat.Dense, outside, g float64) (radius, within float64) {
	_, values, right := layers.SVD(w)
	a, sigma := algebra.Product(right.T(), h), values[len(values)-1]
	for i, s := range values {
		a.Set(i, 0, a.At(i, 0)/s)
	}
	beta := mat.Norm(a, 2) + math.Sqrt(outside)/sigma
	moved := 1 / (beta + math.Hypot(beta, 1))
	return moved / g, sigma*math.Sqrt(outside)/moved - outside
}

// limit extrapolates to a step of zero by Neville's scheme, and says how far that may be off: the interpolation of a
// power series at steps γₖ misses at most M·Π γₖ/(R − γₖ), as its divided difference is a mean of those of its powers,
// and the rounding of a quotient enters with its weight Π γⱼ/(γⱼ − γₖ).
func (h halvings) limit() (limit, err float64) {
	values := list.Map(h.Quotients, func(q float64) *mat.Dense { return mat.NewDense(1, 1, []float64{q}) })
	extrapolated, _ := order.Limit(values, make([]float64, len(values)))
	beyond := h.Within
	for k, step := range h.Steps {
		beyond *= step / (h.Reach - step)
		weight := 1.0
		for j, other := range h.Steps {
			if j != k {
				weight *= other / (other - step)
			}
		}
		err += math.Abs(weight) * h.Rounding[k]
	}
	return extrapolated.At(0, 0), err + beyond
}

// leastEigenvalue is the limit of the least eigenvalue for m < n and one sample.
var leastEigenvalue = props.Grid[int, halvings, func(halvings) float64]{
	Name:    "least eigenvalue for m < n",
	Cells:   props.Scale{Quick: 20, Standard: 100, Deep: 2000}.Indices,
	Measure: halve,
	Claim:   func(h halvings) float64 { return h.Outside },
	Judge: func(r *props.Record, _ int, h halvings, claim func(halvings) float64) {
		limit, err := h.limit()
		r.Within("limit of λ_min/(−γ²‖g‖²)", limit, claim(h), err)
	},
	Conclude: func(r *props.Record, _ []int, all []halvings, _ func(halvings) float64) { r.Figure(leastFigure(all)) },
	Controls: []props.WrongCell[int, halvings, func(halvings) float64]{
		{Name: "all of h in place of its part in the kernel", Instead: func(h halvings) float64 { return h.Whole }},
	},
}

// halve takes steps γ = R/4 … R/128 of layers of several shapes with a unit gradient.
func halve(t *props.Trial, cell int) halvings {
	m := 1 + cell%5
	p := wide{M: m, N: m + 1 + cell%4, B: 1, Kappa: 3}.problem(t.Rand, inAndOutside)
	h := mat.DenseCopyOf(p.H)
	p.H = h
	out := halvings{Whole: math.Pow(mat.Norm(h, 2), 2)}
	out.Outside = math.Pow(mat.Norm(algebra.Product(kernel(p.W).T(), h), 2), 2)
	square := math.Pow(mat.Norm(p.Gamma, 2), 2)
	out.Reach, out.Within = reach(p.W, h, out.Outside, math.Sqrt(square))
	for e := -2; e >= -7; e-- {
		p.Rate = math.Ldexp(out.Reach, e)
		values := layers.Eigenvalues(routes.TrueShift.Gram(p))
		size := p.Rate * p.Rate * square
		out.Steps, out.Quotients = append(out.Steps, p.Rate), append(out.Quotients, -values[0]/size)
		out.Rounding = append(out.Rounding, 64*float64(len(values))*roundoff.Unit*values[len(values)-1]/size)
	}
	return out
}

func leastFigure(all []halvings) props.Figure {
	f := props.Figure{
		ID:    "least",
		Title: "The least eigenvalue of the target",
		Caption: "Least eigenvalue of A + D over −γ²‖P₀h‖²‖g‖² for four layers with m < n and one sample each, step " +
			"sizes on a logarithmic axis: negative at every step, the quotient tends to one.",
		X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "λ_min/(−γ²‖P₀h‖²‖g‖²)"},
	}
	for i, h := range all[:min(4, len(all))] {
		c := props.Curve{Name: fmt.Sprintf("layer %d", i+1), Style: props.Points, X: h.Steps}
		for _, q := range h.Quotients {
			c.Y = append(c.Y, q/h.Outside)
		}
		f.Curves = append(f.Curves, c)
	}
	return f
}

// simulation builds a layer and a sample with the given a, p and q, and for m < n one with the given norms.
var simulation = props.Simulation{
	Params: []statement.Param{{Name: "inputs", Symbol: "n",
		Meaning: "inputs of the layer; m is n + 1, and n − 1 for m < n",
		Domain:  statement.IntegerBetween(2, 100), Default: "5"}},
	Run: func(t *props.Trial, v statement.Values) (map[string]float64, error) {
		n, step := v.Int("inputs"), v.Float("step")
		s := theory.SampleShift{A: v.Float("a"), P: v.Float("p"), Q: v.Float("q")}
		// In whitened coordinates h has the length √a, w the length √q, and their product is p. With W = USVᵀ and an
		// orthonormal frame e, h = VSVᵀ·(…) and g = UVᵀ·(…).
		frame := gen.Orthonormal(t.Rand, n, 2)
		u, values, vt := layers.SVD(layers.Conditioned(t.Rand, n+1, n, 3))
		white := func(first, second float64) *mat.Dense {
			return algebra.Product(frame, mat.NewDense(2, 1, []float64{first, second}))
		}
		h := white(math.Sqrt(s.A), 0)
		w := white(0, math.Sqrt(s.Q))
		if s.A > 0 {
			along := s.P / math.Sqrt(s.A)
			w = white(along, math.Sqrt(max(0, s.Q-along*along)))
		}
		p := routes.Problem{Rate: step,
			W: algebra.Product(u, mat.NewDiagDense(n, values), vt.T()), Gamma: algebra.Product(u, vt.T(), w),
			H: algebra.Product(vt, mat.NewDiagDense(n, values), vt.T(), h)}
		values, size := whitened(newTarget(p, routes.TrueShift.Gram))
		det, _, _ := determinant(values, size, 1, 0)

		layer := layers.Conditioned(t.Rand, n-1, n, 3)
		g := gen.Gaussian(t.Rand, n-1, 1, 1)
		g.Scale(v.Float("g")/mat.Norm(g, 2), g)
		inside := algebra.Product(layer.T(), gen.Gaussian(t.Rand, n-1, 1, 1))
		outside := kernel(layer)
		outside.Scale(v.Float("outside"), outside)
		inside.Add(inside, outside)
		smallest := layers.Eigenvalues(routes.TrueShift.Gram(routes.Problem{W: layer, Gamma: g, H: inside, Rate: step}))[0]
		out := map[string]float64{"determinant": det, "eigenvalue_min": smallest}
		if !math.IsInf(s.Limit(), 1) {
			out["limit"] = ending{W: p.W, H: mat.DenseCopyOf(p.H),
				Gamma: mat.DenseCopyOf(p.Gamma)}.crossing(routes.TrueShift.Gram)
		}
		return out, nil
	},
}
