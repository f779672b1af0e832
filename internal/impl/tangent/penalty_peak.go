package tangent

// Peak returns the largest value on [lo, hi] of a function with a single peak, by golden section.
func Peak(lo, hi float64, f func(float64) float64) float64 {
	at := goldenSection(lo, hi, func(x float64) float64 { return -f(x) })
	return max(f(lo), f(at), f(hi))
}
