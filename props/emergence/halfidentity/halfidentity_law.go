package halfidentity

import (
	"math/big"
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
)

// instance is a law of hidden bits and a network on them, for a reader and in full.
type instance struct {
	Dim     int
	Support []int
	Accept  []bool
	Pattern []string // weights of the states
	Weights []string // of the last neuron drawn
	Bias    string
	Outputs []string

	law            data.Hidden
	net            truncated.Exact
	beyond         bool   // the weights are such that pre-activations may be 0, or 1 and larger
	kind           string // of the network: plain, bias, saturated
	neuron, weight int    // which derivative is compared with a difference quotient
}

func newInstance(h data.Hidden, net truncated.Exact) instance {
	last := len(net.V) - 1
	in := instance{Dim: h.Dim, Support: h.Support, Accept: h.Accept, Weights: rational.Texts(net.V[last]),
		Bias:    net.B[last].RatString(),
		Outputs: rational.Texts(net.A), law: h, net: net}
	for _, w := range h.Weight {
		in.Pattern = append(in.Pattern, big.NewInt(w).String())
	}
	return in
}

// drawInstance draws a law of at most so many bits with the symmetries of the claim, but for what is done to it, and a
// network; the claim itself is also about weights that tie or saturate.
func drawInstance(t *props.T, done string, limit int) instance {
	h := drawLaw(t, done, limit)
	weights := done
	switch done {
	case "":
		weights = rapid.SampledFrom([]string{"", "", "", "tied", "saturated"}).Draw(t.T, "weights")
	case "beyond":
		weights = "saturated"
	}
	in := newInstance(h, drawNet(t, weights, h))
	in.beyond = weights != done
	return in
}

func drawLaw(t *props.T, done string, limit int) data.Hidden {
	k := 2*rapid.IntRange(0, 2).Draw(t.T, "(k−1)/2") + 1
	if done == "even count" {
		k = max(2, k-1)
	}
	background := 0
	if done == "biased" || done == "copied" {
		background = 1
	}
	dim := k + rapid.IntRange(background, limit-k).Draw(t.T, "D−k")
	r := t.Stream("law")
	accept, odds := oddLabel(r, k), data.Fair
	switch done {
	case "even count", "unstructured":
		accept = data.Parity(k)
	case "even label":
		s := r.IntN(k + 1)
		accept[s], accept[k-s] = false, false
	case "biased":
		odds = data.Odds{One: 1, Zero: 2}
	}
	pattern := symmetricPattern(r, k, done != "unequal" && done != "no symmetry",
		done != "skewed" && done != "no symmetry")
	if done == "unstructured" {
		pattern = data.Mixture(k, 1, 0)
	}
	h := data.NewHidden(dim, rational.Subset(r, dim, k), accept, pattern, odds)
	if done == "copied" {
		outside := 0
		for slices.Contains(h.Support, outside) {
			outside++
		}
		for s := range h.Weight {
			if s>>outside&1 == s>>h.Support[0]&1 {
				h.Weight[s] *= 3
			}
		}
	}
	return h
}

// oddLabel draws a label of the counts 0, …, k that complementing the bits flips.
func oddLabel(r *rand.Rand, k int) []bool {
	accept := make([]bool, k+1)
	for s := 0; 2*s < k; s++ {
		accept[s] = r.IntN(2) == 1
		accept[k-s] = !accept[s]
	}
	return accept
}

// symmetricPattern draws integer weights of the 2^k patterns of k bits, some of them zero, summed over the rotations of
// the bits, which makes all bits alike, and over complement.
func symmetricPattern(r *rand.Rand, k int, rotations, complement bool) []int64 {
	raw := make([]int64, 1<<k)
	for p := range raw {
		raw[p] = r.Int64N(9) * r.Int64N(9)
	}
	raw[0]++
	rotated, sides := 1, []int{0}
	if rotations {
		rotated = k
	}
	if complement {
		sides = append(sides, 1<<k-1)
	}
	pattern := make([]int64, 1<<k)
	for p := range pattern {
		for shift := range rotated {
			image := (p<<shift | p>>(k-shift)) & (1<<k - 1)
			for _, flip := range sides {
				pattern[p] += raw[image^flip]
			}
		}
	}
	return pattern
}

// drawNet draws a network on the hidden bits with one or two neurons and their mirrors.
//
// Weights are integers q over a unit. With fair bits 2·unit·z is a sum of ±qⱼ, and with a background of probability
// 1/3 six units of z are three times that sum over A plus an even number: z is never 0 when the weights on A have an
// odd sum and the others an even one. Its largest size is Σ|qⱼ|/(2·unit) < 1 with fair bits and below Σ|qⱼ|/unit with
// any, so where bits are not fair the unit exceeds Σ|qⱼ|: a control must not saturate unless it is about that.
func drawNet(t *props.T, done string, h data.Hidden) truncated.Exact {
	neurons := rapid.IntRange(1, 2).Draw(t.T, "neurons")
	tightness := rapid.Int64Range(0, 2).Draw(t.T, "largest pre-activation")
	r := t.Stream("network")
	var net truncated.Exact
	for range neurons {
		q, size := drawWeights(r, done, h)
		unit := []int64{size/2 + 1, size + 1, 4*size + 1}[tightness] // largest pre-activation: just below 1, 1/2, 1/8
		bias := int64(0)
		switch done {
		case "biased", "skewed":
			unit = max(unit, size+1)
		case "bias":
			unit, bias = size+1, size/4+1
		case "saturated":
			unit = size/4 + 1
		}
		weights := make([]*big.Rat, h.Dim)
		for j := range weights {
			weights[j] = big.NewRat(q[j], unit)
		}
		net.V, net.B = append(net.V, weights), append(net.B, big.NewRat(bias, unit))
		net.A = append(net.A, big.NewRat(1+r.Int64N(20), 7))
	}
	if done == "unpaired" {
		for i := range net.A {
			net.A[i] = big.NewRat(8+r.Int64N(9), 1)
		}
		return net
	}
	return paired(net)
}

// paired adds a mirror to each neuron.
func paired(net truncated.Exact) truncated.Exact {
	for i := range len(net.A) {
		net.V, net.B, net.A = append(net.V, net.V[i]), append(net.B, net.B[i]),
			append(net.A, new(big.Rat).Neg(net.A[i]))
	}
	return net
}

// drawWeights draws integer weights and returns Σ|qⱼ| with them. Those that may tie are ±1 on an even number of bits.
func drawWeights(r *rand.Rand, done string, h data.Hidden) (q []int64, size int64) {
	q = make([]int64, h.Dim)
	var sums [2]int64 // outside A, on A
	last := [2]int{-1, -1}
	for j := range q {
		q[j] = r.Int64N(41) - 20
		if done == "tied" {
			q[j] = 1 - 2*r.Int64N(2)
		}
		part := 0
		if slices.Contains(h.Support, j) {
			part = 1
		}
		sums[part] += q[j]
		last[part] = j
	}
	switch {
	case done == "tied" && h.Dim%2 == 1:
		q[0] = 0
	case done != "tied":
		if sums[1]%2 == 0 {
			q[last[1]]++
		}
		if sums[0]%2 != 0 {
			q[last[0]]++
		}
	}
	for _, w := range q {
		size += max(w, -w)
	}
	return q, size
}
