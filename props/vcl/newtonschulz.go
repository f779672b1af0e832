package vcl

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// newtonSchulz pairs the scalar map with the iteration on matrices.
var newtonSchulz = props.Spec{
	Statement: &theory.NewtonSchulz,
	Try: &props.Simulation{
		Params: []statement.Param{{Name: "outputs", Symbol: "m", Meaning: "order of M",
			Domain: statement.IntegerBetween(2, 60), Default: "20"}},
		Run: tryFewSteps,
	},
	Checks: []props.Check{
		props.Drawn[fewSteps, iteration]{
			Name:    "new weights",
			Cases:   props.Scale{Quick: 150, Standard: 1000, Deep: 20000},
			Tries:   150,
			Regimes: layers.Conditions,
			Draw:    drawFewSteps,
			Claim: iteration{start: func(singular []float64) float64 { return floats.Norm(singular, 2) },
				steps: func(k int) int { return k }, of: theory.Quintic},
			Judge: func(r *props.Record, s fewSteps, claim iteration) {
				r.Regime(layers.Condition(s.W, layers.Spread(s.W) > 30))
				r.WithinMatrix("new weights", s.Next, claim.weights(s),
					fewStepsRounding(s.W, s.Steps, r.Unit())*mat.Norm(s.Descent, 2))
			},
			Controls: []props.Wrong[fewSteps, iteration]{
				{Name: "start at M over its spectral norm", Assumption: "frobenius-start",
					Instead: iteration{start: func(singular []float64) float64 { return singular[0] }}},
				{Name: "one step fewer", Assumption: "fixed-steps", Instead: iteration{steps: func(k int) int { return k - 1 }}},
				{Name: "as many steps as a polar factor takes", Assumption: "fixed-steps",
					Instead: iteration{of: func(float64, int) float64 { return 1 }}},
				{Name: "cubic map x(3 − x²)/2", Instead: iteration{of: cubic}},
			},
		},
		props.Grid[int, idleLayer, struct{}]{
			Name:  "without a gradient",
			Cells: props.Scale{Quick: 4, Standard: 20, Deep: 100}.Indices,
			Measure: func(t *props.Trial, _ int) idleLayer {
				return measureIdleLayer(t, routes.NewtonSchulz{}, routes.Polar{}, idleSteps)
			},
			Judge: func(r *props.Record, _ int, l idleLayer, _ struct{}) {
				allowed := fewStepsRounding(l.Weights, 10, r.Unit()) * mat.Norm(l.Weights, 2)
				for k, before := range l.Before {
					r.WithinVector("singular values after a step", l.After[k], afterIdleStep(before), allowed)
				}
				r.WithinMatrix("the polar factor leaves the weights", l.Polar, l.Weights,
					20*32*r.Unit()*mat.Norm(l.Weights, 2))
			},
			Conclude: func(r *props.Record, _ []int, all []idleLayer, _ struct{}) { concludeIdleLayers(r, all) },
			Controls: []props.WrongCell[int, idleLayer, struct{}]{ // one step tells
				{Name: "exact polar factor, which deletes nothing", Criterion: "singular values after a step",
					Measure: func(t *props.Trial, _ int) idleLayer {
						return measureIdleLayer(t, routes.Polar{}, routes.Polar{}, idleSteps[:1])
					}},
				{Reading: "gram-kept", Criterion: "the polar factor leaves the weights",
					Measure: func(t *props.Trial, _ int) idleLayer {
						return measureIdleLayer(t, routes.NewtonSchulz{}, routes.NewtonSchulz{}, idleSteps[:1])
					}},
			},
		},
	},
}.Claim()

// iteration holds the claims about the new weights: the singular values of M, divided by start, mapped steps times.
type iteration struct {
	start func(singular []float64) float64
	steps func(k int) int
	of    func(x float64, steps int) float64
}

// weights are U f^k(Σ/‖M‖_F)Vᵀ·W_s for M = UΣVᵀ.
func (c iteration) weights(s fewSteps) *mat.Dense {
	u, values, v := layers.SVD(algebra.Product(s.W, s.Descent.T()))
	start := c.start(values)
	for i, sigma := range values {
		values[i] = c.of(min(1, sigma/start), c.steps(s.Steps))
	}
	return algebra.Product(u, mat.NewDiagDense(len(values), values), v.T(), s.Descent)
}

// cubic iterates x(3 − x²)/2 the given number of times.
func cubic(x float64, steps int) float64 {
	for range steps {
		x *= (3 - x*x) / 2
	}
	return x
}

// fewSteps is a whitening step with a number of Newton–Schulz steps.
type fewSteps struct {
	W       *mat.Dense `npy:"W"`
	Descent *mat.Dense `npy:"W_s"`
	Next    *mat.Dense `npy:"W_next"`
	Steps   int        `npy:"steps"`
}

// Valid names the violated hypothesis.
func (s fewSteps) Valid() error {
	if s.Steps < 0 || mat.Norm(algebra.Product(s.W, s.Descent.T()), 2) == 0 {
		return errors.New("WW_sᵀ vanishes, or the number of steps is negative")
	}
	return nil
}

func drawFewSteps(t *props.T) fewSteps {
	m, n := layers.Dims(t, 12)
	kappa, size := gen.LogUniform(t.T, "condition", 1, 1e4), gen.LogUniform(t.T, "size", 1e-2, 1e2)
	r := t.Stream("entries")
	w := layers.Conditioned(r, m, n, kappa)
	w.Scale(size, w)
	p := layers.Batch(r, w, gen.Dim(t.T, "B", 6), 1, 0)
	if rapid.Bool().Draw(t.T, "gradient") {
		p.Rate = size * gen.LogUniform(t.T, "γ", 1e-3, 1)
	}
	steps := gen.Dim(t.T, "k", 20)
	return fewSteps{w, layers.Descent(p), layers.Next(routes.NewtonSchulz{Steps: steps}, p), steps}
}

// fewStepsRounding is (15/8)^k·(20(m+n) + 10m√m)·u.
func fewStepsRounding(w *mat.Dense, steps int, unit float64) float64 {
	m, n := w.Dims()
	return theory.QuinticGrowth(steps) * (20*float64(m+n) + 10*math.Pow(float64(m), 1.5)) * unit
}

// idleSteps are the numbers of steps after which a layer is looked at.
var idleSteps = []int{0, 1, 4, 16, 64}

// idleLayer is a square layer along steps with a zero gradient.
type idleLayer struct {
	Weights, Polar *mat.Dense  // at first, and after a step with the exact polar factor
	Before, After  [][]float64 // singular values, descending, after [idleSteps] and after one step more
}

// measureIdleLayer follows a layer at its usual initialisation, uniform on ±1/√n, and looks at it after the given
// numbers of steps.
func measureIdleLayer(t *props.Trial, solver, exact routes.Solver, looks []int) idleLayer {
	const n = 32
	w := mat.NewDense(n, n, nil)
	w.Apply(func(_, _ int, _ float64) float64 { return (2*t.Rand.Float64() - 1) / math.Sqrt(n) }, w)
	idle := layers.Batch(t.Rand, w, 1, 0, 1)
	l := idleLayer{Weights: w, Polar: layers.Next(exact, idle)}
	for k := range looks[len(looks)-1] + 1 {
		next := layers.Next(solver, idle)
		if slices.Contains(looks, k) {
			_, before, _ := layers.SVD(idle.W)
			_, after, _ := layers.SVD(next)
			l.Before, l.After = append(l.Before, before), append(l.After, after)
		}
		idle.W = next
	}
	return l
}

// afterIdleStep returns the singular values of W after ten steps, descending.
func afterIdleStep(values []float64) []float64 {
	norm := 0.0
	for _, s := range values {
		norm = math.Hypot(norm, s*s)
	}
	out := list.Map(values, func(s float64) float64 { return s * theory.Quintic(min(1, s*s/norm), 10) })
	slices.SortFunc(out, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
	return out
}

// concludeIdleLayers shows what becomes of the layers. Controls follow them for one step only, and show nothing.
func concludeIdleLayers(r *props.Record, all []idleLayer) {
	if len(all[0].Before) < len(idleSteps) {
		return
	}
	lost, count := 0.0, 0.0
	for _, l := range all {
		for i, last := range l.Before[len(idleSteps)-1] {
			if count++; last < 0.01*l.Before[0][i] {
				lost++
			}
		}
	}
	r.Largest("share of the singular values below a hundredth of their start after 64 idle steps", lost/count)
	figure := props.Figure{
		ID:    "idle",
		Title: "A square layer without a gradient",
		Caption: "Singular values of a 32×32 layer at its usual initialisation after 0, 1, 4, 16 and 64 steps with a " +
			"zero gradient, on a logarithmic axis cut off at 10⁻¹²: ten Newton–Schulz steps delete the small ones " +
			"although nothing is learnt.",
		X: props.Axis{Label: "number"}, Y: props.Axis{Label: "singular value", Log: true},
	}
	for k, steps := range idleSteps {
		c := props.Curve{Name: fmt.Sprintf("%d steps", steps), Style: props.Points}
		for i, s := range all[0].Before[k] {
			c.Add(float64(i+1), max(s, 1e-12))
		}
		figure.Curves = append(figure.Curves, c)
	}
	r.Figure(figure)
}

// tryFewSteps runs the iteration on a random M with one singular value of the given share, the others being equal.
func tryFewSteps(t *props.Trial, v statement.Values) (map[string]float64, error) {
	m, share, steps := v.Int("outputs"), v.Float("share"), v.Int("steps")
	values := list.Fill(m, func(int) float64 { return math.Sqrt((1 - share*share) / float64(m-1)) })
	values[0] = share
	u, w := gen.Orthonormal(t.Rand, m, m), gen.Orthonormal(t.Rand, m, m)
	x := algebra.Product(u, mat.NewDiagDense(m, values), w.T())
	if steps > 0 { // with W_s = I the new weights are X
		x = layers.Next(routes.NewtonSchulz{Steps: steps}, layers.Towards(x, dense.Identity(m)))
	}
	return map[string]float64{"reached": mat.Inner(u.ColView(0), x, w.ColView(0))}, nil
}
