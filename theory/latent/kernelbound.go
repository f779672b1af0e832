package latent

import (
	"math"
	"slices"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// KernelBound is the claim latent/kernelbound: a lower bound on the error of every kernel method.
var KernelBound = theory.Statement{
	Slug:  "latent/kernelbound",
	Title: "Lower bound for every kernel method on targets of one direction",
	Plain: "On average over directions, no kernel method learns a target of one unknown direction below an " +
		"explicit error.",
	Kind:     theory.Impossibility,
	Standing: theory.Derivation,
	Setting: "x ~ N(0, I) in d dimensions, f_u = Σ_p a_p He_p(u·x)/√p! with a direction u uniform on the sphere and " +
		"independent of the inputs of a sample. A linear method predicts in a space V of dimension at most n that is fixed " +
		"before u: the span of kernel sections at the inputs, of features, or of any functions, with any use of labels, " +
		"penalty and loss. ω_ℓ = Σ_p a_p²W_{pℓ}, and D_ℓ is the dimension of the spherical harmonics of degree ℓ.",
	Params: []theory.Param{
		{Name: "d", Symbol: "d", Meaning: "dimension", Domain: theory.IntegerBetween(1, 1e6), Default: "30"},
		{Name: "n", Symbol: "n",
			Meaning: "samples; the space has dimension n + d + 1, with a constant and a linear part",
			Domain:  theory.IntegerBetween(0, 1e9), Default: "450"},
		{Name: "p", Symbol: "p", Meaning: "degree of the target ½He₂ + He_p/√(2·p!), p ≥ 3; 2 for He₂/√2",
			Domain: theory.IntegerBetween(2, 8), Default: "3"},
	},
	Claim: "The operator E_u f_u⊗f_u has the eigenvalue ω_ℓ/D_ℓ with multiplicity D_ℓ for ℓ = 0, 1, …, and 0, where " +
		"W_{pℓ} = p! D_ℓ/(2^k k! d(d+2)…(d+2(ℓ+k)−2)) for p = ℓ + 2k and 0 otherwise, Σ_ℓ W_{pℓ} = 1. So E_u E_x(f_u " +
		"− f̂)² ≥ Σ_p a_p² − (the sum of its n largest eigenvalues), with equality for the span of its leading " +
		"eigenfunctions.",
	TeX: `\mathbb{E}_u \lVert f_u - \hat f \rVert^2 \ge \sum_p a_p^2 - \sum_{i \le n} \lambda_i, \quad ` +
		`\lambda = \frac{1}{D_\ell} \sum_p a_p^2 W_{p\ell} \text{ with multiplicity } D_\ell`,
	Assumptions: []theory.Assumption{
		{ID: "uniform", Text: "u is uniform on the sphere, and V does not depend on it"},
		{ID: "dimension", Text: "V has dimension at most n"},
		{ID: "gaussian", Text: "x is standard normal"},
	},
	Source: theory.Source{
		Paper: "B. Ghorbani, S. Mei, T. Misiakiewicz, A. Montanari: Linearized two-layers neural networks in high " +
			"dimension",
		ArXiv: "1904.12191", Version: "Annals of Statistics 49 (2021)", Year: 2021,
		Locus: "the theorem on kernel methods between d^ℓ and d^(ℓ+1) samples, here at finite d",
	},
	Deviations: "The source is asymptotic and on the sphere. Here the bound is for every d and n and in Gaussian " +
		"space, where degrees 2 and 4 share the harmonics of degree 2. For one fixed u it holds in expectation if " +
		"the kernel is invariant under rotations, since the law of the inputs is.",
	Proof: "He_p(u·x) is a sum of radial functions times harmonics of u and x/‖x‖, one of each degree ℓ = p, p−2, …; by " +
		"rotation invariance the operator is a multiple of the identity on each space of harmonics (Schur), and on the " +
		"radial functions it has rank one. W_{pℓ} follows from the reproducing kernel (u·x)^p/p! of the forms of degree p " +
		"and its part on |x|^{2k} times harmonics. The trace over V is at most the sum of the largest eigenvalues (Ky Fan).",
	Tolerance: "The moments of u are products of at most 2p ratios, so that entries err by 20p u. Eigenvalues of a " +
		"matrix of order N err by N times that and by 30N u from the factorisation. Projections err by the same times N, " +
		"and by the deviation of the basis from an orthonormal one.",
	Limits: "The identity is checked up to d = 4 and degree 4, where the matrix is small. The bound does not say how " +
		"far above it the error of a given kernel is, and it does not apply to methods whose space depends on the " +
		"labels.",
	Predict: func(v theory.Values) []theory.Quantity {
		z := ZonalTarget(v.Int("d"), v.Int("p"))
		return []theory.Quantity{
			{Name: "bound", Symbol: "E error ≥", Value: z.SpanBound(v.Float("n") + v.Float("d") + 1),
				Meaning: "lower bound on the squared error of every kernel method", Bound: "≥", Nonnegative: true},
			{Name: "polynomials", Symbol: "dim P", Value: binomial64(v.Float("d")+v.Float("p"), v.Int("p")),
				Meaning: "dimension of the polynomials of degree p; with that many samples the bound is 0"},
		}
	},
}

// Zonal describes the target Σ_p a_p He_p(u·x)/√p! of one direction u in D dimensions.
type Zonal struct {
	D            int
	Coefficients []float64 // a_p
}

// ZonalTarget returns ½He₂ + He_p/√(2·p!), of mean square 1, or He₂/√2 for p = 2.
func ZonalTarget(d, p int) Zonal {
	a := make([]float64, p+1)
	a[2] = math.Sqrt(0.5)
	a[p] = math.Sqrt(0.5)
	if p == 2 {
		a[2] = 1
	}
	return Zonal{d, a}
}

// Valid names the violated hypothesis.
func (z Zonal) Valid() error {
	return theory.Require(z.D >= 1, "latent: the dimension must be positive")
}

// harmonicDimension returns D_ℓ, the dimension of the spherical harmonics of degree ℓ in d ≥ 1 dimensions.
func harmonicDimension(d, l int) float64 {
	n := float64(d)
	if l < 2 {
		return math.Pow(n, float64(l))
	}
	return binomial64(n+float64(l)-1, l) - binomial64(n+float64(l)-3, l-2)
}

// binomial64 returns binom(n, k) = n(n−1)…(n−k+1)/k!.
func binomial64(n float64, k int) float64 {
	product := 1.0
	for j := range k {
		product *= (n - float64(j)) / float64(j+1)
	}
	return product
}

// harmonicWeight returns W_{pℓ}, the share of He_p(u·x)/√p! on the harmonics of degree ℓ in d dimensions.
func harmonicWeight(d, p, l int) float64 {
	if l < 0 || l > p || (p-l)%2 != 0 {
		return 0
	}
	k := (p - l) / 2
	w := hermite.Factorial(p) / hermite.Factorial(k) * harmonicDimension(d, l) / math.Pow(2, float64(k))
	for j := range l + k {
		w /= float64(d + 2*j)
	}
	return w
}

// Eigenvalues returns the eigenvalues of E_u f_u⊗f_u other than 0, descending, with their multiplicities.
func (z Zonal) Eigenvalues() (values, multiplicities []float64) {
	type pair struct{ value, multiplicity float64 }
	var pairs []pair
	for l := range z.Coefficients {
		omega := 0.0
		for p, a := range z.Coefficients {
			omega += a * a * harmonicWeight(z.D, p, l)
		}
		if m := math.Round(harmonicDimension(z.D, l)); m > 0 && omega > 0 {
			pairs = append(pairs, pair{omega / m, m})
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		switch {
		case a.value > b.value:
			return -1
		case a.value < b.value:
			return 1
		}
		return 0
	})
	for _, p := range pairs {
		values, multiplicities = append(values, p.value), append(multiplicities, p.multiplicity)
	}
	return values, multiplicities
}

// SpanBound returns Σ a_p² minus the n largest eigenvalues: no method that predicts in a space of dimension n, chosen
// without knowledge of u, has a smaller squared error in the mean over u. NaN outside the hypotheses.
func (z Zonal) SpanBound(n float64) float64 {
	if z.Valid() != nil || !(n >= 0) {
		return math.NaN()
	}
	rest := 0.0
	values, multiplicities := z.Eigenvalues()
	for i, m := range multiplicities {
		taken := min(n, m)
		n -= taken
		rest += values[i] * (m - taken)
	}
	return rest
}
