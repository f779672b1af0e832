package latent

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// Energy is the claim latent/energy: how many samples the first step needs.
var Energy = theory.Statement{
	Slug:     "latent/energy",
	Title:    "Share of the first step that lies in the latent subspace",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "n samples x ~ N(0, I) in d dimensions, y = f⋆(x) + ϵ with fair ϵ = ±ς, f⋆ of r directions with E f⋆² = " +
		"1, E f⋆ = 0, E ∇f⋆ = 0 and mean Hessian H; preprocessing by the sample's α and β; m neurons in symmetric " +
		"pairs without bias; one step with λ₁ = 1/η₁, so that W⁽¹⁾ = −η₁∇L. ρ = ‖W⁽¹⁾Π⋆‖_F²/‖W⁽¹⁾‖_F².",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(2, 1e6), Default: "64"},
		{Name: "r", Symbol: "r", Meaning: "latent directions of the target Σ(xᵢ²−1)/√(2r), at most d",
			Domain: theory.IntegerBetween(1, 100), Default: "1"},
		{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerBetween(1, 1e9), Default: "4096"},
		{Name: "noise", Symbol: "ς", Meaning: "size of the noise", Domain: theory.Between(0, 100), Default: "0"},
	},
	Claim: "For large d, m and n/d, ρ is asymptotically (S + Nr/d)/(S + N + R) with the signal S = ‖H‖_F²/(2πd), the " +
		"noise N = d(1+ς²)/(4n) and the remainder R = (2‖H‖_F² + (tr H)²)/(8πd(d+2)). Half of the step lies in the latent " +
		"subspace at n = (π/2)(1+ς²)d²/‖H‖_F²: the number of samples grows as d².",
	TeX: `n_{1/2} = \frac{\pi}{2} \frac{(1+\varsigma^2)\, d^2}{\lVert H \rVert_F^2}`,
	Assumptions: []theory.Assumption{
		{ID: "preprocessed", Text: "the linear part of the sample is subtracted"},
		{ID: "decay", Text: "the step forgets the initial weights"},
		{ID: "noise", Text: "the noise has variance ς²"},
		{ID: "rank", Text: "H ≠ 0"},
	},
	Source: paper.At("Theorem 1, n ≥ Ω̃(d²κ²r), and the sketch of its proof"),
	Deviations: "The source proves an upper bound on n up to constants and logarithms. The share with its constants " +
		"is derived here; it is that of all neurons together.",
	Proof: "latent/hessian for S and R, latent/concentration for N, of which the share r/d lies in the subspace; " +
		"numerator and denominator concentrate over neurons.",
	Tolerance: "The median over data sets against the prediction. A draw is the mean over a few data sets, whose " +
		"scatter was measured once: some 0.05 for one at d = 32 and m = 128, most of it that of the " +
		"network, whatever d is. What is left out is of order 1/d, from S, N, R and the " +
		"scatter of the denominator; its constant was measured, 0.5 to 1.02 at d = 32, and 1.25/d is allowed.",
	Limits: "d = 32 at quick effort and 48 beyond, n from d^1.5 to 4d², r = 1 and 4, with and without noise. ρ " +
		"counts energy per neuron: the span of the leading singular vectors is found with fewer samples, see " +
		"latent/angles.",
	RestsOn:  []string{"latent/hessian", "latent/concentration"},
	Predict:  predictEnergy,
	Violated: func(v theory.Values) error { return Isotropic{D: v.Int("d"), R: v.Int("r")}.Valid() },
}

func predictEnergy(v theory.Values) []theory.Quantity {
	iso := Isotropic{D: v.Int("d"), R: v.Int("r")}
	s := Step{D: v.Int("d"), N: v.Int("n"), Noise: v.Float("noise"), H: iso.Target().Hessian(v.Int("r"))}
	return []theory.Quantity{
		{Name: "share", Symbol: "ρ", Value: s.Share(), Meaning: "share of the step in the latent subspace"},
		{Name: "half", Symbol: "n_{1/2}", Value: s.Half(), Meaning: "samples for a share of one half"},
	}
}

// Step is the first step on N samples in D dimensions for a target with mean Hessian H on its latent coordinates.
type Step struct {
	D, N  int
	Noise float64
	H     *mat.SymDense // r×r
}

// Signal returns S = ‖H‖_F²/(2πD).
func (s Step) Signal() float64 {
	f := mat.Norm(s.H, 2)
	return f * f / (2 * math.Pi * float64(s.D))
}

// SamplingNoise returns N = D(1+ς²)/(4n).
func (s Step) SamplingNoise() float64 {
	return float64(s.D) * (1 + s.Noise*s.Noise) / (4 * float64(s.N))
}

// Rest returns R = (2‖H‖_F² + (tr H)²)/(8πD(D+2)), that of the gradient without its factor 2.
func (s Step) Rest() float64 { return Quadratic{s.D, s.H}.MeanSquare() / 4 }

// Share returns (S + Nr/D)/(S + N + R).
func (s Step) Share() float64 {
	r, _ := s.H.Dims()
	return (s.Signal() + s.SamplingNoise()*float64(r)/float64(s.D)) / (s.Signal() + s.SamplingNoise() + s.Rest())
}

// Half returns (π/2)(1+ς²)D²/‖H‖_F².
func (s Step) Half() float64 {
	f, d := mat.Norm(s.H, 2), float64(s.D)
	return math.Pi / 2 * (1 + s.Noise*s.Noise) * d * d / (f * f)
}
