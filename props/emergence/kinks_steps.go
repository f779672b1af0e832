package emergence

import (
	"math"
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// smallestRate is η₁ in the exact steps.
const smallestRate = 1e-9

// drawExactSteps draws k and m, and takes two exact steps.
func drawExactSteps(t *props.T) bends {
	return takeExactSteps(t, 3+2*rapid.IntRange(0, 1).Draw(t.T, "(k−3)/2"), rapid.IntRange(1, 9).Draw(t.T, "m"), 1)
}

// takeExactSteps draws a law and a network at the source's initial scales, and takes two steps over all inputs, the
// second of the given size. It predicts the kinks from the initial weights.
func takeExactSteps(t *props.T, k, m int, second float64) bends {
	dim := k + rapid.IntRange(0, 2).Draw(t.T, "D−k")
	uniform := rapid.IntRange(1, 7).Draw(t.T, "8λ")
	r := t.Stream("network")
	law := data.NewHidden(dim, props.Indices(k), data.Parity(k), data.Mixture(k, int64(uniform), int64(8-uniform)),
		data.Fair)
	in := bends{Count: k, near: 1}
	for _, share := range law.CountLaw() {
		p, _ := share.Float64()
		in.P = append(in.P, p)
	}
	size, gamma, variance := float64(k), float64(8-uniform)/16, float64(dim)/4
	net := truncated.Start(r, m, dim, size, func(z float64) float64 { return z * variance / (gamma * size * size) })
	in.announce(net, gamma, variance, float64(dim))
	s, step := law.Inputs(dense.Identity(dim)), truncated.Step{Noise: truncated.Smooth(math.Pow(size, -1.5)), KeepA: 1}
	for _, step.Rate = range []float64{smallestRate, second} {
		net, _ = net.Descend(s, step)
	}
	affine := in.spans
	in.solve(featuresOf(net, k, math.Sqrt(variance)), r)
	in.spans = affine || startsWell(in.Kinks, k)
	return in
}

// announce predicts the kinks after both steps from the initial weights, their distance from the nearest count, and a
// bound on their error. It makes the judge decline a network in which a pre-activation exceeds 1 at a count.
//
// In the first step b moves by at most η₁|a|, a by η₁, and |Σφ_lq_l| ≤ Dη₁|a|/σ̃² after it, as |y| ≤ 1 and |φ| ≤ 1/σ̃.
// With |ψ′| ≤ 1/(s√(2π)) the slope after the second step has the relative error η₁/|a| + |ψ′|(Dη₁|a|/σ̃² + η₁|a|)/(ψγ),
// and its bias moves by |aψ′|Dη₁|a|/σ̃². The factor 2 covers products of these.
func (in *bends) announce(net truncated.Net, gamma, variance, dim float64) {
	size := float64(in.Count)
	noise := math.Pow(size, -1.5)
	steep := 1 / (noise * math.Sqrt(2*math.Pi))
	for i, b := range net.B[:len(net.B)/2] {
		a, gate := math.Abs(net.A[i]), truncated.Smooth(noise).Slope(b)
		slope := a * gate * gamma / variance
		t := math.Abs(b) / slope
		in.Kinks = append(in.Kinks, size/2-t, size/2+t)
		in.spans = in.spans || b > 0 && t > size/2
		if b+slope*size/2 > 1 {
			in.near = -1 // the claim excludes it
		}
		if t > size {
			continue
		}
		input := dim * smallestRate * a / variance
		shift := smallestRate*a + a*steep*input
		part := smallestRate/a + steep*(input+smallestRate*a)/(gate*gamma)
		in.near = min(in.near, math.Abs(t+0.5-math.Round(t+0.5))) // k/2 is between two counts
		in.off = max(in.off, 2*(shift/slope+t*part))
	}
}

// startsWell reports whether every gap from k/2 upwards has exactly one pair of kinks, or the first gap that does not
// has more than one. It counts a pair by its kink above k/2.
func startsWell(kinks []float64, k int) bool {
	pairs := make([]int, k/2+1)
	for _, t := range kinks {
		if t -= float64(k) / 2; t > 0 && t < float64(k)/2 {
			pairs[int(t+0.5)]++
		}
	}
	for _, n := range pairs {
		if n != 1 {
			return n > 1
		}
	}
	return true
}

// featuresOf returns the neurons as functions of the count: the mean of their weights on A, and their biases.
func featuresOf(net truncated.Net, k int, deviation float64) []feature {
	return list.Fill(len(net.A), func(i int) feature {
		slope := 0.0
		for _, q := range net.W.RawRowView(i)[:k] {
			slope += q / (float64(k) * deviation)
		}
		return feature{slope, net.B[i] - slope*float64(k)/2}
	})
}

// startedCell holds k, the number of pairs of neurons, and how many networks are drawn.
type startedCell struct{ Count, Pairs, Networks int }

// fewPairs selects the cells in which a wrong claim shows at the lowest cost.
func fewPairs(c startedCell) bool { return c.Count <= 5 }

// startedCounts counts the networks with too few kinks, and those with enough kinks that may lack 1 and S.
type startedCounts struct{ Few, Unsure int }

// startedClaim returns the probability of each.
type startedClaim func(theory.Started) (few, unsure float64)

const shareFew, shareUnsure = "share with too few kinks", "share with enough, where 1 and S may be missing"

// countStarted draws networks after a second step of the given size, with mirrors or without.
func countStarted(r *rand.Rand, c startedCell, rate float64, mirrors bool) startedCounts {
	var out startedCounts
	centre := float64(c.Count) / 2
	kinks := make([]float64, 0, 2*c.Pairs)
	for range c.Networks {
		slopes, biases := afterSecondStep(r, c.Count, c.Pairs, rate)
		affine := false
		kinks = kinks[:0]
		for i := 0; i < len(slopes); i += 2 { // each neuron is followed by its mirror
			t := biases[i] / slopes[i]
			affine = affine || biases[i] > 0 && math.Abs(t) > centre
			kinks = append(kinks, centre-t)
			if mirrors {
				kinks = append(kinks, centre+t)
			}
		}
		slices.Sort(kinks)
		switch {
		case !matched(kinks, c.Count):
			out.Few++
		case !affine && !startsWell(kinks, c.Count):
			out.Unsure++
		}
	}
	return out
}

// matched reports whether each interval (s−1, s+1) with 0 < s < k can be given a kink of its own. Taking the smallest
// kink that is left decides it.
func matched(ascending []float64, k int) bool {
	next := 0
	for s := 1.0; s < float64(k); s++ {
		for next < len(ascending) && ascending[next] <= s-1 {
			next++
		}
		if next == len(ascending) || ascending[next] >= s+1 {
			return false
		}
		next++
	}
	return true
}

func judgeStarted(r *props.Record, c startedCell, m startedCounts, claim startedClaim) {
	few, unsure := claim(theory.Started{Count: c.Count, Pairs: c.Pairs})
	compare := func(name string, n int, claimed float64) {
		margin := stat.ProportionMargin(claimed, c.Networks, stat.CriterionAlpha, stat.CriterionUndecided)
		r.EqualsAbsolutely(name, stat.Proportion(n, c.Networks, stat.CriterionAlpha), claimed, margin)
	}
	compare(shareFew, m.Few, few)
	compare(shareUnsure, m.Unsure, unsure)
}

// fitStarted fits second layers to networks at a user's parameters.
func fitStarted(t *props.Trial, v statement.Values) (map[string]float64, error) {
	k, m := v.Int("k"), v.Int("m")
	t.Need(k <= 9 && m <= 60, "k=%d, m=%d cannot be simulated: k is at most 9 and m at most 60", k, m)
	const networks = 20
	failed := 0.0
	for range networks {
		in := bends{Count: k}
		for s, ways := 0, 1.0; s <= k; s++ {
			in.P = append(in.P, math.Ldexp(ways*v.Float("uniform"), -k))
			ways *= float64(k-s) / float64(s+1)
		}
		in.P[0] += (1 - v.Float("uniform")) / 2
		in.P[k] += (1 - v.Float("uniform")) / 2
		slopes, biases := afterSecondStep(t.Rand, k, m, 1)
		features := list.Fill(len(slopes), func(i int) feature {
			return feature{slopes[i], biases[i] - slopes[i]*float64(k)/2}
		})
		if in.smallest(features, odd) > 0 {
			failed++
		}
	}
	return map[string]float64{"lower": failed / networks, "upper": failed / networks}, nil
}
