package linear

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/linear"
)

// modes trains aligned networks by backpropagation and compares their singular modes with the closed forms.
var modes = props.Spec{
	Statement: &theory.Modes,
	Try:       &props.Simulation{Run: tryModes},
	Along: &props.Along{Param: "time", From: 0, To: 8, Of: []string{"strength"}, Y: "strength of the mode",
		Places: 17, Reps: 1,
		Each: &props.ParamSweep{Name: "target", Values: []string{"0.5", "1.5", "3"}}},
	Checks: []props.Check{
		props.Drawn[alignedStep, func(theory.AlignedStep) []float64]{
			Name:    "step of an aligned network",
			Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 100000},
			Tries:   28,
			Regimes: []string{"floats", "integers"},
			Draw:    func(t *props.T) alignedStep { return drawAligned(t, alignedPractice{act: nn.Identity}) },
			Claim:   theory.AlignedStep.Next,
			Judge: func(r *props.Record, s alignedStep, claim func(theory.AlignedStep) []float64) {
				r.RegimeOf(s.integers)
				if want := s.next(claim); s.integers {
					r.ExactlyMatrix("end-to-end matrix, on integers", s.Next, want)
				} else {
					r.WithinMatrix("end-to-end matrix", s.Next, want, s.rounding(r.Unit()))
				}
			},
			Proven: map[string]string{"end-to-end matrix": "every rounding of both sides is counted"},
			Controls: []props.Wrong[alignedStep, func(theory.AlignedStep) []float64]{
				{Name: "ReLU between the layers", Assumption: "linear",
					Draw: func(t *props.T) alignedStep { return drawAligned(t, alignedPractice{act: nn.ReLU}) }},
				{Name: "inputs with a covariance", Assumption: "white",
					Draw: func(t *props.T) alignedStep { return drawAligned(t, alignedPractice{act: nn.Identity, coloured: true}) }},
				{Name: "first layer out of line by a thousandth", Assumption: "aligned", Criterion: "end-to-end matrix",
					Draw: func(t *props.T) alignedStep { return drawAligned(t, alignedPractice{act: nn.Identity, tilt: 1e-3}) }},
				{Name: "gradients of a loss without ½", Instead: func(s theory.AlignedStep) []float64 {
					s.Step *= 2
					return s.Next()
				}},
			},
		},
		props.Grid[modesCell, trained, modesClaim]{
			Name: "flow and descent",
			Cells: func(e props.Effort) (cells []modesCell) {
				for _, i := range (props.Scale{Quick: 2, Standard: 8, Deep: 200}).Indices(e) {
					cells = append(cells, modesCell{1, i}, modesCell{2, i}, modesCell{3, i}, modesCell{5, i})
				}
				return cells
			},
			Regimes: []string{"all modes", "mode grows", "mode shrinks", "no target"},
			Measure: func(t *props.Trial, c modesCell) trained { return c.train(t, 1, 0) },
			Claim:   modesClaim{at: theory.Mode.At, order: 1},
			Judge:   judgeModes,
			Controls: []props.WrongCell[modesCell, trained, modesClaim]{
				{Name: "layers unbalanced by a hundredth", Assumption: "balanced", Criterion: "strength along the flow",
					Measure: func(t *props.Trial, c modesCell) trained { return c.train(t, 1.01, 0) }, On: firstProblem},
				{Name: "flow from out of line", Criterion: "outside of the modes",
					Measure: func(t *props.Trial, c modesCell) trained { return c.train(t, 1, 1e-3) }, On: firstProblem},
				{Name: "rate of a single layer", Criterion: "strength along the flow",
					Instead: modesClaim{at: func(m theory.Mode, t float64) float64 { return m.At(t / float64(m.Depth)) }}},
				{Name: "descent at such a rate", Criterion: "order in h" + order.PartOfAnother, As: "rate of a single layer"},
				{Name: "start of a layer", Criterion: "strength along the flow",
					Instead: modesClaim{at: func(m theory.Mode, t float64) float64 {
						m.Start = math.Pow(m.Start, 1/float64(m.Depth))
						return m.At(t)
					}}},
				{Name: "descent of second order", Criterion: "order in h", Instead: modesClaim{order: 2}},
			},
			Replicates: 1,
		},
	},
}.Claim()

// alignedStep is one step of an aligned network.
type alignedStep struct {
	U         *mat.Dense `npy:"U"`
	V         *mat.Dense `npy:"V"`
	Strengths *mat.Dense `npy:"q"` // N×r
	Target    *mat.Dense `npy:"s"` // 1×r
	Step      float64    `npy:"step"`
	Next      *mat.Dense `npy:"W_next"`

	integers bool
}

// next is the end-to-end matrix that is claimed.
func (s alignedStep) next(claim func(theory.AlignedStep) []float64) *mat.Dense {
	products := make([]float64, s.Target.RawMatrix().Cols)
	for k := range products {
		products[k] = 1
		for _, q := range claim(theory.AlignedStep{Strengths: mat.Col(nil, k, s.Strengths), Target: s.Target.At(0, k),
			Step: s.Step}) {
			products[k] *= q
		}
	}
	return spectral(s.U, products, s.V)
}

// rounding is the bound of the statement.
func (s alignedStep) rounding(unit float64) float64 {
	depth, _ := s.Strengths.Dims()
	norm := func(l int) float64 { return mat.Norm(s.Strengths.RowView(l), 2) }
	whole, size := 1.0, 1.0
	for l := range depth {
		whole *= norm(l)
	}
	for l := range depth {
		others := 1.0
		for k := range depth {
			if k != l {
				others *= norm(k)
			}
		}
		size *= norm(l) + s.Step*(mat.Norm(s.Target, 2)+whole)*others
	}
	return 16 * float64(depth) * float64(max(6, s.U.RawMatrix().Rows, s.V.RawMatrix().Rows)+2) * unit * size
}

// alignedPractice says how an aligned network departs from the hypotheses.
type alignedPractice struct {
	act      nn.Activation
	coloured bool
	tilt     float64
}

// drawAligned takes a step of a network with different strengths in every layer. Three layers of integers with steps of
// ½ and more stay below 2⁵³.
func drawAligned(t *props.T, p alignedPractice) alignedStep {
	s := alignedStep{integers: p.tilt == 0 && rapid.Bool().Draw(t.T, "integers"),
		Step: math.Ldexp(1, -rapid.IntRange(0, 3).Draw(t.T, "-log2 h"))}
	r, depth, rank := t.Stream("entries"), rapid.IntRange(2, 4).Draw(t.T, "N"), gen.Dim(t.T, "r", 3)
	draw := func() float64 { return 2 * r.NormFloat64() }
	basis := func(d int) *mat.Dense { return gen.Orthonormal(r, d, rank) }
	if s.integers {
		draw = func() float64 { return float64(r.IntN(5) - 2) }
		basis = func(d int) *mat.Dense { return mat.DenseCopyOf(signedPermutation(r, d).Slice(0, d, 0, rank)) }
	}
	s.Strengths, s.Target = mat.NewDense(depth, rank, nil), mat.NewDense(1, rank, nil)
	s.V = basis(rank + rapid.IntRange(0, 3).Draw(t.T, "n−r"))
	below, layers := s.V, []*mat.Dense{}
	for l := range depth {
		s.U = basis(rank + rapid.IntRange(0, 3).Draw(t.T, "d−r"))
		for k := range rank {
			s.Strengths.Set(l, k, draw())
			s.Target.Set(0, k, math.Abs(draw()))
		}
		layers = append(layers, spectral(s.U, s.Strengths.RawRowView(l), below))
		below = s.U
	}
	m, n := layers[0].Dims()
	layers[0] = plus(layers[0], p.tilt, gen.Gaussian(r, m, n, 1))
	inputs := identity(n)
	if p.coloured {
		inputs.Set(0, n-1, inputs.At(0, n-1)+1)
	}
	target := product(spectral(s.U, s.Target.RawRowView(0), s.V), inputs)
	for l, b := range netOf(layers, p.act).Batches(inputs, target) {
		layers[l] = plus(layers[l], -s.Step, b.WeightGrad())
	}
	s.Next = endToEnd(layers)
	return s
}

// modesCell is a depth of networks with three modes: one that grows, one that shrinks, and one without a target.
type modesCell struct{ Depth, Problem int }

// trained is such a network after the flow and after gradient descent with ever smaller steps.
type trained struct {
	Targets, Starts, Flowed []float64
	Time, Error, Beyond     float64 // error of the flow; what lies outside of the modes
	Steps                   []float64
	Descended               [][]float64
}

func firstProblem(c modesCell) bool { return c.Problem == 0 }

// train multiplies the first layer by a factor and divides the last by it, and tilts the first.
func (c modesCell) train(t *props.Trial, factor, tilt float64) (m trained) {
	uniform := func(lo, hi float64) float64 { return lo + (hi-lo)*t.Rand.Float64() }
	m.Targets = []float64{uniform(0.5, 2), uniform(0.5, 1), 0}
	m.Starts = []float64{m.Targets[0] * uniform(0.1, 0.4), m.Targets[1] * uniform(1.5, 2), uniform(0.2, 1)}
	m.Time = uniform(0.8, 1.6) / float64(c.Depth)
	strengths := mapped(m.Starts, func(a float64) float64 { return math.Pow(a, 1/float64(c.Depth)) })
	bases, layers := alignedLayers(t.Rand, c.Depth, 3, strengths)
	layers[0].Scale(factor, layers[0])
	layers[0] = plus(layers[0], tilt, gen.Gaussian(t.Rand, 3, 3, 1))
	layers[c.Depth-1].Scale(1/factor, layers[c.Depth-1])
	descend := downhill(spectral(bases[c.Depth], m.Targets, bases[0]))
	diagonal := func(layers []*mat.Dense) []float64 {
		inside := product(bases[c.Depth].T(), endToEnd(layers), bases[0])
		return []float64{inside.At(0, 0), inside.At(1, 1), inside.At(2, 2)}
	}
	end := flow(layers, m.Time, 4, descend)
	m.Flowed = diagonal(end)
	m.Error = mat.Norm(plus(endToEnd(end), -1, endToEnd(flow(layers, m.Time, 2, descend))), 2)
	m.Beyond = mat.Norm(plus(endToEnd(end), -1, spectral(bases[c.Depth], m.Flowed, bases[0])), 2)
	for e := 6; e <= 10; e++ {
		h, at := m.Time/math.Ldexp(1, e), layers
		for range 1 << e {
			at = along(at, h, descend(at))
		}
		m.Steps, m.Descended = append(m.Steps, h), append(m.Descended, diagonal(at))
	}
	return m
}

// modesClaim is the strength of a mode over time, and the order by which gradient descent departs from it.
type modesClaim struct {
	at    func(theory.Mode, float64) float64
	order float64
}

func judgeModes(r *props.Record, c modesCell, m trained, claim modesClaim) {
	// Flow and descent take up to a thousand steps of less than ten roundings, and pull errors apart by the largest
	// curvature, below N·max|s − a|·max(1, q)^(N−2) < 4N.
	rounding := 1e4 * r.Unit() * math.Exp(4*float64(c.Depth)*m.Time)
	r.Regime("all modes")
	r.WithinScale("outside of the modes", m.Beyond, 0, 1, m.Error+rounding)
	claimed := mat.NewDense(3, 1, nil)
	for k, regime := range []string{"mode grows", "mode shrinks", "no target"} {
		r.Regime(regime)
		a := claim.at(theory.Mode{Depth: c.Depth, Target: m.Targets[k], Start: m.Starts[k]}, m.Time)
		r.Within("strength along the flow", m.Flowed[k], a, m.Error+rounding+1e-13*a)
		claimed.Set(k, 0, a)
	}
	// The departure of a mode that grows passes zero once, the departure of a mode without a target never does.
	var remainders []*mat.Dense
	for _, d := range m.Descended {
		remainders = append(remainders, plus(mat.NewDense(3, 1, d), -1, claimed))
	}
	r.Regime("all modes")
	order.Judge(r, "order in h", order.Halved(m.Steps, remainders, 1, rounding), claim.order)
}

// tryModes follows the flow of an aligned network with one mode and two other directions.
func tryModes(t *props.Trial, v statement.Values) (map[string]float64, error) {
	depth, s, a0, time := v.Int("depth"), v.Float("target"), v.Float("start"), v.Float("time")
	work := float64(depth) * time * math.Pow(max(s, a0), 2-2/float64(depth))
	t.Need(work <= 1000, "a simulation takes at most 1000 steps: N·t·max(s, a₀)^(2−2/N) must not exceed 1000")
	strength := []float64{math.Pow(a0, 1/float64(depth))}
	bases, layers := alignedLayers(t.Rand, depth, 2, strength)
	target := spectral(bases[depth], []float64{s}, bases[0])
	end := endToEnd(flow(layers, time, 1+int(work), downhill(target)))
	return map[string]float64{"strength": product(bases[depth].T(), end, bases[0]).At(0, 0)}, nil
}
