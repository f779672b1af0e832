package draw

import (
	"encoding/csv"
	"regexp"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/props/figure"
)

var (
	variable = regexp.MustCompile(`var\(--[a-z0-9-]+,(#[0-9a-f]+)\)`)
	viewBox  = regexp.MustCompile(`viewBox="0 0 ([\d.]+) ([\d.]+)"`)
)

// fileScale is the size of a file's pixel in units of the viewBox: a figure fills a slide.
const fileScale = 2

// File is a figure as a file of its own: on a white ground, of a size, and with colours that every program knows.
func File(svg string) string {
	svg = viewBox.ReplaceAllStringFunc(svg, func(box string) string {
		size := viewBox.FindStringSubmatch(box)
		w, _ := strconv.ParseFloat(size[1], 64)
		h, _ := strconv.ParseFloat(size[2], 64)
		return `viewBox="-10 -8 ` + coordinate(w+20) + " " + coordinate(h+12) + `" width="` + coordinate(fileScale*(w+20)) +
			`" height="` + coordinate(fileScale*(h+12)) + `"`
	})
	return grounded(svg, `y="-8" width="100%" height="100%"`)
}

// Standalone is [File] for a figure that has a frame already.
func Standalone(svg string) string { return grounded(svg, `y="-4" width="110%" height="110%"`) }

// grounded lays a figure on white, and gives it colours that every program knows.
func grounded(svg, ground string) string {
	head, rest, _ := strings.Cut(variable.ReplaceAllString(svg, "$1"), ">")
	return head + ` style="color:#1b1b1b"><rect x="-10" ` + ground + ` fill="#fff"></rect>` + rest + "\n"
}

// CSV is the data of a figure, a line for each point of each curve or each cell of each heat map. What a curve has no
// value for is empty.
func CSV(f figure.Figure) string {
	if heats(f) {
		return heatCSV(f)
	}
	var out strings.Builder
	w := csv.NewWriter(&out)
	_ = w.Write([]string{"curve", "shows", "style", "x", "y", "lo", "hi"})
	at := func(list []float64, i int) string {
		if i >= len(list) {
			return ""
		}
		return strconv.FormatFloat(list[i], 'g', -1, 64)
	}
	for _, c := range f.Curves {
		for i := range max(len(c.X), len(c.Y)) {
			_ = w.Write([]string{c.Name, string(roleOf(c)), string(c.Style), at(c.X, i), at(c.Y, i), at(c.Lo, i),
				at(c.Hi, i)})
		}
	}
	w.Flush()
	return out.String()
}

func heatCSV(f figure.Figure) string {
	var out strings.Builder
	w := csv.NewWriter(&out)
	text := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	_ = w.Write([]string{"panel", "shows", "row", "column", "value"})
	for _, c := range f.Curves {
		for k, z := range c.Z {
			_ = w.Write([]string{c.Name, string(roleOf(c)), text(c.Y[k/len(c.X)]), text(c.X[k%len(c.X)]), text(z)})
		}
	}
	w.Flush()
	return out.String()
}
