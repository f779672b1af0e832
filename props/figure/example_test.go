package figure_test

import (
	"fmt"

	"github.com/thm-suite/thm/props/figure"
)

// A figure is checked when it is recorded; one that cannot be drawn says why.
func ExampleFigure_Valid() {
	f := figure.Figure{ID: "line", Title: "A line", Caption: "y = x at three places.",
		X: figure.Axis{Label: "x"}, Y: figure.Axis{Label: "y"},
		Curves: []figure.Curve{{Name: "measured", Style: figure.Points, X: []float64{1, 2, 3}, Y: []float64{1, 2, 3}}}}
	fmt.Println(f.Valid())
	f.Curves[0].Style = "dots"
	fmt.Println(f.Valid() != nil)
	// Output:
	// <nil>
	// true
}
