package recorded

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/props/results"
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

// TestOverWidths: the layer whose inputs alone grow is the last, and a size that doubles with the width has the power
// 1.
func TestOverWidths(t *testing.T) {
	o := Observations{Runs: []string{"wide", "narrow"}}
	for i, run := range o.Runs {
		n := 64 / (i + 1)
		for layer, shape := range map[string][2]int{"0": {n, 8}, "1": {n, n}, "2": {8, n}} {
			for _, quantity := range sizes {
				o.Points = append(o.Points, Point{Run: run, Layer: layer, Width: shape[1], Quantity: quantity,
					Measured: results.Number(n), outputs: shape[0], optimizer: "SGD"})
			}
		}
	}
	o.overWidths()
	require.Len(t, o.Widths, 6)
	for _, s := range o.Widths {
		want := map[string]Slope{"0": {Role: "input", Standard: -0.5, NTK: -0.5},
			"1": {Role: "hidden", Standard: 0.5, NTK: -0.5}, "2": {Role: "output", Standard: 1}}[s.Layer]
		if s.Quantity == sizes[0] {
			want.Standard, want.NTK, want.MuP = 0, 0, map[string]results.Number{"2": -0.5}[s.Layer]
		}
		require.InDelta(t, 1, float64(s.Exponent), 1e-12)
		want.Layer, want.Quantity, want.Widths, want.Exponent = s.Layer, s.Quantity, []int{32, 64}, s.Exponent
		require.Equal(t, want, s)
	}
	require.Contains(t, o.Widths[0].String(), "predict ")
}

// TestCSV: a name with a comma and quotes comes back.
func TestCSV(t *testing.T) {
	o := Observations{Points: []Point{{Run: `a "b", c`, Layer: "0", Quantity: "q", Measured: 0.5}}}
	rows, err := csv.NewReader(strings.NewReader(o.CSV())).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{`a "b", c`, "0", "0", "0", "q", "0.5", "0"}, rows[1])
}
