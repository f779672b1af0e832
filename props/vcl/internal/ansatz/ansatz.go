// Package ansatz checks the claim vcl/ansatz.
package ansatz

import (
	"errors"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/internal/derivative"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// Claim pairs the neural feature ansatz with linear and nonlinear networks.
var Claim = props.Spec{
	Statement: &theory.Ansatz,
	Checks: []props.Check{
		props.Drawn[outerProducts, struct{}]{
			Name:    "identity within rounding",
			Cases:   props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
			Tries:   20,
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) outerProducts { return drawOuterProducts(t, false, atPreActivation) },
			Judge: func(r *props.Record, o outerProducts, _ struct{}) {
				r.Regime(layers.Shape(o.W))
				r.WithinMatrix("AGOP", o.AGOP, o.twoSided(), o.rounding(r.Unit()))
			},
			Controls: []props.Wrong[outerProducts, struct{}]{
				{Name: "gradients in the layer's output in K", Draw: func(t *props.T) outerProducts {
					return drawOuterProducts(t, false, func(p *nn.Pass) []float64 { return p.OutputGrad[0] })
				}},
				{Name: "skip connection around the layer", Assumption: "only-use",
					Draw: func(t *props.T) outerProducts { return drawOuterProducts(t, true, atPreActivation) }},
			},
		},
		props.Drawn[exactProducts, ansatz]{
			Name:    "identity on integers",
			Cases:   props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
			Tries:   20,
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) exactProducts { return drawExactProducts(t, false, false) },
			Claim:   outerProducts.twoSided,
			Judge: func(r *props.Record, o exactProducts, claim ansatz) {
				r.Regime(layers.Shape(o.W))
				r.ExactlyMatrix("AGOP", o.AGOP, claim(outerProducts(o)))
			},
			Controls: []props.Wrong[exactProducts, ansatz]{
				{Name: "skip connection around the layer, on integers", Assumption: "only-use",
					Draw: func(t *props.T) exactProducts { return drawExactProducts(t, true, true) }},
				{Name: "KW in place of WᵀKW on a square layer",
					Draw:    func(t *props.T) exactProducts { return drawExactProducts(t, true, false) },
					Instead: outerProducts.oneSided},
			},
		},
		balancedLayers,
		balancedFlow,
	},
	Try: &props.Simulation{Run: simulateFlow},
}.Claim()

// ansatz is the average gradient outer product in the inputs of a layer.
type ansatz func(outerProducts) *mat.Dense

// outerProducts are average gradient outer products before and after the weights of a layer.
type outerProducts struct {
	W    *mat.Dense `npy:"W"`    // m×n
	K    *mat.Dense `npy:"K"`    // (1/N)Σ J_zfᵀJ_zf, m×m
	AGOP *mat.Dense `npy:"AGOP"` // (1/N)Σ J_hfᵀJ_hf, n×n
	Rows int        `npy:"rows"` // samples times outputs
}

// Valid names the violated hypothesis.
func (o outerProducts) Valid() error {
	if o.Rows < 1 || !(mat.Trace(o.K) >= 0) {
		return errors.New("an outer product averages at least one gradient, and its trace is not negative")
	}
	return nil
}

// twoSided is WᵀKW.
func (o outerProducts) twoSided() *mat.Dense {
	return algebra.Product(o.W.T(), o.oneSided())
}

// oneSided is KW.
func (o outerProducts) oneSided() *mat.Dense {
	return algebra.Product(o.K, o.W)
}

// rounding is (4m + 2Nk + 6)·u‖W‖² tr K, see the statement. All gradients may vanish.
func (o outerProducts) rounding(unit float64) float64 {
	m, _ := o.W.Dims()
	w := mat.Norm(o.W, 2)
	return float64(4*m+2*o.Rows+6)*unit*w*w*mat.Trace(o.K) + 0x1p-900
}

// drawOuterProducts backpropagates every output of a network whose first layer is on trial: the loss ½‖f − (f − eₖ)‖²
// has the gradient eₖ at the output.
func drawOuterProducts(t *props.T, skip bool, gradient func(*nn.Pass) []float64) outerProducts {
	n, m, outputs, size := gen.Dim(t.T, "n", 10), gen.Dim(t.T, "m", 10), gen.Dim(t.T, "outputs", 3),
		gen.Dim(t.T, "N", 4)
	r, act := t.Stream("entries"), rapid.SampledFrom(nn.Activations).Draw(t.T, "activation")
	if skip {
		n = m
	}
	net := nn.Net{{W: gen.Gaussian(r, m, n, gen.LogUniform(t.T, "scale", 0.1, 10)), Act: act, Skip: skip},
		{W: gen.Gaussian(r, outputs, m, 1), Act: nn.Identity}}
	byH, byZ := mat.NewDense(size*outputs, n, nil), mat.NewDense(size*outputs, m, nil)
	for row := range size * outputs {
		h := gen.Gaussian(r, n, 1, 1).RawMatrix().Data
		y := net.Forward(h, nil)
		y[row%outputs]--
		p := net.Backprop(h, y)
		byH.SetRow(row, p.InputGrad[0])
		byZ.SetRow(row, gradient(p))
	}
	return outerProducts{W: net[0].W, K: average(byZ, size), AGOP: average(byH, size), Rows: size * outputs}
}

func atPreActivation(p *nn.Pass) []float64 { return p.PreGrad[0] }

// average is JᵀJ/N.
func average(jacobian *mat.Dense, size int) *mat.Dense {
	out := algebra.Product(jacobian.T(), jacobian)
	out.Scale(1/float64(size), out)
	return out
}

// exactProducts are outer products without rounding.
type exactProducts struct {
	W, K, AGOP *mat.Dense
	Rows       int
}

// drawExactProducts takes Jacobians by differences of outputs alone, in the inputs and in the biases, which move z as
// they move. Weights are integers and pre-activations odd multiples of ½, so that no kink is near; N is dyadic.
func drawExactProducts(t *props.T, square, skip bool) exactProducts {
	n, m, outputs, size := gen.Dim(t.T, "n", 4), gen.Dim(t.T, "m", 4), gen.Dim(t.T, "outputs", 3), 1<<rapid.IntRange(0,
		1).Draw(t.T, "log2 N")
	act := rapid.SampledFrom([]nn.Activation{nn.Identity, nn.ReLU, nn.LeakyReLU}).Draw(t.T, "activation")
	if square {
		n = m
	}
	r := t.Stream("entries")
	bias := gen.Integers(r, m, 1, 3).RawMatrix().Data
	floats.AddConst(0.5, bias)
	net := nn.Net{{W: gen.Integers(r, m, n, 3), B: bias, Act: act, Skip: skip},
		{W: gen.Integers(r, outputs, m, 3), Act: nn.Identity}}
	byH, byZ := mat.NewDense(size*outputs, n, nil), mat.NewDense(size*outputs, m, nil)
	for row := range size * outputs {
		h := gen.Integers(r, n, 1, 3).RawMatrix().Data
		output := func() float64 { return net.Forward(h, nil)[row%outputs] }
		byH.SetRow(row, derivative.Quadratic(h, 0x1p-6, output))
		byZ.SetRow(row, derivative.Quadratic(bias, 0x1p-6, output))
	}
	return exactProducts{W: net[0].W, K: average(byZ, size), AGOP: average(byH, size), Rows: size * outputs}
}
