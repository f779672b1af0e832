package emergence

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/emergence/internal/rational"
)

func TestTextsAndIndicator(t *testing.T) {
	require.Equal(t, []string{"1/3", "-2"}, rational.Texts([]*big.Rat{big.NewRat(1, 3), big.NewRat(-4, 2)}))
	require.Equal(t, []float64{0, 1, 0, 1}, rational.Indicator(4, []int{1, 3}))
	require.InEpsilon(t, 1.0/3, rational.Float(big.NewRat(1, 3)), 1e-15)
}
