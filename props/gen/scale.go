package gen

import "math"

// logGrid interpolates between lo and hi on a logarithmic scale.
func logGrid(lo, hi, fraction float64) float64 {
	return math.Exp((1-fraction)*math.Log(lo) + fraction*math.Log(hi))
}
