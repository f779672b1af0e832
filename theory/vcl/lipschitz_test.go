package vcl_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/vcl"
)

// Twelve digits of the printed constants; the formulas err by a few units in the last place.
func close12(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("%s: got %.17g, want %.17g", what, got, want)
	}
}

func TestGELUIsNotOneLipschitz(t *testing.T) {
	l := vcl.Shapes["gelu"].Lipschitz
	close12(t, "L", l, 1.1289041451851547)
	close12(t, "L²", l*l, 1.2744245690162248)
	close12(t, "slope at −√2", vcl.Shapes["gelu"].Slope(-math.Sqrt2), 1-1.1289041451851547)
	close12(t, "sup|σ″|", vcl.Shapes["gelu"].Curvature, 0.79788456080286536)
}

// Every constant of a shape is a supremum over a grid, approached to the grid's resolution: near a smooth maximum
// the relative gap is at most the squared grid step.
func TestConstantsAreSuprema(t *testing.T) {
	const step = 1e-3
	for name, s := range vcl.Shapes {
		slope, curvature, third := 0.0, 0.0, 0.0
		for z := -12.0; z <= 12; z += step {
			slope = max(slope, math.Abs(s.Slope(z)))
			curvature = max(curvature, math.Abs(s.Slope(z+step)-s.Slope(z-step))/(2*step))
			third = max(third, math.Abs(s.Slope(z+step)-2*s.Slope(z)+s.Slope(z-step))/(step*step))
		}
		for _, c := range []struct {
			what              string
			measured, claimed float64
		}{{"sup|σ′|", slope, s.Lipschitz}, {"sup|σ″|", curvature, s.Curvature}, {"sup|σ‴|", third, s.Third}} {
			if math.IsNaN(c.claimed) { // kinked
				continue
			}
			if !(math.Abs(c.measured-c.claimed) <= 1e-5*(1+c.claimed)) {
				t.Errorf("%s: %s is %v on a grid, claimed %v", name, c.what, c.measured, c.claimed)
			}
		}
	}
}

// The rates that a simulation of 10⁵ pairs gave lie within 0.002 of these.
func TestWrongSignRate(t *testing.T) {
	for c, want := range map[float64]float64{0: 0, 0.1: 0.031725517430553569, 0.5: 0.14758361765043326,
		-0.5: 0.14758361765043326, 1: 0.25} {
		close12(t, "rate", vcl.WrongSignRate(c), want)
	}
	require.True(t, math.IsNaN(vcl.WrongSignRate(1.5)))
	require.True(t, math.IsNaN(vcl.WrongSignRate(math.NaN())))
}

func TestUnitStepOutsideTheHypotheses(t *testing.T) {
	require.True(t, math.IsNaN(vcl.UnitStep{InputNorm: -1, Shape: vcl.Shapes["tanh"]}.Bound()))
	require.True(t, math.IsNaN(vcl.UnitStep{InputNorm: 1}.Local(1)))
	require.True(t, math.IsNaN(vcl.UnitStep{InputNorm: 1, Virtual: 1, Shape: vcl.Shapes["relu"]}.Remainder(1)))
}

// The mini-batch of the erratum: h = 1 twice, p = (1, −3), γ = 0.1 and the identity give at most 0.1·(1 + 3).
func TestBatchBound(t *testing.T) {
	b := vcl.BatchStep{Shape: vcl.Shapes["identity"], Step: 0.1, Products: []float64{1, 1}, PreGrads: []float64{1, -3}}
	close12(t, "bound", b.Bound(), 0.4)
	b.PreGrads = nil
	require.True(t, math.IsNaN(b.Bound()))
}
