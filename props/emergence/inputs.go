package emergence

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	"github.com/thm-suite/thm/props/gen"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// inputs pairs the closed forms of the moments with sums over all states of the hidden bits.
var inputs = props.Spec{
	Statement: &theory.Inputs,
	Checks: []props.Check{props.Instances[family]{
		Name:       "moments over all states",
		Cases:      props.Scale{Quick: 60, Standard: 200, Deep: 8000},
		Replicates: 2,
		Regimes: []string{"k = 1", "no background bits", "silent background", "background, k ≤ 3",
			"background, k ≥ 4", "γ ≤ 0"},
		Draw:  drawFamily,
		Judge: judgeFamily,
		Proven: map[string]string{"mean squared norm": "every rounding, of a dictionary that is orthonormal up to any " +
			"constant of the decomposition below 280"},
		Controls: []props.Control{
			{Name: "accepted counts twice as likely", Assumption: "balanced", Criterion: "balance", Done: "unbalanced"},
			{Name: "one pattern of a count likelier than another", Assumption: "exchangeable", Criterion: "covariances",
				Done: "unequal"},
			{Name: "a background bit that tends to equal a relevant one", Assumption: "independent-background",
				Criterion: "covariances", Done: "copied"},
			{Name: "a background bit of another probability", Assumption: "alike-background", Criterion: "variance",
				Done: "odd bit"},
			{Name: "the mean count larger on the other side", Assumption: "accepted-above", Criterion: "γ > 0",
				Done: "below"},
			{Name: "dictionary with dependent columns of norm 1", Assumption: "orthonormal",
				Criterion: "mean squared norm",
				Done:      "oblique"},
			{Name: "γ without its factor 1/2", Criterion: "covariances", Claimed: "twice"},
			{Name: "E[y zᵢ] = γ", Criterion: "correlations", Claimed: "correlation γ"},
			{Name: "σ̃² of the background alone", Criterion: "variance", Claimed: "background alone"},
			{Name: "E[yx] without 1/σ̃", Criterion: "E[yx] through a dictionary", Claimed: "not normalised"},
			{Name: "E[yx] along all columns", Criterion: "E[yx] through a dictionary", Claimed: "all columns"},
		},
	}, props.Instances[int]{
		Name:       "the examples of the source",
		Cases:      props.Scale{Quick: 10, Standard: 20, Deep: 40},
		Replicates: 2,
		Draw: func(t *props.T, done string) int {
			fewest := 0
			if done == "three or more" { // at k = 1 the two binomials say the same
				fewest = 1
			}
			return 2*rapid.IntRange(fewest, 5).Draw(t.T, "(k−1)/2") + 1
		},
		Judge: judgeExamples,
		Controls: []props.Control{
			{Name: "binom(k, (k−1)/2)/2^k for the majority", Criterion: "majority of fair bits",
				Done: "three or more", Claimed: "other binomial"},
			{Name: "λ/2 for parity", Criterion: "parity on the mixture", Claimed: "λ/2"},
		},
	}},
	Along: &props.Along{
		Param: "uniform", To: 1, Of: []string{"coordinate"}, At: map[string]string{"D": "30", "n": "5000"},
		Each: &props.ParamSweep{Name: "label", Values: []string{"parity", "majority"}}, Y: "E[yφᵢ] on A, γ/σ̃",
		Reps: 3,
	},
	Try: &props.Simulation{
		Params: []values.Param{{Name: "n", Symbol: "n", Meaning: "inputs drawn", Domain: values.IntegerBetween(10,
			1000000), Default: "20000"}},
		Run: drawExample,
	},
}.Claim()

// family is a law of the family, listed state by state.
type family struct {
	Dim     int
	Support []int
	Accept  []bool
	Counts  []string // Pr[S = s]
	One     int64    // odds of a background bit
	Zero    int64

	law        data.Hidden
	above      bool // the mean count is to be larger on the accepted side
	dictionary *mat.Dense
}

func drawFamily(t *props.T, done string) family {
	k := gen.Dim(t.T, "k", 6)
	fewest := 0
	switch done {
	case "copied", "odd bit":
		fewest = 1
	case "unequal", "below":
		k = max(k, 2)
	case "oblique":
		k, fewest = max(k, 2), 1
	}
	dim := k + rapid.IntRange(fewest, 9-k).Draw(t.T, "D−k")
	odds := rapid.SampledFrom([]data.Odds{data.Fair, {One: 1, Zero: 2}, {One: 2, Zero: 5}, {One: 0, Zero: 1}}).Draw(t.T,
		"odds")
	if done == "copied" || done == "odd bit" {
		odds = data.Odds{One: 1, Zero: 2}
	}
	r := t.Stream("law")
	accept := make([]bool, k+1)
	for count := 1; count <= k; count++ {
		accept[count] = r.IntN(2) == 1
	}
	accept[1+r.IntN(k)] = true
	if done == "below" { // the largest count is rejected, and another accepted
		accept[k], accept[1+r.IntN(k-1)] = false, true
	}
	above, side := done != "" || rapid.IntRange(0, 3).Draw(t.T, "accepted side above") > 0, done
	if !above {
		side = "any"
	}
	weights := countWeights(r, accept, side)
	pattern := make([]int64, 1<<k)
	for p := range pattern {
		pattern[p] = weights[ones(p)]
	}
	if done == "unequal" {
		gather(pattern)
	}
	h := data.NewHidden(dim, rational.Subset(r, dim, k), accept, pattern, odds)
	disturb(h, done)
	in := family{Dim: dim, Support: h.Support, Accept: accept, Counts: rational.Texts(h.CountLaw()), One: odds.One,
		Zero: odds.Zero, law: h, above: above, dictionary: gen.Orthonormal(r, dim+r.IntN(3), dim)}
	if done == "oblique" { // the columns of two relevant bits, which are dependent
		for i := range in.dictionary.RawMatrix().Rows {
			in.dictionary.Set(i, in.Support[1], in.dictionary.At(i, in.Support[0]))
		}
	}
	return in
}

// countWeights draws the weight of one pattern of each count such that the labels are balanced, and the mean count is
// larger on the accepted side: the count 0 takes what it needs for that. Below, it is larger on the rejected side, for
// which the count k takes what it needs; any mean count is as it comes.
func countWeights(r *rand.Rand, accept []bool, done string) []int64 {
	k := len(accept) - 1
	weights := make([]int64, k+1)
	for count := range weights {
		weights[count] = r.Int64N(4) * r.Int64N(4)
		if done == "unequal" {
			weights[count]++
		}
	}
	weights[0]++
	accepted := slices.Index(accept, true)
	weights[accepted]++
	for {
		var total, mean [2]int64 // of the rejected and of the accepted counts
		for count, w := range weights {
			side := 0
			if accept[count] {
				side = 1
			}
			total[side] += w * binomial(k, count)
			mean[side] += w * binomial(k, count) * int64(count)
		}
		switch above, below := mean[1]*total[0], mean[0]*total[1]; {
		case done == "below" && below <= above:
			weights[k] = 2*weights[k] + 1
			continue
		case done != "below" && done != "any" && above <= below:
			weights[0] = 2*weights[0] + 1
			continue
		}
		for count := range weights {
			if accept[count] {
				weights[count] *= total[0]
			} else {
				weights[count] *= total[1]
			}
			if accept[count] && done == "unbalanced" {
				weights[count] *= 2
			}
		}
		return weights
	}
}

// gather moves the weight of the patterns with one bit to the first of them.
func gather(pattern []int64) {
	for p := range pattern {
		if ones(p) == 1 && p > 1 {
			pattern[1] += pattern[p]
			pattern[p] = 0
		}
	}
}

// disturb breaks the independence or the likeness of the background bits.
func disturb(h data.Hidden, done string) {
	outside := 0
	for slices.Contains(h.Support, outside) {
		outside++
	}
	for s := range h.Weight {
		switch {
		case done == "copied" && s>>outside&1 == s>>h.Support[0]&1:
			h.Weight[s] *= 3
		case done == "odd bit" && s>>outside&1 == 0:
			h.Weight[s] *= 3
		}
	}
}

func judgeFamily(r *props.Record, in family, claimed string) {
	h, k := in.law, len(in.Support)
	plus, minus := conditional(h)
	closed := theory.Conditional{Plus: plus, Minus: minus}
	gamma, background := closed.Covariance(), big.NewRat(in.One, in.One+in.Zero)
	r.Regime(in.regime())
	if gamma.Sign() <= 0 {
		r.Regime("γ ≤ 0")
	}
	variance := closed.Variance(in.Dim, background)
	factor := big.NewRat(2, 1)
	switch claimed {
	case "twice":
		gamma.Mul(gamma, big.NewRat(2, 1))
	case "correlation γ":
		factor = big.NewRat(1, 1)
	case "background alone":
		variance.Sub(variance, closed.Variance(k, background))
	}
	balance, covariance := covariances(h)
	relevant := rational.Indicator(in.Dim, in.Support)
	want, twice, correlation := make([]*big.Rat, in.Dim), make([]*big.Rat, in.Dim), make([]*big.Rat, in.Dim)
	for j := range want {
		want[j], twice[j], correlation[j] = new(big.Rat), new(big.Rat), new(big.Rat).Add(covariance[j], covariance[j])
		if relevant[j] == 1 {
			want[j].Set(gamma)
			twice[j].Mul(gamma, factor)
		}
	}
	r.Show("γ", gamma.RatString())
	rational.Exactly(r, "balance", []*big.Rat{balance}, []*big.Rat{new(big.Rat)})
	rational.Exactly(r, "covariances", covariance, want)
	rational.Exactly(r, "correlations", correlation, twice) // E[y z] = 2E[y φ̃] − E y, and E y = 0
	rational.Exactly(r, "variance", []*big.Rat{h.Variance()}, []*big.Rat{variance})
	if in.above {
		r.Holds("γ > 0", gamma.Sign() > 0 && gamma.Cmp(big.NewRat(1, 2)) <= 0)
	}
	judgeDictionary(r, in, gamma, claimed)
}

// judgeDictionary compares E[yx] and E‖x‖² in the input's own space.
func judgeDictionary(r *props.Record, in family, gamma *big.Rat, claimed string) {
	s := in.law.Inputs(in.dictionary)
	d, dim := in.dictionary.Dims()
	variance := rational.Float(in.law.Variance())
	deviation := new(big.Float).Sqrt(new(big.Float).SetFloat64(variance))
	sigma, _ := deviation.Float64()
	mean, square := make([]float64, d), 0.0
	for i, p := range s.P {
		x := s.X.RawRowView(i)
		floats.AddScaled(mean, p*s.Y[i], x)
		square += p * floats.Dot(x, x)
	}
	along := rational.Indicator(in.Dim, in.Support)
	if claimed == "all columns" {
		for j := range along {
			along[j] = 1
		}
	}
	coefficient := rational.Float(gamma) / sigma
	if claimed == "not normalised" {
		coefficient = rational.Float(gamma)
	}
	var want mat.VecDense
	want.MulVec(in.dictionary, mat.NewVecDense(dim, along))
	want.ScaleVec(coefficient, &want)
	steps := float64(len(s.P)+2*dim+20) * r.Unit() * float64(dim) / sigma
	r.WithinVector("E[yx] through a dictionary", mean, want.RawVector().Data, steps)
	// As E(Σ|φⱼ|)² ≤ D the mean errs by (2(D+6) + N + d)Du at most, and σ̃² ≤ D/4 makes the first term 8D(N+2D+20)u:
	// what is left, 7D(N+2D+20)u, is more than 280u for D ≥ 2, beside 10(d+D)Du for the orthonormality.
	r.Within("mean squared norm", square, 1, 2*float64(dim)/sigma*steps+float64(10*(d+dim)*dim)*r.Unit())
}

func (in family) regime() string {
	switch {
	case len(in.Support) == in.Dim:
		return "no background bits"
	case in.One == 0:
		return "silent background"
	case len(in.Support) == 1:
		return "k = 1"
	}
	if len(in.Support) >= 4 {
		return "background, k ≥ 4"
	}
	return "background, k ≤ 3"
}

// conditional returns the laws of the count given the label.
func conditional(h data.Hidden) (plus, minus []*big.Rat) {
	law, mass := h.CountLaw(), [2]*big.Rat{new(big.Rat), new(big.Rat)}
	for count, p := range law {
		side := 0
		if h.Accept[count] {
			side = 1
		}
		mass[side].Add(mass[side], p)
	}
	for count, p := range law {
		plus, minus = append(plus, new(big.Rat)), append(minus, new(big.Rat))
		if h.Accept[count] {
			plus[count].Quo(p, mass[1])
		} else {
			minus[count].Quo(p, mass[0])
		}
	}
	return plus, minus
}

// covariances returns E y and E[y φ̃ⱼ] − E[y]E[φ̃ⱼ] for all j.
func covariances(h data.Hidden) (*big.Rat, []*big.Rat) {
	total, all, on := h.Total(), int64(0), make([]int64, h.Dim)
	for s, w := range h.Weight {
		w *= int64(h.Label(s))
		all += w
		for j := range on {
			on[j] += w * int64(s>>j&1)
		}
	}
	balance, out := big.NewRat(all, total), make([]*big.Rat, h.Dim)
	for j, mean := range h.Mean() {
		out[j] = big.NewRat(on[j], total)
		out[j].Sub(out[j], new(big.Rat).Mul(balance, mean))
	}
	return balance, out
}

// judgeExamples counts majority and parity over the 2^k patterns of the bits on A.
func judgeExamples(r *props.Record, k int, claimed string) {
	half := make([]bool, k+1)
	for count := range half {
		half[count] = 2*count > k
	}
	majority := theory.MajorityCovariance(k)
	if claimed == "other binomial" {
		majority = rational.Float(big.NewRat(binomial(k, (k-1)/2), 1<<k))
	}
	r.Exactly("majority of fair bits", gammaOf(k, half, 1, 0), majority)
	for share := int64(0); share <= 4; share++ {
		m := theory.Mixture{Dim: k, Count: k, Background: 0.5, Uniform: float64(share) / 4}
		want := m.Covariance()
		if claimed == "λ/2" {
			want = m.Uniform / 2
		}
		r.Exactly("parity on the mixture", gammaOf(k, data.Parity(k), share, 4-share), want)
	}
}

// gammaOf is γ of the first bit under the mixture with the given shares.
func gammaOf(k int, accept []bool, uniform, equal int64) float64 {
	_, all := covariances(data.NewHidden(k, props.Indices(k), accept, data.Mixture(k, uniform, equal), data.Fair))
	return rational.Float(all[0])
}

// drawExample draws inputs and measures the moments.
func drawExample(t *props.Trial, v values.Values) (map[string]float64, error) {
	dim, k, n := v.Int("D"), v.Int("k"), v.Int("n")
	if k > 20 || n*dim > 1e8 {
		return nil, fmt.Errorf("the dimension D=%d, k=%d, n=%d cannot be simulated: k is at most 20 and n·D at most "+
			"1e8",
			dim, k, n)
	}
	accept := data.Parity(k)
	if v.Choice("label") == "majority" {
		for count := range accept {
			accept[count] = 2*count > k
		}
	}
	law := data.Wide{Dim: dim, Support: props.Indices(k), Accept: accept, Pattern: data.Uniform(k, v.Float("uniform")),
		Background: v.Float("background")}
	s := law.Draw(t.Rand, n)
	sigma, mean, square := law.Deviation(), make([]float64, dim), 0.0
	for i, p := range s.P {
		x := s.X.RawRowView(i)
		floats.AddScaled(mean, p*s.Y[i], x)
		square += p * floats.Dot(x, x)
	}
	on := floats.Sum(mean[:k]) / float64(k)
	return map[string]float64{"sigma": sigma, "gamma": on * sigma, "coordinate": on, "correlation": 2 * on * sigma,
		"norm2": square}, nil
}

// binomial returns binom(n, k) for small n.
func binomial(n, k int) int64 { return new(big.Int).Binomial(int64(n), int64(k)).Int64() }

// ones counts the bits of a pattern.
func ones(pattern int) int {
	n := 0
	for ; pattern != 0; pattern &= pattern - 1 {
		n++
	}
	return n
}
