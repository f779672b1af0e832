package onestep

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// Reuse is the claim onestep/reuse: regression on the samples of the step.
var Reuse = theory.Statement{
	Slug:  "onestep/reuse",
	Title: "On the step's own samples the first term lowers the objective more",
	Plain: "Reusing the step's own samples lets the first spike lower the training objective at least as much " +
		"as fresh samples do.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "The setting of onestep/risk with rows of W₀ of length one, no intercept, one strong term (ℓ = 1) and " +
		"displayed weights; but the features are taken on the samples X of β = Xᵀy/n, with the same labels. e, m₁ and m₂ " +
		"are defined in onestep/fixedpoint.",
	Params: []theory.Param{
		phi, psi, ridge, activation, teacherLinear, restEnergy,
	},
	Claim: "With A = ψ(1+e)/c₁², g = φ(c²_{>1} + λ(ψ/φ)(1+e))/c₁², q₂ = A − g m₂ and q₃ = A(1+φ) − g q₂ the " +
		"objective tends to $λ(c⋆₁²m₂ + τ²m₁ − (c⋆₁²q₂ + τ²φm₂)²/(c⋆₁²q₃ + τ²φq₂))$. It is at most the limit on " +
		"fresh samples.",
	TeX: `\lambda \left( c_{\star 1}^2 m_2 + \tau^2 m_1 - \frac{(c_{\star 1}^2 q_2 + \tau^2 \varphi m_2)^2}` +
		`{c_{\star 1}^2 q_3 + \tau^2 \varphi q_2} \right)`,
	Assumptions: []theory.Assumption{
		{ID: "own-samples", Text: "regression uses the samples and labels of the step"},
		{ID: "centred", Text: "E σ(Z) = 0", NoControl: "as in onestep/risk, where the intercept shows the effect of a mean"},
		{ID: "unit-rows", Text: "rows of W₀ have length one, and there is no intercept", NoControl: "onestep/risk has the " +
			"limits for Gaussian rows, which differ if E y ≠ 0"},
		{ID: "strong", Text: "the spike outgrows the rest of the features", NoControl: "onestep/risk has finite steps"},
	},
	Source: paper.At("one gradient step and training loss, with one symbol X for both samples; the limit is ours"),
	Deviations: "The slides do not say on which samples the head is trained; their limits hold for fresh samples, " +
		"whereas this claim is about the samples of the step.",
	Proof: "The gain is λ(yᵀRu)²/uᵀRu with u = XXᵀy/n. Given X, R = (F₀F₀ᵀ + λn)⁻¹ has the deterministic equivalent " +
		"(A/n)(XXᵀ/n + g)⁻¹, so that q_k = lim tr(XᵀR(XXᵀ/n)^(k−1)X)/d has q₁ = m₂, q₂ = A − g q₁ and q₃ = A(1+φ) − g q₂, " +
		"as tr(XXᵀ)²/(n²d) → 1+φ. The nonlinear part of y acts as noise of variance τ², with tr(RXXᵀ)/n → φm₂ and " +
		"tr(R(XXᵀ)²)/n² → φq₂.",
	Tolerance: "The measured quantity is the relative decrease of the objective of random features by the step, on the " +
		"same samples and labels. Medians over independent batches of three networks have order-statistic intervals; two " +
		"sizes remove the part of order 1/d.",
	Limits: "Four setups, √(nd) up to 160 at standard effort, one term. The test error is not examined, since a sample " +
		"that is left out of the regression is still in the step.",
	RestsOn:  []string{"onestep/risk", "onestep/fixedpoint", "spectra/marchenkopastur"},
	Violated: func(v theory.Values) error { _, err := reuseFrom(v).Reused(); return err },
	Predict: func(v theory.Values) []theory.Quantity {
		r := reuseFrom(v)
		own, err := r.Reused()
		if err != nil {
			own = math.NaN()
		}
		value := func(terms int) float64 {
			r.Terms = terms
			e, err := r.Errors()
			if err != nil {
				return math.NaN()
			}
			return e.Objective
		}
		return theory.Limits("n, d, N → ∞", []theory.Quantity{
			{Name: "own", Symbol: "", Value: own, Meaning: "objective on the samples of the step", Nonnegative: true},
			{Name: "fresh", Symbol: "", Value: value(1), Meaning: "objective on fresh samples", Nonnegative: true},
			{Name: "before", Symbol: "", Value: value(0), Meaning: "objective of random features"},
		})
	},
}

// reuseFrom returns the regression at a user's parameters.
func reuseFrom(v theory.Values) Risk {
	return Risk{Phi: v.Float("phi"), Psi: v.Float("psi"), Lambda: v.Float("lambda"),
		Activation: Activation(v.Choice("activation")),
		Teacher:    Teacher{Coefficients: []float64{0, v.Float("linear")}, Noise: v.Float("rest")}, Terms: 1,
		Eta: math.Inf(1)}
}

// Reused returns the limit of the objective on the samples of the step itself, after one strong term. It returns an
// error for other numbers of terms, finite steps, Gaussian rows and an intercept.
//
// A − g m₂ and A(1+φ) − g q₂ lose all digits where g is large. With the root h in (0, 1) of h² + (g+φ−1)h = g, which is
// 1/(1 + φM) for the mean M of 1/(s+g) over the Marchenko–Pastur law, they are m₂(φ+h) and m₂(φ + (φ+h)²).
func (r Risk) Reused() (float64, error) {
	if r.Terms != 1 || !math.IsInf(r.Eta, 1) || r.GaussianRows || r.Intercept {
		return 0, errors.New("onestep: on the step's own samples the limit is known for one strong term, unit rows and " +
			"no intercept")
	}
	if err := r.Valid(); err != nil {
		return 0, err
	}
	bulk := Features{Step: r.step()}.Bulk()
	v, err := bulk.Resolvent(r.Lambda)
	if err != nil {
		return 0, err
	}
	ridge := (r.Phi*bulk.Nonlinear + r.Lambda*r.Psi*(1+v.Leak)) / (bulk.Linear * bulk.Linear)
	sum := r.Phi + shrinkage(ridge, r.Phi)
	linear := r.Teacher.Coefficient(1) * r.Teacher.Coefficient(1)
	rest := r.Teacher.Energy() - linear
	along := linear*sum + rest*r.Phi
	gain := v.Linear * along * along / (linear*(r.Phi+sum*sum) + rest*r.Phi*sum)
	return r.Lambda * (linear*v.Linear + rest*v.All - gain), nil
}

// shrinkage returns the root h in (0, 1) of h² + (g+φ−1)h = g.
func shrinkage(g, phi float64) float64 {
	b := g + phi - 1
	root := math.Sqrt(b*b + 4*g)
	if b < 0 {
		return (root - b) / 2
	}
	return 2 * g / (root + b)
}
