package truncated

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
)

// Gradient is the derivative of the hinge loss of a smoothed network in all its parameters.
type Gradient struct {
	W    *mat.Dense // n×d
	B, A []float64  // n

	Loss    float64 // E max(0, 1 − y g(x))
	Passing float64 // Pr[y g(x) < 1], where the hinge has a slope
}

// blockRows is the number of inputs that are taken at a time, so that their pre-activations stay in the cache.
const blockRows = 512

// Gradient returns the derivative of E max(0, 1 − y Σᵢ aᵢ E σ(zᵢ + ξᵢ)) over a finite law: −aᵢ E[y 1{y g < 1} ψ(zᵢ)
// x] in wᵢ, −aᵢ E[y 1{y g < 1} ψ(zᵢ)] in bᵢ, −E[y 1{y g < 1} σ_s(zᵢ)] in aᵢ. The products are done by BLAS, blocks of
// inputs at a time; results depend on the law alone. N·n·(2d) multiply-adds and N·n values of the gate, half of both
// where the second half of the neurons has the weights and biases of the first.
func (n Net) Gradient(s data.Sample, gate Smooth) Gradient {
	sums := n.different().sums(s, gate)
	return sums.spread(n.A)
}

// different is the network without mirrors.
func (n Net) different() Net {
	if !n.mirrored() {
		return n
	}
	neurons, inputs := n.W.Dims()
	half := neurons / 2
	return Net{n.W.Slice(0, half, 0, inputs).(*mat.Dense), n.B[:half], n.mirrorOutputs()}
}

// GradientProducts counts the neurons whose products with every input [Net.Gradient] forms, without noise.
func (n Net) GradientProducts(s data.Sample) int { return len(n.different().settle(s).bent) }

// spread returns the gradient of the network with these output weights from the sums over its different neurons.
func (g Gradient) spread(out []float64) Gradient {
	half, inputs := g.W.Dims()
	all := Gradient{W: mat.NewDense(len(out), inputs, nil), Loss: g.Loss, Passing: g.Passing}
	for i, a := range out {
		floats.ScaleTo(all.W.RawRowView(i), a, g.W.RawRowView(i%half))
		all.B, all.A = append(all.B, a*g.B[i%half]), append(all.A, g.A[i%half])
	}
	return all
}

// sums is the gradient without the output weights in those of W and B. Without noise, neurons that no input bends are
// taken together.
func (n Net) sums(s data.Sample, gate Smooth) Gradient {
	if gate != 0 {
		return n.bentSums(s, gate, make([]float64, len(s.P)))
	}
	k := n.settle(s)
	if len(k.bent) == len(n.A) {
		return n.bentSums(s, gate, make([]float64, len(s.P)))
	}
	weights := k.outputs(n, s)
	bent := n.choose(k.bent).bentSums(s, gate, weights)
	return k.sums(n, s, bent, weights)
}

// bentSums are the sums of these neurons, of which there may be none, next to others whose outputs are given. It
// overwrites these with −p y at the inputs within their margin, and 0 at the rest.
func (n Net) bentSums(s data.Sample, gate Smooth, others []float64) Gradient {
	var g Gradient
	if len(n.A) == 0 {
		for i, out := range others {
			others[i] = g.weigh(s.P[i], s.Y[i], out)
		}
		return g
	}
	neurons, inputs := n.W.Dims()
	g.W, g.B, g.A = mat.NewDense(neurons, inputs, nil), make([]float64, neurons), make([]float64, neurons)
	block := newBlock(min(blockRows, len(s.P)), neurons)
	for from := 0; from < len(s.P); from += blockRows {
		to := min(len(s.P), from+blockRows)
		block.evaluate(n, gate, s, from, to)
		for i := range to - from {
			row := block.slope.RawRowView(i)
			weight := g.weigh(s.P[from+i], s.Y[from+i], others[from+i]+block.out[i])
			if others[from+i] = weight; weight == 0 {
				clear(row)
				continue
			}
			floats.AddScaled(g.A, weight, block.value.RawRowView(i))
			floats.Scale(weight, row)
			floats.Add(g.B, row)
		}
		g.W.Add(g.W, block.times(s, from, to))
	}
	return g
}

// weigh adds an input to loss and mass, and returns −p y if it is within its margin, or else 0.
func (g *Gradient) weigh(p, y, out float64) float64 {
	g.Loss += p * max(0, 1-y*out)
	if !(y*out < 1) {
		return 0
	}
	g.Passing += p
	return -p * y
}

// block holds what the neurons do on some inputs.
type block struct {
	value, slope *mat.Dense // rows×n
	out          []float64  // g
	product      mat.Dense
}

func newBlock(rows, neurons int) *block {
	return &block{value: mat.NewDense(rows, neurons, nil), slope: mat.NewDense(rows, neurons, nil), out: make([]float64,
		rows)}
}

// evaluate fills the block for the inputs from, …, to−1. A neuron and its mirror are read out side by side, so that a
// paired network is 0 to the last bit.
func (b *block) evaluate(n Net, gate Smooth, s data.Sample, from, to int) {
	b.activate(n, gate, s, from, to)
	for i := range to - from {
		b.out[i] = n.readOutValues(b.value.RawRowView(i))
	}
}

// activate fills values and slopes alone.
func (b *block) activate(n Net, gate Smooth, s data.Sample, from, to int) {
	_, inputs := n.W.Dims()
	neurons := len(n.A)
	z := b.slope.Slice(0, to-from, 0, neurons).(*mat.Dense)
	z.Mul(s.X.Slice(from, to, 0, inputs), n.W.T())
	for i := range to - from {
		slope, value := b.slope.RawRowView(i), b.value.RawRowView(i)
		floats.Add(slope, n.B)
		gate.both(value, slope)
	}
}

// values fills values alone. Without noise no slopes are computed.
func (b *block) values(n Net, gate Smooth, s data.Sample, from, to int) {
	if gate != 0 {
		b.activate(n, gate, s, from, to)
		return
	}
	_, inputs := n.W.Dims()
	z := b.value.Slice(0, to-from, 0, len(n.A)).(*mat.Dense)
	z.Mul(s.X.Slice(from, to, 0, inputs), n.W.T())
	for i := range to - from {
		row := b.value.RawRowView(i)
		for j, bias := range n.B {
			row[j] = min(1, max(row[j]+bias, 0))
		}
	}
}

// times returns slopeᵀ·X over the inputs of the block.
func (b *block) times(s data.Sample, from, to int) *mat.Dense {
	_, inputs := s.X.Dims()
	_, neurons := b.slope.Dims()
	b.product.Reset()
	b.product.Mul(b.slope.Slice(0, to-from, 0, neurons).T(), s.X.Slice(from, to, 0, inputs))
	return &b.product
}

// readOutValues returns Σᵢ aᵢvᵢ, the two halves of the network side by side; products are not fused with additions.
func (n Net) readOutValues(v []float64) float64 {
	g, half := 0.0, (len(v)+1)/2
	for i := range half {
		term := float64(n.A[i] * v[i])
		if j := i + half; j < len(v) {
			term += float64(n.A[j] * v[j])
		}
		g += term
	}
	return g
}

// Outputs returns g at every input, with the smoothed gate.
func (n Net) Outputs(s data.Sample, gate Smooth) []float64 {
	out, b := make([]float64, len(s.P)), newBlock(min(blockRows, len(s.P)), len(n.A))
	for from := 0; from < len(out); from += blockRows {
		to := min(len(out), from+blockRows)
		b.values(n, gate, s, from, to)
		for i := range to - from {
			out[from+i] = n.readOutValues(b.value.RawRowView(i))
		}
	}
	return out
}

// Features returns σ_s(zᵢ) at every input, N×n.
func (n Net) Features(s data.Sample, gate Smooth) *mat.Dense {
	features, b := mat.NewDense(len(s.P), len(n.A), nil), newBlock(min(blockRows, len(s.P)), len(n.A))
	for from := 0; from < len(s.P); from += blockRows {
		to := min(len(s.P), from+blockRows)
		b.values(n, gate, s, from, to)
		for i := range to - from {
			copy(features.RawRowView(from+i), b.value.RawRowView(i))
		}
	}
	return features
}

// Step is one step of gradient descent on the hinge loss with injected noise and the penalty Σᵢ λ_a aᵢ² + λ_w‖wᵢ‖²: W
// becomes KeepW·W − Rate·∂L/∂W with KeepW = 1 − 2·Rate·λ_w, A likewise, and B becomes B − Rate·∂L/∂B. KeepW = 0
// forgets.
type Step struct {
	Rate         float64
	Noise        Smooth
	KeepW, KeepA float64
}

// Descend returns the network after a step, and the gradient that it took.
func (n Net) Descend(s data.Sample, step Step) (Net, Gradient) {
	g := n.Gradient(s, step.Noise)
	next := Net{mat.DenseCopyOf(n.W), append([]float64{}, n.B...), append([]float64{}, n.A...)}
	for i := range next.A {
		row := next.W.RawRowView(i)
		floats.Scale(step.KeepW, row)
		floats.AddScaled(row, -step.Rate, g.W.RawRowView(i))
		next.B[i] -= step.Rate * g.B[i]
		next.A[i] = step.KeepA*next.A[i] - step.Rate*g.A[i]
	}
	return next, g
}
