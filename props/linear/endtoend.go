package linear

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/linear"
)

// endtoend multiplies the layers of networks, whose gradients come from backpropagation, and compares how the product
// moves with the closed forms.
var endtoend = props.Spec{
	Statement: &theory.EndToEnd,
	Try:       &props.Simulation{Run: tryEndToEnd},
	Along: &props.Along{Param: "s", From: 0.01, To: 3, Of: []string{"gain"}, Y: "amplification of a gradient",
		Each: &props.ParamSweep{Name: "depth", Values: []string{"2", "3", "5"}}, Reps: 1},
	Checks: []props.Check{
		props.Drawn[twoLayers, func(theory.TwoLayers) *mat.Dense]{
			Name:    "step of two layers",
			Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 100000},
			Tries:   16,
			Regimes: []string{"floats", "integers"},
			Draw:    func(t *props.T) twoLayers { return drawTwoLayers(t, nn.Identity, false) },
			Claim:   theory.TwoLayers.Next,
			Judge:   func(r *props.Record, s twoLayers, claim func(theory.TwoLayers) *mat.Dense) { s.judge(r, claim) },
			Proven:  map[string]string{"product after the step": "every rounding of both sides is counted"},
			Controls: []props.Wrong[twoLayers, func(theory.TwoLayers) *mat.Dense]{
				{Name: "ReLU between the two layers",
					Draw: func(t *props.T) twoLayers { return drawTwoLayers(t, nn.ReLU, false) }},
				{Name: "one layer after the other", Assumption: "plain-descent",
					Draw: func(t *props.T) twoLayers { return drawTwoLayers(t, nn.Identity, true) }},
				{Name: "no term of second order", Instead: func(s theory.TwoLayers) *mat.Dense {
					back := s // the terms of odd order change their sign with G, and the term of second order does not
					back.G = plus(s.G, -2, s.G)
					w := product(s.W2, s.W1)
					return plus(w, 0.5, plus(s.Next(), -1, back.Next()))
				}},
			},
		},
		props.Drawn[moving, velocityOf]{
			Name:    "velocity of the flow",
			Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 100000},
			Tries:   28,
			Regimes: []string{"floats", "integers", "singular floats", "singular integers"},
			Draw:    func(t *props.T) moving { return drawMoving(t, nn.Identity, 1) },
			Claim:   theory.Chain.Velocity,
			Judge: func(r *props.Record, m moving, claim velocityOf) {
				singular := m.singular()
				r.RegimeOf(m.Integers, singular && !m.Integers, singular && m.Integers)
				if m.Integers {
					r.ExactlyMatrix("velocity, on integers", m.Velocity, claim(m.Chain, m.G))
				} else {
					r.WithinMatrix("velocity", m.Velocity, claim(m.Chain, m.G), m.rounding(r.Unit()))
				}
			},
			Proven: map[string]string{"velocity": "every rounding of both sides is counted"},
			Controls: []props.Wrong[moving, velocityOf]{
				{Name: "ReLU between the layers", Assumption: "linear",
					Draw: func(t *props.T) moving { return drawMoving(t, nn.ReLU, 1) }},
				{Name: "first layer larger by a thousandth", Assumption: "balanced", Criterion: "velocity",
					Draw: func(t *props.T) moving { return drawMoving(t, nn.Identity, 1.001) }},
				{Name: "powers halved", Instead: func(c theory.Chain, g *mat.Dense) *mat.Dense {
					c.Strengths = mapped(c.Strengths, math.Sqrt)
					return c.Velocity(g)
				}},
				{Name: "mean over the layers", Criterion: "velocity", Instead: func(c theory.Chain, g *mat.Dense) *mat.Dense {
					return plus(c.Velocity(g), 1/float64(c.Depth)-1, c.Velocity(g))
				}},
				{Name: "no power of a kernel", Criterion: "velocity, on integers",
					Instead: func(c theory.Chain, g *mat.Dense) *mat.Dense {
						image := func(u *mat.Dense) *mat.Dense { // projection on the singular vectors with positive values
							n, _ := u.Dims()
							kept := mat.NewDense(n, n, nil)
							for i, q := range c.Strengths {
								if q > 0 {
									kept.Set(i, i, 1)
								}
							}
							return product(u, kept, u.T())
						}
						return product(image(c.U), c.Velocity(g), image(c.V))
					}},
			},
		},
		props.Grid[balancedStart, flowed, flowClaim]{
			Name: "flow and step",
			Cells: func(e props.Effort) (cells []balancedStart) {
				for _, i := range (props.Scale{Quick: 2, Standard: 6, Deep: 25}).Indices(e) {
					cells = append(cells, balancedStart{2, 2, i}, balancedStart{3, 3, i}, balancedStart{4, 2, i})
				}
				return cells
			},
			Measure: func(t *props.Trial, c balancedStart) flowed { return c.measure(t) },
			Claim:   flowClaim{velocity: theory.Chain.Velocity, order: 2},
			Judge: func(r *props.Record, c balancedStart, m flowed, claim flowClaim) {
				velocity := func(w []*mat.Dense) []*mat.Dense {
					v := claim.velocity(theory.ChainOf(w[0], c.Depth), plus(w[0], -1, m.Target))
					v.Scale(-1, v)
					return []*mat.Dense{v}
				}
				end, once := flow([]*mat.Dense{m.Start}, 0.5, 4, velocity)[0], flow([]*mat.Dense{m.Start}, 0.5, 2, velocity)[0]
				// 500 evaluations of a few dozen roundings, of matrices of size 2, which the flow does not pull apart by more
				// than e^N.
				rounding := 1e5 * r.Unit() * math.Exp(float64(c.Depth))
				r.WithinMatrix("flow to the time ½", m.End, end, m.Error+mat.Norm(plus(end, -1, once), 2)+rounding)
				v := velocity([]*mat.Dense{m.Start})[0]
				var remainders []*mat.Dense
				for i, h := range m.Steps {
					remainders = append(remainders, plus(plus(m.Next[i], -1, m.Start), -h, v))
				}
				order.Judge(r, "order of a step", order.Halved(m.Steps, remainders, 2, 1e-14), claim.order)
			},
			Replicates: 1,
			Controls: []props.WrongCell[balancedStart, flowed, flowClaim]{
				{Name: "a velocity longer by a thousandth", Criterion: "flow to the time ½",
					Instead: flowClaim{velocity: func(c theory.Chain, g *mat.Dense) *mat.Dense {
						return plus(c.Velocity(g), 0.001, c.Velocity(g))
					}}},
				{Name: "a step along such a velocity", As: "a velocity longer by a thousandth",
					Criterion: "order of a step" + order.PartOfAnother},
				{Name: "a third order of the step", Criterion: "order of a step", Instead: flowClaim{order: 3}},
			},
		},
	},
}.Claim()

// velocityOf is −dW/dt at a gradient.
type velocityOf func(c theory.Chain, g *mat.Dense) *mat.Dense

// flowClaim holds the velocity of the flow, and the order by which a step departs from it.
type flowClaim struct {
	velocity velocityOf
	order    float64
}

// twoLayers is one step of two layers.
type twoLayers struct {
	W1   *mat.Dense `npy:"W1"`
	W2   *mat.Dense `npy:"W2"`
	G    *mat.Dense `npy:"G"`
	Next *mat.Dense `npy:"W_next"`
	Step float64    `npy:"step"`

	integers bool
}

func (s twoLayers) statement() theory.TwoLayers {
	return theory.TwoLayers{W1: s.W1, W2: s.W2, G: s.G, Step: s.Step}
}

// Valid names the violated hypothesis.
func (s twoLayers) Valid() error { return s.statement().Valid() }

// judge allows products of four matrices, each of inner length at most d, on both sides: 8(d+2) roundings of terms that
// are at most (‖W₁‖ + h‖W₂‖‖G‖)(‖W₂‖ + h‖W₁‖‖G‖) together.
func (s twoLayers) judge(r *props.Record, claim func(theory.TwoLayers) *mat.Dense) {
	r.RegimeOf(s.integers)
	if want := claim(s.statement()); s.integers {
		r.ExactlyMatrix("product after the step, on integers", s.Next, want)
	} else {
		m, n := s.W1.Dims()
		w1, w2, hg := mat.Norm(s.W1, 2), mat.Norm(s.W2, 2), s.Step*mat.Norm(s.G, 2)
		allowed := 8 * float64(max(m, n, s.W2.RawMatrix().Rows)+2) * r.Unit() * (w1 + w2*hg) * (w2 + w1*hg)
		r.WithinMatrix("product after the step", s.Next, want, allowed)
	}
}

// drawTwoLayers takes a step of two layers on the inputs 1, so that the gradient in the outputs is G.
func drawTwoLayers(t *props.T, act nn.Activation, inTurn bool) twoLayers {
	s := twoLayers{integers: rapid.Bool().Draw(t.T, "integers"),
		Step: math.Ldexp(1, -rapid.IntRange(0, 4).Draw(t.T, "-log2 h"))}
	n, m, q := gen.Dim(t.T, "n", 6), gen.Dim(t.T, "m", 6), gen.Dim(t.T, "q", 6)
	entries := entriesOf(t.Stream("entries"), s.integers)
	s.W1, s.W2 = entries(m, n), entries(q, m)
	net, inputs, targets := netOf([]*mat.Dense{s.W1, s.W2}, act), identity(n), entries(q, n)
	seen := net.Batches(inputs, targets)
	s.G = seen[1].PreGrads
	net[0].W = plus(s.W1, -s.Step, seen[0].WeightGrad())
	if inTurn {
		seen = net.Batches(inputs, targets)
	}
	s.Next = product(plus(s.W2, -s.Step, seen[1].WeightGrad()), net[0].W)
	return s
}

// moving is a network with the singular values of its layers, and how fast its end-to-end matrix moves.
type moving struct {
	Chain    theory.Chain
	Layers   []*mat.Dense
	G        *mat.Dense
	Velocity *mat.Dense // −dW/dt
	Integers bool
}

// singular reports whether a fractional power of a kernel occurs.
func (m moving) singular() bool {
	q, n := m.G.Dims()
	for _, s := range m.Chain.Strengths {
		if s == 0 {
			return true
		}
	}
	return len(m.Chain.Strengths) < min(q, n)
}

// rounding is the bound of the statement.
func (m moving) rounding(unit float64) float64 {
	sum, widest := 0.0, 0
	for l := range m.Layers {
		others := mat.Norm(m.G, 2)
		for k, w := range m.Layers {
			rows, cols := w.Dims()
			widest = max(widest, rows, cols)
			if k != l {
				others *= math.Pow(mat.Norm(w, 2), 2)
			}
		}
		sum += others
	}
	return float64(16*m.Chain.Depth*(widest+2)) * unit * sum
}

// drawMoving draws W_l = Q_l diag(q) Q_{l−1}ᵀ, with orthogonal Q or signed permutations and integers q, the first layer
// times a factor.
func drawMoving(t *props.T, act nn.Activation, factor float64) moving {
	m := moving{Integers: factor == 1 && rapid.Bool().Draw(t.T, "integers")}
	m.Chain.Depth = rapid.IntRange(2, 5).Draw(t.T, "N")
	r, bases, rank := t.Stream("entries"), []*mat.Dense{}, 6
	for range m.Chain.Depth + 1 {
		d := gen.Dim(t.T, "d", 6)
		rank = min(rank, d)
		if m.Integers {
			bases = append(bases, signedPermutation(r, d))
		} else {
			bases = append(bases, gen.Orthonormal(r, d, d))
		}
	}
	for i := range rank {
		q := float64(r.IntN(4))
		if !m.Integers && (q > 0 || i == 0) {
			q = 0.5 + r.Float64()
		}
		m.Chain.Strengths = append(m.Chain.Strengths, q)
	}
	for l := range m.Chain.Depth {
		m.Layers = append(m.Layers, spectral(bases[l+1], m.Chain.Strengths, bases[l]))
	}
	m.Layers[0].Scale(factor, m.Layers[0])
	m.Chain.U, m.Chain.V = bases[m.Chain.Depth], bases[0]
	out, in := m.Chain.U.RawMatrix().Rows, m.Chain.V.RawMatrix().Rows
	m.G, m.Velocity = velocity(netOf(m.Layers, act), identity(in), entriesOf(r, m.Integers)(out, in))
	return m
}

// balancedStart is a balanced square network of some depth and width.
type balancedStart struct{ Depth, Width, Problem int }

// flowed holds the ends of the flow of the layers under ½‖W − target‖², and of single steps.
type flowed struct {
	Start, Target, End *mat.Dense
	Error              float64 // of the end: the difference of two step sizes
	Steps              []float64
	Next               []*mat.Dense
}

func (c balancedStart) measure(t *props.Trial) (m flowed) {
	n, strengths := c.Width, []float64{}
	for range n {
		strengths = append(strengths, math.Pow(0.5+t.Rand.Float64(), 1/float64(c.Depth)))
	}
	_, layers := alignedLayers(t.Rand, c.Depth, n, strengths)
	m.Target = gen.Gaussian(t.Rand, n, n, 1)
	descend := downhill(m.Target)
	m.Start, m.End = endToEnd(layers), endToEnd(flow(layers, 0.5, 4, descend))
	m.Error = mat.Norm(plus(m.End, -1, endToEnd(flow(layers, 0.5, 2, descend))), 2)
	for e := 8; e <= 12; e++ {
		m.Steps = append(m.Steps, math.Ldexp(1, -e))
		m.Next = append(m.Next, endToEnd(along(layers, math.Ldexp(1, -e), descend(layers))))
	}
	return m
}

// tryEndToEnd measures how three entries of the gradient move a balanced network of three units.
func tryEndToEnd(t *props.Trial, v statement.Values) (map[string]float64, error) {
	depth := v.Int("depth")
	root := 1 / float64(depth)
	strengths := []float64{math.Pow(v.Float("s"), root), math.Pow(v.Float("other"), root), 0}
	bases, layers := alignedLayers(t.Rand, depth, 3, strengths)
	out := map[string]float64{}
	for column, name := range []string{"along", "gain", "across"} {
		g := product(bases[depth].Slice(0, 3, 0, 1), bases[0].Slice(0, 3, column, column+1).T())
		_, moved := velocity(netOf(layers, nn.Identity), identity(3), plus(endToEnd(layers), -1, g))
		out[name] = product(bases[depth].T(), moved, bases[0]).At(0, column)
	}
	return out, nil
}
