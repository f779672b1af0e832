package spectra

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/spectra"
)

// hardEdge finds the law of the smallest singular value by a Pfaffian, without sampling, and samples it.
var hardEdge = props.Spec{
	Statement: &theory.HardEdge,
	Checks:    []props.Check{smallestLaw, smallestLimit, smallestSampled},
	Along: &props.Along{Param: "epsilon", To: 3, Of: []string{"probability"}, Y: "P(√n σ ≤ ε)", Reps: 3,
		At:   map[string]string{"draws": "300"},
		Each: &props.ParamSweep{Name: "n", Values: []string{"1", "3", "10"}}},
	Try: &props.Simulation{Run: trySmallest, Params: []statement.Param{{Name: "draws", Symbol: "",
		Meaning: "matrices that are drawn", Domain: statement.IntegerBetween(1, 1e6), Default: "1000"}}},
}.Claim()

// smallestClaim is the law of √n σ, and of its limit.
type smallestClaim struct {
	law, limit func(n int, epsilon float64) float64
}

// smallestAt is a probability of √n σ ≤ ε that the Pfaffian gives.
type smallestAt struct {
	N       int
	Epsilon float64
	Share   float64
}

const exactLaw, smallBall = "P(√n σ ≤ ε)", "P(√n σ ≤ ε) < ε"

var smallestLaw = props.Drawn[smallestAt, smallestClaim]{
	Name:    "law by a Pfaffian",
	Cases:   props.Scale{Quick: 200, Standard: 1000, Deep: 20000},
	Regimes: []string{"even n", "odd n", "n = 1"},
	Draw:    func(t *props.T) smallestAt { return drawSmallest(t, 0) },
	Claim:   smallestStated(),
	Judge: func(r *props.Record, s smallestAt, c smallestClaim) {
		r.RegimeOf(s.N%2 == 1, s.N == 1)
		r.Within(exactLaw, s.Share, c.law(s.N, s.Epsilon), 1e-11)
		r.AtMost(smallBall, s.Share, s.Epsilon, 1e-11)
	},
	Controls: []props.Wrong[smallestAt, smallestClaim]{
		{Name: "one row more than columns", Assumption: "square", Criterion: exactLaw,
			Draw: func(t *props.T) smallestAt { return drawSmallest(t, 1) }},
		{Name: "complex entries, 1 − e^(−ε²)", Assumption: "real", Criterion: exactLaw,
			Instead: smallestClaim{law: func(_ int, x float64) float64 { return -math.Expm1(-x * x) }}},
		{Name: "limit in place of the law", Criterion: exactLaw, Instead: smallestClaim{law: limitLaw}},
		{Name: "law of n + 1", Criterion: exactLaw,
			Instead: smallestClaim{law: func(n int, x float64) float64 { return theory.Smallest{N: n + 1}.Below(x) }}},
		{Name: "a bound of ε/2", Criterion: smallBall, Alter: func(s *smallestAt) { s.Epsilon /= 2 }},
	},
	Coarse: map[string]string{smallBall: "a bound, which is far from large probabilities"},
}

// smallestStated is the claim.
func smallestStated() smallestClaim {
	return smallestClaim{limit: limitLaw,
		law: func(n int, epsilon float64) float64 { return theory.Smallest{N: n}.Below(epsilon) }}
}

func limitLaw(_ int, epsilon float64) float64 { return theory.Smallest{N: math.MaxInt}.Below(epsilon) }

// drawSmallest has some rows more than columns.
func drawSmallest(t *props.T, more int) smallestAt {
	s := smallestAt{N: rapid.IntRange(1, 12).Draw(t.T, "n"), Epsilon: gen.LogUniform(t.T, "ε", 0.05, 4)}
	s.Share = 1 - confined(s.N+more, s.N, s.Epsilon/math.Sqrt(float64(s.N)), math.Inf(1))
	return s
}

// smallestPlaces are values of ε.
var smallestPlaces = []float64{0.25, 0.5, 1, 2}

// smallestPair are the probabilities at these places for n and for 2n.
type smallestPair struct{ N, Twice []float64 }

var smallestLimit = props.Grid[int, smallestPair, smallestClaim]{
	Name: "limit by a Pfaffian",
	Cells: func(e props.Effort) []int {
		return props.Sizes{Quick: []int{24, 32}, Standard: []int{24, 32, 48}, Deep: []int{24, 32, 48, 64}}.At(e)
	},
	Measure: func(_ *props.Trial, n int) smallestPair {
		return smallestPair{smallestShares(n), smallestShares(2 * n)}
	},
	Claim: smallestStated(),
	Judge: func(r *props.Record, n int, m smallestPair, c smallestClaim) {
		errors, extrapolated, want := [2]float64{}, []float64{}, []float64{}
		for i, x := range smallestPlaces {
			limit := c.limit(n, x)
			errors[0] = max(errors[0], math.Abs(m.N[i]-limit))
			errors[1] = max(errors[1], math.Abs(m.Twice[i]-limit))
			extrapolated, want = append(extrapolated, 2*m.Twice[i]-m.N[i]), append(want, limit)
		}
		r.WithinVector("limit of P(√n σ ≤ ε)", extrapolated, want, 1/float64(n*n))
		r.WithinExponent("exponent of its error", math.Log2(errors[1]/errors[0]), -1, 1/float64(n))
	},
	Chosen: map[string][]string{"coefficient of the next order, 1": {"limit of P(√n σ ≤ ε)", "exponent of its error"}},
	Controls: []props.WrongCell[int, smallestPair, smallestClaim]{
		{Name: "1 − e^(−ε²/2)",
			Instead: smallestClaim{limit: func(_ int, x float64) float64 { return -math.Expm1(-x * x / 2) }}},
		{Name: "limit of complex entries", Assumption: "real",
			Instead: smallestClaim{limit: func(_ int, x float64) float64 { return -math.Expm1(-x * x) }}},
		{Name: "a limit that is 1 % off", Criterion: "exponent of its error",
			Instead: smallestClaim{limit: func(n int, x float64) float64 { return 1.01 * limitLaw(n, x) }}},
	},
}

// smallestShares are P(√n σ ≤ ε) at the places.
func smallestShares(n int) []float64 {
	var out []float64
	for _, x := range smallestPlaces {
		out = append(out, 1-confined(n, n, x/math.Sqrt(float64(n)), math.Inf(1)))
	}
	return out
}

// smallestSizes lists the sizes of sampled matrices, with a law that is far from its limit.
var smallestSizes = []int{2, 5}

// smallestBatch is a batch of matrices of one size.
type smallestBatch struct{ N, Matrices, Batch int }

var smallestSampled = props.Grid[smallestBatch, []float64, smallestClaim]{
	Name: "quartile of sampled matrices",
	Cells: func(e props.Effort) (out []smallestBatch) {
		for _, n := range smallestSizes {
			for i := range 32 {
				out = append(out, smallestBatch{n, props.Scale{Quick: 1500, Standard: 4000, Deep: 8000}.At(e), i})
			}
		}
		return out
	},
	Regimes: []string{"n = 5", "n = 2"},
	Measure: func(t *props.Trial, b smallestBatch) []float64 { return b.sample(t.Rand, gaussianEntries) },
	Claim:   smallestStated(),
	Conclude: func(r *props.Record, cells []smallestBatch, all [][]float64, c smallestClaim) {
		for _, n := range smallestSizes {
			r.RegimeOf(n == 2)
			var values []float64
			for i, b := range cells {
				if b.N == n {
					values = append(values, all[i]...)
				}
			}
			if values == nil { // a control that is tried on the other size
				continue
			}
			// An order statistic at p scatters by √(p(1−p)) over the density, the median of a normal law by ½·√(2π) sd.
			quartile := func(law func(int, float64) float64) float64 {
				return quantileOf(func(x float64) float64 { return law(n, x) }, upper, 0, 4)
			}
			at := quartile(smallestStated().law)
			density := (c.law(n, at+0.01) - c.law(n, at-0.01)) / 0.02
			margin := stat.MedianMargin(stat.NormalTail, math.Sqrt(upper*(1-upper)*2/math.Pi)/density, len(values),
				stat.CriterionAlpha, stat.CriterionUndecided)
			iv := stat.Quantile(values, upper, stat.CriterionAlpha)
			r.Equals("upper quartile of √n σ", iv, quartile(c.law), margin)
		}
	},
	Controls: []props.WrongCell[smallestBatch, []float64, smallestClaim]{
		{Name: "signs in place of Gaussian entries", Assumption: "gaussian", On: onPairs,
			Measure: func(t *props.Trial, b smallestBatch) []float64 { return b.sample(t.Rand, signs) }},
		{Name: "symmetric matrices", Assumption: "independent", On: onPairs,
			Measure: func(t *props.Trial, b smallestBatch) []float64 {
				return b.sample(t.Rand, func(r *rand.Rand, n int) *mat.Dense {
					x := gaussianEntries(r, n)
					x.Set(1, 0, x.At(0, 1))
					return x
				})
			}},
		{Name: "complex law of samples", Assumption: "real",
			Instead: smallestClaim{law: func(_ int, x float64) float64 { return -math.Expm1(-x * x) }}},
	},
	Coarse: map[string]string{"upper quartile of √n σ": "48000 matrices of a size at quick effort; the other check " +
		"knows the law to 10⁻¹¹"},
}

// upper is the quantile that samples are compared at.
const upper = 0.75

// quantileOf is where, between lo and hi, a law has the share p below.
func quantileOf(law func(x float64) float64, p, lo, hi float64) float64 {
	for range 50 {
		if mid := (lo + hi) / 2; law(mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

func onPairs(b smallestBatch) bool { return b.N == 2 }

// sample draws √n σ.
func (b smallestBatch) sample(r *rand.Rand, draw func(r *rand.Rand, n int) *mat.Dense) []float64 {
	out := make([]float64, b.Matrices)
	for i := range out {
		values, err := linalg.SingularValues(draw(r, b.N))
		if err != nil {
			out[i] = math.NaN()
			continue
		}
		out[i] = math.Sqrt(float64(b.N)) * values[b.N-1]
	}
	return out
}

func gaussianEntries(r *rand.Rand, n int) *mat.Dense { return gen.Gaussian(r, n, n, 1) }

func signs(r *rand.Rand, n int) *mat.Dense {
	x := mat.NewDense(n, n, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return sign(r) }, x)
	return x
}

func trySmallest(t *props.Trial, v statement.Values) (map[string]float64, error) {
	b := smallestBatch{N: v.Int("n"), Matrices: v.Int("draws")}
	work := math.Pow(float64(b.N), 3) * float64(b.Matrices)
	t.Need(work <= 1e9, "n³ times the number of draws is %g; take at most 10⁹", work)
	below, mean := 0.0, 0.0
	for _, y := range b.sample(t.Rand, gaussianEntries) {
		mean += y / float64(b.Matrices)
		if y <= v.Float("epsilon") {
			below += 1 / float64(b.Matrices)
		}
	}
	return map[string]float64{"probability": below, "mean": mean}, nil
}
