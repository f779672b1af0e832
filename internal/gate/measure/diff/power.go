package diff

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/thm-suite/thm/internal/number"
)

// simulate makes n rounds from those of a pilot.
func simulate(pilot []Block, n int, factor, inflate float64, rng *rand.Rand) []Block {
	simulated := make([]Block, n)
	for i := range simulated {
		p := pilot[rng.IntN(len(pilot))]
		x := [3]float64{0, inflate * (p.Again - p.Old), inflate * (p.New - p.Old)}
		rng.Shuffle(3, func(a, b int) { x[a], x[b] = x[b], x[a] })
		simulated[i] = Block{x[0], x[1], x[2] + math.Log(factor)}
	}
	return simulated
}

// worse is [Judge] at less cost: one test decides whether the interval lies above the boundary, or where more is better
// below it.
func worse(blocks []Block, alpha, margin float64, better int) bool {
	boundary := math.Log1p(math.Max(margin, Floor(blocks)))
	if better > 0 {
		below, _ := quickTails(blocks, -boundary)
		return below <= alpha/2
	}
	_, above := quickTails(blocks, boundary)
	return above <= alpha/2
}

// reaches is worse where [compare.Spec] is Reaching: whether the interval lies beyond the floor and reaches beyond the
// margin.
func reaches(blocks []Block, alpha, margin float64, better int) bool {
	floor, boundary := math.Log1p(Floor(blocks)), math.Log1p(margin)
	if better > 0 {
		below, _ := quickTails(blocks, -floor)
		_, above := quickTails(blocks, -boundary)
		return below <= alpha/2 && above > alpha/2
	}
	_, above := quickTails(blocks, floor)
	below, _ := quickTails(blocks, boundary)
	return above <= alpha/2 && below > alpha/2
}

// same is [Judge] at less cost too: whether the interval lies within the margin, and the floor does.
func same(blocks []Block, alpha, margin float64) bool {
	boundary := math.Log1p(margin)
	_, above := quickTails(blocks, -boundary)
	below, _ := quickTails(blocks, boundary)
	return above <= alpha/2 && below <= alpha/2 && Floor(blocks) <= margin
}

// manyBlocks is the number of blocks from which the sum of ranks is nearly normal, and its exact distribution takes
// long.
const manyBlocks = 30

// quickTails are [tails], for simulations: of many blocks by the normal distribution. Ranks are bounded, so that the
// tails of their sum are shorter than normal ones, and the power is not overstated.
func quickTails(blocks []Block, theta float64) (below, above float64) {
	if len(blocks) <= manyBlocks {
		return tails(blocks, theta)
	}
	var sum, variance float64 // of the rank sum, less its mean
	for _, r := range alignedRanks(blocks, theta) {
		a, b, c := float64(r[0]), float64(r[1]), float64(r[2])
		mean := (a + b + c) / 3
		sum += c - mean
		variance += (a*a+b*b+c*c)/3 - mean*mean
	}
	if !(variance > 0) {
		return 1, 1
	}
	z := sum / math.Sqrt(2*variance)
	return math.Erfc(-z) / 2, math.Erfc(z) / 2
}

// Inflation is the factor between the standard deviation that a pilot of n blocks shows and one that the true one
// exceeds with probability at most gamma, for normal noise: √(ν/χ²) with ν = 2(n-1) degrees of freedom and the
// gamma-quantile of χ² by Wilson and Hilferty's approximation, χ² ≈ ν(1 - 2/(9ν) - z√(2/(9ν)))³.
func Inflation(n int, gamma float64) float64 {
	nu := 2 * float64(n-1)
	if !(nu >= 2) || !(gamma > 0 && gamma < 1) {
		return math.NaN()
	}
	c := 2 / (9 * nu)
	return math.Pow(1-c-number.NormalQuantile(gamma)*math.Sqrt(c), -1.5)
}

// Forecast predicts the outcome of a look from a pilot.
type Forecast struct {
	Pilot    []Block // blocks in which nothing changed
	Rounds   int     // of the look
	Alpha    float64 // the [Share] of the row
	Margin   float64
	Better   int               // 1 where more is better
	Reaching bool              // as in [compare.Spec]
	Power    float64           // to be reached
	Inflate  float64           // of the noise of the pilot; see [Inflation]
	Runs     int               // simulated looks for each answer
	Random   func() *rand.Rand // the same numbers at every call, so that answers can be compared
	Stop     func() bool       // asked before every simulated look: whether no answer is wanted any more; nil for never
}

// growth is the factor between the slowdowns that Detectable tries, and maxSlowdown the largest.
const (
	growth      = 1.05
	maxSlowdown = 9
)

// Detectable is the smallest relative change for the worse that is found with at least the power, to a twentieth of its
// size; NaN if there is none below a factor of ten, or no pilot. Power grows with the slowdown, since all are tried on
// the same noise, so that halving finds it.
func (f Forecast) Detectable() float64 {
	if f.poor() || f.Rounds < Minimum(f.Alpha) {
		return math.NaN()
	}
	lowest := math.Max(f.Margin, 1e-3)
	slowdown := func(k int) float64 { return lowest * math.Pow(growth, float64(k)) }
	found := func(k int) bool {
		factor := 1 + slowdown(k)
		if f.Better > 0 {
			factor = 1 / factor
		}
		return f.reached(factor, f.worse)
	}
	highest := int(math.Ceil(math.Log(maxSlowdown/lowest) / math.Log(growth)))
	if !found(highest) {
		return math.NaN()
	}
	return slowdown(sort.Search(highest, found))
}

// worse reports whether [Judge] calls the blocks worse.
func (f Forecast) worse(b []Block) bool {
	if f.Reaching {
		return reaches(b, f.Alpha, f.Margin, f.Better)
	}
	return worse(b, f.Alpha, f.Margin, f.Better)
}

// Settles reports whether code that did not change is called the same with at least the power.
func (f Forecast) Settles() bool {
	return !f.poor() && f.reached(1, func(b []Block) bool { return same(b, f.Alpha, f.Margin) })
}

// poor reports that there is nothing to forecast from.
func (f Forecast) poor() bool {
	return len(f.Pilot) < 2 || !finite(f.Pilot) || f.Rounds < 1 || f.Runs < 1 || !(f.Inflate > 0) ||
		!(f.Power > 0 && f.Power < 1)
}

// reached reports whether simulated looks say yes often enough. It ends as soon as the rest cannot matter.
func (f Forecast) reached(factor float64, yes func([]Block) bool) bool {
	enough := int(math.Ceil(f.Power * float64(f.Runs)))
	rng, found := f.Random(), 0
	for run := range f.Runs {
		if f.Stop != nil && f.Stop() {
			return false
		}
		if yes(simulate(f.Pilot, f.Rounds, factor, f.Inflate, rng)) {
			found++
		}
		if found >= enough || found+f.Runs-run-1 < enough {
			break
		}
	}
	return found >= enough
}
