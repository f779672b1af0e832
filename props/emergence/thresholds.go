package emergence

import (
	"fmt"
	"math/big"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// thresholds pairs the accuracies with sums over all patterns, and the best with a search through all signs.
var thresholds = props.Spec{
	Statement: &theory.Thresholds,
	Checks: []props.Check{
		props.Instances[signs]{
			Name:       "one sign",
			Cases:      props.Scale{Quick: 60, Standard: 400, Deep: 5000},
			Replicates: 3,
			Regimes:    countRegimes,
			Draw:       drawSigns,
			Judge:      judgeSigns,
			Controls: []props.Control{
				{Name: "the label of the majority", Assumption: "parity", Done: "majority"},
				{Name: "even k", Assumption: "odd", Done: "even"},
				{Name: "half of the inputs with all bits one are one short", Assumption: "mixture", Done: "one short"},
				{Name: "right on the equal bits whatever the first sign", Claimed: "right on equal bits"},
				{Name: "opposite sign on the uniform bits", Claimed: "opposite"},
			},
		},
		props.Instances[best]{
			Name:       "the best sign",
			Cases:      props.Scale{Quick: 20, Standard: 80, Deep: 800},
			Replicates: 3,
			Regimes:    []string{"k = 1", "λ < 1/2", "λ = 1/2", "λ > 1/2"},
			Draw:       drawBest,
			Judge:      judgeBest,
			Controls: []props.Control{
				{Name: "the majority at k = 7", Criterion: "best accuracy", Done: "seven", Claimed: "majority"},
				{Name: "one change more", Criterion: "best accuracy", Done: "two changes", Claimed: "one more"},
				{Name: "above 1/2 by rounding alone", Criterion: "best accuracy", Done: "five", Reading: "hinge",
					Claimed: "1/2"},
				{Name: "one change, the largest binomial at odd counts", Criterion: "best with one change",
					Done: "seven", Claimed: "odd"},
				{Name: "one change, λ = 1", Criterion: "best with one change", Done: "λ = 1"},
			},
		},
		props.Instances[exception]{
			Name:       "a polynomial in the bits",
			Cases:      props.Scale{Quick: 20, Standard: 60, Deep: 300},
			Replicates: 3,
			Regimes:    []string{"k = 3, one one", "k = 3, two ones", "k ≥ 5, odd", "k ≥ 5, even"},
			Draw:       drawException,
			Judge:      judgeException,
			Controls: []props.Control{
				{Name: "exception at all bits equal", Criterion: "accuracy in the bits", Done: "equal bits"},
				{Name: "wrong on two patterns", Criterion: "accuracy in the bits", Claimed: "two"},
				{Name: "exception of half the weight", Criterion: "coefficient of degree k", Done: "half"},
			},
		},
	},
	Along: &props.Along{
		Param: "changes", To: 9, Y: "accuracy of the best signs with r changes", Of: []string{"best"},
		Each: &props.ParamSweep{Name: "k", Values: []string{"3", "5", "7", "9"}}, Places: 10, Reps: 1,
	},
	Try: &props.Simulation{Run: countSigns},
}.Claim()

var countRegimes = []string{"k = 1", "k = 3", "k ≥ 5"}

func countRegime(k int) string { return countRegimes[min(2, k/2)] }

// signs is a predictor in the count, and how often it is right.
type signs struct {
	K        int
	Uniform  string // λ
	Signs    []int
	Accuracy string

	lambda, accuracy *big.Rat
}

func drawSigns(t *props.T, done string) signs {
	k := 2*rapid.IntRange(0, 4).Draw(t.T, "(k−1)/2") + 1
	share := rapid.Int64Range(0, 16).Draw(t.T, "16λ")
	if done != "" {
		k, share = max(3, k), min(15, max(1, share))
	}
	if done == "even" {
		k++
	}
	r := t.Stream("signs")
	in := signs{K: k, lambda: big.NewRat(share, 16), Signs: make([]int, k+1)}
	for s := range in.Signs {
		in.Signs[s] = 2*r.IntN(2) - 1
	}
	accept := data.Parity(k)
	if done == "majority" {
		for s := range accept {
			accept[s] = 2*s > k
		}
	}
	pattern := data.Mixture(k, share, 16-share)
	if full := len(pattern) - 1; done == "one short" {
		pattern[full-1] += pattern[full] / 2
		pattern[full] -= pattern[full] / 2
	}
	in.accuracy = right(data.NewHidden(k, props.Indices(k), accept, pattern, data.Fair), in.Signs)
	in.Uniform, in.Accuracy = in.lambda.RatString(), in.accuracy.RatString()
	return in
}

// right returns how often signs are the label.
func right(h data.Hidden, signs []int) *big.Rat {
	var sum int64
	for s, w := range h.Weight {
		if signs[h.Count(s)] == h.Label(s) {
			sum += w
		}
	}
	return big.NewRat(sum, h.Total())
}

func judgeSigns(r *props.Record, in signs, claimed string) {
	r.Regime(countRegime(in.K))
	k, all := in.K, in.Signs
	if k%2 == 0 { // outside the hypotheses: the formula for the next odd k
		k, all = k+1, append(all, in.Signs[k])
	}
	var changes []int
	for j := range k {
		if all[j] != all[j+1] {
			changes = append(changes, j)
		}
	}
	want := theory.Accuracy(k, in.lambda, all[0], changes)
	uniform := new(big.Rat).Mul(theory.Accuracy(k, big.NewRat(1, 1), all[0], changes), in.lambda)
	switch claimed {
	case "right on equal bits":
		want.Sub(big.NewRat(1, 1), in.lambda)
		want.Add(want, uniform)
	case "opposite":
		want.Sub(want, uniform)
		want.Sub(want, uniform)
		want.Add(want, in.lambda)
	}
	rational.Exactly(r, "accuracy", []*big.Rat{in.accuracy}, []*big.Rat{want})
}

// regime tells apart whether the equal bits or the uniform ones weigh more.
func (in best) regime() string {
	if in.K == 1 {
		return "k = 1"
	}
	return []string{"λ < 1/2", "λ = 1/2", "λ > 1/2"}[1+in.lambda.Cmp(big.NewRat(1, 2))]
}

// best is the best of all signs that change at most so often.
type best struct {
	K, Changes int
	Uniform    string
	Accuracy   string

	lambda, accuracy *big.Rat
	done             string
}

func drawBest(t *props.T, done string) best {
	k := 2*rapid.IntRange(0, 4).Draw(t.T, "(k−1)/2") + 1
	share := rapid.SampledFrom([]int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 9, 10, 11, 12, 13, 14, 15, 16}).Draw(t.T, "16λ")
	in := best{K: k, Changes: rapid.IntRange(0, k+1).Draw(t.T, "changes"), accuracy: new(big.Rat),
		done: done}
	switch done {
	case "seven":
		in.K, in.Changes, share = 7, 1, 8
	case "five":
		in.K, in.Changes, share = 5, 1, 8
	case "two changes": // a third one gains, where a second one alone, on equal bits of either label, may not
		in.K, in.Changes, share = 7, 2, 8
	case "λ = 1":
		in.K, in.Changes, share = 3, 1, 16
	}
	in.lambda = big.NewRat(share, 16)
	h := data.NewHidden(in.K, props.Indices(in.K), data.Parity(in.K), data.Mixture(in.K, share, 16-share), data.Fair)
	all := make([]int, in.K+1)
	for mask := range 2 << in.K {
		changes := 0
		for s := range all {
			all[s] = 2*(mask>>s&1) - 1
			if s > 0 && all[s] != all[s-1] {
				changes++
			}
		}
		if changes > in.Changes {
			continue
		}
		if a := right(h, all); a.Cmp(in.accuracy) > 0 {
			in.accuracy = a
		}
	}
	in.Uniform, in.Accuracy = in.lambda.RatString(), in.accuracy.RatString()
	return in
}

func judgeBest(r *props.Record, in best, claimed string) {
	r.Regime(in.regime())
	want := theory.BestAccuracy(in.K, in.Changes, in.lambda)
	switch claimed {
	case "majority":
		want = theory.Accuracy(in.K, in.lambda, -1, []int{(in.K - 1) / 2})
	case "one more":
		want = theory.BestAccuracy(in.K, in.Changes+1, in.lambda)
	case "1/2":
		want = big.NewRat(1, 2)
	}
	rational.Exactly(r, "best accuracy", []*big.Rat{in.accuracy}, []*big.Rat{want})
	one := theory.OneThreshold(in.K, in.lambda)
	if in.done == "λ = 1" { // outside the hypothesis: the formula, which is linear in λ
		half := theory.OneThreshold(in.K, big.NewRat(1, 2))
		one = half.Sub(half.Add(half, half), big.NewRat(1, 1))
	}
	if in.Changes != 1 || one == nil {
		return
	}
	if claimed == "odd" {
		term := new(big.Rat).SetFrac64(binomial(in.K-1, (in.K-1)/2), 1<<in.K)
		one.Sub(big.NewRat(1, 1), in.lambda).Add(one, term.Mul(term.Add(term, big.NewRat(1, 2)), in.lambda))
	}
	rational.Exactly(r, "best with one change", []*big.Rat{in.accuracy}, []*big.Rat{one})
}

// exception is the sign of a polynomial in the bits on A that is the parity but for one pattern.
type exception struct {
	K        int
	Pattern  int
	Uniform  string
	Accuracy string
	Top      int64 // coefficient of degree k, times 2^k

	lambda, accuracy *big.Rat
}

func drawException(t *props.T, done string) exception {
	k := 2*rapid.IntRange(1, 4).Draw(t.T, "(k−1)/2") + 1
	share := rapid.Int64Range(0, 16).Draw(t.T, "16λ")
	in := exception{K: k, Pattern: rapid.IntRange(1, 1<<k-2).Draw(t.T, "a"), lambda: big.NewRat(share, 16)}
	weight := int64(1) << k
	switch done {
	case "equal bits":
		in.Pattern = 0
	case "half":
		weight /= 2
	}
	h := data.NewHidden(k, props.Indices(k), data.Parity(k), data.Mixture(k, share, 16-share), data.Fair)
	var rightly int64
	for s, w := range h.Weight {
		label := int64(h.Label(s))
		value := label
		if s == in.Pattern {
			value -= weight * label
		}
		in.Top += value * label
		if value*label > 0 {
			rightly += w
		}
	}
	in.accuracy = big.NewRat(rightly, h.Total())
	in.Uniform, in.Accuracy = in.lambda.RatString(), in.accuracy.RatString()
	return in
}

// regime tells the patterns apart by their label, which is the sign of what is taken away.
func (in exception) regime() string {
	kinds := []string{"k ≥ 5, even", "k ≥ 5, odd"}
	if in.K == 3 {
		kinds = []string{"k = 3, two ones", "k = 3, one one"}
	}
	return kinds[ones(in.Pattern)%2]
}

func judgeException(r *props.Record, in exception, claimed string) {
	if 0 < in.Pattern && in.Pattern < 1<<in.K-1 { // not in a control
		r.Regime(in.regime())
	}
	want := theory.OnePatternWrong(in.K, in.lambda)
	if claimed == "two" {
		want.Sub(want.Add(want, want), big.NewRat(1, 1))
	}
	r.Exactly("coefficient of degree k", float64(in.Top), 0)
	rational.Exactly(r, "accuracy in the bits", []*big.Rat{in.accuracy}, []*big.Rat{want})
}

// countSigns searches all signs at a user's parameters, and draws nothing.
func countSigns(_ *props.Trial, v values.Values) (map[string]float64, error) {
	k := v.Int("k")
	if k > 9 {
		return nil, fmt.Errorf("k=%d cannot be simulated: all signs of the k + 1 counts are tried, for k at most 9", k)
	}
	const shares = 1 << 20
	first := int64(v.Float("uniform") * shares)
	h := data.NewHidden(k, props.Indices(k), data.Parity(k), data.Mixture(k, first, shares-first), data.Fair)
	majority, largest, all := make([]int, k+1), new(big.Rat), make([]int, k+1)
	for s := range majority {
		majority[s] = -1
		if 2*s > k {
			majority[s] = 1
		}
	}
	for mask := range 2 << k {
		changes := 0
		for s := range all {
			all[s] = 2*(mask>>s&1) - 1
			if s > 0 && all[s] != all[s-1] {
				changes++
			}
		}
		if a := right(h, all); changes <= v.Int("changes") && a.Cmp(largest) > 0 {
			largest = a
		}
	}
	return map[string]float64{"best": rational.Float(largest), "majority": rational.Float(right(h, majority))}, nil
}
