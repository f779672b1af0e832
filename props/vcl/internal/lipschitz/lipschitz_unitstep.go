package lipschitz

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// unitStep is a step of a layer of m units on one sample, as the implementation took it.
type unitStep struct {
	Activation string     `npy:"activation"` // σ
	W          *mat.Dense `npy:"W"`          // m×n
	Input      []float64  `npy:"h"`          // h₋, n
	Pre        []float64  `npy:"pre"`        // z, m
	PreNext    []float64  `npy:"pre_next"`   // z⁺
	Slope      []float64  `npy:"slope"`      // s, the derivative of the backward pass
	OutputGrad []float64  `npy:"grad"`       // p = ∂loss/∂a
	Out        []float64  `npy:"out"`        // a = σ(z)
	OutNext    []float64  `npy:"out_next"`   // a⁺
	Rate       float64    `npy:"step"`       // γ
}

// Valid names the violated hypothesis. Slopes are rounded.
func (s unitStep) Valid() error {
	for _, slope := range s.Slope {
		if !(math.Abs(slope) <= theory.Shapes[s.Activation].Lipschitz*(1+1e-6)) {
			return fmt.Errorf("a slope of %g exceeds the Lipschitz constant %g of %s", slope,
				theory.Shapes[s.Activation].Lipschitz, s.Activation)
		}
	}
	return nil
}

// unit is the closed form for unit i.
func (s unitStep) unit(i int) theory.UnitStep {
	return theory.UnitStep{Shape: theory.Shapes[s.Activation], InputNorm: floats.Norm(s.Input, 2),
		Virtual: -s.Rate * s.OutputGrad[i]}
}

// rounding bounds the rounding of z⁺ − z and of a⁺ − a for unit i, see the statement.
func (s unitStep) rounding(i int, unit float64) (pre, out float64) {
	terms := s.Rate * math.Abs(s.Slope[i]*s.OutputGrad[i]) * floats.Dot(s.Input, s.Input)
	for j, w := range s.W.RawRowView(i) {
		terms += math.Abs(w * s.Input[j])
	}
	pre = float64(3*len(s.Input)+14)*unit*terms + underflow
	return pre, theory.Shapes[s.Activation].Lipschitz*pre + 8*unit*(math.Abs(s.Out[i])+math.Abs(s.OutNext[i]))
}

// underflow is more than what may be lost below the normal numbers, and counts as nothing: a unit may be dead.
const underflow = 0x1p-900

// layer is a layer about to take a step: the inputs of a batch and the gradients of the losses at its output are
// prescribed, a sample each. A linear layer in front of it lets a control move what lies below.
type layer struct {
	act    nn.Activation
	w      *mat.Dense  // m×n
	inputs [][]float64 // hⱼ, n each
	p      [][]float64 // ∂lossⱼ/∂aⱼ, m each
	rate   float64     // γ
}

// newLayer returns a layer whose unit i has pre-activation z[i] at input h.
func newLayer(r *rand.Rand, act nn.Activation, h, z, p []float64, rate float64) layer {
	w := mat.NewDense(len(z), len(h), nil)
	square := floats.Dot(h, h)
	for i := range z {
		row := w.RawRowView(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		floats.AddScaled(row, (z[i]-floats.Dot(row, h))/square, h)
	}
	return layer{act, w, [][]float64{h}, [][]float64{p}, rate}
}

// updating returns the network after the step on the summed loss of the samples.
type updating func(l layer, net nn.Net, passes []*nn.Pass) nn.Net

// take runs the network forwards, backwards and forwards again, and looks at the first sample.
func (l layer) take(update updating) (s unitStep, passes []*nn.Pass) {
	m, n := l.w.Dims()
	identity := mat.NewDense(n, n, nil)
	for j := range n {
		identity.Set(j, j, 1)
	}
	net := nn.Net{{W: identity, Act: nn.Identity}, {W: l.w, B: make([]float64, m), Act: l.act}}
	for j, h := range l.inputs {
		passes = append(passes, backprop(net, h, l.p[j]))
	}
	first, after := passes[0], &nn.Pass{}
	outNext := update(l, net, passes).Forward(l.inputs[0], after)
	s = unitStep{Activation: l.act.Name, W: l.w, Input: l.inputs[0], Pre: first.Pre[1], PreNext: after.Pre[1],
		Slope: make([]float64, m), OutputGrad: first.OutputGrad[1], Out: net.Forward(l.inputs[0], nil),
		OutNext: outNext,
		Rate:    l.rate}
	for i, z := range s.Pre {
		s.Slope[i] = l.act.Slope(z)
	}
	return s, passes
}

// backprop is the backward pass of the loss ½‖a − y‖² whose gradient at the output is p, with y = a − p.
func backprop(net nn.Net, x, p []float64) *nn.Pass {
	y := net.Forward(x, nil)
	floats.Sub(y, p)
	return net.Backprop(x, y)
}

// update moves the weights of the layer.
func (l layer) update(net nn.Net, passes []*nn.Pass) nn.Net {
	next := nn.Net{
		{W: mat.DenseCopyOf(net[0].W), Act: net[0].Act},
		{W: mat.DenseCopyOf(net[1].W), B: append([]float64{}, net[1].B...), Act: net[1].Act},
	}
	for _, p := range passes {
		descend(next[1].W, p.PreGrad[1], p.Input[1], l.rate)
	}
	return next
}

// updateWithBias moves its bias as well.
func (l layer) updateWithBias(net nn.Net, passes []*nn.Pass) nn.Net {
	next := l.update(net, passes)
	for _, p := range passes {
		floats.AddScaled(next[1].B, -l.rate, p.PreGrad[1])
	}
	return next
}

// updateBoth moves the layer below as well.
func (l layer) updateBoth(net nn.Net, passes []*nn.Pass) nn.Net {
	next := l.update(net, passes)
	for _, p := range passes {
		descend(next[0].W, p.PreGrad[0], p.Input[0], l.rate)
	}
	return next
}

// updateAlongSign moves the weights along the signs of the gradients.
func (l layer) updateAlongSign(net nn.Net, passes []*nn.Pass) nn.Net {
	next := l.update(net, nil)
	for _, p := range passes {
		g := append([]float64{}, p.PreGrad[1]...)
		for i, gi := range g {
			if gi != 0 {
				g[i] = math.Copysign(1, gi)
			}
		}
		descend(next[1].W, g, p.Input[1], l.rate)
	}
	return next
}

// descend subtracts γ g hᵀ from w.
func descend(w *mat.Dense, g, h []float64, rate float64) {
	for i, gi := range g {
		row := w.RawRowView(i)
		for j := range row {
			row[j] -= rate * gi * h[j]
		}
	}
}
