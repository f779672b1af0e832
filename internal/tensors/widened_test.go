package tensors

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWidened: numbers of float32 in an array of float64 are told from numbers of float64, and from whole numbers and
// short fractions, which are both.
func TestWidened(t *testing.T) {
	third, pi := float64(float32(1.0/3)), float64(float32(math.Pi))
	for _, tt := range []struct {
		name    string
		dtype   string
		floats  []float64
		widened bool
	}{
		{"saved from float32", "float64", []float64{third, 0, -2, pi}, true},
		{"one number of float64", "float64", []float64{third, pi, 0.1}, false},
		{"float64", "float64", []float64{1.0 / 3, math.Pi}, false},
		{"whole numbers", "float64", []float64{1, -7, 16777215, 100001}, false},
		{"short fractions", "float64", []float64{0.5, -0.25, 1 + 0x1p-15, 3}, false},
		{"a single fraction", "float64", []float64{third, 1}, false},
		{"float32", "float32", []float64{third, pi}, false},
	} {
		f := File{Arrays: []Array{{Name: "eta", DType: "float64", floats: []float64{0.1}},
			{Name: "W", DType: tt.dtype, floats: tt.floats}}}
		want, unit := "", 0x1p-53
		if tt.widened {
			want = "W"
		}
		if tt.widened || tt.dtype == "float32" {
			unit = 0x1p-24
		}
		require.Equal(t, want, f.Widened(), tt.name)
		require.Equal(t, unit, f.Unit(), tt.name)
	}
}
