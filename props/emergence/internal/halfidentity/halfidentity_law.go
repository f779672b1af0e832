package halfidentity

import (
	"math/big"
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
)

// instance holds a law of hidden bits and a network on them, in readable form and in full.
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
	computed       *big.Rat
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

// drawInstance draws a law of at most eight bits with the symmetries of the claim and a network; the claim is also
// about weights that tie or saturate.
func drawInstance(t *props.T) instance {
	h := symmetric(8).draw(t)
	kind := rapid.SampledFrom([]string{"plain", "plain", "plain", "tied", "saturated"}).Draw(t.T, "weights")
	in := newInstance(h, paired(drawNet(t, kind, h)))
	in.beyond = kind != "plain"
	return in
}

// laws draws laws with at most limit bits, and at least background bits outside A.
type laws struct {
	limit, background int
	even              bool // k is even
	accept            func(r *rand.Rand, k int) []bool
	pattern           func(r *rand.Rand, k int) []int64
	odds              data.Odds
}

// symmetric returns the laws of the claim.
func symmetric(limit int) laws {
	return laws{limit: limit, accept: oddLabel, odds: data.Fair,
		pattern: func(r *rand.Rand, k int) []int64 { return summedPattern(r, k, k, 0, 1<<k-1) }}
}

// rotated draws a law of the patterns that changes under complement.
func rotated(r *rand.Rand, k int) []int64 { return summedPattern(r, k, k, 0) }

// complemented draws a law of the patterns under which the bits are not alike.
func complemented(r *rand.Rand, k int) []int64 { return summedPattern(r, k, 1, 0, 1<<k-1) }

func (l laws) with(pattern func(r *rand.Rand, k int) []int64) laws {
	l.pattern = pattern
	return l
}

func (l laws) labelled(accept func(r *rand.Rand, k int) []bool) laws {
	l.accept = accept
	return l
}

// biased makes bits outside A one with probability 1/3.
func (l laws) biased() laws {
	l.background, l.odds = 1, data.Odds{One: 1, Zero: 2}
	return l
}

func (l laws) evenParity() laws {
	l.even = true
	return l.labelled(func(_ *rand.Rand, k int) []bool { return data.Parity(k) })
}

func (l laws) draw(t *props.T) data.Hidden {
	k := 2*rapid.IntRange(0, 2).Draw(t.T, "(k−1)/2") + 1
	if l.even {
		k = max(2, k-1)
	}
	dim := k + rapid.IntRange(l.background, l.limit-k).Draw(t.T, "D−k")
	r := t.Stream("law")
	accept := l.accept(r, k)
	pattern := l.pattern(r, k)
	return data.NewHidden(dim, rational.Subset(r, dim, k), accept, pattern, l.odds)
}

// on draws a law and a paired network of a kind.
func (l laws) on(kind string) func(*props.T) instance {
	return func(t *props.T) instance {
		h := l.draw(t)
		return newInstance(h, paired(drawNet(t, kind, h)))
	}
}

// tie makes the first bit outside A tend to equal the first relevant one.
func tie(h data.Hidden) {
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

// oddLabel draws a label of the counts 0, …, k that flips under complement.
func oddLabel(r *rand.Rand, k int) []bool {
	accept := make([]bool, k+1)
	for s := 0; 2*s < k; s++ {
		accept[s] = r.IntN(2) == 1
		accept[k-s] = !accept[s]
	}
	return accept
}

// summedPattern draws integer weights of the 2^k patterns of k bits, some of them zero, and sums them over rotations of
// the bits, which makes all bits alike if rotations is k, and over flips of the bits in each mask.
func summedPattern(r *rand.Rand, k, rotations int, flips ...int) []int64 {
	raw := list.Fill(1<<k, func(int) int64 { return r.Int64N(9) * r.Int64N(9) })
	raw[0]++
	pattern := make([]int64, 1<<k)
	for p := range pattern {
		for shift := range rotations {
			image := (p<<shift | p>>(k-shift)) & (1<<k - 1)
			for _, flip := range flips {
				pattern[p] += raw[image^flip]
			}
		}
	}
	return pattern
}

// drawNet draws one or two neurons on the hidden bits, of a kind: plain; tied or saturated, with pre-activations that
// may be 0, or 1 and larger; with a bias; or narrow, below 1 on any law.
//
// Weights are integers q over a unit. With fair bits 2·unit·z is a sum of ±qⱼ, and with a background of probability
// 1/3 six units of z are three times that sum over A plus an even number: z is never 0 when the weights on A have an
// odd sum and the others an even one. The largest |z| is Σ|qⱼ|/(2·unit) < 1 with fair bits and below Σ|qⱼ|/unit with
// any bits. So if bits are not fair, the unit exceeds Σ|qⱼ|: a control must not saturate unless saturation is its
// point.
func drawNet(t *props.T, kind string, h data.Hidden) truncated.Exact {
	neurons := rapid.IntRange(1, 2).Draw(t.T, "neurons")
	tightness := rapid.Int64Range(0, 2).Draw(t.T, "largest pre-activation")
	r := t.Stream("network")
	var net truncated.Exact
	for range neurons {
		q, size := drawWeights(r, kind == "tied", h)
		unit := []int64{size/2 + 1, size + 1, 4*size + 1}[tightness] // largest pre-activation: just below 1, 1/2, 1/8
		bias := int64(0)
		switch kind {
		case "narrow":
			unit = max(unit, size+1)
		case "bias":
			unit, bias = size+1, size/4+1
		case "saturated":
			unit = size/4 + 1
		}
		weights := list.Fill(h.Dim, func(j int) *big.Rat { return big.NewRat(q[j], unit) })
		net.V, net.B = append(net.V, weights), append(net.B, big.NewRat(bias, unit))
		net.A = append(net.A, big.NewRat(1+r.Int64N(20), 7))
	}
	return net
}

// paired adds a mirror to each neuron.
func paired(net truncated.Exact) truncated.Exact {
	for i := range len(net.A) {
		net.V, net.B, net.A = append(net.V, net.V[i]), append(net.B, net.B[i]),
			append(net.A, new(big.Rat).Neg(net.A[i]))
	}
	return net
}

// drawWeights draws integer weights, and returns them with Σ|qⱼ|. Tied weights are ±1 on an even number of bits.
func drawWeights(r *rand.Rand, tied bool, h data.Hidden) (q []int64, size int64) {
	q = make([]int64, h.Dim)
	var sums [2]int64 // outside A, on A
	last := [2]int{-1, -1}
	for j := range q {
		q[j] = r.Int64N(41) - 20
		if tied {
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
	case tied && h.Dim%2 == 1:
		q[0] = 0
	case !tied:
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
