package truncated

import "math"

// Smooth is the truncated rectifier averaged over Gaussian noise of this standard deviation in its argument. Zero is
// the rectifier itself.
type Smooth float64

// Value returns E σ(z + ξ). With R(z) = z Φ(z/s) + s φ(z/s), which is E max(z + ξ, 0), it is R(z) − R(z−1). The error
// is some ulps of 1, and relative to R(z) where z is far below 1.
func (s Smooth) Value(z float64) float64 {
	v, _ := s.Both(z)
	return v
}

// Slope returns the derivative of Value, Φ(z/s) − Φ((z−1)/s).
func (s Smooth) Slope(z float64) float64 {
	_, slope := s.Both(z)
	return slope
}

// Both returns Value and Slope.
func (s Smooth) Both(z float64) (value, slope float64) {
	if s == 0 {
		if z > 0 && z < 1 {
			slope = 1
		}
		return min(1, max(z, 0)), slope
	}
	if z > 0.5 { // E σ(z + ξ) = 1 − E σ(1 − z + ξ), and the slope is symmetric
		value, slope = s.Both(1 - z)
		return 1 - value, slope
	}
	scale := 1 / float64(s)
	value, slope = rectified(z, scale)
	// The upper cut is out of sight where it is nine deviations away, and zero is at most one or the two are eight
	// apart: 10⁻¹⁷ of the value.
	if t := (z - 1) * scale; t > -9 || z*scale < -1 && scale < 8 {
		above, cut := rectified(z-1, scale)
		value, slope = value-above, slope-cut
	}
	return value, slope
}

// rectified returns E max(z + ξ, 0) = R(t)/scale and its derivative, for noise of standard deviation 1/scale and
// t = z·scale.
func rectified(z, scale float64) (value, slope float64) {
	t := z * scale
	if !(t > -tableReach && t < tableReach) {
		slope = math.Erfc(-t/math.Sqrt2) / 2
		return z*slope + math.Exp(-t*t/2)/(scale*math.Sqrt(2*math.Pi)), slope
	}
	i := int((t+tableReach)*tableNodes + 0.5)
	c, x := &table[i], t+tableReach-float64(i)/tableNodes
	value = c[tableOrder]
	for k := tableOrder - 1; k >= 0; k-- {
		slope = slope*x + value
		value = value*x + c[k]
	}
	return value / scale, slope
}

// table holds the Taylor coefficients of R(t) = tΦ(t) + φ(t) at the nodes i/tableNodes − tableReach. R″ = φ, so that
// the coefficient of order n + 2 is (−1)ⁿHeₙ(t)φ(t)/(n+2)!, with the Hermite polynomials Heₙ₊₁ = tHeₙ − nHeₙ₋₁. What
// is left out is at most (t/2tableNodes)⁹/9! of R, below a rounding.
var table = tabulateRectified()

const (
	tableReach = 9
	tableNodes = 64 // in a unit
	tableOrder = 8
)

func tabulateRectified() *[2*tableReach*tableNodes + 1][tableOrder + 1]float64 {
	var out [2*tableReach*tableNodes + 1][tableOrder + 1]float64
	for i := range out {
		t := float64(i)/tableNodes - tableReach
		open, density := math.Erfc(-t/math.Sqrt2)/2, math.Exp(-t*t/2)/math.Sqrt(2*math.Pi)
		out[i][0], out[i][1] = t*open+density, open
		before, hermite, factor := 0.0, 1.0, density/2 // Heₙ₋₁, Heₙ, (−1)ⁿφ/(n+2)!
		for n := range tableOrder - 1 {
			out[i][n+2] = factor * hermite
			before, hermite = hermite, t*hermite-float64(n)*before
			factor /= -float64(n + 3)
		}
	}
	return &out
}

// both is Both for many z at once: it overwrites z with the slopes. Without noise it has no branches, which would be
// as good as random: a value v in [0, 1] is open when its bits are above those of 0 and below those of 1.
func (s Smooth) both(value, z []float64) {
	if s != 0 {
		for i, x := range z {
			value[i], z[i] = s.Both(x)
		}
		return
	}
	one := math.Float64bits(1)
	for i, x := range z {
		v := min(1, max(x, 0))
		b := math.Float64bits(v)
		open := (b - one) >> 63 & (-b >> 63)
		value[i], z[i] = v, math.Float64frombits(-open&one)
	}
}
