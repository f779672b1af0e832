package spectra

import "math"

// A pairing of 2k points says which point belongs to which: the partner of i is p[i].
type pairing []int

// pairings lists the (2k−1)‼ pairings of 2k points.
func pairings(k int) []pairing {
	var out []pairing
	p := make(pairing, 2*k)
	for i := range p {
		p[i] = -1
	}
	var extend func(from int)
	extend = func(from int) {
		for from < len(p) && p[from] >= 0 {
			from++
		}
		if from == len(p) {
			out = append(out, append(pairing{}, p...))
			return
		}
		for j := from + 1; j < len(p); j++ {
			if p[j] < 0 {
				p[from], p[j] = j, from
				extend(from + 1)
				p[from], p[j] = -1, -1
			}
		}
	}
	extend(0)
	return out
}

// loops counts the closed paths that follow the pairs of p and of q in turn.
func loops(p, q pairing) int {
	seen, count := make([]bool, len(p)), 0
	for i := range p {
		if seen[i] {
			continue
		}
		count++
		for j := i; !seen[j]; j = q[p[j]] {
			seen[j], seen[p[j]] = true, true
		}
	}
	return count
}

// aroundTraces numbers the 2k factors of Π tr (YᵀY)ᵏ: inside pairs the two of each YᵀY, whose rows they share, and
// around pairs each with its neighbour of the same trace on the other side, whose columns they share.
func aroundTraces(powers []int) (inside, around pairing) {
	for _, k := range powers {
		first := len(inside)
		for i := range 2 * k {
			inside = append(inside, first+(i^1))
			around = append(around, first+(i+2*k+2*(i%2)-1)%(2*k))
		}
	}
	return inside, around
}

// expectedTraces returns E Π tr (YᵀY)ᵏ over the given powers, for Y = X_L⋯X_1 of independent standard normal entries
// and X_l of widths[l]×widths[l−1], divided by that power of each width but the first: as the product of the means, and
// what is more, which for two traces is their covariance. By Wick's formula it is a sum over a pairing for each X_l, in
// which every loop between the pairings of neighbours contributes the width that they share; where no pairing joins two
// traces, it is a term of the product. All terms are positive, and nothing cancels.
func expectedTraces(divisor int, widths []int, powers ...int) (product, more float64) {
	var traces []int // of the factors
	for trace, k := range powers {
		for range 2 * k {
			traces = append(traces, trace)
		}
	}
	all := pairings(len(traces) / 2)
	inside, around := aroundTraces(powers)
	apart := make([]bool, len(all)) // pairings that join no traces
	// products[i] and rest[i] are over the pairings of the factors so far, of which the last one's is all[i].
	products, rest := make([]float64, len(all)), make([]float64, len(all))
	for i, p := range all {
		apart[i] = agrees(p, traces) == 1
		products[i] = math.Pow(float64(widths[0]), float64(loops(around, p)))
		if !apart[i] {
			products[i], rest[i] = 0, products[i]
		}
	}
	for _, width := range widths[1 : len(widths)-1] {
		nextProducts, nextRest := make([]float64, len(all)), make([]float64, len(all))
		for i, p := range all {
			for j, q := range all {
				weight := math.Pow(float64(width), float64(loops(p, q)-divisor))
				nextRest[j] += rest[i] * weight
				if apart[j] {
					nextProducts[j] += products[i] * weight
				} else {
					nextRest[j] += products[i] * weight
				}
			}
		}
		products, rest = nextProducts, nextRest
	}
	for i, p := range all {
		weight := math.Pow(float64(widths[len(widths)-1]), float64(loops(p, inside)-divisor))
		product, more = product+products[i]*weight, more+rest[i]*weight
	}
	return product, more
}
