// Package features holds two-layer networks as feature maps: random first layers, the first-layer gradient, and the
// features before and after a step. Samples are rows, x ↦ σ(W x) with W of shape N×d.
package features

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/impl/nn"
)

// PhaseSine is r sin(z + t) − r e^(−1/2) sin t, which has Gaussian mean zero and bounded derivatives of all orders.
func PhaseSine(r, t float64) nn.Activation {
	mean := r * math.Exp(-0.5) * math.Sin(t)
	return nn.Activation{
		Name:  fmt.Sprintf("%.4g·sin(z%+.4g)%+.4g", r, t, -mean),
		Value: func(z float64) float64 { return r*math.Sin(z+t) - mean },
		Slope: func(z float64) float64 { return r * math.Cos(z+t) },
	}.ByRow(func(values, slopes, z []float64) {
		if slopes == nil {
			for j, v := range z {
				values[j] = r*math.Sin(v+t) - mean
			}
			return
		}
		for j, v := range z {
			sin, cos := math.Sincos(v + t)
			values[j], slopes[j] = r*sin-mean, r*cos
		}
	})
}

// CentredReLU is max(z, 0) minus its Gaussian mean.
var CentredReLU = nn.Activation{
	Name:  "centred relu",
	Value: func(z float64) float64 { return nn.ReLU.Value(z) - reluMean },
	Slope: nn.ReLU.Slope,
}.ByRow(func(values, slopes, z []float64) {
	nn.ReLU.Apply(values, slopes, z)
	for j := range values {
		values[j] -= reluMean
	}
})

var reluMean = 1 / math.Sqrt(2*math.Pi)

// Series is the polynomial c[1] z + c[2] (z²−1) + c[3] (z³−3z) + … in probabilists' Hermite polynomials, plus c[0].
func Series(c ...float64) nn.Activation {
	p := monomials(c)
	slope := make([]float64, max(1, len(p)-1))
	for k := 1; k < len(p); k++ {
		slope[k-1] = float64(k) * p[k]
	}
	act := nn.Activation{
		Name:  fmt.Sprintf("Hermite series %v", c),
		Value: func(z float64) float64 { return horner(p, z) },
		Slope: func(z float64) float64 { return horner(slope, z) },
	}
	if len(p) > 4 {
		return act
	}
	return act.ByRow(func(values, slopes, z []float64) {
		if slopes != nil {
			cubicRow(slopes, slope, z)
		}
		cubicRow(values, p, z)
	})
}

// cubicRow writes Σ p[k]zᵏ, k ≤ 3, for all z.
func cubicRow(dst, p, z []float64) {
	var c [4]float64
	copy(c[:], p)
	c0, c1, c2, c3 := c[0], c[1], c[2], c[3]
	dst = dst[:len(z)]
	if c3 == 0 {
		for j, v := range z {
			dst[j] = (c2*v+c1)*v + c0
		}
		return
	}
	for j, v := range z {
		dst[j] = ((c3*v+c2)*v+c1)*v + c0
	}
}

// monomials returns the coefficients of the powers of z in a Hermite series, by Heₖ₊₁ = z Heₖ − k Heₖ₋₁.
func monomials(c []float64) []float64 {
	sum := make([]float64, max(1, len(c)))
	previous, current := make([]float64, len(sum)+1), make([]float64, len(sum)+1)
	current[0] = 1
	for k, ck := range c {
		for j := range sum {
			sum[j] += ck * current[j]
		}
		next := make([]float64, len(current))
		for j := range len(sum) {
			next[j+1] += current[j]
			next[j] -= float64(k) * previous[j]
		}
		previous, current = current, next
	}
	return sum
}

// horner evaluates Σ p[k]zᵏ.
func horner(p []float64, z float64) float64 {
	sum := 0.0
	for k := len(p) - 1; k >= 0; k-- {
		sum = sum*z + p[k]
	}
	return sum
}
