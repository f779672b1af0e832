package diff

import (
	"cmp"
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/list"
)

// Block is one round of one benchmark: logarithms of positive measurements.
type Block struct {
	Old, Again, New float64
}

// Sides are the measurements of the old code, both appearances, and of the new.
func Sides(blocks []Block) (old, new []float64) {
	for _, b := range blocks {
		old, new = append(old, math.Exp(b.Old), math.Exp(b.Again)), append(new, math.Exp(b.New))
	}
	return old, new
}

// Share is the probability that the interval of one row may miss at one look (from 1), when any interval of the table
// may miss, at any look, with probability alpha.
func Share(alpha float64, rows, look int) float64 {
	return alpha / float64(look) / float64(look+1) / float64(max(rows, 1))
}

// Minimum is the number of blocks from which an interval that may miss with probability alpha is finite: 2·3⁻ⁿ ≤ alpha.
func Minimum(alpha float64) int {
	return max(1, int(math.Ceil(math.Log(2/alpha)/math.Log(3))))
}

// finite reports whether all logarithms are numbers.
func finite(blocks []Block) bool {
	for _, b := range blocks {
		for _, x := range [...]float64{b.Old, b.Again, b.New} {
			if !(math.Abs(x) <= math.MaxFloat64) {
				return false
			}
		}
	}
	return true
}

// Floor is the noise floor: the relative difference between the two appearances of the old code, as the middle of all
// means of two of its logarithms (Hodges and Lehmann's estimate).
func Floor(blocks []Block) float64 {
	logs := list.Map(blocks, func(b Block) float64 { return b.Again - b.Old })
	return math.Expm1(math.Abs(hodgesLehmann(logs)))
}

// tails returns the probabilities, if the new code takes theta more than the old in logarithms, of a rank sum at most
// and at least as large as the one observed.
func tails(blocks []Block, theta float64) (below, above float64) {
	return rankTails(alignedRanks(blocks, theta))
}

// rankTails are the tails of the rank sum of the third of each block, given the ranks. Of up to 33 blocks it counts all
// assignments exactly.
func rankTails(ranks [][3]int) (below, above float64) {
	unit := 2 // of the sums: where nothing is tied all ranks are even
	for _, r := range ranks {
		if (r[0]|r[1]|r[2])&1 == 1 {
			unit = 1
		}
	}
	observed, span := 0, 0 // above the least sum that is possible
	for _, r := range ranks {
		lowest := min(r[0], r[1], r[2])
		observed += (r[2] - lowest) / unit
		span += (max(r[0], r[1], r[2]) - lowest) / unit
	}
	counts, all, top := make([]float64, span+1), 1.0, 0 // of assignments, by their sum, up to top
	counts[0] = 1
	for i, r := range ranks {
		lowest, highest := min(r[0], r[1], r[2]), max(r[0], r[1], r[2])
		far := (highest - lowest) / unit
		near := (r[0]+r[1]+r[2]-highest-lowest)/unit - lowest/unit
		top += far
		all *= 3
		for s := top; s >= far; s-- { // downwards, so that what is added is still of the blocks before
			counts[s] += counts[s-near] + counts[s-far]
		}
		for s := far - 1; s >= near; s-- {
			counts[s] += counts[s-near]
		}
		if i%32 == 31 { // 3³² is less than 2⁵¹; this keeps the counts of many blocks in range
			all *= 0x1p-50
			for s := range counts[:top+1] {
				counts[s] *= 0x1p-50
			}
		}
	}
	for s, n := range counts {
		if s <= observed {
			below += n
		}
		if s >= observed {
			above += n
		}
	}
	return below / all, above / all
}

// alignedRanks are the ranks, among all, of what remains of each logarithm when theta is taken from the new code and
// the level of its block from all: two times each rank, so that ties have whole numbers. The level is the mean of the
// two smaller numbers of a block, since what disturbs a benchmark makes it slower: a burst in one of three shifts the
// mean of all and hides the other two.
func alignedRanks(blocks []Block, theta float64) [][3]int {
	type entry struct {
		x          float64
		block, arm int
	}
	all := make([]entry, 0, 3*len(blocks))
	for i, b := range blocks {
		x := [3]float64{b.Old, b.Again, b.New - theta}
		// The level must not depend on which arm is which, not even by rounding.
		level := (min(x[0], x[1], x[2]) + max(min(x[0], x[1]), min(max(x[0], x[1]), x[2]))) / 2
		for arm, v := range x {
			all = append(all, entry{v - level, i, arm})
		}
	}
	slices.SortFunc(all, func(a, b entry) int {
		switch { // faster than cmp.Compare, which looks for NaN first
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return cmp.Compare(a.x, b.x)
	})
	ranks := make([][3]int, len(blocks))
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].x == all[i].x {
			j++
		}
		for _, e := range all[i:j] {
			ranks[e.block][e.arm] = i + j + 1 // twice the mean of the ranks i+1, ..., j
		}
		i = j
	}
	return ranks
}
