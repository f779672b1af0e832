package vcl

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// attentionAnsatz pairs the ansatz with scores that are differentiated by running the block on unit tokens.
var attentionAnsatz = props.Spec{
	Statement: &theory.AttentionAnsatz,
	Checks: []props.Check{
		props.Drawn[headWeights, defectClaim]{
			Name:    "any head",
			Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 50000},
			Regimes: layers.Shapes,
			Draw:    drawHeadWeights,
			Claim:   theory.AnsatzDefect,
			Judge: func(r *props.Record, h headWeights, claim defectClaim) {
				r.Regime(layers.Shape(h.Query))
				k, d := h.Query.Dims()
				q, key := mat.Norm(h.Query, 2), mat.Norm(h.Key, 2)
				rounding := float64(2*(k+d)+6) * r.Unit() * (q*q + key*key)
				b := algebra.Product(h.Query.T(), h.Key)
				r.WithinMatrix("A_Q² − BBᵀ", squareLess(h.Query, b.T()), claim(h.Query, h.Key), 2*rounding*q*q)
				r.WithinMatrix("A_K² − BᵀB", squareLess(h.Key, b), claim(h.Key, h.Query), 2*rounding*key*key)
			},
			Controls: []props.Wrong[headWeights, defectClaim]{
				{Name: "as if balanced", Assumption: "balanced", Instead: func(query, key *mat.Dense) *mat.Dense {
					return algebra.Scaled(0, theory.AnsatzDefect(query, key))
				}},
				{Name: "queries and keys exchanged", Instead: func(query, key *mat.Dense) *mat.Dense {
					return theory.AnsatzDefect(key, query)
				}},
				{Name: "opposite sign", Instead: func(query, key *mat.Dense) *mat.Dense {
					return algebra.Scaled(-1, theory.AnsatzDefect(query, key))
				}},
			},
		},
		props.Drawn[scoredHead, ansatzClaim]{
			Name:    "balanced head on white tokens",
			Cases:   props.Scale{Quick: 80, Standard: 800, Deep: 50000},
			Tries:   12,
			Regimes: []string{"k < d", "k = d"},
			Draw:    func(t *props.T) scoredHead { return drawScored(t, balancedWhite) },
			Claim:   ansatzClaim{theory.BalancedHead.AGOP, theory.BalancedHead.Exponent},
			Judge:   judgeScored,
			Controls: []props.Wrong[scoredHead, ansatzClaim]{
				{Name: "keys of their own", Assumption: "balanced", Draw: func(t *props.T) scoredHead {
					return drawScored(t, ownKeys)
				}},
				{Name: "tokens that are not white", Assumption: "white", Draw: func(t *props.T) scoredHead {
					return drawScored(t, coloured)
				}},
				{Reading: "exponent-one", Name: "exponent one", Criterion: "exponent", Instead: ansatzClaim{
					exponent: func(theory.BalancedHead) float64 { return 1 }}},
				{Name: "scale counted once", Criterion: "eigenvalues of AGOP", Instead: ansatzClaim{
					agop: func(h theory.BalancedHead) float64 { return h.AGOP() / h.Scale }}},
			},
		},
	},
	Along: &props.Along{Param: "gain", From: 0.5, To: 4, Reps: 1, Y: "eigenvalue"},
	Try:   &props.Simulation{Run: simulateScores},
}.Claim()

// What is claimed of any head, and of a balanced one.
type (
	defectClaim func(query, key *mat.Dense) *mat.Dense
	ansatzClaim struct {
		agop, exponent func(theory.BalancedHead) float64
	}
)

// headWeights holds the weights of queries and keys.
type headWeights struct {
	Query *mat.Dense `npy:"W_Q"`
	Key   *mat.Dense `npy:"W_K"`
}

// Valid names the hypothesis that they violate.
func (h headWeights) Valid() error {
	_, d := h.Query.Dims()
	return theory.QueryKeyPair{Query: h.Query, Key: h.Key, Form: mat.NewDense(d, d, nil)}.Valid()
}

func drawHeadWeights(t *props.T) headWeights {
	k, d := layers.Dims(t, 6)
	r, scale := t.Stream("entries"), gen.LogUniform(t.T, "scale", 0.1, 10)
	return headWeights{gen.Gaussian(r, k, d, scale), gen.Gaussian(r, k, d, 1)}
}

// squareLess is (WᵀW)² − CᵀC.
func squareLess(w, c mat.Matrix) *mat.Dense {
	return algebra.Difference(algebra.Product(w.T(), w, w.T(), w), algebra.Product(c.T(), c))
}

// scoredHead is a head with the average outer product of the gradients of its scores.
type scoredHead struct {
	Query, AGOP     *mat.Dense
	Scale, Variance float64
	Spread          float64 // of the singular values of W_Q

	gains  []float64 // these, descending
	tokens int
}

// The heads that are drawn.
const (
	balancedWhite = iota
	ownKeys
	coloured
)

func drawScored(t *props.T, kind int) scoredHead {
	d := 1 + gen.Dim(t.T, "d−1", 5)
	k := rapid.SampledFrom([]int{max(2, d-1), d}).Draw(t.T, "k")
	r := t.Stream("entries")
	s := scoredHead{Scale: gen.LogUniform(t.T, "β", 0.1, 2), Variance: gen.LogUniform(t.T, "c", 0.1, 10), Spread: 8}
	for i := range k {
		s.gains = append(s.gains, math.Pow(s.Spread, -float64(i)/float64(k-1))*2)
	}
	s.Query = layers.WithSingularValues(r, k, d, s.gains)
	key := algebra.Product(s.Query, gen.Orthonormal(r, d, d))
	if kind == ownKeys {
		key = gen.Gaussian(r, k, d, 1)
	}
	s.tokens = d + gen.Dim(t.T, "T−d", 4)
	x := mat.DenseCopyOf(gen.Orthonormal(r, s.tokens, d).T())
	x.Scale(math.Sqrt(s.Variance*float64(s.tokens)), x)
	if kind == coloured {
		x = gen.Gaussian(r, d, s.tokens, math.Sqrt(s.Variance))
	}
	s.AGOP = scoreAGOP(nn.Attention{Scale: s.Scale, Heads: []nn.Head{{Q: s.Query, K: key, V: key,
		O: mat.NewDense(1, k, nil)}}}, x)
	return s
}

// scoreAGOP averages outer products of the gradients of the scores in the query's token. A score is linear in it, so
// that the block's queries on unit tokens are the gradient.
func scoreAGOP(a nn.Attention, x *mat.Dense) *mat.Dense {
	d, tokens := x.Dims()
	_, passes := a.Forward(algebra.Beside(dense.Identity(d), x))
	k, _ := passes[0].Keys.Dims()
	gradients := algebra.Product(passes[0].Queries.Slice(0, k, 0, d).T(), passes[0].Keys.Slice(0, k, d, d+tokens))
	return algebra.Scaled(a.Scale*a.Scale/float64(tokens), algebra.Product(gradients, gradients.T()))
}

// judgeScored compares the eigenvalues that are not zero, and the slope of their logarithms.
func judgeScored(r *props.Record, s scoredHead, claim ansatzClaim) {
	k, d := s.Query.Dims()
	r.RegimeOf(k == d)
	all, grams := layers.Eigenvalues(s.AGOP), layers.Eigenvalues(algebra.Product(s.Query.T(), s.Query))
	all, grams = all[d-k:], grams[d-k:]
	var want, x, y []float64
	for i := range k {
		h := theory.BalancedHead{Gain: s.gains[k-1-i], Variance: s.Variance, Scale: s.Scale}
		want = append(want, claim.agop(h))
		x, y = append(x, math.Log(max(all[i], math.SmallestNonzeroFloat64))), append(y, math.Log(grams[i]))
	}
	unit := float64(16*(k+d)+s.tokens+128) * r.Unit() * float64(d)
	largest := theory.BalancedHead{Gain: s.gains[0], Variance: s.Variance, Scale: s.Scale}.AGOP()
	r.WithinVector("eigenvalues of AGOP", all, want, unit*largest)
	_, slope := stat.LinearRegression(x, y, nil, false)
	// the fourth power is the ratio of the eigenvalues, and both ends of a range of its logarithm may be off
	r.WithinExponent("exponent", slope, claim.exponent(theory.BalancedHead{Gain: 1, Variance: s.Variance, Scale: s.Scale}),
		math.Pow(s.Spread, 4)*unit)
}

// simulateScores differentiates the scores of a balanced head of one entry.
func simulateScores(_ *props.Trial, v statement.Values) (map[string]float64, error) {
	one := func(x float64) *mat.Dense { return mat.NewDense(1, 1, []float64{x}) }
	gain := v.Float("gain")
	a := nn.Attention{Scale: v.Float("scale"), Heads: []nn.Head{{Q: one(gain), K: one(-gain), V: one(1), O: one(1)}}}
	x := mat.NewDense(1, 2, []float64{math.Sqrt(v.Float("variance")), -math.Sqrt(v.Float("variance"))})
	return map[string]float64{"gram": gain * gain, "agop": scoreAGOP(a, x).At(0, 0)}, nil
}
