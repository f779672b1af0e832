package onestep

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/hermite"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v within %.2g", what, got, want, tolerance)
	}
}

// reference is the worked example: √e(sin z + cos z) − 1, teacher H₁ + H₂/√2 (energy 2), noise variance 1/4.
var reference = Step{Phi: 0.5, Psi: 0.6, Activation: Activation("sincos"), Linear: 1, Energy: 2.25}

func TestLimitsOfTheReferenceStep(t *testing.T) {
	near(t, "b²", math.Pow(reference.Length(), 2), 2.125, 1e-14)
	near(t, "ρ", reference.Alignment(), 0.68599434, 1e-8)
	near(t, "ρ²", math.Pow(reference.Alignment(), 2), 0.470588, 5e-7)
	near(t, "s", math.Sqrt(reference.Remainder()), 1.3903, 5e-5) // √(φ·2.25·(e−1))
	near(t, "literal", reference.LiteralRemainder(), 1.3635, 5e-5)
	near(t, "threshold in units of θ", reference.WeightSpike(reference.Threshold()).Strength, 1.13622, 5e-6)
}

// The table of the outlier of W₁ at φ = 1/2, ψ = 0.6, to the digits that it was worked out to.
func TestOutlierOfTheWeights(t *testing.T) {
	for _, row := range []struct{ eta, theta, location, right, left, beta float64 }{
		{1.2, 1.749, 2.5043, 0.6195, 0.5322, 0.2915},
		{2, 2.915, 3.3709, 0.8741, 0.8168, 0.4113},
		{4, 5.831, 6.0593, 0.9700, 0.9519, 0.4565},
	} {
		w := reference.WeightSpike(row.eta)
		require.True(t, w.Visible())
		near(t, "θ", w.Strength, row.theta, 5e-4)
		near(t, "location", w.Location(), row.location, 5e-5)
		near(t, "right", w.Right(), row.right, 5e-5)
		near(t, "left", w.Left(), row.left, 5e-5)
		near(t, "overlap with β⋆", w.Right()*math.Pow(reference.Alignment(), 2), row.beta, 5e-5)
	}
	near(t, "edge", reference.WeightSpike(1).Edge(), 2.2910, 5e-5)

	below := reference.WeightSpike(0.4)
	require.False(t, below.Visible())
	require.True(t, math.IsNaN(below.Location()))
	require.Zero(t, below.Right())
	require.Zero(t, below.Left())
}

func TestTheOutlierLeavesTheBulkContinuously(t *testing.T) {
	for _, psi := range []float64{0.3, 1, 2.5} {
		at := WeightSpike{Strength: math.Pow(psi, -0.25) * (1 + 1e-9), Psi: psi}
		near(t, "location at the threshold", at.Location(), at.Edge(), 1e-8)
		near(t, "right overlap at the threshold", at.Right(), 0, 1e-7)
		near(t, "left overlap at the threshold", at.Left(), 0, 1e-7)
		far := WeightSpike{Strength: 1e6, Psi: psi}
		near(t, "location far out", far.Location()/1e6, 1, 1e-11)
	}
}

func TestDensityOfTheWeightsIsMarchenkoPastur(t *testing.T) {
	for _, psi := range []float64{0.4, 1, 3} {
		w := WeightSpike{Psi: psi}
		mass, square := 0.0, 0.0
		const steps = 20000
		width := w.Edge() / steps
		for i := range steps {
			x := (float64(i) + 0.5) * width
			mass += w.Density(x) * width
			square += w.Density(x) * width * x * x
		}
		near(t, "mass", mass, min(1, 1/psi), 1e-3)          // the midpoint rule at square-root edges
		near(t, "mean of the squares", square, 1/psi, 1e-3) // N rows of length one over d directions
		require.Zero(t, w.Density(w.Edge()+0.01))
	}
}

func TestOutsideTheHypothesesIsNaN(t *testing.T) {
	for name, change := range map[string]func(*Step){
		"φ":        func(s *Step) { s.Phi = 0 },
		"ψ":        func(s *Step) { s.Psi = math.NaN() },
		"c₁":       func(s *Step) { s.Activation = hermite.Series(0, 0, 1) },
		"c⋆₁ = 0":  func(s *Step) { s.Linear = 0 },
		"E y²":     func(s *Step) { s.Energy = 0.5 },
		"infinite": func(s *Step) { s.Energy = math.Inf(1) },
	} {
		s := reference
		change(&s)
		require.Error(t, s.Valid(), name)
		for _, x := range []float64{s.Length(), s.Alignment(), s.Remainder(), s.LiteralRemainder(), s.Threshold(),
			Features{Step: s, Eta: 1}.Coefficient(1, 1), Features{Step: s, Eta: 1}.Missing(100)} {
			require.True(t, math.IsNaN(x), name)
		}
	}
	uncentred := reference
	uncentred.Activation = hermite.Series(1, 1)
	require.True(t, math.IsNaN(uncentred.LiteralRemainder()))
	require.True(t, math.IsNaN(WeightSpike{Strength: 1, Psi: -1}.Edge()))
	require.True(t, math.IsNaN(WeightSpike{Strength: 1, Psi: -1}.Right()))
	require.True(t, math.IsNaN(WeightSpike{Strength: 1, Psi: 1}.Density(math.NaN())))
	require.PanicsWithValue(t, "onestep: no activation is called sine", func() { Activation("sine") })
}

func TestPredictionsAreFinite(t *testing.T) {
	for _, name := range activationNames() {
		for _, s := range []func(map[string]string) (int, error){
			func(args map[string]string) (int, error) {
				q, err := Spike.Evaluate(args)
				for _, x := range q {
					require.False(t, math.IsNaN(x.Value), x.Name)
				}
				return len(q), err
			},
			func(args map[string]string) (int, error) {
				q, err := Expansion.Evaluate(args)
				for _, x := range q {
					require.False(t, math.IsNaN(x.Value), x.Name)
				}
				return len(q), err
			},
		} {
			count, err := s(map[string]string{"activation": name})
			require.NoError(t, err)
			require.GreaterOrEqual(t, count, 9)
		}
	}
}
