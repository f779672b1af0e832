package blas

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/impl/blas/internal/shapes"
)

// TestTrapezoids: what a trapezoid takes is there, is no more than there is, and is all if there are so few.
func TestTrapezoids(t *testing.T) {
	for _, c := range []struct {
		set        *shapes.Set
		rows, cols []int // for 1, 2, …
	}{
		{shapes.AVX2, []int{1, 2, 2, 4, 4, 4, 4, 4}, []int{1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 12, 12}},
		{shapes.AVX512, []int{1, 2, 2, 4, 4, 4, 4, 8, 8}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		{shapes.NEON, []int{1, 2, 2, 4, 4, 4, 4, 8, 8}, []int{1, 2, 2, 2, 2, 6, 6}},
	} {
		for i, want := range c.rows {
			require.Equal(t, want, c.set.Rows(i+1))
		}
		for i, want := range c.cols {
			require.Equal(t, want, c.set.Cols(i+1))
		}
	}
	require.Equal(t, 24, shapes.AVX512.Cols(100))
}
