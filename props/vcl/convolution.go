package vcl

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/internal/derivative"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// convolution pairs the law on patches with a convolution under a dense layer.
var convolution = props.Spec{
	Statement: &theory.Convolution,
	Checks: []props.Check{
		props.Drawn[gramStep, residualClaim]{
			Name:    "law within rounding",
			Cases:   props.Scale{Quick: 60, Standard: 400, Deep: 20000},
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) gramStep { return drawFilterStep(t, filter.step) },
			Claim:   gramStep.residual,
			Judge: func(r *props.Record, s gramStep, claim residualClaim) {
				r.Regime(layers.Shape(s.W))
				r.WithinMatrix("residual", s.gap(), claim(s), s.rounding(r.Unit())+underflow)
			},
			Proven: map[string]string{"residual": "every rounding of both sides is counted, see gramStep.rounding"},
			Controls: []props.Wrong[gramStep, residualClaim]{
				{Reading: "image-gradient", Draw: func(t *props.T) gramStep { return drawFilterStep(t, filter.stepThroughImage) }},
				{Name: "one site of each batch left out", Assumption: "all-sites", Alter: leaveSiteOut},
				{Name: "weight decay in the step", Assumption: "plain-descent", Draw: func(t *props.T) gramStep {
					return drawFilterStep(t, func(f filter, rate float64, grad *mat.Dense) gramStep {
						return f.step(rate, f.withDecay(grad))
					})
				}},
				{Name: "residual with the opposite sign", Instead: gramStep.oppositeResidual},
				{Name: "residual without cross-patch terms", Instead: gramStep.residualOfSamples},
			},
		},
		props.Drawn[exactFilter, struct{}]{
			Name:    "law on integers",
			Cases:   props.Scale{Quick: 60, Standard: 400, Deep: 20000},
			Regimes: []string{"patches overlap", "patches do not overlap"},
			Draw:    func(t *props.T) exactFilter { return drawExactFilter(t, filter.step) },
			Judge: func(r *props.Record, f exactFilter, _ struct{}) {
				r.RegimeOf(f.Conv.Size <= f.Conv.Stride)
				r.ExactlyMatrix("residual", f.Step.gap(), f.Step.residual())
			},
			Controls: []props.Wrong[exactFilter, struct{}]{
				{Name: "patches of the image's gradient, on integers", Assumption: "own-patch",
					Draw: func(t *props.T) exactFilter { return drawExactFilter(t, filter.stepThroughImage) }},
			},
		},
		props.Drawn[slopeOfFilter, struct{}]{
			Name:  "gradient by differences",
			Cases: props.Scale{Quick: 40, Standard: 300, Deep: 10000},
			Draw:  func(t *props.T) slopeOfFilter { return drawSlopeOfFilter(t, filter.gradient) },
			Judge: func(r *props.Record, s slopeOfFilter, _ struct{}) {
				r.Within("derivative along a direction", s.Backpropagated, s.Quotient, s.Err)
			},
			Controls: []props.Wrong[slopeOfFilter, struct{}]{
				{Name: "weight decay in the gradient", Assumption: "plain-descent", Draw: func(t *props.T) slopeOfFilter {
					return drawSlopeOfFilter(t, func(f filter) *mat.Dense { return f.withDecay(f.gradient()) })
				}},
				{Name: "gradient of the summed loss for that of the mean", Draw: func(t *props.T) slopeOfFilter {
					return drawSlopeOfFilter(t, func(f filter) *mat.Dense {
						batch, _ := f.images.Dims()
						return algebra.Scaled(float64(batch), f.gradient())
					})
				}},
			},
		},
	},
	Along: &props.Along{
		Param: "size", From: 1, To: 7, Of: []string{"rank"},
		At:   map[string]string{"side": "8", "padding": "0", "out": "4"},
		Each: &props.ParamSweep{Name: "in", Values: []string{"1", "2", "4"}},
		Y:    "rank of the difference between the two steps", Places: 7, Reps: 2,
	},
	Try: &props.Simulation{Run: simulateConvolution},
}.Claim()

// filter is a convolution inside a network, on a batch of images.
type filter struct {
	model  *nn.Model
	images *mat.Dense // B×pixels
	labels *mat.Dense // B×outputs
}

// newFilter builds a convolution of small images followed by a dense layer with two outputs.
func newFilter(c nn.Conv, filters, batch int, act nn.Activation, draw func(rows, cols, fanIn int) *mat.Dense) filter {
	down, across := c.Sites()
	hidden := down * across * filters
	return filter{
		model: &nn.Model{Loss: nn.Squared, Stages: []nn.Stage{
			{W: draw(filters, c.PatchLen(), c.PatchLen()), Act: act, Conv: &c},
			{W: draw(2, hidden, hidden), Act: nn.Identity},
		}},
		images: draw(batch, c.Height*c.Width*c.Channels, 1),
		labels: draw(batch, 2, 1),
	}
}

// drawConv draws the geometry of a convolution whose patch fits into the image.
func drawConv(t *props.T, channels, side, pad int) nn.Conv {
	c := nn.Conv{Height: rapid.IntRange(2, side).Draw(t.T, "height"), Width: rapid.IntRange(2, side).Draw(t.T, "width"),
		Channels: gen.Dim(t.T, "channels", channels), Size: gen.Dim(t.T, "k", 3),
		Pad: rapid.IntRange(0, pad).Draw(t.T, "padding"), Stride: gen.Dim(t.T, "stride", 3)}
	c.Size = min(c.Size, min(c.Height, c.Width)+2*c.Pad)
	return c
}

// drawFilter draws a convolution with a smooth activation or any, from that index on.
func drawFilter(t *props.T, filters, batch, first int) filter {
	acts := []nn.Activation{nn.ReLU, nn.LeakyReLU, nn.Identity, nn.Tanh, nn.Sigmoid, nn.Softplus, nn.GELU, nn.ZMinusSin}
	c, act := drawConv(t, 2, 5, 2), rapid.SampledFrom(acts[first:]).Draw(t.T, "activation")
	r := t.Stream("entries")
	return newFilter(c, gen.Dim(t.T, "filters", filters), gen.Dim(t.T, "B", batch), act, keepingSize(r))
}

// keepingSize draws weights that keep the size of their input.
func keepingSize(r *rand.Rand) func(rows, cols, fanIn int) *mat.Dense {
	return func(rows, cols, fanIn int) *mat.Dense {
		return gen.Gaussian(r, rows, cols, 1/math.Sqrt(float64(fanIn)))
	}
}

func (f filter) view() *nn.View {
	var trace nn.Trace
	f.model.Backprop(&trace, f.images, f.labels)
	return &trace.Views[0]
}

// gradient is ΓHᵀ, of the mean loss.
func (f filter) gradient() *mat.Dense {
	grad := mat.DenseCopyOf(f.model.Stages[0].W)
	f.view().WeightGrad(grad)
	return grad
}

// withDecay adds weight decay to a gradient.
func (f filter) withDecay(grad *mat.Dense) *mat.Dense {
	w := f.model.Stages[0].W
	grad.Apply(func(i, j int, x float64) float64 { return x + 0.1*w.At(i, j) }, grad)
	return grad
}

func drawFilterStep(t *props.T, step func(f filter, rate float64, grad *mat.Dense) gramStep) gramStep {
	f := drawFilter(t, 4, 3, 0)
	return step(f, gen.LogUniform(t.T, "γ", 1e-3, 10), f.gradient())
}

// stepThroughImage is a step with the patches of the image's gradient, in which overlapping ones have been added up.
func (f filter) stepThroughImage(rate float64, grad *mat.Dense) gramStep {
	s, view := f.step(rate, grad), f.view()
	n, sites := s.Inputs.Dims()
	patches := mat.NewDense(sites, n, nil)
	view.Stage.Conv.Unfold(patches, view.ImageGrad())
	s.InputGrads = mat.DenseCopyOf(patches.T())
	return s
}

// leaveSiteOut leaves the first of several sites out.
func leaveSiteOut(s *gramStep) {
	n, sites := s.Inputs.Dims()
	if sites == 1 {
		return
	}
	m, _ := s.W.Dims()
	s.Inputs = mat.DenseCopyOf(s.Inputs.Slice(0, n, 1, sites))
	s.InputGrads = mat.DenseCopyOf(s.InputGrads.Slice(0, n, 1, sites))
	s.PreGrads = mat.DenseCopyOf(s.PreGrads.Slice(0, m, 1, sites))
}

// step moves the convolution along −grad and its patches along their gradients, both those of the mean loss.
func (f filter) step(rate float64, grad *mat.Dense) gramStep {
	view, w := f.view(), f.model.Stages[0].W
	return gramStep{W: w, Next: algebra.Sum(algebra.Scaled(-rate, grad), w), Rate: rate,
		Weights: 1, Virtual: 1, Covariance: 1, Inputs: mat.DenseCopyOf(view.Inputs.T()),
		PreGrads: mat.DenseCopyOf(view.PreGrad.T()), InputGrads: mat.DenseCopyOf(view.InputGrad().T())}
}

// exactFilter is a step of a convolution without rounding, of γ = 1.
type exactFilter struct {
	Conv *nn.Conv
	Step gramStep
}

// drawExactFilter draws integers of size 1, 2 with a difference's step, and takes the weights' gradient by differences
// of step 1 of a loss that is convolved by hand. There are at most 25 sites and 2 filters, so a pre-activation is at
// most 18, an output 900, a gradient of the weights 10⁵ and of the Gram matrix 10¹¹ < 2⁵³. One or two images keep 1/B
// dyadic.
func drawExactFilter(t *props.T, step func(f filter, rate float64, grad *mat.Dense) gramStep) exactFilter {
	c, r := drawConv(t, 1, 3, 1), t.Stream("entries")
	f := newFilter(c, gen.Dim(t.T, "filters", 2), gen.Dim(t.T, "B", 2), nn.Identity,
		func(rows, cols, _ int) *mat.Dense { return gen.Integers(r, rows, cols, 1) })
	w := f.model.Stages[0].W
	rows, cols := w.Dims()
	grad := mat.NewDense(rows, cols, derivative.Quadratic(w.RawMatrix().Data, 1,
		func() float64 { return f.lossByHand(c) }))
	return exactFilter{&c, step(f, 1, grad)}
}

// lossByHand is the mean loss of a linear convolution of one channel, pixel by pixel.
func (f filter) lossByHand(c nn.Conv) float64 {
	w, v, sum := f.model.Stages[0].W, f.model.Stages[1].W, 0.0
	filters, _ := w.Dims()
	batch, _ := f.images.Dims()
	for b := range batch {
		out := []float64{-f.labels.At(b, 0), -f.labels.At(b, 1)}
		unit := 0
		for y := -c.Pad; y+c.Size <= c.Height+c.Pad; y += c.Stride {
			for x := -c.Pad; x+c.Size <= c.Width+c.Pad; x += c.Stride {
				for filter := range filters {
					z := 0.0
					for i := range c.Size * c.Size {
						if row, col := y+i/c.Size, x+i%c.Size; row >= 0 && row < c.Height && col >= 0 && col < c.Width {
							z += w.At(filter, i) * f.images.At(b, row*c.Width+col)
						}
					}
					out[0], out[1] = out[0]+v.At(0, unit)*z, out[1]+v.At(1, unit)*z
					unit++
				}
			}
		}
		sum += (out[0]*out[0] + out[1]*out[1]) / 2
	}
	return sum / float64(batch)
}

// slopeOfFilter is the derivative of the loss along a random direction of a convolution's weights.
type slopeOfFilter struct {
	Conv                          *nn.Conv
	Backpropagated, Quotient, Err float64
}

func drawSlopeOfFilter(t *props.T, gradient func(filter) *mat.Dense) slopeOfFilter {
	f := drawFilter(t, 4, 3, 2)
	w, grad := f.model.Stages[0].W, gradient(f)
	rows, cols := w.Dims()
	direction := gen.Gaussian(t.Stream("direction"), rows, cols, 1)
	s := slopeOfFilter{Conv: f.model.Stages[0].Conv}
	s.Quotient, s.Err = derivative.Along(w.RawMatrix().Data, direction.RawMatrix().Data,
		func() float64 { return f.model.Value(f.images, f.labels) })
	grad.MulElem(grad, direction)
	s.Backpropagated = mat.Sum(grad)
	return s
}

// simulateConvolution takes a step of a GELU convolution on one image and counts.
func simulateConvolution(t *props.Trial, v statement.Values) (map[string]float64, error) {
	c := nn.Conv{Height: v.Int("side"), Width: v.Int("side"), Channels: v.Int("in"), Size: v.Int("size"),
		Pad: v.Int("padding"), Stride: v.Int("stride")}
	shape := theory.ConvShape{Size: c.Size, Side: c.Height, Padding: c.Pad, Stride: c.Stride, In: c.Channels,
		Out: v.Int("out")}
	t.Refuse(shape.Valid())
	t.Need(shape.Patch() <= 300 && shape.Out <= 300 && shape.Sites()*float64(shape.Out) <= 1e5,
		"a simulation needs cᵢk² ≤ 300, cₒ ≤ 300 and at most 10⁵ outputs of the convolution")
	f := newFilter(c, shape.Out, 1, nn.GELU, keepingSize(t.Rand))
	s := f.step(1, f.gradient())
	n, sites := s.Inputs.Dims()
	values, rank := must.Get(linalg.SingularValues(s.gap())), 0
	for _, x := range values {
		if x > 1e-10*values[0] {
			rank++
		}
	}
	ones, shown := mat.NewDense(sites, n, nil), mat.NewDense(1, c.Height*c.Width*c.Channels, nil)
	ones.Apply(func(_, _ int, _ float64) float64 { return 1 }, ones)
	c.Fold(shown, ones)
	return map[string]float64{"sites": float64(sites), "patch": float64(n), "rank": float64(rank),
		"overlap": mat.Max(shown)}, nil
}
