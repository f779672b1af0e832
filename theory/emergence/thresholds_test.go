package emergence_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/emergence"
)

// The tables: one threshold at k = 3, 5, 7, 9; polynomials of each degree at k = 3, 5, 7.
func TestThresholdsByHand(t *testing.T) {
	half := big.NewRat(1, 2)
	for k, want := range map[int]string{1: "1", 3: "13/16", 5: "27/32", 7: "207/256", 9: "419/512"} {
		require.Equal(t, want, emergence.BestAccuracy(k, 1, half).RatString(), "k = %d", k)
	}
	for k, want := range map[int][]float64{
		3: {0.8125, 0.8125, 1}, 5: {0.84375, 0.84375, 0.921875, 0.921875, 1},
		7: {0.80859375, 0.80859375, 0.9453125, 0.9453125, 0.97265625, 0.97265625, 1},
	} {
		for i, accuracy := range want {
			got, _ := emergence.BestAccuracy(k, i+1, half).Float64()
			require.Equal(t, accuracy, got, "k = %d, %d changes", k, i+1)
		}
	}
	require.Equal(t, "27/32", emergence.OneThreshold(5, half).RatString())
	require.Equal(t, "15/16", emergence.OnePatternWrong(3, half).RatString())        // 13/16 is the best in the count
	require.Equal(t, "27/32", emergence.Accuracy(5, half, -1, []int{2}).RatString()) // the sign of Σz
}

func TestThresholdsOutsideTheHypotheses(t *testing.T) {
	half := big.NewRat(1, 2)
	require.Nil(t, emergence.Accuracy(4, half, 1, nil))
	require.Nil(t, emergence.Accuracy(3, big.NewRat(3, 2), 1, nil))
	require.Nil(t, emergence.Accuracy(3, half, 0, nil))
	require.Nil(t, emergence.Accuracy(3, half, 1, []int{1, 1}))
	require.Nil(t, emergence.Accuracy(3, half, 1, []int{3}))
	require.Nil(t, emergence.BestAccuracy(4, 2, half))
	require.Nil(t, emergence.OneThreshold(4, half))
	require.Nil(t, emergence.OneThreshold(3, big.NewRat(501, 1000)))
	require.Nil(t, emergence.OnePatternWrong(1, half))
	require.Nil(t, emergence.OnePatternWrong(3, big.NewRat(3, 2)))
}
