package latent

import "github.com/thm-suite/thm/theory"

// EigenPro is the claim latent/eigenpro: Richardson's iteration with the leading eigenvectors divided out.
var EigenPro = theory.Statement{
	Slug:  "latent/eigenpro",
	Title: "Richardson's iteration with the leading eigenvectors divided out",
	Plain: "Dividing out the q leading eigenvectors lowers the bound on the number of Richardson steps by the factor " +
		"λ₁/λ_{q+1}.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "K is symmetric positive definite of order n with eigenvalues λ₁ ≥ … ≥ λ_n and eigenvectors eᵢ; 0 ≤ q < n; " +
		"P = I − Σ_{i≤q}(1−λ_{q+1}/λᵢ)eᵢeᵢᵀ; α₀ = 0 and α_{t+1} = α_t − P(Kα_t − y)/λ_{q+1}. The eigenvectors are exact.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "order of the test bed min(i, j)/n", Domain: theory.IntegerBetween(2, 1e6),
			Default: "64"},
		{Name: "q", Symbol: "q", Meaning: "eigenvectors divided out, fewer than n",
			Domain: theory.IntegerBetween(0, 1e6), Default: "8"},
		{Name: "epsilon", Symbol: "ε", Meaning: "required relative residual", Domain: theory.Inside(0, 1),
			Default: "1e-6"},
	},
	Claim: "For t ≥ 1, $y − Kα_t = Σ_{i>q} (1−λᵢ/λ_{q+1})^t ⟨eᵢ, y⟩eᵢ$, and α_t = Σ_{i≤q} ⟨eᵢ, y⟩eᵢ/λᵢ + Σ_{i>q} " +
		"(1−(1−λᵢ/λ_{q+1})^t)/λᵢ ⟨eᵢ, y⟩eᵢ, which tends to K⁻¹y. A relative residual ε is reached in at most " +
		"(λ_{q+1}/λ_n) ln(1/ε) + 1 steps: dividing out lowers the bound by the factor λ₁/λ_{q+1}.",
	TeX: `y - K\alpha_t = \sum_{i>q} \left(1-\tfrac{\lambda_i}{\lambda_{q+1}}\right)^t \langle e_i, y \rangle e_i`,
	Assumptions: []theory.Assumption{
		{ID: "exact", Text: "the eigenvectors are exact eigenvectors of K"},
		{ID: "zero-start", Text: "α₀ = 0",
			NoControl: "the controls of latent/richardson, which has this iteration, drop it"},
		{ID: "step", Text: "the step is 1/λ_{q+1}"},
	},
	Source: eigenProPaper.At("section 4, the EigenPro iteration"),
	Deviations: "The source's programs soften the factors λ_{q+1}/λᵢ to absorb the error of eigenvectors from a " +
		"subsample. Here the eigenvectors are those of the whole matrix.",
	Proof: "P and K have the same eigenvectors. P K eᵢ is λ_{q+1}eᵢ for i ≤ q and λᵢeᵢ for i > q, and the first step " +
		"of latent/richardson with step size 1/λ_{q+1} removes the components i ≤ q.",
	Tolerance: "As in latent/richardson, plus the error of P: as a function of K its slope is at most 1/λ_{q+1}, and K " +
		"with its eigenvectors is accurate to 20n u λ₁, so a step errs by 40(n+10)u(λ₁/λ_{q+1})(‖α‖ + (‖y‖ + " +
		"λ₁‖α‖)/λ_{q+1}).",
	Limits: "Orders up to 12 for the identities, the test bed at n = 64 for counts. The counts do not include the cost " +
		"of the eigenvectors, 14/3·n³ flops if they are exact; the source takes them from a subsample.",
	RestsOn: []string{"latent/richardson"},
	Predict: func(v theory.Values) []theory.Quantity {
		b, q := Brownian{v.Int("n")}, v.Int("q")
		tail := b.Eigenvalue(q + 1)
		return []theory.Quantity{
			{Name: "speedup", Symbol: "λ₁/λ_{q+1}", Value: b.Eigenvalue(1) / tail,
				Meaning: "factor by which the bound on the steps falls"},
			{Name: "steps", Symbol: "t ≤", Value: PlainSteps(tail/b.Eigenvalue(b.N), v.Float("epsilon")),
				Meaning: "steps that suffice on the test bed", Bound: "≤"},
		}
	},
	Violated: func(v theory.Values) error {
		return theory.Require(v.Int("q") < v.Int("n"),
			"latent: fewer eigenvectors than the order of the matrix can be divided out")
	},
}
