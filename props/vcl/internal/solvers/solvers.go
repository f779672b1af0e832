// Package solvers checks the claim vcl/solvers.
package solvers

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/list"
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
			Tries:   20,
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
							start = algebra.Product(w, w.T())
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

// sizes holds the sizes of a layer and its batch.
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

// factored is the route of a layer in two factors, the first an orthogonal matrix without any relation to the problem.
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
	return &routes.WarmStart{Gram: algebra.Product(w, w.T())}
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

// layer is a layer to be solved in Krylov spaces, by the condition of WWᵀ.
type layer struct{ Kappa, Index int }

// regime names the condition.
func (l layer) regime() string { return fmt.Sprintf("κ(WWᵀ) = %d", l.Kappa) }

var kappas = []int{2, 6, 20, 60}

// solved is one layer solved in spaces of 1, 2, … blocks.
type solved struct {
	W, Target mat.Dense
	Next      []mat.Dense // by the number of blocks
	Shortest  float64     // the least squared distance
}

// growingSpaces is the rotation in growing Krylov spaces: exact Gram matrix, and a distance that falls to the least
// one.
var growingSpaces = props.Grid[layer, solved, excess]{
	Name: "rotations in growing Krylov spaces",
	Cells: func(e props.Effort) []layer {
		return list.Cross(props.Scale{Quick: 2, Standard: 5, Deep: 15}.Indices(e), kappas,
			func(i, kappa int) layer { return layer{kappa, i} })
	},
	Regimes: []string{layer{Kappa: 2}.regime(), layer{Kappa: 6}.regime(), layer{Kappa: 20}.regime(),
		layer{Kappa: 60}.regime()},
	Measure: measureSpaces,
	Claim:   theory.Gap,
	Judge: func(r *props.Record, l layer, s solved, gap excess) {
		r.Regime(l.regime())
		m, n := s.W.Dims()
		rounding, before := float64(64*(m+n))*roundoff.Unit*math.Pow(mat.Norm(&s.W, 2), 2), math.Inf(1)
		for j := range s.Next {
			next := &s.Next[j]
			layers.JudgeGram(r, next, &s.Target)
			squared := layers.SquaredDistance(next, &s.W)
			r.AtLeast("no less than the least distance", squared, s.Shortest, rounding)
			r.Within("excess by the nuclear norm", squared-s.Shortest, gap(next, &s.W), rounding)
			if j > 0 {
				r.AtMost("no more than with a block less", squared, before, rounding)
			}
			before = squared
		}
		r.Within("least distance when exhausted", before, s.Shortest, rounding)
	},
	Conclude: func(r *props.Record, cells []layer, all []solved, _ excess) { r.Figure(figure(cells, all)) },
	Controls: []props.WrongCell[layer, solved, excess]{
		{Name: "half of the Krylov space for all of it", Assumption: "whole-space",
			Criterion: "least distance when exhausted",
			Alter:     func(_ layer, s *solved) { s.Next = s.Next[:6] }},
		{Name: "steps that are a millionth too long", Criterion: "Gram matrix",
			Alter: func(_ layer, s *solved) {
				s.each(func(next *mat.Dense) { next.Scale(1+1e-6, next) })
			}},
		{Name: "steps that are a hundredth too short", Criterion: "no less than the least distance",
			Alter: func(_ layer, s *solved) {
				s.each(func(next *mat.Dense) { // on the way from W to the new weights
					next.Sub(next, &s.W)
					next.Scale(0.99, next)
					next.Add(next, &s.W)
				})
			}},
		{Name: "half of the excess", Criterion: "excess by the nuclear norm",
			Instead: func(next, w *mat.Dense) float64 { return theory.Gap(next, w) / 2 }},
		{Name: "spaces in the wrong order", Criterion: "no more than with a block less",
			Alter: func(_ layer, s *solved) {
				s.each(func(*mat.Dense) {})
				slices.Reverse(s.Next)
			}},
	},
}

// excess gives the claimed squared distance of new weights, beyond the least one.
type excess func(next, w *mat.Dense) float64

// each changes copies of the new weights.
func (s *solved) each(change func(next *mat.Dense)) {
	list := make([]mat.Dense, len(s.Next))
	for i := range list {
		list[i].CloneFrom(&s.Next[i])
		change(&list[i])
	}
	s.Next = list
}

// measureSpaces solves one 24×32 layer, with singular values spread evenly on a logarithmic scale, for a batch of one.
// Twelve blocks exhaust the space.
func measureSpaces(t *props.Trial, l layer) solved {
	const m, n = 24, 32
	p := layers.Batch(t.Rand, layers.Conditioned(t.Rand, m, n, math.Sqrt(float64(l.Kappa))), 1, 0.3, 0.1)
	s := solved{W: *p.W, Target: *routes.SGDGram.Gram(p),
		Shortest: layers.SquaredDistance(layers.Next(routes.Full{}, p), p.W)}
	for j := range m / 2 {
		s.Next = append(s.Next, *layers.Next(routes.Krylov{Blocks: j + 1}, p))
	}
	return s
}

// figure shows the measured excess and the rate of conjugate gradients from its first value, for one layer of each
// condition.
func figure(cells []layer, all []solved) props.Figure {
	var curves []props.Curve
	for i, s := range all[:len(kappas)] {
		root := math.Sqrt((1 + float64(cells[i].Kappa)) / 2) // √κ̂ with κ̂ = (λmax + λmin)/(2λmin)
		rate := math.Pow((root-1)/(root+1), 2)
		measured := props.Curve{Name: fmt.Sprintf("condition %d", cells[i].Kappa), Style: props.Points}
		predicted := props.Curve{Name: fmt.Sprintf("rate for %d", cells[i].Kappa), Style: props.Dashed}
		for j := range s.Next {
			excess := layers.SquaredDistance(&s.Next[j], &s.W)/s.Shortest - 1
			measured.Add(float64(j+1), max(excess, 1e-16))
			predicted.Add(float64(j+1), max(measured.Y[0]*math.Pow(rate, float64(j)), 1e-16))
		}
		curves = append(curves, measured, predicted)
	}
	return props.Figure{
		ID:    "krylov",
		Title: "Excess distance in growing Krylov spaces",
		Caption: "Excess of the squared distance over its minimum against the number of blocks, for 24×32 layers of " +
			"four conditions and one sample, on a logarithmic axis cut off at 10⁻¹⁶: it falls at the rate of " +
			"conjugate gradients (dashed), while the Gram matrix is exact throughout.",
		X: props.Axis{Label: "blocks"}, Y: props.Axis{Label: "relative excess of ‖W₊ − W‖²", Log: true}, Curves: curves,
	}
}
