package emergence

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// inputsOf lists a user's law input by input.
func inputsOf(t *props.Trial, v statement.Values) (data.Wide, data.Sample) {
	needFew(t, v, 14, "all 2^D inputs are")
	law := wideOf(v)
	return law, listInputs(law, func(_ int, p float64) float64 { return p })
}

// afterStep takes the first step of a neuron with the given weights, restores its bias, and returns its weights and T.
func afterStep(s data.Sample, v statement.Values, w *mat.Dense, rate float64) (q, t []float64) {
	gate := truncated.Smooth(v.Float("noise"))
	net := truncated.Paired(w, []float64{v.Float("bias")}, []float64{1})
	net, _ = net.Descend(s, truncated.Step{Rate: rate, Noise: gate, KeepA: 1})
	net.B[0] = v.Float("bias")
	t = net.Gradient(s, gate).W.RawRowView(0)
	floats.Scale(-1/net.A[0], t)
	return net.W.RawRowView(0), t
}

// twoSteps measures the second gradient of one neuron over all inputs.
func twoSteps(t *props.Trial, v statement.Values) (map[string]float64, error) {
	law, s := inputsOf(t, v)
	k := len(law.Support)
	q, moments := afterStep(s, v, gen.Gaussian(t.Rand, 1, law.Dim, 1/float64(k)), v.Float("rate"))
	level, sum, product, square := floats.Sum(moments[:k])/float64(k), floats.Sum(q[:k]), 0.0, 0.0
	for j := k; j < law.Dim; j++ {
		lead := q[j] * sum
		product, square = product+moments[j]*lead, square+lead*lead
	}
	return map[string]float64{"beta": level * law.Deviation() / mixtureOf(v).Covariance(), "level": level,
		"coefficient": product / square}, nil
}

// drawOrder plots ‖T outside A‖ of one neuron and its leading order against the size of the first step.
func drawOrder(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	law, s := inputsOf(t, v)
	k, m := len(law.Support), mixtureOf(v)
	t.Need(k < law.Dim, "k=%d cannot be drawn: there is no coordinate outside A", k)
	second := theory.Second{Gamma: m.Covariance(), Sigma: m.Deviation(), Mean: 0.5, Background: law.Background,
		Bias: v.Float("bias"), Noise: v.Float("noise")}
	w := gen.Gaussian(t.Rand, 1, law.Dim, 1/float64(k))
	found := props.Curve{Name: "over all inputs", Style: props.Points}
	lead := props.Curve{Name: "leading order, predicted", Style: props.Dashed}
	for i := -4; i <= 8; i++ {
		rate := v.Float("rate") * math.Exp2(float64(i))
		q, moments := afterStep(s, v, w, rate)
		sum, square := floats.Sum(q[:k]), 0.0
		for j := k; j < law.Dim; j++ {
			square += math.Pow(second.Outside(q[j], sum), 2)
		}
		found.Add(rate, floats.Norm(moments[k:], 2))
		lead.Add(rate, math.Sqrt(square))
	}
	return []props.Figure{{ID: "order", Title: "The second gradient outside A against the size of the first step",
		Caption: "‖T outside A‖ of one neuron after a first step of size η₁, over all inputs, and its leading " +
			"order, which is of second order in the size.",
		X:      props.Axis{Label: "η₁", Log: true},
		Y:      props.Axis{Label: "‖T outside A‖", Log: true},
		Curves: []props.Curve{found, lead}}}, nil
}
