package spectra

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/thm-suite/thm/theory"
)

// SoftEdge is the claim spectra/softedge: the largest singular value of a Gaussian matrix.
var SoftEdge = theory.Statement{
	Slug:  "spectra/softedge",
	Title: "Tracy-Widom law of the largest singular value of a Gaussian matrix",
	Plain: "The largest singular value of a Gaussian matrix is near √n + √p, and its fluctuations, of order n^(−1/6), " +
		"follow the Tracy-Widom law.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "X is n×p with independent N(0, 1) entries, p ≤ n, λ the largest eigenvalue of XᵀX, and σ₁ = √λ and σ_p " +
		"the largest and the smallest singular value of X. n, p → ∞ in proportion.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "rows", Domain: theory.IntegerBetween(1, 1e6), Default: "100"},
		{Name: "p", Symbol: "p", Meaning: "columns, at most n", Domain: theory.IntegerBetween(1, 1e6), Default: "50"},
	},
	Claim: "With a = √(n−½), b = √(p−½), $μ = (a+b)²$ and $s = (a+b)(1/a+1/b)^(1/3)$ the law of (λ−μ)/s tends to the " +
		"Tracy–Widom law F₁, with mean −1.2065 and standard deviation 1.2680; the error falls as p^(−2/3). For every " +
		"n ≥ p, E σ₁ ≤ √n + √p, E σ_p ≥ √n − √p, and P(σ₁ > √n + √p + t) ≤ e^(−t²/2) for t ≥ 0.",
	TeX: `\mu = (a+b)^2, \quad s = (a+b) \left( \tfrac1a + \tfrac1b \right)^{1/3}`,
	Assumptions: []theory.Assumption{
		{ID: "gaussian", Text: "the entries are Gaussian; the limit allows others with a finite fourth moment"},
		{ID: "real", Text: "the entries are real: complex ones follow another law"},
		{ID: "proportional", Text: "n and p grow in proportion", NoControl: "it is the direction of the limit; the rate is " +
			"a power of the smaller of n and p"},
	},
	Source: theory.Source{Paper: "After Johnstone, Ann. Statist. 29; Ma, arXiv 1203.0839, for the constants and the " +
		"rate; Davidson and Szarek 2001 for finite n; Ferrari and Spohn 2005 for F₁", Version: "abstracts", Year: 2001,
		Locus: "theory/spectra.SoftEdge"},
	Deviations: "Johnstone has n−1 and p in place of n−½ and p−½, which is off by O(p^(−1/3)) where n ≠ p, with a " +
		"small constant.",
	Proof: "The eigenvalues have a Pfaffian law (de Bruijn). Near the edge Laguerre polynomials are Airy functions " +
		"after the shift by μ and the scale s, by their differential equation, and the Pfaffian becomes F₁(t) = det(1 − " +
		"Ai((x+y)/2)/2) on (t, ∞). σ₁ is the maximum of xᵀXy over unit vectors, a Gaussian process whose increments those " +
		"of gᵀx + hᵀy dominate (Chevet, Gordon): E σ₁ ≤ E‖g‖ + E‖h‖. It is 1-Lipschitz in X, which gives the tail.",
	Tolerance: "The law of λ is found without sampling, to 10⁻⁸, as a Pfaffian at finite n and p. The error of order " +
		"p^(−2/3) is removed by two sizes, one eight times the other; 0.15 p^(−4/3), and 0.06 p^(−4/3) of a probability, " +
		"is allowed for the rest at the smaller, and 0.12 p^(−2/3) of the exponent. Medians of samples have intervals of " +
		"order statistics; their margin has the scatter of the claim and 0.3 p^(−2/3) s.",
	Limits: "By the Pfaffian, n = p, 2p and 8p with p up to 64; by samples, n = 20 and 40. Other " +
		"entries, which have the same limit, are not tried.",
	Violated: func(v theory.Values) error { return LargestWishart{v.Int("n"), v.Int("p")}.Valid() },
	Predict: func(v theory.Values) []theory.Quantity {
		l := LargestWishart{v.Int("n"), v.Int("p")}
		return theory.Limits("n, p → ∞", []theory.Quantity{
			{Name: "mean", Symbol: "E λ", Value: l.Centre() + TracyWidomMean*l.Scale(), Meaning: "largest eigenvalue of XᵀX"},
			{Name: "sd", Symbol: "", Value: TracyWidomSD * l.Scale(), Meaning: "its standard deviation"},
			{Name: "largest", Symbol: "E σ₁", Value: math.Sqrt(float64(l.N)) + math.Sqrt(float64(l.P)), Bound: "≤",
				Meaning: "bound on the largest singular value"},
		}, "largest")
	},
}

// LargestWishart is the largest eigenvalue λ of XᵀX for an N×P matrix of independent standard normal numbers, of which
// Centre and Scale make a variable that tends to the law of Tracy and Widom.
type LargestWishart struct{ N, P int }

// Valid names the violated hypothesis.
func (l LargestWishart) Valid() error {
	return theory.Require(l.P >= 1 && l.N >= l.P, "spectra: need 1 ≤ p ≤ n")
}

// roots returns √(n−½) and √(p−½), or NaN outside the hypotheses.
func (l LargestWishart) roots() (a, b float64) {
	if l.Valid() != nil {
		return math.NaN(), math.NaN()
	}
	return math.Sqrt(float64(l.N) - 0.5), math.Sqrt(float64(l.P) - 0.5)
}

// Centre returns μ.
func (l LargestWishart) Centre() float64 { a, b := l.roots(); return (a + b) * (a + b) }

// Scale returns s.
func (l LargestWishart) Scale() float64 { a, b := l.roots(); return (a + b) * math.Cbrt(1/a+1/b) }

// TracyWidom returns F₁(s), the determinant of 1 − Ai((x+y)/2)/2 on (s, ∞).
func TracyWidom(s float64) float64 {
	const nodes = 64
	switch {
	case s < -10: // F₁ is below 10⁻¹⁸
		return 0
	case s > 20:
		return 1
	case math.IsNaN(s):
		return s
	}
	x, w := make([]float64, nodes), make([]float64, nodes)
	quad.Legendre{}.FixedLocations(x, w, s, max(s, 0)+16)
	k := mat.NewDense(nodes, nodes, nil)
	for i := range nodes {
		for j := range i + 1 {
			entry := -math.Sqrt(w[i]*w[j]) * real(mathext.AiryAi(complex((x[i]+x[j])/2, 0))) / 2
			k.Set(i, j, entry)
			k.Set(j, i, entry)
		}
		k.Set(i, i, 1+k.At(i, i))
	}
	return mat.Det(k)
}

// The mean and the standard deviation of F₁.
const (
	TracyWidomMean = -1.206533574582
	TracyWidomSD   = 1.267983057687
)
