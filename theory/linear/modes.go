package linear

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/thm-suite/thm/theory"
)

// Modes is the claim linear/modes.
var Modes = theory.Statement{
	Slug:  "linear/modes",
	Title: "Singular modes of an aligned deep linear network",
	Plain: "A deep linear network with a small, aligned start learns each singular mode of its target separately and " +
		"suddenly, strong modes first.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Loss ½‖S − W_N ⋯ W_1‖² with S = U diag(s) Vᵀ, as of white inputs. Aligned: W_l = R_l diag(q_l) R_{l−1}ᵀ " +
		"with orthonormal columns, R_N = U and R_0 = V. Balanced: all q_l are the same. One mode has the strength a = " +
		"Πq_l; it starts at a₀ > 0.",
	Params: []theory.Param{
		{Name: "depth", Symbol: "N", Meaning: "number of layers", Domain: theory.IntegerBetween(1, 20), Default: "2"},
		{Name: "target", Symbol: "s", Meaning: "singular value of the target", Domain: theory.Between(0, 100), Default: "3"},
		{Name: "start", Symbol: "a₀", Meaning: "strength of the mode at the " +
			"start", Domain: theory.Between(1e-6, 100), Default: "0.001"},
		{Name: "time", Symbol: "t", Meaning: "time of training", Domain: theory.Between(0, 1000), Default: "1"},
		{Name: "U", Symbol: "U", Meaning: "left singular vectors of the target", Shape: "m×r"},
		{Name: "V", Symbol: "V", Meaning: "right singular vectors of the target", Shape: "n×r"},
		{Name: "q", Symbol: "q", Meaning: "strengths of all layers, the first layer first", Shape: "N×r"},
		{Name: "s", Symbol: "s", Meaning: "singular values of the target", Shape: "1×r"},
		{Name: "step", Symbol: "h", Meaning: "step size"},
		{Name: "W_next", Symbol: "W⁺", Meaning: "end-to-end matrix after the step", Shape: "m×n"},
	},
	Claim: "A step of size h leaves the network aligned, with $q_l⁺ = q_l + h(s − a)Π_{k≠l} q_k$ in every mode. The " +
		"flow from a balanced start obeys $da/dt = N a^{2−2/N}(s − a)$; for N = 2 $a(t) = a₀/(e^{−2st} + a₀(1 − " +
		"e^{−2st})/s)$. Gradient descent departs from it by O(h) at a fixed time.",
	TeX: `q_l^+ = q_l + h (s - a) \prod_{k \ne l} q_k, \quad \dot a = N a^{2 - 2/N} (s - a), ` +
		`\quad a(t) = \frac{a_0}{e^{-2st} + a_0 (1 - e^{-2st})/s}`,
	Assumptions: []theory.Assumption{
		{ID: "linear", Text: "only the layers act between input and output"},
		{ID: "white", Text: "the inputs are white: the loss is ½‖S − W‖²"},
		{ID: "aligned", Text: "neighbouring layers share their singular vectors, and the outer layers those of S"},
		{ID: "balanced", Text: "the layers have the same strengths, for the flow of a alone"},
	},
	Source: theory.Source{
		Paper: "After A. Saxe, J. McClelland, S. Ganguli: Exact solutions to the nonlinear dynamics of learning in deep " +
			"linear neural networks",
		ArXiv: "1312.6120", Version: "abstract", Year: 2013,
		Locus: "abstract: exact solutions, stages and plateaus; the formulas are derived here",
	},
	Deviations: "a₀ is the strength of the product and not of a layer, which would change times by a factor. N counts " +
		"layers of weights.",
	Proof: "The gradient of layer l is −(W_N⋯W_{l+1})ᵀ(S − W)(W_{l−1}⋯W_1)ᵀ, and all factors are diagonal between the " +
		"same bases. With equal q the product rule gives N q^{2N−2}(s − a). For N = 2 1/a obeys a linear equation. " +
		"Otherwise y = log(a/|s − a|) obeys dy/dt = N s a^{1−2/N}, which is integrated over y.",
	Tolerance: "On integers and signed permutations a step is exact. Otherwise each of N layers errs by at most " +
		"16(d+2)u of its size ‖q_l‖ + h(‖s‖ + Π‖q‖)Π_{k≠l}‖q_k‖. Flows are known to the difference between one and two " +
		"sizes of the steps of an extrapolation method of order 16; its rounding grows with the flow, by less than e^{4Nt} " +
		"for strengths below 2, and the quadrature of the closed form is good to 10⁻¹³. Orders are slopes of logarithms, " +
		"see package order.",
	Limits:  "Up to five layers. Nothing is said about small random starts, which are aligned only in the limit.",
	RestsOn: []string{"linear/endtoend"},
	Predict: func(v theory.Values) []theory.Quantity {
		m := Mode{Depth: v.Int("depth"), Target: v.Float("target"), Start: v.Float("start")}
		out := []theory.Quantity{
			{Name: "strength", Symbol: "a(t)", Value: m.At(v.Float("time")), Meaning: "strength of the mode at the time t"}}
		if half := m.Time(m.Target / 2); !math.IsNaN(half) { // a mode that starts beyond its half never has it
			out = append(out, theory.Quantity{Name: "half", Symbol: "t½", Value: half,
				Meaning: "time at which half of the mode is learned"})
		}
		return out
	},
}

// Mode is one singular mode of a balanced network.
type Mode struct {
	Depth         int
	Target, Start float64 // s, a₀
}

// Valid names the violated hypothesis.
func (m Mode) Valid() error {
	return theory.Require(m.Depth >= 1 && m.Target >= 0 && m.Start > 0 && !math.IsInf(m.Target+m.Start, 0),
		"linear: need a depth of at least 1, s ≥ 0 and a₀ > 0, all finite")
}

// At returns a(t); NaN outside the hypotheses and for negative times.
func (m Mode) At(t float64) float64 {
	s, a0 := m.Target, m.Start
	power := 2 - 2/float64(m.Depth)
	switch {
	case m.Valid() != nil || !(t >= 0):
		return math.NaN()
	case m.Depth == 1:
		return s + (a0-s)*math.Exp(-t)
	case s < 1e-280*a0: // would be noticed after more than 10²⁸⁰ units of time
		return math.Pow(math.Pow(a0, -power)+float64(m.Depth)*power*t, -1/power)
	case m.Depth == 2:
		return a0 / (math.Exp(-2*s*t) - a0*math.Expm1(-2*s*t)/s)
	case a0 == s:
		return s
	}
	lo := m.place(a0)
	hi := lo + 1
	if a0 > s {
		hi = 2 * lo
	}
	from := modeClock{m: m, at: []float64{lo}, sum: []float64{0}}
	for hi < 700 && from.until(hi) < t {
		hi += hi - lo
	}
	for range 60 {
		if middle := (lo + hi) / 2; from.until(middle) < t {
			lo = middle
		} else {
			hi = middle
		}
	}
	return m.strength(lo)
}

// Time returns when the strength is a; NaN where it never is.
func (m Mode) Time(a float64) float64 {
	if s := m.Target; m.Valid() != nil || !(a > min(m.Start, s) && a < max(m.Start, s)) || s == 0 {
		return math.NaN()
	}
	from := modeClock{m: m, at: []float64{m.place(m.Start)}, sum: []float64{0}}
	return from.until(m.place(a))
}

// place returns y = log(a/|s − a|).
func (m Mode) place(a float64) float64 {
	if a > m.Target {
		return -math.Log1p(-m.Target / a)
	}
	return math.Log(a / (m.Target - a))
}

// strength returns a at y = log(a/|s − a|).
func (m Mode) strength(y float64) float64 {
	if m.Start > m.Target {
		return -m.Target / math.Expm1(-y)
	}
	return m.Target / (1 + math.Exp(-y))
}

// modeClock integrates dt/dy = a^{2/N−1}/(Ns) by Gauss-Legendre quadrature over pieces of length at most 1, and keeps
// the sum up to the end of each. A mode that shrinks from far above has a ≈ s/y near y = 0, where pieces double.
type modeClock struct {
	m       Mode
	at, sum []float64 // ends of whole pieces, and the integral up to there
}

// until returns the time from the first place to another one.
func (c *modeClock) until(to float64) float64 {
	if !(c.at[0] < to) {
		return 0
	}
	for {
		at := c.at[len(c.at)-1]
		end := at + 1
		if c.m.Start > c.m.Target {
			end = min(end, max(2*at, 1e-300))
		}
		if !(end < to) {
			break
		}
		c.at, c.sum = append(c.at, end), append(c.sum, c.sum[len(c.sum)-1]+c.piece(at, end))
	}
	before := sort.SearchFloat64s(c.at, to) - 1
	return (c.sum[before] + c.piece(c.at[before], to)) / (float64(c.m.Depth) * c.m.Target)
}

func (c *modeClock) piece(from, to float64) float64 {
	return quad.Fixed(func(y float64) float64 { return math.Pow(c.m.strength(y), 2/float64(c.m.Depth)-1) },
		from, to, 12, quad.Legendre{}, 0)
}

// AlignedStep is one step of one mode, whose layers may have different strengths.
type AlignedStep struct {
	Strengths    []float64 // q_l
	Target, Step float64
}

// Next returns the strengths after the step.
func (s AlignedStep) Next() []float64 {
	next := make([]float64, len(s.Strengths))
	a := 1.0
	for _, q := range s.Strengths {
		a *= q
	}
	for l, q := range s.Strengths {
		others := 1.0
		for k, other := range s.Strengths {
			if k != l {
				others *= other
			}
		}
		next[l] = q + s.Step*(s.Target-a)*others
	}
	return next
}
