package tangent

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// moving are the parameters of a layer and how fast they move.
type moving struct {
	nn.Layer
	speed *mat.Dense
	shift []float64
}

func newMoving(layer nn.Layer) *moving {
	out, in := layer.W.Dims()
	return &moving{layer, mat.NewDense(out, in, nil), make([]float64, len(layer.B))}
}

// move takes one step for gradients d in the pre-activations at inputs h.
func (m *moving) move(rate, momentum float64, d, h *mat.Dense) {
	dense.Gemm(m.speed, 1, d.T(), h, momentum)
	floats.AddScaled(m.W.RawMatrix().Data, -rate, m.speed.RawMatrix().Data)
	m.moveBias(rate, momentum, d)
}

func (m *moving) moveBias(rate, momentum float64, d *mat.Dense) {
	if m.B == nil {
		return
	}
	n, _ := d.Dims()
	floats.Scale(momentum, m.shift)
	for i := range n {
		floats.Add(m.shift, d.RawRowView(i))
	}
	floats.AddScaled(m.B, -rate, m.shift)
}

// entry is the first layer while it is trained on some rows of the samples.
type entry interface {
	enter(pre *mat.Dense, rows []int)
	learn(rate, momentum float64, d *mat.Dense, rows []int)
	finish() // leaves the parameters in the layer
}

func newEntry(layer nn.Layer, samples *mat.Dense, batch int) entry {
	if n, in := samples.Dims(); n < in {
		return newSpanned(layer, samples, batch)
	}
	return newDirect(layer, samples, batch)
}

// direct multiplies weights with samples.
type direct struct {
	*moving
	samples, batch *mat.Dense
}

func newDirect(layer nn.Layer, samples *mat.Dense, batch int) *direct {
	_, in := samples.Dims()
	return &direct{newMoving(layer), samples, mat.NewDense(batch, in, nil)}
}

func (e *direct) enter(pre *mat.Dense, rows []int) {
	gather(e.batch, e.samples, rows)
	affine(pre, e.batch, e.Layer)
}

func (e *direct) learn(rate, momentum float64, d *mat.Dense, _ []int) {
	e.move(rate, momentum, d, e.batch)
}

func (e *direct) finish() {}

// spanned knows that weights move in the span of the n samples: W = W₀ + CᵀX. It moves C (n×out), and needs XXᵀ only.
type spanned struct {
	*moving                         // whose speed is not used
	samples, gram, start *mat.Dense // X, XXᵀ, XW₀ᵀ
	c, speed             *mat.Dense // C and how fast it moves, n×out
	batch                *mat.Dense
}

func newSpanned(layer nn.Layer, samples *mat.Dense, batch int) *spanned {
	n, _ := samples.Dims()
	out, _ := layer.W.Dims()
	return &spanned{&moving{Layer: layer, shift: make([]float64, len(layer.B))}, samples, dense.Gram(samples),
		dense.Mul(samples, layer.W.T()), mat.NewDense(n, out, nil), mat.NewDense(n, out, nil),
		mat.NewDense(batch, n, nil)}
}

func (e *spanned) enter(pre *mat.Dense, rows []int) {
	gather(pre, e.start, rows)
	for i := range rows {
		if e.B != nil {
			floats.Add(pre.RawRowView(i), e.B)
		}
	}
	gather(e.batch, e.gram, rows)
	dense.Gemm(pre, 1, e.batch, e.c, 1)
}

func (e *spanned) learn(rate, momentum float64, d *mat.Dense, rows []int) {
	floats.Scale(momentum, e.speed.RawMatrix().Data)
	for i, row := range rows {
		floats.Add(e.speed.RawRowView(row), d.RawRowView(i))
	}
	floats.AddScaled(e.c.RawMatrix().Data, -rate, e.speed.RawMatrix().Data)
	e.moveBias(rate, momentum, d)
}

func (e *spanned) finish() { dense.Gemm(e.W, 1, e.c.T(), e.samples, 1) }

// gather copies rows of a matrix.
func gather(dst, from *mat.Dense, rows []int) {
	for i, row := range rows {
		copy(dst.RawRowView(i), from.RawRowView(row))
	}
}
