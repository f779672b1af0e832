package tangent

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/dense"
	"github.com/thm-suite/thm/impl/nn"
)

// Factors are the tangent features of one layer, D[i] ⊗ H[i] for sample i: they have rank one.
type Factors struct {
	D *mat.Dense // n×out, gradient of the network's output in the pre-activation
	H *mat.Dense // n×in, the layer's input; a further column of ones where the layer has biases
}

// FactorsOf returns the factors of every layer of a network with one output for the rows of samples. Layers that skip
// are not supported. Cost: two products per layer, each of 2n·out·in flops.
func FactorsOf(net nn.Net, samples *mat.Dense) []Factors {
	n, _ := samples.Dims()
	all, h := make([]Factors, len(net)), samples
	for l, layer := range net {
		out, in := layer.W.Dims()
		if layer.Skip {
			panic("tangent: layers that skip have no factors")
		}
		z := dense.Gemm(mat.NewDense(n, out, nil), 1, h, layer.W.T(), 0)
		all[l].D, all[l].H = mat.NewDense(n, out, nil), h
		if layer.B != nil {
			all[l].H = mat.NewDense(n, in+1, nil)
		}
		next := mat.NewDense(n, out, nil)
		for i := range n {
			if layer.B != nil {
				copy(all[l].H.RawRowView(i), h.RawRowView(i))
				all[l].H.Set(i, in, 1)
			}
			values, slopes, to := z.RawRowView(i), all[l].D.RawRowView(i), next.RawRowView(i)
			for j, v := range values {
				if layer.B != nil {
					v += layer.B[j]
				}
				slopes[j], to[j] = layer.Act.Slope(v), layer.Act.Value(v)
			}
		}
		h = next
	}
	if _, outputs := h.Dims(); outputs != 1 {
		panic("tangent: tangent features need a network with one output")
	}
	for l := len(net) - 2; l >= 0; l-- {
		_, out := all[l].D.Dims()
		back := dense.Gemm(mat.NewDense(n, out, nil), 1, all[l+1].D, net[l+1].W, 0)
		all[l].D.MulElem(all[l].D, back)
	}
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

// averagedBlock bounds the memory of the features that [Path.AveragedKernel] forms at a time, in numbers.
const averagedBlock = 4 << 20

// AveragedKernel returns the Gram matrix (n×n) of the averaged tangent features, which it never forms as a whole. In
// the first layer the input is the same all along the path: averaging concerns the gradients alone, and the kernel is a
// product of two Gram matrices. In the others the averaged features of a sample are a product (out×T)·(T×in) over the T
// nodes; a block of output units at a time is formed and multiplied. Cost: about n²·out·in flops per layer but the
// first, and 2T·out·in per sample.
func (p Path) AveragedKernel(samples *mat.Dense, r Rule) *mat.Dense {
	n, _ := samples.Dims()
	layers := make([]nodes, len(p.Start))
	var k *mat.Dense
	for t, at := range r.Nodes {
		for l, f := range FactorsOf(p.At(at), samples) {
			layers[l].add(l == 0, t, len(r.Nodes), r.Weights[t], f)
		}
	}
	k = dense.Gram(layers[0].d)
	k.MulElem(k, dense.Gram(layers[0].h))
	part := mat.NewDense(n, n, nil)
	for _, layer := range layers[1:] {
		layer.eachBlock(n, len(r.Nodes), func(features *mat.Dense) {
			k.Add(k, dense.GramInto(part, features))
		})
	}
	return k
}

// nodes are the factors of one layer at all nodes of a rule: row i·T + t belongs to sample i at node t. Of the first
// layer they are the averaged D (n×out) and the constant H.
type nodes struct{ d, h *mat.Dense }

func (s *nodes) add(first bool, t, count int, weight float64, f Factors) {
	n, out := f.D.Dims()
	_, in := f.H.Dims()
	f.D.Scale(weight, f.D)
	if first {
		if s.d == nil {
			s.d, s.h = mat.NewDense(n, out, nil), f.H
		}
		s.d.Add(s.d, f.D)
		return
	}
	if s.d == nil {
		s.d, s.h = mat.NewDense(n*count, out, nil), mat.NewDense(n*count, in, nil)
	}
	for i := range n {
		copy(s.d.RawRowView(i*count+t), f.D.RawRowView(i))
		copy(s.h.RawRowView(i*count+t), f.H.RawRowView(i))
	}
}

// eachBlock forms the averaged features of some output units after the other, n×(units·in), in the same memory.
func (s *nodes) eachBlock(n, count int, use func(features *mat.Dense)) {
	_, out := s.d.Dims()
	_, in := s.h.Dims()
	units := min(out, max(1, averagedBlock/(n*in)))
	var features *mat.Dense
	for from := 0; from < out; from += units {
		to := min(out, from+units)
		features = dense.Sized(features, n, (to-from)*in)
		for i := range n {
			d := s.d.Slice(i*count, (i+1)*count, from, to).(*mat.Dense)
			h := s.h.Slice(i*count, (i+1)*count, 0, in).(*mat.Dense)
			dense.Gemm(mat.NewDense(to-from, in, features.RawRowView(i)), 1, d.T(), h, 0)
		}
		use(features)
	}
}
