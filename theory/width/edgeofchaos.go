package width

import (
	"errors"
	"math"
	"slices"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// EdgeOfChaos is the claim width/edgeofchaos: how lengths, angles and gradients travel through depth.
var EdgeOfChaos = theory.Statement{
	Slug:  "width/edgeofchaos",
	Title: "Rates at which lengths, correlations and gradients travel through a wide random network",
	Plain: "In a wide random network, one number decides whether depth makes two inputs more alike or less, and whether " +
		"gradients vanish or explode.",
	Kind:     theory.Limit,
	Standing: theory.Derivation,
	Setting: "Pre-activations $h_{l+1} = n^{−1/2}Wφ(h_l) + b$ of two inputs, entries of W independent N(0, σ_w²), of b " +
		"N(0, σ_b²), and n → ∞. q_l = |h_l|²/n, q'_l is that of the other input, and c_l the cosine between h_l and h'_l. " +
		"Z, and u and v with correlation c, are standard normal. Rates are those at equal lengths q = q'.",
	Params: []theory.Param{
		{Name: "activation", Symbol: "φ", Meaning: "activation", Domain: theory.OneOf("tanh", "erf", "relu"),
			Default: "tanh"},
		{Name: "weight", Symbol: "σ_w²", Meaning: "variance of the weights times n", Domain: theory.Between(0.05, 16),
			Default: "1.5"},
		{Name: "bias", Symbol: "σ_b²", Meaning: "variance of the biases", Domain: theory.Between(0, 4), Default: "0.1"},
		{Name: "q", Symbol: "q₀", Meaning: "length at the start", Domain: theory.Between(1e-3, 10), Default: "1"},
		{Name: "c", Symbol: "c₀", Meaning: "correlation at the start", Domain: theory.Between(-1, 1), Default: "0"},
		{Name: "depth", Symbol: "l", Meaning: "layers", Domain: theory.IntegerBetween(1, 100), Default: "10"},
	},
	Claim: "$q_{l+1} = σ_w² E φ(√q_l Z)² + σ_b²$ and $h_{l+1}·h'_{l+1}/n = σ_w² E φ(√q_l u)φ(√q'_l v) + σ_b²$ with c = " +
		"c_l. At a fixed length q > 0 the differences q_l − q shrink by $χ_q = σ_w² E[φ′² + φφ″]$ a layer, c_l − c by " +
		"$χ_c = σ_w² E φ′(√q u)φ′(√q v)$ at the fixed correlation c, and squared gradients, going back, by χ₁. If χ₁ " +
		"≤ 1 there, all correlations tend to 1, if χ₁ > 1 those other than ±1 to another value. At χ₁ = 1 and c₀ ≠ 1, " +
		"smooth φ have $l(1 − c_l) → 2 E φ′²/(q E φ″²)$, and angles θ_l of ReLU $3π/θ_l = l + (3/2) ln l + C + o(1)$, " +
		"hence $l²(1 − c_l) → 9π²/2$. For erf χ₁ = 1 at $σ_w² = (π/4)√(1+4q)$ and $σ_b² = q − ½√(1+4q) arcsin(2q/(1+2q))$.",
	TeX: `q_{l+1} = \sigma_w^2 \, \mathbb{E} \varphi(\sqrt{q_l} Z)^2 + \sigma_b^2, \quad h_{l+1} \cdot h'_{l+1}/n = ` +
		`\sigma_w^2 \, \mathbb{E} \varphi(\sqrt{q_l} u) \varphi(\sqrt{q'_l} v) + \sigma_b^2, \quad \chi_q = \sigma_w^2 \, ` +
		`\mathbb{E} [\varphi'^2 + \varphi \varphi''], \quad \chi_c = \sigma_w^2 \, \mathbb{E} \varphi'(\sqrt{q} u) ` +
		`\varphi'(\sqrt{q} v), \quad l (1 - c_l) \to \frac{2 \, \mathbb{E} \varphi'^2}{q \, \mathbb{E} \varphi''^2}, ` +
		`\quad \frac{3 \pi}{\theta_l} = l + \tfrac32 \ln l + C + o(1), \quad l^2 (1 - c_l) \to \frac{9 \pi^2}{2}, \quad ` +
		`\sigma_w^2 = \tfrac{\pi}{4} \sqrt{1+4q}, \quad \sigma_b^2 = q - \tfrac12 \sqrt{1+4q} \, \arcsin \tfrac{2q}{1+2q}`,
	Assumptions: []theory.Assumption{
		{ID: "independent", Text: "weights are independent from layer to layer"},
		{ID: "variance", Text: "weights have the variance σ_w²/n and mean 0"},
		{ID: "smooth", Text: "φ is smooth, for the rates that contain its second derivative"},
		{ID: "wide", Text: "n → ∞", NoControl: "means of one layer given the one before are exact at every n"},
	},
	Source: theory.Source{Paper: "After Poole et al. and Schoenholz et al., deep signal propagation; Hayou, Doucet, " +
		"Rousseau for the critical rates", Version: "recalled", Year: 2017, Locus: "proof of theory/width.EdgeOfChaos"},
	Deviations: "The orders on the critical line are theirs as recalled; the logarithm for ReLU and the constants are " +
		"derived here.",
	Proof: "Given h_l the rows of W make independent Gaussian pairs whose covariance is a mean over neurons, and tends " +
		"to the expectation. Gaussian integration by parts differentiates both maps: dF/dq = σ_w² E[φ′² + φφ″] and " +
		"∂(cq)/∂(cq) = σ_w² E φ′φ′. At χ₁ = 1 the map of δ = 1 − c is δ − δ²/β + …, β = 2/(σ_w² q E φ″²), and 1/δ grows " +
		"by 1/β a layer. For ReLU θ → θ − θ²/(3π) − θ³/(18π²) + …, so that y = 3π/θ grows by 1 + 3/(2y) + O(y⁻²). " +
		"Backwards, δ_l = φ′(h_l) ∘ Wᵀδ_{l+1}/√n, in which W is as good as a fresh one to leading order.",
	Tolerance: "Products are integrated by two rules, which differed by up to 4·10⁻¹³ in 6000 draws. Slopes are " +
		"difference quotients of the maps, integrated by another rule, with steps h and h/2: an " +
		"extrapolated one errs by less than the last correction and roundings. Rates over depth and growth on the " +
		"critical line are taken from late layers, and may differ by as much as earlier layers do, or by the next " +
		"term of the expansion. Networks: given the products of activations in one layer, those in the next have the " +
		"claimed mean at every width; gradients are off by some 1/n, and the medians of batches by a sixth of " +
		"scatter times skewness.",
	Limits: "tanh, erf and ReLU; networks of 12 to 120 units and 4 maps. At σ_b = 0 and small weights, σ_w² ≤ 1 for " +
		"tanh and π/4 for erf, lengths tend to 0, where φ is nearly linear; then correlations stop short of 1, and no rate " +
		"is claimed.",
	Violated: func(v theory.Values) error { return PropagationFrom(v).Valid() },
	Predict: func(v theory.Values) []theory.Quantity {
		p := PropagationFrom(v)
		s, gradient := Signal{v.Float("q"), v.Float("q"), v.Float("c")}, 1.
		for range v.Int("depth") {
			gradient *= p.Slope(s.Length)
			s = p.Next(s)
		}
		out := []theory.Quantity{
			{Name: "length", Symbol: "q_l", Value: s.Length, Meaning: "|h_l|²/n", Nonnegative: true},
			{Name: "correlation", Symbol: "c_l", Value: s.Correlation, Meaning: "cosine between the two inputs' h_l"},
			{Name: "gradient", Symbol: "", Value: gradient, Meaning: "squared gradient in h₀ over that in h_l",
				Nonnegative: true},
		}
		if q := p.FixedLength(); q > 0 {
			c := p.FixedCorrelation(q)
			out = append(out, theory.Quantity{Name: "fixed_length", Symbol: "q", Value: q, Meaning: "fixed length"},
				theory.Quantity{Name: "fixed_correlation", Symbol: "c", Value: c, Meaning: "stable fixed correlation"},
				theory.Quantity{Name: "chi1", Symbol: "χ₁", Value: p.Slope(q), Meaning: "factor of gradients a layer"},
				theory.Quantity{Name: "chi_q", Symbol: "χ_q", Value: p.LengthSlope(q), Meaning: "factor of lengths a layer"},
				theory.Quantity{Name: "chi_c", Symbol: "χ_c", Value: p.CorrelationSlope(q, c),
					Meaning: "factor of correlations a layer"})
		}
		return theory.Limits("n → ∞", out)
	},
}

// Propagation is a wide random network.
type Propagation struct {
	Activation string  // "tanh", "erf" or "relu"
	Weight     float64 // σ_w²
	Bias       float64 // σ_b²
}

// PropagationFrom returns the network at a user's parameters.
func PropagationFrom(v theory.Values) Propagation {
	return Propagation{v.Choice("activation"), v.Float("weight"), v.Float("bias")}
}

// Valid names the violated hypothesis.
func (p Propagation) Valid() error {
	if !slices.Contains([]string{"tanh", "erf", "relu"}, p.Activation) {
		return errors.New("width: the activation must be tanh, erf or relu")
	}
	if !(p.Weight > 0 && p.Bias >= 0) || math.IsInf(p.Weight+p.Bias, 1) {
		return errors.New("width: σ_w² must be positive, σ_b² not negative, and both finite")
	}
	return nil
}

// Critical returns the network with fixed length q and χ₁ = 1; for ReLU every length is fixed.
func Critical(activation string, q float64) Propagation {
	p := Propagation{Activation: activation, Weight: 1}
	switch root := math.Sqrt(1 + 4*q); activation {
	case "relu":
		p.Weight = 2
	case "erf":
		p.Weight, p.Bias = math.Pi/4*root, q-root/2*math.Asin(2*q/(1+2*q))
	default:
		p.Weight = 1 / p.Slope(q)
		p.Bias = q - p.Weight*p.Pair(q, q, 1)
	}
	return p
}

// Signal describes a pair of inputs in a layer.
type Signal struct{ Length, Other, Correlation float64 }

// Next returns the signal a layer later.
func (p Propagation) Next(s Signal) Signal {
	next := func(q, r, c float64) float64 { return p.Weight*p.Pair(q, r, c) + p.Bias }
	q, r := next(s.Length, s.Length, 1), next(s.Other, s.Other, 1)
	c := next(s.Length, s.Other, s.Correlation) / math.Sqrt(q) / math.Sqrt(r) // q·r may underflow
	return Signal{q, r, max(-1, min(1, c))}
}

// mean returns E of a function of a smooth activation and its derivatives at √q Z; NaN outside the hypotheses.
func (p Propagation) mean(q float64, of func(jet [4]float64) float64) float64 {
	jet := jets[p.Activation]
	if p.Valid() != nil || jet == nil || !(q >= 0) {
		return math.NaN()
	}
	root := math.Sqrt(q)
	return hermite.Expectation(func(z float64) float64 { return of(jet(root * z)) })
}

// LengthSlope returns χ_q, the slope of the map of lengths at q.
func (p Propagation) LengthSlope(q float64) float64 {
	switch p.Activation {
	case "relu":
		return p.Slope(q)
	case "erf":
		return p.Slope(q) / (1 + 2*q)
	}
	return p.Weight * p.mean(q, func(j [4]float64) float64 { return j[1]*j[1] + j[0]*j[2] })
}

// Slope returns χ₁ = σ_w² E φ′(√q Z)².
func (p Propagation) Slope(q float64) float64 { return p.CorrelationSlope(q, 1) }

// Algebraic returns β = 2 E φ′²/(q E φ″²), the limit of l(1−c_l) at χ₁ = 1; NaN for ReLU.
func (p Propagation) Algebraic(q float64) float64 {
	return 2 * p.Slope(q) / (q * p.Weight * p.mean(q, func(j [4]float64) float64 { return j[2] * j[2] }))
}

// FixedLength returns the positive fixed length; NaN where there is none, and where every length is fixed.
func (p Propagation) FixedLength() float64 {
	next := func(q float64) float64 { return p.Next(Signal{q, q, 1}).Length }
	switch q := p.Bias / (1 - p.Weight/2); {
	case p.Valid() != nil || p.Activation == "relu" && !(q > 0 && q < math.Inf(1)):
		return math.NaN()
	case p.Activation == "relu":
		return q
	case p.Bias == 0 && !(next(1e-9) > 1e-9): // with biases there always is one, however small
		return math.NaN()
	}
	q := p.Weight + p.Bias // the map is concave and bounded by this: Newton's method from the right stays there
	for range 60 {
		step := (q - next(q)) / (1 - p.LengthSlope(q))
		if q -= step; !(step > 1e-15*q) {
			break
		}
	}
	return q
}

// FixedCorrelation returns the stable fixed correlation at a fixed length q: 1 if χ₁ ≤ 1.
func (p Propagation) FixedCorrelation(q float64) float64 {
	switch chi := p.Slope(q); {
	case math.IsNaN(chi) || p.Activation == "relu" && chi > 1: // which has no fixed length
		return math.NaN()
	case chi <= 1:
		return 1
	}
	c := 0.0       // the map is convex for c ≥ 0: Newton's method from 0 rises to the lower one of its two fixed points
	for range 60 { // where χ₁ is hardly above 1 they nearly meet, at 1, and the error halves with every step
		step := ((p.Weight*p.Pair(q, q, c)+p.Bias)/q - c) / (1 - p.CorrelationSlope(q, c))
		if !(step > 1e-15) {
			break
		}
		c = min(1, c+step)
	}
	return c
}

// AngleGrowth returns l' − l + (3/2) ln(l'/l), by which 3π/θ of ReLU at χ₁ = 1 grows between two depths to leading
// order.
func AngleGrowth(from, to int) float64 {
	return float64(to-from) + 1.5*math.Log(float64(to)/float64(from))
}
