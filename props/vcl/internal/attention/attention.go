// Package attention draws blocks of self-attention for the claims about them, and differentiates their loss
// independently by complex steps.
//
// The laws of a layer hold for any signal from a backward pass, because WᵀΓ·Xᵀ = Wᵀ·ΓXᵀ. They test attention only where
// the gradient in the weights and the gradient in the tokens come from two different differentiations.
package attention

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
)

// Role is one of the four projections of a head.
type Role int

// The projections.
const (
	Queries Role = iota
	Keys
	Values
	Output
)

// Roles are their names.
var Roles = []string{"queries", "keys", "values", "output"}

// Mistake is a block that departs from the statements.
type Mistake int

// The blocks of the controls.
const (
	None        Mistake = iota
	Sink                // a key of score 0 that is nobody's takes a share of every query
	OverQueries         // softmax over the queries of a key
	Rotary              // queries and keys are turned by their positions
)

// Block is a block of self-attention, its batch and its loss, Σ ½‖Y − Y*‖² + ⅓c ΣY³ over the sequences.
type Block struct {
	nn.Attention
	Tokens, Targets []*mat.Dense // by sequence, a column per token
	Cubic           float64      // c
	Mistake         Mistake      // of the probe
}

// Like holds the properties that a drawn block is to have.
type Like struct {
	Heads, Sequences int  // at least
	Square           bool // as many entries of an output as of a token
	Wide             bool // at least half as many entries of a token as of a query
	Narrow           bool // more entries of a token than of queries, keys and values
}

// Draw draws a block of up to three heads on up to three sequences of two to five tokens. Its queries and keys are
// small enough for the softmax not to be saturated.
func Draw(t *props.T, like Like) *Block {
	d, k, v, out := gen.Dim(t.T, "d", 5), gen.Dim(t.T, "d_k", 4), gen.Dim(t.T, "d_v", 4), gen.Dim(t.T, "d_o", 4)
	if like.Square {
		out = d
	}
	if like.Wide {
		d = max(d, (k+1)/2)
	}
	if like.Narrow {
		d = max(d, 2)
		k, v = min(k, d-1), min(v, d-1)
	}
	tokens := 1 + gen.Dim(t.T, "T−1", 4)
	b := &Block{Cubic: float64(rapid.IntRange(0, 1).Draw(t.T, "c")) / 4}
	b.Causal = rapid.Bool().Draw(t.T, "causal")
	b.Scale = gen.LogUniform(t.T, "β√d_k", 0.5, 2) / math.Sqrt(float64(k))
	scale := gen.LogUniform(t.T, "scale", 0.3, 1)
	r := t.Stream("entries")
	for range max(like.Heads, gen.Dim(t.T, "h", 3)) {
		b.Heads = append(b.Heads, nn.Head{Q: gen.Gaussian(r, k, d, scale), K: gen.Gaussian(r, k, d, scale),
			V: gen.Gaussian(r, v, d, 1), O: gen.Gaussian(r, out, v, 1)})
	}
	for range max(like.Sequences, gen.Dim(t.T, "B", 3)) {
		b.Tokens = append(b.Tokens, gen.Gaussian(r, d, tokens, 1))
		b.Targets = append(b.Targets, gen.Gaussian(r, out, tokens, 1))
	}
	return b
}

// DrawDyadic draws a block on which all arithmetic is exact. Queries are zero where keys are not, so that every score
// is zero and every weight one half; but for the last coordinate, which no token has, and through which the laws of
// queries and keys are not 0 = 0. Entries are small integers: no fourth-order product of the law exceeds 2⁵³ units.
func DrawDyadic(t *props.T) *Block {
	d, v, out := 1+gen.Dim(t.T, "d−1", 2), gen.Dim(t.T, "d_v", 2), gen.Dim(t.T, "d_o", 2)
	b := &Block{Attention: nn.Attention{Scale: 0.5, Causal: rapid.Bool().Draw(t.T, "causal")}}
	r := t.Stream("entries")
	h := nn.Head{Q: gen.Integers(r, 4, d, 1), K: gen.Integers(r, 4, d, 1), V: gen.Integers(r, v, d, 1),
		O: gen.Integers(r, out, v, 1)}
	for i := range 2 {
		for j := range d - 1 {
			h.Q.Set(2+i, j, 0)
			h.K.Set(i, j, 0)
		}
	}
	b.Heads = []nn.Head{h}
	for range gen.Dim(t.T, "B", 2) {
		x := gen.Integers(r, d, 2, 2)
		x.SetRow(d-1, make([]float64, 2))
		b.Tokens, b.Targets = append(b.Tokens, x), append(b.Targets, gen.Integers(r, out, 2, 2))
	}
	return b
}

// Mixed are the mixed tokens XPᵀ of a head.
func (b *Block) Mixed(head int) *mat.Dense {
	var all []*mat.Dense
	for _, x := range b.Tokens {
		_, passes := b.Forward(x)
		all = append(all, algebra.Product(x, passes[head].Weights.T()))
	}
	return algebra.Beside(all...)
}

// With is the block with other weights of one projection.
func (b *Block) With(head int, role Role, w *mat.Dense) *Block {
	next := *b
	next.Heads = slices.Clone(b.Heads)
	h := &next.Heads[head]
	*[...]**mat.Dense{&h.Q, &h.K, &h.V, &h.O}[role] = w
	return &next
}

// OutputGrad is the gradient of the loss in the output of a sequence.
func (b *Block) OutputGrad(i int, y *mat.Dense) *mat.Dense {
	var g mat.Dense
	g.Apply(func(r, c int, v float64) float64 { return v - b.Targets[i].At(r, c) + b.Cubic*v*v }, y)
	return &g
}

// Views returns the batches of each head's projections, by the block's own backward pass.
func (b *Block) Views() []nn.HeadBatch { return b.Batches(b.Tokens, b.OutputGrad) }

// View returns the batch of a projection.
func View(h nn.HeadBatch, role Role) nn.Batch { return [...]nn.Batch{h.Q, h.K, h.V, h.O}[role] }

// Weights returns the weights of a projection.
func Weights(h nn.Head, role Role) *mat.Dense { return [...]*mat.Dense{h.Q, h.K, h.V, h.O}[role] }

// Sum adds up matrices of one shape.
func Sum(all ...*mat.Dense) *mat.Dense {
	sum := mat.DenseCopyOf(all[0])
	for _, m := range all[1:] {
		sum.Add(sum, m)
	}
	return sum
}

// Apart bounds how far two differentiations may put the signal Γ of a projection apart, in Frobenius norm, per ‖H‖ of
// the given inputs: the gradient in its weights is then apart by at most ‖H‖ times that, and the one in its inputs by
// ‖W‖ times it.
//
// An error of a score becomes a relative error of P. With all terms of a product taken in absolute value, scores reach
// σ, and each is known to (2d + k + 4)uσ; the common maximum cancels. So P is known to a relative 2(2d + k + 4)uσ +
// (T + 8)u. It enters the loss' gradient in Y, twice where that is squared, the signal at the scores once more, and the
// values' signal again: four times. The other products are of length d, v, T (the contexts), v and out (their
// gradient), v, d (that in P), T and d + T, each once or, where squared, twice: at most 4T + 4d + 3v + out, plus h for
// the sum over heads, BT for that over all tokens, and 3 for the Jacobian. All are relative to the signal with absolute
// values in place of every term. Twice for the two differentiations, and as much again for complex arithmetic. Contexts
// are known to their terms only, whose absolute values may exceed them.
func (b *Block) Apart(head int, role Role, inputs *mat.Dense) float64 {
	var sigma, signal, seen float64
	for i := range b.Tokens {
		a := b.absolute(i, head, role)
		sigma, signal, seen = max(sigma, a.scores), math.Hypot(signal, a.signal), math.Hypot(seen, a.inputs)
	}
	return b.relative(head, sigma) * signal * max(1, seen/mat.Norm(inputs, 2))
}

// FormApart bounds, in the same way, how far two differentiations may put the gradient in W_QᵀW_K apart. It has two
// products with the tokens where a signal has one with keys or queries.
func (b *Block) FormApart(head int) float64 {
	var sigma, form float64
	for i := range b.Tokens {
		a := b.absolute(i, head, Queries)
		sigma, form = max(sigma, a.scores), form+a.form
	}
	return b.relative(head, sigma) * form
}

// relative is the count of roundings of [Block.Apart].
func (b *Block) relative(head int, sigma float64) float64 {
	h := b.Heads[head]
	k, d := h.Q.Dims()
	out, v := h.O.Dims()
	_, tokens := b.Tokens[0].Dims()
	count := 8*float64(2*d+k+4)*sigma + float64(8*tokens+32+4*d+3*v+out+len(b.Heads)+len(b.Tokens)*tokens+3)
	return 4 * count * roundoff.Unit
}

// sizes are the largest score of a sequence and the norms of a projection's signal and inputs and of the gradient in
// W_QᵀW_K, with absolute values in place of all terms.
type sizes struct{ scores, signal, inputs, form float64 }

func (b *Block) absolute(i, head int, role Role) sizes {
	x, target := abs(b.Tokens[i]), abs(b.Targets[i])
	y, passes := b.Forward(b.Tokens[i])
	y.Zero()
	for a, p := range passes {
		h := b.Heads[a]
		y.Add(y, algebra.Product(abs(h.O), abs(h.V), x, p.Weights.T()))
	}
	var g mat.Dense
	g.Apply(func(r, c int, v float64) float64 { return v + target.At(r, c) + b.Cubic*v*v }, y)
	h, p := b.Heads[head], passes[head].Weights
	queries, keys, values := algebra.Product(abs(h.Q), x), algebra.Product(abs(h.K), x), algebra.Product(abs(h.V), x)
	scores := algebra.Product(queries.T(), keys)
	scores.Apply(func(t, u int, s float64) float64 {
		if b.Causal && u > t {
			return 0
		}
		return b.Scale * s
	}, scores)
	e := algebra.Product(abs(h.O).T(), &g)
	m := algebra.Product(e.T(), values)
	var r mat.Dense
	r.Apply(func(t, u int, weight float64) float64 {
		return weight * (m.At(t, u) + mat.Dot(p.RowView(t), m.RowView(t)))
	}, p)
	signal := [...]func() *mat.Dense{
		func() *mat.Dense { return algebra.Scaled(b.Scale, algebra.Product(keys, r.T())) },
		func() *mat.Dense { return algebra.Scaled(b.Scale, algebra.Product(queries, &r)) },
		func() *mat.Dense { return algebra.Product(e, p) },
		func() *mat.Dense { return &g },
	}[role]()
	inputs := x
	if role == Output {
		inputs = algebra.Product(values, p.T())
	}
	form := algebra.Scaled(b.Scale, algebra.Product(x, &r, x.T()))
	return sizes{mat.Max(scores), mat.Norm(signal, 2), mat.Norm(inputs, 2), mat.Norm(form, 2)}
}

func abs(a mat.Matrix) *mat.Dense {
	var out mat.Dense
	out.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, a)
	return &out
}
