package tangent

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// Schatten is the claim tangent/schatten: the effective penalty for large labels.
var Schatten = theory.Statement{
	Slug:  "tangent/schatten",
	Title: "For large labels structured adaptation minimises a Schatten norm",
	Plain: "For large labels, structured adaptation minimises a Schatten quasi-norm of the parameters; with one " +
		"quadratic side, the nuclear norm.",
	Kind:     theory.Inequality,
	Standing: theory.Derivation,
	Setting: "Effective penalties ω̃ of sums ⊕ of κ(z−1)², κ|z−1| and κ(z²−1−2 ln z), as in tangent/penalty. For " +
		"the bounds: one layer B under constraints ⟨Fᵢ, B⟩ = a·yᵢ, (z−1)² on one side, B the minimiser of Σ " +
		"ω̃(σⱼ(B)) and λ its multipliers, Σ λᵢFᵢ = U·diag(ω̃'(σⱼ))·Vᵀ. ‖·‖₁ is the nuclear norm, ‖·‖ the largest " +
		"singular value.",
	Params: []theory.Param{
		{Name: "v", Symbol: "v", Meaning: "singular value", Domain: theory.Between(1, 1e100), Default: "1e6"},
		{Name: "omega1", Symbol: "ω₁", Meaning: "family of the first side", Domain: sideFamilies(),
			Default: string(Quadratic)},
		{Name: "omega2", Symbol: "ω₂", Meaning: "family of the second side", Domain: sideFamilies(),
			Default: string(Fixed)},
	},
	Claim: "With D = 1 + (number of quadratic and log-det sides) + 2(number of absolute sides) and P the product of κ " +
		"over the quadratic and log-det sides and of κ²/4 over the absolute ones, ω̃(v)/v^(2/D) tends to D·P^(1/D): 2v for " +
		"one quadratic side, the nuclear norm; 3v^(2/3) for two quadratic sides and 1.5·2^(1/3)·v^(2/3) for one absolute " +
		"side; 2√2·√v for (z−1)²⊕|z−1|. The dual bound ⟨λ,ay⟩/‖Σ λᵢFᵢ‖ on the nuclear norm of all B that fit is at least " +
		"‖B‖₁ − Σ √σⱼ(B): the solution divided by a minimises the nuclear norm up to order a^(−1/2).",
	TeX: `\lVert B \rVert_1 - \sum_j \sqrt{\sigma_j(B)} \le \frac{\langle \lambda, a y \rangle}` +
		`{\lVert \sum_i \lambda_i F_i \rVert} \le \min_{B'} \lVert B' \rVert_1 \le \lVert B \rVert_1`,
	Assumptions: []theory.Assumption{
		{ID: "large", Text: "v is large (for the constant)"},
		{ID: "stationary", Text: "B is stationary under the constraints"},
	},
	Source: paper.At("approximate low rank, as restored"),
	Deviations: "The source says that features become approximately of low rank. The constants, the exponents and the " +
		"bound are derived here.",
	Proof: "For large q: κz² → q for quadratic and log-det sides, κz → 2q for absolute ones, so v² = qΠzᵢ² gives q^D = " +
		"v²P and ω̃ → Dq. With one quadratic side ω̃' = 2√(1 − 1/s) < 2 and s > √σ, as s³(s−1) = σ². Hence ‖Σ λᵢFᵢ‖ ≤ 2 " +
		"and ⟨λ,ay⟩ = Σ σⱼω̃'(σⱼ) ≥ 2Σ σⱼ(1 − 1/√σⱼ). The bound then follows from weak duality.",
	Tolerance: "The ratio of ω̃ to its limit differs from 1 by at most 4Σ 1/zᵢ. The gradient that remains after descent " +
		"is measured and enters both bounds.",
	Limits: "Exponents below 1 refer to the penalty; the claim does not say that a search finds the minimiser of a " +
		"non-convex penalty. Matrices of up to 4×4 with at least half as many constraints as entries.",
	RestsOn: []string{"tangent/penalty", "tangent/lowrank"},
	Predict: func(v theory.Values) []theory.Quantity {
		sum := Sum{{Family(v.Choice("omega1")), 1}, {Family(v.Choice("omega2")), 1}}
		return []theory.Quantity{
			{Name: "effective", Symbol: "ω̃(v)", Value: sum.Optimum(v.Float("v")), Meaning: "effective penalty"},
			{Name: "power", Symbol: "2/D", Value: sum.Growth(), Meaning: "exponent of the Schatten norm"},
			{Name: "asymptote", Symbol: "D·P^(1/D)·v^(2/D)", Value: sum.Asymptote(v.Float("v")),
				Meaning: "effective penalty", Limit: "v → ∞"},
		}
	},
}

// Asymptote returns the asymptote of ω̃(v) as v grows, D·(P·v²)^(1/D), with D = 2/[Sum.Growth] and P the product of κ
// over quadratic and log-det sides and of κ²/4 over absolute ones.
func (s Sum) Asymptote(v float64) float64 {
	d, logarithm := 2/s.Growth(), 2*math.Log(v)
	for _, side := range s {
		switch side.Family {
		case Quadratic, LogDet:
			logarithm += math.Log(side.Factor)
		case Absolute:
			logarithm += 2 * math.Log(side.Factor/2)
		}
	}
	return d * math.Exp(logarithm/d)
}
