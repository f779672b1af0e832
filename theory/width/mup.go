package width

import (
	"errors"
	"math"
	"slices"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
)

// MuP is the claim width/mup: by which powers of the width one step moves a network.
var MuP = theory.Statement{
	Slug:  "width/mup",
	Title: "Powers of the width by which one step moves pre-activations and outputs",
	Plain: "How weights and learning rates scale with the width decides whether one step moves the features, moves only " +
		"the output, or blows up.",
	Kind:     theory.Scaling,
	Standing: theory.Derivation,
	Setting: "h¹ = W¹x, hˡ = Wˡφ(hˡ⁻¹), f = W^(L+1)φ(hᴸ), L hidden layers of n units, fixed x with |x| = 1. Wˡ = " +
		"n^(−aₗ)wˡ, entries of wˡ independent N(0, n^(−2bₗ)), steps ηn^(−cₗ) in wˡ along the gradient of f, or along its " +
		"sign. φ is smooth and not constant, a₁+b₁ = 0, aₗ+bₗ = ½ for 2 ≤ l ≤ L, A = a_(L+1)+b_(L+1) ≥ ½, and η is small. " +
		"ΔWˡφ(hˡ⁻¹) is a layer's own move, Δhˡ its total one. Exponents are of n in root mean squares.",
	Params: []theory.Param{
		{Name: "parametrisation", Symbol: "(a, b, c)", Meaning: "named parametrisation",
			Domain: theory.OneOf("standard", "tangent", "mean-field", "maximal"), Default: "maximal"},
		{Name: "rule", Symbol: "g or sgn g", Meaning: "step along the gradient or its sign",
			Domain: theory.OneOf("sgd", "sign"), Default: "sgd"},
		{Name: "layers", Symbol: "L", Meaning: "hidden layers", Domain: theory.IntegerBetween(1, 8), Default: "2"},
		{Name: "rate", Symbol: "c", Meaning: "added to every cₗ", Domain: theory.Between(-2, 2), Default: "0"},
	},
	Claim: "A layer's own move has the exponent −cₗ − 2aₗ + 1{l≥2} − A, and for the sign −cₗ − aₗ + 1{l≥2}; its total " +
		"move has the largest one of the layers up to l. The output moves by the larger of 1 − 2a_(L+1) − c_(L+1), for " +
		"the sign 1 − a_(L+1) − c_(L+1), and 1 − A + that of hᴸ. (a+t, b−t, c−2t), and (a+t, b−t, c−t) for the sign, " +
		"train the same network as (a, b, c). If L = 1, Δf/(−η) has the mean $E φ² + E φ′²$ in tangent, mean-field and " +
		"maximal parametrisation alike, though hidden units move by $n^{−1/2}$ in the first and by 1 in the others, and " +
		"for the maximal sign step $E|φ| + ‖x‖₁√(2/π) E|φ′|$.",
	TeX: `\mathbb{E} \varphi^2 + \mathbb{E} \varphi'^2, \qquad n^{-1/2}, \qquad \mathbb{E} |\varphi| + ` +
		`\lVert x \rVert_1 \sqrt{2/\pi} \, \mathbb{E} |\varphi'|`,
	Assumptions: []theory.Assumption{
		{ID: "forward", Text: "pre-activations are of order one before the step: a₁+b₁ = 0 and aₗ+bₗ = ½"},
		{ID: "same-weights", Text: "the gradient passes back through the same weights through which the move passes forward"},
		{ID: "small", Text: "η is so small that the first order dominates",
			NoControl: "a finite step of a bounded φ hides divergence"},
		{ID: "constant", Text: "the loss is f, so that its slope does not scale with the width",
			NoControl: "another slope multiplies every move"},
	},
	Source: theory.Source{Paper: "After Yang, Hu: Tensor Programs IV, and Yang et al.: Tensor Programs V",
		ArXiv: "2011.14522", Version: "recalled", Year: 2021, Locus: "proof of theory/width.MuP"},
	Deviations: "Rates by layer and the sign are included. Their theorem speaks of any number of steps and of gradient " +
		"descent; this is the first step, with the constants of L = 1.",
	Proof: "∂f/∂wˡ = n^(−aₗ)δˡφ(hˡ⁻¹)ᵀ, and δᴸ = W^(L+1) ∘ φ′ has entries of order n^(−A), which (Wˡ)ᵀ keeps. The own " +
		"move is −ηn^(−cₗ−2aₗ)δˡ|φ(hˡ⁻¹)|², of the sign −ηn^(−cₗ−aₗ)sgn(δˡ)‖φ(hˡ⁻¹)‖₁, and both norms are of order n " +
		"beyond the input. It is correlated with δˡ, so that the n terms of W^(L+1)Δφ(hᴸ) have one sign: they add up to " +
		"n^(1−A). A factor n^(−t) of Wˡ that goes to wˡ multiplies its gradient by n^t. If L = 1, n^(−1)Σφ² and " +
		"n^(−1)Σa²φ′² are means at every n.",
	Tolerance: "Shifts by half integers at n = 4 and 16 multiply by powers of two: the arithmetic is the same to the " +
		"last bit. Moves for L = 1 have exact means; medians of batches are a sixth of scatter times " +
		"skewness off. Exponents of L = 2 are off by O(1/n); all are multiples of ½.",
	Limits: "Exponents of tanh with L ≤ 2; constants of erf and of the sine, for whose slope E|φ′| is not E φ′; one " +
		"step. In later steps the readout's own move counts as well. If two parts of Δf differ by only n^(−½), as for sign " +
		"steps with one rate in standard parametrisation, widths up to 192 show too small an exponent; there the readout " +
		"has a smaller rate.",
	Predict: func(v theory.Values) []theory.Quantity {
		name, sign, limit := v.Choice("parametrisation"), v.Choice("rule") == "sign", "n → ∞"
		if sign && name != "maximal" {
			limit += ", with the gradient's rates"
		}
		p := NamedParametrisation(name, v.Int("layers"), sign)
		for l := range p.C {
			p.C[l] += v.Float("rate")
		}
		m := p.Moves()
		return theory.Limits(limit, []theory.Quantity{
			{Name: "first", Symbol: "", Value: m.Own[0], Meaning: "exponent of Δh¹"},
			{Name: "own", Symbol: "", Value: m.Own[len(m.Own)-2], Meaning: "exponent of the last hidden layer's own move"},
			{Name: "hidden", Symbol: "", Value: m.Total[len(m.Total)-1],
				Meaning: "exponent of Δhᴸ: 0 where features are learned"},
			{Name: "output", Symbol: "", Value: m.Output, Meaning: "exponent of Δf: above 0 it blows up"},
		})
	},
}

// Parametrisation holds exponents for every layer, the output's last.
type Parametrisation struct {
	A, B, C []float64
	Sign    bool // steps along the sign of the gradient
}

// NamedParametrisation returns "standard", "tangent", "mean-field" or "maximal", with L hidden layers. Rates of the
// maximal sign step are those for which every layer moves by 1; those of the others are as for the gradient.
func NamedParametrisation(name string, hidden int, sign bool) Parametrisation {
	layers := func(first, middle, last float64) []float64 {
		out := []float64{first}
		for range hidden - 1 {
			out = append(out, middle)
		}
		return append(out, last)
	}
	p := Parametrisation{layers(0, 0, 0), layers(0, 0.5, 0.5), layers(0, 0, 0), sign}
	switch name {
	case "tangent":
		p.A, p.B = layers(0, 0.5, 0.5), layers(0, 0, 0)
	case "mean-field":
		p.A, p.B, p.C = layers(0, 0.5, 1), layers(0, 0, 0), layers(-1, -1, -1)
	case "maximal":
		p.A, p.B = layers(-0.5, 0, 0.5), layers(0.5, 0.5, 0.5)
		if sign {
			p.C = layers(0.5, 1, 0.5)
		}
	}
	return p
}

// Valid names the violated hypothesis.
func (p Parametrisation) Valid() error {
	last := len(p.A) - 1
	if last < 1 || len(p.B) != len(p.A) || len(p.C) != len(p.A) {
		return errors.New("width: need exponents a, b and c for one hidden layer or more and the output")
	}
	for l := range last {
		if !(math.Abs(p.A[l]+p.B[l]-[]float64{0, 0.5}[min(l, 1)]) < 1e-12) { // a shift rounds
			return errors.New("width: need a₁+b₁ = 0 and aₗ+bₗ = ½ in further hidden layers")
		}
	}
	if !(p.A[last]+p.B[last] > 0.5-1e-12) {
		return errors.New("width: need A ≥ ½")
	}
	return nil
}

// Shifted returns the parametrisation that trains the same network, with aₗ + t in every layer.
func (p Parametrisation) Shifted(t float64) Parametrisation {
	by := func(x []float64, t float64) []float64 {
		x = slices.Clone(x)
		for l := range x {
			x[l] += t
		}
		return x
	}
	rate := -2 * t
	if p.Sign {
		rate = -t
	}
	return Parametrisation{by(p.A, t), by(p.B, -t), by(p.C, rate), p.Sign}
}

// Moves holds exponents of n in the first step: of the own moves of all layers, the output's last, of the total moves
// of hidden layers, and of the output.
type Moves struct {
	Own, Total []float64
	Output     float64
}

// Moves returns the exponents; NaN outside the hypotheses.
func (p Parametrisation) Moves() (m Moves) {
	last, off := len(p.A)-1, 0.0
	if p.Valid() != nil {
		off = math.NaN()
	}
	readout, largest := p.A[last]+p.B[last], math.Inf(-1)
	own := func(l int, back float64) float64 {
		if p.Sign {
			return off - p.C[l] - p.A[l] + float64(min(l, 1))
		}
		return off - p.C[l] - 2*p.A[l] + float64(min(l, 1)) - back
	}
	for l := range last {
		largest = max(largest, own(l, readout))
		m.Own, m.Total = append(m.Own, own(l, readout)), append(m.Total, largest)
	}
	m.Own = append(m.Own, own(last, 0))
	m.Output = max(m.Own[last], 1-readout+largest)
	return m
}

// FirstMove returns the means of Δf/(−η) and of the square of n^κ Δh/η over units, κ = ½ in tangent parametrisation
// and 0 else, in the first step of one hidden layer of "erf", "sine", "softplus" or "tanh" with input of norm one and
// the given 1-norm, which is at least 1; NaN outside the hypotheses.
func FirstMove(activation string, sign bool, oneNorm float64) (output, hidden float64) {
	if jets[activation] == nil || !(oneNorm > 1-1e-12) {
		return math.NaN(), math.NaN()
	}
	mean := OneStep{Activation: activation}.mean
	if !sign {
		hidden = mean(func(p [4]float64) float64 { return p[1] * p[1] })
		return mean(func(p [4]float64) float64 { return p[0] * p[0] }) + hidden, hidden
	}
	size := mean(func(p [4]float64) float64 { return math.Abs(p[0]) })
	slope := mean(func(p [4]float64) float64 { return math.Abs(p[1]) })
	if activation == "sine" { // |sin z| = (2/π)(1 − 2Σ cos(2kz)/(4k²−1)), of cos with (−1)ᵏ, and E cos(2kZ) = e^(−2k²)
		size, slope = 2/math.Pi, 2/math.Pi
		for k, odd := 1., -1.; k <= 4; k, odd = k+1, -odd {
			term := 4 / math.Pi * math.Exp(-2*k*k) / (4*k*k - 1)
			size, slope = size-term, slope-odd*term
		}
	}
	return size + oneNorm*2*hermite.PDF(0)*slope, oneNorm * oneNorm
}
