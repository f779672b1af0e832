package truncated

import (
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
)

// lowBits is the number of bits that vary within a block of states: the table of their pre-activations stays in the
// cache.
const lowBits = 6

// StateGradient is [Net.Gradient] of a network on the normalised hidden bits, over all states of a law. The states of a
// block have the same high bits: their pre-activations are a table plus one vector, and sums over the blocks are taken
// before they are multiplied by inputs, so that a state and neuron cost some additions and no product over the bits. A
// network whose second half has the weights and biases of the first is evaluated by halves. Without noise the sums are
// of integers.
func (n Net) StateGradient(h data.Hidden, gate Smooth) Gradient {
	if neurons, dim := n.W.Dims(); dim != h.Dim || len(n.A) != neurons || len(n.B) != neurons {
		panic("truncated: shapes of weights, biases and hidden bits do not fit")
	}
	if gate == 0 {
		return n.hardGradient(h)
	}
	s := newStates(n, h)
	for high := range len(h.Weight) / len(s.out) {
		s.block(gate, high)
	}
	return s.gradient(n)
}

// states are the sums over blocks, for the neurons that differ.
type states struct {
	law              data.Hidden
	total, deviation float64
	mean             []float64
	scaled           *mat.Dense // D×n, weights over σ̃, one bit per row
	table            *mat.Dense // low states×n: pre-activations without biases and high bits
	bias, outputs    []float64  // n; mirrors read out together
	value, slope     *mat.Dense
	out, weights     []float64  // of the states of a block
	sums             *mat.Dense // low states×n: Σ over blocks of −p y ψ
	ones             *mat.Dense // D×n: Σ over states with the bit of −p y ψ; low bits at the end
	grad             Gradient   // W is unused
}

func newStates(n Net, h data.Hidden) *states {
	neurons, dim := n.W.Dims()
	outputs := slices.Clone(n.A)
	if n.mirrored() {
		neurons, outputs = neurons/2, n.mirrorOutputs()
	}
	variance, _ := h.Variance().Float64()
	s := &states{law: h, total: float64(h.Total()), deviation: math.Sqrt(variance), outputs: outputs,
		bias: slices.Clone(n.B[:neurons]), scaled: mat.NewDense(dim, neurons, nil), ones: mat.NewDense(dim, neurons, nil)}
	s.scaled.Copy(n.W.T())
	s.scaled.Scale(1/s.deviation, s.scaled)
	for j, m := range h.Mean() {
		mean, _ := m.Float64()
		s.mean = append(s.mean, mean)
		floats.AddScaled(s.bias, -mean, s.scaled.RawRowView(j))
	}
	rows := 1 << min(lowBits, dim)
	s.table, s.sums = mat.NewDense(rows, neurons, nil), mat.NewDense(rows, neurons, nil)
	s.value, s.slope = mat.NewDense(rows, neurons, nil), mat.NewDense(rows, neurons, nil)
	s.out, s.weights = make([]float64, rows), make([]float64, rows)
	for l := 1; l < rows; l++ { // that of the state without its lowest one, and one weight
		floats.AddTo(s.table.RawRowView(l), s.table.RawRowView(l&(l-1)), s.scaled.RawRowView(bits.TrailingZeros(uint(l))))
	}
	s.grad.B, s.grad.A = make([]float64, neurons), make([]float64, neurons)
	return s
}

// mirrored reports whether the second half of the neurons has the weights and biases of the first.
func (n Net) mirrored() bool {
	half := len(n.A) / 2
	if len(n.A)%2 != 0 || !slices.Equal(n.B[:half], n.B[half:]) {
		return false
	}
	for i := range half {
		if !slices.Equal(n.W.RawRowView(i), n.W.RawRowView(i+half)) {
			return false
		}
	}
	return true
}

// mirrorOutputs returns the output weights of the neurons of a mirrored network and of their mirrors, added up.
func (n Net) mirrorOutputs() []float64 {
	half := len(n.A) / 2
	return floats.AddTo(make([]float64, half), n.A[:half], n.A[half:])
}

// block adds the states with these high bits.
func (s *states) block(gate Smooth, high int) {
	rows := len(s.out)
	base := slices.Clone(s.bias)
	first := high * rows
	for b := high; b != 0; b &= b - 1 {
		floats.Add(base, s.scaled.RawRowView(min(lowBits, s.law.Dim)+bits.TrailingZeros(uint(b))))
	}
	for l := range rows {
		floats.AddTo(s.slope.RawRowView(l), s.table.RawRowView(l), base)
		gate.both(s.value.RawRowView(l), s.slope.RawRowView(l))
	}
	vector := func(x []float64) *mat.VecDense { return mat.NewVecDense(len(x), x) }
	vector(s.out).MulVec(s.value, vector(s.outputs))
	for l := range rows {
		p, y := float64(s.law.Weight[first+l])/s.total, float64(s.law.Label(first+l))
		margin := y * s.out[l]
		s.grad.Loss += p * max(0, 1-margin)
		s.weights[l] = 0
		if margin < 1 {
			s.grad.Passing += p
			s.weights[l] = -p * y
			floats.AddScaled(s.sums.RawRowView(l), -p*y, s.slope.RawRowView(l))
		}
	}
	var part mat.VecDense
	part.MulVec(s.value.T(), vector(s.weights))
	floats.Add(s.grad.A, part.RawVector().Data)
	part.Reset()
	part.MulVec(s.slope.T(), vector(s.weights))
	floats.Add(s.grad.B, part.RawVector().Data)
	for b := high; b != 0; b &= b - 1 {
		floats.Add(s.ones.RawRowView(min(lowBits, s.law.Dim)+bits.TrailingZeros(uint(b))), part.RawVector().Data)
	}
}

// gradient puts the sums together: −Σ p y ψ (φ̃ⱼ − E φ̃ⱼ)/σ̃ times the output weight.
func (s *states) gradient(n Net) Gradient {
	for l := range len(s.out) {
		for b := l; b != 0; b &= b - 1 {
			floats.Add(s.ones.RawRowView(bits.TrailingZeros(uint(b))), s.sums.RawRowView(l))
		}
	}
	neurons, dim := n.W.Dims()
	g := Gradient{W: mat.NewDense(neurons, dim, nil), Loss: s.grad.Loss, Passing: s.grad.Passing}
	for i, a := range n.A {
		from := i % len(s.grad.B)
		g.A = append(g.A, s.grad.A[from])
		g.B = append(g.B, a*s.grad.B[from])
		for j, mean := range s.mean {
			g.W.Set(i, j, a*(s.ones.At(j, from)-mean*s.grad.B[from])/s.deviation)
		}
	}
	return g
}
