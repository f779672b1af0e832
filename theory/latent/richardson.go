package latent

import (
	"math"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/linear"
)

var eigenProPaper = theory.Source{
	Paper:   "S. Ma, M. Belkin: Diving into the shallows: a computational perspective on large-scale shallow learning",
	ArXiv:   "1703.10622",
	Version: "NIPS 2017",
	Year:    2017,
}

// Richardson is the claim latent/richardson: the iterates of plain iteration on a kernel system, and their number.
var Richardson = theory.Statement{
	Slug:  "latent/richardson",
	Title: "Richardson's iteration on a kernel system",
	Plain: "Richardson's iteration shrinks each eigencomponent of a kernel system's residual geometrically, and " +
		"converges for every right-hand side only for step sizes below 2/λ₁.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "K is symmetric of order n with eigenvalues λᵢ ≥ 0 and orthonormal eigenvectors eᵢ, y a vector, α₀ = 0 " +
		"and α_{t+1} = α_t − η(Kα_t − y). λ₁ is the largest eigenvalue, λ_n the smallest, κ = λ₁/λ_n. The test bed " +
		"is K_ij = min(i, j)/n with λ_k = (4n sin²((2k−1)π/(4n+2)))⁻¹.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "order of the matrix", Domain: theory.IntegerBetween(2, 1e9), Default: "64"},
		{Name: "epsilon", Symbol: "ε", Meaning: "required relative residual", Domain: theory.Inside(0, 1),
			Default: "1e-6"},
		{Name: "d", Symbol: "d", Meaning: "dimension of the samples, for a matrix that is not stored",
			Domain: theory.IntegerBetween(1, 1e6), Default: "50"},
		{Name: "eta", Symbol: "η", Meaning: "step size"},
		{Name: "lambda", Symbol: "λᵢ", Meaning: "eigenvalues", Shape: "n"},
	},
	Claim: "α_t = Σᵢ (1 − (1−ηλᵢ)^t)/λᵢ ⟨eᵢ, y⟩eᵢ, in which the quotient is ηt for λᵢ = 0, and $y − Kα_t = Σᵢ " +
		"(1−ηλᵢ)^t ⟨eᵢ, y⟩eᵢ$. So ‖y − Kα_t‖ ≤ ρ^t‖y‖ with ρ = maxᵢ|1−ηλᵢ|, with equality for y along the eᵢ of the " +
		"maximum, and the iteration converges from every y if and only if 0 < η < 2/λ₁ (λ_n > 0). A relative " +
		"residual ε is reached in at most κ ln(1/ε) + 1 steps for η = 1/λ₁, and (κ+1)/2·ln(1/ε) + 1 for η = " +
		"2/(λ₁+λ_n). On the test bed 1 ≤ κπ²/(16n²) ≤ (1 + 1/(2n))² for n ≥ 2, so that n² steps of 2n² flops each " +
		"cost more than the n³/3 of Cholesky's factorisation.",
	TeX: `y - K\alpha_t = \sum_i (1-\eta\lambda_i)^t \langle e_i, y \rangle e_i`,
	Assumptions: []theory.Assumption{
		{ID: "zero-start", Text: "α₀ = 0"},
		{ID: "constant-step", Text: "the step size is constant"},
		{ID: "semidefinite", Text: "λᵢ ≥ 0 (for the rates)", NoControl: "the identities hold for every symmetric K; " +
			"with a negative eigenvalue ρ exceeds 1 and no rate is claimed"},
	},
	Source: eigenProPaper.At("section 2, gradient descent; companion slides on the cost of kernel methods"),
	Proof: "Induction on t, eigenvector by eigenvector. (1−1/κ)^t ≤ e^(−t/κ), and ((κ−1)/(κ+1))^t ≤ e^(−2t/(κ+1)). " +
		"The inverse of the test bed is n times the second difference with one free end, whose eigenvectors are sines. " +
		"With x = π/(4n+2) its κ is cos²2x/sin²x, and π/(4n) is x(1 + 1/(2n)) = πx/(π−2x): the upper bound is " +
		"x cos 2x ≤ x cos x ≤ sin x, and the lower one follows from sin x ≤ x and cos 2x ≥ 1 − 2x² where x ≤ 1/π.",
	Tolerance: "A step errs by (n+10)u(‖α‖ + η(‖y‖ + 12‖K‖‖α‖)), which includes the error of the matrix itself, plus " +
		"η(‖y‖ + ‖K‖‖α‖) times the deviation of its eigenvectors from orthonormality; errors of earlier steps are " +
		"multiplied by ρ. An iteration count may be off by one where the residual crosses the threshold. Eigenvalues of " +
		"the test bed err by 30nu·λ₁, so κ has a relative error of 30nu(κ+1).",
	Limits: "Identities of order at most 12 and 200 steps; counts on one family of matrices up to n = 64, in " +
		"operations, not seconds. For other kernels κ grows differently.",
	Readings: []theory.Reading{{
		ID:      "n-steps",
		Reading: "Richardson's iteration takes n steps.",
		Locus:   "companion slides, conclusion: 10 million (= n) multiplications",
		Correct: "It takes about κ ln(1/ε) products with a vector, whatever n is, and these are only for the fit: a " +
			"prediction takes none.",
		Counterexample: "n = 16 on the test bed: 4925 steps to a residual of 10⁻⁶.",
	}},
	Predict: func(v theory.Values) []theory.Quantity {
		n, epsilon := v.Float("n"), v.Float("epsilon")
		kappa := Brownian{v.Int("n")}.Eigenvalue(1) / Brownian{v.Int("n")}.Eigenvalue(v.Int("n"))
		return []theory.Quantity{
			{Name: "condition", Symbol: "κ", Value: kappa, Meaning: "condition number of the test bed"},
			{Name: "steps", Symbol: "t ≤", Value: PlainSteps(kappa, epsilon),
				Meaning: "steps that suffice for η = 1/λ₁", Bound: "≤"},
			{Name: "best", Symbol: "t* ≤", Value: BestSteps(kappa, epsilon),
				Meaning: "steps that suffice for the best η", Bound: "≤"},
			{Name: "step", Symbol: "2n²", Value: 2 * n * n, Meaning: "flops of one step"},
			{Name: "recomputed", Symbol: "2n²(d+1)", Value: 2 * n * n * (v.Float("d") + 1),
				Meaning: "flops of one step that recomputes the inner products, since the matrix does not fit into memory"},
			{Name: "flops", Symbol: "2n²t", Value: 2 * n * n * PlainSteps(kappa, epsilon),
				Meaning: "flops of all steps for η = 1/λ₁"},
			{Name: "cholesky", Symbol: "n³/3", Value: n * n * n / 3, Meaning: "flops of Cholesky's factorisation"},
			{Name: "even", Symbol: "n/6", Value: n / 6, Meaning: "number of steps that cost as much as the factorisation"},
			{Name: "memory", Symbol: "8n²", Value: 8 * n * n, Meaning: "bytes of the matrix in double precision"},
		}
	},
}

// PlainSteps returns κ ln(1/ε) + 1.
func PlainSteps(kappa, epsilon float64) float64 { return kappa*math.Log(1/epsilon) + 1 }

// BestSteps returns (κ+1)/2·ln(1/ε) + 1.
func BestSteps(kappa, epsilon float64) float64 { return (kappa+1)/2*math.Log(1/epsilon) + 1 }

// Filter describes t steps of size Eta along an eigenvector.
type Filter struct {
	Eta   float64
	Steps int
}

// Residual returns (1−ηλ)^t.
func (f Filter) Residual(lambda float64) float64 { return math.Pow(1-f.Eta*lambda, float64(f.Steps)) }

// Solution returns (1 − (1−ηλ)^t)/λ, which is ηt for λ = 0.
func (f Filter) Solution(lambda float64) float64 { return linear.DescentFilter(f.Eta, f.Steps, lambda) }

// Brownian is the matrix min(i, j)/N for i, j = 1, …, N.
type Brownian struct{ N int }

// Valid names the violated hypothesis.
func (b Brownian) Valid() error {
	return theory.Require(b.N >= 1, "latent: the order of a matrix must be positive")
}

// Eigenvalue returns λ_k, descending from k = 1 to N; NaN for other k.
func (b Brownian) Eigenvalue(k int) float64 {
	if b.Valid() != nil || k < 1 || k > b.N {
		return math.NaN()
	}
	sine := math.Sin(float64(2*k-1) * math.Pi / float64(4*b.N+2))
	return 1 / (4 * float64(b.N) * sine * sine)
}

// Growth returns the bounds 1 and (1 + 1/(2N))² of κπ²/(16N²); NaN for N = 1, where κ is 1.
func (b Brownian) Growth() (low, high float64) {
	if b.N < 2 {
		return math.NaN(), math.NaN()
	}
	return 1, math.Pow(1+1/float64(2*b.N), 2)
}

// Coefficients returns ⟨e_k, y⟩ for k = 1, …, N, with e_k(i) = 2/√(2N+1)·sin((2k−1)iπ/(2N+1)).
func (b Brownian) Coefficients(y []float64) []float64 {
	out := make([]float64, b.N)
	for k := range out {
		for i, yi := range y {
			out[k] += yi * math.Sin(float64((2*k+1)*(i+1)%(4*b.N+2))*math.Pi/float64(2*b.N+1))
		}
		out[k] *= 2 / math.Sqrt(float64(2*b.N+1))
	}
	return out
}

// Steps returns the number of steps after which the relative residual is at most epsilon. A step multiplies the given
// coefficients by the factors 1−ηλ_k, all less than 1 in size. Residuals fall, so it bisects.
func Steps(factors, coefficients []float64, epsilon float64) int {
	square := func(t int) float64 {
		sum := 0.0
		for k, c := range coefficients {
			sum += c * c * math.Pow(factors[k]*factors[k], float64(t))
		}
		return sum
	}
	target := epsilon * epsilon * square(0)
	lo, hi := -1, 1
	for square(hi) > target {
		lo, hi = hi, 2*hi
	}
	if square(0) <= target {
		return 0
	}
	lo = max(lo, 0)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; square(mid) > target {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
