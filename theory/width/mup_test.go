package width

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The table of one step: own moves of h¹ and h², total of h², and the output for L = 1 and L = 2.
func TestMuP(t *testing.T) {
	for _, c := range []struct {
		name string
		sign bool
		rate float64
		want [5]float64
	}{
		{"standard", false, 0, [5]float64{-0.5, 0.5, 0.5, 1, 1}}, {"standard", false, 1, [5]float64{-1.5, -0.5, -0.5, 0, 0}},
		{"tangent", false, 0, [5]float64{-0.5, -0.5, -0.5, 0, 0}}, {"mean-field", false, 0, [5]float64{0, 0, 0, 0, 0}},
		{"maximal", false, 0, [5]float64{0, 0, 0, 0, 0}}, {"standard", true, 0, [5]float64{0, 1, 1, 1, 1.5}},
		{"standard", true, 1, [5]float64{-1, 0, 0, 0, 0.5}}, {"tangent", true, 0.5, [5]float64{-0.5, 0, 0, 0, 0.5}},
		{"tangent", true, 1, [5]float64{-1, -0.5, -0.5, -0.5, 0}}, {"maximal", true, 0, [5]float64{0, 0, 0, 0, 0}},
	} {
		var outputs []float64
		for hidden := 1; hidden <= 2; hidden++ {
			p := NamedParametrisation(c.name, hidden, c.sign)
			require.NoError(t, p.Valid())
			for l := range p.C {
				p.C[l] += c.rate
			}
			m := p.Moves()
			outputs = append(outputs, m.Output)
			require.Equal(t, m, p.Shifted(0.5).Moves(), c.name)
			if hidden == 2 {
				require.Equal(t, c.want, [5]float64{m.Own[0], m.Own[1], m.Total[1], outputs[0], outputs[1]}, c.name)
			}
		}
	}
	require.Equal(t, NamedParametrisation("mean-field", 3, false), NamedParametrisation("maximal", 3, false).Shifted(0.5))
	output, hidden := FirstMove("erf", false, 1)
	near(t, "output", output, 1.03396908913, 1e-11)
	near(t, "hidden", math.Sqrt(hidden), .754592628332, 1e-12)
	output, hidden = FirstMove("erf", true, 1.72)
	size, slope := 2/math.Pi*math.Atan(math.Sqrt2), 2/math.Sqrt(3*math.Pi) // E|erf|, E erf′
	near(t, "E|erf|", size, .608173447969, 1e-12)
	near(t, "E erf′", slope, .651470015871, 1e-12)
	near(t, "output, sign", output, size+1.72*math.Sqrt(2/math.Pi)*slope, 1e-12)
	near(t, "hidden, sign", hidden, 1.72*1.72, 1e-15)
	output, _ = FirstMove("sine", false, 1)
	near(t, "output of a sine", output, 1, 1e-14)
	output, _ = FirstMove("sine", true, 1)
	near(t, "output of a sine, sign", output, 1.132908542663, 1e-11)
	near(t, "a shift that rounds", NamedParametrisation("standard", 3, true).Shifted(-3.9).Moves().Output, 1.5, 1e-14)
	_, hidden = FirstMove("erf", true, 0.5) // below the 2-norm
	near(t, "no 1-norm", hidden, math.NaN(), 0)
	naive := Parametrisation{A: []float64{0, 1, 1}, B: make([]float64, 3), C: []float64{-1, -1, -1}}
	require.Error(t, naive.Valid())
	near(t, "naive mean field", naive.Moves().Output, math.NaN(), 0)
}
