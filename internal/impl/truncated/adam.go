package truncated

import "math"

// Adam minimises with averages that decay by 0.9 and 0.999, and a denominator that is kept from zero by 10⁻⁸.
//
// Source: Kingma and Ba, Adam (ICLR 2015), algorithm 1.
type Adam struct {
	Rate          float64
	step          int
	first, second []float64
}

// Move takes a step of the parameters x against a gradient.
func (o *Adam) Move(x, grad []float64) {
	if o.first == nil {
		o.first, o.second = make([]float64, len(x)), make([]float64, len(x))
	}
	o.step++
	one, two := 1-math.Pow(0.9, float64(o.step)), 1-math.Pow(0.999, float64(o.step))
	for i, g := range grad {
		o.first[i] = 0.9*o.first[i] + 0.1*g
		o.second[i] = 0.999*o.second[i] + 0.001*g*g
		x[i] -= o.Rate * o.first[i] / one / (math.Sqrt(o.second[i]/two) + 1e-8)
	}
}
