package onestep

import (
	"math"

	"github.com/thm-suite/thm/theory/spectra"
)

// WeightSpike is a matrix W₀ + θ u vᵀ with unit vectors u, v that are independent of W₀, which is N×d with independent
// entries of variance 1/d, in the limit d/N → ψ: the transpose of the additive spike of spectra/bbp with γ = 1/ψ.
type WeightSpike struct {
	Strength float64 // θ
	Psi      float64 // d/N
}

func (w WeightSpike) spike() spectra.Spike {
	return spectra.Spike{Model: "additive", Gamma: 1 / w.Psi, Strength: w.Strength}
}

// Edge returns 1 + √(1/ψ), the largest singular value of the bulk.
func (w WeightSpike) Edge() float64 {
	w.Strength = 0
	return w.Largest()
}

// Visible reports whether a singular value leaves the bulk.
func (w WeightSpike) Visible() bool { return w.Strength > w.spike().Threshold() }

// Location returns the singular value that leaves the bulk, and NaN when none does.
func (w WeightSpike) Location() float64 {
	if !w.Visible() {
		return math.NaN()
	}
	return w.Largest()
}

// Largest returns the largest singular value: the outlier where there is one, and the edge of the bulk otherwise.
func (w WeightSpike) Largest() float64 { return math.Sqrt(w.spike().Limits().Place) }

// Right returns the squared cosine of the outlier's right singular vector with v; 0 when nothing leaves the bulk.
func (w WeightSpike) Right() float64 { return w.spike().Limits().Left }

// Left returns the squared cosine of its left singular vector with u.
func (w WeightSpike) Left() float64 { return w.spike().Limits().Right }

// Density returns the density of the bulk at the singular value x, as a fraction of the d right directions.
func (w WeightSpike) Density(x float64) float64 {
	if x <= 0 && w.Psi > 0 {
		return 0
	}
	gamma := 1 / w.Psi
	return 2 * x * gamma * spectra.MP{Gamma: gamma}.Density(x*x)
}
