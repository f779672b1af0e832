package emergence_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/emergence"
)

// The majority of 3, 5, 7, 9 fair bits: γ = 1/4, 3/16, 5/32, 35/256. The experiment: D = 100, k = 5, γ = 1/4, σ̃ = 5.
func TestInputsByHand(t *testing.T) {
	for k, want := range map[int]float64{1: 0.5, 3: 0.25, 5: 3. / 16, 7: 5. / 32, 9: 35. / 256} {
		require.Equal(t, want, emergence.MajorityCovariance(k))
	}
	m := emergence.Mixture{Dim: 100, Count: 5, Background: 0.5, Uniform: 0.5}
	require.Equal(t, 0.25, emergence.Example{Mixture: m}.Covariance())
	require.Equal(t, 3./32+0.25, emergence.Example{Mixture: m, Majority: true}.Covariance())

	c := emergence.Conditional{Plus: rationals("0", "3/4", "0", "1/4"), Minus: rationals("1/4", "0", "3/4", "0")}
	require.Zero(t, c.Covariance().Sign()) // the parity of three fair bits
	require.Equal(t, "3/4", c.Variance(3, new(big.Rat)).RatString())
	majority := emergence.Conditional{Plus: rationals("0", "0", "3/4", "1/4"), Minus: rationals("1/4", "3/4", "0", "0")}
	require.Equal(t, "1/4", majority.Covariance().RatString())
	require.Equal(t, "21/16", majority.Variance(6, big.NewRat(1, 4)).RatString())
}

func TestInputsOutsideTheHypotheses(t *testing.T) {
	for _, k := range []int{0, 2, -1} {
		require.True(t, math.IsNaN(emergence.MajorityCovariance(k)))
	}
	require.True(t, math.IsNaN(emergence.Example{Mixture: emergence.Mixture{Dim: 3, Count: 2}}.Covariance()))
	for _, c := range []emergence.Conditional{
		{Plus: rationals("1"), Minus: rationals("1")},
		{Plus: rationals("1", "0"), Minus: rationals("0", "1")},     // 0 is accepted
		{Plus: rationals("0", "1"), Minus: rationals("1/2", "1/2")}, // 1 has both labels
		{Plus: rationals("0", "1"), Minus: rationals("1/2", "0")},
		{Plus: rationals("0", "2"), Minus: rationals("1", "0")},
	} {
		require.Error(t, c.Valid())
		require.Nil(t, c.Covariance())
		require.Nil(t, c.Variance(9, big.NewRat(1, 2)))
	}
	fine := emergence.Conditional{Plus: rationals("0", "1"), Minus: rationals("1", "0")}
	require.Nil(t, fine.Variance(0, big.NewRat(1, 2)))
	require.Nil(t, fine.Variance(2, big.NewRat(2, 3)))
	require.Equal(t, "1/2", fine.Covariance().RatString())
}
