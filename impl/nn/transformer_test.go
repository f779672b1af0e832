package nn_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
)

// The gradient in every weight agrees with a complex step through the definition, written down with scalars:
// f(W + iε)/ε has no cancellation, so that what is left is rounding. Two heads, three sequences, with mask and without.
func TestTransformerGradients(t *testing.T) {
	for _, causal := range []bool{false, true} {
		r := rand.New(rand.NewPCG(1, 2))
		m := nn.NewTransformer(r, 5, 4, 6, 7, 2, nn.Tanh)
		m.Heads, m.Causal = 2, causal
		tokens := []int{0, 1, 2, 3, 4, 4, 1, 0, 2, 2, 3, 1}
		x, y := m.Encode(tokens), targets(r, len(tokens), 5)
		var trace nn.Trace
		m.Backprop(&trace, x, y)
		require.Len(t, trace.Views, 14)
		require.Less(t, math.Abs(real(definition(m, tokens, y, nil, 0, 0))-trace.Loss), 1e-14)
		for l := range trace.Views {
			w := trace.Views[l].Stage.W
			out, in := w.Dims()
			got := mat.NewDense(out, in, nil)
			trace.Views[l].WeightGrad(got)
			for i := range out {
				for j := range in {
					want := imag(definition(m, tokens, y, w, i, j)) / tiny
					require.Less(t, math.Abs(got.At(i, j)-want), 1e-14, "stage %d, weight %d, %d", l, i, j)
				}
			}
		}
	}
}

const tiny = 1e-40

// definition is the mean loss of a transformer with the activation tanh, with iε added to an entry of the weights w.
func definition(m *nn.Transformer, tokens []int, y, w *mat.Dense, i, j int) (loss complex128) {
	at := func(s nn.Stage, a, b int) complex128 {
		if s.W == w && a == i && b == j {
			return complex(s.W.At(a, b), tiny)
		}
		return complex(s.W.At(a, b), 0)
	}
	linear := func(s nn.Stage, h []complex128) []complex128 {
		rows, cols := s.W.Dims()
		z := make([]complex128, rows)
		for a := range rows {
			for b := range cols {
				z[a] += at(s, a, b) * h[b]
			}
		}
		return z
	}
	for first := 0; first < len(tokens); first += m.Length {
		h := make([][]complex128, m.Length)
		for p := range h {
			_, in := m.Embed.W.Dims()
			one := make([]complex128, in)
			one[tokens[first+p]], one[in-m.Length+p] = 1, 1
			h[p] = linear(m.Embed, one)
		}
		for _, b := range m.Blocks {
			added := make([][]complex128, m.Length)
			for p := range h {
				added[p] = linear(b.O, attended(m, linear, b, h, p))
			}
			for p := range h {
				for a := range h[p] {
					h[p][a] += added[p][a]
				}
				hidden := linear(b.Up, h[p])
				for a := range hidden {
					hidden[a] = cmplx.Tanh(hidden[a])
				}
				for a, z := range linear(b.Down, hidden) {
					h[p][a] += z
				}
			}
		}
		for p := range h {
			f := linear(m.Readout, h[p])
			var sum complex128
			for _, z := range f {
				sum += cmplx.Exp(z)
			}
			for a, z := range f {
				loss -= complex(y.At(first+p, a)/float64(len(tokens)), 0) * (z - cmplx.Log(sum))
			}
		}
	}
	return loss
}

// attended are the contexts of all heads at position p.
func attended(m *nn.Transformer, linear func(nn.Stage, []complex128) []complex128, b nn.Block, h [][]complex128,
	p int) []complex128 {
	query := linear(b.Q, h[p])
	width := len(query) / m.Heads
	out := make([]complex128, len(query))
	for head := range m.Heads {
		var mass complex128
		for u := range h {
			if m.Causal && u > p {
				continue
			}
			key, value := linear(b.K, h[u]), linear(b.V, h[u])
			var score complex128
			for a := head * width; a < (head+1)*width; a++ {
				score += query[a] * key[a]
			}
			weight := cmplx.Exp(score / cmplx.Sqrt(complex(float64(width), 0)))
			mass += weight
			for a := head * width; a < (head+1)*width; a++ {
				out[a] += weight * value[a]
			}
		}
		for a := head * width; a < (head+1)*width; a++ {
			out[a] /= mass
		}
	}
	return out
}

// A token is read at its position, and predictions are the outputs of a pass.
func TestTransformerEncodes(t *testing.T) {
	m := nn.NewTransformer(rand.New(rand.NewPCG(3, 4)), 3, 2, 4, 5, 1, nn.GELU)
	x := m.Encode([]int{2, 0, 1, 1})
	require.Equal(t, matrix(4, 5, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1), x)
	var trace nn.Trace
	m.Backprop(&trace, x, nn.OneHot([]int{0, 2, 1, 1}, 3))
	require.Equal(t, trace.Output, m.Predict(x))
}
