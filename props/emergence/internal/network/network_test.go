package network

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// outputsForParityOfFive returns the outputs at S = 0, …, 5 if E S = 5/2.
func outputsForParityOfFive(slope func(theory.Hats) *big.Rat) []string {
	mean := big.NewRat(5, 2)
	hats := theory.Hats{K: 5, Mean: mean, Accept: data.Parity(5)}
	net := exact(hats.Neurons(), slope(hats), []int{0}, 1)
	var out []*big.Rat
	for s := range int64(6) {
		out = append(out, net.Output([]*big.Rat{new(big.Rat).Sub(big.NewRat(s, 1), mean)}))
	}
	return rational.Texts(out)
}

// With half the weight the counts 0, …, 5 land where 5/4, 7/4, …, 15/4 were. 5/4 and 15/4 are halfway down the hats
// of 1 and 4, 7/4 and 11/4 lie between two hats, and 9/4 and 13/4 are the peaks, of height 2, of the shifted hats of
// 2 and 3.
func TestHalfTheWeightByHand(t *testing.T) {
	require.Equal(t, []string{"-1", "1", "-1", "1", "-1", "1"}, outputsForParityOfFive(theory.Hats.Slope))
	require.Equal(t, []string{"1/2", "0", "-2", "0", "2", "-1/2"}, outputsForParityOfFive(halfSlope))
}

// A user's network is compared with the claim only where the claim speaks about it.
func TestBuiltValid(t *testing.T) {
	in := law{K: 2, Dim: 3, Support: []int{0, 2}, Accept: []bool{false, true, false}}
	r := rand.New(rand.NewPCG(1, 2))
	for range in.Dim {
		in.means = append(in.means, big.NewRat(1, 3))
	}
	in.labels = labels(in.Accept)
	for count := range 3 {
		in.bits = append(in.bits, in.bitsWith(r, count))
	}
	good := in.built(gen.Orthonormal(r, 4, 3))
	require.NoError(t, good.Valid())
	require.ErrorContains(t, in.built(unitColumns(r, 4, 3)).Valid(), "orthonormal")
	bad := good
	bad.Sigma = 0
	require.ErrorContains(t, bad.Valid(), "positive")
	bad = good
	bad.K = 3
	require.ErrorContains(t, bad.Valid(), "members")
	bad = good
	bad.Y = bad.Y[:2]
	require.ErrorContains(t, bad.Valid(), "shapes")
}
