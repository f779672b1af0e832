package emergence

import (
	"math/big"
	"sync"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// thresholds pairs the accuracies with sums over all patterns, and the best accuracy with a search through all signs.
var thresholds = props.Spec{
	Statement: &theory.Thresholds,
	Checks: []props.Check{
		props.Drawn[signs, signsClaim]{
			Name:       "one sign",
			Cases:      props.Scale{Quick: 60, Standard: 400, Deep: 5000},
			Replicates: 3,
			Regimes:    countRegimes,
			Draw: func(t *props.T) signs {
				in := drawSigns(t)
				return in.drawn(t, data.Parity(in.K), in.mixture())
			},
			Claim: signsClaim{accuracy: theory.Accuracy},
			Judge: judgeSigns,
			Controls: []props.Wrong[signs, signsClaim]{
				{Name: "the label of the majority", Assumption: "parity", Draw: func(t *props.T) signs {
					in := drawSigns(t).plain()
					accept := list.Fill(in.K+1, func(s int) bool { return 2*s > in.K })
					return in.drawn(t, accept, in.mixture())
				}},
				{Name: "even k", Assumption: "odd", Draw: func(t *props.T) signs {
					in := drawSigns(t).plain()
					in.K++
					in = in.drawn(t, data.Parity(in.K), in.mixture())
					in.K, in.Signs = in.K+1, append(in.Signs, in.Signs[in.K]) // the formula of the next odd k
					return in
				}},
				{Name: "half of the inputs with all bits one are one short", Assumption: "mixture",
					Draw: func(t *props.T) signs {
						in := drawSigns(t).plain()
						pattern := in.mixture()
						full := len(pattern) - 1
						pattern[full-1] += pattern[full] / 2
						pattern[full] -= pattern[full] / 2
						return in.drawn(t, data.Parity(in.K), pattern)
					}},
				{Name: "right on the equal bits whatever the first sign",
					Instead: signsClaim{accuracy: func(k int, lambda *big.Rat, first int, changes []int) *big.Rat {
						want := onUniform(k, lambda, first, changes)
						return want.Add(want, big.NewRat(1, 1)).Sub(want, lambda)
					}}},
				{Name: "opposite sign on the uniform bits",
					Instead: signsClaim{accuracy: func(k int, lambda *big.Rat, first int, changes []int) *big.Rat {
						want, uniform := theory.Accuracy(k, lambda, first, changes), onUniform(k, lambda, first, changes)
						return want.Sub(want, uniform).Sub(want, uniform).Add(want, lambda)
					}}},
			},
		},
		props.Drawn[best, bestClaim]{
			Name:       "the best sign",
			Cases:      props.Scale{Quick: 20, Standard: 80, Deep: 800},
			Replicates: 3,
			Regimes:    []string{"k = 1", "λ < 1/2", "λ = 1/2", "λ > 1/2"},
			Draw:       drawBest,
			Claim:      bestClaim{accuracy: theory.BestAccuracy, once: theory.OneThreshold},
			Judge:      judgeBest,
			Controls: []props.Wrong[best, bestClaim]{
				{Name: atSeven, Criterion: "best accuracy", Draw: constantly(7, 1, 8),
					Instead: bestClaim{accuracy: func(k, _ int, lambda *big.Rat) *big.Rat {
						return theory.Accuracy(k, lambda, -1, []int{(k - 1) / 2})
					}}},
				// A third change increases the accuracy where a second one alone, on equal bits of either label, may
				// not.
				{Name: "one change more", Criterion: "best accuracy", Draw: constantly(7, 2, 8),
					Instead: bestClaim{accuracy: func(k, changes int, lambda *big.Rat) *big.Rat {
						return theory.BestAccuracy(k, changes+1, lambda)
					}}},
				{Name: "above 1/2 by rounding alone", Criterion: "best accuracy", Reading: "hinge",
					Draw:    constantly(5, 1, 8),
					Instead: bestClaim{accuracy: func(int, int, *big.Rat) *big.Rat { return big.NewRat(1, 2) }}},
				{Name: "one change, the largest binomial at odd counts", Criterion: "best with one change", As: atSeven,
					Instead: bestClaim{once: func(k int, lambda *big.Rat) *big.Rat {
						one, term := big.NewRat(1, 1), new(big.Rat).SetFrac64(binomial(k-1, (k-1)/2), 1<<k)
						return one.Sub(one, lambda).Add(one, term.Mul(term.Add(term, big.NewRat(1, 2)), lambda))
					}}},
				{Name: "one change, λ = 1", Criterion: "best with one change", Draw: constantly(3, 1, 16),
					Claim: func(c *bestClaim) { // the formula, which is linear in λ
						c.once = func(k int, _ *big.Rat) *big.Rat {
							half := theory.OneThreshold(k, big.NewRat(1, 2))
							return half.Add(half, half).Sub(half, big.NewRat(1, 1))
						}
					}},
			},
		},
		props.Drawn[exception, exceptionClaim]{
			Name:       "a polynomial in the bits",
			Cases:      props.Scale{Quick: 20, Standard: 60, Deep: 300},
			Replicates: 3,
			Regimes:    []string{"k = 3, one one", "k = 3, two ones", "k ≥ 5, odd", "k ≥ 5, even"},
			Draw: func(t *props.T) exception {
				in := drawException(t)
				return in.weighing(1 << in.K)
			},
			Claim: exceptionClaim{accuracy: theory.OnePatternWrong},
			Judge: judgeException,
			Controls: []props.Wrong[exception, exceptionClaim]{
				{Name: "exception at all bits equal", Criterion: "accuracy in the bits", Draw: func(t *props.T) exception {
					in := drawException(t)
					in.Pattern = 0
					return in.weighing(1 << in.K)
				}},
				{Name: "wrong on two patterns", Criterion: "accuracy in the bits",
					Instead: exceptionClaim{accuracy: func(k int, lambda *big.Rat) *big.Rat {
						want := theory.OnePatternWrong(k, lambda)
						return want.Add(want, want).Sub(want, big.NewRat(1, 1))
					}}},
				{Name: "exception of half the weight", Criterion: "coefficient of degree k",
					Draw: func(t *props.T) exception {
						in := drawException(t)
						return in.weighing(1 << in.K / 2)
					}},
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

// signs holds a predictor, by its sign at each count, and its accuracy.
type signs struct {
	K        int
	Uniform  string // λ
	Signs    []int
	Accuracy string

	share            int64 // 16λ
	lambda, accuracy *big.Rat
}

// signsClaim holds the claimed accuracy of signs, given the first sign and the counts after which they change.
type signsClaim struct {
	accuracy func(k int, lambda *big.Rat, first int, changes []int) *big.Rat
}

// onUniform returns the share of the accuracy that the uniform bits contribute.
func onUniform(k int, lambda *big.Rat, first int, changes []int) *big.Rat {
	uniform := theory.Accuracy(k, big.NewRat(1, 1), first, changes)
	return uniform.Mul(uniform, lambda)
}

func drawSigns(t *props.T) signs {
	return signs{K: 2*rapid.IntRange(0, 4).Draw(t.T, "(k−1)/2") + 1, share: rapid.Int64Range(0, 16).Draw(t.T, "16λ")}
}

// plain takes at least three bits, and λ away from 0 and 1.
func (in signs) plain() signs {
	in.K, in.share = max(3, in.K), min(15, max(1, in.share))
	return in
}

func (in signs) mixture() []int64 { return data.Mixture(in.K, in.share, 16-in.share) }

// drawn draws the signs, and computes their accuracy.
func (in signs) drawn(t *props.T, accept []bool, pattern []int64) signs {
	r := t.Stream("signs")
	in.lambda, in.Signs = big.NewRat(in.share, 16), make([]int, in.K+1)
	for s := range in.Signs {
		in.Signs[s] = 2*r.IntN(2) - 1
	}
	in.accuracy = right(data.NewHidden(in.K, props.Indices(in.K), accept, pattern, data.Fair), in.Signs)
	in.Uniform, in.Accuracy = in.lambda.RatString(), in.accuracy.RatString()
	return in
}

// right returns the accuracy of signs.
func right(h data.Hidden, signs []int) *big.Rat {
	var sum int64
	for s, w := range h.Weight {
		if signs[h.Count(s)] == h.Label(s) {
			sum += w
		}
	}
	return big.NewRat(sum, h.Total())
}

func judgeSigns(r *props.Record, in signs, claim signsClaim) {
	r.Regime(countRegime(in.K))
	var changes []int
	for j := range in.K {
		if in.Signs[j] != in.Signs[j+1] {
			changes = append(changes, j)
		}
	}
	rational.Exactly(r, "accuracy", []*big.Rat{in.accuracy},
		[]*big.Rat{claim.accuracy(in.K, in.lambda, in.Signs[0], changes)})
}

// best holds the accuracy of the best signs with at most the given number of changes.
type best struct {
	K, Changes int
	Uniform    string
	Accuracy   string

	lambda, accuracy *big.Rat
}

const atSeven = "the majority at k = 7"

// bestClaim holds the claimed best accuracy for any number of changes, and for one change.
type bestClaim struct {
	accuracy func(k, changes int, lambda *big.Rat) *big.Rat
	once     func(k int, lambda *big.Rat) *big.Rat // nil where it says nothing
}

func drawBest(t *props.T) best {
	k := 2*rapid.IntRange(0, 4).Draw(t.T, "(k−1)/2") + 1
	share := rapid.SampledFrom([]int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 9, 10, 11, 12, 13, 14, 15, 16}).Draw(t.T, "16λ")
	return searched(k, rapid.IntRange(0, k+1).Draw(t.T, "changes"), share)
}

// constantly draws one instance, which is searched for when it is first drawn and not when the program starts.
func constantly(k, changes int, share int64) func(t *props.T) best {
	in := sync.OnceValue(func() best { return searched(k, changes, share) })
	return func(t *props.T) best { return props.Constant(in())(t) }
}

// searched finds the best accuracy by a search through all signs.
func searched(k, changes int, share int64) best {
	in := best{K: k, Changes: changes, lambda: big.NewRat(share, 16)}
	h := data.NewHidden(in.K, props.Indices(in.K), data.Parity(in.K), data.Mixture(in.K, share, 16-share), data.Fair)
	in.accuracy = mostRight(h, changes)
	in.Uniform, in.Accuracy = in.lambda.RatString(), in.accuracy.RatString()
	return in
}

// mostRight returns the best accuracy of signs with at most the given number of changes.
func mostRight(h data.Hidden, changes int) *big.Rat {
	k := len(h.Support)
	all, largest := make([]int, k+1), new(big.Rat)
	for mask := range 2 << k {
		seen := 0
		for s := range all {
			all[s] = 2*(mask>>s&1) - 1
			if s > 0 && all[s] != all[s-1] {
				seen++
			}
		}
		if seen > changes {
			continue
		}
		if a := right(h, all); a.Cmp(largest) > 0 {
			largest = a
		}
	}
	return largest
}

func judgeBest(r *props.Record, in best, claim bestClaim) {
	half := in.lambda.Cmp(big.NewRat(1, 2))
	r.RegimeOf(in.K > 1, in.K > 1 && half == 0, in.K > 1 && half > 0)
	rational.Exactly(r, "best accuracy", []*big.Rat{in.accuracy},
		[]*big.Rat{claim.accuracy(in.K, in.Changes, in.lambda)})
	if in.Changes != 1 {
		return
	}
	if once := claim.once(in.K, in.lambda); once != nil {
		rational.Exactly(r, "best with one change", []*big.Rat{in.accuracy}, []*big.Rat{once})
	}
}

// exception is a predictor, the sign of a polynomial in the bits on A, that is the parity except on one pattern.
type exception struct {
	K        int
	Pattern  int
	Uniform  string
	Accuracy string
	Top      int64 // coefficient of degree k, times 2^k

	share            int64 // 16λ
	lambda, accuracy *big.Rat
}

// exceptionClaim holds the claimed accuracy of a parity with one exception.
type exceptionClaim struct {
	accuracy func(k int, lambda *big.Rat) *big.Rat
}

func drawException(t *props.T) exception {
	k := 2*rapid.IntRange(1, 4).Draw(t.T, "(k−1)/2") + 1
	return exception{K: k, share: rapid.Int64Range(0, 16).Draw(t.T, "16λ"),
		Pattern: rapid.IntRange(1, 1<<k-2).Draw(t.T, "a")}
}

// weighing subtracts a multiple of the label at the exception.
func (in exception) weighing(weight int64) exception {
	k := in.K
	h := data.NewHidden(k, props.Indices(k), data.Parity(k), data.Mixture(k, in.share, 16-in.share), data.Fair)
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
	in.lambda, in.accuracy = big.NewRat(in.share, 16), big.NewRat(rightly, h.Total())
	in.Uniform, in.Accuracy = in.lambda.RatString(), in.accuracy.RatString()
	return in
}

func judgeException(r *props.Record, in exception, claim exceptionClaim) {
	even := ones(in.Pattern)%2 == 0 // the parity of the number of ones decides the sign of the subtracted term
	r.RegimeOf(even, in.K > 3, in.K > 3 && even)
	want := claim.accuracy(in.K, in.lambda)
	r.Exactly("coefficient of degree k", float64(in.Top), 0)
	rational.Exactly(r, "accuracy in the bits", []*big.Rat{in.accuracy}, []*big.Rat{want})
}

// countSigns searches all signs at a user's parameters; it needs no random numbers.
func countSigns(t *props.Trial, v statement.Values) (map[string]float64, error) {
	k := v.Int("k")
	t.Need(k <= 9, "k=%d cannot be simulated: all signs of the k + 1 counts are tried, for k at most 9", k)
	h, majority := hiddenOf(v, k), make([]int, k+1)
	for s := range majority {
		majority[s] = -1
		if 2*s > k {
			majority[s] = 1
		}
	}
	return map[string]float64{"best": rational.Float(mostRight(h, v.Int("changes"))),
		"majority": rational.Float(right(h, majority))}, nil
}
