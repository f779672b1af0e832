package vcl

import (
	"cmp"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// gramStep is one step of a layer z = W h on a batch, as the implementation takes it. Column i belongs to sample i.
type gramStep struct {
	W          *mat.Dense `npy:"W"`      // m×n
	Next       *mat.Dense `npy:"W_next"` // W⁺, m×n
	Inputs     *mat.Dense `npy:"H"`      // n×B
	PreGrads   *mat.Dense `npy:"Gamma"`  // m×B, per sample
	InputGrads *mat.Dense `npy:"P"`      // n×B, per sample
	Rate       float64    `npy:"step"`   // γ
	Weights    float64    `npy:"a"`      // scale of the loss that moves the weights
	Virtual    float64    `npy:"b"`      // scale of the loss that moves the virtual hidden states
	Covariance float64    `npy:"c"`      // scale of the covariance

	apart  float64 // how far Γ in W⁺, in P and in the residual may be apart, where they are differentiated in two ways
	regime string  // of projections: which one
}

// gap is W⁺ᵀW⁺ − WᵀW − c(H⁺H⁺ᵀ − HHᵀ), n×n. The covariance shift is expanded, −γ(HPᵀ + PHᵀ) + γ²PPᵀ with the virtual
// step H⁺ = H − γP, because the difference of two outer products loses a factor ‖h‖/(γ‖p‖) of relative accuracy.
func (s gramStep) gap() *mat.Dense {
	change := algebra.Difference(algebra.Product(s.Next.T(), s.Next), algebra.Product(s.W.T(), s.W))
	step, cross := s.Rate*s.Virtual, algebra.Product(s.Inputs, s.InputGrads.T())
	square := algebra.Product(s.InputGrads, s.InputGrads.T())
	return algebra.Difference(change, algebra.Sum(algebra.Scaled(-step*s.Covariance, algebra.Sum(cross, cross.T())),
		algebra.Scaled(step*step*s.Covariance, square)))
}

func (s gramStep) statement() theory.LayerStep {
	return theory.LayerStep{W: s.W, Inputs: s.Inputs, PreGrads: s.PreGrads, Step: s.Rate,
		Convention: theory.Convention{Weights: s.Weights, Virtual: s.Virtual, Covariance: s.Covariance}}
}

// Valid names the hypothesis that a step violates.
func (s gramStep) Valid() error { return s.statement().Valid() }

// residualClaim gives the claimed gap.
type residualClaim func(gramStep) *mat.Dense

// residual is the closed form. The claim is about matching conventions; elsewhere a control asks how far it is off that
// of sums.
func (s gramStep) residual() *mat.Dense { return s.matching().Residual() }

func (s gramStep) matching() theory.LayerStep {
	step := s.statement()
	if !step.Convention.Cancels() {
		step.Convention = theory.Sum
	}
	return step
}

func (s gramStep) oppositeResidual() *mat.Dense { return algebra.Scaled(-1, s.residual()) }

// residualOfSamples has Σ‖gᵢ‖²hᵢhᵢᵀ in place of HΓᵀΓHᵀ.
func (s gramStep) residualOfSamples() *mat.Dense {
	m, n := s.W.Dims()
	_, batch := s.Inputs.Dims()
	sum := mat.NewDense(n, n, nil)
	for i := range batch {
		sample := s.matching()
		sample.Inputs = mat.DenseCopyOf(s.Inputs.Slice(0, n, i, i+1))
		sample.PreGrads = mat.DenseCopyOf(s.PreGrads.Slice(0, m, i, i+1))
		sum.Add(sum, sample.Residual())
	}
	return sum
}

// rounding is (2(m+B)+12)·u·S, the bound of the statement. With w = ‖W‖, h = √c‖H‖, p = γa‖Γ‖‖H‖, q = γb√c·w‖Γ‖ and
// y = wp, which is hq since a = bc, the roundings are in units of u
//
//   - W⁺ = W − γaΓHᵀ + e, ‖e‖ ≤ (B+2)p + w + p, seen as 2(w+p)‖e‖ by W⁺ᵀW⁺; its product m(w+p)²; WᵀW mw²; their
//     difference 2y + p²;
//   - P = WᵀΓ and HPᵀ, doubled, scaled by γbc and added: 2(B+m+5)y;
//   - γ²b²cPPᵀ: (B+6)q² against 2mq² by P, subtracted 2y + q²;
//   - of R the products of products and their scales: (2B+m+4)p² + (2m+B+5)q², and their difference p² + q².
//
// That is (2m+2)w² + (4m+4B+22)y + (2m+4B+13)p² + (4m+2B+13)q², and S = w² + h² + 4y + 2p² + 2q². At least 12u of each
// term is left for what is of higher order in u. Where Γ is known to a norm δ only, W⁺ is apart by γδh, P by δw, and
// each of the three by less than 4γδ(wh + γ‖Γ‖(h² + w²)) in all.
func (s gramStep) rounding(unit float64) float64 {
	m, batch := s.PreGrads.Dims()
	rounding := float64(2*(m+batch)+12) * unit * s.statement().Magnitude()
	if s.apart > 0 {
		w, h, g := mat.Norm(s.W, 2), mat.Norm(s.Inputs, 2), mat.Norm(s.PreGrads, 2)
		rounding += 4 * s.Rate * s.apart * (w*h + s.Rate*(g+s.apart)*(h*h+w*w))
	}
	return rounding
}

// practices are the batch conventions of training loops: what is summed and what averaged, of the loss that moves the
// weights, the loss of the virtual step, and the covariance. The first three match.
var practices = []string{"sum, sum, sum", "mean, mean, sum", "mean, sum, mean"}

// allMeans is a convention that does not match.
const allMeans = "mean, mean, mean"

// scales are the factors of a practice for a batch; of none they are one.
func scales(practice string, batch int) (weights, virtual, covariance float64) {
	mean := 1 / float64(batch)
	switch practice {
	case "mean, mean, sum":
		return mean, mean, 1
	case "mean, sum, mean":
		return mean, 1, mean
	case allMeans:
		return mean, mean, mean
	case "mean, sum, sum":
		return mean, 1, 1
	case "sum, sum, mean":
		return 1, 1, mean
	}
	return 1, 1, 1
}

// batchLayer is a layer inside a network, on a batch. Column i of a matrix is sample i.
type batchLayer struct {
	net              nn.Net
	at               int // which of its layers
	samples, targets *mat.Dense
	rate             float64 // γ
	practice         string
}

// integerLayer draws a network on which float64 arithmetic is exact: integers of at most 2 in size, dimensions of at
// most 4, a batch of 1, 2 or 4 so that 1/B is dyadic, and an integer step. Gradients stay below 10⁴ and the
// fourth-order products of the identity below 10¹⁵ < 2⁵³.
func integerLayer(t *props.T) batchLayer {
	n, m, k := gen.Dim(t.T, "n", 4), gen.Dim(t.T, "m", 4), gen.Dim(t.T, "k", 3)
	batch := 1 << rapid.IntRange(0, 2).Draw(t.T, "log2 B")
	act := rapid.SampledFrom([]nn.Activation{nn.Identity, nn.ReLU}).Draw(t.T, "activation")
	r := t.Stream("entries")
	return batchLayer{
		net: nn.Net{
			{W: gen.Integers(r, m, n, 2), Act: act},
			{W: gen.Integers(r, k, m, 2), Act: nn.Identity},
		},
		samples: gen.Integers(r, n, batch, 2), targets: gen.Integers(r, k, batch, 2),
		rate:     float64(rapid.IntRange(1, 3).Draw(t.T, "γ")),
		practice: rapid.SampledFrom(practices).Draw(t.T, "practice"),
	}
}

// layerLike holds the properties that a drawn layer is to have, beyond what is drawn.
type layerLike struct {
	square, skip bool   // as many outputs as inputs; a skip connection around it
	practice     string // in place of a drawn one
}

// realLayer draws the middle layer of a network of three.
func realLayer(t *props.T, like layerLike) batchLayer {
	n, m, batch := gen.Dim(t.T, "n", 8), gen.Dim(t.T, "m", 8), gen.Dim(t.T, "B", 8)
	l := batchLayer{at: 1, practice: rapid.SampledFrom(practices).Draw(t.T, "practice")}
	l.practice = cmp.Or(like.practice, l.practice)
	if like.square {
		m = n
	}
	r := t.Stream("entries")
	scale := gen.LogUniform(t.T, "scale", 0.1, 10)
	l.net = smoothNet(r, 3, n, m, 2, like.skip)
	l.samples, l.targets = gen.Gaussian(r, 3, batch, scale), gen.Gaussian(r, 2, batch, scale)
	l.rate = gen.LogUniform(t.T, "γ", 1e-3, 1)
	return l
}

// smoothNet is a GELU network in→n→m→out whose weights keep the size of their input. skip adds a skip connection
// around the middle layer.
func smoothNet(r *rand.Rand, in, n, m, out int, skip bool) nn.Net {
	layer := func(rows, cols int, act nn.Activation) nn.Layer {
		return nn.Layer{W: gen.Gaussian(r, rows, cols, 1/math.Sqrt(float64(cols))), Act: act}
	}
	net := nn.Net{layer(n, in, nn.GELU), layer(m, n, nn.GELU), layer(out, m, nn.Identity)}
	net[1].Skip = skip
	return net
}

// step takes the step of the layer.
func (l batchLayer) step() gramStep {
	return l.stepAlong(func(grad *mat.Dense) *mat.Dense { return grad })
}

// stepAlong takes the step with a gradient that is changed in some way.
func (l batchLayer) stepAlong(change func(grad *mat.Dense) *mat.Dense) gramStep {
	batch := l.net.BatchAt(l.at, l.samples, l.targets)
	w, grad := l.net[l.at].W, change(batch.WeightGrad())
	_, size := l.samples.Dims()
	s := gramStep{W: w, Inputs: batch.Inputs, PreGrads: batch.PreGrads, InputGrads: batch.InputGrads, Rate: l.rate}
	s.Weights, s.Virtual, s.Covariance = scales(l.practice, size)
	s.Next = algebra.Sum(w, algebra.Scaled(-s.Rate*s.Weights, grad))
	return s
}

func transposed(grad *mat.Dense) *mat.Dense { return mat.DenseCopyOf(grad.T()) }

func clipped(grad *mat.Dense) *mat.Dense { return algebra.Scaled(0.5, grad) }

// centre centres the covariance.
func (s *gramStep) centre() { s.Inputs, s.InputGrads = centred(s.Inputs), centred(s.InputGrads) }

// centred subtracts the mean of the columns from each of them.
func centred(h *mat.Dense) *mat.Dense {
	var c mat.Dense
	mean := columnMean(h)
	c.Apply(func(i, _ int, x float64) float64 { return x - mean.At(i, 0) }, h)
	return &c
}

// columnMean is the mean of the columns, as a column.
func columnMean(h *mat.Dense) *mat.Dense {
	n, batch := h.Dims()
	mean := mat.NewDense(n, 1, nil)
	for i := range n {
		mean.Set(i, 0, mat.Sum(h.RowView(i))/float64(batch))
	}
	return mean
}
