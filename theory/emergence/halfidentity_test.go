package emergence_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/emergence"
)

func rationals(texts ...string) []*big.Rat {
	out := make([]*big.Rat, len(texts))
	for i, s := range texts {
		out[i], _ = new(big.Rat).SetString(s)
	}
	return out
}

// The majority of k independent fair bits has γ = binom(k−1, (k−1)/2)/2^k: 1/4, 3/16, 5/32, 35/256. The parity of three
// has γ = 0; half of its mass moved to 0 and 3 gives 1/4.
func TestCovarianceOfKnownLaws(t *testing.T) {
	for k, want := range map[int]string{3: "1/4", 5: "3/16", 7: "5/32", 9: "35/256"} {
		c := emergence.Counts{Accept: make([]bool, k+1)}
		for s := range k + 1 {
			binomial := new(big.Int).Binomial(int64(k), int64(s))
			c.Probability = append(c.Probability,
				new(big.Rat).SetFrac(binomial, new(big.Int).Lsh(big.NewInt(1), uint(k))))
			c.Accept[s] = 2*s > k
		}
		require.Equal(t, want, c.Covariance().RatString(), "majority of %d", k)
	}
	parity := []bool{false, true, false, true}
	require.Zero(t, emergence.Counts{Probability: rationals("1/8", "3/8", "3/8", "1/8"),
		Accept: parity}.Covariance().Sign())
	gamma := emergence.Counts{Probability: rationals("5/16", "3/16", "3/16", "5/16"), Accept: parity}.Covariance()
	require.Equal(t, "1/4", gamma.RatString())
	require.Equal(t, "1/8", emergence.HalfLevel(gamma).RatString())

	// One bit that is one with probability 3/4, y = 2φ̃ − 1: γ is twice the variance 3/16. Here E y ≠ 0.
	require.Equal(t, "3/8",
		emergence.Counts{Probability: rationals("1/4", "3/4"), Accept: []bool{false, true}}.Covariance().RatString())
}

// The worked example D = 9, k = 3, λ = p_o = 1/2: σ̃² = 9/4 and σ̃T = 1/8, so T = 1/12. The experiment's D = 100, k =
// 5: σ̃ = 5, γ = 1/4, T = γ/√D = 1/40. At p_o = 3/10, D = 12: σ̃² = 9·21/100 + 3/4.
func TestMixtureByHand(t *testing.T) {
	m := emergence.Mixture{Dim: 9, Count: 3, Background: 0.5, Uniform: 0.5}
	require.NoError(t, m.Valid())
	require.Equal(t, 1.5, m.Deviation())
	require.Equal(t, 0.25, m.Covariance())
	large := emergence.Mixture{Dim: 100, Count: 5, Background: 0.5, Uniform: 0.5}
	require.Equal(t, 5.0, large.Deviation())
	biased := emergence.Mixture{Dim: 12, Count: 3, Background: 0.3, Uniform: 0.5}
	for _, c := range []struct{ got, want float64 }{
		{m.Level(), 1.0 / 12}, {large.Level(), 1.0 / 40}, {biased.Deviation(), 1.624807680927192},
		{emergence.Feature{Covariance: 0.25, Deviation: 1.5}.Departure(0.5), 1.0 / 12},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-15*c.want+1e-16) { // a handful of roundings
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
	require.Equal(t, 0.5, emergence.Mixture{Dim: 4, Count: 1, Background: 0.5, Uniform: 1}.Covariance())
	require.True(t, math.IsNaN(biased.Level()))
}

func TestHalfIdentityOutsideTheHypotheses(t *testing.T) {
	for _, m := range []emergence.Mixture{
		{Dim: 2, Count: 3, Background: 0.5, Uniform: 0.5},
		{Dim: 9, Count: 4, Background: 0.5, Uniform: 0.5},
		{Dim: 9, Count: 0, Background: 0.5, Uniform: 0.5},
		{Dim: 9, Count: 3, Background: 0, Uniform: 0.5},
		{Dim: 9, Count: 3, Background: math.NaN(), Uniform: 0.5},
		{Dim: 9, Count: 3, Background: 0.5, Uniform: 1.1},
	} {
		require.Error(t, m.Valid())
		for _, x := range []float64{m.Deviation(), m.Covariance(), m.Level()} {
			require.True(t, math.IsNaN(x), "%+v", m)
		}
	}
	require.True(t, math.IsNaN(emergence.Feature{Covariance: 0.6, Deviation: 1}.Level()))
	require.True(t, math.IsNaN(emergence.Feature{Covariance: 0.1}.Level()))
	require.True(t, math.IsNaN(emergence.Feature{Covariance: 0.1, Deviation: 1}.Departure(1.5)))
	for _, c := range []emergence.Counts{
		{Probability: rationals("1"), Accept: []bool{true}},
		{Probability: rationals("1/2", "1/2"), Accept: []bool{true}},
		{Probability: rationals("1/2", "1/3"), Accept: []bool{true, false}},
		{Probability: rationals("3/2", "-1/2"), Accept: []bool{true, false}},
	} {
		require.Error(t, c.Valid())
		require.Nil(t, c.Covariance())
		require.Nil(t, emergence.HalfLevel(c.Covariance()))
	}
}
