package solvers

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// degenerate are layers on which something degenerates: an ordinary layer is drawn and degraded. Each is tried as it
// stands and transposed.
var degenerate = []struct {
	name        string
	m, n, batch int
	rate        float64
	degrade     func(r *rand.Rand, p *routes.Problem)
}{
	{"weights without full rank", 6, 8, 3, 0.1, func(_ *rand.Rand, p *routes.Problem) { layers.LoseDirection(p.W) }},
	{"zero weights", 4, 6, 3, 0.1, func(_ *rand.Rand, p *routes.Problem) { p.W.Zero() }},
	{"repeated singular values", 6, 9, 3, 0.1, func(r *rand.Rand, p *routes.Problem) {
		m, n := p.W.Dims()
		p.W = layers.Conditioned(r, m, n, 1)
	}},
	{"zero gradient", 5, 7, 3, 0.1, func(_ *rand.Rand, p *routes.Problem) { p.Gamma.(*mat.Dense).Zero() }},
	{"batch larger than the layer", 4, 5, 30, 0.02, func(*rand.Rand, *routes.Problem) {}},
	{"every sample twice", 5, 8, 4, 0.1, func(_ *rand.Rand, p *routes.Problem) {
		h, g := p.H.(*mat.Dense), p.Gamma.(*mat.Dense)
		for j := range 2 {
			h.SetCol(j+2, mat.Col(nil, j, h))
			g.SetCol(j+2, mat.Col(nil, j, g))
		}
	}},
	{"fresh square layer", 12, 12, 3, 1, func(r *rand.Rand, p *routes.Problem) {
		p.W = gen.Gaussian(r, 12, 12, 1/math.Sqrt(12))
	}},
}

func degenerateNames() (names []string) {
	for _, d := range degenerate {
		names = append(names, d.name)
	}
	return names
}

// degraded holds the result of a route on a degenerate layer. Without new weights it is a refusal.
type degraded struct {
	Kind, Route string
	W, Gamma, H *mat.Dense
	Rate        float64
	Next        *mat.Dense
	Dropped     float64 // norm of what is left out of the target, as the route says
	Divides     bool    // the route divides by W
	reason      error
}

// drawDegraded lets one of the routes solve a degenerate layer.
func drawDegraded(list ...routes.Solver) func(*props.T) degraded {
	return func(t *props.T) degraded {
		d := rapid.SampledFrom(degenerate).Draw(t.T, "layer")
		if rapid.Bool().Draw(t.T, "transposed") {
			d.m, d.n = d.n, d.m
		}
		route, r := rapid.SampledFrom(list).Draw(t.T, "route"), t.Stream("entries")
		w := layers.Conditioned(r, d.m, d.n, 2)
		w.Scale(2, w)
		p := layers.Batch(r, w, d.batch, 0.3, d.rate)
		d.degrade(r, &p)
		step, err := route.Solve(p)
		out := degraded{Kind: d.name, Route: fmt.Sprintf("%T: %s", route, step.Why), W: p.W, Gamma: p.Gamma.(*mat.Dense),
			H: p.H.(*mat.Dense), Rate: p.Rate, Next: step.W, Dropped: step.Dropped, reason: err}
		switch route.(type) {
		case routes.Factor, routes.Krylov, factorAlone, refuser:
			out.Divides = true
		}
		return out
	}
}

// degenerateDescent is the Gram matrix of gradient descent and the certificate.
var degenerateDescent = props.Drawn[degraded, struct{}]{
	Name:    "degenerate layers",
	Cases:   props.Scale{Quick: 250, Standard: 2000, Deep: 50000},
	Tries:   60,
	Regimes: degenerateNames(),
	Draw:    drawDegraded(append([]routes.Solver{routes.Full{}}, exactRoutes[routes.SGDGram]...)...),
	Judge: func(r *props.Record, d degraded, _ struct{}) {
		r.Regime(d.Kind)
		r.Holds("solved", d.reason == nil)
		if d.reason == nil {
			layers.JudgeDescent(r, d.Next, d.problem())
			layers.JudgeNearest(r, d.Next, d.W)
		}
	},
	Controls: []props.Wrong[degraded, struct{}]{
		{Name: "gradient descent itself, which does not rotate", Criterion: "W₊Wᵀ is its own modulus",
			Draw: drawDegraded(descentAlone{})},
		{Name: "ten Newton–Schulz steps for the polar factor", Criterion: "Gram matrix",
			Draw: drawDegraded(routes.NewtonSchulz{})},
		{Name: "a route that refuses every layer", Criterion: "solved", Draw: drawDegraded(refuser{})},
	},
}

// degenerateShift is the same for the true shift. What is no Gram matrix is repaired as stated, or refused for the
// reason that is there.
var degenerateShift = props.Drawn[degraded, struct{}]{
	Name:    "degenerate layers, true shift",
	Cases:   props.Scale{Quick: 250, Standard: 2000, Deep: 50000},
	Regimes: degenerateNames(),
	Draw: drawDegraded(routes.Full{Target: routes.TrueShift}, routes.Reduced{Target: routes.TrueShift},
		routes.Auto{Target: routes.TrueShift}, routes.Factor{}, routes.Krylov{Target: routes.TrueShift}),
	Judge: judgeShift,
	Controls: []props.Wrong[degraded, struct{}]{
		{Name: "gradient descent's Gram matrix for the true shift", Assumption: "own-target", Criterion: repairedGram,
			Draw: drawDegraded(routes.Polar{})},
		{Name: "gradient descent's Gram matrix for a true shift of zero", Assumption: "own-target",
			Criterion: zeroTarget, As: "gradient descent's Gram matrix for the true shift"},
		{Name: "exponent 0.1, as Algorithm 1 recommends", Criterion: repairedGram,
			Draw: drawDegraded(routes.Full{Target: routes.TrueShift, Exponent: 0.1})},
		{Name: "the closed form's factor, which is not rotated", Criterion: "W₊Wᵀ is its own modulus",
			Draw: drawDegraded(factorAlone{})},
		{Name: "a route that refuses every layer, feasible or not", Criterion: refusedOrSolved,
			Draw: drawDegraded(refuser{})},
		{Name: "nothing said of what was dropped", Criterion: "norm of what is left out",
			Alter: func(d *degraded) { d.Dropped = 0 }},
	},
}

const (
	repairedGram    = "repaired Gram matrix"
	refusedOrSolved = "solved, or refused for a reason that is there"
	zeroTarget      = "target of zero"
)

func (d degraded) problem() routes.Problem {
	return routes.Problem{W: d.W, Gamma: d.Gamma, H: d.H, Rate: d.Rate}
}

// judgeShift judges one route. A target is known to (n+2B)·u of what it adds up, a route multiplies a few times over
// such lengths, and the positive part of a matrix moves no further than the matrix: 4(max(m, n)+B)·u. The closed form
// divides by W, as in vcl/feasibility.
func judgeShift(r *props.Record, d degraded, _ struct{}) {
	r.Regime(d.Kind)
	m, n := d.W.Dims()
	_, batch := d.H.Dims()
	s := theory.LayerStep{W: d.W, Inputs: d.H, PreGrads: d.Gamma, Step: d.Rate, Convention: theory.Sum}
	target, _ := s.Targets()
	noise := 4 * float64(max(m, n)+batch) * r.Unit() * s.Magnitude()
	if d.Divides {
		noise *= math.Pow(layers.Spread(d.W), 2)
	}
	r.Holds(refusedOrSolved, d.reason == nil || d.refusedRightly(target, noise))
	if d.reason != nil {
		return
	}
	near, dropped := theory.NearestGram(layers.Symmetric(target), m)
	size := mat.Norm(target, 2)
	if size == 0 {
		r.ExactlyMatrix(zeroTarget, layers.Gram(d.Next), near)
		return
	}
	r.WithinMatrix(repairedGram, layers.Gram(d.Next), near, noise)
	r.WithinScale("norm of what is left out", d.Dropped, dropped, size, noise)
	layers.JudgeNearest(r, d.Next, d.W)
}

// refusedRightly is whether what a route refuses a layer for is there: for m < n it refuses every layer, otherwise one
// that has lost rank, or a target that has an eigenvalue not above zero.
func (d degraded) refusedRightly(target *mat.Dense, noise float64) bool {
	m, n := d.W.Dims()
	switch {
	case !d.Divides || !refused(d.reason):
		return false
	case errors.Is(d.reason, routes.ErrRankDeficient):
		return layers.Rank(d.W) < n
	}
	return m < n || layers.Eigenvalues(target)[0] <= noise
}

// descentAlone returns the weights of gradient descent: the right Gram matrix, not the nearest.
type descentAlone struct{}

func (descentAlone) Solve(p routes.Problem) (routes.Step, error) {
	return routes.Step{W: layers.Descent(p)}, nil
}

// refuser refuses every layer as one whose target is no Gram matrix.
type refuser struct{}

func (refuser) Solve(routes.Problem) (routes.Step, error) { return routes.Step{}, routes.ErrInfeasible }

// factorAlone returns the closed form's factor of the true shift: the right Gram matrix, not the nearest.
type factorAlone struct{}

func (factorAlone) Solve(p routes.Problem) (routes.Step, error) {
	w, err := routes.ExactFactor(p)
	return routes.Step{W: w}, err
}
