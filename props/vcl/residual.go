package vcl

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// residual pairs Theorem 2 with networks of two and three layers: weights, hidden states and gradients come from
// backpropagation through them, the residual from the closed form.
var residual = props.Spec{
	Statement: &theory.Residual,
	Try:       &props.Simulation{Run: tryResidual},
	Checks: []props.Check{
		props.Drawn[gramStep, residualClaim]{
			Name:    "identity within rounding",
			Cases:   props.Scale{Quick: 300, Standard: 2000, Deep: 100000},
			Tries:   20,
			Regimes: append(append([]string{}, layers.Shapes...), meanStep, meanCovariance),
			Draw:    func(t *props.T) gramStep { return realLayer(t, layerLike{}).step() },
			Claim:   gramStep.residual,
			Judge: func(r *props.Record, s gramStep, claim residualClaim) {
				r.Regime(layers.Shape(s.W))
				switch {
				case s.Weights == 1: // a sum, or a batch of one
				case s.Covariance == 1:
					r.Regime(meanStep)
				default:
					r.Regime(meanCovariance)
				}
				r.WithinMatrix("residual", s.gap(), claim(s), s.rounding(r.Unit()))
			},
			Proven: map[string]string{"residual": "every rounding of both sides is counted"},
			Controls: []props.Wrong[gramStep, residualClaim]{
				{Name: "gradient transposed", Assumption: "plain-descent",
					Draw: func(t *props.T) gramStep { return realLayer(t, layerLike{square: true}).stepAlong(transposed) }},
				{Name: "gradient of the weights clipped to half, of the hidden states not", Assumption: "plain-descent",
					Draw: func(t *props.T) gramStep { return realLayer(t, layerLike{}).stepAlong(clipped) }},
				{Name: "skip connection", Assumption: "only-use",
					Draw: func(t *props.T) gramStep { return realLayer(t, layerLike{square: true, skip: true}).step() }},
				{Name: "covariance centred", Assumption: "uncentred", Alter: (*gramStep).centre},
				{Name: "covariance of the batch-mean hidden state", Assumption: "uncentred", Alter: func(s *gramStep) {
					s.Inputs, s.InputGrads = columnMean(s.Inputs), columnMean(s.InputGrads)
					s.PreGrads = columnMean(s.PreGrads)
				}},
				{Name: "mean loss, virtual step of the mean loss, mean covariance", Assumption: "convention",
					Draw: func(t *props.T) gramStep { return realLayer(t, layerLike{practice: allMeans}).step() }},
				{Name: "mean loss, virtual step per sample, summed covariance", Assumption: "convention",
					Draw: func(t *props.T) gramStep { return realLayer(t, layerLike{practice: "mean, sum, sum"}).step() }},
				{Name: "summed loss, summed virtual step, mean covariance", Assumption: "convention",
					Draw: func(t *props.T) gramStep { return realLayer(t, layerLike{practice: "sum, sum, mean"}).step() }},
				{Name: "residual without cross-sample terms", Instead: gramStep.residualOfSamples},
				{Name: "residual of the opposite sign", Instead: gramStep.oppositeResidual},
			},
		},
		props.Drawn[gramStep, residualClaim]{
			Name:    "identity on integers",
			Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 100000},
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) gramStep { return integerLayer(t).step() },
			Claim:   gramStep.residual,
			Judge: func(r *props.Record, s gramStep, claim residualClaim) {
				r.Regime(layers.Shape(s.W))
				r.ExactlyMatrix("residual", s.gap(), claim(s))
			},
			Controls: []props.Wrong[gramStep, residualClaim]{{Name: "residual of the opposite sign, on integers",
				Instead: gramStep.oppositeResidual}},
		},
		props.Grid[int, descent, struct{}]{
			Name:    "order in the step size",
			Cells:   props.Scale{Quick: 60, Standard: 200, Deep: 2000}.Indices,
			Measure: func(t *props.Trial, _ int) descent { return measureDescent(t, practices[0], -4, batchLayer.step) },
			Judge: func(r *props.Record, _ int, d descent, _ struct{}) {
				order.Judge(r, "order in γ", d.Remainder, 2)
			},
			Conclude: func(r *props.Record, _ []int, all []descent, _ struct{}) { r.Figure(all[0].figure()) },
			Controls: []props.WrongCell[int, descent, struct{}]{
				{Name: "order when loss, virtual step and covariance are means", Assumption: "convention",
					Measure: func(t *props.Trial, _ int) descent { return measureDescent(t, allMeans, -4, batchLayer.step) }},
				{Name: "order when the covariance is centred", Assumption: "uncentred",
					Measure: func(t *props.Trial, _ int) descent {
						return measureDescent(t, practices[0], -4, func(l batchLayer) gramStep {
							s := l.step()
							s.centre()
							return s
						})
					}},
				{Name: "steps so small that rounding is all there is",
					Criterion: "order in γ: the part of another order",
					Measure: func(t *props.Trial, _ int) descent {
						return measureDescent(t, practices[0], -24, batchLayer.step)
					}},
			},
		},
		props.Drawn[slopeAlong, struct{}]{
			Name:  "gradient against differences",
			Cases: props.Scale{Quick: 100, Standard: 1000, Deep: 20000},
			Draw:  func(t *props.T) slopeAlong { return drawSlope(t, func(p *nn.Pass) []float64 { return p.PreGrad[1] }) },
			Judge: func(r *props.Record, s slopeAlong, _ struct{}) {
				r.Within("derivative along a direction", s.Backpropagated, s.Quotient, s.Truncation+s.Rounding)
			},
			Controls: []props.Wrong[slopeAlong, struct{}]{
				{Name: "backward pass without the activation's slope", Assumption: "exact-gradient",
					Draw: func(t *props.T) slopeAlong { // ∂loss/∂σ(z) taken for ∂loss/∂z
						return drawSlope(t, func(p *nn.Pass) []float64 { return p.OutputGrad[1] })
					}},
			},
			Coarse: map[string]string{"derivative along a direction": "a central difference of step 10⁻⁴ is known to " +
				"a few times 10⁻⁹ of the loss, and some derivatives are small compared with it"},
		},
		props.Drawn[gramStep, eigenvaluesOf]{
			Name:    "rank two and signs for one sample",
			Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 50000},
			Tries:   36,
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) gramStep { return drawSamples(t, 1) },
			Claim:   theory.RankTwo.Eigenvalues,
			Judge:   judgeRank,
			Controls: []props.Wrong[gramStep, eigenvaluesOf]{
				{Name: oppositeEigenvalues, Instead: func(two theory.RankTwo) (lo, hi float64) {
					lo, hi = two.Eigenvalues()
					return -lo, -hi
				}},
				{Name: "negative eigenvalue of the opposite sign", Criterion: "negative eigenvalue",
					As: oppositeEigenvalues},
				{Name: "a batch of two", Criterion: "the other eigenvalues, zero",
					Draw: func(t *props.T) gramStep { return drawSamples(t, 2) }},
			},
		},
	},
}.Claim()

// The regimes of a batch whose loss is a mean.
const (
	meanStep       = "mean loss, virtual step of the mean loss"
	meanCovariance = "mean loss, mean covariance"
)

const oppositeEigenvalues = "eigenvalues of the opposite sign"

// eigenvaluesOf gives the eigenvalues of the gap of one sample that are not zero.
type eigenvaluesOf func(theory.RankTwo) (lo, hi float64)

// descent is the size of the gap along halved step sizes, for one network.
type descent struct {
	order.Remainder
	Claimed    []float64 // ‖R‖ from the closed form
	Mismatched []float64 // the gap when everything is a mean, which does not cancel
}

// measureDescent takes the step of one square layer with five step sizes, of which the first is 2 to the power of
// largest and each half of the one before. The gap has no higher order: what may be of another order is rounding.
func measureDescent(t *props.Trial, practice string, largest int, step func(batchLayer) gramStep) descent {
	const width, batch = 6, 4
	l := batchLayer{
		net:     smoothNet(t.Rand, 3, width, width, 2, false),
		samples: gen.Gaussian(t.Rand, 3, batch, 1), targets: gen.Gaussian(t.Rand, 2, batch, 1),
		at: 1, practice: practice,
	}
	var d descent
	for e := largest; e >= largest-4; e-- {
		l.rate = math.Ldexp(1, e)
		s, means := step(l), l
		means.practice = allMeans
		d.Steps = append(d.Steps, l.rate)
		d.Norms = append(d.Norms, mat.Norm(s.gap(), 2))
		d.Beyond = append(d.Beyond, s.rounding(roundoff.Unit))
		d.Claimed = append(d.Claimed, mat.Norm(s.residual(), 2))
		d.Mismatched = append(d.Mismatched, mat.Norm(means.step().gap(), 2))
	}
	return d
}

func (d descent) figure() props.Figure {
	return props.Figure{
		ID:    "order",
		Title: "The gap between Gram shift and covariance shift",
		Caption: fmt.Sprintf("Frobenius norm of the gap for one network and step sizes from %g to %g, on logarithmic "+
			"axes: the measured gaps lie on the closed form of slope 2; when loss, virtual step and covariance are "+
			"all batch means the gap falls with slope 1 only.",
			d.Steps[len(d.Steps)-1], d.Steps[0]),
		X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "‖gap‖_F", Log: true},
		Curves: []props.Curve{
			{Name: "measured", Style: props.Points, X: d.Steps, Y: d.Norms},
			{Name: "closed form ‖R‖_F", Style: props.Dashed, X: d.Steps, Y: d.Claimed},
			{Name: "all means (convention does not match)", Style: props.Points, X: d.Steps, Y: d.Mismatched},
		},
	}
}

// slopeAlong is the derivative of the loss along a random direction of a layer's weights, by backpropagation and by a
// central difference D(s) with s = 10⁻⁴. D(2s) − D(s) is three times the truncation error of D(s). Rounding: a loss is
// the end of about 100 operations, whose errors the layers amplify less than tenfold, so a difference quotient of
// losses of size M errs by at most 1000·u·M/s.
type slopeAlong struct {
	W, Direction             *mat.Dense
	Backpropagated, Quotient float64
	Truncation, Rounding     float64
}

func drawSlope(t *props.T, gradient func(*nn.Pass) []float64) slopeAlong {
	n, m := gen.Dim(t.T, "n", 6), gen.Dim(t.T, "m", 6)
	r := t.Stream("entries")
	net := smoothNet(r, 3, n, m, 2, false)
	x, y := gen.Gaussian(r, 3, 1, 1), gen.Gaussian(r, 2, 1, 1)
	direction := gen.Gaussian(r, m, n, 1/math.Sqrt(float64(m*n)))
	p := net.Backprop(x.RawMatrix().Data, y.RawMatrix().Data)
	const s = 1e-4
	quotient := lossDifference(net, x, y, direction, s)
	return slopeAlong{
		W: net[1].W, Direction: direction, Quotient: quotient,
		Backpropagated: mat.Inner(mat.NewVecDense(m, gradient(p)), direction, mat.NewVecDense(n, p.Input[1])),
		Truncation:     math.Abs(lossDifference(net, x, y, direction, 2*s) - quotient),
		Rounding:       1000 * roundoff.Unit * (p.Loss + math.Pow(mat.Norm(y, 2), 2)) / s,
	}
}

// lossDifference is the central difference of the loss at W ± s·direction, for the weights of layer 1.
func lossDifference(net nn.Net, x, y, direction *mat.Dense, s float64) float64 {
	at := func(s float64) float64 {
		moved := append(nn.Net{}, net...)
		moved[1].W = mat.DenseCopyOf(net[1].W)
		moved[1].W.Apply(func(i, j int, w float64) float64 { return w + s*direction.At(i, j) }, moved[1].W)
		return moved.Loss(x.RawMatrix().Data, y.RawMatrix().Data)
	}
	return (at(s) - at(-s)) / (2 * s)
}

// drawSamples draws a step on so many samples.
func drawSamples(t *props.T, batch int) gramStep {
	n, m := 1+gen.Dim(t.T, "n−1", 7), gen.Dim(t.T, "m", 8)
	r := t.Stream("entries")
	return batchLayer{net: smoothNet(r, 3, n, m, 2, false),
		samples: gen.Gaussian(r, 3, batch, 1), targets: gen.Gaussian(r, 2, batch, 1),
		rate: gen.LogUniform(t.T, "γ", 1e-3, 1), at: 1}.step()
}

// judgeRank says that the gap of one sample has rank two and one eigenvalue of each sign, those of the closed form. By
// Weyl's inequality eigenvalues err by no more than the gap itself. Those of the closed form come from f = ‖R‖_F, whose
// square is a difference of terms of size S² = γ⁴(‖g‖²‖h‖² + ‖w‖²)², known to 32u·S²; λ₊ − λ₋ ≥ f.
func judgeRank(r *props.Record, s gramStep, claim eigenvaluesOf) {
	r.Regime(layers.Shape(s.W))
	gap := s.gap()
	values := layers.Eigenvalues(gap)
	m, n := s.W.Dims()
	h, g := mat.Col(nil, 0, s.Inputs), mat.Col(nil, 0, s.PreGrads)
	back := algebra.Image(s.W.T(), mat.NewVecDense(m, g))
	w := back.RawVector().Data
	two := theory.RankTwo{Step: s.Rate, G: floats.Norm(g, 2), H: floats.Norm(h, 2), W: floats.Norm(w, 2)}
	two.Cosine = max(-1, min(1, floats.Dot(h, w)/(two.H*two.W)))
	lo, hi := claim(two)
	size := s.Rate * s.Rate * (math.Pow(two.G*two.H, 2) + two.W*two.W)
	allowed := s.rounding(r.Unit()) + 32*r.Unit()*size*size/two.Frobenius()
	r.Within("negative eigenvalue", values[0], lo, allowed)
	r.Within("positive eigenvalue", values[n-1], hi, allowed)
	for _, x := range values[1 : n-1] {
		r.WithinScale("the other eigenvalues, zero", x, 0, hi-lo, allowed)
	}
}

// tryResidual takes one step of a layer whose norms and cosine are the given ones, and measures the
// invariants of the gap. The layer has m = n = 4; its weights map the gradient to a vector of the given length and
// angle to the input.
func tryResidual(t *props.Trial, v statement.Values) (map[string]float64, error) {
	const n = 4
	basis := gen.Orthonormal(t.Rand, n, n) // columns
	h, g, w := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	cosine := v.Float("cosine")
	for i := range n {
		h.Set(i, 0, v.Float("h")*basis.At(i, 0))
		w.Set(i, 0, v.Float("w")*(cosine*basis.At(i, 0)+math.Sqrt(1-cosine*cosine)*basis.At(i, 1)))
	}
	g.Scale(v.Float("g"), gen.Orthonormal(t.Rand, n, 1))
	weights := mat.NewDense(n, n, nil)
	if v.Float("g") > 0 {
		weights.Mul(g, w.T()) // g wᵀ/‖g‖², so that Wᵀg = w
		weights.Scale(1/math.Pow(v.Float("g"), 2), weights)
	}
	next := algebra.Sum(weights, algebra.Scaled(-v.Float("step"), algebra.Product(g, h.T())))
	s := gramStep{W: weights, Next: next, Inputs: h, PreGrads: g, InputGrads: w, Rate: v.Float("step"), Weights: 1,
		Virtual: 1, Covariance: 1}
	gap := s.gap()
	values := layers.Eigenvalues(gap)
	return map[string]float64{"trace": mat.Trace(gap), "frobenius": mat.Norm(gap, 2),
		"eigenvalue_min": values[0], "eigenvalue_max": values[n-1]}, nil
}
