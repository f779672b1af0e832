package blocks

import (
	"math"
	"math/rand/v2"
)

// Power is the probability that the rule of [Judge] calls slower (by the factor given) what is slower, with n rounds
// of noise like that of a pilot: measured on simulated rounds. A simulated round takes the three numbers of a round of
// the pilot in random order, and scales their differences by inflate; see [Inflation]. The pilot holds blocks in which
// nothing changed. It is NaN without them.
func Power(pilot []Block, n int, factor, alpha, zone, inflate float64, runs int, rng *rand.Rand) float64 {
	if len(pilot) < 2 || !finite(pilot) || n < 1 || runs < 1 || !(factor > 0) {
		return math.NaN()
	}
	found := 0
	simulated := make([]Block, n)
	for range runs {
		for i := range simulated {
			p := pilot[rng.IntN(len(pilot))]
			x := [3]float64{0, inflate * (p.Again - p.Old), inflate * (p.New - p.Old)}
			rng.Shuffle(3, func(a, b int) { x[a], x[b] = x[b], x[a] })
			simulated[i] = Block{x[0], x[1], x[2] + math.Log(factor)}
		}
		if slower(simulated, alpha, zone) {
			found++
		}
	}
	return float64(found) / float64(runs)
}

// slower is [Judge] at less cost: one test decides whether the interval lies above the boundary.
func slower(blocks []Block, alpha, zone float64) bool {
	boundary := math.Log1p(math.Max(zone, Floor(blocks)))
	_, above := tails(blocks, boundary)
	return above <= alpha/2
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
	return math.Pow(1-c-normalQuantile(gamma)*math.Sqrt(c), -1.5)
}

// Detectable is the smallest relative slowdown that n rounds find with at least the power given, in noise like the
// pilot's, to a tenth of its size; NaN if there is none below a factor of ten, or no pilot.
func Detectable(pilot []Block, n int, alpha, zone, power float64, runs int, rng *rand.Rand) float64 {
	for d := max(zone, 0.001); d < 9; d *= 1.1 {
		if Power(pilot, n, 1+d, alpha, zone, 1, runs, rng) >= power {
			return d
		}
	}
	return math.NaN()
}
