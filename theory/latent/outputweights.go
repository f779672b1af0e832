package latent

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// OutputWeights is the claim latent/outputweights: the second layer of the proof of Theorem 1 and its norm.
var OutputWeights = theory.Statement{
	Slug:  "latent/outputweights",
	Title: "Output weights that represent a polynomial on the features of one step",
	Plain: "Random features along a learned subspace represent polynomials with explicit output weights, whose norm " +
		"grows with the number of latent directions, not with the dimension.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "x in ℝʳ, the latent space; a symmetric invertible r×r matrix H, the mean Hessian of the target, with κ = " +
		"‖H⁻¹‖/√r. Neurons max(0, aρ g·Hx + b) have independent g ~ N(0, I), a = ±1 with equal probability, and b uniform " +
		"on [−1, 1]; ρ > 0. This is the leading part of the rows after one step, aHŵ√d up to a factor, for d → ∞. The " +
		"target is homogeneous of degree k, T(x,…,x) = Σᵢ cᵢ(uᵢ·x)ᵏ with a symmetric tensor T.",
	Params: []theory.Param{
		{Name: "k", Symbol: "k", Meaning: "degree", Domain: theory.IntegerBetween(0, 12), Default: "2"},
		{Name: "r", Symbol: "r", Meaning: "latent directions", Domain: theory.IntegerBetween(1, 100), Default: "1"},
		{Name: "kappa", Symbol: "κ", Meaning: "‖H⁻¹‖/√r", Domain: theory.Between(math.Sqrt2/2, 100),
			Default: "1"},
		{Name: "rho", Symbol: "ρ", Meaning: "scale of the rows", Domain: theory.Between(0.01, 10), Default: "0.5"},
		{Name: "tau", Symbol: "τ", Meaning: "ρ‖Hx‖", Domain: theory.Between(0.001, 100), Default: "0.4"},
		{Name: "m", Symbol: "m", Meaning: "neurons", Domain: theory.IntegerBetween(1, 1e6), Default: "10000"},
	},
	Claim: "With vᵢ = H⁻¹uᵢ, He_k the Hermite polynomials and v_k(a, b) the weights of latent/powers, let ω = (v_k(a, " +
		"b)/(k!ρᵏ)) Σᵢ cᵢ‖vᵢ‖ᵏHe_k(g·vᵢ/‖vᵢ‖), and a⋆ = ω/m for each of m neurons. The mean output is exactly $E f_{a⋆}(x) " +
		"= T(x,…,x) C_k(ρ‖Hx‖)$, where C₀ = C₁ = 1 and C_k(τ) = E[sᵏ⁻²He_{k−2}(s); |s| ≤ 1/τ]/(k−2)! for s ~ N(0, 1), " +
		"which tends to 1 for τ → 0. The mean norm is $E‖a⋆‖² = E v_k² ‖T∘H⁻¹‖²/(k! ρ^{2k} m) ≤ E v_k² ‖T‖²/(k! ρ^{2k}) · " +
		"r^k κ^{2k}/m$, with equality if H is a multiple of an orthogonal matrix. E v_k² is 12, 4, 28, 84 for k = 0, …, 3. " +
		"The variance of the output is at most 1/m times (ρ²E v_k²(‖Hx‖²‖T'‖² + 2k‖T'(Hx)‖²) + E v_k²b² ‖T'‖²)/(k!ρ²ᵏ) " +
		"with T' = T∘H⁻¹. If b ~ N(0, 1), reweighted, the mean output is the same, and the norm between √(π/2) and √(πe/2) " +
		"times as large.",
	TeX: `\mathbb{E} f_{a^\star}(x) = T(x,\dots,x)\, C_k(\rho\lVert Hx\rVert), \quad ` +
		`\mathbb{E}\lVert a^\star\rVert^2 = \frac{\mathbb{E} v_k^2 \lVert T\circ H^{-1}\rVert^2}{k!\,\rho^{2k} m} \le ` +
		`\frac{\mathbb{E} v_k^2 \lVert T\rVert^2}{k!\,\rho^{2k}} \cdot \frac{r^k\kappa^{2k}}{m}`,
	Assumptions: []theory.Assumption{
		{ID: "normal", Text: "g is standard normal in the latent space"},
		{ID: "biases", Text: "b is uniform on [−1, 1], or reweighted to it"},
		{ID: "relu", Text: "the activation is ReLU"},
		{ID: "invertible", Text: "H is invertible: the uᵢ lie in its range"},
	},
	Source: paper.At("after Lemma 25, the norm of the second layer"),
	Deviations: "The source prints ‖a⋆‖² ≲ rᵖκ²ᵖι⁶ᵖ/m up to a constant, with a logarithm ι and high probability, for a " +
		"network after a step on samples. Here are its power of rκ² and its 1/m with constants, for the leading part of " +
		"the rows and in the mean; the construction by Hermite polynomials and the factor C_k are ours. A polynomial is a " +
		"sum of homogeneous ones, and so are its output weights; of different degrees they are orthogonal in the mean.",
	Proof: "By latent/powers the mean of v_kσ(at + b) over a and b is F(t) = tᵏ for |t| ≤ 1, and continues linearly. " +
		"For unit vectors E He_k(g·v)F(τ g·y) = (v·y)ᵏE He_k(s)F(τs), and by Stein's identity, twice, that is " +
		"(v·y)ᵏk!τᵏC_k, as F'' = k(k−1)tᵏ⁻² inside and 0 beyond. As E He_k(g·v)He_k(g·v') = k!(v·v')ᵏ, the second moment " +
		"of the sum is ‖T∘H⁻¹‖² k!, and applying H⁻¹ to an index multiplies a norm by at most ‖H⁻¹‖ = κ√r. For the " +
		"variance, σ(t)² ≤ t², and E z²(g·y)² for z = ⟨T', He_k(g)⟩ is ‖y‖²E z² plus 2E(∂z)² along y. Normal biases " +
		"multiply squared weights by 1/(2φ(b)).",
	Tolerance: "Quadrature is exact for polynomials of g and b between the kinks, and errs by some 10u for the normal " +
		"density on panels of length 3 up to 12. Sums of some 100 terms lose 200(k+2)u of the mean of |ω|σ, which is at " +
		"most the root of the mean square, or more where the terms of the target cancel.",
	Limits: "r up to 3 and k up to 5. C_k is close to 1 only for small ρ, which multiplies the norm by ρ^(−2k): C₂ = " +
		"0.95 at τ = ½. Nothing is claimed about the contribution of the rest of the rows at finite d, or about " +
		"whether a network finds such weights. The bound of the variance is not attained: for k < 2 even the second " +
		"moment of the output of a neuron is half of it.",
	Readings: []theory.Reading{{
		ID:             "slides-power",
		Reading:        "‖a⋆‖ is of the order rᵖκ²ᵖ/√m",
		Locus:          "companion slides, the norm of the second layer",
		Correct:        "Its square is of the order rᵖκ²ᵖ/m, as in Lemma 25: the slides' is larger for rκ² > 1.",
		Counterexample: "k = 1, r = 4, κ = 1 and T of norm 1: E‖a⋆‖² = 4r/(ρ²m), and not of the order r²/m.",
	}},
	RestsOn: []string{"latent/powers"},
	Predict: func(v theory.Values) []theory.Quantity {
		f := RidgeSumAlong(v.Int("k"), v.Int("r"), v.Float("kappa"), v.Float("rho"))
		x, y := f.Place(v.Float("tau"))
		return []theory.Quantity{
			{Name: "kept", Symbol: "C_k", Value: f.Kept(v.Float("tau")), Meaning: "mean output over the target"},
			{Name: "norm", Symbol: "E‖a⋆‖²", Value: f.Norm() / v.Float("m"), Nonnegative: true,
				Meaning: "mean squared norm for f = (u·x)ᵏ/√k! and H = I/(κ√r)"},
			{Name: "spread", Symbol: "sd ≤", Value: math.Sqrt(f.Variance(x, y)/v.Float("m")) / math.Abs(f.Target(x)),
				Bound: "sd ≤", Nonnegative: true, Meaning: "standard deviation of the output over the target"},
		}
	},
}

// RidgeSum describes the target Σᵢ cᵢ(uᵢ·x)ᵏ, and neurons whose rows are ρHg.
type RidgeSum struct {
	Degree       int
	Scale        float64     // ρ
	Smallest     float64     // smallest absolute eigenvalue of H, 1/(κ√r)
	Coefficients []float64   // cᵢ
	Directions   [][]float64 // uᵢ
	Pulled       [][]float64 // vᵢ = H⁻¹uᵢ
}

// RidgeSumAlong returns (u·x)ᵏ/√k! along the first axis, with H = I/(κ√r).
func RidgeSumAlong(k, r int, kappa, rho float64) RidgeSum {
	u, v := make([]float64, r), make([]float64, r)
	u[0], v[0] = 1, kappa*math.Sqrt(float64(r))
	return RidgeSum{k, rho, 1 / v[0], []float64{1 / math.Sqrt(hermite.Factorial(k))}, [][]float64{u}, [][]float64{v}}
}

// Place returns an x along the first direction and Hx, with ρ‖Hx‖ = τ, for a target of one direction of length 1.
func (f RidgeSum) Place(tau float64) (x, y []float64) {
	u := f.Directions[0]
	y = floats.ScaleTo(make([]float64, len(u)), tau/f.Scale, u)
	return floats.ScaleTo(make([]float64, len(u)), floats.Norm(f.Pulled[0], 2), y), y
}

// Valid names the violated hypothesis.
func (f RidgeSum) Valid() error {
	n := len(f.Coefficients)
	return cmp.Or(
		theory.Require(f.Degree >= 0 && f.Scale > 0 && f.Smallest > 0,
			"latent: need a degree, a scale above 0 and an invertible H"),
		theory.Require(n > 0 && n == len(f.Directions) && n == len(f.Pulled),
			"latent: every term has a coefficient and two directions"),
	)
}

func (f RidgeSum) valid(x float64) float64 {
	return theory.When(f.Valid() == nil, x)
}

// Target returns Σᵢ cᵢ(uᵢ·x)ᵏ.
func (f RidgeSum) Target(x []float64) float64 {
	sum := 0.0
	for i, c := range f.Coefficients {
		sum += c * math.Pow(floats.Dot(f.Directions[i], x), float64(f.Degree))
	}
	return f.valid(sum)
}

// Chaos returns z = (1/k!)Σᵢ cᵢ‖vᵢ‖ᵏHe_k(g·vᵢ/‖vᵢ‖), so that v_k(a, b)z/ρᵏ is m times the output weight.
func (f RidgeSum) Chaos(g []float64) float64 {
	sum := 0.0
	for i, c := range f.Coefficients {
		length := floats.Norm(f.Pulled[i], 2)
		sum += c * math.Pow(length, float64(f.Degree)) * hermite.Polynomial(f.Degree, floats.Dot(f.Pulled[i], g)/length)
	}
	return f.valid(sum / hermite.Factorial(f.Degree))
}

// Kept returns C_k(τ): by parts it is 2Φ(1/τ) − 1 − 2φ(1/τ)Σ_{l=1}^{k−2} τ^(−l)He_{l−1}(1/τ)/l!, whose terms cancel for
// τ > ½, where a quadrature does not.
func (f RidgeSum) Kept(tau float64) float64 {
	u, j := 1/tau, f.Degree-2
	switch {
	case j < 0:
		return f.valid(1)
	case u < 2:
		return f.valid(2 / hermite.Factorial(j) * quad.Fixed(func(s float64) float64 {
			return math.Pow(s, float64(j)) * hermite.Polynomial(j, s) * hermite.PDF(s)
		}, 0, u, 24, quad.Legendre{}, 0))
	}
	sum := math.Erf(u / math.Sqrt2)
	for l := 1; l <= j && u < 30; l++ { // φ(u) is 0 beyond
		sum -= 2 * hermite.PDF(u) * math.Pow(u, float64(l)) * hermite.Polynomial(l-1, u) / hermite.Factorial(l)
	}
	return f.valid(sum)
}

// Norm returns E ω², m times the mean of ‖a⋆‖².
func (f RidgeSum) Norm() float64 {
	return f.valid(PowerSquare(f.Degree, 0) * f.contracted(f.Pulled, f.Degree, nil) / f.divisor())
}

// NormBound returns E v_k² ‖T‖²(rκ²)ᵏ/(k!ρ²ᵏ), the bound on [RidgeSum.Norm] by κ.
func (f RidgeSum) NormBound() float64 {
	square := f.contracted(f.Directions, f.Degree, nil) / math.Pow(f.Smallest, 2*float64(f.Degree))
	return f.valid(PowerSquare(f.Degree, 0) * square / f.divisor())
}

// Variance bounds m times the variance of the output at x, for y = Hx.
func (f RidgeSum) Variance(x, y []float64) float64 {
	k, square := float64(f.Degree), f.contracted(f.Pulled, f.Degree, nil)
	along := floats.Dot(y, y) * square
	if k > 0 {
		along += 2 * k * f.contracted(f.Pulled, f.Degree-1, x)
	}
	return f.valid((f.Scale*f.Scale*PowerSquare(f.Degree, 0)*along + PowerSquare(f.Degree, 2)*square) / f.divisor())
}

// divisor returns k!ρ²ᵏ.
func (f RidgeSum) divisor() float64 {
	return hermite.Factorial(f.Degree) * math.Pow(f.Scale, 2*float64(f.Degree))
}

// contracted returns Σᵢⱼ cᵢcⱼ(vᵢ·vⱼ)ᵏ, the squared norm of Σ cᵢvᵢ^⊗k; with x, each term times its uᵢ·x = vᵢ·Hx.
func (f RidgeSum) contracted(v [][]float64, k int, x []float64) float64 {
	sum := 0.0
	for i, c := range f.Coefficients {
		for j, other := range f.Coefficients {
			term := c * other * math.Pow(floats.Dot(v[i], v[j]), float64(k))
			if x != nil {
				term *= floats.Dot(f.Directions[i], x) * floats.Dot(f.Directions[j], x)
			}
			sum += term
		}
	}
	return sum
}

// PowerSquare returns E v_k(a, b)²b^j for even j, a = ±1 and b uniform on [−1, 1].
func PowerSquare(k, j int) float64 {
	moment := func(n int) float64 {
		if n%2 != 0 {
			return 0
		}
		return 1 / float64(n+1)
	}
	switch k {
	case 0:
		return 36 * moment(j+2)
	case 1:
		return 4 * moment(j)
	}
	n := float64(k)
	high, linear, constant := 4*n*(n-1), 6*(n-1), 2*n // of v_k(−1, b); v_k(1, b) has no first term
	both := linear*linear*moment(j+2) + constant*constant*moment(j)
	return both + (high*high*moment(2*k-4+j)-2*high*(linear*moment(k-1+j)+constant*moment(k-2+j)))/2
}
