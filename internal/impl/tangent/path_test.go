package tangent_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/impl/tangent"
)

func twoLayers(r *rand.Rand, d, width int, act nn.Activation) nn.Net {
	return nn.Net{
		{W: gaussian(r, width, d), B: gaussian(r, width, 1).RawMatrix().Data, Act: act},
		{W: gaussian(r, 1, width), B: []float64{r.NormFloat64()}, Act: nn.Identity},
	}
}

// One linear layer: the gradient is the input wherever on the path. Two: f = a·w·x, whose gradient is linear in t.
func TestPathOfLinearNetworks(t *testing.T) {
	x := mat.NewDense(1, 1, []float64{3})
	net := func(w, a float64) nn.Net {
		return nn.Net{{W: mat.NewDense(1, 1, []float64{w}), Act: nn.Identity},
			{W: mat.NewDense(1, 1, []float64{a}), Act: nn.Identity}}
	}
	p := tangent.Path{Start: net(1, 2), End: net(5, 4)}
	for _, rule := range []tangent.Rule{tangent.Midpoint(1), tangent.Trapezoid(2), tangent.Gauss(3),
		tangent.PlainMean(5)} {
		mean := p.Averaged(x, rule)
		if !(math.Abs(mean.At(0, 0)-9) <= 1e-14 && math.Abs(mean.At(0, 1)-9) <= 1e-14) { // 3·mean(a), 3·mean(w)
			t.Errorf("mean %v", mat.Formatted(mean))
		}
	}
	if got := floats.Dot(p.Averaged(x, tangent.Midpoint(1)).RawRowView(0),
		p.Step()); math.Abs(got-p.Change(x)[0]) > 1e-13 {
		t.Errorf("%v is not the change %v", got, p.Change(x)[0])
	}
}

// The identity holds to the accuracy of the quadrature, for ReLU across its kinks too.
func TestAdaptiveQuadrature(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, act := range []nn.Activation{nn.Tanh, nn.ReLU, nn.GELU} {
		p := tangent.Path{Start: twoLayers(r, 3, 4, act), End: twoLayers(r, 3, 4, act)}
		x := gaussian(r, 2, 3)
		mean, step := p.AveragedAdaptively(x, 1e-12), p.Step()
		for i, want := range p.Change(x) {
			if got := floats.Dot(mean.RawRowView(i), step); !(math.Abs(got-want) <= 1e-10) {
				t.Errorf("%s: %v, want %v", act.Name, got, want)
			}
		}
	}
}

// Weights of every rule add up to 1.
func TestRules(t *testing.T) {
	for _, rule := range []tangent.Rule{tangent.Midpoint(7), tangent.Trapezoid(7), tangent.Gauss(7),
		tangent.PlainMean(7)} {
		if !(math.Abs(floats.Sum(rule.Weights)-1) <= 1e-15) {
			t.Errorf("%v", rule)
		}
	}
}

// Both kernels against the Gram matrix of explicit features, with and without biases.
func TestKernelsByLayers(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	deep := func() nn.Net {
		return nn.Net{
			{W: gaussian(r, 4, 3), B: gaussian(r, 4, 1).RawMatrix().Data, Act: nn.ReLU},
			{W: gaussian(r, 5, 4), Act: nn.Tanh},
			{W: gaussian(r, 1, 5), B: []float64{0.3}, Act: nn.Identity},
		}
	}
	p, x := tangent.Path{Start: deep(), End: deep()}, gaussian(r, 6, 3)
	gram := func(phi *mat.Dense) *mat.Dense {
		var k mat.Dense
		k.Mul(phi, phi.T())
		return &k
	}
	if got, want := tangent.LayerKernel(tangent.FactorsOf(p.Start, x)),
		gram(tangent.NetFeatures(p.Start, x)); !mat.EqualApprox(got, want, 1e-12) {
		t.Errorf("kernel\n%v\nwant\n%v", mat.Formatted(got), mat.Formatted(want))
	}
	for _, rule := range []tangent.Rule{tangent.Midpoint(5), tangent.Trapezoid(2), tangent.Midpoint(1)} {
		if got, want := p.AveragedKernel(x, rule), gram(p.Averaged(x, rule)); !mat.EqualApprox(got, want, 1e-12) {
			t.Errorf("averaged kernel\n%v\nwant\n%v", mat.Formatted(got), mat.Formatted(want))
		}
	}
}
