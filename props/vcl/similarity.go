package vcl

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// similarity pairs the change of the similarity with steps of a layer inside a network.
var similarity = props.Spec{
	Statement: &theory.Similarity,
	Along: &props.Along{
		Param: "step", From: 0.01, To: 1, Of: []string{"change"}, At: map[string]string{"f": "-1"},
		Each: &props.ParamSweep{Name: "a", Values: []string{"0.25", "0.5", "1"}},
	},
	Try: &props.Simulation{
		Params: []statement.Param{{Name: "width", Symbol: "m", Meaning: "width of the layer, its input and the batch",
			Domain: statement.IntegerBetween(2, 300), Default: "10"}},
		Run: tryReadout,
	},
	Checks: []props.Check{
		props.Drawn[similarityStep, secondOrder]{
			Name:    "layer of a network",
			Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
			Tries:   12,
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) similarityStep { return drawSimilarityStep(t, layerLike{}, batchLayer.step) },
			Claim:   func(square float64) float64 { return square },
			Judge:   judgeSimilarityStep,
			Proven:  map[string]string{"change of the similarity": "every rounding of both sides is counted"},
			Controls: []props.Wrong[similarityStep, secondOrder]{
				{Name: "gradient of the weights clipped to half", Assumption: "plain-descent",
					Draw: func(t *props.T) similarityStep {
						return drawSimilarityStep(t, layerLike{}, func(l batchLayer) gramStep { return l.stepAlong(clipped) })
					}},
				{Name: "skip connection around the layer", Assumption: "only-use",
					Draw: func(t *props.T) similarityStep {
						return drawSimilarityStep(t, layerLike{square: true, skip: true}, batchLayer.step)
					}},
				{Name: "without the second order", Claim: withoutSecondOrder},
			},
		},
		props.Drawn[readout, secondOrder]{
			Name:    "readout on integers",
			Cases:   props.Scale{Quick: 200, Standard: 1000, Deep: 50000},
			Tries:   28,
			Regimes: layers.Shapes,
			Draw:    func(t *props.T) readout { return drawReadout(t, nn.Identity) },
			Claim:   func(square float64) float64 { return square },
			Judge: func(r *props.Record, s readout, of secondOrder) {
				first, second := s.linear().Change(s.Rate)
				r.Regime(layers.Shape(s.W))
				r.Exactly("change of the similarity", similarityOf(s.Next, s.H, s.Y)-similarityOf(s.W, s.H, s.Y),
					first+of(second))
			},
			Controls: []props.Wrong[readout, secondOrder]{
				{Name: "ReLU between layer and readout", Assumption: "linear",
					Draw: func(t *props.T) readout { return drawReadout(t, nn.ReLU) }},
				{Name: "readout without the second order", Claim: withoutSecondOrder},
				{Reading: "homogeneous", Draw: drawWorkedReadout},
			},
		},
	},
}.Claim()

// secondOrder gives the claimed term of second order.
type secondOrder func(square float64) float64

func withoutSecondOrder(c *secondOrder) { *c = func(float64) float64 { return 0 } }

func drawSimilarityStep(t *props.T, like layerLike, step func(batchLayer) gramStep) similarityStep {
	l := realLayer(t, like)
	l.practice = practices[0]
	s := step(l)
	_, count := s.Inputs.Dims()
	y := gen.Gaussian(t.Stream("Y"), count, 1, 1).RawMatrix().Data
	return similarityStep{s.W, s.Next, s.Inputs, s.PreGrads, s.InputGrads, y, s.Rate}
}

// similarityStep is one step of a layer, with targets.
type similarityStep struct {
	W          *mat.Dense `npy:"W"`
	Next       *mat.Dense `npy:"W_next"`
	H          *mat.Dense `npy:"H"`
	PreGrads   *mat.Dense `npy:"Gamma"`
	InputGrads *mat.Dense `npy:"P"`
	Y          []float64  `npy:"Y"`
	Rate       float64    `npy:"step"`
}

// judgeSimilarityStep allows these roundings, in units of u‖H‖²‖Y‖², with w = ‖W‖ and s = γ‖Γ‖‖H‖:
//
//   - S(W): (2(n+N)+m)w²; S(W⁺): as much of (w+s)², and 2(w+s)((N+2)s + w+s) for the rounding of W⁺; the difference
//     (w+s)²;
//   - −2γ(Wᵀgᵢ·HY)(hᵢ·HY): m by P, n + N by each of the two inner products with HY, N by their sum, and one:
//     2(m+2n+3N+1)ws;
//   - γ²‖ΓHᵀHY‖²: 2N+n by the vector, twice, and 5m+10 by its norm, γ and the squares: (2n+4N+5m+10)s²; the sum
//     (w+s)².
//
// That is (2m+4(n+N)+4)w² + (4m+8n+12N+16)ws + (6m+4n+8N+19)s², and the bound has (8(m+n+N)+16)(w+s)².
func judgeSimilarityStep(r *props.Record, s similarityStep, of secondOrder) {
	m, n := s.W.Dims()
	x := algebra.Product(s.H, mat.NewVecDense(len(s.Y), s.Y))
	along := algebra.Product(s.H.T(), x)
	change := algebra.Product(s.PreGrads, along)
	back := algebra.Product(s.InputGrads.T(), x)
	want := -2*s.Rate*floats.Dot(back.RawMatrix().Data, along.RawMatrix().Data) +
		of(math.Pow(s.Rate*mat.Norm(change, 2), 2))
	h := mat.Norm(s.H, 2)
	size := (mat.Norm(s.W, 2) + s.Rate*mat.Norm(s.PreGrads, 2)*h) * h * floats.Norm(s.Y, 2)
	// Far in the tail of GELU nothing is left of h.
	allowed := max(float64(8*(m+n+len(s.Y))+16)*r.Unit()*size*size, 0x1p-1022)
	r.Regime(layers.Shape(s.W))
	r.Within("change of the similarity", similarityOf(s.Next, s.H, s.Y)-similarityOf(s.W, s.H, s.Y), want, allowed)
}

// similarityOf is ‖WHY‖².
func similarityOf(w, h *mat.Dense, y []float64) float64 {
	image := algebra.Product(w, h, mat.NewVecDense(len(y), y)).RawMatrix().Data
	return floats.Dot(image, image)
}

// readout is a step of a layer with a linear readout a, the outputs before it and the negative gradients in them.
type readout struct {
	W, Next, H, A *mat.Dense
	Y, F, G       []float64
	Rate          float64
}

// drawReadout draws small integers, which keep everything below 2⁵³.
func drawReadout(t *props.T, act nn.Activation) readout {
	r := t.Stream("entries")
	n, m, count := gen.Dim(t.T, "n", 4), gen.Dim(t.T, "m", 4), gen.Dim(t.T, "N", 4)
	net := nn.Net{{W: gen.Integers(r, m, n, 2), Act: act}, {W: gen.Integers(r, 1, m, 2), Act: nn.Identity}}
	h, targets := gen.Integers(r, n, count, 2), gen.Integers(r, 1, count, 2)
	y := gen.Integers(r, count, 1, 2).RawMatrix().Data
	return newReadout(net, h, targets, y, float64(rapid.IntRange(1, 3).Draw(t.T, "γ")))
}

// drawWorkedReadout is one ReLU unit of weight one on the samples 1 and −1.
func drawWorkedReadout(t *props.T) readout {
	one := mat.NewDense(1, 1, []float64{1})
	return newReadout(nn.Net{{W: one, Act: nn.ReLU}, {W: one, Act: nn.Identity}}, mat.NewDense(1, 2, []float64{1, -1}),
		mat.NewDense(1, 2, []float64{2, 0}), []float64{1, -1}, float64(rapid.IntRange(1, 3).Draw(t.T, "γ")))
}

func newReadout(net nn.Net, h, targets *mat.Dense, y []float64, rate float64) readout {
	s := batchLayer{net: net, samples: h, targets: targets, rate: rate, practice: practices[0]}.step()
	last := net.BatchAt(1, h, targets)
	f, g := algebra.Product(net[1].W, last.Inputs), mat.DenseCopyOf(last.PreGrads)
	g.Scale(-1, g)
	return readout{s.W, s.Next, h, net[1].W, y, f.RawMatrix().Data, g.RawMatrix().Data, rate}
}

// linear returns the quantities that the formula needs. The square of the norm of a must be exact on integers.
func (s readout) linear() theory.LinearReadout {
	along := algebra.Product(s.H.T(), s.H, mat.NewVecDense(len(s.Y), s.Y)).RawMatrix().Data
	a := s.A.RawMatrix().Data
	return theory.LinearReadout{Aligned: floats.Dot(s.F, s.Y), Pull: floats.Dot(along, s.G), Squared: floats.Dot(a, a)}
}

// tryReadout moves W along aᵀ(HY) and scales g until fᵀY and YᵀKg have the wanted values.
func tryReadout(t *props.Trial, v statement.Values) (map[string]float64, error) {
	m, a := v.Int("width"), v.Float("a")
	w, h, y := gen.Gaussian(t.Rand, m, m, 1), gen.Gaussian(t.Rand, m, m, 1), gen.Gaussian(t.Rand, m, 1, 1)
	readout, g, x := gen.Gaussian(t.Rand, m, 1, 1), gen.Gaussian(t.Rand, m, 1, 1), algebra.Product(h, y)
	readout.Scale(a/mat.Norm(readout, 2), readout)
	f := algebra.Product(readout.T(), w, x).At(0, 0)
	size := math.Pow(a*mat.Norm(x, 2), 2)
	w.Add(w, algebra.Scaled((v.Float("f")-f)/size, algebra.Product(readout, x.T())))
	g.Scale(v.Float("k")/algebra.Product(x.T(), h, g).At(0, 0), g)
	next := algebra.Sum(w, algebra.Scaled(v.Float("step"), algebra.Product(readout, g.T(), h.T()))) // w − γ∇
	targets := y.RawMatrix().Data
	return map[string]float64{"change": similarityOf(next, h, targets) - similarityOf(w, h, targets)}, nil
}
