package emergence

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// inputs pairs the closed forms of the moments with sums over all states of the hidden bits.
var inputs = props.Spec{
	Statement: &theory.Inputs,
	Checks: []props.Check{props.Drawn[family, familyClaim]{
		Name:       "moments over all states",
		Cases:      props.Scale{Quick: 60, Standard: 200, Deep: 8000},
		Replicates: 2,
		Regimes: []string{"k = 1", "no background bits", "silent background", "background, k ≤ 3",
			"background, k ≥ 4", "γ ≤ 0"},
		Draw: families{relevant: 1, odds: []data.Odds{data.Fair, {One: 1, Zero: 2}, {One: 2, Zero: 5}, {One: 0, Zero: 1}},
			above: rapid.IntRange(0, 3)}.draw,
		Claim: familyClaim{gamma: theory.Conditional.Covariance, correlation: 2, variance: theory.Conditional.Variance,
			coefficient: func(gamma, sigma float64) float64 { return gamma / sigma }, along: rational.Indicator},
		Judge: judgeFamily,
		Proven: map[string]string{"mean squared norm": "every rounding, of a dictionary that is orthonormal up to any " +
			"constant of the decomposition below 280"},
		Controls: []props.Wrong[family, familyClaim]{
			{Name: "accepted counts twice as likely", Assumption: "balanced", Criterion: "balance",
				Draw: families{relevant: 1, odds: fairOdds}.drawAnd(unbalance)},
			{Name: "one pattern of a count likelier than another", Assumption: "exchangeable", Criterion: "covariances",
				Draw: families{relevant: 2, odds: fairOdds}.drawAnd(gatherOnes)},
			{Name: "a background bit that tends to equal a relevant one", Assumption: "independent-background",
				Criterion: "covariances", Draw: thirds.drawAnd(tieBackground)},
			{Name: "a background bit of another probability", Assumption: "alike-background", Criterion: "variance",
				Draw: thirds.drawAnd(weighOutside)},
			{Name: "the mean count larger on the other side", Assumption: "accepted-above", Criterion: "γ > 0",
				Draw:  families{relevant: 2, odds: fairOdds, above: rapid.Just(0)}.draw,
				Alter: func(in *family) { in.above = true }},
			{Name: "dictionary with dependent columns of norm 1", Assumption: "orthonormal",
				Criterion: "mean squared norm", Draw: func(t *props.T) family {
					in := families{relevant: 2, background: 1, odds: fairOdds}.draw(t)
					for i := range in.dictionary.RawMatrix().Rows {
						in.dictionary.Set(i, in.Support[1], in.dictionary.At(i, in.Support[0]))
					}
					return in
				}},
			{Name: "γ without its factor 1/2", Criterion: "covariances",
				Instead: familyClaim{gamma: func(l theory.Conditional) *big.Rat {
					gamma := l.Covariance()
					return gamma.Add(gamma, gamma)
				}}},
			{Name: "E[y zᵢ] = γ", Criterion: "correlations", Instead: familyClaim{correlation: 1}},
			{Name: "σ̃² of the background alone", Criterion: "variance",
				Instead: familyClaim{variance: func(l theory.Conditional, dim int, background *big.Rat) *big.Rat {
					all := l.Variance(dim, background)
					return all.Sub(all, l.Variance(len(l.Plus)-1, background))
				}}},
			{Name: "E[yx] without 1/σ̃", Criterion: "E[yx] through a dictionary",
				Instead: familyClaim{coefficient: func(gamma, _ float64) float64 { return gamma }}},
			{Name: "E[yx] along all columns", Criterion: "E[yx] through a dictionary",
				Instead: familyClaim{along: func(dim int, _ []int) []float64 {
					return rational.Indicator(dim, props.Indices(dim))
				}}},
		},
	}, props.Drawn[int, exampleClaim]{
		Name:       "the examples of the source",
		Cases:      props.Scale{Quick: 10, Standard: 20, Deep: 40},
		Replicates: 2,
		Draw:       oddFrom(1),
		Claim:      exampleClaim{majority: theory.MajorityCovariance, parity: theory.Mixture.Covariance},
		Judge:      judgeExamples,
		Controls: []props.Wrong[int, exampleClaim]{
			{Name: "binom(k, (k−1)/2)/2^k for the majority", Criterion: "majority of fair bits",
				Draw: oddFrom(3), // at k = 1 the two binomials say the same
				Instead: exampleClaim{majority: func(k int) float64 {
					return rational.Float(big.NewRat(binomial(k, (k-1)/2), 1<<k))
				}}},
			{Name: "λ/2 for parity", Criterion: "parity on the mixture",
				Instead: exampleClaim{parity: func(m theory.Mixture) float64 { return m.Uniform / 2 }}},
		},
	}},
	Along: &props.Along{
		Param: "uniform", To: 1, Of: []string{"coordinate"}, At: map[string]string{"D": "30", "n": "5000"},
		Each: &props.ParamSweep{Name: "label", Values: []string{"parity", "majority"}}, Y: "E[yφᵢ] on A, γ/σ̃",
		Reps: 3,
	},
	Try: &props.Simulation{
		Params: []statement.Param{{Name: "n", Symbol: "n", Meaning: "inputs drawn", Domain: statement.IntegerBetween(10,
			1000000), Default: "20000"}},
		Run: drawExample,
	},
}.Claim()

// family holds a law of the family, listed state by state.
type family struct {
	Dim     int
	Support []int
	Accept  []bool
	Counts  []string // Pr[S = s]
	One     int64    // odds of a background bit
	Zero    int64

	law        data.Hidden
	above      bool // the mean count has to be larger on the accepted side
	dictionary *mat.Dense
}

// familyClaim holds the claimed covariance γ of label and relevant bit, E[y zᵢ] in units of γ, σ̃², the coefficient of
// E[yx], and the columns along which it points.
type familyClaim struct {
	gamma       func(theory.Conditional) *big.Rat
	correlation int64
	variance    func(l theory.Conditional, dim int, background *big.Rat) *big.Rat
	coefficient func(gamma, sigma float64) float64
	along       func(dim int, support []int) []float64
}

var (
	fairOdds = []data.Odds{data.Fair}
	thirds   = families{relevant: 1, background: 1, odds: []data.Odds{{One: 1, Zero: 2}}}
)

// families draws laws with at most nine bits, and at least the given numbers of relevant and background bits. If above
// draws a zero, the accepted side may have the smaller mean count; a nil generator never draws one.
type families struct {
	relevant, background int
	odds                 []data.Odds
	above                *rapid.Generator[int]
}

func (f families) draw(t *props.T) family {
	k := max(gen.Dim(t.T, "k", 6), f.relevant)
	dim := k + rapid.IntRange(f.background, 9-k).Draw(t.T, "D−k")
	odds := rapid.SampledFrom(f.odds).Draw(t.T, "odds")
	r := t.Stream("law")
	accept := make([]bool, k+1)
	for count := 1; count <= k; count++ {
		accept[count] = r.IntN(2) == 1
	}
	accept[1+r.IntN(k)] = true
	above := f.above == nil || f.above.Draw(t.T, "accepted side above") > 0
	weights := countWeights(r, accept, above)
	pattern := list.Fill(1<<k, func(p int) int64 { return weights[ones(p)] })
	h := data.NewHidden(dim, rational.Subset(r, dim, k), accept, pattern, odds)
	return family{Dim: dim, Support: h.Support, Accept: accept, Counts: rational.Texts(h.CountLaw()), One: odds.One,
		Zero: odds.Zero, law: h, above: above, dictionary: gen.Orthonormal(r, dim+r.IntN(3), dim)}
}

// drawAnd changes the law that was drawn.
func (f families) drawAnd(change func(data.Hidden)) func(*props.T) family {
	return func(t *props.T) family {
		in := f.draw(t)
		change(in.law)
		in.Counts = rational.Texts(in.law.CountLaw())
		return in
	}
}

// countWeights draws the weight of one pattern of each count such that the labels are balanced. If above is set, it
// raises the weight of the count 0 until the mean count is larger on the accepted side.
func countWeights(r *rand.Rand, accept []bool, above bool) []int64 {
	k := len(accept) - 1
	weights := list.Fill(k+1, func(int) int64 { return r.Int64N(4) * r.Int64N(4) })
	weights[0]++
	accepted := slices.Index(accept, true)
	weights[accepted]++
	for {
		var total, mean [2]int64 // of the rejected and of the accepted counts
		for count, w := range weights {
			side := 0
			if accept[count] {
				side = 1
			}
			total[side] += w * binomial(k, count)
			mean[side] += w * binomial(k, count) * int64(count)
		}
		if above && mean[1]*total[0] <= mean[0]*total[1] {
			weights[0] = 2*weights[0] + 1
			continue
		}
		for count := range weights {
			if accept[count] {
				weights[count] *= total[0]
			} else {
				weights[count] *= total[1]
			}
		}
		return weights
	}
}

// weighOutside makes the first bit outside A less likely than the others.
func weighOutside(h data.Hidden) {
	outside := firstOutside(h)
	for s := range h.Weight {
		if s>>outside&1 == 0 {
			h.Weight[s] *= 3
		}
	}
}

func judgeFamily(r *props.Record, in family, claim familyClaim) {
	h := in.law
	plus, minus := conditional(h)
	counts := theory.Conditional{Plus: plus, Minus: minus}
	k := len(in.Support)
	fair := k < in.Dim && in.One != 0 // background bits that are one at times
	r.RegimeOf(k == in.Dim, k < in.Dim && !fair, fair && k > 1, fair && k >= 4, counts.Covariance().Sign() <= 0)
	gamma, variance := claim.gamma(counts), claim.variance(counts, in.Dim, big.NewRat(in.One, in.One+in.Zero))
	balance, covariance := covariances(h)
	relevant := rational.Indicator(in.Dim, in.Support)
	want, correlation, claimed := make([]*big.Rat, in.Dim), make([]*big.Rat, in.Dim), make([]*big.Rat, in.Dim)
	for j := range want {
		want[j], claimed[j], correlation[j] = new(big.Rat), new(big.Rat), new(big.Rat).Add(covariance[j], covariance[j])
		if relevant[j] == 1 {
			want[j].Set(gamma)
			claimed[j].Mul(gamma, big.NewRat(claim.correlation, 1))
		}
	}
	r.Show("γ", gamma.RatString())
	rational.Exactly(r, "balance", []*big.Rat{balance}, []*big.Rat{new(big.Rat)})
	rational.Exactly(r, "covariances", covariance, want)
	rational.Exactly(r, "correlations", correlation, claimed) // E[y z] = 2E[y φ̃] − E y, and E y = 0
	rational.Exactly(r, "variance", []*big.Rat{h.Variance()}, []*big.Rat{variance})
	if in.above {
		r.Holds("γ > 0", gamma.Sign() > 0 && gamma.Cmp(big.NewRat(1, 2)) <= 0)
	}
	judgeDictionary(r, in, rational.Float(gamma), claim)
}

// judgeDictionary compares E[yx] and E‖x‖² in the input's own space.
func judgeDictionary(r *props.Record, in family, gamma float64, claim familyClaim) {
	s := in.law.Inputs(in.dictionary)
	d, dim := in.dictionary.Dims()
	variance := rational.Float(in.law.Variance())
	deviation := new(big.Float).Sqrt(new(big.Float).SetFloat64(variance))
	sigma, _ := deviation.Float64()
	mean, square := momentsOf(s)
	want := algebra.Image(in.dictionary, mat.NewVecDense(dim, claim.along(in.Dim, in.Support)))
	want.ScaleVec(claim.coefficient(gamma, sigma), want)
	steps := float64(len(s.P)+2*dim+20) * r.Unit() * float64(dim) / sigma
	r.WithinVector("E[yx] through a dictionary", mean, want.RawVector().Data, steps)
	// As E(Σ|φⱼ|)² ≤ D the mean errs by (2(D+6) + N + d)Du at most, and σ̃² ≤ D/4 makes the first term 8D(N+2D+20)u:
	// what is left, 7D(N+2D+20)u, is more than 280u for D ≥ 2, in addition to 10(d+D)Du for the orthonormality.
	r.Within("mean squared norm", square, 1, 2*float64(dim)/sigma*steps+float64(10*(d+dim)*dim)*r.Unit())
}

// momentsOf returns E[yx] and E‖x‖².
func momentsOf(s data.Sample) (mean []float64, square float64) {
	_, d := s.X.Dims()
	mean = make([]float64, d)
	for i, p := range s.P {
		x := s.X.RawRowView(i)
		floats.AddScaled(mean, p*s.Y[i], x)
		square += p * floats.Dot(x, x)
	}
	return mean, square
}

// conditional returns the laws of the count given the label.
func conditional(h data.Hidden) (plus, minus []*big.Rat) {
	law, mass := h.CountLaw(), [2]*big.Rat{new(big.Rat), new(big.Rat)}
	for count, p := range law {
		side := 0
		if h.Accept[count] {
			side = 1
		}
		mass[side].Add(mass[side], p)
	}
	for count, p := range law {
		plus, minus = append(plus, new(big.Rat)), append(minus, new(big.Rat))
		if h.Accept[count] {
			plus[count].Quo(p, mass[1])
		} else {
			minus[count].Quo(p, mass[0])
		}
	}
	return plus, minus
}

// covariances returns E y and E[y φ̃ⱼ] − E[y]E[φ̃ⱼ] for all j.
func covariances(h data.Hidden) (*big.Rat, []*big.Rat) {
	total, all, on := h.Total(), int64(0), make([]int64, h.Dim)
	for s, w := range h.Weight {
		w *= int64(h.Label(s))
		all += w
		for j := range on {
			on[j] += w * int64(s>>j&1)
		}
	}
	balance, out := big.NewRat(all, total), make([]*big.Rat, h.Dim)
	for j, mean := range h.Mean() {
		out[j] = big.NewRat(on[j], total)
		out[j].Sub(out[j], new(big.Rat).Mul(balance, mean))
	}
	return balance, out
}

// exampleClaim holds the claimed γ of the majority of k fair bits, and of parity on a mixture.
type exampleClaim struct {
	majority func(k int) float64
	parity   func(theory.Mixture) float64
}

// oddFrom draws an odd k from the given smallest value to 11.
func oddFrom(fewest int) func(*props.T) int {
	return func(t *props.T) int { return 2*rapid.IntRange(fewest/2, 5).Draw(t.T, "(k−1)/2") + 1 }
}

// judgeExamples counts majority and parity over the 2^k patterns of the bits on A.
func judgeExamples(r *props.Record, k int, claim exampleClaim) {
	half := list.Fill(k+1, func(count int) bool { return 2*count > k })
	r.Exactly("majority of fair bits", gammaOf(k, half, 1, 0), claim.majority(k))
	for share := int64(0); share <= 4; share++ {
		m := theory.Mixture{Dim: k, Count: k, Background: 0.5, Uniform: float64(share) / 4}
		r.Exactly("parity on the mixture", gammaOf(k, data.Parity(k), share, 4-share), claim.parity(m))
	}
}

// gammaOf returns γ of the first bit under the mixture with the given shares.
func gammaOf(k int, accept []bool, uniform, equal int64) float64 {
	_, all := covariances(data.NewHidden(k, props.Indices(k), accept, data.Mixture(k, uniform, equal), data.Fair))
	return rational.Float(all[0])
}

// drawExample draws inputs and measures the moments.
func drawExample(t *props.Trial, v statement.Values) (map[string]float64, error) {
	dim, k, n := v.Int("D"), v.Int("k"), v.Int("n")
	t.Need(k <= 20 && float64(n)*float64(dim) <= 1e8,
		"the dimension D=%d, k=%d, n=%d cannot be simulated: k is at most 20 and n·D at most 1e8", dim, k, n)
	law := wideOf(v)
	if v.Choice("label") == "majority" {
		for count := range law.Accept {
			law.Accept[count] = 2*count > k
		}
	}
	sigma := law.Deviation()
	mean, square := momentsOf(law.Draw(t.Rand, n))
	on := floats.Sum(mean[:k]) / float64(k)
	return map[string]float64{"sigma": sigma, "gamma": on * sigma, "coordinate": on, "correlation": 2 * on * sigma,
		"norm2": square}, nil
}

// binomial returns binom(n, k) for small n.
func binomial(n, k int) int64 { return new(big.Int).Binomial(int64(n), int64(k)).Int64() }

// ones counts the bits of a pattern.
func ones(pattern int) int { return bits.OnesCount(uint(pattern)) }
