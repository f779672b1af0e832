package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// depth pairs the sums of Theorem 4' with the matrices that they are sums of.
var depth = props.Spec{
	Statement: &theory.Depth,
	Along: &props.Along{
		Param: "above", To: 6, Of: []string{"trace"},
		Each: &props.ParamSweep{Name: "degree", Values: []string{"1", "1.5", "2", "3"}}, Places: 7, Reps: 2,
	},
	Try: &props.Simulation{Run: simulateDepth},
	Checks: []props.Check{
		props.Drawn[pairSum, pairClaim]{
			Name:    "sums over pairs",
			Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 20000},
			Regimes: []string{"centred targets", "any targets"},
			Draw:    drawPairSum,
			Claim:   pairClaim{theory.PairSum.Trace, theory.PairSum.Similarity, func(centred bool) bool { return centred }},
			Judge:   judgePairSum,
			Controls: []props.Wrong[pairSum, pairClaim]{
				{Name: "the ratio of centred targets for any", Assumption: "centred", Criterion: "S over tr G",
					Instead: pairClaim{ratio: func(bool) bool { return true }}},
				{Name: "without the factor 1/N", Criterion: "similarity",
					Instead: pairClaim{similarity: func(p theory.PairSum) float64 {
						p.Samples, p.Squares = 1, max(p.Squares, p.Sum*p.Sum)
						return p.Similarity()
					}}},
				{Name: "degree of one layer less", Criterion: "tr G",
					Instead: pairClaim{trace: func(p theory.PairSum) float64 {
						p.Factor = max(1, p.Factor-1)
						return p.Trace()
					}}},
			},
		},
	},
}.Claim()

// pairClaim holds the claims about sums over pairs.
type pairClaim struct {
	trace, similarity func(theory.PairSum) float64
	ratio             func(centred bool) bool // whether S over tr G is as stated
}

// pairSum is the Gram matrix PPᵀ of targets.
type pairSum struct {
	Y      []float64  `npy:"Y"`
	G      *mat.Dense `npy:"G"`
	Factor float64    `npy:"factor"` // M
}

// Valid names the violated hypothesis.
func (s pairSum) Valid() error {
	if floats.Norm(s.Y, 2) == 0 {
		return errors.New("the targets vanish")
	}
	return theory.PairSum{Factor: s.Factor, Samples: len(s.Y)}.Valid()
}

// drawPairSum draws one target now and then, which cannot be centred.
func drawPairSum(t *props.T) pairSum {
	count := gen.Dim(t.T, "N", 8)
	s := pairSum{Factor: math.Pow(float64(rapid.IntRange(1, 4).Draw(t.T, "m")),
		float64(rapid.IntRange(0, 3).Draw(t.T, "L−l")))}
	y := gen.Gaussian(t.Stream("targets"), 1, count, gen.LogUniform(t.T, "size", 1e-2, 1e2))
	if rapid.Bool().Draw(t.T, "centred") && count > 1 {
		y = centred(y)
	}
	s.Y = y.RawRowView(0)
	p := mat.NewDense(count, count, nil)
	p.Apply(func(i, k int, _ float64) float64 { return s.Y[i] + (s.Factor-1)*s.Y[k] }, p)
	s.G = algebra.Product(p, p.T())
	return s
}

func judgePairSum(r *props.Record, s pairSum, c pairClaim) {
	count := float64(len(s.Y))
	p := theory.PairSum{Factor: s.Factor, Squares: floats.Dot(s.Y, s.Y), Sum: floats.Sum(s.Y), Samples: len(s.Y)}
	size := 4 * s.Factor * s.Factor * p.Squares // of tr G/c
	zero := math.Abs(p.Sum) <= 64*count*r.Unit()*math.Sqrt(p.Squares)
	r.RegimeOf(!zero)
	trace := mat.Trace(s.G) / count
	y := mat.NewVecDense(len(s.Y), s.Y)
	similarity := mat.Inner(y, s.G, y) / count
	rounding := (count + 16) * r.Unit() * size
	r.Within("tr G", trace, c.trace(p), rounding)
	r.Within("similarity", similarity, c.similarity(p), count*rounding*p.Squares)
	if c.ratio(zero) {
		r.Within("S over tr G", similarity/trace, p.Squares/p.Phi(), 4*count*rounding*p.Squares/trace)
	}
}

// simulateDepth draws targets of the given sum and sum of squares, and adds up the pairs.
func simulateDepth(t *props.Trial, v statement.Values) (map[string]float64, error) {
	count, sum, squares := v.Int("samples"), v.Float("sum"), v.Float("squares")
	factor := math.Pow(v.Float("degree"), v.Float("above"))
	t.Need(count <= 2000, "a simulation adds up all pairs of at most 2000 samples")
	// What is left for deviations from the mean is not negative, see the statement, and 0 for one sample.
	mean := sum / float64(count)
	y := make([]float64, count)
	rest := squares - sum*mean
	t.Need(count > 1 || rest <= 1e-12*squares, "the square of one target is its sum squared; give more samples")
	if count > 1 {
		y = centred(gen.Gaussian(t.Rand, 1, count, 1)).RawRowView(0)
		floats.Scale(math.Sqrt(max(0, rest))/floats.Norm(y, 2), y)
	}
	floats.AddConst(mean, y)
	trace, similarity := 0.0, 0.0
	for i := range y {
		inner := 0.0
		for k := range y { // row i of Pᵀ and its product with Y
			p := y[k] + (factor-1)*y[i]
			trace += p * p
			inner += p * y[k]
		}
		similarity += inner * inner
	}
	return map[string]float64{"trace": trace / float64(count), "similarity": similarity / float64(count)}, nil
}
