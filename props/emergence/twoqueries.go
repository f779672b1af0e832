package emergence

import (
	"math"
	"math/big"
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// twoqueries pairs the learner of symmetric functions with all labels of three bits and answers that mislead it.
var twoqueries = props.Spec{
	Statement: &theory.TwoQueries,
	Checks: []props.Check{props.Drawn[triples, triplesClaim]{
		Name:       "all labels of three bits",
		Cases:      props.Scale{Quick: 25, Standard: 60, Deep: 400},
		Replicates: 2,
		Regimes:    []string{"all inputs", "by counts", "fewer queries than C^(1/3)/2"},
		Draw:       func(t *props.T) triples { return drawTriples(t).asked(t, 3, 1) },
		Claim:      triplesClaims,
		Judge:      judgeTriples,
		Controls: []props.Wrong[triples, triplesClaim]{
			{Name: biasedBits, Assumption: "uniform", Criterion: "agreements",
				Draw: func(t *props.T) triples { return drawTriples(t).asked(t, 3, 3) }},
			{Name: "bits that are one with probability 3/4, and Pr[y = 1]", Assumption: "uniform",
				Criterion: "parity and majority are balanced", As: biasedBits},
			{Name: "bits that are one with probability 3/4, and the other labels", Assumption: "uniform",
				Criterion: "other labels are 1/8 from balance", As: biasedBits},
			{Name: "bits that are one with probability 3/4, and the constants", Assumption: "uniform",
				Criterion: "errors of constants", As: biasedBits},
			{Name: "labels of five bits", Assumption: "three", Criterion: "agreements",
				Draw: func(t *props.T) triples {
					in := drawTriples(t)
					in.Dim = max(in.Dim, 7)
					return in.asked(t, 5, 1)
				}},
			{Name: "τ = 1.01 of its limit", Assumption: "tolerance", Criterion: "error on the parity",
				Draw: func(t *props.T) triples {
					in := drawTriples(t)
					in.share = big.NewRat(101, 100)
					return in.asked(t, 3, 1)
				}},
			{Name: withoutD, Criterion: "limit of τ",
				Draw: func(t *props.T) triples {
					in := drawTriples(t)
					in.all, in.Dim, in.share = false, 201, big.NewRat(999, 1000)
					return in.asked(t, 3, 1)
				},
				Instead: triplesClaim{limit: func(s theory.Triples) *big.Rat {
					limit := s.Tolerance()
					return limit.Mul(limit, big.NewRat(int64(s.Dim-2), int64(s.Dim-1)))
				}}},
			{Name: "sign e₁ does not depend on triples", Criterion: "agreements",
				Instead: triplesClaim{parity: func(theory.Triples) *big.Rat { return big.NewRat(1, 2) }}},
			{Name: "the parity is as easy as the majority", Criterion: "error on the parity",
				Instead: triplesClaim{parityError: majorityError}},
			{Name: "a hundredth less error of constants", Criterion: "errors of constants",
				Claim: func(c *triplesClaim) { c.constant = big.NewRat(3*99, 8*100) }},
			{Name: "a hundredth less error on the majority", Criterion: "error on the majority",
				Instead: triplesClaim{majorityError: func(s theory.Triples) *big.Rat {
					wrong := majorityError(s)
					return wrong.Mul(wrong, big.NewRat(99, 100))
				}}},
			{Name: "below 1/2 − C^(−1/2)", Criterion: "worst error below 1/2 − C^(−3)", Instead: triplesClaim{power: 1}},
			{Criterion: "worst error and threshold", Reading: "whole-class", As: withoutD,
				Instead: triplesClaim{threshold: func(sets float64) float64 { return 0.5 - math.Pow(sets, -3) }}},
		},
	}},
	Along: &props.Along{
		Param: "D", From: 3, To: 27, Of: []string{"parity", "majority"}, Y: "agreement with the sign of e₁",
		Places: 13, Reps: 3,
	},
	Try: &props.Simulation{Run: askTwice, Draw: drawAgreements},
}.Claim()

// triples holds the means of the two queries, and the errors of the learner's outputs, for every P ⊂ {1, 2, 3}: bit s
// of the index says whether s + 1 is in P.
type triples struct {
	Dim    int
	Share  string // of the largest tolerance
	Errors []string

	queries [8][2]*big.Rat
	errors  []*big.Rat
	share   *big.Rat
	all     bool
}

const parityLabel, majorityLabel = 0b101, 0b110

const (
	biasedBits = "bits that are one with probability 3/4"
	withoutD   = "(3/8)c for the limit of τ"
)

// triplesClaim holds the claimed Pr[y = sign e₁] of the parity, the limit of τ, the errors on the two labels and of
// constants, the power of 1/C that (1/2 − error)² of any label exceeds, and the error that fewer than C^(1/3) queries
// cannot avoid.
type triplesClaim struct {
	parity, limit, parityError, majorityError func(theory.Triples) *big.Rat
	constant                                  *big.Rat
	power                                     int64
	threshold                                 func(sets float64) float64
}

var triplesClaims = triplesClaim{
	parity: func(s theory.Triples) *big.Rat { return s.Agreement(false) }, limit: theory.Triples.Tolerance,
	parityError: theory.Triples.ParityError, majorityError: majorityError, constant: big.NewRat(3, 8), power: 6,
	threshold: func(sets float64) float64 { return 0.5 - 1/math.Cbrt(sets) },
}

// majorityError returns the error of sign e₁ on the majority.
func majorityError(s theory.Triples) *big.Rat {
	return new(big.Rat).Sub(big.NewRat(1, 1), s.Agreement(true))
}

func drawTriples(t *props.T) triples {
	in := triples{Dim: 2*rapid.IntRange(1, 4).Draw(t.T, "(D−1)/2") + 1, all: true,
		share: big.NewRat(rapid.Int64Range(0, 999).Draw(t.T, "τ in thousandths"), 1000)}
	if rapid.Bool().Draw(t.T, "by counts") {
		in.all, in.Dim = false, 2*rapid.IntRange(5, 150).Draw(t.T, "(D−1)/2")+1
		if rapid.Bool().Draw(t.T, "few queries") { // as many as 1/τ near its limit, which is of order √D
			in.Dim = 2*rapid.IntRange(125, 150).Draw(t.T, "(D−1)/2") + 1
			in.share = big.NewRat(rapid.Int64Range(950, 999).Draw(t.T, "τ in thousandths"), 1000)
		}
	}
	return in
}

// asked asks all queries, on labels of count relevant bits; every bit is one with the given odds.
func (in triples) asked(t *props.T, count int, odds int64) triples {
	in.Share = in.share.RatString()
	weights := countWeightsOf(in.Dim, count, odds)
	agree := func(label, h func(int) bool) *big.Rat { return agreement(weights, label, h) }
	if in.all && count == 3 {
		support := rational.Subset(t.Stream("support"), in.Dim, 3)
		agree = func(label, h func(int) bool) *big.Rat { return counted(in.Dim, support, label, h, odds) }
	}
	tau := new(big.Rat).Mul(theory.Triples{Dim: in.Dim}.Tolerance(), in.share)
	predictors := symmetricVotes(in.Dim)
	for p := range in.queries {
		label := labelOf(p, count)
		in.queries[p] = [2]*big.Rat{agree(label, predictors["yes"]), agree(label, predictors["first"])}
		output := choose(in.queries[p], tau, in.Dim, t.Stream("answers"))
		wrong := agree(label, predictors[output])
		in.errors = append(in.errors, wrong.Sub(big.NewRat(1, 1), wrong))
	}
	in.Errors = rational.Texts(in.errors)
	return in
}

// labelOf returns the label as a function of the number of ones among the relevant bits. For five bits it has the
// parity and the majority of five in place of those of three.
func labelOf(p, count int) func(int) bool {
	if count == 5 {
		return func(s int) bool { return p == parityLabel && s%2 == 1 || p == majorityLabel && s > 2 }
	}
	return func(s int) bool { return s > 0 && p>>(s-1)&1 == 1 }
}

// symmetricVotes returns the predictors, as functions of the number t of ones. With e₁ = t − (D − t), Newton's
// identities give e₃ = (e₁³ − 3De₁ + 2e₁)/6.
func symmetricVotes(dim int) map[string]func(int) bool {
	first := func(ones int) int { return 2*ones - dim }
	return map[string]func(int) bool{
		"yes":   func(int) bool { return true },
		"no":    func(int) bool { return false },
		"first": func(t int) bool { return first(t) > 0 },
		"third": func(t int) bool { e := first(t); return e*e*e-3*dim*e+2*e >= 0 },
	}
}

// countWeightsOf returns the total weight of the inputs with s ones among count relevant bits and u ones among the
// others. An input weighs the odds to the power of its number of ones.
func countWeightsOf(dim, count int, odds int64) [][]*big.Int {
	row := func(n int) []*big.Int {
		out := []*big.Int{big.NewInt(1)}
		for k := 1; k <= n; k++ {
			next := new(big.Int).Mul(out[k-1], big.NewInt(int64(n-k+1)))
			out = append(out, next.Quo(next, big.NewInt(int64(k))))
		}
		return out
	}
	relevant, outside := row(count), row(dim-count)
	weights := make([][]*big.Int, count+1)
	for s := range weights {
		for u := range outside {
			n := new(big.Int).Mul(relevant[s], outside[u])
			weights[s] = append(weights[s], n.Mul(n, new(big.Int).Exp(big.NewInt(odds), big.NewInt(int64(s+u)), nil)))
		}
	}
	return weights
}

// agreement computes Pr[y = h] from the numbers of ones among the relevant bits and outside.
func agreement(weights [][]*big.Int, label, h func(int) bool) *big.Rat {
	sum, total := new(big.Int), new(big.Int)
	for s, row := range weights {
		for u, n := range row {
			total.Add(total, n)
			if label(s) == h(s+u) {
				sum.Add(sum, n)
			}
		}
	}
	return new(big.Rat).SetFrac(sum, total)
}

// counted computes the same as agreement by a sum over all inputs.
func counted(dim int, support []int, label, h func(int) bool, odds int64) *big.Rat {
	var sum, total int64
	for state := range 1 << dim {
		n, relevant := int64(math.Pow(float64(odds), float64(ones(state)))), 0
		for _, j := range support {
			relevant += state >> j & 1
		}
		total += n
		if label(relevant) == h(ones(state)) {
			sum += n
		}
	}
	return big.NewRat(sum, total)
}

// choose returns the learner's output. Each answer is as far from its mean as τ allows, towards the threshold that it
// is compared with; a mean on the threshold moves to a random side.
func choose(means [2]*big.Rat, tau *big.Rat, dim int, r *rand.Rand) string {
	half := big.NewRat(1, 2)
	for _, side := range []int64{-1, 1} {
		threshold := new(big.Rat).Add(half, big.NewRat(side, 16))
		if answer := mislead(means[0], threshold, tau, r); answer.Cmp(threshold) == int(side) {
			return map[int64]string{-1: "no", 1: "yes"}[side]
		}
	}
	s := theory.Triples{Dim: dim}
	threshold := new(big.Rat).Add(s.Agreement(false), s.Agreement(true))
	threshold.Mul(threshold, half)
	if mislead(means[1], threshold, tau, r).Cmp(threshold) > 0 {
		return "first"
	}
	return "third"
}

// mislead moves a mean towards a threshold by τ.
func mislead(mean, threshold, tau *big.Rat, r *rand.Rand) *big.Rat {
	side := threshold.Cmp(mean)
	if side == 0 {
		side = 2*r.IntN(2) - 1
	}
	return new(big.Rat).Add(mean, new(big.Rat).Mul(tau, big.NewRat(int64(side), 1)))
}

func judgeTriples(r *props.Record, in triples, claim triplesClaim) {
	s := theory.Triples{Dim: in.Dim}
	r.Regime(map[bool]string{true: "all inputs", false: "by counts"}[in.all])
	rational.Exactly(r, "agreements", []*big.Rat{in.queries[parityLabel][1], in.queries[majorityLabel][1]},
		[]*big.Rat{claim.parity(s), s.Agreement(true)})
	judgeTolerance(r, in, claim.limit(s))
	half, worst := big.NewRat(1, 2), new(big.Rat)
	rational.Exactly(r, "parity and majority are balanced",
		[]*big.Rat{in.queries[parityLabel][0], in.queries[majorityLabel][0]}, []*big.Rat{half, half})
	for p, wrong := range in.errors {
		switch p {
		case parityLabel:
			atMost(r, "error on the parity", wrong, claim.parityError(s))
		case majorityLabel:
			atMost(r, "error on the majority", wrong, claim.majorityError(s))
		default:
			away := new(big.Rat).Sub(in.queries[p][0], half)
			r.AtLeast("other labels are 1/8 from balance", rational.Float(away.Abs(away)), 0.125, 0.125*r.Unit())
			atMost(r, "errors of constants", wrong, claim.constant)
		}
		if wrong.Cmp(worst) > 0 {
			worst = wrong
		}
	}
	judgeWorst(r, in.Dim, worst, claim.power)
	sets := theory.Binomial(in.Dim, 3)
	if 1/rational.Float(s.Tolerance()) >= math.Cbrt(sets)/2*rational.Float(in.share) { // 1/τ is not below C^(1/3)/2
		return
	}
	r.Regime("fewer queries than C^(1/3)/2")
	r.AtLeast("worst error and threshold", rational.Float(worst), claim.threshold(sets), 4*r.Unit())
}

// judgeWorst checks that 1/2 − error exceeds C^(−3), for C > 1. It cannot exceed C^(−1/2), because E|e₃| is at most √C.
func judgeWorst(r *props.Record, dim int, worst *big.Rat, power int64) {
	if dim == 3 {
		return
	}
	gap := new(big.Rat).Sub(big.NewRat(1, 2), worst)
	below, bound := rational.Float(gap), math.Pow(theory.Binomial(dim, 3), -float64(power)/2)
	r.AtLeast("worst error below 1/2 − C^(−3)", below, bound, 1e-12*max(bound, math.Abs(below)))
}

// atMost compares two fractions after rounding them to floating point.
func atMost(r *props.Record, name string, value, bound *big.Rat) {
	limit := rational.Float(bound)
	r.AtMost(name, rational.Float(value), limit, 2*r.Unit()) // probabilities
}

// judgeTolerance compares the limit of τ with half of the difference of the two agreements, or with 1/16 if that is
// less.
func judgeTolerance(r *props.Record, in triples, limit *big.Rat) {
	half := new(big.Rat).Sub(in.queries[majorityLabel][1], in.queries[parityLabel][1])
	half.Mul(half, big.NewRat(1, 2))
	if sixteenth := big.NewRat(1, 16); sixteenth.Cmp(half) < 0 {
		half = sixteenth
	}
	rational.Exactly(r, "limit of τ", []*big.Rat{half}, []*big.Rat{limit})
}

// askTwice draws inputs at a user's parameters and measures the frequencies of agreement.
func askTwice(t *props.Trial, v statement.Values) (map[string]float64, error) {
	dim := v.Int("D")
	t.Need(dim <= 1001, "the dimension D=%d cannot be simulated: D is at most 1001 here", dim)
	const draws = 40000
	votes := symmetricVotes(dim)
	parity, majority, wrong := 0.0, 0.0, 0.0
	for range draws {
		three, all := 0, 0
		for j := range dim {
			bit := t.Rand.IntN(2)
			all += bit
			if j < 3 {
				three += bit
			}
		}
		count := func(hit bool, share *float64) {
			if hit {
				*share += 1. / draws
			}
		}
		count(labelOf(parityLabel, 3)(three) == votes["first"](all), &parity)
		count(labelOf(majorityLabel, 3)(three) == votes["first"](all), &majority)
		count(labelOf(parityLabel, 3)(three) != votes["third"](all), &wrong)
	}
	return map[string]float64{"parity": parity, "majority": majority, "error": wrong}, nil
}

// drawAgreements plots 1/τ of the learner, and the number of queries that the reading asks for, against D.
func drawAgreements(_ *props.Trial, v statement.Values) ([]props.Figure, error) {
	learner := props.Curve{Name: "1/τ of the learner", Style: props.Line}
	asked := props.Curve{Name: "C^(1/3)/2, predicted by the reading", Style: props.Dashed}
	for dim := 3; dim <= max(11, v.Int("D")+100); dim += 2 * max(1, v.Int("D")/100) {
		limit := rational.Float(theory.Triples{Dim: dim}.Tolerance())
		learner.Add(float64(dim), 1/limit)
		asked.Add(float64(dim), math.Cbrt(theory.Binomial(dim, 3))/2)
	}
	return []props.Figure{{ID: "tolerance", Title: "Two queries against the number that the reading asks for",
		Caption: "The learner asks two queries with 1/τ just above the solid line. Where it is below the dashed one, " +
			"it contradicts the reading.",
		X: props.Axis{Label: "D"}, Y: props.Axis{Label: "1/τ"}, Curves: []props.Curve{learner, asked}}}, nil
}
