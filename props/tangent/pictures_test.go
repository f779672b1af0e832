package tangent

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/internal/pictures"
)

func TestKernelsAreInTheOrderOfLabels(t *testing.T) {
	k := mat.NewDense(2, 2, []float64{1, 2, 2, 5})
	f := pictures.Kernels("two samples", []float64{3, 1}, pictures.Kernel{Name: "k", K: k})
	require.NoError(t, f.Valid())
	require.Equal(t, []float64{5, 2, 2, 1}, []float64(f.Curves[0].Z))
}

func TestSpectraFall(t *testing.T) {
	f := pictures.Spectra("s", "S", "c", "values", true, pictures.Spectrum{Name: "s", Values: []float64{1, 0, 4, 2}})
	require.Equal(t, []float64{4, 2, 1}, []float64(f.Curves[0].Y))
	require.Equal(t, []float64{1, 2, 3}, []float64(f.Curves[0].X))
	require.Len(t, pictures.Spectra("s", "S", "c", "v", false, pictures.Spectrum{Values: []float64{0, 1}}).Curves[0].Y, 2)
}
