package smoothing

import (
	"math"
	"math/rand/v2"
)

// Network is f(x) = c + Σⱼ aⱼ max(0, wⱼx + bⱼ) on the line.
type Network struct {
	W, B, A []float64 // parts of one array with c
	all     []float64
}

// NewNetwork returns a network of m neurons with w = ±1 and kinks uniform on [−1, 1], where its inputs lie, and output
// weights uniform on ±1/√m.
func NewNetwork(r *rand.Rand, m int) *Network {
	all := make([]float64, 3*m+1)
	for i := range all {
		all[i] = 2*r.Float64() - 1
		switch {
		case i < m:
			all[i] = math.Copysign(1, all[i])
		case i >= 2*m:
			all[i] /= math.Sqrt(float64(m))
		}
	}
	return &Network{W: all[:m], B: all[m : 2*m], A: all[2*m : 3*m], all: all}
}

// Constant returns c.
func (n *Network) Constant() float64 { return n.all[len(n.all)-1] }

// At returns f(x).
func (n *Network) At(x float64) float64 {
	sum := n.Constant()
	for j, w := range n.W {
		sum += n.A[j] * max(0, w*x+n.B[j])
	}
	return sum
}

// Train takes steps of Adam on (1/n)Σᵢ(f(xᵢ) − yᵢ)² and all weights, with a rate that falls linearly to 0. Means decay
// by 0.9 and 0.999.
func (n *Network) Train(x, y []float64, steps int, rate float64) {
	size := len(n.all)
	grad, mean, square := make([]float64, size), make([]float64, size), make([]float64, size)
	keptMean, keptSquare := 1.0, 1.0
	for step := range steps {
		n.gradient(grad, x, y)
		keptMean, keptSquare = 0.9*keptMean, 0.999*keptSquare
		length := rate * (1 - float64(step)/float64(steps)) / (1 - keptMean)
		for i, g := range grad {
			mean[i] = 0.9*mean[i] + 0.1*g
			square[i] = 0.999*square[i] + 0.001*g*g
			n.all[i] -= length * mean[i] / (math.Sqrt(square[i]/(1-keptSquare)) + 1e-8)
		}
	}
}

// gradient overwrites grad with that of the loss.
func (n *Network) gradient(grad, x, y []float64) {
	clear(grad)
	m := len(n.W)
	w, b, a, active := grad[:m], grad[m:2*m], grad[2*m:3*m], make([]float64, m)
	for i, xi := range x {
		f := n.Constant()
		for j, weight := range n.W {
			active[j] = max(0, weight*xi+n.B[j])
			f += n.A[j] * active[j]
		}
		off := 2 * (f - y[i]) / float64(len(x))
		for j, z := range active {
			if z > 0 {
				slope := off * n.A[j]
				w[j] += slope * xi
				b[j] += slope
				a[j] += off * z
			}
		}
		grad[3*m] += off
	}
}
