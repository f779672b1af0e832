package tangent_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/impl/tangent"
)

// By hand: |k| convolved with itself is |k|, and with a wall beyond 1 it pays where it may.
func TestLattice(t *testing.T) {
	p := tangent.Lattice{2, 1, 0, 1, 2}
	require.Equal(t, tangent.Lattice{4, 3, 2, 1, 0, 1, 2, 3, 4}, p.Convolve(p))
	q := tangent.Lattice{9, 0, 5}
	require.Equal(t, tangent.Lattice{11, 2, 1, 0, 1, 2, 7}, p.Convolve(q))
	require.Equal(t, p.Convolve(q), q.Convolve(p))
	require.Equal(t, p.Convolve(q), p.ConvolveBetween(q))
	bump := tangent.Lattice{3, 0, 0, 7, 1} // cheaper to overshoot and come back
	steep := tangent.Lattice{2, 1, 0, 9, 9}
	require.NotEqual(t, bump.Convolve(steep), bump.ConvolveBetween(steep))
	k, value := p.Minimum(16) // 16, 1+4, 2+1
	require.Equal(t, 2, k)
	require.Equal(t, 3.0, value)
	require.Equal(t, 2, p.Reach())
}
