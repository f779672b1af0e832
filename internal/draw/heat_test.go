package draw

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/figure"
)

// kernels are a matrix before and after, and what is predicted of it.
func kernels() figure.Figure {
	at := func(scale float64) func(i, j int) float64 {
		return func(i, j int) float64 { return scale * (1 - math.Abs(float64(i-j))) }
	}
	return figure.Figure{ID: "kernels", Title: "Kernel", Caption: "A kernel <grows>.", X: figure.Axis{Label: "sample"},
		Y: figure.Axis{Label: "sample"}, Z: figure.Axis{Label: "kernel"}, Curves: []figure.Curve{figure.HeatMap("before",
			3, 3, at(1)),
			figure.HeatMap("after", 3, 3, at(2)), figure.HeatMap("predicted", 3, 3, at(2))}}
}

func TestHeatGolden(t *testing.T) {
	golden(t, "heat.svg", Evidence(kernels(), "kernels"))
	golden(t, "heat.csv", CSV(kernels()))
	golden(t, "heat.txt", Text(kernels()))
	golden(t, "slope.txt", Text(slope()))
	golden(t, "histogram.txt", Text(histogram()))
	require.NoError(t, sound(Evidence(kernels(), "kernels")))
	require.NotContains(t, File(Evidence(kernels(), "kernels")), "var(")
}

// TestShades asks that a scale is ordered, has its page colour at 0 or at the smallest value, and ends at the extremes.
func TestShades(t *testing.T) {
	shadeOf := func(f figure.Figure, z float64) shade {
		s, ok := shadesOf(f).of(z)
		require.True(t, ok)
		return s
	}
	of := func(log bool, values ...float64) figure.Figure {
		c := figure.HeatMap("m", 1, len(values), func(_, j int) float64 { return values[j] })
		return figure.Figure{Z: figure.Axis{Log: log}, Curves: []figure.Curve{c}}
	}
	for _, f := range []figure.Figure{of(false, -2, 0, 1, 3), of(false, 0.1, 1, 3), of(true, 1e-6, 1e-3, 1), of(false,
		7, 8, 9),
		of(false, -math.MaxFloat64, math.MaxFloat64)} {
		before := shade(-levels - 1)
		for _, z := range f.Curves[0].Z {
			require.Greater(t, shadeOf(f, z), before, "%v in %v", z, f.Curves[0].Z)
			before = shadeOf(f, z)
		}
		require.Equal(t, shade(levels), before)
	}
	require.Zero(t, shadeOf(of(false, -2, 3), 0))
	require.Equal(t, -shadeOf(of(false, -2, 3), 2), shadeOf(of(false, -2, 3), -2))
	require.Zero(t, shadeOf(of(false, 7, 9), 7), "far from 0, the smallest value is the page")
	require.Greater(t, shadeOf(of(false, 1, 9), 1), shade(0), "near 0, 0 is")
	require.Equal(t, shade(levels), shadeOf(of(false, 5, 5), 5))
	for _, none := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		_, ok := shadesOf(of(true, 1, 2)).of(none)
		require.False(t, ok, "%v on a logarithmic scale", none)
	}
}

// TestEveryCellIsDrawn counts the cells of a map in which all values are far from the page's colour.
func TestEveryCellIsDrawn(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {2, 7}, {28, 28}, {60, 1}, {1, 60}} {
		f := figure.Figure{Curves: []figure.Curve{figure.HeatMap("m", size[0], size[1], func(i,
			j int) float64 {
			return 5 + float64(i+j)
		})}}
		f.Curves[0].Z[0] = -100
		svg := SVG(f, "id")
		require.NoError(t, sound(svg))
		count := len(regexp.MustCompile(`M[-\d. ]+h[-\d.]+v[-\d.]+h[-\d.]+z`).FindAllString(svg, -1))
		require.Equal(t, size[0]*size[1], count, "%v", size)
	}
}

func TestHeatMapsDegenerate(t *testing.T) {
	for name, z := range degenerate {
		for _, panels := range []int{0, 1, 2, 3, 7} {
			f := figure.Figure{Title: "t", Caption: "c"}
			for range panels {
				f.Curves = append(f.Curves, figure.HeatMap("a <b>", 1, len(z), func(_, j int) float64 { return z[j] }),
					figure.HeatMap("predicted", len(z), 1, func(i, _ int) float64 { return z[i] }))
			}
			for _, log := range []bool{false, true} {
				f.Z.Log = log
				require.NoError(t, sound(Evidence(f, "id")), name)
				require.NotPanics(t, func() { Text(f) }, name)
			}
		}
	}
}

// TestText asks that text draws what can be drawn of degenerate curves, and averages a matrix that is too wide.
func TestText(t *testing.T) {
	for nx, xs := range degenerate {
		for ny, ys := range degenerate {
			for _, style := range []figure.Style{figure.Points, figure.Line, figure.Dashed, figure.Band, figure.Bars} {
				f := figure.Figure{X: figure.Axis{Log: style == figure.Line}, Curves: []figure.Curve{{Style: style, X: xs,
					Y: ys, Lo: ys, Hi: xs}}}
				text := Text(f)
				require.NotContains(t, text, "\x1b", "%s/%s", nx, ny)
				for _, line := range strings.Split(text, "\n") {
					require.LessOrEqual(t, len([]rune(line)), textWidth+16, "%s/%s", nx, ny)
				}
			}
		}
	}
	wide := Text(figure.Figure{Curves: []figure.Curve{figure.HeatMap("m", 64, 64, func(i,
		j int) float64 {
		return float64(i - j)
	})}})
	require.Contains(t, wide, "mean of 2×2 cells")
	for _, line := range strings.Split(wide, "\n") {
		require.LessOrEqual(t, len([]rune(line)), textWidth+16)
	}
}

func TestValid(t *testing.T) {
	require.NoError(t, kernels().Valid())
	require.NoError(t, slope().Valid())
	short, both := kernels(), kernels()
	short.Curves[0].Z = short.Curves[0].Z[1:]
	both.Curves = append(both.Curves, slope().Curves...)
	require.ErrorContains(t, short.Valid(), "each of 3×3 cells")
	require.ErrorContains(t, both.Valid(), "found both")
	for _, f := range []figure.Figure{short, both} {
		require.NoError(t, wellFormed(SVG(f, "id")), "an invalid figure is drawn somehow")
	}
}
