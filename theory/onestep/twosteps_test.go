package onestep

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/hermite"
)

func TestOverlapsReference(t *testing.T) {
	for _, row := range []struct {
		teacher     string
		phi         float64
		k           int
		same, fresh float64
	}{
		{"H1", 0.5, 2, 7.25, 3.5}, {"H1", 1, 2, 13, 4},
		{"H1+H2", 0.5, 1, 2.828, 1.414}, {"H1+H2", 0.5, 2, 16.5, 4},
		{"H3", 0.5, 2, 5.511, 0}, {"exponent-three", 1, 2, 0.9557377, 0}, {"exponent-three", 1, 1, 0, 0},
		{"H2", 0.5, 1, 0, 0}, {"H2", 0.5, 2, 0, 0}, {"H2", 0.5, 3, 0, 0},
	} {
		l := Labels{Link: Links[row.teacher], Phi: row.phi}
		near(t, row.teacher, l.Overlap(row.k, true), row.same, 5e-4)
		near(t, row.teacher, l.Overlap(row.k, false), row.fresh, 5e-4)
	}
	bounded := Labels{Link: Links["exponent-three"], Phi: 1}
	near(t, "E y²", bounded.Energy(), 1, 1e-12)
	near(t, "c⋆₁", bounded.Linear(), 0, 1e-12)
	near(t, "E zy³", bounded.Overlap(2, true), 0.9557377, 5e-8)
	near(t, "normaliser", exponentThree, 1.2680437, 5e-8)
	noisy := Labels{Link: Links["H1"], Noise: 2, Phi: 0.5}
	// k = 1: E[zy(z + φy)] = 0 for odd labels; k = 0: c⋆₁.
	near(t, "k = 1", noisy.Overlap(1, true), 0, 1e-12)
	near(t, "k = 0", noisy.Overlap(0, true), 1, 1e-12)
	near(t, "E y²", noisy.Energy(), 3, 1e-12)
	// w = 1.5z + 0.5ε, E ε² = 2: E[zyw²] = 2.25·3 + 2·0.75·2 + 0.25·2 = 10.25, and φ E y² = 1.5.
	near(t, "k = 2, same batch", noisy.Overlap(2, true), 11.75, 1e-10)
	near(t, "k = 2, fresh batch", noisy.Overlap(2, false), 4.5, 1e-10)
	require.True(t, math.IsNaN(Labels{Link: Links["H1"]}.Overlap(1, true)))
}

// Right vectors of the first four spikes, by hand: E(c₁u + g)ᵏ is c₁u, c₁²u² + s² and c₁³u³ + 3c₁s²u.
func TestRightVectorsOfTheSecondStep(t *testing.T) {
	s := SecondStep{Activation: hermite.Series(0, 2, 3, 5, 7), First: 0.5, Second: 4, Noise: 11}
	for k, want := range [][]float64{{4 * 2}, {0, 4 * 6 * 0.5 * 2}, {4 * 15 * 0.25 * 11, 0, 4 * 15 * 0.25 * 4},
		{0, 4 * 28 * 0.125 * 3 * 2 * 11, 0, 4 * 28 * 0.125 * 8}} {
		require.Equal(t, want, s.Right(k))
	}
}

// Linear returns c⋆₁ = E zy, and Energy E y².
func (l Labels) Linear() float64 { return l.Moment(1, 1) }

// Energy returns E y².
func (l Labels) Energy() float64 { return l.Moment(0, 2) }

// Overlap returns the limit of ⟨β^(k), β⋆⟩, on the same batch or on a fresh one.
func (l Labels) Overlap(k int, same bool) float64 {
	if !(l.Phi > 0) || !(l.Noise >= 0) || l.Link == nil || k < 0 {
		return math.NaN()
	}
	moment := l.table()
	return OverlapOf(k, same, l.Phi, moment, moment)
}
