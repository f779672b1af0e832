package reports

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/props"
)

// The places of quantities are counted in whole numbers, however few there are.
func TestQuantitiesHaveWholePlaces(t *testing.T) {
	tick := regexp.MustCompile(`class="tick" x="[\d.]+" y="[\d.]+" text-anchor="middle">([^<]*)<`)
	var all []props.SimulatedQuantity
	for _, want := range [][]string{{"1"}, {"1", "2"}, {"1", "2", "3"}} {
		all = append(all, props.SimulatedQuantity{Name: "q", Predicted: 2, Measured: 2.1, Lo: 2, Hi: 2.2})
		s := &props.Simulated{Slug: "some/claim", Reps: 2, Points: []props.SimulatedPoint{{Quantities: all}}}
		var places []string
		for _, m := range tick.FindAllStringSubmatch(draw.SVG(SimulationFigures(s)[0], "try"), -1) {
			places = append(places, m[1])
		}
		require.Equal(t, want, places)
	}
}
