package gen

import (
	"math"
	"math/rand/v2"

	"pgregory.net/rapid"
)

// LogUniform draws a number whose logarithm is uniform on a grid of 1024 points between those of lo and hi, both
// positive. It shrinks towards lo. The point is drawn bit by bit, because rapid draws an integer of a range with a
// preference for small ones, of which 60 % lie in the lowest tenth.
func LogUniform(t *rapid.T, label string, lo, hi float64) float64 {
	point := 0
	for _, bit := range rapid.SliceOfN(rapid.Bool(), 10, 10).Draw(t, label) {
		point *= 2
		if bit {
			point++
		}
	}
	return logGrid(lo, hi, float64(point)/1023)
}

// LogUniformFrom is a number from a stream whose logarithm is uniform between those of lo and hi, both positive.
func LogUniformFrom(r *rand.Rand, lo, hi float64) float64 { return logGrid(lo, hi, r.Float64()) }

// logGrid interpolates between lo and hi on a logarithmic scale.
func logGrid(lo, hi, fraction float64) float64 {
	return math.Exp((1-fraction)*math.Log(lo) + fraction*math.Log(hi))
}
