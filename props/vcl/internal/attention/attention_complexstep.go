package attention

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
)

// Probe is the loss of a block as a function of complex numbers: of the weights, of a private copy of the tokens for
// each projection of each head, and of what is added to outputs, contexts and products of weights. It differentiates by
// complex steps, Im loss(x + iε)/ε, which cancel nothing. Of the block it knows the definition alone, and no gradient.
type Probe struct {
	scale, cubic float64
	causal       bool
	mistake      Mistake
	heads        []probedHead
	sequences    []probedSequence
}

type probedHead struct {
	weights [4]matrix
	form    matrix // added to W_QᵀW_K
	product matrix // added to W_OW_V
}

type probedSequence struct {
	private [][3]matrix // by head: the tokens that Q, K and V see
	added   [][4]matrix // by head: to queries, keys, values and this head's part of the output
	context []matrix    // by head: added to the contexts
	target  matrix
}

// epsilon is far below the square root of the smallest number's, so that its square changes nothing.
const epsilon = 0x1p-130

// Probe returns the block as a function to differentiate.
func (b *Block) Probe() *Probe {
	p := &Probe{scale: b.Scale, cubic: b.Cubic, causal: b.Causal, mistake: b.Mistake}
	for _, h := range b.Heads {
		_, d := h.Q.Dims()
		out, _ := h.O.Dims()
		p.heads = append(p.heads, probedHead{
			weights: [4]matrix{complexOf(h.Q), complexOf(h.K), complexOf(h.V), complexOf(h.O)},
			form:    zeros(d, d), product: zeros(out, d)})
	}
	for i, x := range b.Tokens {
		_, tokens := x.Dims()
		s := probedSequence{target: complexOf(b.Targets[i])}
		for _, h := range p.heads {
			s.private = append(s.private, [3]matrix{complexOf(x), complexOf(x), complexOf(x)})
			var added [4]matrix
			for role, w := range h.weights {
				added[role] = zeros(w.rows, tokens)
			}
			s.added = append(s.added, added)
			s.context = append(s.context, zeros(h.weights[Values].rows, tokens))
		}
		p.sequences = append(p.sequences, s)
	}
	return p
}

// Weights is the gradient in the weights of a projection.
func (p *Probe) Weights(head int, role Role) *mat.Dense { return p.all(p.heads[head].weights[role]) }

// Form is the gradient N in W_QᵀW_K (d×d).
func (p *Probe) Form(head int) *mat.Dense { return p.all(p.heads[head].form) }

// Product is the gradient N′ in W_OW_V (out×d).
func (p *Probe) Product(head int) *mat.Dense { return p.all(p.heads[head].product) }

// Inputs is the gradient in what one projection of one head sees, nothing else seeing it: a private copy of the tokens,
// or the contexts of the head.
func (p *Probe) Inputs(head int, role Role) *mat.Dense {
	return p.each(func(s probedSequence) []matrix {
		if role == Output {
			return []matrix{s.context[head]}
		}
		return []matrix{s.private[head][role]}
	})
}

// Tokens is the gradient in the tokens, which all projections see.
func (p *Probe) Tokens() *mat.Dense {
	return p.each(func(s probedSequence) (all []matrix) {
		for _, copies := range s.private {
			all = append(all, copies[:]...)
		}
		return all
	})
}

// Signals is the gradient in the outputs of a projection: queries, keys, values or its part of the block's output.
func (p *Probe) Signals(head int, role Role) *mat.Dense {
	return p.each(func(s probedSequence) []matrix { return []matrix{s.added[head][role]} })
}

// Loss is the loss itself.
func (p *Probe) Loss() float64 {
	sum := 0.0
	for _, s := range p.sequences {
		sum += real(p.loss(s))
	}
	return sum
}

// all is the gradient of the loss of all sequences in one matrix.
func (p *Probe) all(m matrix) *mat.Dense {
	grad := mat.NewDense(m.rows, m.cols, nil)
	for _, s := range p.sequences {
		grad.Add(grad, p.gradient(s, []matrix{m}))
	}
	return grad
}

// each puts the gradients of the losses of the sequences, each in matrices of its own that move together, side by side.
func (p *Probe) each(of func(s probedSequence) []matrix) *mat.Dense {
	var all []*mat.Dense
	for _, s := range p.sequences {
		all = append(all, p.gradient(s, of(s)))
	}
	return algebra.Beside(all...)
}

func (p *Probe) gradient(s probedSequence, moving []matrix) *mat.Dense {
	grad := mat.NewDense(moving[0].rows, moving[0].cols, nil)
	for i := range grad.RawMatrix().Data {
		for _, m := range moving {
			m.at[i] += complex(0, epsilon)
		}
		grad.RawMatrix().Data[i] = imag(p.loss(s)) / epsilon
		for _, m := range moving {
			m.at[i] = complex(real(m.at[i]), 0)
		}
	}
	return grad
}

// loss is ½‖Y − Y*‖² + ⅓c ΣY³ of one sequence.
func (p *Probe) loss(s probedSequence) (sum complex128) {
	y := zeros(s.target.rows, s.target.cols)
	for k, h := range p.heads {
		x, added := s.private[k], s.added[k]
		queries, keys, values := added[Queries].plus(h.weights[Queries], x[Queries]),
			added[Keys].plus(h.weights[Keys], x[Keys]), added[Values].plus(h.weights[Values], x[Values])
		if p.mistake == Rotary {
			queries, keys = queries.rotated(), keys.rotated()
		}
		weights := p.softmax(queries, keys, x, h.form)
		contexts := s.context[k].plus(values, weights.transposed())
		y = added[Output].plus(h.weights[Output], contexts).add(y)
		y = y.plus(h.product, x[Values].times(weights.transposed()))
	}
	for i, v := range y.at {
		gap := v - s.target.at[i]
		sum += gap*gap/2 + complex(p.cubic/3, 0)*v*v*v
	}
	return sum
}

// softmax returns P, a row per query.
func (p *Probe) softmax(queries, keys matrix, x [3]matrix, form matrix) matrix {
	scores := queries.transposed().times(keys).add(x[Queries].transposed().times(form).times(x[Keys]))
	n := scores.rows
	seen := func(t, u int) bool { return u <= t || !p.causal }
	for t := range n {
		for u := range n {
			scores.at[t*n+u] *= complex(p.scale, 0)
		}
	}
	index := func(line, k int) (at int, ok bool) { return line*n + k, seen(line, k) }
	if p.mistake == OverQueries {
		index = func(line, k int) (at int, ok bool) { return k*n + line, seen(k, line) }
	}
	for line := range n {
		top, sum := math.Inf(-1), complex128(0)
		for k := range n {
			if at, ok := index(line, k); ok {
				top = math.Max(top, real(scores.at[at]))
			}
		}
		if p.mistake == Sink { // an extra key of score 0 takes its share
			top = math.Max(top, 0)
			sum = cmplx.Exp(complex(-top, 0))
		}
		for k := range n {
			at, ok := index(line, k)
			if !ok {
				scores.at[at] = 0
				continue
			}
			scores.at[at] = cmplx.Exp(scores.at[at] - complex(top, 0))
			sum += scores.at[at]
		}
		for k := range n {
			at, _ := index(line, k)
			scores.at[at] /= sum
		}
	}
	return scores
}

// matrix holds complex numbers row by row.
type matrix struct {
	rows, cols int
	at         []complex128
}

func zeros(rows, cols int) matrix { return matrix{rows, cols, make([]complex128, rows*cols)} }

func complexOf(a *mat.Dense) matrix {
	rows, cols := a.Dims()
	m := zeros(rows, cols)
	for i, v := range mat.DenseCopyOf(a).RawMatrix().Data {
		m.at[i] = complex(v, 0)
	}
	return m
}

func (m matrix) times(b matrix) matrix { return zeros(m.rows, b.cols).plus(m, b) }

// plus is m + AB.
func (m matrix) plus(a, b matrix) matrix {
	out := zeros(m.rows, m.cols)
	copy(out.at, m.at)
	for i := range a.rows {
		row := out.at[i*out.cols : (i+1)*out.cols]
		for k := range a.cols {
			factor := a.at[i*a.cols+k]
			for j, v := range b.at[k*b.cols : (k+1)*b.cols] {
				row[j] += factor * v
			}
		}
	}
	return out
}

// add adds b to m in place.
func (m matrix) add(b matrix) matrix {
	for i, v := range b.at {
		m.at[i] += v
	}
	return m
}

func (m matrix) transposed() matrix {
	out := zeros(m.cols, m.rows)
	for i := range m.rows {
		for j := range m.cols {
			out.at[j*m.rows+i] = m.at[i*m.cols+j]
		}
	}
	return out
}

// rotated turns pairs of coordinates of column t by t times an angle of the pair's own, as rotary positions do.
func (m matrix) rotated() matrix {
	out := zeros(m.rows, m.cols)
	copy(out.at, m.at)
	for i := 0; i+1 < m.rows; i += 2 {
		for t := range m.cols {
			sin, cos := math.Sincos(float64(t) / float64(1+i))
			a, b := m.at[i*m.cols+t], m.at[(i+1)*m.cols+t]
			out.at[i*m.cols+t] = complex(cos, 0)*a - complex(sin, 0)*b
			out.at[(i+1)*m.cols+t] = complex(sin, 0)*a + complex(cos, 0)*b
		}
	}
	return out
}
