package fixedpoint

import (
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// narrow are ψ/φ where neurons are without number, by the regime; the next order is as small.
var (
	narrow  = map[string]float64{"ψ/φ = 10⁻⁷": 1e-7, "ψ/φ = 10⁻⁹": 1e-9}
	narrows = slices.Sorted(maps.Keys(narrow))
)

// ridgeClaim is the penalty of the ridge regression on samples that the features come to.
type ridgeClaim func(instance) float64

// ridgePenalty is l = φ(c²_{>1} + λψ/φ)/c₁².
func ridgePenalty(in instance) float64 {
	return in.Phi * (in.Rest + in.Lambda*in.Psi/in.Phi) / (in.Linear * in.Linear)
}

// drawWide draws a spectrum at one of these ψ/φ, times a factor, and λψ/φ of order one.
func drawWide(t *props.T, factor float64) instance {
	in := instance{Regime: rapid.SampledFrom(narrows).Draw(t.T, "ψ/φ"),
		Phi: gen.LogUniform(t.T, "φ", 0.05, 20), Linear: gen.LogUniform(t.T, "c₁", 0.1, 5),
		Rest: gen.LogUniform(t.T, "c²_{>1}", 0.05, 10), Lambda: gen.LogUniform(t.T, "λψ/φ", 1e-2, 10),
	}
	share := narrow[in.Regime] * factor
	in.Psi = in.Phi * share
	in.Lambda /= share
	return in
}

// judgeWide compares with ridge regression on the samples themselves: the kernel F₀F₀ᵀ/N is c₁²XXᵀ/d + c²_{>1}, so that
// (F₀F₀ᵀ + λn)⁻¹ is d/(Nc₁²) times (XXᵀ + ln)⁻¹ with l = [ridgePenalty], and B and V belong to X.
func judgeWide(r *props.Record, in instance, penalty ridgeClaim) {
	r.Regime(in.Regime)
	got, err := in.bulk().Resolvent(in.Lambda)
	if err != nil {
		r.Holds("our equations have a positive solution", false)
		return
	}
	l := penalty(in)
	m, derivative := theory.GaussianRidge(in.Phi, 1, l)
	square := -(derivative + (1-in.Phi)/(l*l)) / in.Phi // (1/d) tr(XᵀX/n + l)⁻²
	v, bias := -derivative/(m*m), l*l*square
	// The equations differ from those of the limit by terms of the order of ψ/φ, as e is about ψ/φ·(1 − λm₁).
	_, tolerance := in.bulk().Rounding(in.Lambda, narrow[in.Regime])
	r.Within("1+V of linear regression", got.Noise(), v, tolerance*v)
	slopes := got.DAll / got.All / (got.DLinear / got.Linear) // errors of B are relative to the larger slope
	r.Within("B of linear regression", got.Bias(), bias, tolerance*bias*slopes)
}
