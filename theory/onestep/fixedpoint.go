package onestep

import (
	"math"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/spectra"
)

// FixedPoint is the claim onestep/fixedpoint: the two equations that determine all errors of ridge regression on random
// features.
var FixedPoint = theory.Statement{
	Slug:  "onestep/fixedpoint",
	Title: "Two traces determine the errors of ridge regression on random features",
	Plain: "The two equations that determine the errors of ridge regression on random features have a positive " +
		"solution with provable bounds.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "F₀ = σ(XW₀ᵀ), n×N, in the limit n, d, N → ∞ with d/n → φ, d/N → ψ; c₁ and c²_{>1} are the linear " +
		"coefficient and the nonlinear energy of a centred σ; ridge regression with (1/n)‖y − F₀a‖² + λ‖a‖². Nothing " +
		"is simulated here: the claim is about the equations, and onestep/risk compares them with regressions.",
	Params: []theory.Param{
		phi, psi,
		{Name: "linear", Symbol: "c₁",
			Meaning: "linear coefficient of the activation", Domain: theory.Between(0, 10), Default: "1"},
		{Name: "rest", Symbol: "c²_{>1}",
			Meaning: "energy of its nonlinear part", Domain: theory.Between(0, 100), Default: "0.7182818"},
		ridge,
	},
	Claim: "$λm₁ + (φ/ψ)e/(1+e) = 1$ and $(m₁ − m₂)(1+e) = c₁²m₁m₂/ψ$ with e = c₁²m₂ + c²_{>1}m₁ have a positive " +
		"solution; (φ/ψ)m₁ and (φ/ψ)m₂ solve the equations of the source. With 1+V = −m₁′/m₁² and B = −m₂′/m₁², " +
		"derivatives in λ: m₂ ≤ m₁ ≤ 1/λ, V ≥ 0, and |e′|/(1+e) ≤ |m₂′|/m₂ ≤ |m₁′|/m₁, |e′|/(1+e) ≤ e/(1+e)·|m₁′|/m₁. At " +
		"c₁ = 0, and as ψ → 0 at fixed λψ/φ, the solution is that of ridge regression on independent Gaussian entries.",
	TeX: `\lambda m_1 + \tfrac{\varphi}{\psi} \tfrac{e}{1+e} = 1, \quad (m_1 - m_2)(1+e) = c_1^2 m_1 m_2 / \psi, \quad ` +
		`e = c_1^2 m_2 + c_{>1}^2 m_1`,
	Assumptions: []theory.Assumption{
		{ID: "ridge", Text: "λ > 0", NoControl: "without a penalty and with n > N the trace m₁ is infinite"},
		{ID: "centred", Text: "E σ(Z) = 0, so that all energy except c₁² acts as noise"},
	},
	Source: paper.At("equations for M₁ and M₂ before the theorem on training and test error"),
	Deviations: "The source's Mᵢ are (φ/ψ)mᵢ, traces of a resolvent that is scaled with N. Its equations are " +
		"recalled from the paper and were not read again, so the claim is that the recalled equations agree with " +
		"ours; it says nothing about misprints.",
	Proof: "Deterministic equivalents of c₁XW₀ᵀ + √(c²_{>1})Z, whose spectrum F₀ shares (Hu and Lu, arXiv 2009.07669). " +
		"The equations of the source are polynomial: (i) gives e/(1+e) = (ψ/φ)(1 − λm₁), which eliminates e from (ii). The " +
		"inequalities: let A = |m₁′|/m₁, D = |m₂′|/m₂, E = |e′|/(1+e). By (ii) 1/m₂ = 1/m₁ + c₁²/(ψ(1+e)), so that D = sA " +
		"+ (1−s)E with s = m₂/m₁; by its definition E = pD + qA with p + q = e/(1+e) < 1. Hence E ≤ (p+q)·max(A, D), E < A " +
		"and E ≤ D ≤ A. By (i) 1/m₁ = λ + (φ/ψ)(e/m₁)/(1+e), where c₁²m₂/m₁ and 1/(1+e) grow with λ: the derivative, 1+V, " +
		"is at least 1.",
	Tolerance: "Newton's method in double precision leaves residuals of a few roundings; the inverse Jacobian converts " +
		"them to errors of m₁ and m₂. Derivatives solve a system with the same matrix, which amplifies the errors once " +
		"more. The reference has 200 bits, and central differences in λ with a relative step of 10⁻¹⁵, whose error is " +
		"10⁻³⁰. As ψ → 0 the equations differ from those of the limit by terms of the order of ψ/φ, which replaces the " +
		"unit roundoff there.",
	Limits: "Algebra at drawn parameters: φ and ψ from 0.02 to 50, λ from 10⁻³ to 10²; for ψ → 0, ψ/φ = 10⁻⁷ and 10⁻⁹. " +
		"The claim does not say that a spectrum obeys the equations.",
	RestsOn: []string{"spectra/gaussianequivalence", "spectra/marchenkopastur"},
	Violated: func(v theory.Values) error {
		_, err := bulkFrom(v).Resolvent(v.Float("lambda"))
		return err
	},
	Predict: func(v theory.Values) []theory.Quantity {
		r, err := bulkFrom(v).Resolvent(v.Float("lambda"))
		if err != nil {
			r = Resolvent{All: math.NaN(), Linear: math.NaN(), Leak: math.NaN(), DAll: math.NaN(), DLinear: math.NaN()}
		}
		return []theory.Quantity{
			{Name: "all", Symbol: "m₁", Value: r.All, Meaning: "lim tr(F₀F₀ᵀ + λn)⁻¹"},
			{Name: "linear", Symbol: "m₂", Value: r.Linear, Meaning: "lim tr(Xᵀ(F₀F₀ᵀ + λn)⁻¹X)/d"},
			{Name: "leak", Symbol: "e", Value: r.Leak, Meaning: "c₁²m₂ + c²_{>1}m₁"},
			{Name: "bias", Symbol: "B", Value: r.Bias(),
				Meaning: "test error per energy of the linear part of the teacher"},
			{Name: "noise", Symbol: "1+V", Value: r.Noise(),
				Meaning: "test error per energy of the rest of the labels, noise included"},
			{Name: "residual", Symbol: "", Value: max(r.Residual, r.DResidual),
				Meaning: "relative residual of the equations"},
		}
	},
}

// bulkFrom returns the spectrum at a user's parameters.
func bulkFrom(v theory.Values) Bulk {
	return Bulk{Phi: v.Float("phi"), Psi: v.Float("psi"), Linear: v.Float("linear"), Nonlinear: v.Float("rest")}
}

// Rounding bounds the relative rounding errors of m₁ and m₂, and of their derivatives. It multiplies a residual of
// several roundings by the inverse of the Jacobian in relative units of m₁ and m₂, and once more for the derivatives.
func (b Bulk) Rounding(lambda, unit float64) (values, derivatives float64) {
	r, err := b.Resolvent(lambda)
	if err != nil {
		return math.NaN(), math.NaN()
	}
	_, _, j := b.equations(lambda, r.All, r.Linear)
	j = jacobian{j.a * r.All, j.b * r.Linear, j.c * r.All, j.d * r.Linear}
	det := math.Abs(j.a*j.d - j.b*j.c)
	inverse := (math.Abs(j.a) + math.Abs(j.b) + math.Abs(j.c) + math.Abs(j.d)) / det
	const roundings = 32 // of one evaluation of an equation or of a derivative, each below its largest term
	terms := max(1, math.Abs(j.a), math.Abs(j.b), math.Abs(j.c), math.Abs(j.d))
	values = roundings * unit * inverse
	return values, values * (1 + inverse*terms)
}

// GaussianRidge returns the limits of tr(GGᵀ + λn)⁻¹ for an n×N matrix G with independent entries of variance k and of
// its derivative in λ, N/n = ratio: the root of λm + ratio·km/(1+km) = 1, Marchenko and Pastur's law.
func GaussianRidge(ratio, k, lambda float64) (m, derivative float64) {
	if !(ratio > 0 && k > 0 && lambda > 0) {
		return math.NaN(), math.NaN()
	}
	scale := ratio * k
	s, square := spectra.MP{Gamma: 1 / ratio}.Stieltjes(lambda / scale)
	return s / scale, -square / (scale * scale)
}
