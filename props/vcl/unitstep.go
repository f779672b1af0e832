package vcl

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// layer is a layer of m units about to take a step on one sample: its input and the gradient of the loss at its
// output are prescribed. A linear layer in front of it lets a control move what lies below.
type layer struct {
	act   nn.Activation
	w     *mat.Dense // m×n
	input []float64  // h₋, n
	p     []float64  // ∂loss/∂a, m
	step  float64    // γ

	second  []float64 // input of a second sample in the same batch; nil for one sample
	secondP []float64

	bias, lower, signs bool // train a bias; update the layer below too; step along the sign of the gradient
}

// newLayer returns a layer whose unit i has pre-activation z[i] at input h.
func newLayer(r *rand.Rand, act nn.Activation, h, z, p []float64, step float64) layer {
	w := mat.NewDense(len(z), len(h), nil)
	square := floats.Dot(h, h)
	for i := range z {
		row := w.RawRowView(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		at := floats.Dot(row, h)
		for j := range row {
			row[j] += (z[i] - at) / square * h[j]
		}
	}
	return layer{act: act, w: w, input: h, p: p, step: step}
}

// fixed is the stream of worked cases, whose result does not depend on what it draws.
func fixed() *rand.Rand { return props.Stream(0, "worked case") }

// moves is what a step did to the units, as the implementation saw it.
type moves struct {
	z, actual, virtual []float64 // z, Δa = σ(z⁺) − σ(z), Δv = −γp
	slope              []float64 // s, the derivative of the backward pass
	slack              []float64 // rounding of Δa, see the statement's numerical form
	inputNorm          float64   // ‖h₋‖
	samples            []*nn.Pass
	products           []float64 // hⱼ·h₋ for every sample j of the batch
}

// take runs the network forwards, backwards and forwards again. The loss ½‖a − y‖² with y = a − p has the
// prescribed gradient at the layer's output.
func (l layer) take() moves {
	m, n := l.w.Dims()
	identity := mat.NewDense(n, n, nil)
	for j := range n {
		identity.Set(j, j, 1)
	}
	net := nn.Net{{W: identity, Act: nn.Identity}, {W: l.w, B: make([]float64, m), Act: l.act}}
	first := pass(net, l.input, l.p)
	grads := []*nn.Pass{first}
	if l.second != nil {
		grads = append(grads, pass(net, l.second, l.secondP))
	}
	after := l.update(net, grads).Forward(l.input, nil)

	out := moves{z: first.Pre[1], slope: make([]float64, m), actual: make([]float64, m), virtual: make([]float64, m),
		slack: make([]float64, m), inputNorm: floats.Norm(l.input, 2), samples: grads}
	stretch, norms := theory.Shapes[l.act.Name].Lipschitz, make([]float64, len(grads))
	for k, p := range grads {
		norms[k] = floats.Norm(p.Input[1], 2) * out.inputNorm
		out.products = append(out.products, floats.Dot(p.Input[1], l.input))
	}
	for i := range m {
		before := l.act.Value(first.Pre[1][i])
		out.actual[i], out.virtual[i] = after[i]-before, -l.step*first.OutputGrad[1][i]
		out.slope[i] = l.act.Slope(first.Pre[1][i])
		terms := 0.0
		for k, p := range grads {
			terms += l.step * math.Abs(p.PreGrad[1][i]) * norms[k]
		}
		for j, w := range l.w.RawRowView(i) {
			terms += math.Abs(w * l.input[j])
		}
		out.slack[i] = 0x1p-53 * (float64(3*n+14)*stretch*terms + 8*(math.Abs(before)+math.Abs(after[i])))
	}
	return out
}

// pass backpropagates the loss whose gradient at the output is p.
func pass(net nn.Net, x, p []float64) *nn.Pass {
	y := net.Forward(x, nil)
	for i := range y {
		y[i] -= p[i]
	}
	return net.Backprop(x, y)
}

// update returns the network after the step on the summed loss of the samples.
func (l layer) update(net nn.Net, samples []*nn.Pass) nn.Net {
	next := nn.Net{
		{W: mat.DenseCopyOf(net[0].W), Act: net[0].Act},
		{W: mat.DenseCopyOf(net[1].W), B: append([]float64{}, net[1].B...), Act: net[1].Act},
	}
	for _, p := range samples {
		descend(next[1].W, p.PreGrad[1], p.Input[1], l.step, l.signs)
		if l.lower {
			descend(next[0].W, p.PreGrad[0], p.Input[0], l.step, false)
		}
		for i, g := range p.PreGrad[1] {
			if l.bias {
				next[1].B[i] -= l.step * g
			}
		}
	}
	return next
}

// descend subtracts γ g hᵀ from w, with the sign of g in place of g when signs is set.
func descend(w *mat.Dense, g, h []float64, step float64, signs bool) {
	for i, gi := range g {
		if signs && gi != 0 {
			gi = math.Copysign(1, gi)
		}
		row := w.RawRowView(i)
		for j := range row {
			row[j] -= step * gi * h[j]
		}
	}
}
