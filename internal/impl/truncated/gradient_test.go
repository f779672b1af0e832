package truncated_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
)

func gaussian(r *rand.Rand, rows, cols int, scale float64) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j := range cols {
			m.Set(i, j, scale*r.NormFloat64())
		}
	}
	return m
}

// Without noise the gradient equals HingeGradient, which multiplies no matrices. More inputs than fit in one block.
func TestGradientWithoutNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	s := parity(12, 3, 0.3, 0.5).Draw(r, 1300)
	net := truncated.Net{W: gaussian(r, 5, 12, 1), B: []float64{0.1, -0.1, 0.2, 0.3, 0}, A: []float64{2, -3, 4, 1, -5}}
	g := net.Gradient(s, 0)
	var diff mat.Dense
	diff.Sub(g.W, net.HingeGradient(s))
	close(t, "gradient", mat.Norm(&diff, 2), 0, 1e-13)
	close(t, "loss", g.Loss, net.HingeLoss(s), 1e-13)
	require.Greater(t, g.Passing, 0.0)
	require.Less(t, g.Passing, 1.0)
	for i, out := range net.Outputs(s, 0) {
		close(t, "output", out, net.Output(s.X.RawRowView(i)), 1e-13)
	}
}

// A network whose second half has the weights and biases of the first, and output weights of its own, has the gradient
// of the same neurons in another order, which are not taken for mirrors.
func TestGradientOfMirrors(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	s := parity(12, 3, 0.3, 0.5).Draw(r, 700)
	mirrored := truncated.Paired(gaussian(r, 3, 12, 1), []float64{0.1, -0.1, 0.2}, []float64{2, -3, 4})
	mirrored.A = []float64{2, -3, 4, 1, -5, 3}
	turned := truncated.Net{W: mat.NewDense(6, 12, nil), B: make([]float64, 6), A: make([]float64, 6)}
	order := []int{1, 2, 0, 3, 4, 5}
	for i, from := range order {
		turned.W.SetRow(i, mirrored.W.RawRowView(from))
		turned.B[i], turned.A[i] = mirrored.B[from], mirrored.A[from]
	}
	for _, gate := range []truncated.Smooth{0, 0.3} {
		got, want := mirrored.Gradient(s, gate), turned.Gradient(s, gate)
		close(t, "loss", got.Loss, want.Loss, 1e-13)
		close(t, "passing", got.Passing, want.Passing, 1e-13)
		require.Less(t, got.Passing, 1.0)
		for i, from := range order {
			close(t, "gradient in b", got.B[from], want.B[i], 1e-13)
			close(t, "gradient in a", got.A[from], want.A[i], 1e-13)
			for j := range 12 {
				close(t, "gradient in w", got.W.At(from, j), want.W.At(i, j), 1e-13)
			}
		}
	}
}

// Central differences of the loss, h = 1e−5: no margin is within reach of 1, the truncation is h² times third
// derivatives of at most 10²·|a|, the rounding 10⁻¹⁵/h.
func TestGradientAgainstDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	s := parity(9, 3, 0.3, 0.5).Draw(r, 60)
	net := truncated.Net{W: gaussian(r, 4, 9, 0.5), B: []float64{0.1, -0.1, 0.2, 0.3}, A: []float64{2, -3, 4, 1}}
	gate := truncated.Smooth(0.2)
	g := net.Gradient(s, gate)
	for i, out := range net.Outputs(s, gate) {
		require.Greater(t, math.Abs(s.Y[i]*out-1), 1e-4)
	}
	const h = 1e-5
	quotient := func(x *float64) float64 {
		at := *x
		*x = at + h
		up := net.Gradient(s, gate).Loss
		*x = at - h
		down := net.Gradient(s, gate).Loss
		*x = at
		return (up - down) / (2 * h)
	}
	for i := range net.A {
		close(t, "output weight", g.A[i], quotient(&net.A[i]), 1e-8)
		close(t, "bias", g.B[i], quotient(&net.B[i]), 1e-8)
		for j := range 9 {
			close(t, "weight", g.W.At(i, j), quotient(&net.W.RawRowView(i)[j]), 1e-8)
		}
	}
}

// A paired network is 0 to the last bit, and a step that forgets leaves nothing of its weights.
func TestPairedStep(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	s := parity(9, 3, 0.5, 0.5).Draw(r, 600)
	net := truncated.Paired(gaussian(r, 7, 9, 1), make([]float64, 7), []float64{1, 2, 3, 4, 5, 6, 7})
	for _, out := range net.Outputs(s, 0.3) {
		require.Zero(t, out)
	}
	next, g := net.Descend(s, truncated.Step{Rate: 0.5, Noise: 0.3, KeepA: 0.25})
	close(t, "passing", g.Passing, 1, 600*0x1p-53)
	for i := range 14 {
		require.Equal(t, -0.5*g.W.At(i, 3), next.W.At(i, 3))
		require.Equal(t, net.B[i]-0.5*g.B[i], next.B[i])
		require.Equal(t, 0.25*net.A[i]-0.5*g.A[i], next.A[i])
	}
	features := next.Features(s, 0.3)
	sum := 0.0
	for i, a := range next.A {
		sum += a * features.At(17, i)
	}
	close(t, "read out", next.Outputs(s, 0.3)[17], sum, 1e-13)
}

// BenchmarkStep is one step of the network of the source's experiment, with noise.
func BenchmarkStep(b *testing.B) {
	r := rand.New(rand.NewPCG(13, 14))
	s := data.Sample(parity(100, 5, 0.5, 0.5).Draw(r, 5000))
	net := truncated.Paired(gaussian(r, 300, 100, 0.2), make([]float64, 300), make([]float64, 300))
	for b.Loop() {
		net.Descend(s, truncated.Step{Rate: 1e-3, Noise: 0.0894})
	}
}
