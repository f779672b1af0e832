package vcl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// convolution pairs the law on patches with a convolution under a dense layer.
var convolution = props.Claim{
	Statement: &theory.Convolution,
	Verify: []props.LegacyCheck{
		convolutionExactly(convolutionTrial{}),
		convolutionRounded(convolutionTrial{}),
		convolutionGradient(convolutionTrial{}),
		convolutionOrder(convolutionTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "patches of the image's gradient, on integers", Assumption: "own-patch", Check: convolutionExactly(convolutionTrial{image: true})},
		{Name: "patches of the image's gradient, order", Assumption: "own-patch", Check: convolutionOrder(convolutionTrial{image: true})},
		{Name: "one site of each image left out", Assumption: "all-sites", Check: convolutionRounded(convolutionTrial{skipped: true})},
		{Name: "weight decay in the step", Assumption: "plain-descent", Check: convolutionOrder(convolutionTrial{decay: 0.1})},
		{Name: "weight decay in the gradient", Assumption: "plain-descent", Check: convolutionGradient(convolutionTrial{decay: 0.1})},
		{Name: "residual with the opposite sign", Check: convolutionRounded(convolutionTrial{dose: -2})},
		{Name: "residual without cross-patch terms", Check: convolutionRounded(convolutionTrial{noCrossTerms: true})},
	},
	Errata: []props.Refutation{
		{Erratum: "image-gradient", Check: convolutionOrder(convolutionTrial{image: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the residual, on integers", Unit: props.Exact, Check: func(dose float64) props.LegacyCheck { return convolutionExactly(convolutionTrial{dose: dose}) }},
		{Of: "the residual, in floating point", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return convolutionRounded(convolutionTrial{dose: dose}) }},
		{Of: "the order in the step size", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return convolutionOrder(convolutionTrial{dose: dose}) }},
	},
}

// convolutionTrial is the version of the claim on trial. The zero value is the claim itself.
type convolutionTrial struct {
	dose         float64 // the residual times 1+dose; the order plus dose
	image        bool    // the gradient of a patch is cut out of the gradient of the image
	skipped      bool    // the covariance leaves out the first patch
	noCrossTerms bool    // Σ‖gᵢ‖²hᵢhᵢᵀ in place of HΓᵀΓHᵀ
	decay        float64 // the step is along ∇ + decay·W̃
}

// filter is a convolution inside a network, on a batch of images.
type filter struct {
	model  *nn.Model
	images *mat.Dense // B×pixels
	labels *mat.Dense // B×outputs
	step   float64
}

// newFilter builds a convolution of small images followed by a dense layer with two outputs. The weights are drawn with
// the standard deviation 1/√fan-in that the entries of draw are given.
func newFilter(c nn.Conv, channels, batch int, act nn.Activation, draw func(rows, cols, fanIn int) *mat.Dense) filter {
	down, across := c.Sites()
	hidden := down * across * channels
	return filter{
		model: &nn.Model{Loss: nn.Squared, Stages: []nn.Stage{
			{W: draw(channels, c.PatchLen(), c.PatchLen()), Act: act, Conv: &c},
			{W: draw(2, hidden, hidden), Act: nn.Identity},
		}},
		images: draw(batch, c.Height*c.Width*c.Channels, 1),
		labels: draw(batch, 2, 1),
		step:   1,
	}
}

// convShape draws the geometry of a convolution.
func convShape(t *props.T) nn.Conv {
	c := nn.Conv{Height: rapid.IntRange(2, 4).Draw(t.T, "height"), Width: rapid.IntRange(2, 5).Draw(t.T, "width"), Channels: gen.Dim(t.T, "channels", 2),
		Size: gen.Dim(t.T, "k", 3), Pad: rapid.IntRange(0, 2).Draw(t.T, "padding"), Stride: gen.Dim(t.T, "stride", 2)}
	if c.Pad == 0 {
		c.Size = min(c.Size, c.Height, c.Width) // a patch fits into the image
	}
	return c
}

// convolved is one step of the convolution: what it did beyond the covariance shift, and what it was taken at.
type convolved struct {
	gap   *mat.Dense       // W̃⁺ᵀW̃⁺ − W̃ᵀW̃ − (H⁺H⁺ᵀ − HHᵀ)
	shift float64          // ‖W̃⁺ᵀW̃⁺ − W̃ᵀW̃‖
	at    theory.LayerStep // patches in columns
}

// take moves the convolution by −step·grad and its patches by their gradients. The loss is the mean over the batch, and
// so are all gradients: one convention for both sides.
func (f filter) take(grad *mat.Dense, v convolutionTrial) convolved {
	var trace nn.Trace
	f.model.Backprop(&trace, f.images, f.labels)
	view := &trace.Views[0]
	w := f.model.Stages[0].W
	at := theory.LayerStep{W: w, Inputs: mat.DenseCopyOf(view.Inputs.T()), PreGrads: mat.DenseCopyOf(view.PreGrad.T()), Step: f.step, Convention: theory.Sum}
	if grad == nil {
		grad = new(mat.Dense)
		grad.Mul(at.PreGrads, at.Inputs.T())
	}
	patches := mat.DenseCopyOf(view.InputGrad().T())
	if v.image {
		patches = f.cutImage(view)
	}
	var by, next, gap, before, decay mat.Dense
	decay.Scale(v.decay, w)
	by.Add(grad, &decay)
	by.Scale(f.step, &by)
	next.Sub(w, &by)
	gap.Mul(next.T(), &next)
	before.Mul(w.T(), w)
	gap.Sub(&gap, &before)
	size := mat.Norm(&gap, 2)
	gap.Sub(&gap, patchShift(at.Inputs, patches, f.step, v))
	return convolved{&gap, size, at}
}

// cutImage returns the patches of the image's gradient, in which overlapping patches have been added up.
func (f filter) cutImage(view *nn.View) *mat.Dense {
	rows, cols := view.Inputs.Dims()
	patches := mat.NewDense(rows, cols, nil)
	view.Stage.Conv.Unfold(patches, view.ImageGrad())
	return mat.DenseCopyOf(patches.T())
}

// patchShift is H⁺H⁺ᵀ − HHᵀ, expanded.
func patchShift(h, p *mat.Dense, step float64, v convolutionTrial) *mat.Dense {
	if rows, cols := h.Dims(); v.skipped && cols > 1 {
		h, p = mat.DenseCopyOf(h.Slice(0, rows, 1, cols)), mat.DenseCopyOf(p.Slice(0, rows, 1, cols))
	}
	return covarianceShift(nn.Batch{Inputs: h, InputGrads: p}, step)
}

// claimed is the residual that the version on trial claims.
func (c convolved) claimed(v convolutionTrial) *mat.Dense {
	r := gramStep{W: c.at.W, Inputs: c.at.Inputs, PreGrads: c.at.PreGrads, Rate: c.at.Step, Weights: 1, Virtual: 1, Covariance: 1}.
		residual(map[bool]string{true: "no cross terms"}[v.noCrossTerms])
	r.Scale(1+v.dose, r)
	return r
}

// discrepancy is the norm of gap minus claimed residual.
func (c convolved) discrepancy(v convolutionTrial) float64 {
	var diff mat.Dense
	diff.Sub(c.gap, c.claimed(v))
	return mat.Norm(&diff, 2)
}

func (c convolved) show(t *props.T, f filter, v convolutionTrial) {
	t.Show("convolution", fmt.Sprintf("%+v", *f.model.Stages[0].Conv))
	t.Show("W̃", c.at.W)
	t.Show("patches in columns", c.at.Inputs)
	t.Show("Γ", c.at.PreGrads)
	t.Show("gap", c.gap)
	t.Show("claimed residual", c.claimed(v))
}

// convolutionExactly is the law on integers with the weights' gradient by differences of the loss. Entries are at most 1, 2
// with a difference's step; there are at most 25 sites and 2 filters, so a pre-activation is at most 18, an output 900, a
// gradient of the weights 10⁵ and of the Gram matrix 10¹¹ < 2⁵³. One or two images keep 1/B dyadic.
func convolutionExactly(v convolutionTrial) props.LegacyCheck {
	return props.Property{
		Name:  "law on integers",
		Cases: props.Scale{Quick: 60, Standard: 400, Deep: 20000},
		Prop: func(t *props.T) props.Ratio {
			c := convShape(t)
			c.Channels, c.Pad, c.Height, c.Width = 1, min(c.Pad, 1), min(c.Height, 3), min(c.Width, 3)
			r := t.Stream("entries")
			f := newFilter(c, gen.Dim(t.T, "filters", 2), gen.Dim(t.T, "B", 2), nn.Identity,
				func(rows, cols, _ int) *mat.Dense { return gen.Integers(r, rows, cols, 1) })
			w := f.model.Stages[0].W
			rows, cols := w.Dims()
			grad := mat.NewDense(rows, cols, differences(w.RawMatrix().Data, func() float64 { return f.model.Value(f.images, f.labels) }))
			o := f.take(grad, v)
			o.show(t, f, v)
			return props.Exactly(o.discrepancy(v))
		},
	}.Check()
}

// convolutionRounded is the law on GELU networks, within vcl/residual's bound.
func convolutionRounded(v convolutionTrial) props.LegacyCheck {
	return props.Property{
		Name:  "law within rounding",
		Cases: props.Scale{Quick: 60, Standard: 400, Deep: 20000},
		Prop: func(t *props.T) props.Ratio {
			c, r := convShape(t), t.Stream("entries")
			f := newFilter(c, gen.Dim(t.T, "filters", 4), gen.Dim(t.T, "B", 3), nn.GELU, gaussianFanIn(r))
			f.step = gen.Scale(t.T, "γ", 1e-2, 1)
			o := f.take(nil, v)
			o.show(t, f, v)
			return props.Within(o.discrepancy(v), outcome{step: o.at}.rounding())
		},
	}.Check()
}

// convolutionGradient holds ΓHᵀ of GELU networks against differences of the loss along a random direction, so that Γ is the
// gradient that the law speaks about and not just any matrix, for which it holds too.
func convolutionGradient(v convolutionTrial) props.LegacyCheck {
	return props.Property{
		Name:  "gradient by differences",
		Cases: props.Scale{Quick: 40, Standard: 300, Deep: 10000},
		Prop: func(t *props.T) props.Ratio {
			c, r := convShape(t), t.Stream("entries")
			f := newFilter(c, gen.Dim(t.T, "filters", 4), gen.Dim(t.T, "B", 3), nn.GELU, gaussianFanIn(r))
			at, w := f.take(nil, v).at, f.model.Stages[0].W
			var grad, decay mat.Dense
			grad.Mul(at.PreGrads, at.Inputs.T())
			decay.Scale(v.decay, w)
			grad.Add(&grad, &decay)
			return lossSlope(t, r, f.model, f.images, f.labels, 0, &grad)
		},
	}.Check()
}

func gaussianFanIn(r *rand.Rand) func(rows, cols, fanIn int) *mat.Dense {
	return func(rows, cols, fanIn int) *mat.Dense {
		return gen.Gaussian(r, rows, cols, 1/math.Sqrt(float64(fanIn)))
	}
}

// filterRun is the gap of one convolution along a ladder of step sizes.
type filterRun struct {
	rungs                   // of the gap, with its rounding
	relative, imageRelative []float64
}

// convolutionOrder is the order of the gap in the step size, exactly 2.
func convolutionOrder(v convolutionTrial) props.LegacyCheck {
	share := ""
	if v == (convolutionTrial{dose: v.dose}) {
		share = "filters"
	}
	return props.LegacySweep[int, filterRun]{
		Name:  "order in the step size, on patches",
		Share: share,
		Cells: func(e props.Effort) []int {
			return props.Indices(props.Scale{Quick: 20, Standard: 60, Deep: 2000}.At(e))
		},
		Measure: func(t *props.Trial, _ int) filterRun { return v.descend(t.Rand) },
		Judge:   func(_ []int, runs []filterRun) props.Judgement { return v.judgeOrder(runs) },
	}.Check()
}

// descend takes steps γ = 2⁻⁴ … 2⁻⁸ of one convolution with 3×3 patches and no padding.
func (v convolutionTrial) descend(r *rand.Rand) filterRun {
	f := newFilter(nn.Conv{Height: 6, Width: 6, Channels: 2, Size: 3, Stride: 1}, 3, 2, nn.GELU, gaussianFanIn(r))
	var run filterRun
	for e := -4; e >= -8; e-- {
		f.step = math.Ldexp(1, e)
		o, image := f.take(nil, v), f.take(nil, convolutionTrial{image: true})
		run.steps = append(run.steps, f.step)
		run.errors = append(run.errors, mat.Norm(o.gap, 2))
		run.beyond = append(run.beyond, outcome{step: o.at}.rounding())
		run.relative = append(run.relative, mat.Norm(o.gap, 2)/o.shift)
		run.imageRelative = append(run.imageRelative, mat.Norm(image.gap, 2)/image.shift)
	}
	return run
}

func (v convolutionTrial) judgeOrder(runs []filterRun) props.Judgement {
	all := make([]rungs, len(runs))
	for i, run := range runs {
		all[i] = run.rungs
	}
	parts, mean := ofOrder("order in γ", all, 2+v.dose)
	first := runs[0]
	return props.Judgement{
		Parts: parts,
		Facts: []props.Fact{props.Noted("mean order in γ of the gap on patches", mean, 2)},
		Figures: []props.Figure{{
			ID:    "patches",
			Title: "Patch gradients against image gradients",
			Caption: "The gap relative to the Gram shift for one 3×3 convolution, on logarithmic axes. With a virtual step of every patch on its own " +
				"it falls in proportion to the step size; with patches cut out of the image's gradient it does not fall at all.",
			X: props.Axis{Label: "step size γ", Log: true}, Y: props.Axis{Label: "‖gap‖/‖Gram shift‖", Log: true},
			Curves: []props.Curve{
				{Name: "every patch on its own", Style: props.Points, X: first.steps, Y: first.relative},
				{Name: "patches of the image's gradient", Style: props.Points, X: first.steps, Y: first.imageRelative},
			},
		}},
		Counterexample: fmt.Sprintf("mean order %.4g; relative gap %.3g at γ = %g and %.3g at γ = %g", mean,
			first.relative[0], first.steps[0], first.relative[len(first.relative)-1], first.steps[len(first.steps)-1]),
	}
}
