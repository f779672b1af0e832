package network

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/props/emergence/rational"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// outputsForParityOfFive are the outputs at S = 0, …, 5 when E S = 5/2.
func outputsForParityOfFive(claimed string) []string {
	mean := big.NewRat(5, 2)
	net := exact(theory.Hats{K: 5, Mean: mean, Accept: data.Parity(5)}, []int{0}, 1, claimed)
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
	require.Equal(t, []string{"-1", "1", "-1", "1", "-1", "1"}, outputsForParityOfFive(""))
	require.Equal(t, []string{"1/2", "0", "-2", "0", "2", "-1/2"}, outputsForParityOfFive("half weight"))
}
