package tangent

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// sweep takes samples through a network with one output and back, in memory that the next sweep uses again. What the
// first layer makes of the samples is left to the caller, who may know it more cheaply.
type sweep struct {
	pre  []*mat.Dense // n×out: pre-activations
	in   []*mat.Dense // n×in: inputs of layers, those of the first are nil; a view of full
	full []*mat.Dense // n×in, with a further column of ones where the layer has biases
	d    []*mat.Dense // n×out: gradients of the output in the pre-activations
	back []*mat.Dense // n×out
	out  []float64    // n: outputs
}

func newSweep(net nn.Net, n int) *sweep {
	layers := len(net)
	s := &sweep{out: make([]float64, n)}
	for _, of := range []*[]*mat.Dense{&s.pre, &s.in, &s.full, &s.d, &s.back} {
		*of = make([]*mat.Dense, layers)
	}
	for l, layer := range net {
		out, in := layer.W.Dims()
		if layer.Skip {
			panic("tangent: layers that skip have no factors")
		}
		s.pre[l], s.d[l], s.back[l] = mat.NewDense(n, out, nil), mat.NewDense(n, out, nil), mat.NewDense(n, out, nil)
		if l > 0 {
			s.full[l] = withOnes(nil, n, in, layer.B != nil)
			s.in[l] = s.full[l].Slice(0, n, 0, in).(*mat.Dense)
		}
	}
	if outputs, _ := net[layers-1].W.Dims(); outputs != 1 {
		panic("tangent: tangent features need a network with one output")
	}
	return s
}

// withOnes is an n×in matrix, or zeros, with a further column of ones where there are biases.
func withOnes(from *mat.Dense, n, in int, biases bool) *mat.Dense {
	if !biases {
		if from != nil {
			return from
		}
		return mat.NewDense(n, in, nil)
	}
	m := mat.NewDense(n, in+1, nil)
	for i := range n {
		if from != nil {
			copy(m.RawRowView(i), from.RawRowView(i))
		}
		m.Set(i, in, 1)
	}
	return m
}

// affine sets z to h·Wᵀ + b.
func affine(z, h *mat.Dense, layer nn.Layer) {
	n, out := z.Dims()
	beta := 0.0
	if layer.B != nil {
		beta = 1
		raw := z.RawMatrix().Data
		for i := range n {
			copy(raw[i*out:], layer.B)
		}
	}
	dense.Gemm(z, 1, h, layer.W.T(), beta)
}

// run sweeps through the network; pre[0] holds the pre-activations of its first layer. Cost: two products for each
// further layer, each of 2n·out·in flops.
func (s *sweep) run(net nn.Net) {
	n, last := len(s.out), len(net)-1
	for l, layer := range net {
		if l > 0 {
			affine(s.pre[l], s.in[l], layer)
		}
		for i := range n {
			to := s.out[i : i+1]
			if l < last {
				to = s.in[l+1].RawRowView(i)
			}
			layer.Act.Apply(to, s.d[l].RawRowView(i), s.pre[l].RawRowView(i))
		}
	}
	for l := last - 1; l >= 0; l-- {
		dense.Gemm(s.back[l], 1, s.d[l+1], net[l+1].W, 0)
		floats.Mul(s.d[l].RawMatrix().Data, s.back[l].RawMatrix().Data)
	}
}

// Factors are the tangent features of one layer, D[i] ⊗ H[i] for sample i: they have rank one.
type Factors struct {
	D *mat.Dense // n×out, gradient of the network's output in the pre-activation
	H *mat.Dense // n×in, the layer's input; a further column of ones where the layer has biases
}

// FactorsOf returns the factors of every layer of a network with one output for the rows of samples. Layers that skip
// are not supported. Cost: two products per layer, each of 2n·out·in flops.
func FactorsOf(net nn.Net, samples *mat.Dense) []Factors {
	n, in := samples.Dims()
	s := newSweep(net, n)
	affine(s.pre[0], samples, net[0])
	s.run(net)
	all := make([]Factors, len(net))
	for l := range net {
		all[l] = Factors{s.d[l], s.full[l]}
	}
	all[0].H = withOnes(samples, n, in, net[0].B != nil)
	return all
}

// LayerKernel returns the tangent kernel Σ (D·Dᵀ) ∘ (H·Hᵀ) over layers (n×n).
func LayerKernel(all []Factors) *mat.Dense {
	var k *mat.Dense
	for _, f := range all {
		part := dense.Gram(f.D)
		part.MulElem(part, dense.Gram(f.H))
		if k == nil {
			k = part
		} else {
			k.Add(k, part)
		}
	}
	return k
}
