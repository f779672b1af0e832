// Package procrustes checks the claim vcl/procrustes.
package procrustes

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/layers"
	statements "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// Claim pairs the solution theory with solvers that go through eigenvectors and singular values, or one polar factor.
var Claim = props.Spec{
	Statement: &theory.Procrustes,
	Checks: []props.Check{
		props.Instances[solution]{
			Name:    "solution",
			Cases:   props.Scale{Quick: 250, Standard: 1500, Deep: 100000},
			Regimes: append(append([]string{}, layers.Conditions...), lowRank, lostRank),
			Draw:    draw,
			Judge:   judge,
			Coarse: map[string]string{"closed form": "a Gram matrix without full rank is known to u, and its root in " +
				"the directions in which it vanishes to √u only, which the rotation multiplies"},
			Controls: []props.Control{
				{Name: "the factor without rotation", Assumption: "polar", Criterion: nearest, Done: "not turned"},
				{Name: "QPᵀ in place of PQᵀ", Assumption: "polar", Criterion: nearest, Done: "QPᵀ"},
				{Name: "one singular vector with its sign flipped", Assumption: "polar", Criterion: nearest,
					Done: "flipped"},
				{Name: "the true shift for m < n, no Gram matrix", Assumption: "feasible", Criterion: "Gram matrix",
					Done: "infeasible"},
				{Name: "the true shift for m < n, by its eigenvalues", Assumption: "feasible", Criterion: feasible,
					Done: "infeasible"},
				{Reading: "square-root", Assumption: "feasible", Criterion: "Gram matrix", Done: "square root"},
				{Name: "closed form where W has lost a direction of G", Assumption: "rank", Criterion: "closed form",
					Done: "lost", Claimed: "closed form always"},
				{Name: "unique where W has lost a direction of G", Assumption: "rank", Criterion: unique, Done: "lost",
					Claimed: "always unique"},
				{Name: "trace of G left out of the distance", Criterion: "squared distance", Claimed: "no trace"},
				{Name: "gap without the factor 2", Criterion: "gap", Claimed: "half the gap"},
			},
		},
		secondSolution,
		bruteForce,
		excessAlongRotations,
	},
	Try: &props.Simulation{Run: simulate},
}.Claim()

// Criteria and regimes that several places name.
const (
	nearest  = "W₊Wᵀ is its own modulus"
	unique   = "other weights that are as near"
	feasible = "G is positive semidefinite of rank at most m"

	lowRank  = "G without full rank"
	lostRank = "rank(WGWᵀ) < rank G"
)

// solution is the problem, a solution, and other weights with the same Gram matrix.
type solution struct {
	W      *mat.Dense `npy:"W"`
	Target *mat.Dense `npy:"G"`
	Next   *mat.Dense `npy:"W_next"`
	Other  *mat.Dense `npy:"W_other"`
}

// Valid says why a user's problem has no solution. Whether its rank is exactly at most m is not asked of numbers that
// are rounded.
func (s solution) Valid() error {
	_, err := theory.Prescribe(s.W, layers.Symmetric(s.Target), 0x1p-24)
	return err
}

// solvers reach the solution in different ways.
var solvers = []routes.Solver{routes.Full{}, routes.Polar{}, routes.Auto{}}

func draw(t *props.T, done string) solution {
	m, n := layers.Dims(t, 10)
	switch done {
	case "square root": // C has the first row (c, s) of length 1, so PQᵀ = (c, s), and PQᵀC is the first row of C² = G
		w, next := mat.NewDense(1, 2, []float64{1, 0}), mat.NewDense(1, 2, []float64{1, 0.5})
		return solution{w, mat.NewDense(2, 2, []float64{1, 0.5, 0.5, 1}), next, next}
	case "QPᵀ", "flipped", "lost":
		m, n = max(m, 2), max(n, 2)
	case "infeasible":
		n = m + 1
	}
	r := t.Stream("entries")
	spread := gen.LogUniform(t.T, "condition", 1, rapid.SampledFrom([]float64{3, 1e4}).Draw(t.T, "at most"))
	w := layers.Conditioned(r, m, n, spread)
	if done == "infeasible" {
		p := layers.Batch(r, w, 2, 1, 0.5)
		next := layers.Next(routes.Full{Target: routes.TrueShift}, p)
		return solution{w, routes.TrueShift.Gram(p), next, next}
	}
	w.Scale(gen.LogUniform(t.T, "‖W‖", 1e-3, 1e3), w)
	p := layers.Towards(w, drawFactor(t, w, done))
	s := solution{W: w, Target: routes.SGDGram.Gram(p)}
	s.Next = solve(rapid.SampledFrom(solvers).Draw(t.T, "solver"), p, done)
	if s.Other = turned(t, s.Next); done == "lost" {
		s.Other = mirrored(s.Next, w)
	}
	return s
}

// drawFactor draws weights with the Gram matrix that is prescribed: a step away from w, or without relation to it, and
// it may change w.
func drawFactor(t *props.T, w *mat.Dense, done string) *mat.Dense {
	m, n := w.Dims()
	r := t.Stream("factor")
	kind := rapid.SampledFrom([]string{"step", "step", "any", "low rank", "lost"}).Draw(t.T, "target")
	switch {
	case done == "full rank":
		kind = "step"
	case done == "lost" || kind == "lost" && min(m, n) > 1:
		layers.LoseDirection(w)
		kind = "any"
	}
	switch {
	case kind == "low rank" && min(m, n) > 1:
		k := gen.Dim(t.T, "rank of G", min(m, n)-1)
		return layers.Product(gen.Gaussian(r, m, k, 1), gen.Gaussian(r, k, n, 1))
	case kind == "any":
		return gen.Gaussian(r, m, n, gen.LogUniform(t.T, "‖G‖", 1e-3, 1e3))
	}
	factor := gen.Gaussian(r, m, n, gen.LogUniform(t.T, "γ", 1e-3, 1)*mat.Norm(w, 2)/math.Sqrt(float64(m*n)))
	factor.Add(factor, w)
	return factor
}

// solve returns new weights: those of the solver, or the factor turned as a wrong version does it.
func solve(s routes.Solver, p routes.Problem, done string) *mat.Dense {
	factor := layers.Descent(p)
	left, values, right := layers.SVD(layers.Product(p.W, factor.T()))
	switch done {
	case "not turned":
		return factor
	case "QPᵀ":
		return layers.Product(right, left.T(), factor)
	case "flipped":
		signs := make([]float64, len(values))
		for i := range signs {
			signs[i] = 1
		}
		signs[0] = -1
		return layers.Product(left, mat.NewDiagDense(len(signs), signs), right.T(), factor)
	}
	return layers.Next(s, p)
}

// judge states what is claimed of a solution. Squared distances and nuclear norms are sums of products of entries of W,
// W₊ and W′. The solver, which starts from the Gram matrix, may err by as much as the closed forms.
func judge(r *props.Record, s solution, claimed string) {
	m, n := s.W.Dims()
	p, err := theory.Prescribe(s.W, layers.Symmetric(s.Target), r.Unit())
	r.Regime(regime(s.W, p))
	layers.JudgeGram(r, s.Next, s.Target)
	layers.JudgeNearest(r, s.Next, s.W)
	r.Holds(feasible, err == nil)
	if err != nil {
		return
	}
	size := mat.Norm(s.W, 2) + mat.Norm(s.Next, 2)
	arithmetic := float64(16*(m+n)) * r.Unit() * size * size
	squared, rounding := p.Distance()
	if claimed == "no trace" {
		squared -= mat.Trace(s.Target)
	}
	own := layers.SquaredDistance(s.Next, s.W)
	r.Within("squared distance", own, squared, 2*rounding+arithmetic)

	gap := theory.Gap(s.Other, s.W)
	if claimed == "half the gap" {
		gap /= 2
	}
	excess := layers.SquaredDistance(s.Other, s.W) - own - apart(s, r.Unit())
	r.WithinScale("gap", excess, gap, max(gap, arithmetic), arithmetic)

	gram, product := p.Rank()
	if product == gram || claimed == "closed form always" {
		closed, rounding := p.Nearest()
		r.WithinMatrix("closed form", s.Next, closed, 2*rounding)
	}
	if product == gram || claimed == "always unique" {
		far := mat.Norm(s.Next, 2) * p.Spread() / mat.Norm(s.W, 2) // ‖W₊‖²/σ
		bound, hidden := far*max(gap, 0), 2*p.Hidden()*(1+p.Spread())
		r.AtMost(unique, layers.SquaredDistance(s.Other, s.Next), bound,
			(1+far)*arithmetic+hidden*(2*math.Sqrt(bound)+hidden))
	}
}

// apart is what ‖W′‖² exceeds ‖W₊‖² by, which the difference of the squared distances has beside the gap: nothing but
// the rounding of a rotation, which is not small beside ‖W‖‖W₊‖ where W₊ is much longer than W. It counts up to what
// [layers.JudgeGram] allows a Gram matrix, whose trace may be off by √n times that.
func apart(s solution, unit float64) float64 {
	m, n := s.W.Dims()
	other, next := math.Pow(mat.Norm(s.Other, 2), 2), math.Pow(mat.Norm(s.Next, 2), 2)
	limit := math.Sqrt(float64(n)) * float64(4*(m+n)) * unit * (mat.Norm(s.Target, 2) + other)
	return max(-limit, min(limit, other-next))
}

func regime(w *mat.Dense, p *theory.Prescribed) string {
	if p == nil {
		return layers.Shape(w)
	}
	m, n := w.Dims()
	switch gram, product := p.Rank(); {
	case product < gram:
		return lostRank
	case gram < min(m, n):
		return lowRank
	}
	return layers.Condition(w, p.Spread() > 1e3)
}

// simulate turns the solution of a problem with one column.
func simulate(t *props.Trial, v statements.Values) (map[string]float64, error) {
	column := func(squared float64) *mat.Dense {
		x := gen.Gaussian(t.Rand, 2, 1, 1)
		x.Scale(math.Sqrt(squared)/mat.Norm(x, 2), x)
		return x
	}
	w := column(v.Float("a"))
	step, err := routes.Polar{}.Solve(layers.Towards(w, column(v.Float("g"))))
	if err != nil {
		return nil, err
	}
	sin, cos := math.Sincos(v.Float("angle"))
	turned := layers.Product(mat.NewDense(2, 2, []float64{cos, -sin, sin, cos}), step.W)
	squared := layers.SquaredDistance(step.W, w)
	return map[string]float64{"distance": squared, "gap": layers.SquaredDistance(turned, w) - squared}, nil
}
