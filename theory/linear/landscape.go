package linear

import (
	"errors"
	"math"
	"slices"

	"github.com/thm-suite/thm/theory"
)

// Landscape is the claim linear/landscape.
var Landscape = theory.Statement{
	Slug:  "linear/landscape",
	Title: "Critical points of two linear layers, with their Hessians",
	Plain: "Every critical point of two linear layers keeps some singular modes of the target, and all but the best are " +
		"strict saddles.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Loss L = ½‖S − W_2W_1‖² of W_1 (h×n) and W_2 (m×h), as of white inputs; S has the singular values s_1 ≥ " +
		"… ≥ s_ρ > 0, and s_j = 0 for ρ < j ≤ min(m, n). A critical point keeps r ≤ min(h, ρ) modes I: W_2W_1 = U_I S_I " +
		"V_Iᵀ, with singular vectors chosen to fit where singular values coincide. Its balanced representative is W_2 = " +
		"U_I√S_I Rᵀ, W_1 = R√S_I V_Iᵀ.",
	Params: []theory.Param{
		{Name: "s1", Symbol: "s₁", Meaning: "first singular value of a 3×3 " +
			"target", Domain: theory.Between(0.1, 100), Default: "3"},
		{Name: "s2", Symbol: "s₂", Meaning: "second", Domain: theory.Between(0.1, 100), Default: "2"},
		{Name: "s3", Symbol: "s₃", Meaning: "third", Domain: theory.Between(0.1, 100), Default: "1"},
		{Name: "keep", Symbol: "I", Meaning: "modes that are " +
			"kept", Domain: theory.OneOf("none", "1", "2", "3", "12", "13", "23", "123"), Default: "3"},
		{Name: "hidden", Symbol: "h", Meaning: "hidden units", Domain: theory.IntegerBetween(1, 20), Default: "2"},
		{Name: "s", Symbol: "s", Meaning: "singular values of the target that are positive", Shape: "1×ρ"},
		{Name: "kept", Symbol: "I", Meaning: "1 for each mode that is kept, 0 for the others", Shape: "1×ρ"},
		{Name: "inputs", Symbol: "n", Meaning: "inputs"},
		{Name: "outputs", Symbol: "m", Meaning: "outputs"},
		{Name: "units", Symbol: "h", Meaning: "hidden units"},
		{Name: "loss", Symbol: "L", Meaning: "loss at the critical point"},
		{Name: "spectrum", Symbol: "λ", Meaning: "eigenvalues of the Hessian at the balanced representative, " +
			"ascending", Shape: "1×h(m+n)"},
	},
	Claim: "The loss is ½Σ_{j∉I} s_j². The Hessian has $#{i ∈ I, j ∉ I: s_j > s_i} + (h − r)(ρ − r)$ negative " +
		"eigenvalues, at every (W_2C, C^{−1}W_1). At the balanced representative its eigenvalues are s_i ± s_j for i ∈ I, " +
		"j ∉ I; s_i, |m−n| times; s_a + s_b for a, b ∈ I; ±s_j, h − r times, for j ∉ I; and zeros. So every local minimum " +
		"is global, and every other critical point of two layers has a direction of negative curvature. Three " +
		"layers W_1 = 0, W_3 = 0 and any W_2 are critical as well, with the eigenvalues $±s_i σ_j(W_2)$ and zeros: at W_2 " +
		"= 0 there is no such direction.",
	TeX: `\operatorname{ind} = \#\{ i \in I, j \notin I : s_j > s_i \} + (h - r)(\rho - r), \qquad ` +
		`\pm s_i \sigma_j(W_2)`,
	Assumptions: []theory.Assumption{
		{ID: "linear", Text: "only the two layers act between input and output"},
		{ID: "white", Text: "the loss is ½‖S − W‖²"},
		{ID: "critical", Text: "the gradient vanishes, and spare hidden units are silent"},
		{ID: "balanced", Text: "the layers are balanced, W_2ᵀW_2 = W_1W_1ᵀ, for the eigenvalues"},
	},
	Source: theory.Source{
		Paper: "After P. Baldi, K. Hornik (1989), and K. Kawaguchi: Deep learning without poor local minima",
		ArXiv: "1605.07110", Version: "abstract", Year: 2016,
		Locus: "abstract: every local minimum is global, all else are saddles; index and spectrum are derived here",
	},
	Deviations: "Spare units that are active in the kernel of S, which do not change the index, are left out.",
	Proof: "In the bases of S the second variation ‖P W_1 + W_2 Q‖² − 2⟨E, PQ⟩ with E = S − W_2W_1 splits into the " +
		"blocks [[s_i, −s_j], [−s_j, s_i]], [[s_a, √(s_a s_b)], [√(s_a s_b), s_b]] and [[0, −s_j], [−s_j, 0]], and scalars " +
		"s_i. The index is kept by congruence with C. Of three layers all of " +
		"second order is −⟨S, W_3W_2W_1⟩, whose matrix has the singular values of S ⊗ W_2.",
	Tolerance: "The gradient is a polynomial of degree 3, so that differences with two steps give the Hessian exactly, " +
		"and on integers to the last bit. Otherwise they err by some 10(m+n+h)²u·(‖W‖² + ‖S‖) in each of h(m+n) columns; " +
		"an eigenvalue errs by no more than the norm of that, and by as many roundings of the eigensolver. Eigenvalues " +
		"below a thousandth of the smallest gap of the singular values count as zero.",
	Limits: "Up to four inputs and outputs and three hidden units. Critical points are constructed, not searched for. " +
		"For deeper networks only one saddle is claimed, and it is tried with W_2 ≠ 0.",
	RestsOn: []string{"linear/balance"},
	Predict: func(v theory.Values) []theory.Quantity {
		c := Critical{Target: []float64{v.Float("s1"), v.Float("s2"), v.Float("s3")},
			Kept: KeptModes(v.Choice("keep")), Inputs: 3, Outputs: 3, Hidden: v.Int("hidden")}
		values := c.Spectrum()
		return []theory.Quantity{
			{Name: "loss", Symbol: "L", Value: c.Loss(), Meaning: "loss at the critical point"},
			{Name: "index", Symbol: "ind", Value: c.Index(), Meaning: "directions of negative curvature"},
			{Name: "lowest", Symbol: "λ_min", Value: values[0], Meaning: "smallest eigenvalue at the balanced representative"},
			{Name: "sharpness", Symbol: "λ_max", Value: values[len(values)-1], Meaning: "largest eigenvalue there"},
		}
	},
	Violated: func(v theory.Values) error {
		kept := 0
		for _, k := range KeptModes(v.Choice("keep")) {
			if k {
				kept++
			}
		}
		if kept > v.Int("hidden") {
			return errors.New("linear: every mode that is kept needs a hidden unit")
		}
		return nil
	},
}

// KeptModes reads which of three modes are kept.
func KeptModes(names string) []bool {
	kept := make([]bool, 3)
	for i := range kept {
		kept[i] = slices.Contains([]rune(names), rune('1'+i))
	}
	return kept
}

// Critical is a critical point.
type Critical struct {
	Target                  []float64 // positive singular values, in any order
	Kept                    []bool    // of each
	Inputs, Outputs, Hidden int
}

// Valid names the violated hypothesis.
func (c Critical) Valid() error {
	kept, _ := c.split()
	switch {
	case len(c.Kept) != len(c.Target) || len(c.Target) > min(c.Inputs, c.Outputs) || len(kept) > c.Hidden:
		return errors.New("linear: need ρ ≤ min(m, n) singular values, at most h of which are kept")
	case len(c.Target) > 0 && !(slices.Min(c.Target) > 0):
		return errors.New("linear: the singular values must be positive")
	}
	return nil
}

// split returns the singular values that are kept, and the others.
func (c Critical) split() (kept, loose []float64) {
	for i, s := range c.Target {
		if i < len(c.Kept) && c.Kept[i] {
			kept = append(kept, s)
		} else {
			loose = append(loose, s)
		}
	}
	return kept, loose
}

// Loss returns ½Σ_{j∉I} s_j².
func (c Critical) Loss() float64 {
	if c.Valid() != nil {
		return math.NaN()
	}
	sum := 0.0
	_, loose := c.split()
	for _, s := range loose {
		sum += s * s / 2
	}
	return sum
}

// Index returns the number of negative eigenvalues.
func (c Critical) Index() float64 {
	if c.Valid() != nil {
		return math.NaN()
	}
	kept, loose := c.split()
	inversions := 0
	for _, si := range kept {
		for _, sj := range loose {
			if sj > si {
				inversions++
			}
		}
	}
	return float64(inversions + (c.Hidden-len(kept))*len(loose))
}

// SaddleSpectrum returns the eigenvalues of the Hessian of three layers at W_1 = 0 and W_3 = 0 with the given number of
// weights, ascending, from the positive singular values of the target and of W_2.
func SaddleSpectrum(target, middle []float64, weights int) []float64 {
	var values []float64
	for _, s := range target {
		for _, sigma := range middle {
			if !(s > 0 && sigma > 0) {
				return []float64{math.NaN()}
			}
			values = append(values, s*sigma, -s*sigma)
		}
	}
	values = append(values, make([]float64, max(0, weights-len(values)))...)
	slices.Sort(values)
	return values
}

// Spectrum returns the eigenvalues at the balanced representative, ascending; a single NaN outside the hypotheses.
func (c Critical) Spectrum() []float64 {
	if c.Valid() != nil {
		return []float64{math.NaN()}
	}
	kept, loose := c.split()
	all := append(slices.Clone(loose), make([]float64, min(c.Inputs, c.Outputs)-len(c.Target))...)
	var values []float64
	for _, si := range kept {
		for _, sj := range all {
			values = append(values, si+sj, si-sj)
		}
		values = append(values, slices.Repeat([]float64{si}, max(c.Inputs-c.Outputs, c.Outputs-c.Inputs))...)
		for _, sb := range kept {
			values = append(values, si+sb)
		}
	}
	for _, sj := range loose {
		for range c.Hidden - len(kept) {
			values = append(values, sj, -sj)
		}
	}
	values = append(values, make([]float64, c.Hidden*(c.Inputs+c.Outputs)-len(values))...)
	slices.Sort(values)
	return values
}
