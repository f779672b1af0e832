package vcl

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// practice is a batch convention as a training loop would have it; theory's Convention follows from it and B.
type practice int

const (
	sumSumSum practice = iota // loss of the weights, loss of the virtual step, covariance
	meanMeanSum
	meanSumMean
	meanMeanMean // does not cancel
	meanSumSum   // does not cancel
	sumSumMean   // does not cancel
)

func (p practice) scales(batch int) theory.Convention {
	mean := 1 / float64(batch)
	return map[practice]theory.Convention{
		sumSumSum:    {Weights: 1, Virtual: 1, Covariance: 1},
		meanMeanSum:  {Weights: mean, Virtual: mean, Covariance: 1},
		meanSumMean:  {Weights: mean, Virtual: 1, Covariance: mean},
		meanMeanMean: {Weights: mean, Virtual: mean, Covariance: mean},
		meanSumSum:   {Weights: mean, Virtual: 1, Covariance: 1},
		sumSumMean:   {Weights: 1, Virtual: 1, Covariance: mean},
	}[p]
}

// instance is a layer inside a network, on a batch. Column i of a matrix is sample i.
type instance struct {
	net              nn.Net
	samples, targets *mat.Dense
	step             float64
	scales           theory.Convention
}

// integerInstance draws a network on which float64 arithmetic is exact: integers of at most 2 in size, dimensions of
// at most 4, a batch of 1, 2 or 4 so that 1/B is dyadic, and an integer step. Gradients stay below 10⁴ and the
// fourth-order products of the identity below 10¹⁵ < 2⁵³.
func integerInstance(t *props.T) instance {
	n, m, k := gen.Dim(t.T, "n", 4), gen.Dim(t.T, "m", 4), gen.Dim(t.T, "k", 3)
	batch := 1 << rapid.IntRange(0, 2).Draw(t.T, "log2 B")
	act := []nn.Activation{nn.Identity, nn.ReLU}[rapid.IntRange(0, 1).Draw(t.T, "activation")]
	r := t.Stream("entries")
	return instance{
		net: nn.Net{
			{W: gen.Integers(r, m, n, 2), Act: act},
			{W: gen.Integers(r, k, m, 2), Act: nn.Identity},
		},
		samples: gen.Integers(r, n, batch, 2), targets: gen.Integers(r, k, batch, 2),
		step:   float64(rapid.IntRange(1, 3).Draw(t.T, "γ")),
		scales: practice(rapid.IntRange(0, 2).Draw(t.T, "practice")).scales(batch),
	}
}

// realInstance draws a network of three layers and speaks about the middle one.
func realInstance(t *props.T, v residualTrial) instance {
	n, m, batch := gen.Dim(t.T, "n", 8), gen.Dim(t.T, "m", 8), gen.Dim(t.T, "B", 8)
	if v.transposed || v.skip {
		m = n
	}
	r := t.Stream("entries")
	scale := gen.Scale(t.T, "scale", 0.1, 10)
	p := v.practice
	if p <= meanSumMean {
		p = practice(rapid.IntRange(0, int(meanSumMean)).Draw(t.T, "practice"))
	}
	return instance{
		net:     smoothNet(r, 3, n, m, 2, v.skip),
		samples: gen.Gaussian(r, 3, batch, scale), targets: gen.Gaussian(r, 2, batch, scale),
		step: gen.Scale(t.T, "γ", 1e-3, 1), scales: p.scales(batch),
	}
}

// smoothNet is a GELU network in→n→m→out whose weights keep the size of their input. skip adds a skip connection
// around the middle layer.
func smoothNet(r *rand.Rand, in, n, m, out int, skip bool) nn.Net {
	layer := func(rows, cols int, act nn.Activation) nn.Layer {
		return nn.Layer{W: gen.Gaussian(r, rows, cols, 1/math.Sqrt(float64(cols))), Act: act}
	}
	net := nn.Net{layer(n, in, nn.GELU), layer(m, n, nn.GELU), layer(out, m, nn.Identity)}
	net[1].Skip = skip
	return net
}

// outcome is one step of the layer, as the implementation takes it.
type outcome struct {
	gap  *mat.Dense // W⁺ᵀW⁺ − WᵀW − (H⁺H⁺ᵀ − HHᵀ), n×n
	step theory.LayerStep
}

// take takes the step of layer l. The covariance shift is expanded, −γ(HPᵀ + PHᵀ) + γ²PPᵀ with P the input
// gradients, because the difference of two outer products loses a factor ‖h‖/(γ‖p‖) of relative accuracy.
func (in instance) take(l int, v residualTrial) outcome {
	batch := in.net.BatchAt(l, in.samples, in.targets)
	w, c := in.net[l].W, in.scales
	step := batch.WeightGrad()
	if v.transposed {
		step = mat.DenseCopyOf(step.T())
	}
	if v.clipped {
		step.Scale(0.5, step)
	}
	step.Scale(-in.step*c.Weights, step)
	var next, gap, gram mat.Dense
	next.Add(w, step)
	gap.Mul(next.T(), &next)
	gram.Mul(w.T(), w)
	gap.Sub(&gap, &gram)
	gap.Sub(&gap, covarianceShift(batch, in.step*c.Virtual, c.Covariance, v))
	return outcome{&gap, theory.LayerStep{W: w, Inputs: batch.Inputs, PreGrads: batch.PreGrads, Step: in.step, Convention: c}}
}

// covarianceShift returns scale·(H⁺H⁺ᵀ − HHᵀ) for the virtual step H⁺ = H − γP.
func covarianceShift(b nn.Batch, step, scale float64, v residualTrial) *mat.Dense {
	h, p := b.Inputs, b.InputGrads
	switch {
	case v.meanState:
		h, p = columnMean(h), columnMean(p)
	case v.centred:
		h, p = centred(h), centred(p)
	}
	var cross, square mat.Dense
	cross.Mul(h, p.T())
	square.Mul(p, p.T())
	cross.Add(&cross, mat.DenseCopyOf(cross.T()))
	cross.Scale(-step*scale, &cross)
	square.Scale(step*step*scale, &square)
	cross.Add(&cross, &square)
	return &cross
}

// centred subtracts the mean of the columns from each of them.
func centred(h *mat.Dense) *mat.Dense {
	var c mat.Dense
	mean := columnMean(h)
	c.Apply(func(i, _ int, x float64) float64 { return x - mean.At(i, 0) }, h)
	return &c
}

// columnMean is the mean of the columns, as a column.
func columnMean(h *mat.Dense) *mat.Dense {
	n, batch := h.Dims()
	mean := mat.NewDense(n, 1, nil)
	for i := range n {
		mean.Set(i, 0, mat.Sum(h.RowView(i))/float64(batch))
	}
	return mean
}

// claimed returns the residual that the version on trial claims.
func (o outcome) claimed(v residualTrial) *mat.Dense {
	r := o.step.Residual()
	if v.noCrossTerms {
		r.Zero()
		m, n := o.step.W.Dims()
		_, batch := o.step.Inputs.Dims()
		for i := range batch {
			sample := o.step
			sample.Inputs = mat.DenseCopyOf(o.step.Inputs.Slice(0, n, i, i+1))
			sample.PreGrads = mat.DenseCopyOf(o.step.PreGrads.Slice(0, m, i, i+1))
			r.Add(r, sample.Residual())
		}
	}
	r.Scale(1+v.dose, r)
	return r
}

// rounding is (2(m+B)+12)·u·S, the bound of the statement's numerical form.
func (o outcome) rounding() float64 {
	m, batch := o.step.PreGrads.Dims()
	return float64(2*(m+batch)+12) * 0x1p-53 * o.step.Magnitude()
}

// discrepancy is the norm of gap minus claimed residual.
func (o outcome) discrepancy(v residualTrial) float64 {
	var diff mat.Dense
	diff.Sub(o.gap, o.claimed(v))
	return mat.Norm(&diff, 2)
}

// show records the instance for the reader of a counterexample.
func (o outcome) show(t *props.T, v residualTrial) {
	t.Show("W", o.step.W)
	t.Show("H, hidden states in columns", o.step.Inputs)
	t.Show("Γ, pre-activation gradients in columns", o.step.PreGrads)
	t.Show("γ", o.step.Step)
	t.Show("scales of weight loss, virtual loss, covariance", o.step.Convention)
	t.Show("W⁺ᵀW⁺ − WᵀW − (H⁺H⁺ᵀ − HHᵀ)", o.gap)
	t.Show("claimed residual", o.claimed(v))
}
