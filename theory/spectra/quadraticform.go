package spectra

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// QuadraticForm is the claim spectra/quadraticform.
var QuadraticForm = theory.Statement{
	Slug:  "spectra/quadraticform",
	Title: "Fluctuations of a quadratic form",
	Plain: "The variance of a quadratic form in independent numbers follows from the symmetric part of its matrix and " +
		"the numbers' fourth moment.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "A is a real n×n matrix with symmetric part Aₛ = (A+Aᵀ)/2. x has n independent entries of mean 0, " +
		"variance 1 and fourth moment μ₄; u is uniform on the unit sphere in n dimensions.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "dimension", Domain: theory.IntegerBetween(1, 1e6), Default: "20"},
		{Name: "a", Symbol: "a", Meaning: "all diagonal entries of A", Domain: theory.Between(-1e6, 1e6), Default: "1"},
		{Name: "b", Symbol: "b", Meaning: "all other entries of A", Domain: theory.Between(-1e6, 1e6), Default: "0.2"},
		{Name: "fourth", Symbol: "μ₄", Meaning: "fourth moment of the entries of x", Domain: theory.Between(1, 1e6),
			Default: "3"},
		{Name: "A", Symbol: "A", Meaning: "matrix of the form", Shape: "n×n"},
		{Name: "terms", Symbol: "|Ω|", Meaning: "number of values of x over which the moments are means"},
		{Name: "mean", Symbol: "E xᵀAx", Meaning: "mean that was found"},
		{Name: "variance", Symbol: "Var xᵀAx", Meaning: "variance that was found"},
	},
	Claim: "E xᵀAx = tr A, and $Var xᵀAx = 2‖Aₛ‖²_F + (μ₄−3) Σ aᵢᵢ²$. For normal x the r-th cumulant is " +
		"$2^{r−1}(r−1)! tr Aₛ^r$. On the sphere E uᵀAu = tr A/n and $Var uᵀAu = 2(‖Aₛ‖²_F − (tr A)²/n)/(n(n+2))$.",
	TeX: `\operatorname{Var} x^\top A x = 2 \lVert A_s \rVert_F^2 + (\mu_4 - 3) \sum_i a_{ii}^2, \qquad ` +
		`\kappa_r = 2^{r-1} (r-1)! \operatorname{tr} A_s^r, \qquad \operatorname{Var} u^\top A u = ` +
		`\frac{2}{n(n+2)} \left( \lVert A_s \rVert_F^2 - \frac{(\operatorname{tr} A)^2}{n} \right)`,
	Assumptions: []theory.Assumption{
		{ID: "independent", Text: "the entries of x are independent"},
		{ID: "centred", Text: "they have mean 0"},
		{ID: "unit", Text: "they have variance 1"},
		{ID: "normal", Text: "x is normal, for the cumulants"},
		{ID: "sphere", Text: "u is uniform on the sphere"},
	},
	Source: theory.Source{Paper: "After Hanson and Wright, A bound on tail probabilities for quadratic forms in " +
		"independent random variables", Version: "derivation", Year: 1971, Locus: "the variance in the bound"},
	Deviations: "The source bounds tails, with a constant that it leaves open. Here are the cumulants that the bound is " +
		"made of, exactly.",
	Proof: "E xᵢxⱼxₖxₗ is 1 where the indices fall into two different pairs, and μ₄ where all are equal: pairs (i,k), " +
		"(j,l) and (i,l), (j,k) give 2‖Aₛ‖²_F, and the diagonal is counted with μ₄ − 3 beyond that. A normal x may be " +
		"rotated to the eigenvectors of Aₛ: a sum of independent λᵢgᵢ², whose cumulants are 2^(r−1)(r−1)!λᵢ^r. A normal " +
		"x is a point of the sphere times an independent length with E‖x‖⁴ = n(n+2).",
	Tolerance: "All means are finite sums: over two values of each entry, over five nodes of Gaussian quadrature, exact " +
		"to degree 9, or on the sphere over three nodes of each coordinate, exact to degree 5. One rounding is allowed for " +
		"each term, relative to the sum of the terms' absolute values.",
	Limits: "Integers of at most 6 in matrices of at most 8×8, and cumulants up to the fourth. Nothing is said about " +
		"tails.",
	Predict: func(v theory.Values) []theory.Quantity {
		n, b := v.Float("n"), v.Float("b")
		f := Form{N: v.Int("n"), Trace: n * v.Float("a"), Beside: n * (n - 1) * b * b}
		return []theory.Quantity{
			{Name: "mean", Symbol: "E xᵀAx", Value: f.Trace, Meaning: "mean"},
			{Name: "variance", Symbol: "Var xᵀAx", Value: f.Variance(v.Float("fourth")), Meaning: "variance",
				Nonnegative: true},
			{Name: "sphere", Symbol: "Var uᵀAu", Value: f.OnSphere(), Meaning: "variance on the unit sphere",
				Nonnegative: true},
		}
	},
}

// Form holds the properties of A that the laws of xᵀAx need. ‖Aₛ‖²_F = (tr A)²/n + Spread + Beside is kept in parts, so
// that nothing cancels.
type Form struct {
	N      int
	Trace  float64 // of A
	Spread float64 // Σ (aᵢᵢ − tr A/n)²
	Beside float64 // the off-diagonal part of ‖Aₛ‖²_F

	twice *mat.Dense // 2Aₛ, where the matrix is known
}

// FormOf returns the form of a matrix, which is square.
func FormOf(a *mat.Dense) Form {
	n, _ := a.Dims()
	f := Form{N: n, Trace: mat.Trace(a), twice: new(mat.Dense)}
	f.twice.Add(a, a.T())
	for i := range n {
		f.Spread += math.Pow(a.At(i, i)-f.Trace/float64(n), 2)
		for j := range i {
			f.Beside += math.Pow(f.twice.At(i, j), 2) / 2
		}
	}
	return f
}

// Valid names the violated hypothesis.
func (f Form) Valid() error {
	return theory.Require(f.N >= 1 && f.Spread >= 0 && f.Beside >= 0 && (f.N != 1 || !(f.Spread+f.Beside > 0)),
		"spectra: need n ≥ 1 and sums of squares, which are 0 for n = 1")
}

// Variance returns Var xᵀAx for independent entries of that fourth moment.
func (f Form) Variance(fourth float64) float64 {
	return theory.When(f.Valid() == nil && fourth >= 1, 2*f.Beside+(fourth-1)*(f.Spread+f.Trace*f.Trace/float64(f.N)))
}

// OnSphere returns Var uᵀAu.
func (f Form) OnSphere() float64 {
	if f.Valid() != nil {
		return math.NaN()
	}
	n := float64(f.N)
	return 2 * (f.Spread + f.Beside) / (n * (n + 2))
}

// NormalCumulant returns the r-th cumulant of xᵀAx for normal x and r ≥ 1, for the form of a matrix.
func (f Form) NormalCumulant(r int) float64 {
	if f.Valid() != nil || f.twice == nil || r < 1 {
		return math.NaN()
	}
	var power mat.Dense
	power.Pow(f.twice, r)
	return math.Gamma(float64(r)) / 2 * mat.Trace(&power)
}
