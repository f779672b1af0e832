package nn

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Transformer maps a sequence of tokens to outputs at every position. With h the rows of a batch, one per token,
//
//	h = x Embedᵀ,  then in every block  h += attention(h)  and  h += σ(h Upᵀ) Downᵀ,  then f = h Readoutᵀ.
//
// Where x is one at a token and at its position (see [Transformer.Encode]), Embed holds the embeddings of both as its
// columns. There are no biases and no normalisation: every parameter is the matrix of a stage.
type Transformer struct {
	Length  int   // T, tokens in a sequence: rows 0 to T−1 of a batch are the first one
	Embed   Stage // d×(vocabulary+T)
	Blocks  []Block
	Readout Stage // classes×d
	Heads   int   // of attention, divides the rows of Q, K and V
	Causal  bool  // a token sees itself and those before it
	Loss    Loss
}

// Block is attention, with the heads one below another in Q, K and V and side by side in O, and a hidden layer.
type Block struct{ Q, K, V, O, Up, Down Stage }

// perBlock is the number of stages of a block.
const perBlock = 6

// stages lists the stages of a block in the order of its views.
func (b *Block) stages() [perBlock]*Stage { return [...]*Stage{&b.Q, &b.K, &b.V, &b.O, &b.Up, &b.Down} }

// NewTransformer returns a transformer of the given widths, of tokens and of hidden layers, and number of blocks. It
// has one head, no mask, a class for each token of the vocabulary, and the loss [SoftmaxCrossEntropy]. Weights are
// those of [NewStage]; of Embed, where two inputs are one and the rest zero, they are uniform on ±1/√2.
func NewTransformer(r *rand.Rand, vocabulary, length, width, hidden, blocks int, act Activation) *Transformer {
	stage := func(in, out int, act Activation) Stage {
		s := NewStage(r, in, out, act)
		s.B = nil
		return s
	}
	m := &Transformer{Length: length, Heads: 1, Loss: SoftmaxCrossEntropy}
	m.Embed = stage(vocabulary+length, width, Identity)
	m.Embed.W.Scale(math.Sqrt(float64(vocabulary+length)/2), m.Embed.W)
	for range blocks {
		square := func() Stage { return stage(width, width, Identity) }
		m.Blocks = append(m.Blocks, Block{square(), square(), square(), square(), stage(width, hidden, act),
			stage(hidden, width, Identity)})
	}
	m.Readout = stage(width, vocabulary, Identity)
	return m
}

// Encode returns the rows of sequences of tokens, one after another: ones at the token and at its position.
func (m *Transformer) Encode(tokens []int) *mat.Dense {
	_, in := m.Embed.W.Dims()
	x := mat.NewDense(len(tokens), in, nil)
	for i, token := range tokens {
		x.Set(i, token, 1)
		x.Set(i, in-m.Length+i%m.Length, 1)
	}
	return x
}

// Backprop runs a batch of sequences forwards and backwards and leaves in t what it met, with the loss the mean over
// all rows. The views belong to Embed, then to Q, K, V, O, Up and Down of every block, then to Readout.
func (m *Transformer) Backprop(t *Trace, x, y *mat.Dense) {
	passes := m.forward(t, x, true)
	t.grad = reuse(t.grad, t.Output)
	t.Loss = m.Loss.Mean(t.grad, t.Output, y)
	last := len(t.Views) - 1
	grad := mat.DenseCopyOf(t.Views[last].backward(t.grad, true)) // in h
	for b := len(m.Blocks) - 1; b >= 0; b-- {
		v := t.Views[1+perBlock*b:]
		grad.Add(grad, v[4].backward(v[5].backward(grad, true), true))
		for i, g := range m.attentionGrads(passes[b], v[3].backward(grad, true)) {
			grad.Add(grad, v[i].backward(g, true))
		}
	}
	t.Views[0].backward(grad, false)
}

// Predict returns the outputs for the rows of x.
func (m *Transformer) Predict(x *mat.Dense) *mat.Dense {
	var t Trace
	m.forward(&t, x, false)
	return t.Output
}

// forward returns the passes of every block, a sequence after another and its heads in order.
func (m *Transformer) forward(t *Trace, x *mat.Dense, slopes bool) [][]HeadPass {
	if len(t.Views) != 2+perBlock*len(m.Blocks) {
		t.Views = make([]View, 2+perBlock*len(m.Blocks))
	}
	through := func(l int, s *Stage, x *mat.Dense) *mat.Dense {
		t.Views[l].Stage = s
		return t.Views[l].forward(x, slopes)
	}
	h := through(0, &m.Embed, x)
	passes := make([][]HeadPass, len(m.Blocks))
	for b := range m.Blocks {
		first, s := 1+perBlock*b, m.Blocks[b].stages()
		var contexts *mat.Dense
		contexts, passes[b] = m.attend(through(first, s[0], h), through(first+1, s[1], h), through(first+2, s[2], h))
		h = sum(h, through(first+3, s[3], contexts))
		h = sum(h, through(first+5, s[5], through(first+4, s[4], h)))
	}
	t.Output = through(len(t.Views)-1, &m.Readout, h)
	return passes
}

// attend returns the contexts of queries, keys and values, a row per token.
func (m *Transformer) attend(q, k, v *mat.Dense) (contexts *mat.Dense, passes []HeadPass) {
	rows, width := v.Dims()
	contexts = mat.NewDense(rows, width, nil)
	_, keys := k.Dims()
	scale := 1 / math.Sqrt(float64(keys/m.Heads))
	for i := range rows / m.Length {
		for head := range m.Heads {
			p := HeadPass{Queries: m.columns(q, i, head), Keys: m.columns(k, i, head), Values: m.columns(v, i, head)}
			p.attend(scale, m.Causal)
			m.part(contexts, i, head).Copy(p.Contexts.T())
			passes = append(passes, p)
		}
	}
	return contexts, passes
}

// attentionGrads returns the gradients in queries, keys and values, for that in the contexts.
func (m *Transformer) attentionGrads(passes []HeadPass, contextGrad *mat.Dense) (grads [3]*mat.Dense) {
	rows, width := contextGrad.Dims()
	keys, _ := passes[0].Keys.Dims()
	grads = [...]*mat.Dense{mat.NewDense(rows, keys*m.Heads, nil), mat.NewDense(rows, keys*m.Heads, nil),
		mat.NewDense(rows, width, nil)}
	scale := 1 / math.Sqrt(float64(keys))
	for at := range passes {
		p, i, head := &passes[at], at/m.Heads, at%m.Heads
		p.backward(scale, m.columns(contextGrad, i, head))
		for j, g := range []*mat.Dense{p.QueryGrad, p.KeyGrad, p.ValueGrad} {
			m.part(grads[j], i, head).Copy(g.T())
		}
	}
	return grads
}

// part returns the block of x that belongs to a head of sequence i, and columns a copy of it with a column per token.
func (m *Transformer) part(x *mat.Dense, i, head int) *mat.Dense {
	_, width := x.Dims()
	width /= m.Heads
	return x.Slice(i*m.Length, (i+1)*m.Length, head*width, (head+1)*width).(*mat.Dense)
}

func (m *Transformer) columns(x *mat.Dense, i, head int) *mat.Dense {
	return mat.DenseCopyOf(m.part(x, i, head).T())
}

// sum returns a + b in fresh memory: views keep what they were applied to.
func sum(a, b *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Add(a, b)
	return &out
}
