package emergence

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/impl/data"
)

// outputsForParityOfFive are the outputs at S = 0, …, 5 when E S = 5/2.
func outputsForParityOfFive(v networkTrial) []string {
	mean := big.NewRat(5, 2)
	net := v.exact(v.hats(5, mean, data.Parity(5)), []int{0}, 1)
	var out []*big.Rat
	for s := range int64(6) {
		out = append(out, net.Output([]*big.Rat{new(big.Rat).Sub(big.NewRat(s, 1), mean)}))
	}
	return texts(out)
}

// With half the weight the counts 0, …, 5 land where 5/4, 7/4, …, 15/4 were. 5/4 and 15/4 are halfway down the hats of 1
// and 4, 7/4 and 11/4 lie between two hats, and 9/4 and 13/4 are the peaks, of height 2, of the shifted hats of 2 and 3.
func TestHalfTheWeightByHand(t *testing.T) {
	require.Equal(t, []string{"-1", "1", "-1", "1", "-1", "1"}, outputsForParityOfFive(networkTrial{}))
	require.Equal(t, []string{"1/2", "0", "-2", "0", "2", "-1/2"}, outputsForParityOfFive(networkTrial{halfWeight: true}))
}
