package nn

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
)

// Head is one head of self-attention: the projections to queries, keys and values, and of the contexts to the output.
type Head struct {
	Q, K *mat.Dense // k×d
	V    *mat.Dense // v×d
	O    *mat.Dense // out×v
}

// Attention is a block of self-attention, Y = Σ O·V·X·Pᵀ over its heads, for a sequence X of tokens, one per column.
// Row t of P (T×T) is the softmax of Scale·(Q xₜ)·(K xᵤ) over the keys u that token t may see. There is no skip
// connection.
type Attention struct {
	Heads  []Head
	Scale  float64 // β, by custom 1/√k
	Causal bool    // a token sees itself and those before it
}

// HeadPass holds the results of a forward and backward pass of one sequence through a head.
type HeadPass struct {
	Queries, Keys, Values *mat.Dense // a column per token
	Weights               *mat.Dense // P, T×T, a row per query
	Contexts              *mat.Dense // V X Pᵀ, v×T

	ContextGrad                   *mat.Dense // ∂loss/∂Contexts
	WeightGrad                    *mat.Dense // ∂loss/∂P
	ScoreGrad                     *mat.Dense // ∂loss/∂(scores), zero where a token sees nothing
	QueryGrad, KeyGrad, ValueGrad *mat.Dense
}

// Forward returns Y (out×T), and what the pass leaves behind in each head.
func (a Attention) Forward(x *mat.Dense) (y *mat.Dense, passes []HeadPass) {
	for _, h := range a.Heads {
		p := HeadPass{Queries: algebra.Product(h.Q, x), Keys: algebra.Product(h.K, x), Values: algebra.Product(h.V, x)}
		p.attend(a.Scale, a.Causal)
		out := algebra.Product(h.O, p.Contexts)
		if y == nil {
			y = out
		} else {
			y.Add(y, out)
		}
		passes = append(passes, p)
	}
	return y, passes
}

// attend goes from queries, keys and values to the contexts.
func (p *HeadPass) attend(scale float64, causal bool) {
	p.Weights = algebra.Product(p.Queries.T(), p.Keys)
	tokens, _ := p.Weights.Dims()
	for t := range tokens {
		row := p.Weights.RawRowView(t)
		if causal {
			clear(row[t+1:]) // before the exponential, which may overflow there
			row = row[:t+1]
		}
		softmax(row, scale)
	}
	p.Contexts = algebra.Product(p.Values, p.Weights.T())
}

// softmax replaces s by the softmax of scale·s.
func softmax(s []float64, scale float64) {
	top, sum := math.Inf(-1), 0.0
	for u := range s {
		s[u] *= scale
		top = max(top, s[u])
	}
	for u := range s {
		s[u] = math.Exp(s[u] - top)
		sum += s[u]
	}
	for u := range s {
		s[u] /= sum
	}
}

// backward completes a pass, for the gradient in its contexts.
func (p *HeadPass) backward(scale float64, contextGrad *mat.Dense) {
	p.ContextGrad = contextGrad
	p.WeightGrad = algebra.Product(p.ContextGrad.T(), p.Values)
	p.ValueGrad = algebra.Product(p.ContextGrad, p.Weights)
	p.ScoreGrad = mat.DenseCopyOf(p.Weights) // becomes P∘(M − (P∘M)11ᵀ), M the gradient in P
	tokens, _ := p.Weights.Dims()
	for t := range tokens {
		row, m, mean := p.ScoreGrad.RawRowView(t), p.WeightGrad.RawRowView(t), 0.0
		for u, weight := range row {
			mean += weight * m[u]
		}
		for u := range row {
			row[u] *= m[u] - mean
		}
	}
	p.QueryGrad = algebra.Product(p.Keys, p.ScoreGrad.T())
	p.KeyGrad = algebra.Product(p.Queries, p.ScoreGrad)
	p.QueryGrad.Scale(scale, p.QueryGrad)
	p.KeyGrad.Scale(scale, p.KeyGrad)
}

// HeadBatch is a head's view of a batch of sequences: what each projection sees as a layer, one token per column,
// sequence after sequence. The gradient in a projection's input is the gradient of this projection alone: in the
// tokens, Q, K and V of every head add up.
type HeadBatch struct {
	Q, K, V, O Batch
	Passes     []HeadPass // a sequence each
}

// Batches runs every sequence through the block and collects what the projections of every head see. outputGrad returns
// the gradient of the loss in the output y of sequence i.
func (a Attention) Batches(sequences []*mat.Dense, outputGrad func(i int, y *mat.Dense) *mat.Dense) []HeadBatch {
	all := make([]HeadBatch, len(a.Heads))
	for i, x := range sequences {
		y, passes := a.Forward(x)
		g := outputGrad(i, y)
		for k, h := range a.Heads {
			p := &passes[k]
			p.backward(a.Scale, algebra.Product(h.O.T(), g))
			b := &all[k]
			b.Q.extend(h.Q, x, p.QueryGrad)
			b.K.extend(h.K, x, p.KeyGrad)
			b.V.extend(h.V, x, p.ValueGrad)
			b.O.extend(h.O, p.Contexts, g)
			b.Passes = append(b.Passes, *p)
		}
	}
	return all
}

// extend appends the columns of a sequence to what a projection sees.
func (b *Batch) extend(w, inputs, preGrads *mat.Dense) {
	b.Inputs = beside(b.Inputs, inputs)
	b.PreGrads = beside(b.PreGrads, preGrads)
	b.InputGrads = beside(b.InputGrads, algebra.Product(w.T(), preGrads))
}

// beside appends the columns of b to the columns of a, which may be nil.
func beside(a, b *mat.Dense) *mat.Dense {
	if a == nil {
		return b
	}
	return algebra.Beside(a, b)
}
