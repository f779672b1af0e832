package spectra

import (
	"errors"
	"math"

	"github.com/thm-suite/thm/theory"
)

// DoubleDescent is the claim spectra/doubledescent.
var DoubleDescent = theory.Statement{
	Slug:  "spectra/doubledescent",
	Title: "Exact risk of least squares and of the best ridge",
	Plain: "The error of least squares peaks where parameters equal samples in number, and is known exactly on either " +
		"side; optimal ridge has no peak.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "y = Xβ + ε with X of n×d, E εεᵀ = s²I, and β uniform on the sphere of radius r, independent; s, r > 0. " +
		"The risk is E‖b − β‖², the test error without the noise of the label, for b = X⁺y, the solution of least norm, or " +
		"b = (XᵀX + nλ)⁻¹Xᵀy. W = XᵀX/n, γ = d/n.",
	Params: []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "samples", Domain: theory.IntegerBetween(1, 1e6), Default: "100"},
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(1, 1e6), Default: "50"},
		{Name: "noise", Symbol: "s²", Meaning: "variance of the noise", Domain: theory.Between(1e-9, 1e6), Default: "0.5"},
		{Name: "signal", Symbol: "r²", Meaning: "squared norm of β", Domain: theory.Between(1e-9, 1e6), Default: "2"},
		{Name: "lambda", Symbol: "λ", Meaning: "ridge", Domain: theory.Inside(0, 1e6), Default: "0.1"},
		{Name: "X", Symbol: "X", Meaning: "design", Shape: "n×d"},
		{Name: "covariance", Symbol: "E ββᵀ", Meaning: "second moment of β", Shape: "d×d"},
	},
	Claim: "For normal X least squares has risk $s²d/(n−d−1)$ if d ≤ n−2 and $r²(1−n/d) + s²n/(d−n−1)$ if d ≥ n+2, " +
		"and an infinite one between. For every X the best ridge is $λ* = s²γ/r²$, with risk (s²/n) tr (W+λ*)⁻¹. For " +
		"normal X, as n → ∞ with γ fixed, ridge has risk $−r²λ²s' + s²γ(s + λs')$ with s = s(λ) the transform of " +
		"spectra/marchenkopastur, so that the best has s²γ s(λ*).",
	TeX: `\frac{s^2 d}{n - d - 1}, \qquad r^2 \left( 1 - \frac{n}{d} \right) + \frac{s^2 n}{d - n - 1}, \qquad ` +
		`\lambda^* = s^2 \gamma / r^2, \qquad -r^2 \lambda^2 s' + s^2 \gamma (s + \lambda s')`,
	Assumptions: []theory.Assumption{
		{ID: "normal", Text: "the rows of X are normal, for the exact risk and for the limit"},
		{ID: "white", Text: "their covariance is I, for the exact risk and for the limit"},
		{ID: "uniform", Text: "no direction of β is preferred, for the best ridge"},
	},
	Source: theory.Source{Paper: "After Hastie, Montanari, Rosset and Tibshirani, Surprises in high-dimensional " +
		"ridgeless least squares interpolation; Belkin, Hsu and Xu, Two models of double descent for weak features",
		ArXiv: "1903.08560", Version: "derivation", Year: 2019, Locus: "risk with isotropic features"},
	Proof: "The noise adds s² tr (XᵀX)⁺. A diagonal entry of the inverse of a normal q×p Gram matrix, q > p, is one " +
		"over the squared distance of a column from the others, 1/χ²(q−p+1), with mean 1/(q−p−1), so that the trace has " +
		"mean p/(q−p−1). A row space of n directions keeps n/d of r². For eigenvalues w of W, ridge has risk Σ (r²λ²/d + " +
		"s²w/n)/(w+λ)², of which each term has derivative 2w(r²λ/d − s²/n)/(w+λ)³ and is least at λ*. Its limit is the " +
		"mean over the law of w.",
	Tolerance: "The best ridge is algebra: roundings of a linear system, (n+d)² of them at the condition of W + λ. " +
		"Means over drawn matrices have the standard deviations that follow from normal X: Var T = " +
		"2p(q−1)/((q−p)(q−p−1)²(q−p−3)) for the trace T, and a beta law for the share of r² that is kept. An " +
		"interval of 6.5 standard deviations leaves room for the skewness of T. The limit allows its first term in " +
		"1/n, that of the trace in spectra/marchenkopastur; a sum over eigenvalues scatters as measured once.",
	Limits: "The exact risk is tested for |n − d| ≥ 15, since nearer to n = d the variance has no bound; only the proof " +
		"shows that the risk is infinite for |n − d| ≤ 1. The limit is tested at λ = 0.3 and 1, and sizes up to 576.",
	Predict: func(v theory.Values) []theory.Quantity {
		l := LeastSquares{N: v.Int("n"), D: v.Int("d"), Noise: v.Float("noise"), Signal: v.Float("signal")}
		best := l.BestRidge()
		return []theory.Quantity{
			{Name: "best", Symbol: "λ*", Value: best, Meaning: "best ridge"},
			{Name: "ridge", Symbol: "R(λ)", Value: l.Ridge(v.Float("lambda")), Meaning: "risk of ridge", Limit: "n → ∞",
				Nonnegative: true},
			{Name: "bestrisk", Symbol: "R(λ*)", Value: l.Ridge(best), Meaning: "risk of the best ridge", Limit: "n → ∞",
				Nonnegative: true},
			{Name: "plain", Symbol: "R", Value: l.Risk(), Meaning: "risk of least squares", Nonnegative: true},
		}
	},
	Violated: func(v theory.Values) error {
		l := LeastSquares{N: v.Int("n"), D: v.Int("d"), Noise: v.Float("noise"), Signal: v.Float("signal")}
		if math.IsInf(l.Risk(), 1) {
			return errors.New("spectra: least squares has an infinite risk if samples and dimensions differ by 1 at most")
		}
		return l.Valid()
	},
	RestsOn: []string{"spectra/marchenkopastur"},
}

// LeastSquares is a regression on N samples in D dimensions, with the variance of the noise and the squared norm of β.
type LeastSquares struct {
	N, D          int
	Noise, Signal float64
}

// Valid names the violated hypothesis.
func (l LeastSquares) Valid() error {
	return theory.Require(l.N >= 1 && l.D >= 1 && l.Noise >= 0 && l.Signal >= 0,
		"spectra: need samples, dimensions and no negative variance")
}

// Risk returns the risk of the minimum-norm solution, which is infinite if N and D differ by at most 1 and there is
// noise.
func (l LeastSquares) Risk() float64 {
	if l.Valid() != nil {
		return math.NaN()
	}
	p, q := float64(min(l.N, l.D)), float64(max(l.N, l.D))
	risk := l.Signal * max(0, 1-float64(l.N)/float64(l.D))
	if l.Noise > 0 {
		risk += l.Noise * p / max(0, q-p-1)
	}
	return risk
}

// NoiseVariance returns the variance of tr (XᵀX)⁺, for |N − D| > 3.
func (l LeastSquares) NoiseVariance() float64 {
	p, q := float64(min(l.N, l.D)), float64(max(l.N, l.D))
	if l.Valid() != nil || q-p <= 3 {
		return math.NaN()
	}
	return 2 * p * (q - 1) / ((q - p) * (q - p - 1) * (q - p - 1) * (q - p - 3))
}

// BestRidge returns λ*.
func (l LeastSquares) BestRidge() float64 {
	return theory.When(l.Valid() == nil && l.Noise != 0 && l.Signal != 0, l.Noise*float64(l.D)/float64(l.N)/l.Signal)
}

// Ridge returns the limit of the risk of ridge, for λ > 0.
func (l LeastSquares) Ridge(lambda float64) float64 {
	if l.Valid() != nil {
		return math.NaN()
	}
	gamma := float64(l.D) / float64(l.N)
	s, companion, root := MP{gamma}.transforms(lambda)
	// With −s' = (γs² + s)/root, s + λs' is s times the companion over the same root, which does not cancel. λs is at
	// most 1, where λ² and s² leave the range of numbers.
	return l.Signal*lambda*s*(gamma*lambda*s+lambda)/root + l.Noise*gamma*s*companion/root
}
