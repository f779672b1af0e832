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

// balance steps networks by backpropagation and compares the imbalance of two neighbouring layers with the closed form.
// A step on any loss is one on the squared loss with other targets, so that the networks have no other loss.
var balance = props.Spec{
	Statement: &theory.Balance,
	Try:       &props.Simulation{Run: tryBalance},
	Along:     &props.Along{Param: "step", From: 0.01, To: 1, Of: []string{"after"}, Y: "imbalance after the step"},
	Checks: []props.Check{
		props.Drawn[layerStep, func(theory.LayerStep) *mat.Dense]{
			Name:    "linear layers",
			Cases:   props.Scale{Quick: 300, Standard: 2000, Deep: 100000},
			Tries:   28,
			Regimes: []string{"floats", "integers", "weight decay", "bias"},
			Draw:    func(t *props.T) layerStep { return drawLayerStep(t, chain{act: nn.Identity}) },
			Claim:   theory.LayerStep.Next,
			Judge: func(r *props.Record, s layerStep, claim func(theory.LayerStep) *mat.Dense) {
				s.regime(r)
				s.judge(r, s.imbalance(1), claim(s.statement()))
			},
			Proven: map[string]string{"imbalance after the step": "every rounding of both sides is counted"},
			Controls: []props.Wrong[layerStep, func(theory.LayerStep) *mat.Dense]{
				{Name: "ReLU between the layers", Assumption: "linear",
					Draw: func(t *props.T) layerStep { return drawLayerStep(t, chain{act: nn.ReLU}) }},
				{Name: "lower layer passed by a skip connection", Assumption: "only-use",
					Draw: func(t *props.T) layerStep { return drawLayerStep(t, chain{act: nn.Identity, skip: true}) }},
				{Name: "one layer after the other", Assumption: "same-point",
					Draw: func(t *props.T) layerStep { return drawLayerStep(t, chain{act: nn.Identity, inTurn: true}) }},
				{Name: "step of the upper layer longer by a sixteenth", Assumption: "plain-descent",
					Alter: func(s *layerStep) { s.UpperNext = plus(s.UpperNext, -s.Step/16, s.UpperGrad) }},
				{Name: "bias left out", Alter: func(s *layerStep) {
					if s.bias {
						m, n := s.Lower.Dims()
						s.Lower, s.LowerGrad = s.Lower.Slice(0, m, 0, n-1).(*mat.Dense), s.LowerGrad.Slice(0, m, 0, n-1).(*mat.Dense)
						s.LowerNext = s.LowerNext.Slice(0, m, 0, n-1).(*mat.Dense)
					}
				}},
				{Name: "the squares added", Instead: func(s theory.LayerStep) *mat.Dense {
					next := s.Next()
					s.LowerGrad = plus(s.LowerGrad, -1, s.LowerGrad)
					return plus(plus(s.Next(), 1, s.Next()), -1, next)
				}},
				{Name: "imbalance decayed as the weights are", Instead: func(s theory.LayerStep) *mat.Dense {
					s.Decay = (1 - math.Sqrt(1-s.Step*s.Decay)) / s.Step
					return s.Next()
				}},
			},
		},
		props.Drawn[layerStep, func(theory.LayerStep) []float64]{
			Name:    "homogeneous units",
			Cases:   props.Scale{Quick: 300, Standard: 2000, Deep: 100000},
			Tries:   12,
			Regimes: []string{"floats", "integers", "weight decay", "bias"},
			Draw:    func(t *props.T) layerStep { return drawLayerStep(t, drawUnits(t)) },
			Claim:   theory.LayerStep.NextUnits,
			Judge: func(r *props.Record, s layerStep, claim func(theory.LayerStep) []float64) {
				s.regime(r)
				units, all := claim(s.statement()), s.imbalance(s.Degree)
				got := mat.NewDense(len(units), 1, nil)
				for i := range units {
					got.Set(i, 0, all.At(i, i))
				}
				s.judge(r, got, mat.NewDense(len(units), 1, units))
			},
			Proven: map[string]string{"imbalance after the step": "every rounding of both sides is counted"},
			Controls: []props.Wrong[layerStep, func(theory.LayerStep) []float64]{
				{Name: "a unit that is not homogeneous",
					Draw: func(t *props.T) layerStep { return drawLayerStep(t, chain{act: nn.GELU, floats: true}) }},
				{Name: "degree one for the square of ReLU", Instead: func(s theory.LayerStep) []float64 {
					s.Degree = 1
					return s.NextUnits()
				}},
			},
		},
		props.Grid[drifting, order.Remainder, float64]{
			Name: "drift over a fixed time",
			Cells: func(e props.Effort) (cells []drifting) {
				for _, i := range (props.Scale{Quick: 3, Standard: 10, Deep: 100}).Indices(e) {
					cells = append(cells, drifting{2, i}, drifting{5, i})
				}
				return cells
			},
			Measure: func(t *props.Trial, c drifting) order.Remainder { return c.drift(t, 1) },
			Claim:   1,
			Judge: func(r *props.Record, _ drifting, drift order.Remainder, claim float64) {
				order.Judge(r, "order in h", drift, claim)
			},
			Replicates: 1,
			Controls: []props.WrongCell[drifting, order.Remainder, float64]{
				{Name: "a drift of second order", Criterion: "order in h", Instead: 2},
				{Name: "upper layer faster by a tenth", Criterion: "order in h" + order.PartOfAnother,
					Measure: func(t *props.Trial, c drifting) order.Remainder { return c.drift(t, 1.1) }},
			},
		},
	},
}.Claim()

// layerStep is one step of two neighbouring layers.
type layerStep struct {
	Lower     *mat.Dense `npy:"W1"`
	Upper     *mat.Dense `npy:"W2"`
	LowerGrad *mat.Dense `npy:"G1"`
	UpperGrad *mat.Dense `npy:"G2"`
	LowerNext *mat.Dense `npy:"W1_next"`
	UpperNext *mat.Dense `npy:"W2_next"`
	Inputs    *mat.Dense `npy:"H"`
	PreGrads  *mat.Dense `npy:"Gamma"`
	Step      float64    `npy:"step"`
	Decay     float64    `npy:"decay"`
	Degree    float64    `npy:"degree"`

	integers, bias bool
}

func (s layerStep) statement() theory.LayerStep {
	return theory.LayerStep{Upper: s.Upper, Lower: s.Lower, UpperGrad: s.UpperGrad, LowerGrad: s.LowerGrad, Step: s.Step,
		Decay: s.Decay, Degree: s.Degree}
}

// Valid names the violated hypothesis.
func (s layerStep) Valid() error { return s.statement().Valid() }

func (s layerStep) regime(r *props.Record) { r.RegimeOf(s.integers, s.Decay > 0, s.bias) }

// imbalance is k·W_{l+1}ᵀW_{l+1} − W_lW_lᵀ after the step.
func (s layerStep) imbalance(degree float64) *mat.Dense {
	lower := product(s.LowerNext, s.LowerNext.T())
	lower.Scale(-1, lower)
	return plus(lower, degree, product(s.UpperNext.T(), s.UpperNext))
}

// judge compares to the last bit on integers, and otherwise up to the rounding that the statement derives.
func (s layerStep) judge(r *props.Record, got, want *mat.Dense) {
	if s.integers {
		r.ExactlyMatrix("imbalance after the step, on integers", got, want)
		return
	}
	q, m := s.Upper.Dims()
	_, n := s.Lower.Dims()
	_, batch := s.Inputs.Dims()
	norm := func(a *mat.Dense) float64 { return mat.Norm(a, 2) }
	h, kept, k := s.Step, 1+s.Step*s.Decay, s.Degree
	upper, lower := kept*norm(s.Upper)+h*norm(s.UpperGrad), kept*norm(s.Lower)+h*norm(s.LowerGrad)
	first := k * norm(s.Upper) * norm(s.PreGrads) * math.Pow(norm(s.Lower)*norm(s.Inputs), k)
	squares, gradients := float64(2*max(q, m, n)+16), float64(q+n+2*batch+8)+k*float64(n)
	r.WithinMatrix("imbalance after the step", got, want,
		r.Unit()*(squares*(k*upper*upper+lower*lower)+2*h*kept*gradients*first))
}

// chain says which network is drawn, and what is wrong with its step.
type chain struct {
	act                  nn.Activation
	degree               float64 // 0 stands for 1
	floats, skip, inTurn bool
}

// squaredReLU is homogeneous of degree two.
var squaredReLU = nn.Activation{Name: "squared-relu", Value: func(z float64) float64 { return max(z, 0) * max(z, 0) },
	Slope: func(z float64) float64 { return 2 * max(z, 0) }}

func drawUnits(t *props.T) chain {
	return rapid.SampledFrom([]chain{{act: nn.ReLU}, {act: nn.LeakyReLU}, {act: squaredReLU, degree: 2}}).
		Draw(t.T, "units")
}

// drawLayerStep takes a step of a network of two to four layers and shows two neighbours. On integers every number has
// fewer than 53 bits: a gradient of four linear layers is below 2²⁰, and nonlinear networks have two layers there.
func drawLayerStep(t *props.T, c chain) layerStep {
	s := layerStep{Step: math.Ldexp(1, -rapid.IntRange(0, 3).Draw(t.T, "-log2 h")), Degree: max(1, c.degree),
		integers: !c.floats && rapid.Bool().Draw(t.T, "integers"), bias: rapid.Bool().Draw(t.T, "bias")}
	s.Decay = rapid.SampledFrom([]float64{0, 0, 0.25, 0.5}).Draw(t.T, "h·d") / s.Step
	depth, limit, r := rapid.IntRange(2, 4).Draw(t.T, "N"), 8, t.Stream("entries")
	entries := func(rows, cols, _ int) *mat.Dense { return gen.Gaussian(r, rows, cols, 1/math.Sqrt(float64(cols))) }
	if s.integers {
		limit = 3
		entries = func(rows, cols, bound int) *mat.Dense { return gen.Integers(r, rows, cols, bound) }
		if c.act.Name != nn.Identity.Name {
			depth = 2
		}
	}
	widths, net := []int{gen.Dim(t.T, "d0", limit)}, nn.Net{}
	for l := range depth {
		widths = append(widths, gen.Dim(t.T, "d", limit))
		if c.skip {
			widths[l+1] = widths[0]
		}
		net = append(net, nn.Layer{W: entries(widths[l+1], widths[l], 2), Act: c.act, Skip: c.skip})
		if s.bias {
			net[l].B = entries(widths[l+1], 1, 1).RawMatrix().Data
		}
	}
	net[depth-1].Act = nn.Identity
	l, batch := rapid.IntRange(0, depth-2).Draw(t.T, "l"), gen.Dim(t.T, "B", 3)
	samples, targets := entries(widths[0], batch, 1), entries(widths[depth], batch, 1)
	s.observe(net, l, net.Batches(samples, targets)[l:])
	if c.inTurn {
		m, n := net[l].W.Dims()
		net[l].W = mat.DenseCopyOf(s.LowerNext.Slice(0, m, 0, n))
		s.UpperGrad = net.BatchAt(l+1, samples, targets).WeightGrad()
	}
	s.UpperNext = plus(s.Upper, -s.Step, plus(s.UpperGrad, s.Decay, s.Upper))
	return s
}

// observe fills in what the layers l and l+1 see, and the step of the lower one.
func (s *layerStep) observe(net nn.Net, l int, seen []nn.Batch) {
	s.Lower, s.Upper, s.Inputs, s.PreGrads = net[l].W, net[l+1].W, seen[0].Inputs, seen[1].PreGrads
	if _, batch := s.Inputs.Dims(); s.bias {
		ones := mat.NewDense(1, batch, nil)
		ones.Apply(func(_, _ int, _ float64) float64 { return 1 }, ones)
		var lower, inputs mat.Dense
		lower.Augment(s.Lower, mat.NewDense(len(net[l].B), 1, net[l].B))
		inputs.Stack(s.Inputs, ones)
		s.Lower, s.Inputs = &lower, &inputs
	}
	s.LowerGrad, s.UpperGrad = product(seen[0].PreGrads, s.Inputs.T()), seen[1].WeightGrad()
	s.LowerNext = plus(s.Lower, -s.Step, plus(s.LowerGrad, s.Decay, s.Lower))
}

// drifting is a square network of three layers that is trained for the time 1/32.
type drifting struct{ Width, Problem int }

// drift trains with ever smaller steps, those of the upper of two layers longer by a factor.
func (c drifting) drift(t *props.Trial, faster float64) order.Remainder {
	start, n := nn.Net{}, c.Width
	for range 3 {
		start = append(start, nn.Layer{W: gen.Gaussian(t.Rand, n, n, 1/math.Sqrt(float64(n))), Act: nn.Identity})
	}
	samples, targets := gen.Gaussian(t.Rand, n, n, 0.5), gen.Gaussian(t.Rand, n, n, 0.5)
	var steps []float64
	var drifts []*mat.Dense
	for e := 9; e <= 13; e++ {
		net, h := append(nn.Net{}, start...), math.Ldexp(1, -e)
		for range 1 << (e - 5) {
			seen := net.Batches(samples, targets)
			for l, rate := range []float64{h, h * faster, h} {
				net[l].W = plus(net[l].W, -rate, seen[l].WeightGrad())
			}
		}
		imbalance := func(net nn.Net) *mat.Dense {
			return layerStep{LowerNext: net[0].W, UpperNext: net[1].W}.imbalance(1)
		}
		steps, drifts = append(steps, h), append(drifts, plus(imbalance(net), -1, imbalance(start)))
	}
	return order.Halved(steps, drifts, 1, 1e-12) // 2⁸ steps of a few dozen roundings each
}

func tryBalance(_ *props.Trial, v statement.Values) (map[string]float64, error) {
	number := func(name string) *mat.Dense { return mat.NewDense(1, 1, []float64{v.Float(name)}) }
	s := layerStep{Step: v.Float("step"), Decay: v.Float("decay"), Degree: 1}
	net := nn.Net{{W: number("w1"), Act: nn.Identity}, {W: number("w2"), Act: nn.Identity}}
	one := mat.NewDense(1, 1, []float64{1})
	s.observe(net, 0, net.Batches(one, number("target")))
	s.UpperNext = plus(s.Upper, -s.Step, plus(s.UpperGrad, s.Decay, s.Upper))
	after := s.imbalance(1).At(0, 0)
	before := layerStep{LowerNext: s.Lower, UpperNext: s.Upper}.imbalance(1).At(0, 0)
	return map[string]float64{"before": before, "after": after, "change": after - before}, nil
}
