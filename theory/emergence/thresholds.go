package emergence

import (
	"math/big"

	"github.com/thm-suite/thm/theory"
)

// Thresholds is the claim emergence/thresholds: the best accuracy of the sign of a polynomial in the count.
var Thresholds = theory.Statement{
	Slug:  "emergence/thresholds",
	Title: "Accuracy of thresholds in the count, while their hinge loss stays at λ",
	Plain: "For half-structured inputs, the best single threshold on the number of ones predicts a three-bit " +
		"parity with probability 13/16.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "Parity of the k bits in A, k odd, under D_A(λ): the bits on A uniform with probability λ, and otherwise " +
		"all equal. A predictor is a sign that depends on the count S = 0, …, k and changes at most r times, such as the " +
		"sign of a polynomial of degree r.",
	Params: []theory.Param{
		relevantBits(1, 61, "5"), uniformShare,
		{Name: "changes", Symbol: "r", Meaning: "largest number of changes of the sign",
			Domain:  theory.IntegerBetween(0, 61),
			Default: "1"},
	},
	Claim: "A sign that starts at y₀ at S = 0 and changes after the counts j₁ < … < j_r is right with probability " +
		"(1−λ)(right at 0 + right at k)/2 + λ(½ − y₀·2^(−k) Σᵢ(−1)^(i−1+jᵢ) binom(k−1, jᵢ)). With one change and λ ≤ 1/2 " +
		"the best accuracy is 1 − λ/2 + λ·max_{j even} binom(k−1, j)/2^k: for λ = 1/2 13/16, 27/32, 207/256, 419/512 at k " +
		"= 3, 5, 7, 9. With k changes it is 1. For k > 1 the sign of χ_A(z) − 2^k χ_A(a)·1{z = a on A}, a polynomial of " +
		"degree k − 1 in the single signs z, is wrong only at the pattern a, so it is right with probability 1 − λ/2^k if " +
		"a has bits of both kinds.",
	TeX: `\Pr[\hat y = y] = \frac{1-\lambda}{2} \left( 1_0 + 1_k \right) + \lambda \left( \frac12 - ` +
		`\frac{y_0}{2^k} \sum_{i=1}^{r} ` +
		`(-1)^{i-1+j_i} \binom{k-1}{j_i} \right)`,
	Assumptions: []theory.Assumption{
		{ID: "parity", Text: "the label is the parity of the bits on A"},
		{ID: "odd", Text: "k is odd"},
		{ID: "mixture", Text: "the bits on A are uniform or all equal"},
	},
	Source: paper.At("section 6 and figure 1: test accuracies of fixed features on structured data"),
	Deviations: "The source plots accuracies and proves bounds on hinge losses. This claim gives the accuracies with " +
		"which to compare the plots.",
	Proof: "Σ_{s≤j}(−1)^s binom(k, s) = (−1)^j binom(k−1, j), and the whole sum is 0: each change of the sign adds " +
		"twice such a partial sum to the correlation with the parity on the uniform part. The indicator of a is " +
		"2^(−k) Π_{j∈A}(1 + aⱼzⱼ), whose term of degree k is 2^(−k)χ_A(a)χ_A(z).",
	Tolerance: "Integers and fractions throughout: none.",
	Limits: "k ≤ 9. Best accuracies are over predictors that depend on the count alone. Polynomials of the same degree " +
		"in the single bits can be more accurate, as the last sentence of the claim shows: accuracy is not convex, so " +
		"averaging over permutations need not preserve it.",
	Readings: []theory.Reading{{
		ID: "hinge",
		Reading: "Where every fixed-feature predictor has loss at least λ = 1/2, none is right with probability " +
			"above 1/2.",
		Locus: "slides, no fixed-feature method can efficiently learn the task, read as a statement on accuracy",
		Correct: "the statement is about the hinge loss; accuracies of 84 % (one threshold, k = 5) to 97 % (degree k − 1 " +
			"in the count, k = 7) and 99.6 % (in the bits) are compatible with loss λ = 1/2",
		Counterexample: "k = 5, λ = 1/2: the sign of Σ_A zᵢ is right with probability 27/32",
	}},
	Predict: func(v theory.Values) []theory.Quantity {
		lambda := new(big.Rat).SetFloat64(v.Float("uniform"))
		return []theory.Quantity{
			{Name: "best", Symbol: "max Pr[ŷ = y]", Value: float(BestAccuracy(v.Int("k"), v.Int("changes"), lambda)),
				Meaning: "best accuracy of signs with at most r changes"},
			{Name: "majority", Symbol: "Pr[sign Σz = y]", Value: float(Accuracy(v.Int("k"), lambda, -1,
				[]int{(v.Int("k") - 1) / 2})),
				Meaning: "accuracy of the sign of Σ_A zᵢ"},
		}
	},
	Violated: func(v theory.Values) error { return relevantOf(v).Valid() },
}

// Accuracy returns the probability that a sign is right, if it is first = ±1 at count 0 and changes after the counts 0
// ≤ j₁ < j₂ < … < k. It is nil for even k, λ outside [0, 1] and other changes.
func Accuracy(k int, lambda *big.Rat, first int, changes []int) *big.Rat {
	if k < 1 || k%2 == 0 || lambda == nil || lambda.Sign() < 0 || lambda.Cmp(big.NewRat(1, 1)) > 0 || first*first != 1 {
		return nil
	}
	sum, previous := new(big.Int), -1
	for i, j := range changes {
		if j <= previous || j >= k {
			return nil
		}
		term := new(big.Int).Binomial(int64(k-1), int64(j))
		if (i+j)%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
		previous = j
	}
	right := int64(0) // in units of (1−λ)/2
	if first == -1 {
		right++
	}
	if (first == 1) == (len(changes)%2 == 0) {
		right++
	}
	uniform := new(big.Rat).SetFrac(sum, new(big.Int).Lsh(big.NewInt(1), uint(k)))
	if first == 1 {
		uniform.Neg(uniform)
	}
	uniform.Add(uniform, big.NewRat(1, 2))
	equal := new(big.Rat).Sub(big.NewRat(1, 1), lambda)
	equal.Mul(equal, big.NewRat(right, 2))
	return equal.Add(equal, uniform.Mul(uniform, lambda))
}

// BestAccuracy returns the largest [Accuracy] over both first signs and at most the given number of changes.
func BestAccuracy(k, changes int, lambda *big.Rat) *big.Rat {
	var best *big.Rat
	for _, first := range []int{-1, 1} {
		for n := range min(changes, k) + 1 {
			if a := Accuracy(k, lambda, first, bestChanges(k, n, first)); a != nil && (best == nil || a.Cmp(best) > 0) {
				best = a
			}
		}
	}
	return best
}

// OneThreshold returns 1 − λ/2 + λ·max_{j even} binom(k−1, j)/2^k, the best accuracy of a sign with one change. It is
// nil for even k, and unless 0 ≤ λ ≤ 1/2.
func OneThreshold(k int, lambda *big.Rat) *big.Rat {
	if k < 1 || k%2 == 0 || lambda == nil || lambda.Sign() < 0 || lambda.Cmp(big.NewRat(1, 2)) > 0 {
		return nil
	}
	largest := new(big.Int)
	for j := 0; j < k; j += 2 {
		if b := new(big.Int).Binomial(int64(k-1), int64(j)); b.Cmp(largest) > 0 {
			largest = b
		}
	}
	gain := new(big.Rat).SetFrac(largest, new(big.Int).Lsh(big.NewInt(1), uint(k)))
	gain.Sub(gain, big.NewRat(1, 2))
	return gain.Add(gain.Mul(gain, lambda), big.NewRat(1, 1))
}

// OnePatternWrong returns 1 − λ/2^k, the accuracy of a sign that is wrong at one pattern of A with bits of both kinds.
// It is nil for even k, for k = 1 and for λ outside [0, 1].
func OnePatternWrong(k int, lambda *big.Rat) *big.Rat {
	if k < 3 || k%2 == 0 || lambda == nil || lambda.Sign() < 0 || lambda.Cmp(big.NewRat(1, 1)) > 0 {
		return nil
	}
	wrong := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), uint(k)))
	return wrong.Sub(big.NewRat(1, 1), wrong.Mul(wrong, lambda))
}

// bestChanges returns n counts j₁ < j₂ < … < k for which −first·Σ(−1)^(i−1+jᵢ) binom(k−1, jᵢ) is largest, by dynamic
// programming over the counts.
func bestChanges(k, n, first int) []int {
	type partial struct {
		sum *big.Int
		at  []int
	}
	best := make([]partial, n+1) // indexed by the number of changes among the counts seen
	best[0] = partial{sum: new(big.Int)}
	for j := range k {
		term := new(big.Int).Binomial(int64(k-1), int64(j))
		for i := n; i > 0; i-- {
			if best[i-1].sum == nil {
				continue
			}
			with := new(big.Int).Set(best[i-1].sum)
			if ((i-1+j)%2 == 0) == (first == -1) {
				with.Add(with, term)
			} else {
				with.Sub(with, term)
			}
			if best[i].sum == nil || with.Cmp(best[i].sum) > 0 {
				best[i] = partial{with, append(append([]int{}, best[i-1].at...), j)}
			}
		}
	}
	return best[n].at
}
