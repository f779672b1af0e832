package stat

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
)

// Under the hypothesis an e-value has expectation exactly one (it is a martingale that starts at one). Everything that
// the sequences promise follows from this.
func TestBernoulliEValueIsFair(t *testing.T) {
	for n := 0; n <= 30; n++ {
		for _, p := range []float64{1e-3, 0.3, 0.5, 0.9} {
			sum := 0.0
			for s := 0; s <= n; s++ {
				sum += math.Exp(combin.LogGeneralizedBinomial(float64(n), float64(s)) + bernoulliLog(s, n, p) + BernoulliEValue(s, n, p).Log)
			}
			near(t, sum, 1, 1e-12, "expectation") // logarithms below 100, each within a few ulp
		}
	}
}

func TestSubGaussianEValueIsFair(t *testing.T) {
	// The e-value depends on the sum of n draws alone, which is normal. In units of its standard deviation, z, the
	// integrand falls off as exp(-ρz²/2(n+ρ)): 12 sqrt((n+ρ)/ρ) leave out less than 1e-30.
	for _, n := range []int{1, 5, 100} {
		const mu, sigma = -3, 0.5
		reach := 12 * math.Sqrt((float64(n)+mixtureVariance)/mixtureVariance)
		expectation := quad.Fixed(func(z float64) float64 {
			xs := make([]float64, n)
			for i := range xs {
				xs[i] = mu + sigma*z/math.Sqrt(float64(n))
			}
			return math.Exp(SubGaussianEValue(xs, mu, sigma).Log + distuv.UnitNormal.LogProb(z))
		}, -reach, reach, 200, nil, 0)
		near(t, expectation, 1, 1e-10, "expectation")
	}
}

func TestBettingIsFair(t *testing.T) {
	// All 2^n sequences of a two-valued draw with mean m: the capital of a gambler has expectation one.
	const n, low, high = 10, 0.1, 0.9
	for _, p := range []float64{0.05, 0.5, 0.8} {
		m, sum, capped := low+p*(high-low), 0.0, false
		for word := range 1 << n {
			xs, probability := make([]float64, n), 1.0
			for i := range xs {
				if word>>i&1 == 1 {
					xs[i], probability = high, probability*p
				} else {
					xs[i], probability = low, probability*(1-p)
				}
			}
			staked := stakes(xs, 0.05)
			for _, s := range staked {
				capped = capped || s > betCap/m
			}
			sum += probability * math.Exp(logCapital(xs, staked, m))
		}
		near(t, sum, 1, 1e-12, "expected capital")
		require.True(t, capped, "no stake reached the cap: the test does not see it")
	}
}

func TestCapitalFallsInTheMean(t *testing.T) {
	xs := skewed.sample(stream("capital"), 100)
	staked := stakes(xs, 1e-8)
	for m := 0.001; m < 1; m += 0.001 {
		if ok := logCapital(xs, staked, m+0.001) <= logCapital(xs, staked, m); !ok {
			t.Fatalf("the capital grows at m = %v", m)
		}
	}
}

func TestProduct(t *testing.T) {
	require.Equal(t, EValue{}, Product())
	require.Equal(t, EValue{6}, Product(EValue{1}, EValue{2}, EValue{3}))
	require.False(t, EValue{math.Log(19.9)}.Rejects(0.05))
	require.True(t, EValue{math.Log(20.1)}.Rejects(0.05))
	require.False(t, Product().Rejects(0.99))
	nan, inf := math.NaN(), math.Inf(1)
	require.True(t, Product(EValue{nan}, EValue{0}).Rejects(1e-8))
	require.True(t, Product(EValue{inf}, EValue{-inf}).Rejects(1e-8))
	for _, alpha := range []float64{nan, inf, -inf, -1, 0, 1, 2} {
		require.True(t, EValue{-100}.Rejects(alpha), "alpha %v", alpha)
	}
}

// The ends of a sequence are where its e-value begins to reject.
func TestEndsAreWhereTheEvidenceRejects(t *testing.T) {
	for _, c := range [][2]int{{0, 1}, {1, 1}, {3, 10}, {0, 50}, {50, 50}, {999, 1000}, {123456, 1 << 30}} {
		for _, alpha := range []float64{0.05, PartAlpha} {
			iv := Proportion(c[0], c[1], alpha)
			require.True(t, iv.Valid(), "%v", iv)
			width := iv.Hi - iv.Lo
			if iv.Lo > 0 {
				require.True(t, BernoulliEValue(c[0], c[1], iv.Lo).Rejects(alpha))
				require.False(t, BernoulliEValue(c[0], c[1], iv.Lo+1e-6*width).Rejects(alpha))
			}
			if iv.Hi < 1 {
				require.True(t, BernoulliEValue(c[0], c[1], iv.Hi).Rejects(alpha))
				require.False(t, BernoulliEValue(c[0], c[1], iv.Hi-1e-6*width).Rejects(alpha))
			}
		}
	}
	xs := gaussian.sample(stream("ends"), 17)
	iv := SubGaussianMean(xs, 2, PartAlpha)
	for _, end := range []float64{iv.Lo, iv.Hi} {
		require.False(t, SubGaussianEValue(xs, iv.Estimate+(end-iv.Estimate)*(1-1e-9), 2).Rejects(PartAlpha))
		require.True(t, SubGaussianEValue(xs, iv.Estimate+(end-iv.Estimate)*(1+1e-9), 2).Rejects(PartAlpha))
	}
}

func TestSequencesByHand(t *testing.T) {
	// One success: the evidence is (1/2)/p, and reaches 1/alpha at p = alpha/2.
	iv := Proportion(1, 1, 0.05)
	near(t, iv.Lo, 0.025, 100*ulp, "lower end")
	near(t, iv.Hi, 1, 0, "upper end")
	// Two draws, 0 and 2, with σ = 3: 3/2·sqrt(4.5·log(4.5/2.5/alpha²)).
	iv = SubGaussianMean([]float64{0, 2}, 3, 0.05)
	near(t, iv.Hi-1, 1.5*math.Sqrt(4.5*math.Log(1.8/0.0025)), 10*ulp, "half-width")
	// One success at alpha = 0.9: the stake sqrt(2·log(2/0.9)/(log(2)/4)) = 3.04 exceeds the cap 1/2m wherever m > 0.165,
	// and there the capital 1+(1-m)/2m is 2/alpha at m = 1/(4/alpha-1) = 0.290.
	iv = BoundedMean([]float64{1}, 0, 1, 0.9)
	near(t, iv.Lo, 1/(4/0.9-1), 1e-8, "lower end of a bounded mean")
	near(t, iv.Hi, 1, 0, "upper end of a bounded mean")
	iv = BoundedMean([]float64{0}, 0, 1, 0.9)
	near(t, iv.Hi, 1-1/(4/0.9-1), 1e-8, "upper end of a mirrored bounded mean")
	// The same in other units.
	a, b := BoundedMean([]float64{0, 0.5, 1, 0.25}, 0, 1, 0.05), BoundedMean([]float64{-4, 0, 4, -2}, -4, 4, 0.05)
	near(t, b.Lo+4, 8*a.Lo, 100*ulp, "lower end in other units")
	near(t, b.Hi+4, 8*a.Hi, 100*ulp, "upper end in other units")
}

func TestBoundedMeanAdaptsToTheVariance(t *testing.T) {
	r, xs := stream("adapts"), make([]float64, 400)
	for i := range xs {
		xs[i] = 0.5 + 0.01*(r.Float64()-0.5)
	}
	width := func(iv Interval) float64 { return iv.Hi - iv.Lo }
	// Draws in [0, 1] are sub-Gaussian with σ = 1/2 (Hoeffding), which is all that the other sequence can use.
	require.Less(t, width(BoundedMean(xs, 0, 1, 1e-3)), width(SubGaussianMean(xs, 0.5, 1e-3))/2)
}

func TestBoundedMeanOfContradictoryDraws(t *testing.T) {
	xs := make([]float64, 2000)
	for i := range 1000 {
		xs[i] = 1 // a thousand ones, then a thousand zeros: no common mean
	}
	iv := BoundedMean(xs, 0, 1, 0.05)
	require.False(t, iv.covers(0.5), "%+v", iv)
}
