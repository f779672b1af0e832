package procrustes

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// TestBasisStaysOrthonormal grows a basis by blocks that depend on it up to a part in 10¹² … 10⁻⁶, copies, zeros and
// very different lengths among them. Two passes leave a few roundings per vector.
func TestBasisStaysOrthonormal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const length = 60
	b := newBasis(40, length)
	block := mat.NewDense(4, length, nil)
	for i := range 4 {
		for j := range length {
			block.Set(i, j, math.Pow(10, float64(40*i-60))*r.NormFloat64())
		}
	}
	b.extend(mat.DenseCopyOf(block))
	require.Equal(t, 4, b.size)
	b.extend(mat.DenseCopyOf(block))
	require.Equal(t, 4, b.size, "the same vectors again")
	b.extend(mat.NewDense(2, length, nil))
	require.Equal(t, 4, b.size, "zeros")
	for _, e := range []float64{1e-6, 1e-8, 3e-10} {
		for i := range 4 {
			for j := range length {
				block.Set(i, j, b.rows.At(i, j)+b.rows.At((i+1)%4, j)+e*r.NormFloat64())
			}
		}
		b.extend(mat.DenseCopyOf(block))
	}
	require.Equal(t, 16, b.size)
	var g mat.Dense
	v := b.vectors(0)
	g.Mul(v, v.T())
	for i := range b.size {
		g.Set(i, i, g.At(i, i)-1)
	}
	if e := mat.Norm(&g, 2); !(e <= 1e-14) {
		t.Errorf("‖VᵀV − I‖ = %v", e)
	}
}
