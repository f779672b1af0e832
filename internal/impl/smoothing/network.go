package smoothing

import (
	"math"
	"math/rand/v2"

	"github.com/thm-suite/thm/internal/impl/truncated"
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

// Train takes steps of Adam on (1/n)Σᵢ(f(xᵢ) − yᵢ)² and all weights, with a rate that falls linearly to 0.
func (n *Network) Train(x, y []float64, steps int, rate float64) {
	var adam truncated.Adam
	grad := make([]float64, len(n.all))
	for step := range steps {
		n.gradient(grad, x, y)
		adam.Rate = rate * (1 - float64(step)/float64(steps))
		adam.Move(n.all, grad)
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
