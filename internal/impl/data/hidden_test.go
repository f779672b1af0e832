package data_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
)

// identity is the dictionary whose columns are the unit vectors.
func identity(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

// By hand: two relevant bits 0 and 2 that are equal (chance 1/2) or uniform, and bit 1 that is one with chance 1/4.
func TestHiddenByHand(t *testing.T) {
	h := data.NewHidden(3, []int{0, 2}, []bool{false, true, false}, data.Mixture(2, 1, 1), data.Odds{One: 1, Zero: 3})
	total := h.Total()
	require.Equal(t, int64(16*4), total) // the pattern adds up to 16, the odds to 4
	for state, want := range map[int]*big.Rat{
		0b000: big.NewRat(3*3, 32), // all bits zero: (λ/4 + (1−λ)/2)·3/4
		0b101: big.NewRat(3*3, 32),
		0b111: big.NewRat(3*1, 32),
		0b001: big.NewRat(1*3, 32),
		0b110: big.NewRat(1*1, 32),
	} {
		require.Zero(t, want.Cmp(big.NewRat(h.Weight[state], total)), "state %03b", state)
	}
	require.Equal(t, []string{"3/8", "1/4", "3/8"}, texts(h.CountLaw()))
	require.Equal(t, []string{"1/2", "1/4", "1/2"}, texts(h.Mean()))
	require.Equal(t, "11/16", h.Variance().String()) // 1/4 + 3/16 + 1/4
	require.Equal(t, -1, h.Label(0b101))
	require.Equal(t, 1, h.Label(0b110))
}

func texts(xs []*big.Rat) []string {
	out := make([]string, len(xs))
	for i, x := range xs {
		out[i] = x.String()
	}
	return out
}

func TestInputsAreCentredWithUnitTotalVariance(t *testing.T) {
	h := data.NewHidden(5, []int{4, 1, 2}, data.Parity(3), data.Mixture(3, 2, 1), data.Odds{One: 1, Zero: 4})
	s := h.Inputs(identity(5))
	sum, mean, square := 0.0, make([]float64, 5), 0.0
	for i, p := range s.P {
		sum += p
		for j, x := range s.X.RawRowView(i) {
			mean[j] += p * x
			square += p * x * x
		}
	}
	const tol = 1e-14 // 32 terms of size at most 1, five roundings each: 160·u = 2e-14, of which the sums see a part
	for _, m := range mean {
		if !(math.Abs(m) <= tol) {
			t.Errorf("mean %v", m)
		}
	}
	if !(math.Abs(sum-1) <= tol && math.Abs(square-1) <= tol) {
		t.Errorf("probabilities add up to %v, second moments to %v", sum, square)
	}
}

func TestShapesPanic(t *testing.T) {
	require.PanicsWithValue(t, "data: support, labels of counts and pattern do not fit", func() {
		data.NewHidden(2, []int{0}, []bool{true}, []int64{1, 1}, data.Fair)
	})
	h := data.NewHidden(1, []int{0}, data.Parity(1), []int64{1, 1}, data.Fair)
	require.PanicsWithValue(t, "data: the dictionary has another number of columns than there are hidden bits",
		func() { h.Inputs(identity(2)) })
	constant := data.NewHidden(1, []int{0}, data.Parity(1), []int64{1, 0}, data.Fair)
	require.PanicsWithValue(t, "data: the hidden bits do not vary", func() { constant.Inputs(identity(1)) })
}
