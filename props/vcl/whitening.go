package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// whitening pairs the two targets of the solvers with each other.
var whitening = props.Spec{
	Statement: &theory.Whitening,
	Checks: []props.Check{
		props.Drawn[targets, apart]{
			Name:    "difference of the targets",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Tries:   12,
			Regimes: layers.Shapes,
			Draw:    drawTargets,
			Claim:   targets.lessResidual,
			Judge: func(r *props.Record, t targets, claim apart) {
				r.Regime(layers.Shape(t.W))
				m, _ := t.W.Dims()
				_, batch := t.H.Dims()
				r.WithinMatrix("G − G′", t.difference(), claim(t),
					float64(2*(m+batch)+12)*r.Unit()*t.step().Magnitude())
			},
			Controls: []props.Wrong[targets, apart]{
				{Name: "residual with the opposite sign", Instead: targets.residual},
				{Name: "targets of two batches", Assumption: "same-batch", Draw: func(t *props.T) targets {
					p, other := drawStep(t, 1)
					out := newTargets(p)
					out.Descent = routes.SGDGram.Gram(other)
					return out
				}},
				{Name: "whitening at twice the step", Assumption: "same-batch", Draw: func(t *props.T) targets {
					p, _ := drawStep(t, 1)
					out := newTargets(p)
					p.Rate *= 2
					out.Descent = routes.SGDGram.Gram(p)
					return out
				}},
			},
		},
		props.Drawn[targets, apart]{
			Name:    "difference of the targets on integers",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Regimes: layers.Shapes,
			Claim:   targets.lessResidual,
			Draw: func(t *props.T) targets {
				m, n := layers.Dims(t, 5)
				batch, r := gen.Dim(t.T, "B", 4), t.Stream("entries")
				return newTargets(routes.Problem{W: gen.Integers(r, m, n, 4), H: gen.Integers(r, n, batch, 4),
					Gamma: gen.Integers(r, m, batch, 4),
					Rate:  float64(rapid.IntRange(1, 3).Draw(t.T, "γ"))})
			},
			Judge: func(r *props.Record, t targets, claim apart) {
				r.Regime(layers.Shape(t.W))
				r.ExactlyMatrix("G − G′", t.difference(), claim(t))
			},
			Controls: []props.Wrong[targets, apart]{{Name: "residual with the opposite sign, on integers",
				Instead: targets.residual}},
		},
		props.Drawn[whitened, struct{}]{
			Name:    "nearest weights with the Gram matrix of gradient descent",
			Cases:   props.Scale{Quick: 150, Standard: 1500, Deep: 50000},
			Tries:   16,
			Regimes: layers.Shapes,
			Draw: func(t *props.T) whitened {
				return drawWhitened(t, func(p routes.Problem) *mat.Dense { return layers.Next(routes.Auto{}, p) })
			},
			Judge: func(r *props.Record, s whitened, _ struct{}) {
				r.Regime(layers.Shape(s.W))
				layers.JudgeDescent(r, s.Next, routes.Problem{W: s.W, Gamma: s.Gamma, H: s.H, Rate: s.Rate})
				layers.JudgeNearest(r, s.Next, s.W)
			},
			Controls: []props.Wrong[whitened, struct{}]{
				{Name: "the step towards the true shift", Criterion: "Gram matrix",
					Draw: func(t *props.T) whitened { return drawWhitened(t, towardsTrueShift) }},
				{Name: "gradient descent itself", Assumption: "both-nearest", Criterion: "W₊Wᵀ is its own modulus",
					Draw: func(t *props.T) whitened { return drawWhitened(t, layers.Descent) }},
			},
		},
		props.Grid[layers.Cell, layers.Halvings, layers.Orders]{
			Name:    "order of the distance",
			Cells:   layers.Cells(props.Scale{Quick: 6, Standard: 16, Deep: 200}),
			Tries:   36,
			Regimes: layers.Conditions,
			// of 3000 layers of a regime at most 12 are, where the second order is small against rounding
			Declined: layers.MayDecline(0.01),
			Measure:  targetsWith(func(*whiteningStep) {}),
			Claim:    layers.Stated,
			Judge: func(r *props.Record, c layers.Cell, h layers.Halvings, o layers.Orders) {
				r.Regime(c.Regime)
				h.Judge(r, o)
			},
			Conclude: func(r *props.Record, _ []layers.Cell, all []layers.Halvings, _ layers.Orders) {
				r.Figure(figureOfTargets(all[0]))
			},
			Controls: append(layers.WrongOrders[layers.Cell, layers.Halvings](
				func(o *layers.Orders) *layers.Orders { return o }),
				[]props.WrongCell[layers.Cell, layers.Halvings, layers.Orders]{
					{Name: "order of the distance to another batch", Assumption: "same-batch",
						Criterion: layers.AnotherOrder, Measure: targetsWith(func(s *whiteningStep) {
							s.batch = func(_, other routes.Problem) routes.Problem { return other }
						})},
					{Name: "order of the distance at twice the step", Assumption: "same-batch",
						Criterion: layers.AnotherOrder, Measure: targetsWith(func(s *whiteningStep) {
							s.rate = func(rate float64) float64 { return 2 * rate }
						})},
					{Name: "gradient descent for whitening: the same Gram matrix, not the nearest",
						Assumption: "both-nearest", Criterion: layers.AnotherOrder,
						Measure: targetsWith(func(s *whiteningStep) { s.next = layers.Descent })},
					{Name: "weights that have lost a direction", Assumption: "full-rank",
						Measure: targetsWith(func(s *whiteningStep) { s.weights = loseDirection })},
				}...),
		},
	},
	Try: &props.Simulation{Run: simulateOneWeight},
}.Claim()

// apart is the difference of the two targets.
type apart func(targets) *mat.Dense

// targets are the two targets of one step.
type targets struct {
	W       *mat.Dense `npy:"W"`
	H       *mat.Dense `npy:"H"`
	Gamma   *mat.Dense `npy:"Gamma"`
	Rate    float64    `npy:"step"`
	Shift   *mat.Dense `npy:"G"`
	Descent *mat.Dense `npy:"G_descent"`
}

func newTargets(p routes.Problem) targets {
	return targets{p.W, p.H.(*mat.Dense), p.Gamma.(*mat.Dense), p.Rate, routes.TrueShift.Gram(p),
		routes.SGDGram.Gram(p)}
}

func (t targets) difference() *mat.Dense {
	return algebra.Difference(t.Shift, t.Descent)
}

func (t targets) step() theory.LayerStep {
	return theory.LayerStep{W: t.W, Inputs: t.H, PreGrads: t.Gamma, Step: t.Rate, Convention: theory.Sum}
}

func (t targets) residual() *mat.Dense { return t.step().Residual() }

// lessResidual is −R.
func (t targets) lessResidual() *mat.Dense { return algebra.Scaled(-1, t.residual()) }

// drawStep draws a step of a layer of any size, and another batch for a wrong version.
func drawStep(t *props.T, limit float64) (p, other routes.Problem) {
	m, n := layers.Dims(t, 10)
	r, batch, size := t.Stream("entries"), gen.Dim(t.T, "B", 12), gen.LogUniform(t.T, "size", 0.1, 10)
	rate := gen.LogUniform(t.T, "γ", 1e-3, limit)
	w := gen.Gaussian(r, m, n, 1)
	return layers.Batch(r, w, batch, size, rate), layers.Batch(r, w, batch, size, rate)
}

func drawTargets(t *props.T) targets {
	p, _ := drawStep(t, 1)
	return newTargets(p)
}

// whitened is one whitening step.
type whitened struct {
	W     *mat.Dense `npy:"W"`
	H     *mat.Dense `npy:"H"`
	Gamma *mat.Dense `npy:"Gamma"`
	Rate  float64    `npy:"step"`
	Next  *mat.Dense `npy:"W_next"`
}

func drawWhitened(t *props.T, next func(routes.Problem) *mat.Dense) whitened {
	p, _ := drawStep(t, 10)
	return whitened{W: p.W, H: p.H.(*mat.Dense), Gamma: p.Gamma.(*mat.Dense), Rate: p.Rate, Next: next(p)}
}

func towardsTrueShift(p routes.Problem) *mat.Dense {
	return layers.Next(routes.Full{Target: routes.TrueShift}, p)
}

// whiteningStep is how the whitened step of a layer comes about.
type whiteningStep struct {
	weights func(w *mat.Dense) // changes them
	batch   func(own, other routes.Problem) routes.Problem
	rate    func(float64) float64
	next    func(routes.Problem) *mat.Dense
}

// targetsWith measures both steps, the whitened one changed in some way.
func targetsWith(change func(*whiteningStep)) func(*props.Trial, layers.Cell) layers.Halvings {
	s := whiteningStep{weights: func(*mat.Dense) {}, batch: func(own, _ routes.Problem) routes.Problem { return own },
		rate: func(rate float64) float64 { return rate },
		next: func(p routes.Problem) *mat.Dense { return layers.Next(routes.Polar{}, p) }}
	change(&s)
	return func(t *props.Trial, c layers.Cell) layers.Halvings { return halveTargets(t, c, s) }
}

// halveTargets solves both problems of one layer along halved steps. Their difference has at most the terms of both.
func halveTargets(t *props.Trial, c layers.Cell, s whiteningStep) layers.Halvings {
	w := c.Draw(t.Rand)
	spread, smallest := layers.Spread(w), layers.SmallestValue(w)
	p, other := layers.Batch(t.Rand, w, 3, 1, 0), layers.Batch(t.Rand, w, 3, 1, 0)
	m, n := w.Dims()
	rate := max(mat.Norm(algebra.Product(p.Gamma, p.H.T()), 2), mat.Norm(algebra.Product(w.T(), p.Gamma), 2))
	s.weights(w)
	reach := layers.Reach{Size: smallest, Rate: rate, Rest: layers.Descended + layers.Shifted, Moved: layers.Descended}
	return layers.Halve(reach, float64(8*(m+n))*roundoff.Unit*spread*spread*mat.Norm(w, 2),
		func(rate float64) (rest, moved *mat.Dense) {
			q := s.batch(p, other)
			p.Rate, q.Rate = rate, s.rate(rate)
			white := s.next(q)
			return algebra.Difference(towardsTrueShift(p), white), algebra.Difference(white, w)
		})
}

func figureOfTargets(h layers.Halvings) props.Figure {
	return props.Figure{
		ID:    "apart",
		Title: "The two targets of one layer",
		Caption: "For one layer on logarithmic axes: the whitened step falls with slope 1 in the step size, its " +
			"distance from the step towards the true shift with slope 2.",
		X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "Frobenius norm", Log: true},
		Curves: []props.Curve{
			{Name: "‖W₊ − W‖, whitening", Style: props.Points, X: h.Moved.Steps, Y: h.Moved.Norms},
			{Name: "distance of both solutions", Style: props.Points, X: h.Rest.Steps, Y: h.Rest.Norms},
		},
	}
}

// simulateOneWeight solves both problems for one weight.
func simulateOneWeight(t *props.Trial, v statement.Values) (map[string]float64, error) {
	one := func(name string) *mat.Dense { return mat.NewDense(1, 1, []float64{v.Float(name)}) }
	p := routes.Problem{W: one("weight"), H: one("input"), Gamma: one("g"), Rate: v.Float("step")}
	shifted, err := routes.Full{Target: routes.TrueShift}.Solve(p)
	t.Refuse(err)
	white := layers.Next(routes.Polar{}, p)
	return map[string]float64{
		"residual": routes.SGDGram.Gram(p).At(0, 0) - routes.TrueShift.Gram(p).At(0, 0),
		"apart":    math.Abs(shifted.W.At(0, 0) - white.At(0, 0)),
	}, nil
}
