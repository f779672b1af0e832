// Package solvers checks the claim vcl/solvers.
package solvers

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/dense"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/layers"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// Claim pairs all routes with the paper's, on ordinary and on degenerate layers.
var Claim = props.Spec{
	Statement: &theory.Solvers,
	Checks: []props.Check{
		props.Instances[twoRoutes]{
			Name:    "agreement with the paper's route",
			Cases:   props.Scale{Quick: 200, Standard: 1500, Deep: 50000},
			Regimes: layers.Conditions,
			Draw:    drawRoutes,
			Judge: func(r *props.Record, s twoRoutes, _ string) {
				r.Regime(layers.Condition(s.W, layers.Spread(s.W) > 10))
				judgeRoutes(r, s)
			},
			Controls: []props.Control{
				{Name: "one block of a Krylov space as an exact route", Assumption: "whole-space", Done: "one block"},
				{Name: "the true shift for the Gram matrix of gradient descent", Assumption: "own-target",
					Done: "another target"},
			},
		},
		everyRoute,
		degenerateDescent,
		degenerateShift,
		growingSpaces,
		props.Sweep[int, carried]{
			Name:    "WWᵀ carried along",
			Cells:   props.Scale{Quick: 4, Standard: 12, Deep: 200}.Indices,
			Measure: func(t *props.Trial, _ int, done string) carried { return carry(t.Rand, done) },
			Judge: func(r *props.Record, _ int, c carried, _ string) {
				r.WithinMatrix("WWᵀ after 60 steps", &c.Carried, &c.Formed, c.Rounding)
			},
			Controls: []props.Control{
				{Name: "the memory of another layer", Assumption: "own-memory", Done: "another layer"},
				{Name: "memory that is never advanced", Assumption: "own-memory", Done: "never advanced"},
			},
		},
	},
}.Claim()

// exactRoutes are the routes that must agree with routes.Full, by target.
var exactRoutes = map[routes.Target][]routes.Solver{
	routes.SGDGram: {routes.Polar{}, routes.Reduced{}, routes.Krylov{}, routes.Auto{}, factored{}},
	routes.TrueShift: {routes.Reduced{Target: routes.TrueShift}, routes.Factor{},
		routes.Auto{Target: routes.TrueShift}},
}

// twoRoutes are new weights by the paper's route and by another one.
type twoRoutes struct {
	W     *mat.Dense `npy:"W"`
	Paper *mat.Dense `npy:"W_paper"`
	Next  *mat.Dense `npy:"W_next"`
}

// Valid names the violated hypothesis.
func (s twoRoutes) Valid() error {
	if !layers.Unique(s.W, s.Paper) {
		return errors.New("WW₊ᵀ has a lower rank than W₊: the step is not unique")
	}
	return nil
}

func drawRoutes(t *props.T, done string) twoRoutes {
	m, n := layers.Dims(t, 10)
	batch, target := gen.Dim(t.T, "B", 6), rapid.SampledFrom([]routes.Target{routes.SGDGram,
		routes.TrueShift}).Draw(t.T, "target")
	if done != "" {
		target = routes.SGDGram
	}
	route := rapid.SampledFrom(exactRoutes[target]).Draw(t.T, "route")
	switch done {
	case "one block":
		m, batch, route = m+6, 1, routes.Krylov{Blocks: 1}
	case "another target":
		route = routes.Reduced{Target: routes.TrueShift}
	}
	r := t.Stream("entries")
	spread := gen.LogUniform(t.T, "condition", 1, rapid.SampledFrom([]float64{10, 1e3}).Draw(t.T, "at most"))
	rate := gen.LogUniform(t.T, "γ", 1e-3, 0.1)
	return takeRoutes(r, m, n, batch, spread, rate, target, route)
}

// factored is the route of a layer in two factors, of which the first is an orthogonal matrix without any relation to
// the problem.
type factored struct{}

// Solve implements [routes.Solver].
func (factored) Solve(p routes.Problem) (routes.Step, error) {
	m, _ := p.W.Dims()
	r := gen.Orthonormal(streams.New(1, "vcl/solvers", "factored"), m, m)
	layer, next := routes.NewFactored(dense.Mul(r.T(), p.W)), new(routes.Factored)
	u, step, err := layer.StepInto(next, p.Rate, dense.Mul(r.T(), p.Gamma), p.H, dense.Mul(layer.F, p.H))
	if err == nil {
		step.W = dense.Mul(dense.Mul(r, u), step.W)
	}
	return step, err
}

// carried is WWᵀ after some steps, carried along and formed anew.
type carried struct {
	Carried, Formed mat.Dense
	Rounding        float64
}

// carry takes 60 steps of one 6×20 layer on changing batches. Every step multiplies and rotates once: 16·(m+n)·u‖W‖²
// each.
func carry(r *rand.Rand, done string) carried {
	const m, n, batch, count = 6, 20, 3, 60
	layer := func() *mat.Dense { return layers.Conditioned(r, m, n, 2) }
	p := layers.Batch(r, layer(), batch, 0.3, 0.02)
	kept, advanced := &routes.WarmStart{Gram: layers.Product(p.W, p.W.T())}, true
	switch done {
	case "another layer":
		other := layer()
		kept.Gram.Mul(other, other.T())
	case "never advanced":
		advanced = false
	}
	c := carried{}
	for range count {
		route := routes.Polar{}
		if advanced {
			route.WarmStart = kept
		}
		p.W = layers.Next(route, p)
		c.Rounding += 16 * (m + n) * roundoff.Unit * math.Pow(mat.Norm(p.W, 2), 2)
		p = layers.Batch(r, p.W, batch, 0.3, p.Rate)
	}
	c.Carried.CloneFrom(kept.Gram)
	c.Formed.Mul(p.W, p.W.T())
	return c
}

// refused is whether an error is one of the reasons for which a route may refuse a true shift.
func refused(err error) bool {
	return errors.Is(err, routes.ErrInfeasible) || errors.Is(err, routes.ErrRankDeficient)
}
