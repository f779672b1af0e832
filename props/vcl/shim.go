package vcl

import "github.com/thm-suite/thm/props/derivative"

func differences(x []float64, f func() float64) []float64 { return derivative.Quadratic(x, 1, f) }

func alongLine(x, d []float64, f func() float64) (slope, err float64) {
	return derivative.Along(x, d, f)
}
