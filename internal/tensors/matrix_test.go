package tensors

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMatrixOfHalves(t *testing.T) {
	a := Array{Name: "H", DType: "uint16", Shape: []int{1, 4}, ints: []int64{0x3f80, 0xc000, 0x0000, 0x3fc0}}
	m, err := a.Matrix("bfloat16")
	require.NoError(t, err)
	require.Equal(t, []float64{1, -2, 0, 1.5}, m.RawMatrix().Data)
	a.ints = []int64{0x3c00, 0xc000, 0x0001, 0x7bff}
	m, err = a.Matrix("float16")
	require.NoError(t, err)
	require.Equal(t, []float64{1, -2, 0x1p-24, 65504}, m.RawMatrix().Data)
	for _, tt := range []struct {
		tag, says string
		first     int64
	}{{"float16", "is +Inf", 0x7c00}, {"bfloat16", "is NaN", 0x7fc0}, {"", "wanted float32", 1}, {"int4", "the tag", 1}} {
		a.ints[0] = tt.first
		_, err = a.Matrix(tt.tag)
		require.ErrorContains(t, err, tt.says)
	}
	_, err = Array{Name: "H", DType: "float32", Shape: []int{3}}.Matrix("")
	require.ErrorContains(t, err, "wanted a matrix")
}
