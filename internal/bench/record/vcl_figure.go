package record

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/bench/vcl"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/props/figure"
)

// The places of the panels of a figure: two columns.
const (
	panelWidth = 480.0
	panelGap   = 24.0
)

// VCLFigure draws the cost of one step against n, m and the batch, and the gain over the paper's route against the
// gain in operations.
func VCLFigure(root string) (string, error) {
	r, err := readVCL(root)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	left, top, bottom := 0.0, 0.0, 0.0
	for i, f := range vclPanels(r) {
		if i%2 == 0 {
			left, top = 0, bottom
		} else {
			left = panelWidth + panelGap
		}
		svg, height := placed(draw.SVG(f, f.ID), left, top)
		out.WriteString(svg)
		bottom = max(bottom, top+height+panelGap)
	}
	head := fmt.Sprintf(`<svg class="figure" xmlns="http://www.w3.org/2000/svg" viewBox="-10 -4 %g %g" role="img" `+
		`aria-label="Cost of one step of virtual covariance learning">`,
		2*panelWidth+panelGap+20, math.Ceil(bottom))
	return draw.Standalone(head + out.String() + "</svg>"), nil
}

var viewBox = regexp.MustCompile(`^<svg class="figure" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 ([0-9.]+)"`)

// placed puts a figure at a point of another one.
func placed(svg string, x, y float64) (text string, height float64) {
	found := viewBox.FindStringSubmatch(svg)
	if found == nil {
		panic("thm: the figure has another frame than it is placed by")
	}
	height, _ = strconv.ParseFloat(found[1], 64)
	frame := fmt.Sprintf(`<svg x="%g" y="%g" width="480" height="%g" viewBox="0 0 480 %g"`, x, math.Round(y*100)/100,
		height, height)
	return frame + strings.TrimPrefix(svg, found[0]), height
}

// vclPanels are one figure for each of n, m and the batch.
func vclPanels(r *VCL) []figure.Figure {
	var out []figure.Figure
	for _, over := range []string{"n", "m", "batch"} {
		if f := costPanel(r, over); len(f.Curves) > 0 {
			out = append(out, f)
		}
	}
	return append(out, gainPanel(r))
}

// costPanel shows the times on one ladder as points, and the operation count as a line through their geometric mean.
// The legend has the exponents of both.
func costPanel(r *VCL, over string) figure.Figure {
	fixed := map[string]string{"n": "m = %[1]d, B = %[3]d", "m": "n = %[2]d, B = %[3]d",
		"batch": "m = %[1]d, n = %[2]d"}[over]
	f := figure.Figure{ID: "vcl-" + over, Title: "Cost against " + axisName(over),
		Y: figure.Axis{Label: "ms for one step; lines: operation counts", Log: true}}
	for _, method := range vcl.VCLMethods() {
		points := figure.Curve{Style: figure.Points}
		line := figure.Curve{Style: figure.Dashed}
		shift := 0.0
		for _, c := range r.Costs {
			if c.Over != over || c.Method != method {
				continue
			}
			f.X = figure.Axis{Label: axisName(over) + ", for " + fmt.Sprintf(fixed, c.M, c.N, c.Batch), Log: true}
			points.Add(c.At(), 1e3*c.Seconds)
			line.Add(c.At(), c.Flops)
			shift += math.Log(1e3 * c.Seconds / c.Flops)
		}
		if len(points.X) == 0 {
			continue
		}
		for i := range line.Y {
			line.Y[i] *= math.Exp(shift / float64(len(line.Y)))
		}
		points.Name = legend(r, over, method)
		line.Name = points.Name
		f.Curves = append(f.Curves, points, line)
	}
	f.Caption = "Time of one step by each method against " + axisName(over) + ", with the operation counts."
	return f
}

// legend names a method with its exponents.
func legend(r *VCL, over, method string) string {
	slopes := r.Slopes()
	i := slices.IndexFunc(slopes, func(s vcl.VCLSlope) bool { return s.Over == over && s.Method == method })
	if i < 0 {
		return method
	}
	return fmt.Sprintf("%s: %.2f, count %.2f", method, slopes[i].Time, slopes[i].Count)
}

// gainPanel shows how many times faster than the paper's route the methods are on every layer, against the size of the
// layer, with gradient descent's step, which no method can beat. The colours are the same as in the other panels.
func gainPanel(r *VCL) figure.Figure {
	f := figure.Figure{ID: "vcl-gain", Title: "Gain over the paper's route",
		Caption: "How many times faster than the paper's route each method is on layers of several shapes.",
		X:       figure.Axis{Label: "weights of the layer, m·n", Log: true},
		Y:       figure.Axis{Label: "× faster than the paper's route, measured", Log: true}}
	for _, method := range vcl.VCLMethods() {
		c := figure.Curve{Name: method, Style: figure.Points}
		for _, s := range r.Steps {
			gain := s.Faster()
			switch {
			case method == "sgd":
				gain = s.Full / s.SGD
			case method == "full":
				gain = 1
			case method != s.Method:
				continue
			}
			c.Add(float64(s.M*s.N), gain)
		}
		if len(c.X) > 0 {
			f.Curves = append(f.Curves, c)
		}
	}
	return f
}
