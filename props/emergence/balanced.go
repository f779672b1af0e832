package emergence

import (
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	"github.com/thm-suite/thm/props/gen"
)

// balancedLaws draws laws of the family with balanced labels, at most eight bits, and at least the given numbers of
// relevant and background bits. A symmetric law has odd k, a label that flips under complement, and equally likely
// counts s and k − s.
type balancedLaws struct {
	symmetric            bool
	relevant, background int
}

func (l balancedLaws) draw(t *props.T, r *rand.Rand) data.Hidden {
	k := gen.Dim(t.T, "k", 5)
	if l.symmetric {
		k = 2*(k/2) + 1
	}
	k = max(k, l.relevant)
	dim := k + rapid.IntRange(l.background, 8-k).Draw(t.T, "D−k")
	odds := rapid.SampledFrom([]data.Odds{data.Fair, {One: 1, Zero: 2}, {One: 1, Zero: 5}}).Draw(t.T, "odds")
	accept := make([]bool, k+1)
	for count := 1; count <= k; count++ {
		accept[count] = r.IntN(2) == 1
	}
	accept[1+r.IntN(k)] = true
	weights := countWeights(r, accept, true)
	if l.symmetric {
		for s := 0; 2*s < k; s++ {
			accept[k-s] = s == 0 || r.IntN(2) == 1
			accept[s] = !accept[k-s]
			weights[s] = 1 + r.Int64N(5)
			weights[k-s] = weights[s]
		}
		weights[0], weights[k] = weights[0]+int64(k), weights[k]+int64(k)
	}
	pattern := list.Fill(1<<k, func(p int) int64 { return weights[ones(p)] })
	return data.NewHidden(dim, rational.Subset(r, dim, k), accept, pattern, odds)
}

// unbalance makes accepted counts twice as likely.
func unbalance(h data.Hidden) {
	for s := range h.Weight {
		if h.Label(s) == 1 {
			h.Weight[s] *= 2
		}
	}
}

// gatherOnes moves the weight of the patterns with one relevant bit to the first of them.
func gatherOnes(h data.Hidden) {
	first := 1 << h.Support[0]
	for s := range h.Weight {
		if h.Count(s) != 1 || s&first != 0 {
			continue
		}
		to := s | first
		for _, j := range h.Support[1:] {
			to &^= 1 << j
		}
		h.Weight[to] += h.Weight[s]
		h.Weight[s] = 0
	}
}

// firstOutside returns the first bit outside A.
func firstOutside(h data.Hidden) int {
	outside := 0
	for slices.Contains(h.Support, outside) {
		outside++
	}
	return outside
}

// tieBackground triples the odds that the first bit outside A equals the first relevant one. The law of the bits on A
// stays the same.
func tieBackground(h data.Hidden) {
	outside := firstOutside(h)
	var odds [2]int64 // of a zero and of a one
	for s, w := range h.Weight {
		odds[s>>outside&1] += w
	}
	divisor, rest := odds[0], odds[1]
	for rest != 0 {
		divisor, rest = rest, divisor%rest
	}
	zero, one := odds[0]/divisor, odds[1]/divisor
	for s := range h.Weight {
		relevant := s >> h.Support[0] & 1
		if s>>outside&1 == relevant {
			h.Weight[s] *= 3
		}
		if relevant == 1 {
			h.Weight[s] *= one + 3*zero
		} else {
			h.Weight[s] *= 3*one + zero
		}
	}
}
