// Package procrustes checks the claim vcl/procrustes.
package procrustes

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// Claim pairs the solution theory with solvers that go through eigenvectors and singular values, or one polar factor.
var Claim = props.Spec{
	Statement: &theory.Procrustes,
	Checks: []props.Check{
		props.Drawn[solution, solutionClaim]{
			Name:    "solution",
			Cases:   props.Scale{Quick: 250, Standard: 1500, Deep: 100000},
			Tries:   20,
			Regimes: append(append([]string{}, layers.Conditions...), lowRank, lostRank),
			Draw:    func(t *props.T) solution { return draw(t, like{}) },
			Claim: solutionClaim{distance: func(p *theory.Prescribed, _ *mat.Dense) (squared, rounding float64) {
				return p.Distance()
			}, gap: theory.Gap, closed: equalRanks,
				unique: equalRanks},
			Judge: judge,
			Coarse: map[string]string{"closed form": "a Gram matrix without full rank is known to u, and its root in " +
				"the directions in which it vanishes to √u only, which the rotation multiplies"},
			Controls: []props.Wrong[solution, solutionClaim]{
				{Name: "the factor without rotation", Assumption: "polar", Criterion: nearest,
					Draw: func(t *props.T) solution { return draw(t, like{next: layers.Descent}) }},
				{Name: "QPᵀ in place of PQᵀ", Assumption: "polar", Criterion: nearest,
					Draw: func(t *props.T) solution { return draw(t, like{smallest: 2, next: exchangedVectors}) }},
				{Name: "one singular vector with its sign flipped", Assumption: "polar", Criterion: nearest,
					Draw: func(t *props.T) solution { return draw(t, like{smallest: 2, next: flippedSign}) }},
				{Name: "the true shift for m < n, no Gram matrix", Assumption: "feasible", Criterion: "Gram matrix",
					Draw: drawInfeasible},
				{Name: "the true shift for m < n, by its eigenvalues", Assumption: "feasible", Criterion: feasible,
					As: "the true shift for m < n, no Gram matrix"},
				{Reading: "square-root", Assumption: "feasible", Criterion: "Gram matrix", Draw: props.Constant(rootOfTarget())},
				{Name: "closed form where W has lost a direction of G", Assumption: "rank", Criterion: "closed form",
					Draw: drawLost, Instead: solutionClaim{closed: anyRanks}},
				{Name: "unique where W has lost a direction of G", Assumption: "rank", Criterion: unique,
					As:      "closed form where W has lost a direction of G",
					Instead: solutionClaim{unique: anyRanks}},
				{Name: "trace of G left out of the distance", Criterion: "squared distance",
					Instead: solutionClaim{distance: func(p *theory.Prescribed, target *mat.Dense) (squared, rounding float64) {
						squared, rounding = p.Distance()
						return squared - mat.Trace(target), rounding
					}}},
				{Name: "gap without the factor 2", Criterion: "gap",
					Instead: solutionClaim{gap: func(other, w *mat.Dense) float64 { return theory.Gap(other, w) / 2 }}},
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

// solutionClaim holds the claims about a solution: its distance, by how much other weights exceed that, and for which
// ranks of G and of WGWᵀ it has the closed form and is the only one.
type solutionClaim struct {
	distance       func(p *theory.Prescribed, target *mat.Dense) (squared, rounding float64)
	gap            func(other, w *mat.Dense) float64
	closed, unique func(gram, product int) bool
}

func equalRanks(gram, product int) bool { return gram == product }
func anyRanks(int, int) bool            { return true }

// solution is the problem, a solution, and other weights with the same Gram matrix.
type solution struct {
	W      *mat.Dense `npy:"W"`
	Target *mat.Dense `npy:"G"`
	Next   *mat.Dense `npy:"W_next"`
	Other  *mat.Dense `npy:"W_other"`
}

// Valid says why a user's problem has no solution. Rounded numbers need not have a rank of exactly at most m.
func (s solution) Valid() error {
	_, err := theory.Prescribe(s.W, layers.Symmetric(s.Target), 0x1p-24)
	return err
}

// solvers reach the solution in different ways.
var solvers = []routes.Solver{routes.Full{}, routes.Polar{}, routes.Auto{}}

// rootOfTarget has the first row of the root C of G for weights: C has the first row (c, s) of length 1, so
// PQᵀ = (c, s), and PQᵀC is the first row of C² = G.
func rootOfTarget() solution {
	w, next := mat.NewDense(1, 2, []float64{1, 0}), mat.NewDense(1, 2, []float64{1, 0.5})
	return solution{w, mat.NewDense(2, 2, []float64{1, 0.5, 0.5, 1}), next, next}
}

// drawInfeasible has the target of the true shift for m < n.
func drawInfeasible(t *props.T) solution {
	m, _ := layers.Dims(t, 10)
	r := t.Stream("entries")
	w := layers.Conditioned(r, m, m+1, drawSpread(t))
	p := layers.Batch(r, w, 2, 1, 0.5)
	next := layers.Next(routes.Full{Target: routes.TrueShift}, p)
	return solution{w, routes.TrueShift.Gram(p), next, next}
}

func drawSpread(t *props.T) float64 {
	return gen.LogUniform(t.T, "condition", 1, rapid.SampledFrom([]float64{3, 1e4}).Draw(t.T, "at most"))
}

// like holds the properties that a drawn problem is to have, beyond what is drawn.
type like struct {
	smallest int                               // dimension
	kind     string                            // of the target
	next     func(p routes.Problem) *mat.Dense // in place of a solver
}

func draw(t *props.T, as like) solution {
	m, n := layers.Dims(t, 10)
	m, n = max(m, as.smallest), max(n, as.smallest)
	w := layers.Conditioned(t.Stream("entries"), m, n, drawSpread(t))
	w.Scale(gen.LogUniform(t.T, "‖W‖", 1e-3, 1e3), w)
	p := layers.Towards(w, drawFactor(t, w, as.kind))
	s := solution{W: w, Target: routes.SGDGram.Gram(p)}
	solver := rapid.SampledFrom(solvers).Draw(t.T, "solver")
	if as.next != nil {
		s.Next = as.next(p)
	} else {
		s.Next = layers.Next(solver, p)
	}
	s.Other = turned(t, s.Next)
	return s
}

// drawLost draws weights that have lost a direction of G, and a second solution.
func drawLost(t *props.T) solution {
	s := draw(t, like{smallest: 2, kind: "lost"})
	s.Other = mirrored(s.Next, s.W)
	return s
}

// drawFactor draws weights with the Gram matrix that is prescribed: a step away from w, or without relation to it, and
// it may change w.
func drawFactor(t *props.T, w *mat.Dense, like string) *mat.Dense {
	m, n := w.Dims()
	r := t.Stream("factor")
	kind := cmp.Or(like, rapid.SampledFrom([]string{"step", "step", "any", "low rank", "lost"}).Draw(t.T, "target"))
	if kind == "lost" && min(m, n) > 1 {
		layers.LoseDirection(w)
		kind = "any"
	}
	switch {
	case kind == "low rank" && min(m, n) > 1:
		k := gen.Dim(t.T, "rank of G", min(m, n)-1)
		return algebra.Product(gen.Gaussian(r, m, k, 1), gen.Gaussian(r, k, n, 1))
	case kind == "any":
		return gen.Gaussian(r, m, n, gen.LogUniform(t.T, "‖G‖", 1e-3, 1e3))
	}
	factor := gen.Gaussian(r, m, n, gen.LogUniform(t.T, "γ", 1e-3, 1)*mat.Norm(w, 2)/math.Sqrt(float64(m*n)))
	factor.Add(factor, w)
	return factor
}

// exchangedVectors turns by QPᵀ in place of PQᵀ.
func exchangedVectors(p routes.Problem) *mat.Dense {
	factor := layers.Descent(p)
	left, _, right := layers.SVD(algebra.Product(p.W, factor.T()))
	return algebra.Product(right, left.T(), factor)
}

// flippedSign turns with the sign of one singular vector flipped.
func flippedSign(p routes.Problem) *mat.Dense {
	factor := layers.Descent(p)
	left, values, right := layers.SVD(algebra.Product(p.W, factor.T()))
	signs := list.Fill(len(values), func(int) float64 { return 1 })
	signs[0] = -1
	return algebra.Product(left, mat.NewDiagDense(len(signs), signs), right.T(), factor)
}

// judge states what is claimed of a solution. Squared distances and nuclear norms are sums of products of entries of W,
// W₊ and W′. The solver, which starts from the Gram matrix, may err by as much as the closed forms.
func judge(r *props.Record, s solution, c solutionClaim) {
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
	squared, rounding := c.distance(p, s.Target)
	own := layers.SquaredDistance(s.Next, s.W)
	r.Within("squared distance", own, squared, 2*rounding+arithmetic)

	gap := c.gap(s.Other, s.W)
	excess := layers.SquaredDistance(s.Other, s.W) - own - apart(s, r.Unit())
	r.WithinScale("gap", excess, gap, max(gap, arithmetic), arithmetic)

	gram, product := p.Rank()
	if c.closed(gram, product) {
		closed, rounding := p.Nearest()
		r.WithinMatrix("closed form", s.Next, closed, 2*rounding)
	}
	if c.unique(gram, product) {
		far := mat.Norm(s.Next, 2) * p.Spread() / mat.Norm(s.W, 2) // ‖W₊‖²/σ
		bound, hidden := far*max(gap, 0), 2*p.Hidden()*(1+p.Spread())
		r.AtMost(unique, layers.SquaredDistance(s.Other, s.Next), bound,
			(1+far)*arithmetic+hidden*(2*math.Sqrt(bound)+hidden))
	}
}

// apart returns ‖W′‖² − ‖W₊‖², which the difference of the squared distances has in addition to the gap: nothing but
// the rounding of a rotation, which is not small against ‖W‖‖W₊‖ where W₊ is much longer than W. It counts up to the
// error that [layers.JudgeGram] allows a Gram matrix, whose trace may be off by √n times that.
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
func simulate(t *props.Trial, v statement.Values) (map[string]float64, error) {
	column := func(squared float64) *mat.Dense {
		x := gen.Gaussian(t.Rand, 2, 1, 1)
		x.Scale(math.Sqrt(squared)/mat.Norm(x, 2), x)
		return x
	}
	w := column(v.Float("a"))
	next := layers.Next(routes.Polar{}, layers.Towards(w, column(v.Float("g"))))
	sin, cos := math.Sincos(v.Float("angle"))
	turned := algebra.Product(mat.NewDense(2, 2, []float64{cos, -sin, sin, cos}), next)
	squared := layers.SquaredDistance(next, w)
	return map[string]float64{"distance": squared, "gap": layers.SquaredDistance(turned, w) - squared}, nil
}
