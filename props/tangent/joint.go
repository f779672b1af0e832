package tangent

import (
	"cmp"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// joint pairs Theorem 2 with searches over all factors at once.
var joint = props.Spec{
	Statement: &theory.Joint,
	Checks: []props.Check{props.Drawn[searched, searchClaim]{
		Name:       "search over A and C",
		Replicates: 1,
		Cases:      props.Scale{Quick: 40, Standard: 120, Deep: 20000},
		Regimes:    []string{"one side", "two sides", "several blocks", "one block", "diagonal"},
		Draw:       func(t *props.T) searched { return drawSearched(t, anyShape) },
		Claim: searchClaim{optimum: theory.Layer.Optimum, moments: theory.Layer.Moments,
			conjugate: theory.Layer.Conjugate,
			lowest:    func(in searched) float64 { return in.Lowest }, bound: func(in searched) float64 { return in.Bound },
			kept: func(in searched) *mat.Dense { return in.Fixed[0] }, moves: searched.severalBlocks,
			change: searched.leastChange},
		Judge: judgeSearched,
		Controls: []props.Wrong[searched, searchClaim]{
			{Name: "a search that stops early", Assumption: "stationary", Criterion: "AAᵀ and CᵀC",
				Draw: func(t *props.T) searched {
					in := drawSearched(t, anyShape)
					for _, end := range in.Ends {
						for _, f := range end.Factors {
							f.A.Scale(1.01, f.A)
							f.C.Scale(1.01, f.C)
						}
					}
					return in
				}, Cases: 20},
			{Name: "ω₁ alone in place of ω₁ ⊕ ω₂", Criterion: "cost",
				Draw: func(t *props.T) searched { return drawSearched(t, shape{kind: "two sides"}) }, Cases: 20,
				Instead: searchClaim{optimum: firstSideAlone}},
			{Name: "½ω̃ in place of ω̃", Criterion: "cost",
				Instead: searchClaim{optimum: func(l theory.Layer) float64 { return l.Optimum() / 2 }}},
			{Name: "z in place of z²", Criterion: "AAᵀ and CᵀC",
				Instead: searchClaim{moments: func(l theory.Layer) (left, right *mat.Dense) {
					left, _, right = l.Factors()
					return left, right
				}}},
			{Name: "the cost of fixed features", Criterion: "least cost", Instead: searchClaim{lowest: searched.fixedCost}},
			{Name: "half of the conjugate", Criterion: "dual bound",
				Instead: searchClaim{conjugate: func(l theory.Layer, x *mat.Dense) float64 { return l.Conjugate(x) / 2 }}},
			{Name: "twice the bound", Criterion: "bound for any factors",
				Instead: searchClaim{bound: func(in searched) float64 { return 2 * in.Bound }}},
			{Name: "a single block, taken for one of each entry", Assumption: "several-blocks",
				Criterion: "the predictor changes", Draw: drawOneBlock,
				Instead: searchClaim{moves: searched.blocks, change: searched.leastChangeByEntries}},
			{Name: "twice the change", Criterion: "the predictor changes",
				Draw: func(t *props.T) searched {
					return drawSearched(t, shape{kind: "blocks", layers: 2, samples: 1, labels: 0.3})
				},
				Instead: searchClaim{change: func(in searched) float64 { return 2 * in.leastChange() }}},
			{Name: "a single block that moves the predictor", Criterion: "the predictor of one block",
				As: "a single block, taken for one of each entry",
				Instead: searchClaim{kept: func(in searched) *mat.Dense {
					moved := mat.DenseCopyOf(in.Fixed[0])
					moved.Scale(1.01, moved)
					return moved
				}}},
		},
		Declined: map[string]float64{"the predictor changes": 0.005},
		Coarse: map[string]string{"the predictor of one block": "parameters are known to the root of their cost",
			"the predictor changes": "a bound that is attained in the limit of small labels"},
	}},
	Along: &props.Along{
		Param: "norm1", From: 0.05, To: 20, Of: []string{"optimum"},
		Each: &props.ParamSweep{Name: "omega", Values: []string{"quadratic", "log-det"}}, Reps: 1,
	},
	Try: &props.Simulation{Run: func(t *props.Trial, v statement.Values) (map[string]float64, error) {
		return tryBlocks(t.Rand, penaltyOf[theory.Family(v.Choice("omega"))], v.Float("norm1"), v.Float("norm2")), nil
	}},
}.Claim()

// searchClaim holds the claims about the ends of searches.
type searchClaim struct {
	optimum   func(theory.Layer) float64
	moments   func(theory.Layer) (left, right *mat.Dense) // AAᵀ and CᵀC
	conjugate func(l theory.Layer, x *mat.Dense) float64
	lowest    func(searched) float64    // the least cost
	bound     func(searched) float64    // on the cost of all factors
	kept      func(searched) *mat.Dense // the parameters of one block
	moves     func(searched) bool       // the parameters of these blocks differ from those of least norm
	change    func(searched) float64    // by at least this
}

// firstSideAlone is the optimum of ω₁, where there is one.
func firstSideAlone(l theory.Layer) float64 {
	if l.Left.Family != theory.Fixed {
		l.Right = theory.Side{Family: theory.Fixed, Factor: 1}
	}
	return l.Optimum()
}

// fixedCost returns the cost of fixed features.
func (in searched) fixedCost() (cost float64) {
	for _, b := range in.Fixed {
		cost += math.Pow(mat.Norm(b, 2), 2)
	}
	return cost
}

func (in searched) blocks() bool        { return in.Blocks }
func (in searched) severalBlocks() bool { return in.Blocks && len(in.Sides) > 1 }

// shape holds the properties that a problem is to have; those that are zero are drawn.
type shape struct {
	kind            string
	layers, samples int
	labels          float64 // their size
}

var anyShape shape

func drawOneBlock(t *props.T) searched { return drawSearched(t, shape{kind: "blocks", layers: 1}) }

// searched is a problem, the ends of searches over its factors, and what descent in B finds.
type searched struct {
	Problem   impl.Structured `json:"-"`
	Sides     []layerSides
	Labels    []float64
	Features  []*mat.Dense
	Ends      []impl.Searched
	Lowest    float64      // cost that descent in B finds
	Dual      []float64    // its multipliers
	Bound     float64      // on the cost of all factors, for these
	Fixed     []*mat.Dense // parameters of least norm
	Blocks    bool
	Diagonal  bool    // blocks of one entry
	Condition float64 // of the features of all layers
}

// layerSides are the penalties on a layer's factors.
type layerSides struct{ Left, Right theory.Side }

func (s layerSides) layer(b *mat.Dense) theory.Layer {
	return theory.Layer{B: b, Left: s.Left, Right: s.Right}
}

// side is a penalty on A or C, and its implementation.
func side(family theory.Family, factor float64) (theory.Side, *impl.Penalty) {
	if family == theory.Fixed {
		return theory.Side{Family: theory.Fixed, Factor: 1}, nil
	}
	p := penaltyOf[family].Times(factor)
	return theory.Side{Family: family, Factor: factor}, &p
}

func drawSearched(t *props.T, like shape) searched {
	r := t.Stream("entries")
	kind := rapid.SampledFrom([]string{"one side", "one side", "two sides", "blocks", "diagonal"}).Draw(t.T, "kind")
	layers := gen.Dim(t.T, "layers", 2)
	switch kind {
	case "blocks":
		layers = gen.Dim(t.T, "blocks", 3)
	case "diagonal":
		layers = 1 + gen.Dim(t.T, "entries of M", 5)
	}
	kind, layers = cmp.Or(like.kind, kind), cmp.Or(like.layers, layers)
	in := searched{Blocks: kind == "blocks" || kind == "diagonal", Diagonal: kind == "diagonal"}
	size := 0
	for range layers {
		layer := impl.StructuredLayer{Rows: 1 + gen.Dim(t.T, "m", 2), Cols: 1 + gen.Dim(t.T, "k", 2)}
		family := rapid.SampledFrom([]theory.Family{theory.Quadratic, theory.LogDet})
		left, right := family.Draw(t.T, "ω₁"), family.Draw(t.T, "ω₂")
		switch {
		case in.Blocks:
			layer.Cols, right = 1, theory.Fixed
			if in.Diagonal {
				layer.Rows = 1
			}
		case kind == "one side" && rapid.Bool().Draw(t.T, "left"):
			right = theory.Fixed
		case kind == "one side":
			left = theory.Fixed
		}
		var s layerSides
		s.Left, layer.Left = side(left, gen.LogUniform(t.T, "κ₁", 0.3, 3))
		s.Right, layer.Right = side(right, gen.LogUniform(t.T, "κ₂", 0.3, 3))
		in.Sides, in.Problem.Layers = append(in.Sides, s), append(in.Problem.Layers, layer)
		size += layer.Rows * layer.Cols
	}
	n, scale := gen.Dim(t.T, "n", min(5, size-1)), gen.LogUniform(t.T, "labels", 0.2, 10)
	in.drawData(r, cmp.Or(like.samples, n), size, cmp.Or(like.labels, scale))
	in.search(r)
	return in
}

// drawData draws well-conditioned features and labels.
func (in *searched) drawData(r *rand.Rand, n, size int, scale float64) {
	for {
		all := gen.Gaussian(r, n, size, 1)
		values := singularValues(all)
		if in.Condition = values[0] / values[n-1]; in.Condition > 20 {
			continue
		}
		at := 0
		for l := range in.Problem.Layers {
			layer := &in.Problem.Layers[l]
			width := layer.Rows * layer.Cols
			layer.Features = mat.DenseCopyOf(all.Slice(0, n, at, at+width))
			in.Features = append(in.Features, layer.Features)
			at += width
		}
		in.Labels = gen.Gaussian(r, n, 1, scale).RawMatrix().Data
		in.Problem.Labels = in.Labels
		return
	}
}

// search runs from near the identity and from far away, and in B alone.
func (in *searched) search(r *rand.Rand) {
	stop := optim.Stop{Gradient: 1e-7, Evaluations: 3000}
	in.Fixed = must.Get(in.Problem.MinFrobenius())
	for _, distance := range []float64{0.1, 1} {
		start := list.Map(in.Problem.Layers, func(layer impl.StructuredLayer) impl.Sided {
			return impl.Sided{A: nearIdentity(r, layer.Rows, distance), C: nearIdentity(r, layer.Cols, distance)}
		})
		in.Ends = append(in.Ends, must.Get(in.Problem.Search(start, stop)))
	}
	lowest := must.Get(in.Problem.Descend(1000, 1e-8))
	in.Lowest, in.Dual = lowest.Cost, lowest.Multipliers
	in.Bound = must.Get(in.Problem.Bound(in.Dual, in.Lowest))
}

func nearIdentity(r *rand.Rand, n int, distance float64) *mat.Dense {
	m := gen.Gaussian(r, n, n, distance)
	m.Add(m, impl.Identity(n))
	return m
}

func (in searched) regime() string {
	switch {
	case in.Diagonal:
		return "diagonal"
	case in.Blocks && len(in.Sides) == 1:
		return "one block"
	case in.Blocks:
		return "several blocks"
	case in.Sides[0].Left.Family != theory.Fixed && in.Sides[0].Right.Family != theory.Fixed:
		return "two sides"
	}
	return "one side"
}

// judgeSearched: the statement derives the tolerances of costs and factors from the gradient.
func judgeSearched(r *props.Record, in searched, c searchClaim) {
	regime := in.regime()
	r.Regime(regime)
	for _, end := range in.Ends {
		optimum, off, size, weakest := 0.0, 0.0, 0.0, math.Inf(1)
		for l, f := range end.Factors {
			s := in.Sides[l]
			optimum += c.optimum(s.layer(f.Product()))
			off = math.Hypot(off, s.distance(f, c))
			size = max(size, mat.Norm(f.A, 2), mat.Norm(f.C, 2))
			weakest = min(weakest, s.Left.Factor, s.Right.Factor)
		}
		eta := end.Gradient * size
		noise := 1000 * r.Unit() * in.Condition * in.Condition * size * size * (1 + end.Cost)
		r.Within("cost", end.Cost, optimum, eta*eta/(4*weakest)+noise)
		apart := 2 * size * size * (eta + noise) / weakest
		r.WithinScale("AAᵀ and CᵀC", off, 0, size*size, apart)
		r.AtMost("bound for any factors", c.bound(in), end.Cost, noise)
		if regime != "two sides" {
			in.judgeLowest(r, end, c, eta*eta/(4*weakest)+noise)
			in.judgeChange(r, end, c, apart)
		}
	}
}

// distance returns the distance of AAᵀ and CᵀC from the stated ones, for adapted factors.
func (s layerSides) distance(f impl.Sided, c searchClaim) float64 {
	left, right := c.moments(s.layer(f.Product()))
	sum := 0.0
	if s.Left.Family != theory.Fixed {
		left.Sub(left, algebra.Product(f.A, f.A.T()))
		sum = mat.Norm(left, 2)
	}
	if s.Right.Family != theory.Fixed {
		right.Sub(right, algebra.Product(f.C.T(), f.C))
		sum = math.Hypot(sum, mat.Norm(right, 2))
	}
	return sum
}

// judgeLowest compares an end with descent in B, whose distance from the minimum its dual bound tells. The bound that
// the solver gives is the same one, from halvings to 10⁻¹² of the cost for each singular value, and as much for their
// roundings.
func (in searched) judgeLowest(r *props.Record, end impl.Searched, c searchClaim, noise float64) {
	bound, count := floats.Dot(in.Dual, in.Labels), 0
	for l, s := range in.Sides {
		m, k := in.Fixed[l].Dims()
		x := algebra.Product(mat.NewDense(1, len(in.Dual), in.Dual), in.Features[l])
		bound -= c.conjugate(s.layer(nil), mat.NewDense(m, k, x.RawMatrix().Data))
		count += min(m, k)
	}
	r.Within("dual bound", in.Bound, bound, float64(count)*2e-12*in.Lowest+noise)
	r.Within("least cost", end.Cost, c.lowest(in), max(0, in.Lowest-bound)+noise)
	if in.Blocks && len(in.Sides) == 1 {
		in.judgePredictor(r, end, c, noise)
	}
}

// judgePredictor compares the parameters of one block with those of least norm. ω̃ is concave in ‖β‖² with slopes
// 1/s², so a distance from the best is at most s times the root of what it costs.
func (in searched) judgePredictor(r *props.Record, end impl.Searched, c searchClaim, noise float64) {
	f := end.Factors[0]
	r.WithinMatrix("the predictor of one block", f.Product(), c.kept(in), mat.Norm(f.A, 2)*math.Sqrt(2*noise))
}

// judgeChange compares how far the parameters β of several blocks are from those β⁰ of least norm with what is stated.
//
// With AAᵀ at its end, the gradient 2(AAᵀ)⁻¹β of the cost in β has no part along P; the one that the proof takes has
// AAᵀ as stated for β. Both matrices are at least I, but for their distance, so the gradients differ by at most twice
// that times 2‖β‖ as long as it is at most ½, and the bound of the proof comes out lower by half of this. A case
// resolves a change that is twice as large.
func (in searched) judgeChange(r *props.Record, end impl.Searched, c searchClaim, apart float64) {
	if !c.moves(in) {
		return
	}
	moved, size := 0.0, 0.0
	for l, f := range end.Factors {
		gap := algebra.Difference(f.Product(), in.Fixed[l])
		moved, size = math.Hypot(moved, mat.Norm(gap, 2)), math.Hypot(size, mat.Norm(f.Product(), 2))
	}
	bound, slack := c.change(in), 2*size*apart
	if r.Declines("the predictor changes", bound, 2*slack) {
		return
	}
	r.AtLeast("the predictor changes", moved, bound, slack)
}

// leastChange is ‖P(β⁰ₗ/sₗ²)‖: what is left of the β⁰ₗ/sₗ² when the features have explained what they can.
func (in searched) leastChange() float64 {
	return in.unexplained(func(b *mat.Dense, _ float64) float64 { return mat.Norm(b, 2) })
}

// leastChangeByEntries returns leastChange as if each entry were a block.
func (in searched) leastChangeByEntries() float64 {
	return in.unexplained(func(_ *mat.Dense, entry float64) float64 { return math.Abs(entry) })
}

// unexplained returns leastChange for blocks whose stretch belongs to the given norm.
func (in searched) unexplained(norm func(b *mat.Dense, entry float64) float64) float64 {
	var all, shrunk mat.Dense // Fᵀ of all blocks, and what the features are to explain, from top to bottom
	for l, b := range in.Fixed {
		part := mat.DenseCopyOf(b)
		part.Apply(func(_, _ int, x float64) float64 {
			return x / math.Pow(theory.Sum{in.Sides[l].Left}.Effective(norm(b, x)).Size(), 2)
		}, b)
		if l == 0 {
			all.CloneFrom(in.Features[l].T())
			shrunk.CloneFrom(part)
			continue
		}
		all, shrunk = stacked(&all, in.Features[l].T()), stacked(&shrunk, part)
	}
	var explained mat.Dense
	must.Do(explained.Solve(&all, &shrunk))
	shrunk.Sub(&shrunk, algebra.Product(&all, &explained))
	return mat.Norm(&shrunk, 2)
}

// stacked is a above b.
func stacked(a, b mat.Matrix) (out mat.Dense) {
	out.Stack(a, b)
	return out
}

// tryBlocks searches over two blocks of three entries each; the constraints name one entry of each.
func tryBlocks(r *rand.Rand, penalty impl.Penalty, norm1, norm2 float64) map[string]float64 {
	s := impl.Structured{Labels: []float64{norm1, norm2}}
	for l := range 2 {
		features := mat.NewDense(2, 3, nil)
		features.Set(l, 0, 1)
		s.Layers = append(s.Layers, impl.StructuredLayer{Rows: 3, Cols: 1, Features: features, Left: &penalty})
	}
	start := []impl.Sided{{A: nearIdentity(r, 3, 0.1)}, {A: nearIdentity(r, 3, 0.1)}}
	end := must.Get(s.Search(start, optim.Stop{Gradient: 1e-6, Evaluations: 5000}))
	return map[string]float64{"optimum": end.Cost, "stretch1": singularValues(end.Factors[0].A)[0],
		"stretch2": singularValues(end.Factors[1].A)[0]}
}
