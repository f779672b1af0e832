package spectra

import (
	"math"

	"github.com/thm-suite/thm/theory"
)

// MarchenkoPastur is the claim spectra/marchenkopastur.
var MarchenkoPastur = theory.Statement{
	Slug:  "spectra/marchenkopastur",
	Title: "Spectrum of a white sample covariance matrix, and its exact moments",
	Plain: "The sample covariance of white noise has eigenvalues that are not all one, but spread over a known interval " +
		"with a known density.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "X is n×d with independent entries of mean 0, variance 1 and fourth moment μ₄; S = XᵀX, W = S/n, γ = d/n, " +
		"and x > 0. s(x) is the limit of (1/d) tr (W + x)⁻¹, mₖ that of (1/d) tr Wᵏ.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerBetween(1, 1e6), Default: "200"},
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(1, 1e6), Default: "100"},
		{Name: "x", Symbol: "x", Meaning: "place in the spectrum, and regularisation", Domain: theory.Inside(0, 1e6),
			Default: "1.3"},
	},
	Claim: "As n, d → ∞ with γ fixed, the share of eigenvalues of W in an interval tends to its mass under the density " +
		"$√((λ₊−x)(x−λ₋))/(2πγx)$ on [λ₋, λ₊], λ± = (1±√γ)², with the rest 1 − 1/γ at 0 if γ > 1. Its transform is the " +
		"positive root of $γxs² + (1−γ+x)s − 1 = 0$, and its moments are $mₖ = Σ_{r<k} γʳ C(k,r)C(k−1,r)/(r+1)$. For " +
		"every n and d, $E tr S² = nd(n+d−2+μ₄)$. For normal entries E Π tr S^k over any powers is the sum of n^a d^b " +
		"over all pairings of the factors, with a and b the loops that they close with the rows and with the columns that " +
		"the factors share: $E tr S³ = nd(n² + 3nd + d² + 3n + 3d + 4)$, and Var tr S² = 4nd(2n² + 5nd + 2d² + 5n + 5d + 5).",
	TeX: `\frac{\sqrt{(\lambda_+ - x)(x - \lambda_-)}}{2\pi\gamma x}, \qquad \gamma x s^2 + (1 - \gamma + x) s - 1 = 0, ` +
		`\qquad m_k = \sum_{r<k} \frac{\gamma^r}{r+1} \binom{k}{r} \binom{k-1}{r}, \qquad ` +
		`\mathbb{E} \operatorname{tr} S^2 = nd(n + d - 2 + \mu_4), \qquad ` +
		`\mathbb{E} \operatorname{tr} S^3 = nd(n^2 + 3nd + d^2 + 3n + 3d + 4)`,
	Assumptions: []theory.Assumption{
		{ID: "independent", Text: "the entries are independent"},
		{ID: "centred", Text: "the entries have mean 0"},
		{ID: "unit", Text: "the entries have variance 1"},
		{ID: "normal", Text: "the entries are real and normal, where E tr S³ and variances are exact"},
	},
	Source: theory.Source{Paper: "After Marchenko and Pastur, Distribution of eigenvalues for some sets of random " +
		"matrices; Wick's formula", Version: "derivation", Year: 1967, Locus: "the law of the spectrum"},
	Proof: "E tr S² is a sum over entries that meet in a square of two rows and two columns: nd(n−1) + nd(d−1) of them " +
		"meet in a row or a column alone, and nd in one entry. By Wick's formula a normal mean is a sum over pairings, in " +
		"which rows and columns are free once per loop. The pairings with the most loops do not cross, are counted by mₖ, " +
		"and alone survive the limit; for other entries the same terms survive. A row is nearly independent of the " +
		"resolvent of the others, and s = 1/(x + 1/(1+γs)) when it is taken away: the quadratic equation, whose root jumps " +
		"across the real axis by the density.",
	Tolerance: "Exact means are finite sums: an entry takes two values, or is replaced by the five nodes of Gaussian " +
		"quadrature, which is exact for polynomials of degree 9, and only roundings are counted. Limits of moments are " +
		"read from the exact means, where pairings that cross contribute order 1/n. Those of the spectrum allow the first " +
		"term in 1/d: that of the resolvent is γq³(1/(1−γq²) + μ₄ − 3)/(1−γq²) with q = s̲/(1+s̲) and s̲ = (1−γ)/x + γs " +
		"(after Bai and Silverstein, confirmed here), that of a share a quarter of an eigenvalue. Sums over eigenvalues " +
		"scatter as measured once, for any size.",
	Limits: "Exact sums for nd ≤ 6 and powers up to 4; spectra of up to 192 eigenvalues. Nothing is said about single " +
		"eigenvalues.",
	Predict: predictMarchenkoPastur,
}

func predictMarchenkoPastur(v theory.Values) []theory.Quantity {
	w, x := Wishart{N: v.Int("n"), D: v.Int("d")}, v.Float("x")
	law := MP{float64(w.D) / float64(w.N)}
	s, _ := law.Stieltjes(x)
	return theory.Limits("n → ∞", []theory.Quantity{
		{Name: "second", Symbol: "E (1/d) tr W²", Value: w.scaled(2), Meaning: "second moment, normal entries"},
		{Name: "third", Symbol: "E (1/d) tr W³", Value: w.scaled(3), Meaning: "third moment, normal entries"},
		{Name: "resolvent", Symbol: "s(x)", Value: s, Meaning: "(1/d) tr (W + x)⁻¹"},
		{Name: "above", Symbol: "1 − F(x)", Value: law.Above(x), Meaning: "share of eigenvalues above x",
			Nonnegative: true},
	}, "second", "third")
}

// Wishart is S = XᵀX for an N×D matrix of independent standard normal entries.
type Wishart struct{ N, D int }

// Valid names the violated hypothesis.
func (w Wishart) Valid() error {
	return theory.Require(w.N >= 1 && w.D >= 1, "spectra: need at least one sample and one dimension")
}

// Moment returns E tr Sᵏ, for 1 ≤ k ≤ 6.
func (w Wishart) Moment(k int) float64 {
	if w.Valid() != nil || k < 1 || k > 6 {
		return math.NaN()
	}
	mean, _ := expectedTraces(0, []int{w.D, w.N}, k)
	return mean
}

// Variance returns Var tr Sᵏ, for 1 ≤ k ≤ 3.
func (w Wishart) Variance(k int) float64 {
	if w.Valid() != nil || k < 1 || k > 3 {
		return math.NaN()
	}
	_, variance := expectedTraces(0, []int{w.D, w.N}, k, k)
	return variance
}

// scaled returns the mean of (1/D) tr Wᵏ.
func (w Wishart) scaled(k int) float64 {
	return w.Moment(k) / float64(w.D) / math.Pow(float64(w.N), float64(k))
}

// SquareOf returns E tr S² for entries that are independent with mean 0, variance 1 and any fourth moment.
func (w Wishart) SquareOf(fourth float64) float64 {
	return theory.When(w.Valid() == nil && fourth >= 1, float64(w.N)*float64(w.D)*(float64(w.N+w.D-2)+fourth))
}

// MP is the law of Marchenko and Pastur for the ratio Gamma of dimension to samples.
type MP struct{ Gamma float64 }

// Valid names the violated hypothesis.
func (m MP) Valid() error {
	return theory.Require(m.Gamma > 0 && !math.IsInf(m.Gamma, 0),
		"spectra: the ratio of dimension to samples must be positive")
}

// Edges returns the ends (1±√γ)² of the density.
func (m MP) Edges() (lo, hi float64) {
	if m.Valid() != nil {
		return math.NaN(), math.NaN()
	}
	r := math.Sqrt(m.Gamma)
	return (1 - r) * (1 - r), (1 + r) * (1 + r)
}

// Density returns the density at x, which leaves out the mass at 0.
func (m MP) Density(x float64) float64 {
	lo, hi := m.Edges()
	switch {
	case m.Valid() != nil || math.IsNaN(x):
		return math.NaN()
	case x <= lo || x >= hi:
		return 0
	}
	return math.Sqrt((hi-x)*(x-lo)) / (2 * math.Pi * m.Gamma * x)
}

// Above returns the mass above x ≥ 0.
func (m MP) Above(x float64) float64 {
	if m.Valid() != nil || !(x >= 0) {
		return math.NaN()
	}
	r := math.Sqrt(m.Gamma)
	t := math.Acos(max(-1, min(1, (x-1-m.Gamma)/(2*r))))
	sin, cos := math.Sincos(t)
	q := min(r, 1/r)
	share := (t + ((1-q*q)*math.Atan2(q*sin, 1+q*cos)/q-sin)/q) / math.Pi // of the eigenvalues that are not 0
	return max(0, min(1, share)) * min(1, 1/m.Gamma)
}

// Moment returns mₖ, for k ≥ 1.
func (m MP) Moment(k int) float64 {
	if m.Valid() != nil || k < 1 {
		return math.NaN()
	}
	sum, term := 0.0, 1.0
	for r := range k {
		sum += term
		term *= m.Gamma * float64(k-r) * float64(k-1-r) / (float64(r+1) * float64(r+2))
	}
	return sum
}

// Stieltjes returns s(x), the mean of 1/(λ+x), and the mean −s'(x) of its square, for x > 0.
func (m MP) Stieltjes(x float64) (s, square float64) {
	s, _, root := m.transforms(x)
	return s, (m.Gamma*s*s + s) / root
}

// transforms returns s, its companion xs̲ = 1 − γ + γxs, and the square root that both have in common. Each is written
// in the form that does not cancel.
func (m MP) transforms(x float64) (s, companion, root float64) {
	if m.Valid() != nil || !(x > 0) {
		return math.NaN(), math.NaN(), math.NaN()
	}
	b, c := 1-m.Gamma+x, m.Gamma-1+x
	root = math.Sqrt(b*b + 4*m.Gamma*x)
	if s = 2 / (b + root); b < 0 {
		s = (root - b) / (2 * m.Gamma * x)
	}
	if companion = 2 * x / (c + root); c < 0 {
		companion = (root - c) / 2
	}
	return s, companion, root
}

// Correction returns the limit of E tr (W + x)⁻¹ − d·s(x) for entries of that fourth moment.
func (m MP) Correction(x, fourth float64) float64 {
	_, companion, _ := m.transforms(x)
	q := companion / (companion + x) // s̲/(1+s̲)
	rest := 1 - m.Gamma*q*q
	return m.Gamma * q * q * q * (1/rest + fourth - 3) / rest
}
