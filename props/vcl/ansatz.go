package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// ansatz pairs the neural feature ansatz with linear and nonlinear networks.
var ansatz = props.Claim{
	Statement: &theory.Ansatz,
	Verify: []props.LegacyCheck{
		ansatzExactly(ansatzTrial{}),
		ansatzRounded(ansatzTrial{}),
		ansatzExponent(ansatzTrial{}),
		ansatzTrained(ansatzTrial{}),
		trainingGradient(false),
	},
	Controls: []props.LegacyControl{
		{Name: "skip connection around the layer", Assumption: "only-use", Check: ansatzExactly(ansatzTrial{skip: true})},
		{Name: "KW in place of WᵀKW on a square layer", Check: ansatzExactly(ansatzTrial{oneSided: true})},
		{Name: "gradients in the layer's output in K", Check: ansatzRounded(ansatzTrial{noSlope: true})},
		{Name: "unbalanced start", Assumption: "balanced", Check: ansatzExponent(ansatzTrial{unbalanced: true})},
		{Name: "gradient steps of 0.05 in place of the flow", Assumption: "flow", Check: ansatzExponent(ansatzTrial{euler: true})},
		{Name: "exponent 1/(L+1)", Check: ansatzExponent(ansatzTrial{deeper: true})},
		{Name: "a large start in place of the small one", Assumption: "small-start", Check: ansatzTrained(ansatzTrial{largeStart: true})},
		{Name: "the ends of the two starts exchanged", Check: ansatzTrained(ansatzTrial{exchanged: true})},
		{Name: "networks that are not trained", Check: ansatzTrained(ansatzTrial{untrained: true})},
		{Name: "gradient of the summed loss for that of the mean", Check: trainingGradient(true)},
	},
	Errata: []props.Refutation{
		{Erratum: "exponent-one", Check: ansatzExponent(ansatzTrial{exponentOne: true})},
	},
	Resolve: []props.Resolution{
		{Of: "the identity, on integers", Unit: props.Exact, Check: func(dose float64) props.LegacyCheck { return ansatzExactly(ansatzTrial{dose: dose}) }},
		{Of: "the identity, in floating point", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return ansatzRounded(ansatzTrial{dose: dose}) }},
		{Of: "the exponent", Unit: props.Exponent, Check: func(dose float64) props.LegacyCheck { return ansatzExponent(ansatzTrial{dose: dose}) }},
	},
}

// ansatzTrial is the version of the claim on trial. The zero value is the claim itself.
type ansatzTrial struct {
	dose        float64 // WᵀKW times 1+dose; the exponent plus dose
	skip        bool
	oneSided    bool // KW for WᵀKW
	noSlope     bool // K from the gradient in the layer's output in place of its pre-activation
	unbalanced  bool // the first layer starts 1.5 times as large
	euler       bool // the flow is followed by plain gradient steps
	deeper      bool
	exponentOne bool
	largeStart  bool // the small start is the large one
	exchanged   bool // each ends where the other did
	untrained   bool // both end where they started
}

// ansatzExactly compares WᵀKW with the Jacobian of a linear network of integers by differences of its output.
func ansatzExactly(v ansatzTrial) props.LegacyCheck {
	return props.Property{
		Name:  "identity on integers",
		Cases: props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			n, m, out := gen.Dim(t.T, "n", 4), gen.Dim(t.T, "m", 4), gen.Dim(t.T, "outputs", 3)
			if v.skip || v.oneSided {
				m = n
			}
			r := t.Stream("entries")
			net := nn.Net{{W: gen.Integers(r, m, n, 3), Act: nn.Identity, Skip: v.skip}, {W: gen.Integers(r, out, m, 3), Act: nn.Identity}}
			h := gen.Integers(r, n, 1, 3).RawMatrix().Data
			var jacobian, byZ, agop mat.Dense
			jacobian.CloneFrom(outputDifferences(net, h))
			byZ.CloneFrom(outputGradients(net, h, out, false))
			agop.Mul(jacobian.T(), &jacobian)
			claimed := v.sandwich(net[0].W, &byZ)
			t.Show("W", net[0].W)
			t.Show("AGOP", &agop)
			t.Show("WᵀKW", claimed)
			agop.Sub(&agop, claimed)
			return props.Exactly(mat.Norm(&agop, 2))
		},
	}.Check()
}

// sandwich is WᵀJᵀJW, as the version on trial has it.
func (v ansatzTrial) sandwich(w, byZ *mat.Dense) *mat.Dense {
	var jw, k, out mat.Dense
	if v.oneSided {
		k.Mul(byZ.T(), byZ)
		out.Mul(&k, w)
	} else {
		jw.Mul(byZ, w)
		out.Mul(jw.T(), &jw)
	}
	out.Scale(1+v.dose, &out)
	return &out
}

// outputDifferences is the Jacobian in h (outputs×n) by central differences of step 1, exact for linear networks.
func outputDifferences(net nn.Net, h []float64) *mat.Dense {
	outputs := len(net.Forward(h, nil))
	j := mat.NewDense(outputs, len(h), nil)
	for k := range outputs {
		copy(j.RawRowView(k), differences(h, func() float64 { return net.Forward(h, nil)[k] }))
	}
	return j
}

// outputGradients is the Jacobian in the first layer's pre-activation, one backward pass per output: the loss
// ½‖f − (f − eₖ)‖² has the gradient eₖ at the output. With atOutput it is the Jacobian in the layer's output.
func outputGradients(net nn.Net, h []float64, outputs int, atOutput bool) *mat.Dense {
	m, _ := net[0].W.Dims()
	j := mat.NewDense(outputs, m, nil)
	for k := range outputs {
		p := net.Backprop(h, shiftedTarget(net, h, k))
		if atOutput {
			j.SetRow(k, p.OutputGrad[0])
		} else {
			j.SetRow(k, p.PreGrad[0])
		}
	}
	return j
}

func shiftedTarget(net nn.Net, h []float64, k int) []float64 {
	y := net.Forward(h, nil)
	y[k]--
	return y
}

// ansatzRounded compares WᵀKW with backpropagated input gradients of GELU networks, within (2(m+k)+4)·u‖W‖²‖J_zf‖² for k outputs.
func ansatzRounded(v ansatzTrial) props.LegacyCheck {
	return props.Property{
		Name:  "identity within rounding",
		Cases: props.Scale{Quick: 150, Standard: 1000, Deep: 50000},
		Prop: func(t *props.T) props.Ratio {
			n, m, out := gen.Dim(t.T, "n", 10), gen.Dim(t.T, "m", 10), gen.Dim(t.T, "outputs", 3)
			r, scale := t.Stream("entries"), gen.Scale(t.T, "scale", 0.3, 3)
			net := nn.Net{{W: gen.Gaussian(r, m, n, scale), Act: nn.GELU}, {W: gen.Gaussian(r, out, m, 1), Act: nn.Identity}}
			h := gen.Gaussian(r, n, 1, 1).RawMatrix().Data
			jacobian, byZ := mat.NewDense(out, n, nil), outputGradients(net, h, out, v.noSlope)
			for k := range out {
				jacobian.SetRow(k, net.Backprop(h, shiftedTarget(net, h, k)).InputGrad[0])
			}
			var agop mat.Dense
			agop.Mul(jacobian.T(), jacobian)
			claimed := v.sandwich(net[0].W, byZ)
			t.Show("W", net[0].W)
			t.Show("h", h)
			t.Show("AGOP", &agop)
			t.Show("WᵀKW", claimed)
			agop.Sub(&agop, claimed)
			size := math.Pow(mat.Norm(net[0].W, 2)*mat.Norm(byZ, 2), 2)
			return props.Within(mat.Norm(&agop, 2), float64(2*(m+out)+4)*0x1p-53*size)
		},
	}.Check()
}
