package algebra

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

func TestAlgebra(t *testing.T) {
	a, b := mat.NewDense(2, 2, []float64{1, 2, 3, 4}), mat.NewDense(2, 2, []float64{0, 1, 1, 0})
	x := mat.NewVecDense(2, []float64{1, -1})
	require.Equal(t, []float64{2, 1, 4, 3}, Product(a, b).RawMatrix().Data)
	require.Equal(t, []float64{1, 2, 3, 4}, Product(a, b, b).RawMatrix().Data)
	require.Equal(t, []float64{-1, -1}, Image(a, x).RawVector().Data)
	require.Equal(t, []float64{1, 3, 4, 4}, Sum(a, b).RawMatrix().Data)
	require.Equal(t, []float64{1, 1, 2, 4}, Difference(a, b).RawMatrix().Data)
	require.Equal(t, 4., Distance(Scaled(2, a), Difference(a, mat.NewDense(2, 2, []float64{3, -2, -3, -4}))))
	require.Equal(t, []float64{1, 2, 3, 4}, a.RawMatrix().Data, "arguments are unchanged")
}
