package recorded

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
)

// TestQuantities: what is predicted of a step of plain descent is measured, but for the rounding of float32.
func TestQuantities(t *testing.T) {
	l := layerOf(3, 12, 8)
	c := &chain{Layer: l}
	c.gradient.Dense = algebra.Product(l.Gamma, l.H.T())
	c.inputs.Dense = algebra.Product(l.Gamma.T(), l.W)
	measured, predicted := c.moved()
	require.InEpsilon(t, predicted, measured, 1e-5)
	measured, predicted = c.residualShare()
	require.InEpsilon(t, predicted, measured, 0.05)
	l.Optimizer = "Adam"
	_, predicted = c.moved()
	require.NotEqual(t, predicted, predicted, "nothing is predicted of Adam")

	// A gradient of rank one is its spike.
	one := mat.NewDense(12, 1, nil)
	one.Apply(func(i, _ int, _ float64) float64 { return float64(i + 1) }, one)
	l.Gamma = algebra.Product(one, mat.DenseCopyOf(one.Slice(0, 12, 0, 1)).T())
	l.H = mat.DenseCopyOf(l.H.Slice(0, 8, 0, 12))
	l.G = algebra.Product(l.Gamma, l.H.T())
	c.gradient.Dense = l.G
	measured, predicted = c.spike()
	require.InDelta(t, 1, measured, 1e-9)
	require.InDelta(t, 1, predicted, 1e-9)
	measured, _ = c.overlap()
	require.InDelta(t, 1, measured, 1e-9)

	require.InDeltaSlice(t, []float64{9, 4}, spectrum(mat.NewDense(3, 2, []float64{3, 0, 0, 2, 0, 0})), 1e-12)
	p := principal(mat.NewDense(3, 2, []float64{3, 0, 0, 2, 0, 0}), 1)
	require.InDelta(t, 1, p.At(0, 0)*p.At(0, 0), 1e-12)
}

// TestCSV: a name with a comma and quotes comes back.
func TestCSV(t *testing.T) {
	o := Observations{Points: []Point{{Run: `a "b", c`, Layer: "0", Quantity: "q", Measured: 0.5}}}
	rows, err := csv.NewReader(strings.NewReader(o.CSV())).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{`a "b", c`, "0", "0", "0", "q", "0.5", "0"}, rows[1])
}
