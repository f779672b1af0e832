package emergence

import (
	"errors"
	"math"
	"math/big"

	"github.com/thm-suite/thm/theory"
)

// Network is the claim emergence/network.
var Network = theory.Statement{
	Slug:  "emergence/network",
	Title: "3(k+1) neurons along the effective feature compute the label",
	Plain: "A network of 3(k+1) neurons, all along the sum of the relevant bits, computes any label that " +
		"depends on their count.",
	Kind:     theory.Identity,
	Standing: theory.Theorem,
	Setting: "x = M (φ̃ − E φ̃)/σ̃ with bits φ̃ ∈ {0,1}^D of any law with σ̃ > 0 and orthonormal columns of M; y = " +
		"+1 if S = Σ_{j∈A} φ̃ⱼ is in P and −1 otherwise, |A| = k, P any set of counts; g(x) = Σᵢ aᵢ σ(⟨w,x⟩ + bᵢ) " +
		"with σ(z) = min(1, max(z, 0)).",
	Params: []theory.Param{
		{Name: "k", Symbol: "k", Meaning: "number of relevant hidden coordinates", Domain: theory.IntegerBetween(1, 1000),
			Default: "5"},
		{Name: "mean", Symbol: "E S", Meaning: "mean number of ones among them, at most k",
			Domain: theory.Between(0, 1000), Default: "2.5"},
		{Name: "a", Symbol: "a", Meaning: "output weights", Shape: "3(k+1)"},
		{Name: "b", Symbol: "b", Meaning: "biases", Shape: "3(k+1)"},
		{Name: "w", Symbol: "w", Meaning: "input weights, the same for every neuron", Shape: "d"},
		{Name: "M", Symbol: "M", Meaning: "dictionary, columns Mⱼ", Shape: "d×D"},
		{Name: "relevant", Symbol: "1_A", Meaning: "1 for the coordinates in A, 0 for the others", Shape: "D"},
		{Name: "sigma", Symbol: "σ̃", Meaning: "square root of the total variance of φ̃"},
		{Name: "X", Symbol: "x", Meaning: "inputs, one per row", Shape: "N×d"},
		{Name: "y", Symbol: "y", Meaning: "their labels, ±1", Shape: "N"},
	},
	Claim: "There are a, b of length 3(k+1) with $y = Σᵢ aᵢ σ(⟨w,x⟩ + bᵢ)$ for every x, $w = σ̃ Σ_{j∈A} Mⱼ/(4k)$, $|aᵢ| " +
		"≤ 32k$, $1/(32k) ≤ |bᵢ| ≤ 1/2$ and $|⟨w,x⟩ + bᵢ| ≤ 1$.",
	TeX: `y = \sum_{i=1}^{3(k+1)} a_i \, \sigma\left( \langle w, x \rangle + b_i \right), \quad ` +
		`w = \frac{\tilde\sigma}{4k} \sum_{j \in A} M_j, \quad \lvert a_i \rvert \le 32k, \quad ` +
		`\frac{1}{32k} \le \lvert b_i \rvert \le \frac{1}{2}, \quad \lvert \langle w, x \rangle + b_i \rvert \le 1`,
	Assumptions: []theory.Assumption{
		{ID: "count-label", Text: "the label depends on the count S alone"},
		{ID: "bits", Text: "the hidden coordinates are 0 or 1"},
		{ID: "centred", Text: "the input is centred at the true mean, the one that the biases use"},
		{ID: "orthonormal", Text: "the columns of M are orthonormal"},
	},
	Source: paper.At("Lemma 4"),
	Deviations: "The source leaves 0 out of P; the lemma holds with it as well. Its proof is in an appendix that was " +
		"not read: the output weights and biases are an explicit construction of ours that obeys the printed bounds. The " +
		"law of φ̃ may be any law on bits: neither balanced labels nor independent background bits are needed.",
	Proof: "M and σ̃ cancel: u = ⟨w,x⟩ = (S − E S)/(4k), and neighbouring counts are 1/(4k) apart in u. Three neurons " +
		"make a hat y(p)·(c, −2c, c) with knots at −h, 0, h around its centre, h = 1/(8k); the hats of the other counts " +
		"vanish at u_p = (p − E S)/(4k). The centre is u_p and c = 8k, unless a knot would lie within 1/(32k) of zero, " +
		"where the bias would be smaller than the bound allows: then the centre is u_p + 1/(16k) and c = 16k, and the hat " +
		"is again 1 at u_p and 0 at the other counts. For every E S in [0, k], 16k·u_p moves in steps of 4 and the knots " +
		"lie at −2, 0, 2 around it, or at −1, 1, 3 after the shift, so that one of the two choices keeps all knots 1/2 " +
		"away from zero. Pre-activations are at most (4k+3)/(16k) ≤ 7/16, so the upper cut of σ plays no part.",
	Tolerance: "In rational arithmetic the tolerance is 0. In floating point with d inputs and n = 3(k+1) neurons " +
		"an entry of x and of w is a sum of at most D terms and ⟨w,x⟩ one of d, ten operations combine them, and a " +
		"dictionary made by D reflections in d dimensions is orthonormal to some 3(d+D)u, so a pre-activation errs " +
		"by at most (4d+5D+10)·u·‖w‖₊‖x‖₊ + u, with ‖w‖₊ = σ̃ Σ_A ‖Mⱼ‖/(4k) and ‖x‖₊ = Σⱼ ‖Mⱼ‖|φⱼ|; σ does not " +
		"enlarge errors, its values are at most 1, and the sum over neurons adds n+2 roundings: |error| ≤ " +
		"u·Σ|aᵢ|·((4d+5D+10)‖w‖₊‖x‖₊ + n + 3).",
	Limits: "Existence, not learning: the network is an explicit construction, evaluated at every count for k up " +
		"to 25. That training finds such a network is another theorem.",
	Predict: func(v theory.Values) []theory.Quantity {
		h := hatsOf(v)
		e := h.Extremes()
		return []theory.Quantity{
			{Name: "neurons", Symbol: "3(k+1)", Value: float64(3 * (h.K + 1)), Meaning: "number of neurons"},
			{Name: "slope", Symbol: "1/(4k)", Value: float(h.Slope()), Meaning: "pre-activation per count"},
			{Name: "largest-a", Symbol: "max|a|", Value: float(e.Out), Meaning: "largest output weight; 32k at most"},
			{Name: "smallest-b", Symbol: "min|b|", Value: float(e.LeastBias),
				Meaning: "smallest bias; 1/(32k) at least"},
			{Name: "largest-b", Symbol: "max|b|", Value: float(e.MostBias), Meaning: "largest bias; 1/2 at most"},
			{Name: "largest-z", Symbol: "max|z|", Value: float(e.PreActivation),
				Meaning: "largest pre-activation; 1 at most"},
			{Name: "error", Symbol: "max|g − y|", Value: 0 * float(e.Out), Meaning: "largest distance from the label"},
		}
	},
	Violated: func(v theory.Values) error { return hatsOf(v).Valid() },
}

// hatsOf returns the hats for a user's parameters. Their sizes do not depend on the labels.
func hatsOf(v theory.Values) Hats {
	k := v.Int("k")
	return Hats{K: k, Mean: new(big.Rat).SetFloat64(v.Float("mean")), Accept: make([]bool, k+1)}
}

// Hats describes the hat functions of the claim's network.
type Hats struct {
	K      int
	Mean   *big.Rat // E S, in [0, K]
	Accept []bool   // y = +1 at the counts 0, …, K that are in P
}

// Valid names the violated hypothesis.
func (h Hats) Valid() error {
	switch {
	case h.K < 1 || len(h.Accept) != h.K+1:
		return errors.New("emergence: the counts are 0, …, k with k ≥ 1, and each has a label")
	case h.Mean == nil || h.Mean.Sign() < 0 || h.Mean.Cmp(big.NewRat(int64(h.K), 1)) > 0:
		return errors.New("emergence: the mean count lies in [0, k]")
	}
	return nil
}

// Neuron is one neuron a·σ(u + b) on the common direction u = ⟨w,x⟩.
type Neuron struct{ Out, Bias *big.Rat }

// Slope returns 1/(4k), the change of u per count.
func (h Hats) Slope() *big.Rat { return big.NewRat(1, 4*int64(h.K)) }

// Neurons returns the 3(k+1) neurons, three for each count, from count 0 on. It is nil outside the hypotheses.
func (h Hats) Neurons() []Neuron {
	if h.Valid() != nil {
		return nil
	}
	k := int64(h.K)
	half := big.NewRat(1, 8*k) // h
	var neurons []Neuron
	for p, accept := range h.Accept {
		centre, steepness := h.position(p), 8*k
		if h.tooClose(centre) {
			centre.Add(centre, big.NewRat(1, 16*k))
			steepness = 16 * k
		}
		if !accept {
			steepness = -steepness
		}
		for i, share := range []int64{1, -2, 1} {
			knot := new(big.Rat).Mul(half, big.NewRat(int64(i-1), 1))
			knot.Add(knot, centre)
			neurons = append(neurons, Neuron{big.NewRat(share*steepness, 1), knot.Neg(knot)})
		}
	}
	return neurons
}

// position returns u_p = (p − E S)/(4k).
func (h Hats) position(p int) *big.Rat {
	u := big.NewRat(int64(p), 1)
	return u.Mul(u.Sub(u, h.Mean), h.Slope())
}

// tooClose reports whether a knot of the unshifted hat at u lies nearer to zero than 1/(32k).
func (h Hats) tooClose(u *big.Rat) bool {
	k := int64(h.K)
	for i := int64(-1); i <= 1; i++ {
		knot := new(big.Rat).Add(u, big.NewRat(i, 8*k))
		if knot.Abs(knot).Cmp(big.NewRat(1, 32*k)) < 0 {
			return true
		}
	}
	return false
}

// Extremes holds the largest and smallest sizes in a network, or bounds on them.
type Extremes struct{ Out, LeastBias, MostBias, PreActivation *big.Rat }

// Bounds returns the printed bounds: |a| ≤ 32k, 1/(32k) ≤ |b| ≤ 1/2, |z| ≤ 1.
func Bounds(k int) Extremes {
	n := int64(k)
	return Extremes{big.NewRat(32*n, 1), big.NewRat(1, 32*n), big.NewRat(1, 2), big.NewRat(1, 1)}
}

// Extremes returns the sizes that the construction attains over all counts. All are nil outside the hypotheses.
func (h Hats) Extremes() Extremes {
	neurons := h.Neurons()
	if neurons == nil {
		return Extremes{}
	}
	e := Extremes{new(big.Rat), new(big.Rat).Abs(neurons[0].Bias), new(big.Rat), new(big.Rat)}
	ends := []*big.Rat{h.position(0), h.position(h.K)} // u + b is monotone in the count
	for _, n := range neurons {
		out, bias := new(big.Rat).Abs(n.Out), new(big.Rat).Abs(n.Bias)
		e.Out, e.MostBias = larger(e.Out, out), larger(e.MostBias, bias)
		if bias.Cmp(e.LeastBias) < 0 {
			e.LeastBias = bias
		}
		for _, u := range ends {
			z := new(big.Rat).Add(u, n.Bias)
			e.PreActivation = larger(e.PreActivation, z.Abs(z))
		}
	}
	return e
}

// float rounds a rational to floating point; nil becomes NaN.
func float(x *big.Rat) float64 {
	if x == nil {
		return math.NaN()
	}
	f, _ := x.Float64()
	return f
}

func larger(a, b *big.Rat) *big.Rat {
	if b.Cmp(a) > 0 {
		return b
	}
	return a
}
