// Package solvers checks the claim vcl/solvers.
package solvers

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// Claim pairs all routes with the paper's, on ordinary and on degenerate layers.
var Claim = props.Spec{
	Statement: &theory.Solvers,
	Checks: []props.Check{
		props.Drawn[twoRoutes, struct{}]{
			Name:    "agreement with the paper's route",
			Cases:   props.Scale{Quick: 200, Standard: 1500, Deep: 50000},
			Regimes: layers.Conditions,
			Draw:    drawRoutes,
			Judge: func(r *props.Record, s twoRoutes, _ struct{}) {
				r.Regime(layers.Condition(s.W, layers.Spread(s.W) > 10))
				judgeRoutes(r, s)
			},
			Controls: []props.Wrong[twoRoutes, struct{}]{
				{Name: "one block of a Krylov space as an exact route", Assumption: "whole-space",
					Draw: func(t *props.T) twoRoutes {
						s := drawSizes(t)
						s.m, s.batch = s.m+6, 1
						return s.take(t, routes.SGDGram, routes.Krylov{Blocks: 1})
					}},
				{Name: "the true shift for the Gram matrix of gradient descent", Assumption: "own-target",
					Draw: func(t *props.T) twoRoutes {
						return drawSizes(t).take(t, routes.SGDGram, routes.Reduced{Target: routes.TrueShift})
					}},
			},
		},
		everyRoute,
		degenerateDescent,
		degenerateShift,
		growingSpaces,
		props.Grid[int, carried, struct{}]{
			Name:    "WWᵀ carried along",
			Cells:   props.Scale{Quick: 4, Standard: 12, Deep: 200}.Indices,
			Measure: func(t *props.Trial, _ int) carried { return carry(t.Rand, ownMemory) },
			Judge: func(r *props.Record, _ int, c carried, _ struct{}) {
				r.WithinMatrix("WWᵀ after 60 steps", &c.Carried, &c.Formed, c.Rounding)
			},
			Controls: []props.WrongCell[int, carried, struct{}]{
				{Name: "the memory of another layer", Assumption: "own-memory",
					Measure: func(t *props.Trial, _ int) carried {
						return carry(t.Rand, func(*mat.Dense) *routes.WarmStart { return ownMemory(drawLayer(t.Rand)) })
					}},
				{Name: "memory that is never advanced", Assumption: "own-memory",
					Measure: func(t *props.Trial, _ int) carried {
						var start *mat.Dense
						c := carry(t.Rand, func(w *mat.Dense) *routes.WarmStart {
							start = layers.Product(w, w.T())
							return ownMemory(w)
						})
						c.Carried.CloneFrom(start)
						return c
					}},
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

// sizes are those of a layer and its batch.
type sizes struct{ m, n, batch int }

func drawSizes(t *props.T) sizes {
	m, n := layers.Dims(t, 10)
	return sizes{m, n, gen.Dim(t.T, "B", 6)}
}

func drawRoutes(t *props.T) twoRoutes {
	s := drawSizes(t)
	target := rapid.SampledFrom([]routes.Target{routes.SGDGram, routes.TrueShift}).Draw(t.T, "target")
	return s.take(t, target, rapid.SampledFrom(exactRoutes[target]).Draw(t.T, "route"))
}

// take draws a layer and takes the paper's route and another one.
func (s sizes) take(t *props.T, target routes.Target, route routes.Solver) twoRoutes {
	r := t.Stream("entries")
	spread := gen.LogUniform(t.T, "condition", 1, rapid.SampledFrom([]float64{10, 1e3}).Draw(t.T, "at most"))
	rate := gen.LogUniform(t.T, "γ", 1e-3, 0.1)
	return takeRoutes(r, s.m, s.n, s.batch, spread, rate, target, route)
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

// WWᵀ is carried along for a layer of 6×20 in steps on batches of three.
const (
	rows, columns, samples = 6, 20, 3
	steps                  = 60
)

func drawLayer(r *rand.Rand) *mat.Dense { return layers.Conditioned(r, rows, columns, 2) }

// ownMemory remembers WWᵀ.
func ownMemory(w *mat.Dense) *routes.WarmStart {
	return &routes.WarmStart{Gram: layers.Product(w, w.T())}
}

// carry takes steps of one layer on changing batches with what remember makes of the first weights. Every step
// multiplies and rotates once: 16·(m+n)·u‖W‖² each.
func carry(r *rand.Rand, remember func(w *mat.Dense) *routes.WarmStart) carried {
	p := layers.Batch(r, drawLayer(r), samples, 0.3, 0.02)
	kept, c := remember(p.W), carried{}
	for range steps {
		p.W = layers.Next(routes.Polar{WarmStart: kept}, p)
		c.Rounding += 16 * (rows + columns) * roundoff.Unit * math.Pow(mat.Norm(p.W, 2), 2)
		p = layers.Batch(r, p.W, samples, 0.3, p.Rate)
	}
	c.Carried.CloneFrom(kept.Gram)
	c.Formed.Mul(p.W, p.W.T())
	return c
}

// refused is whether an error is one of the reasons for which a route may refuse a true shift.
func refused(err error) bool {
	return errors.Is(err, routes.ErrInfeasible) || errors.Is(err, routes.ErrRankDeficient)
}
