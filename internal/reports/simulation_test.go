package reports

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// The quantities of a simulation are named in its figure, and an interval that excludes the prediction, or lies beyond
// the bound, is drawn as another curve.
func TestQuantitiesAreNamed(t *testing.T) {
	quantities := []props.SimulatedQuantity{
		{Name: "slope", Predicted: 2, Measured: 2.1, Lo: 2, Hi: 2.2},
		{Name: "share", Predicted: 4, Measured: 2.1, Lo: 2, Hi: 2.2, Bound: "≤"},
		{Name: "level", Predicted: 3, Measured: 2.1, Lo: 2, Hi: 2.2, Excluded: true},
		{Name: "silent", Predicted: 3, Measured: results.Number(math.NaN())},
	}
	s := &props.Simulated{Slug: "some/claim", Reps: 2, Points: []props.SimulatedPoint{{Quantities: quantities}}}
	f, names := ratioFigure(s)
	require.Equal(t, []string{"slope", "share ≤", "level"}, names)
	var curves []string
	for _, c := range f.Curves {
		curves = append(curves, c.Name)
	}
	require.Equal(t, []string{within, beyond, "predicted", "bound"}, curves)
	svg := SimulationSVG(s)["try"]
	for _, name := range append(names, beyond, "measured / predicted") {
		require.Equal(t, 1, strings.Count(svg, ">"+name+"<"), name)
	}
	require.NotContains(t, svg, "NaN")
}
