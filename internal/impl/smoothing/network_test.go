package smoothing

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// at returns f(x).
func (n *Network) at(x float64) float64 {
	sum := n.Constant()
	for j, w := range n.W {
		sum += n.A[j] * max(0, w*x+n.B[j])
	}
	return sum
}

// A central difference errs by h²/6·f‴ + u·loss/h; no preactivation is within h of 0.
func TestNetworkGradient(t *testing.T) {
	const h = 1e-6
	n, x, y := NewNetwork(rand.New(rand.NewPCG(1, 2)), 5), []float64{-1, -0.2, 0.3, 1}, []float64{0, 1, 2, -1}
	loss := func() float64 {
		sum := 0.0
		for i := range x {
			sum += math.Pow(n.at(x[i])-y[i], 2) / 4
		}
		return sum
	}
	grad := make([]float64, 16)
	n.gradient(grad, x, y)
	for i, at := range n.all {
		n.all[i] = at + h
		up := loss()
		n.all[i] = at - h
		down := loss()
		n.all[i] = at
		if want := (up - down) / (2 * h); !(math.Abs(grad[i]-want) < 1e-8) {
			t.Errorf("derivative %d: %v, want %v", i, grad[i], want)
		}
	}
}

// The first step of Adam is the rate along the signs of the gradient.
func TestNetworkTrain(t *testing.T) {
	n, x, y := NewNetwork(rand.New(rand.NewPCG(1, 2)), 5), []float64{-1, -0.2, 0.3, 1}, []float64{0, 1, 2, -1}
	grad, before := make([]float64, 16), append([]float64{}, n.all...)
	n.gradient(grad, x, y)
	n.Train(x, y, 1, 0.01)
	for i, g := range grad {
		if moved := n.all[i] - before[i]; !(math.Abs(moved+0.01*g/(math.Abs(g)+1e-8)) < 1e-15) {
			t.Errorf("weight %d moved by %v", i, moved)
		}
	}
	require.Equal(t, n.all[15], n.Constant())
	n = NewNetwork(rand.New(rand.NewPCG(1, 2)), 40) // of five, all may stay active at all samples, or none
	n.Train(x, y, 3000, 0.02)
	for i := range x {
		if !(math.Abs(n.at(x[i])-y[i]) < 1e-3) {
			t.Errorf("at %v: %v, want %v", x[i], n.at(x[i]), y[i])
		}
	}
}
