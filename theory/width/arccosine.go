package width

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/thm-suite/thm/theory"
)

// ArcCosine is the claim width/arccosine.
var ArcCosine = theory.Statement{
	Slug:  "width/arccosine",
	Title: "Kernels of one random layer, and their fluctuation at finite width",
	Plain: "The kernel of a random layer and its variance at every width are closed formulas in the angle between two " +
		"inputs.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Inputs x and y that are not zero, at the angle θ; w standard normal. The activation is a power of the " +
		"ReLU, σ_q(z) = z^q for z > 0 and 0 elsewhere, so that σ₀ is a step and σ₁ the ReLU; or erf. A layer of n " +
		"neurons with independent weights has the kernel K̂ = (1/n)Σσ(wⱼ·x)σ(wⱼ·y).",
	Params: []theory.Param{
		{Name: "q", Symbol: "q", Meaning: "power of the ReLU", Domain: theory.IntegerBetween(0, 8), Default: "1"},
		{Name: "c", Symbol: "cos θ", Meaning: "cosine of the angle of inputs of length one", Domain: theory.Between(-1, 1),
			Default: "0.3"},
		{Name: "n", Symbol: "n", Meaning: "width", Domain: theory.IntegerBetween(1, 1e6), Default: "64"},
		{Name: "theta", Symbol: "θ", Meaning: "angle between the inputs"},
		{Name: "norms", Symbol: "|x||x′|", Meaning: "product of the inputs' norms"},
		{Name: "mean", Symbol: "E σ(u)σ(v)", Meaning: "kernel that was found"},
		{Name: "xx", Symbol: "S₁₁", Meaning: "variance of u"},
		{Name: "xy", Symbol: "S₁₂", Meaning: "covariance of u and v"},
		{Name: "yy", Symbol: "S₂₂", Meaning: "variance of v"},
		{Name: "slope", Symbol: "E σ′(u)σ′(v)", Meaning: "kernel of the derivatives that was found"},
	},
	Claim: "$E σ_q(w·x)σ_q(w·y) = ‖x‖^q‖y‖^q J_q(θ)/2π$ with J₀ = π − θ, J₁ = sin θ + (π−θ)cos θ and $J_q = (2q−1)cos " +
		"θ J_{q−1} + (q−1)²sin²θ J_{q−2}$. At every width " +
		"$n Var K̂ = ‖x‖^(2q)‖y‖^(2q)(J_{2q}/2π − (J_q/2π)²)$. For erf and Σ the products of x and y, $E erf(w·x)erf(w·y) " +
		"= (2/π)arcsin(2Σ_{xy}/√((1+2Σ_{xx})(1+2Σ_{yy})))$ and $E erf′(w·x)erf′(w·y) = (4/π)((1+2Σ_{xx})(1+2Σ_{yy}) − " +
		"4Σ_{xy}²)^(−1/2)$.",
	TeX: `\mathbb{E}\,\sigma_q(w \cdot x)\,\sigma_q(w \cdot y) = \lVert x\rVert^q \lVert y\rVert^q J_q(\theta)/2\pi, ` +
		`\qquad J_q = (2q-1)\cos\theta\, J_{q-1} + (q-1)^2 \sin^2\theta\, J_{q-2}, ` +
		`\qquad n \operatorname{Var} \hat K = \lVert x\rVert^{2q}\lVert y\rVert^{2q} ` +
		`\bigl(J_{2q}/2\pi - (J_q/2\pi)^2\bigr), ` +
		`\qquad \mathbb{E} \operatorname{erf} \operatorname{erf} = \tfrac{2}{\pi}\arcsin ` +
		`\frac{2\Sigma_{xy}}{\sqrt{(1+2\Sigma_{xx})(1+2\Sigma_{yy})}}, ` +
		`\qquad \mathbb{E} \operatorname{erf}' \operatorname{erf}' = ` +
		`\tfrac{4}{\pi}\bigl((1+2\Sigma_{xx})(1+2\Sigma_{yy}) - 4\Sigma_{xy}^2\bigr)^{-1/2}`,
	Assumptions: []theory.Assumption{
		{ID: "gaussian", Text: "the weights are standard normal"},
		{ID: "unbiased", Text: "the neurons have no bias"},
		{ID: "independent", Text: "the neurons are independent, for the variance"},
	},
	Source: theory.Source{Paper: "After Y. Cho and L. K. Saul, Kernel methods for deep learning; and C. K. I. Williams, " +
		"Computing with infinite networks", Version: "derived here", Year: 2009,
		Locus: "proof of theory/width.ArcCosine"},
	Deviations: "The kernel of Cho and Saul is usually given as J_q/π, twice the mean.",
	Proof: "In polar coordinates of the plane of x and y the radius gives 2^q q!, and the angle J_q = q!∫(cos α + cos " +
		"θ)^q dα over 0 ≤ α ≤ π−θ. The derivative of sin α (cos α + cos θ)^(q−1) is a sum of such powers, which gives the " +
		"recurrence. Terms of K̂ are independent, and σ_q² = σ_{2q}. For erf, differentiate in Σ_{xy}: by " +
		"Price's theorem the slope is the mean of " +
		"the derivatives, a Gaussian integral.",
	Tolerance: "Means come from a product of Gauss rules on the wedge in which both neurons are active, of positive " +
		"terms alone. An angle near π has the relative error of π−θ, which enters at most (2q+1)-fold. For erf the " +
		"trapezoidal rule is exact to rounding, which is absolute. Variances are means over drawn layers: medians of " +
		"batches, whose scatter follows from the kurtosis, over all layers and over each kind.",
	Limits: "q ≤ 8. Layers are drawn for the step and the ReLU; other variances are those of one neuron by quadrature. " +
		"Angles within 10⁻³ of π are not drawn, and for erf Σ is at most 9.",
	Predict: predictArcCosine,
}

func predictArcCosine(v theory.Values) []theory.Quantity {
	c := v.Float("c")
	pair := Rectified{Power: v.Int("q"), Angle: angleOf(c), Norms: 1}
	return []theory.Quantity{
		{Name: "mean", Symbol: "E K̂", Value: pair.Mean(), Meaning: "kernel of an infinitely wide layer"},
		{Name: "variance", Symbol: "Var K̂", Value: pair.Variance() / v.Float("n"), Meaning: "of the kernel at width n",
			Nonnegative: true},
		{Name: "erf", Symbol: "E erf erf", Value: Erf{1, c, 1}.Mean(), Meaning: "kernel of a layer with erf"},
	}
}

// Rectified is a pair of inputs of neurons that take a power of the ReLU.
type Rectified struct {
	Power int
	Angle float64 // θ
	Norms float64 // ‖x‖‖y‖
}

// Valid names the violated hypothesis.
func (p Rectified) Valid() error {
	return theory.Require(p.Power >= 0 && p.Power <= 8 && p.Angle >= 0 && p.Angle <= math.Pi && p.Norms > 0,
		"width: need a power q from 0 to 8, an angle in [0, π] and inputs that are not zero")
}

// Mean returns E σ_q(w·x)σ_q(w·y).
func (p Rectified) Mean() float64 {
	if p.Valid() != nil {
		return math.NaN()
	}
	return p.moment(p.Power)
}

// moment is E σ_q(w·x)σ_q(w·y) for q ≤ 16.
func (p Rectified) moment(q int) float64 {
	return math.Pow(p.Norms, float64(q)) * arcCosine(q, p.Angle) / (2 * math.Pi)
}

// Variance returns the variance of σ_q(w·x)σ_q(w·y), which is n times the variance of a layer's kernel.
func (p Rectified) Variance() float64 {
	if p.Valid() != nil {
		return math.NaN()
	}
	mean := p.Mean()
	return p.moment(2*p.Power) - mean*mean
}

// arcCosine returns J_q. Beyond a right angle the terms of the recurrence cancel; those of the integral are positive,
// and 32 nodes integrate a polynomial of degree q in cos α, q ≤ 16, over a quarter of a circle to rounding. (The rule
// of gonum with 26 nodes has wrong weights.)
func arcCosine(q int, angle float64) float64 {
	p, s, c := math.Pi-angle, math.Sin(angle), math.Cos(angle)
	if c < 0 {
		return math.Gamma(float64(q+1)) * quad.Fixed(func(a float64) float64 {
			return math.Pow(2*math.Sin((p+a)/2)*math.Sin((p-a)/2), float64(q))
		}, 0, p, 32, quad.Legendre{}, 0)
	}
	before, j := 0.0, p
	for k := 1; k <= q; k++ {
		next := float64(2*k-1)*c*j + float64((k-1)*(k-1))*s*s*before
		if k == 1 {
			next += s
		}
		before, j = j, next
	}
	return j
}

// angleOf returns the angle of a cosine, which may exceed 1 by rounding.
func angleOf(c float64) float64 { return math.Atan2(math.Sqrt(max(0, (1-c)*(1+c))), c) }

// Erf is a pair of inputs of neurons that take erf, by their products ‖x‖², x·y and ‖y‖².
type Erf struct{ XX, XY, YY float64 }

// Valid names the violated hypothesis.
func (e Erf) Valid() error {
	return theory.Require(e.XX > 0 && e.YY > 0 && e.XY*e.XY <= e.XX*e.YY*(1+1e-12),
		"width: need inputs that are not zero and |x·y| ≤ ‖x‖‖y‖")
}

// Mean returns E erf(w·x)erf(w·y).
func (e Erf) Mean() float64 {
	return theory.When(e.Valid() == nil, 2/math.Pi*math.Atan2(2*e.XY, math.Sqrt(e.determinant())))
}

// Slope returns E erf′(w·x)erf′(w·y).
func (e Erf) Slope() float64 {
	return theory.When(e.Valid() == nil, 4/math.Pi/math.Sqrt(e.determinant()))
}

// determinant is (1+2Σ_xx)(1+2Σ_yy) − 4Σ_xy². Inputs may be long and alike: the roundings of products are made good.
func (e Erf) determinant() float64 {
	lengths, product := e.XX*e.YY, e.XY*e.XY
	lost := math.FMA(e.XX, e.YY, -lengths) - math.FMA(e.XY, e.XY, -product)
	return 1 + 2*(e.XX+e.YY) + 4*max(0, lengths-product+lost)
}
