package emergence

import (
	"math"

	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// drawMoments draws the gradient of a user's neuron, coordinate by coordinate, and the level that the claim gives A.
func drawMoments(_ *props.Trial, v statement.Values) ([]props.Figure, error) {
	l := latticeOf(v)
	on, outside := props.Curve{Name: "on A", Style: props.Points}, props.Curve{Name: "outside A", Style: props.Points}
	for j, t := range l.Moments() {
		c := &outside
		if j < len(l.Law.Support) {
			c = &on
		}
		c.Add(float64(j), t)
	}
	g := theory.Gradient{Law: mixtureOf(v).Bits(), Steps: l.Steps, Unit: l.Unit, Bias: l.Bias, Noise: float64(l.Noise)}
	level := g.Certificate().Level()
	predicted := props.Curve{Name: "βγ/σ̃, predicted", Style: props.Dashed, X: []float64{0, float64(l.Law.Dim - 1)},
		Y: []float64{level, level}}
	curves := []props.Curve{on, predicted}
	if len(outside.X) > 0 {
		curves = append(curves, outside)
	}
	return []props.Figure{{ID: "moments", Title: "The first gradient, coordinate by coordinate",
		Caption: "Tⱼ = E[y φⱼ ψ(z)] by convolution over all inputs. On A it is near βγ/σ̃, outside near 0.",
		X:       props.Axis{Label: "coordinate j"}, Y: props.Axis{Label: "Tⱼ"}, Curves: curves}}, nil
}

// latticeOf returns the neuron at a user's parameters.
func latticeOf(v statement.Values) truncated.Lattice {
	law := wideOf(v)
	return truncated.Lattice{Law: law, Steps: theory.Sevens(law.Dim), Unit: v.Float("spread") / 20 / law.Deviation(),
		Bias: v.Float("bias"), Noise: truncated.Smooth(v.Float("noise"))}
}

// convolve computes T by convolution at a user's parameters.
func convolve(t *props.Trial, v statement.Values) (map[string]float64, error) {
	dim, k := v.Int("D"), v.Int("k")
	t.Need(k <= dim && k%2 == 1, "k=%d cannot be simulated: k is odd and at most D=%d", k, dim)
	l := latticeOf(v)
	on, outside, square := 0.0, 0.0, 0.0
	for j, t := range l.Moments() {
		square += t * t
		if j < k {
			on += t
		} else {
			outside = max(outside, math.Abs(t))
		}
	}
	return map[string]float64{"sigma": l.Law.Deviation(), "on": on / float64(k), "outside": outside,
		"cosine": on / math.Sqrt(float64(k)*square)}, nil
}
