package stat

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// exactTail is P(Bin(n, 1/2) < k), in rational arithmetic.
func exactTail(k, n int) float64 {
	sum := new(big.Int)
	for i := range k {
		sum.Add(sum, new(big.Int).Binomial(int64(n), int64(i)))
	}
	p, _ := new(big.Rat).SetFrac(sum, new(big.Int).Lsh(big.NewInt(1), uint(n))).Float64()
	return p
}

// The coverage of the interval for a median is a binomial tail, which is at most alpha and as large as can be.
func TestMedianIsExact(t *testing.T) {
	for n := 1; n <= 200; n++ {
		xs := make([]float64, n)
		for i := range xs {
			xs[(i*211)%n] = float64(i + 1) // in some order: 211 is a prime
		}
		for _, alpha := range []float64{0.05, PartAlpha, CriterionAlpha, 1e-15} {
			iv := Median(xs, alpha)
			if exactTail(1, n) > alpha/2 {
				require.False(t, iv.Valid(), "n = %d", n)
				continue
			}
			require.True(t, iv.Valid(), "n = %d", n)
			k := int(iv.Lo)
			require.Equal(t, float64(n+1-k), iv.Hi, "symmetry")
			require.LessOrEqual(t, exactTail(k, n), alpha/2, "n = %d: level", n)
			require.Greater(t, exactTail(k+1, n), alpha/2, "n = %d: no narrower interval has the level", n)
		}
	}
}

func TestRankDraws(t *testing.T) {
	require.Equal(t, 28, RankDraws(0, PartAlpha)) // 2·2⁻²⁸ < 1e-8 < 2·2⁻²⁷
	require.Equal(t, 31, RankDraws(0, CriterionAlpha))
	for _, lean := range []float64{0, 0.01, 0.1, 0.3, 0.45} {
		for _, alpha := range []float64{0.9, 0.5, 0.05, 1e-9, 1e-80} {
			n := RankDraws(lean, alpha)
			xs := make([]float64, n)
			require.True(t, RankMean(xs, lean, alpha).Valid(), "%v %v: %d", lean, alpha, n)
			require.False(t, RankMean(xs[1:], lean, alpha).Valid(), "%v %v: %d", lean, alpha, n)
		}
	}
}

func TestOrderByHand(t *testing.T) {
	// Eight draws at 5 %: P(Bin(8, 1/2) = 0) = 1/256 and P(≤ 1) = 9/256 > 1/40, so the ends are the extremes.
	xs := []float64{5, 3, 8, 1, 9, 2, 7, 20}
	require.Equal(t, Interval{6, 1, 20, 0.05}, Median(xs, 0.05))
	// At 0.1 it is one in: 9/256 ≤ 1/20.
	require.Equal(t, Interval{6, 2, 9, 0.1}, Median(xs, 0.1))
	// The mean is 55/8; a lean of 0.1 puts 0.4 for 1/2: P(Bin(8, 0.4) = 0) = 0.017 ≤ 1/40.
	require.Equal(t, Interval{6.875, 1, 20, 0.05}, RankMean(xs, 0.1, 0.05))
	// A lean of 0.2: 0.7⁸ = 0.058.
	require.False(t, RankMean(xs, 0.2, 0.05).Valid())
	// The lower quartile at 0.3: 0.75⁸ = 0.10 ≤ 0.15 < 0.37, and from above P(Bin(8, 3/4) ≤ 4) = 0.114 ≤ 0.15 < 0.32,
	// so that the upper end is the fifth largest.
	require.Equal(t, Interval{2.5, 1, 5, 0.3}, Quantile(xs, 0.25, 0.3))
	// The average lies beyond the interval, and the estimate stops at its end.
	far := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1e6}
	require.Equal(t, Interval{1, 1, 1, 0.05}, RankMean(far, 0, 0.05))
	// Indicators: eleven of twelve, and the median is 1 at 5 %.
	require.Equal(t, Interval{1, 1, 1, 0.05}, Median([]float64{1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1}, 0.05))
}

// Order statistics go along with every increasing function, and do not care for the order of the draws.
func TestMedianEquivariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-3, 3), 31, 80).Draw(t, "x")
		iv := Median(xs, CriterionAlpha)
		ys := make([]float64, len(xs))
		for i, x := range xs {
			ys[len(xs)-1-i] = math.Exp(x)
		}
		got := Median(ys, CriterionAlpha)
		if got.Lo != math.Exp(iv.Lo) || got.Hi != math.Exp(iv.Hi) || !got.Valid() {
			t.Fatalf("%+v, of exponentials %+v", iv, got)
		}
	})
}

func TestDrawsAreLeftInOrder(t *testing.T) {
	xs := []float64{3, 1, 2, 9, 8, 7, 6}
	Median(xs, 0.1)
	require.Equal(t, []float64{3, 1, 2, 9, 8, 7, 6}, xs)
}

func TestRankTailIsTheRoot(t *testing.T) {
	for _, n := range []int{31, 32, 40, 64, 200, 1800} {
		for _, lean := range []float64{0, 0.05} {
			p := RankTail(n, lean, CriterionAlpha, CriterionUndecided)
			if n < RankDraws(lean, CriterionAlpha) {
				require.True(t, math.IsNaN(p), "n = %d", n)
				continue
			}
			undecided := RankUndecided(p, n, lean, CriterionAlpha)
			near(t, undecided, CriterionUndecided, 1e-10, fmt.Sprint("undecided at ", n))
			require.Greater(t, RankUndecided(1.01*p, n, lean, CriterionAlpha), CriterionUndecided)
		}
	}
	// 31 draws allow none beyond.
	near(t, RankTail(31, 0, CriterionAlpha, CriterionUndecided), CriterionUndecided/62, 1e-12, "union bound")
	// A share so large that Hoeffding's comparison does not apply promises nothing.
	require.Equal(t, 1.0, RankUndecided(0.4, 64, 0, CriterionAlpha))
}

// The table in the comment of MedianMargin.
func TestMarginTable(t *testing.T) {
	for _, row := range []struct {
		draws                 int
		normal, skewed, heavy float64
	}{
		{31, 6.6, 31, 175}, {40, 4.8, 13, 20}, {48, 3.5, 6.8, 6.3}, {64, 2.5, 3.6, 2.9},
		{96, 1.8, 2.2, 1.8}, {216, 1.1, 1, 1}, {1800, 0.36, 0.49, 0.3},
	} {
		margin := func(tail Tail) float64 {
			return MedianMargin(tail, 1, row.draws, CriterionAlpha, CriterionUndecided)
		}
		near(t, margin(NormalTail), row.normal, 0.05, fmt.Sprint("normal, ", row.draws))
		near(t, margin(SkewedTail(1.4)), row.skewed, 0.05, fmt.Sprint("skewed, ", row.draws))
		near(t, margin(HeavyTail(5)), row.heavy, 0.05, fmt.Sprint("heavy, ", row.draws))
	}
}

func TestTails(t *testing.T) {
	near(t, NormalTail(0.025), 1.959963984540054, 1e-12, "normal")
	near(t, NormalTail(5e-9), 5.730728868, 1e-9, "normal, far out")
	near(t, HeavyTail(5)(0.025), 2.570581835636*math.Sqrt(0.6), 1e-10, "Student")
	near(t, AnyTail(0.1), 3, 1e-12, "Cantelli")
	near(t, SkewedTail(0.001)(1e-6), NormalTail(1e-6), 4e-3, "little skewness") // γ(z²-1)/6
	require.Equal(t, NormalTail(1e-6), SkewedTail(0)(1e-6))
	require.Equal(t, SkewedTail(1.4)(1e-6), SkewedTail(-1.4)(1e-6))
	for _, p := range []float64{1e-12, 1e-6, 1e-3, 0.1} {
		require.Less(t, NormalTail(p), SubGaussianTail(p))
		require.Less(t, SubGaussianTail(p), AnyTail(p))
		require.Less(t, SkewedTail(1)(p), SkewedTail(2)(p)+1) // beyond the sd's own change
	}
	l := lognormalLaw("", 1.4)
	near(t, l.skewness, 1.4, 1e-3, "skewness of the law that the tail is of") // the cells take that much from it
	x := l.mean + l.sd*SkewedTail(1.4)(1e-4)
	near(t, 1-l.below(x), 1e-4, 0.01, "share beyond the tail")
}

func TestLean(t *testing.T) {
	near(t, lognormalLaw("", 1.4).lean(), 0.083, 0.01, "lognormal")
	near(t, chiSquaredLaw("", 1).lean(), 0.1827, 0.01, "χ² with one degree of freedom") // P(|Z| < 1) = 0.6827
	near(t, Lean(1.4), 0.0931, 0.001, "first order")
	near(t, Lean(-math.Sqrt(8)), 0.1881, 0.001, "first order, χ²")
	// The proven bound holds for averages of χ² with one degree of freedom: E|Z²-1|³ = 8.69 and the variance is 2,
	// which makes 3.07.
	for _, k := range []int{4, 16, 64} {
		require.Less(t, chiSquaredLaw("", float64(k)).lean(), LeanOfMean(k, 3.1))
	}
	require.InDelta(t, 0.4690*2/10, LeanOfMean(100, 2), 1e-15, "the constant of the source")
}

func TestSlopes(t *testing.T) {
	x := []float64{0, 1, 2, 3}
	ys := [][]float64{{0, 1, 1, 2}, {5, 5, 5, 5}, {3, 1, -1, -3}}
	got := Slopes(x, ys)
	for i, want := range []float64{0.6, 0, -2} {
		require.InDelta(t, want, got[i], 1e-15)
	}
	require.Equal(t, Median(got, 0.5), MedianSlope(x, ys, 0.5))
	require.InDeltaSlice(t, []float64{-0.3, -0.1, 0.1, 0.3}, SlopeWeights(x), 1e-15)
	near(t, SlopeSD(x, 2), 2/math.Sqrt(5), 1e-15, "standard deviation of a slope")
	require.Panics(t, func() { Slopes(x, [][]float64{{1, 2}}) })
	for _, x := range [][]float64{{1, 1, 1, 1}, {0, 1, 2, math.NaN()}, {0, 1, 2, math.Inf(1)}} {
		require.False(t, MedianSlope(x, [][]float64{{0, 1, 1, 2}, {1, 2, 3, 4}, {4, 1, 2, 3}}, 0.9).Valid())
		for _, w := range SlopeWeights(x) {
			require.True(t, math.IsNaN(w))
		}
	}
}

func TestSubGamma(t *testing.T) {
	// Four draws, variance 1/2 and scale 1/4, L = log 40: √(2·½·L/4) + L/16.
	l := math.Log(40)
	iv := ChiSquared(4).Mean([]float64{1, 0, 2, 1}, 0.05)
	half := math.Sqrt(l/4) + l/8
	near(t, iv.Hi-1, half, 1e-14, "χ²") // scale is 2/k = 1/2
	near(t, ChiSquared(4).Margin(4, 0.05, 0.05), 2*half, 1e-14, "margin")
	require.Equal(t, SubGamma{0.25, 1}, Bounded(0.5, 3))
	// The bounds hold: log-moments of the laws against them, up to 0.95 of the reach of the bound.
	for _, c := range []struct {
		law *law
		s   SubGamma
	}{
		{chiSquaredLaw("", 8), ChiSquared(8)}, {chiSquaredLaw("", 1), ChiSquared(1)},
		{squaredCosineLaw("", 8), ChiSquared(1)},
		{coinLaw("", 0.3), Bounded(math.Sqrt(0.21), 0.7)}, {normalLaw(), Normal(1)},
	} {
		top := 5.0
		if c.s.Scale > 0 {
			top = 0.95 / c.s.Scale
		}
		for rate := -top; rate <= top; rate += top / 20 {
			moment := c.law.logMoment(func(x float64) float64 { return rate * (x - c.law.mean) })
			bound := rate * rate * c.s.Variance / (2 * (1 - c.s.Scale*math.Abs(rate)))
			require.LessOrEqual(t, moment, bound*1.01+1e-9, "%+v at %v", c.s, rate) // 1 % for the cells
		}
	}
}

func TestProportionMargin(t *testing.T) {
	margin := ProportionMargin(0.3, 2000, CriterionAlpha, CriterionUndecided)
	undecided := 0.0
	for s := range 2001 {
		if !Proportion(s, 2000, CriterionAlpha).inside(0.3, margin*(1-1e-9)) {
			undecided += binomialAtMost(s, 2000, 0.3) - binomialAtMost(s-1, 2000, 0.3)
		}
		if s == 300 { // the sum stands for the rest: the probabilities in the middle are not needed
			break
		}
	}
	require.LessOrEqual(t, undecided, CriterionUndecided)
	require.Less(t, margin, 0.16)
	require.Greater(t, ProportionMargin(0.3, 1000, CriterionAlpha, CriterionUndecided), margin)
}

func TestBinomialTails(t *testing.T) {
	require.InEpsilon(t, math.Pow(0.5, 60), binomialAtMost(0, 60, 0.5), 1e-12)
	require.InEpsilon(t, math.Pow(1e-3, 5), binomialAtLeast(5, 5, 1e-3), 1e-12)
	for k := -1; k <= 11; k++ {
		require.InDelta(t, 1, binomialAtMost(k, 10, 0.3)+binomialAtLeast(k+1, 10, 0.3), 1e-14)
	}
	for _, p := range append(poisons, -1, 2) {
		require.True(t, math.IsNaN(binomialAtMost(1, 3, p)) && math.IsNaN(binomialAtLeast(1, 3, p)))
	}
	require.Equal(t, 1.0, binomialAtMost(1, 3, 0))
	require.Equal(t, 0.0, binomialAtLeast(1, 3, 0))
	require.Equal(t, 3, highCount(10, 0.01, 1e-5)) // P(≥ 4) = 2e-6, P(≥ 3) = 1.1e-4
}
