package tangent

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// averagedBlock bounds the memory of the features that [Path.AveragedKernel] forms at a time, in numbers.
const averagedBlock = 6 << 20

// AveragedKernel returns the Gram matrix (n×n) of the averaged tangent features, which it never forms as a whole.
//
// In the first layer the input is the same all along the path: pre-activations are linear between those at the ends,
// averaging concerns the gradients alone, and the kernel is a product of two Gram matrices. In the others the averaged
// features of a sample are a product (out×T)·(T×in) over the T nodes. What is cheaper: a block of output units at a
// time is formed and multiplied, n(n+2T)·out·in flops; or Σ wₖwₗ(DₖDₗᵀ)∘(HₖHₗᵀ) is taken over pairs of nodes, which
// is n²T²·(out+in) flops, and less in wide layers. The sweeps cost two products with the samples, and two for each
// further layer and node.
func (p Path) AveragedKernel(samples *mat.Dense, r Rule) *mat.Dense {
	n, in := samples.Dims()
	first := []*mat.Dense{p.Start[0].W, p.End[0].W}
	for i, net := range []nn.Net{p.Start, p.End} {
		out, _ := first[i].Dims()
		first[i] = mat.NewDense(n, out, nil)
		affine(first[i], samples, net[0])
	}
	net := append(nn.Net{p.Start[0]}, Path{p.Start[1:], p.End[1:]}.At(0)...)
	s, layers := newSweep(net, n), make([]nodes, len(net))
	for k, t := range r.Nodes {
		p.moveTo(t, net[1:])
		interpolate(s.pre[0].RawMatrix().Data, t, first[0].RawMatrix().Data, first[1].RawMatrix().Data)
		s.run(net)
		for l := range net {
			layers[l].add(k, len(r.Nodes), r.Weights[k], s.d[l], s.full[l])
		}
	}
	kernel := dense.Gram(layers[0].d)
	kernel.MulElem(kernel, dense.Gram(withOnes(samples, n, in, net[0].B != nil)))
	for _, layer := range layers[1:] {
		layer.addKernel(kernel, len(r.Nodes))
	}
	return kernel
}

// moveTo sets the layers of the path but the first to those at t.
func (p Path) moveTo(t float64, net nn.Net) {
	for l, layer := range net {
		from, to := p.Start[l+1], p.End[l+1]
		interpolate(layer.W.RawMatrix().Data, t, flatten(from.W), flatten(to.W))
		interpolate(layer.B, t, from.B, to.B)
	}
}

// interpolate sets dst to (1−t)·a + t·b.
func interpolate(dst []float64, t float64, a, b []float64) {
	for i, x := range a {
		dst[i] = (1-t)*x + t*b[i]
	}
}

// nodes are the factors of one layer at all nodes of a rule: row i·T + k belongs to sample i at node k. D has the
// weights of the rule. Where H stays as it is, and is nil, D is averaged (n×out).
type nodes struct{ d, h *mat.Dense }

func (s *nodes) add(k, count int, weight float64, d, h *mat.Dense) {
	n, out := d.Dims()
	if s.d == nil && h == nil {
		s.d = mat.NewDense(n, out, nil)
	} else if s.d == nil {
		_, in := h.Dims()
		s.d, s.h = mat.NewDense(n*count, out, nil), mat.NewDense(n*count, in, nil)
	}
	for i := range n {
		if h == nil {
			floats.AddScaled(s.d.RawRowView(i), weight, d.RawRowView(i))
			continue
		}
		floats.ScaleTo(s.d.RawRowView(i*count+k), weight, d.RawRowView(i))
		copy(s.h.RawRowView(i*count+k), h.RawRowView(i))
	}
}

// addKernel adds the layer's part of the kernel by the way with fewer flops.
func (s *nodes) addKernel(kernel *mat.Dense, count int) {
	n, _ := kernel.Dims()
	_, out := s.d.Dims()
	_, in := s.h.Dims()
	if n*count*count*(out+in) < (n+2*count)*out*in {
		s.addPairs(kernel, count)
		return
	}
	s.eachBlock(n, count, func(features *mat.Dense) { dense.AddGram(kernel, features) })
}

// addPairs adds Σ (DₖDₗᵀ)∘(HₖHₗᵀ) over all pairs of nodes.
func (s *nodes) addPairs(kernel *mat.Dense, count int) {
	n, _ := kernel.Dims()
	d, h := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for k := range count {
		for l := range k + 1 {
			dense.Gemm(d, 1, everyNth(s.d, k, count), everyNth(s.d, l, count).T(), 0)
			dense.Gemm(h, 1, everyNth(s.h, k, count), everyNth(s.h, l, count).T(), 0)
			d.MulElem(d, h)
			kernel.Add(kernel, d)
			if l < k {
				kernel.Add(kernel, d.T())
			}
		}
	}
}

// everyNth is a view of the rows first, first+n, first+2n, …
func everyNth(m *mat.Dense, first, n int) *mat.Dense {
	raw := m.RawMatrix()
	raw.Data, raw.Rows, raw.Stride = raw.Data[first*raw.Stride:], raw.Rows/n, n*raw.Stride
	var view mat.Dense
	view.SetRawMatrix(raw)
	return &view
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
