package linear

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// MatrixFactor is the claim linear/matrixfactor.
var MatrixFactor = theory.Statement{
	Slug:  "linear/matrixfactor",
	Title: "Matrix factorisation from commuting measurements: the entropy that the initial size selects",
	Plain: "Gradient descent on a factored matrix fits commuting measurements with the matrix that minimises an entropy " +
		"set by the initial size.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "X = UUᵀ, n×n; gradient flow of U on ½ Σᵢ (⟨Aᵢ, X⟩ − yᵢ)², Aᵢ symmetric, from U(0) = √α R with R " +
		"orthogonal, to ⟨Aᵢ, X⟩ = yᵢ for all i. Where the Aᵢ commute, the columns of V are their eigenvectors, and row i " +
		"of A has the eigenvalues of Aᵢ.",
	Params: []theory.Param{
		{Name: "alpha", Symbol: "α", Meaning: "size of X at the start", Domain: theory.Between(1e-4, 10), Default: "0.25"},
		{Name: "ratio", Symbol: "a₂", Meaning: "second eigenvalue of the only measurement, diag(1, a₂)",
			Domain: theory.Between(0, 10), Default: "2"},
		{Name: "label", Symbol: "y", Meaning: "what it measures", Domain: theory.Inside(0, 100), Default: "2.5"},
		{Name: "A1", Symbol: "A₁", Meaning: "first measurement", Shape: "n×n"},
		{Name: "A2", Symbol: "A₂", Meaning: "second measurement", Shape: "n×n"},
		{Name: "y", Symbol: "y", Meaning: "what they measure", Shape: "2"},
		{Name: "h", Symbol: "h", Meaning: "step size of descent"},
		{Name: "U", Symbol: "U", Meaning: "factor before a step", Shape: "n×r"},
		{Name: "U_next", Symbol: "U⁺", Meaning: "factor after the step", Shape: "n×r"},
	},
	Claim: "A step of descent of size h takes X to $X⁺ = (I − 2hG) X (I − 2hG)$, $G = Σᵢ (⟨Aᵢ, X⟩ − yᵢ) Aᵢ$. If the Aᵢ " +
		"commute, and some x > 0 has Ax = y, the flow ends at $X = V diag(x) Vᵀ$ with $x = α exp(Aᵀθ)$ and $Ax = y$: of " +
		"all x ≥ 0 with Ax = y the one of least Σₖ xₖ(log(xₖ/α) − 1).",
	TeX: `X^+ = (I - 2hG) X (I - 2hG), \quad G = \sum_i \left( \langle A_i, X \rangle - y_i \right) A_i, \quad ` +
		`X = V \operatorname{diag}(x) V^{\top}, \quad x = \alpha e^{A^{\top} \theta}, \quad A x = y`,
	Assumptions: []theory.Assumption{
		{ID: "commute", Text: "the Aᵢ commute, for the limit"},
		{ID: "isotropic", Text: "U(0)U(0)ᵀ = αI, for the limit"},
		{ID: "half", Text: "the loss carries the factor ½"},
		{ID: "flow", Text: "the limit is that of the flow, or of small steps"},
	},
	Source: theory.Source{Paper: "After Gunasekar, Woodworth, Bhojanapalli, Neyshabur and Srebro, Implicit " +
		"regularization in matrix factorization", ArXiv: "1705.09280", Version: "abstract", Year: 2017,
		Locus: "derived here"},
	Proof: "The gradient in U is 2GU. Where the Aᵢ commute with X(0) = αI, G and X keep the eigenvectors V, and log xₖ " +
		"moves by −4gₖ dt, g = Aᵀ(Ax − y): log(x/α) stays in the range of Aᵀ, which is the condition of the minimum.",
	Tolerance: "A step has 6n + 30 roundings on both sides, of terms up to those with all signs positive. Descent is " +
		"extrapolated from five halvings of h by Neville's scheme; its last correction is allowed, and 1e-11 for the " +
		"remaining residuals.",
	Limits: "2 measurements of 3×3 matrices, α from 0.1 to 1. As α → 0 the limit has least trace; this is tried on the " +
		"formula alone. Measurements that do not commute are known to lead elsewhere; for them only the step is claimed.",
	RestsOn: []string{"linear/diagonal"},
	Predict: func(v theory.Values) []theory.Quantity {
		x, err := LeastEntropy(mat.NewDense(1, 2, []float64{1, v.Float("ratio")}), []float64{v.Float("label")},
			v.Float("alpha"))
		if err != nil {
			x = []float64{math.NaN(), math.NaN()}
		}
		return []theory.Quantity{
			{Name: "first", Symbol: "x₁", Value: x[0], Meaning: "first eigenvalue", Nonnegative: true},
			{Name: "second", Symbol: "x₂", Value: x[1], Meaning: "second eigenvalue", Nonnegative: true},
		}
	},
}

// LeastEntropy returns the x ≥ 0 of least Σ xₖ(log(xₖ/α) − 1) with Ax = y, A m×n of full row rank. It fails where no
// x > 0 has Ax = y.
func LeastEntropy(a *mat.Dense, y []float64, alpha float64) ([]float64, error) {
	if m, n := a.Dims(); m > n || len(y) != m || !(alpha > 0) {
		return nil, errors.New("linear: need α > 0, at most as many measurements as eigenvalues, and a label for each")
	}
	return dual(a, y, func(z float64) (f, slope float64) {
		x := alpha * math.Exp(z)
		return x, x
	}, one)
}
