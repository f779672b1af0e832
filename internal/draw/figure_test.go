package draw

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"github.com/thm-suite/thm/props/figure"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// slope is a measured decay on logarithmic axes, with a prediction, a band and error bars.
func slope() figure.Figure {
	n := []float64{64, 128, 256, 512, 1024}
	y, lo, hi, claimed := make([]float64, 5), make([]float64, 5), make([]float64, 5), make([]float64, 5)
	for i, v := range n {
		claimed[i] = 1.2 / math.Sqrt(v)
		y[i] = claimed[i] * (1 + 0.03*float64(i%3-1))
		lo[i], hi[i] = 0.93*y[i], 1.07*y[i]
	}
	return figure.Figure{
		ID: "slope", Title: "Decay of the remainder", Caption: "The remainder falls as n^(-1/2).",
		X: figure.Axis{Label: "samples n", Log: true}, Y: figure.Axis{Label: "operator norm of the remainder", Log: true},
		Curves: []figure.Curve{
			{Name: "measured", Style: figure.Points, X: n, Y: y, Lo: lo, Hi: hi},
			{Name: "interval of the fit", Style: figure.Band, X: n, Lo: lo, Hi: hi},
			{Name: "claimed, slope −1/2", Style: figure.Dashed, X: n, Y: claimed},
		},
	}
}

func histogram() figure.Figure {
	return figure.Figure{
		ID: "h", Title: "Histogram", Caption: "Bars and a density.", X: figure.Axis{Label: "x"},
		Y: figure.Axis{Label: "count"},
		Curves: []figure.Curve{
			{Name: "count", Style: figure.Bars, X: []float64{0, 1, 2, 3}, Y: []float64{3, 0, 12}},
			{Name: "density", Style: figure.Line, X: []float64{0, 1.5, math.NaN(), 2, 3}, Y: []float64{1, 5, 5, 9, 2}},
		},
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	if string(want) != got {
		_ = os.WriteFile(filepath.Join("testdata", ".got-"+name), []byte(got), 0o644)
	}
	require.Equal(t, string(want), got)
}

func mark(g Group, value, lower float64) Mark { return Mark{Group: g, Value: value, Lower: lower} }

// What failed is drawn last, the claim itself above a wrong version, with a ring around it wherever it lies. What holds
// keeps its order.
func TestStripDrawsWhatFailedLast(t *testing.T) {
	for _, ratio := range []float64{0, 1e-9, 0.5, 3, 1e7, math.Inf(1), math.NaN()} {
		good, other := mark(Control, 1e7, 1e7), mark(Erratum, 30, 30)
		broken, accepted := mark(Check, ratio, ratio), mark(Control, 0.2, 0.2)
		broken.Failed, accepted.Failed = true, true
		marks := []Mark{broken, accepted, good, other}
		svg := Strip(marks, "")
		require.Equal(t, Check, marks[0].Group, "what the caller has stays as it was")
		require.Equal(t, 2, strings.Count(svg, "--refuted"))
		var order []int
		for _, m := range []Mark{good, other, accepted, broken} {
			var c canvas
			c.mark(m, stripHeight/2)
			order = append(order, strings.Index(svg, c.String()))
		}
		require.Positive(t, order[0])
		require.IsIncreasing(t, order, "ratio %v", ratio)
	}
	require.NotContains(t, Strip([]Mark{mark(Check, 0.5, 0.5), mark(Control, 3, 3)}, ""), "--refuted")
}

// What was observed and what is predicted have the same colours in every figure of evidence, whatever their order, and
// a bound is no prediction.
func TestRolesHaveColours(t *testing.T) {
	curve := func(name string, style figure.Style) figure.Curve {
		return figure.Curve{Name: name, Style: style, X: []float64{1, 2}, Y: []float64{1, 2}}
	}
	seen, law := curve("seen", figure.Points), curve("law", figure.Dashed)
	bound, both := curve("upper bound", figure.Line), curve("both", figure.Points)
	for _, curves := range [][]figure.Curve{{seen, law}, {law, seen}, {bound, law, seen}, {law, both, seen}} {
		all := grouped(curves)
		byRole(all)
		hue := map[string]string{}
		for _, s := range all {
			hue[s.name] = s.colour(s.curves[0])
		}
		require.Equal(t, colours[1], hue["law"])
		if hue["both"] == "" {
			require.Equal(t, colours[0], hue["seen"])
		}
		if hue["upper bound"] != "" {
			require.Equal(t, ink, hue["upper bound"])
		}
	}
}

func TestGolden(t *testing.T) {
	golden(t, "slope.svg", SVG(slope(), "slope"))
	golden(t, "evidence.svg", Evidence(slope(), "evidence"))
	golden(t, "file.svg", File(Evidence(slope(), "file")))
	golden(t, "slope.csv", CSV(slope()))
	golden(t, "histogram.svg", SVG(histogram(), "histogram"))
	golden(t, "strip.svg", Strip([]Mark{mark(Check, 0.3, 0.01), mark(Check, 0, 0), mark(Check, 1e-9, 1e-9),
		mark(Control, 40, 40), mark(Control, 1e7, 1e7), mark(Erratum, math.Inf(1), math.Inf(1))}, "ratios"))
	golden(t, "stripaxis.svg", StripAxis())
}

func wellFormed(s string) error {
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

var notFinite = regexp.MustCompile(`NaN|Inf|e[+-]?\d\d`)

// sound returns what is wrong with a drawing: no text alternative, broken markup, coordinates that are no numbers or
// lie far outside.
func sound(svg string) error {
	if err := wellFormed(svg); err != nil {
		return err
	}
	for _, attr := range regexp.MustCompile(` (d|x|y|cx|cy|width|height|viewBox)="([^"]*)"`).FindAllStringSubmatch(svg,
		-1) {
		if notFinite.MatchString(attr[2]) {
			return errors.New("not a coordinate: " + attr[2])
		}
		for _, n := range regexp.MustCompile(`-?[\d.]+`).FindAllString(attr[2], -1) {
			if v, err := strconv.ParseFloat(n, 64); err != nil || math.Abs(v) > 1000 {
				return errors.New("far outside: " + n)
			}
		}
	}
	if !strings.Contains(svg, "<title") || !strings.Contains(svg, "<desc") {
		return errors.New("no text alternative")
	}
	return nil
}

func TestSoundCanFail(t *testing.T) {
	const good = `<svg><title>t</title><desc>d</desc><path d="M1 2h.01"></path></svg>`
	require.NoError(t, sound(good))
	for _, bad := range []string{
		strings.Replace(good, "M1 2", "MNaN 2", 1), strings.Replace(good, "M1 2", "M1e+20 2", 1),
		strings.Replace(good, "M1 2", "M12345 2", 1),
		strings.Replace(good, "title", "text", 2), strings.Replace(good, "</path>", "", 1),
	} {
		require.Error(t, sound(bad), bad)
	}
}

// degenerate lists data that a careless writer of figures stumbles over.
var degenerate = map[string][]float64{
	"empty": nil, "single": {3}, "zero": {0, 0}, "constant": {7, 7, 7}, "negative": {-1, -2}, "mixed": {-1, 0, 1},
	"nan": {math.NaN(), 1, math.NaN()}, "infinite": {math.Inf(1), 1, math.Inf(-1)}, "only nan": {math.NaN()},
	"huge": {1e300, 1, 1e-300}, "extreme": {-math.MaxFloat64, math.MaxFloat64}, "denormal": {5e-324, 5e-324},
	"tiny":  {1e-300, 2e-300},
	"close": {1, 1 + 1e-15}, "offset": {1e15, 1e15 + 4}, "near": {0.999, 1.001}, "largest": {math.MaxFloat64},
	"small": {1e-320, 1},
}

// TestPlaces names places on the axis: the last always, none that touches its neighbour, and every one when pointed at.
func TestPlaces(t *testing.T) {
	label := regexp.MustCompile(`class="tick" x="([\d.]+)" y="[\d.]+" text-anchor="middle">([^<]*)<`)
	for _, n := range []int{0, 1, 2, 7, 50, 400} {
		var places []Place
		c := figure.Curve{Name: "c", Style: figure.Line}
		for i := range n {
			x := float64(3*i + i%2)
			c.X, c.Y = append(c.X, x), append(c.Y, float64(i))
			places = append(places, Place{x, fmt.Sprintf("c%06d+", i), fmt.Sprintf("run %d <b>", i)})
		}
		svg := Placed(figure.Figure{Title: "t", Caption: "c", X: figure.Axis{Label: "commit"}, Curves: []figure.Curve{c}},
			"id", places)
		require.NoError(t, sound(svg))
		require.Equal(t, n, strings.Count(svg, "<title>run "))
		require.NotContains(t, svg, "<b>")
		found := label.FindAllStringSubmatch(svg, -1)
		edge := math.Inf(-1)
		for _, f := range found {
			x, err := strconv.ParseFloat(f[1], 64)
			require.NoError(t, err)
			half := 6 * width(f[2])
			require.True(t, x-half > edge, "%d places: %s touches", n, f[2])
			edge = x + half
		}
		require.True(t, edge <= total)
		if n > 0 {
			require.Equal(t, places[n-1].Label, found[len(found)-1][2])
			require.GreaterOrEqual(t, len(found), min(n, 3))
		} else {
			require.Empty(t, found)
		}
	}
}

// Numbers and style meet each scale of either axis, and all of the other numbers at one pair of scales.
func TestDegenerateData(t *testing.T) {
	names := slices.Sorted(maps.Keys(degenerate))
	styles := []figure.Style{figure.Points, figure.Line, figure.Dashed, figure.Band, figure.Bars, "unknown"}
	for i, nx := range names {
		for k, ny := range names {
			xs, ys := degenerate[nx], degenerate[ny]
			for j, style := range styles {
				log := i + k + j
				f := figure.Figure{Title: "t", Caption: "c", X: figure.Axis{Log: log&1 > 0}, Y: figure.Axis{Label: "y",
					Log: log&2 > 0},
					Curves: []figure.Curve{{Name: "a", Style: style, X: xs, Y: ys, Lo: ys, Hi: xs}}}
				svg := SVG(f, "id")
				require.NoError(t, sound(svg), "%s/%s/%s/%d\n%s", nx, ny, style, log, svg)
			}
		}
	}
	require.NoError(t, sound(SVG(figure.Figure{Title: "t"}, "id")))
}

func TestHostileText(t *testing.T) {
	const hostile = "</title></svg><script>alert(1)</script>\x00\"'"
	f := figure.Figure{Title: hostile, Caption: hostile, X: figure.Axis{Label: hostile}, Y: figure.Axis{Label: hostile},
		Curves: []figure.Curve{{Name: hostile, Style: figure.Line, X: []float64{1}, Y: []float64{1}}, {Name: "b",
			Style: figure.Line}}}
	for _, svg := range []string{SVG(f, `"><x`), Strip(nil, hostile)} {
		require.NoError(t, wellFormed(svg))
		require.NotContains(t, svg, "<script")
		require.NotContains(t, svg, "<x")
	}
}

// TestNothingMovesItsNeighbours asks that a value without a place leaves a gap and changes nothing else.
func TestNothingMovesItsNeighbours(t *testing.T) {
	drawn := func(xs, ys []float64) string {
		return SVG(figure.Figure{Y: figure.Axis{Log: true}, Curves: []figure.Curve{{Style: figure.Points, X: xs, Y: ys}}},
			"id")
	}
	want := drawn([]float64{1, 2, 3}, []float64{10, 20, 30})
	for _, gap := range []float64{math.NaN(), math.Inf(1), 0, -5} {
		require.Equal(t, want, drawn([]float64{1, 2, 2, 3}, []float64{10, gap, 20, 30}), "%v", gap)
	}
	require.Equal(t, 2, strings.Count(SVG(figure.Figure{Curves: []figure.Curve{{Style: figure.Line,
		X: []float64{1, 2, 3, 4, 5}, Y: []float64{1, 2, math.NaN(), 4, 5}}}}, "id"), "L"), "a line breaks at a gap")
}

func TestPositions(t *testing.T) {
	s := scale{log: true, lo: 0, hi: 2, from: 100, to: 300}
	for x, want := range map[float64]float64{1: 100, 10: 200, 100: 300} {
		require.Equal(t, want, s.at(x))
	}
	require.True(t, math.IsNaN(s.at(0)) && math.IsNaN(s.at(-1)) && math.IsNaN(s.at(math.Inf(1))))
	require.Equal(t, 100.0, s.clamped(0))
	require.Equal(t, 300.0, s.clamped(math.Inf(1)))
	require.Equal(t, 300.0, s.clamped(1e9))
	require.True(t, math.IsNaN(s.clamped(math.NaN())))
}

// labels returns the labels that stay after thinning.
func labels(s scale, limit int) []string {
	var out []string
	for _, t := range s.thinned(s.ticks(limit), 12) {
		if t.label != "" {
			out = append(out, t.label)
		}
	}
	return out
}

func TestTicks(t *testing.T) {
	linear := func(values ...float64) []string {
		s := scale{from: 50, to: 450}
		s.fit(values, false)
		return labels(s, 6)
	}
	logarithmic := func(values ...float64) []string {
		s := scale{log: true, from: 50, to: 450}
		s.fit(values, false)
		return labels(s, 6)
	}
	require.Equal(t, []string{"0", "2", "4", "6", "8", "10"}, linear(0, 10))
	require.Equal(t, []string{"−1.0", "−0.5", "0.0", "0.5", "1.0"}, linear(-1, 1))
	require.Equal(t, []string{"0", "10⁵", "2×10⁵", "3×10⁵", "4×10⁵"}, linear(0, 4e5))
	require.Equal(t, []string{"0", "10⁻⁵", "2×10⁻⁵", "3×10⁻⁵"}, linear(0, 3e-5))
	require.Equal(t, []string{"0.1", "1", "10", "100"}, logarithmic(0.1, 100))
	require.Equal(t, []string{"10⁻⁹", "10⁻⁶", "10⁻³", "1", "10³", "10⁶"}, logarithmic(1e-11, 1e6))
	require.Equal(t, []string{"100", "200", "500", "1000"}, logarithmic(100, 1000))
	require.Equal(t, []string{"3", "4", "5"}, logarithmic(2.9, 5.1))
}

// TestIntegersStayIntegers asks that an axis of counts has no halves, and that few sizes are labelled as such.
func TestIntegersStayIntegers(t *testing.T) {
	whole := func(log bool, values ...float64) []string {
		s := scale{log: log, from: 50, to: 450}
		s.fit(values, false)
		s.integral(values)
		return labels(s, 6)
	}
	require.Equal(t, []string{"1", "2"}, whole(false, 1, 2))
	require.Equal(t, []string{"0", "1", "2", "3"}, whole(false, 0, 3))
	require.Equal(t, []string{"57", "141", "354"}, whole(true, 354, 57, 141))
	require.Equal(t, []string{"10", "100", "1000"}, whole(true, 2, 4, 8, 16, 32, 64, 1024), "too many to label all")
	require.Equal(t, []string{"1.0", "1.2", "1.4", "1.6", "1.8", "2.0"}, whole(false, 1, 1.5, 2), "no integers")
	svg := SVG(figure.Figure{Curves: []figure.Curve{{Name: "found", Style: figure.Points, X: []float64{1, 2, 3},
		Y: []float64{1, 4, 9}},
		{Name: "claimed", Style: figure.Dashed, X: []float64{1, 1.5, 2, 3}, Y: []float64{1, 2.25, 4, 9}}}}, "id")
	require.NotContains(t, svg, ">1.5<", "a prediction between integers")
}

// TestRoles asks that evidence names what is predicted apart from what was observed, and only where there are both.
func TestRoles(t *testing.T) {
	svg := Evidence(slope(), "id")
	height := func(text string) string {
		return regexp.MustCompile(` y="([\d.]+)"[^>]*>` + text).FindStringSubmatch(svg)[1]
	}
	require.Equal(t, height("observed"), height("measured"))
	require.Equal(t, height("predicted"), height("claimed"))
	require.NotEqual(t, height("observed"), height("predicted"))
	require.NotContains(t, SVG(slope(), "id"), ">observed<")
	one := slope()
	one.Curves = one.Curves[:2]
	require.NotContains(t, Evidence(one, "id"), ">observed<")
	require.Equal(t, predicted, roleOf(figure.Curve{Name: "predicted outlier", Style: figure.Points}))
	require.Equal(t, contrary, roleOf(figure.Curve{Name: "predicted", Style: figure.Dashed, Of: figure.OfErratum}))
	require.Equal(t, observed, roleOf(figure.Curve{Name: "error of the closed form", Style: figure.Points}))
	require.NoError(t, sound(File(svg)))
	require.NotContains(t, File(svg), "var(")
}

// TestTicksAreTrue draws ranges at random and asks that labels are the values they stand at, in ascending order,
// apart from each other, and not too few.
func TestTicksAreTrue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		s := scale{log: r.IntN(2) == 0, from: 60, to: 466}
		a := math.Pow(10, 12*r.Float64()-6)
		s.fit([]float64{a, a * math.Pow(10, 8*math.Pow(r.Float64(), 4)+1e-6)}, r.IntN(2) == 0)
		edge, shown := math.Inf(-1), 0
		for _, tick := range s.thinned(s.ticks(6), 12) {
			if tick.label == "" {
				continue
			}
			shown++
			read := parsed(t, tick.label)
			// labels are exact; k·step is not
			require.True(t, math.Abs(read-tick.value) <= 1e-9*math.Abs(tick.value), "%s at %v", tick.label, tick.value)
			half := width(tick.label) * 6
			require.True(t, s.at(tick.value)-half > edge, "%s touches its neighbour", tick.label)
			edge = s.at(tick.value) + half
		}
		require.GreaterOrEqual(t, shown, 2, "%+v", s)
	}
}

// parsed reads a label back.
func parsed(t *testing.T, label string) float64 {
	t.Helper()
	s := strings.NewReplacer("−", "-", "⁻", "-", "⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶", "6",
		"⁷", "7", "⁸", "8", "⁹", "9").Replace(strings.Replace(label, "×10", "e", 1))
	if strings.ContainsAny(label, "⁻⁰¹²³⁴⁵⁶⁷⁸⁹") && !strings.Contains(s, "e") {
		s = "1e" + strings.TrimPrefix(s, "10")
	}
	v, err := strconv.ParseFloat(s, 64)
	require.NoError(t, err, label)
	return v
}

func TestNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", -1: "−1", 0.5: "0.5", 3.14159: "3.14", 1234: "1234", 999.6: "1000", 12345: "12345",
		100000:  "10⁵",
		-2.5e-7: "−2.5×10⁻⁷", 1e-3: "0.001", 9.99e-4: "9.99×10⁻⁴", 120: "120", 1e300: "10³⁰⁰", 0.1: "0.1",
		math.Inf(1): "∞", math.Inf(-1): "−∞", 99999.4: "99999",
	} {
		require.Equal(t, want, Number(x))
	}
	require.Equal(t, "NaN", Number(math.NaN()))
}

func TestLabels(t *testing.T) {
	require.Equal(t, []string{"one two", "three"}, wrapped("one  two three", 5))
	require.Equal(t, "abcde", cut("abcde", 10))
	require.LessOrEqual(t, width(cut(strings.Repeat("a", 100), 10)), 10.0)
}
