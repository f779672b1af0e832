package vcl

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// linearity pairs the bounds with ridge regressions, and the change of the similarity with a layer's gradient step.
var linearity = props.Claim{
	Statement: &theory.Linearity,
	Verify: []props.LegacyCheck{
		linearityBounds(linearityTrial{}),
		linearityTight(linearityTrial{}),
		linearityChange(linearityTrial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "mean eigenvalue for the largest", Assumption: "top", Check: linearityBounds(linearityTrial{meanTop: true})},
		{Name: "regression on centred targets", Assumption: "no-intercept", Check: linearityBounds(linearityTrial{centred: true})},
		{Name: "bounds at half of the penalty", Assumption: "same-penalty", Check: linearityBounds(linearityTrial{penalty: 0.5})},
		{Name: "bounds at twice the penalty", Assumption: "same-penalty", Check: linearityBounds(linearityTrial{penalty: 2})},
		{Name: "λ/(λ+μ) not squared", Check: linearityTight(linearityTrial{unsquared: true})},
		{Name: "step along the sign of the gradient", Assumption: "plain-descent", Check: linearityChange(linearityTrial{signs: true})},
		{Name: "skip connection around the layer", Assumption: "only-use", Check: linearityChange(linearityTrial{skip: true})},
		{Name: "change of the similarity without its second order", Check: linearityChange(linearityTrial{firstOrder: true})},
	},
	Errata: []props.Refutation{
		{Erratum: "vacuous", Check: printedBeatsTrivial()},
		{Erratum: "norm-not-squared", Check: printedNorm()},
	},
	Resolve: []props.Resolution{
		{Of: "both bounds, tightened where they are attained", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return linearityTight(linearityTrial{dose: dose}) }},
		{Of: "the change of the similarity, on integers", Unit: props.Exact, Check: func(dose float64) props.LegacyCheck { return linearityChange(linearityTrial{dose: dose}) }},
	},
}

// linearityTrial is the version of the claim on trial. The zero value is the claim itself.
type linearityTrial struct {
	dose       float64 // 1−T is claimed to lie in the bounds moved inwards by this share; the change of S times 1+dose
	penalty    float64 // the bounds use this times λ when positive
	meanTop    bool    // μ is the mean of the eigenvalues that are not zero
	centred    bool    // the regression is on Y − Ȳ, the bounds have e₁ = ‖Y‖²
	unsquared  bool    // λ/(λ+x) for its square
	signs      bool
	skip       bool
	firstOrder bool
}

// regression is one instance.
type regression struct {
	h      *mat.Dense // d×N
	y      []float64
	lambda float64
}

// draw makes a random instance whose targets have an offset and lie partly in the row space of H.
func (linearityTrial) draw(t *props.T) regression {
	d, n := gen.Dim(t.T, "d", 8), 2+gen.Dim(t.T, "N−2", 20)
	r := t.Stream("entries")
	h := gen.Gaussian(r, d, n, 1)
	for i := range d {
		floats.Scale(gen.Scale(t.T, "size of a feature", 0.1, 3), h.RawRowView(i))
	}
	y := mixedTargets(r, h, float64(rapid.IntRange(0, 4).Draw(t.T, "weight on features")))
	return regression{h, y, gen.Scale(t.T, "λ", 1e-2, 100)}
}

// mixedTargets are noise with an offset plus weight times a combination of the features.
func mixedTargets(r *rand.Rand, h *mat.Dense, weight float64) []float64 {
	d, n := h.Dims()
	var y mat.VecDense
	y.MulVec(h.T(), mat.NewVecDense(d, gen.Gaussian(r, d, 1, weight).RawMatrix().Data))
	offset := r.NormFloat64()
	for i := range n {
		y.SetVec(i, y.AtVec(i)+r.NormFloat64()+offset)
	}
	return y.RawVector().Data
}

// fit is what a regression came to: T, the closed form's view of it, and the rounding of T.
type fit struct {
	linearity float64
	theory.LinearFit
	slack float64
}

// run solves the regression and measures what the bounds need.
func (v linearityTrial) run(in regression) (fit, error) {
	d, n := in.h.Dims()
	y := append([]float64{}, in.y...)
	mean := floats.Sum(y) / float64(n)
	targets := append([]float64{}, y...)
	if v.centred {
		floats.AddConst(-mean, targets)
	}
	fitted, err := features.Ridge(in.h, targets, in.lambda)
	if err != nil {
		return fit{}, err
	}
	values, err := linalg.SingularValues(in.h)
	if err != nil {
		return fit{}, err
	}
	top := values[0] * values[0]
	if v.meanTop {
		top = floats.Dot(values, values) / float64(len(values))
	}
	var hy mat.VecDense
	hy.MulVec(in.h, mat.NewVecDense(n, y))
	f := fit{LinearFit: theory.LinearFit{Lambda: in.lambda, Top: top, Similarity: mat.Dot(&hy, &hy), E1: floats.Dot(y, y)}}
	if v.penalty > 0 {
		f.Lambda *= v.penalty
	}
	rest := 0.0
	for i := range y {
		f.E0 += (y[i] - mean) * (y[i] - mean)
		rest += (targets[i] - fitted[i]) * (targets[i] - fitted[i])
	}
	f.linearity = 1 - rest/f.E0
	f.slack = float64(8*d*d+4*n+40) * 0x1p-53 * (1 + values[0]*values[0]/in.lambda) * f.E1 / f.E0
	return f, nil
}

// judge asks whether T lies between the bounds, which a dose moves towards each other by a share of e₁/e₀.
func (v linearityTrial) judge(f fit) props.Ratio {
	lower, upper := f.Lower(), f.Upper()
	if v.unsquared {
		upper = 1 - f.E1/f.E0*math.Sqrt((1-upper)*f.E0/f.E1)
	}
	inwards := v.dose * f.E1 / f.E0
	return props.Worst(props.AtMost(lower+inwards, f.linearity, f.slack), props.AtMost(f.linearity, upper-inwards, f.slack))
}

func (v linearityTrial) ratio(t *props.T, in regression) props.Ratio {
	f, err := v.run(in)
	t.Show("H", in.h)
	t.Show("Y", in.y)
	t.Show("λ", in.lambda)
	t.Show("bounds and T", []float64{f.Lower(), f.linearity, f.Upper()})
	if err != nil {
		t.Show("error", err)
		return props.Truth(false)
	}
	return v.judge(f)
}

// linearityBounds are both bounds on random regressions.
func linearityBounds(v linearityTrial) props.LegacyCheck {
	return props.Property{
		Name:  "both bounds",
		Cases: props.Scale{Quick: 400, Standard: 4000, Deep: 200000},
		Prop:  func(t *props.T) props.Ratio { return v.ratio(t, v.draw(t)) },
	}.Check()
}

// linearityTight are both bounds where each is attained: features with orthogonal rows of one length, for which the
// eigenvalues are 0 and μ, and targets that are one of the eigenvectors, for which the bounds meet.
func linearityTight(v linearityTrial) props.LegacyCheck {
	return props.Property{
		Name:  "both bounds where they are attained",
		Cases: props.Scale{Quick: 200, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			d := gen.Dim(t.T, "d", 6)
			n := d + gen.Dim(t.T, "N−d", 8)
			r := t.Stream("entries")
			h := mat.DenseCopyOf(gen.Orthonormal(r, n, d).T())
			h.Scale(gen.Scale(t.T, "√μ", 0.3, 3), h)
			return v.ratio(t, regression{h, append([]float64{}, h.RawRowView(0)...), gen.Scale(t.T, "λ", 1e-1, 10)})
		},
	}.Check()
}

// linearityChange is the change of ‖WHY‖² by a step of a layer inside a network, on integers, with the gradient of the
// backward pass, and its first order by the gradients in the hidden states. Integers of at most 2 in a network of two layers keep everything below 2⁵³.
func linearityChange(v linearityTrial) props.LegacyCheck {
	return props.Property{
		Name:  "change of the similarity on integers",
		Cases: props.Scale{Quick: 200, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			in := integerLayer(t)
			if m, n := in.net[0].W.Dims(); v.skip && m == n {
				in.net[0].Skip = true
			}
			batch := in.net.BatchAt(0, in.samples, in.targets)
			w, grad := in.net[0].W, batch.WeightGrad()
			moved := mat.DenseCopyOf(grad)
			if v.signs {
				moved.Apply(func(_, _ int, x float64) float64 { return float64(sign(x)) }, moved)
			}
			_, size := batch.Inputs.Dims()
			var hy, next mat.Dense
			hy.Mul(batch.Inputs, gen.Integers(t.Stream("targets"), size, 1, 2))
			next.Scale(-in.rate, moved)
			next.Add(w, &next)
			before, after, change := image(w, &hy), image(&next, &hy), image(grad, &hy)
			claimed := (1 + v.dose) * theory.SimilarityChange(before, change, in.rate)
			if v.firstOrder {
				claimed = -2 * in.rate * floats.Dot(before, change)
			}
			measured := floats.Dot(after, after) - floats.Dot(before, before)
			var back, along mat.Dense
			back.Mul(batch.InputGrads.T(), &hy)
			along.Mul(batch.Inputs.T(), &hy)
			virtual := floats.Dot(back.RawMatrix().Data, along.RawMatrix().Data)
			t.Show("W", w)
			t.Show("∇", grad)
			t.Show("HY", &hy)
			t.Show("γ", in.rate)
			t.Show("change of S, measured and claimed", []float64{measured, claimed})
			t.Show("(WHY)·(∇HY), and by the gradients in the hidden states", []float64{floats.Dot(before, image(grad, &hy)), virtual})
			return props.Worst(props.Exactly(measured-claimed), props.Exactly(floats.Dot(before, image(grad, &hy))-virtual))
		},
	}.Check()
}

// image is a·x for a column x.
func image(a, x *mat.Dense) []float64 {
	var y mat.Dense
	y.Mul(a, x)
	return y.RawMatrix().Data
}
