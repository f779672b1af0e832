package spectra

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// Haar is the claim spectra/haar.
var Haar = theory.Statement{
	Slug:  "spectra/haar",
	Title: "Moments of a uniform orthogonal matrix",
	Plain: "Products of entries of a uniformly random orthogonal matrix have exactly known means, which differ from " +
		"those of independent entries.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "O is uniform on the orthogonal matrices of size n. A and B are symmetric, A₀ = A − (tr A/n)I and B₀ " +
		"likewise. G is the matrix over pairings p, q of 2k places with entries n^loops(p,q), where a loop follows pairs " +
		"of p and of q in turn.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "dimension", Domain: theory.IntegerBetween(2, 1e6), Default: "10"},
	},
	Claim: "For n ≥ k, the mean of a product of 2k entries is $Σ_{p,q} (G⁻¹)_{pq}$ over the pairings p of places with " +
		"equal rows and q of places with equal columns; of an odd number it is 0. So E O₁₁² = 1/n, E O₁₁⁴ = 3/(n(n+2)), " +
		"E O₁₁²O₂₂² = (n+1)/(n(n−1)(n+2)), E O₁₁O₁₂O₂₁O₂₂ = −1/(n(n−1)(n+2)). $E (tr O)^{2k} = (2k−1)‼$ for k ≤ n, and, " +
		"if n > 1, $Var tr AOBOᵀ = 2‖A₀‖²_F‖B₀‖²_F/((n−1)(n+2))$. The factor Q of a normal matrix is uniform once the " +
		"diagonal of R is made positive.",
	TeX: `\mathbb{E} \prod_{s=1}^{2k} O_{i_s j_s} = \sum_{p,q} (G^{-1})_{pq}, \qquad ` +
		`\mathbb{E} (\operatorname{tr} O)^{2k} = (2k-1)!!, \qquad \operatorname{Var} \operatorname{tr} A O B O^\top = ` +
		`\frac{2 \lVert A_0 \rVert_F^2 \lVert B_0 \rVert_F^2}{(n-1)(n+2)}`,
	Assumptions: []theory.Assumption{
		{ID: "uniform", Text: "O is uniform"},
		{ID: "reflections", Text: "reflections are drawn as often as rotations"},
		{ID: "signs", Text: "the signs of Q make the diagonal of R positive"},
	},
	Source: theory.Source{Paper: "After Collins and Śniady, Integration with respect to the Haar measure on unitary, " +
		"orthogonal and symplectic group", ArXiv: "math-ph/0402073", Version: "derivation", Year: 2006,
		Locus: "the formula for the orthogonal group"},
	Proof: "The mean of O⊗⋯⊗O is the projection on the tensors that no rotation and reflection changes. Those are " +
		"spanned by one for each pairing, which is 1 where the paired indices agree and 0 elsewhere, and G holds their " +
		"inner products; for n ≥ k they are independent, and the projection is Σ p (G⁻¹)_{pq} qᵀ. Contracted with the " +
		"identity it gives the number of pairings, and with A and B, for k = 2, the variance. O'Q has the law of Q for " +
		"every fixed O' if Q is determined by the matrix, and the condition on R does that.",
	Tolerance: "A rotation is a product of plane rotations, each of one angle. A product of k entries has degree k " +
		"in the cosine and sine of each angle. For k up to 5 both signs of the sine and three nodes of Gaussian quadrature " +
		"in the cosine are exact, and four nodes up to 7: means are finite sums, and a rounding is allowed for each term. " +
		"Means of tr O over drawn matrices have Bernstein's interval, with the variance that is claimed and |tr O| ≤ n.",
	Limits:  "Products of up to four entries for n ≤ 4, and of six for n = 3; drawn matrices of n = 3 and n = 8.",
	Predict: predictHaar,
}

func predictHaar(v theory.Values) []theory.Quantity {
	o := Orthogonal{v.Int("n")}
	return []theory.Quantity{
		{Name: "fourth", Symbol: "E O₁₁⁴", Value: o.Moment([]int{0, 0, 0, 0}, []int{0, 0, 0, 0}),
			Meaning: "fourth moment of an entry", Nonnegative: true},
		{Name: "diagonal", Symbol: "E O₁₁²O₂₂²", Value: o.Moment([]int{0, 0, 1, 1}, []int{0, 0, 1, 1}),
			Meaning: "mean product of squares in two rows and columns", Nonnegative: true},
		{Name: "square", Symbol: "E O₁₁O₁₂O₂₁O₂₂", Value: o.Moment([]int{0, 0, 1, 1}, []int{0, 1, 0, 1}),
			Meaning: "mean product over a square of entries"},
		{Name: "trace", Symbol: "E (tr O)²", Value: o.Trace(1), Meaning: "second moment of the trace", Nonnegative: true},
	}
}

// Orthogonal is a uniform orthogonal matrix of size N.
type Orthogonal struct{ N int }

// Valid names the violated hypothesis.
func (o Orthogonal) Valid() error {
	return theory.Require(o.N >= 1, "spectra: a matrix needs a size of at least 1")
}

// Moment returns the mean of the product of the entries in these rows and columns, numbered from 0: at most 8 of them,
// and at most 2N.
func (o Orthogonal) Moment(rows, columns []int) float64 {
	if o.Valid() != nil || len(rows) != len(columns) || len(rows) > min(8, 2*o.N) {
		return math.NaN()
	}
	for i := range rows {
		if min(rows[i], columns[i]) < 0 || max(rows[i], columns[i]) >= o.N {
			return math.NaN()
		}
	}
	if len(rows)%2 == 1 {
		return 0
	}
	all := pairings(len(rows) / 2)
	gram := mat.NewSymDense(len(all), nil)
	inRows, inColumns := mat.NewVecDense(len(all), nil), mat.NewVecDense(len(all), nil)
	for i, p := range all {
		for j := range i + 1 { // over n^k, which scales all of it
			gram.SetSym(i, j, math.Pow(float64(o.N), float64(loops(p, all[j])-len(rows)/2)))
		}
		inRows.SetVec(i, agrees(p, rows))
		inColumns.SetVec(i, agrees(p, columns))
	}
	var factor mat.Cholesky
	if !factor.Factorize(gram) {
		return math.NaN()
	}
	if err := factor.SolveVecTo(inColumns, inColumns); err != nil {
		return math.NaN()
	}
	return mat.Dot(inRows, inColumns) / math.Pow(float64(o.N), float64(len(rows)/2))
}

// agrees returns 1 if all pairs have equal indices, and 0 otherwise.
func agrees(p pairing, indices []int) float64 {
	for i, j := range p {
		if indices[i] != indices[j] {
			return 0
		}
	}
	return 1
}

// Trace returns E (tr O)^(2k), for 0 ≤ k ≤ N.
func (o Orthogonal) Trace(k int) float64 {
	if o.Valid() != nil || k < 0 || k > o.N {
		return math.NaN()
	}
	out := 1.0
	for i := 1; i < 2*k; i += 2 {
		out *= float64(i)
	}
	return out
}

// Turned returns Var tr AOBOᵀ for the forms of symmetric A and B, N ≥ 2.
func (o Orthogonal) Turned(a, b Form) float64 {
	if a.N != o.N || b.N != o.N || o.N < 2 || a.Valid() != nil || b.Valid() != nil {
		return math.NaN()
	}
	n := float64(o.N)
	return 2 * (a.Spread + a.Beside) * (b.Spread + b.Beside) / ((n - 1) * (n + 2))
}
