package recorded

import (
	"fmt"
	"math"
	"slices"
	"strings"

	gonum "gonum.org/v1/gonum/stat"

	"github.com/thm-suite/thm/internal/terminal"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
	"github.com/thm-suite/thm/theory/width"
)

// The quantities that are fitted over widths.
const (
	size     = "size of pre-activations"
	change   = "change of pre-activations"
	decrease = "decrease of the loss"
	along    = "change of outputs along the gradient" // in first order, by all layers: the sum of decreases over ‖Γ‖√(mN)
)

// Coordinates is a coordinate check: powers of the width in the first recorded step, over runs of several widths,
// next to those of width/mup.
type Coordinates struct {
	Widths   []Slope  `json:"widths"`
	Verdicts []string `json:"verdicts"`
}

// Parametrisations lists the parametrisations for which a [Slope] has predictions: SGD and Adam with one step size at
// all widths for the first two, with rates by layer for the third.
var Parametrisations = []string{"standard", "tangent", "maximal"}

// Slope is the power of the width that a quantity grows with.
type Slope struct {
	Kind     string `json:"kind"`  // input, hidden or readout: which sides of the layer grow; or network
	Layer    string `json:"layer"` // empty of the network
	Quantity string `json:"quantity"`
	Widths   []int  `json:"widths"` // of the runs

	Exponent  results.Number   `json:"exponent"`
	Lo        results.Number   `json:"lo"` // the intervals hold jointly with 95 %; none of two runs
	Hi        results.Number   `json:"hi"`
	Predicted []results.Number `json:"predicted"` // in the order of [Parametrisations]; NaN of another optimizer

	x, y []float64 // logarithms
}

// Columns are the titles of [Slope.Row].
var Columns = append([]string{"kind", "layer", "quantity", "widths", "power", "interval"}, Parametrisations...)

// Row returns the row of a table for a slope.
func (s Slope) Row() []string {
	interval := "–"
	if s.Lo < s.Hi {
		interval = fmt.Sprintf("[%.2f, %.2f]", float64(s.Lo), float64(s.Hi))
	}
	row := []string{s.Kind, s.Layer, s.Quantity, strings.Trim(fmt.Sprint(slices.Compact(slices.Clone(s.Widths))), "[]"),
		fmt.Sprintf("%.2f", float64(s.Exponent)), interval}
	for _, p := range s.Predicted {
		row = append(row, strings.Replace(fmt.Sprintf("%g", float64(p)), "NaN", "–", 1))
	}
	return row
}

// apart is the distance of an interval from a power that it excludes: half of the distance of two multiples of ½. At
// finite widths powers are off by O(1/n), which [stat.Slope] does not know.
const apart = 0.25

// rule is the rule of width/mup that a step follows; empty if none. Adam's first step goes along the sign, and what
// AdamW's decay adds is smaller by the factor λ in all parametrisations.
func rule(r Record) string {
	switch {
	case r.Number("maximize") != 0:
	case r.Optimizer == "AdamW", r.Optimizer == "Adam" && r.Number("weight_decay") == 0:
		return "sign"
	case r.Optimizer == "SGD" && r.Number("weight_decay") == 0:
		return "sgd"
	}
	return ""
}

// coordinates fits what the first recorded step of each run shows. Of one width it has nothing.
func coordinates(points []Point) Coordinates {
	first, total, rules := map[string]int{}, map[string]float64{}, map[string]bool{}
	for _, p := range points {
		if step, ok := first[p.Run]; !ok || p.Step < step {
			first[p.Run] = p.Step
		}
	}
	layers, order := map[string][]Point{}, []string{} // a point of each run and quantity
	for _, p := range points {
		if p.Step != first[p.Run] {
			continue
		}
		if rules[p.rule] = true; p.Quantity == decrease {
			total[p.Run] += float64(p.Measured)
		}
		if layers[p.Layer] == nil {
			order = append(order, p.Layer)
		}
		layers[p.Layer] = append(layers[p.Layer], p)
	}
	c := Coordinates{Widths: []Slope{}, Verdicts: []string{}}
	var readouts []string
	for _, layer := range order {
		c.fit(layer, size, size, layers[layer], func(p Point) float64 { return float64(p.Measured) })
		if c.fit(layer, change, change, layers[layer], func(p Point) float64 { return float64(p.Measured) }) == "readout" {
			readouts = append(readouts, layer)
		}
	}
	if len(readouts) == 1 {
		c.fit("", along, decrease, layers[readouts[0]], func(p Point) float64 { return math.Abs(total[p.Run]) / p.slope })
	}
	if c.predict(rules); len(c.Widths) > 0 {
		c.judge(len(first))
	}
	return c
}

// fit adds the slope of a quantity that is computed from points of a layer, and returns the layer's kind.
func (c *Coordinates) fit(layer, quantity, from string, points []Point, value func(Point) float64) string {
	points = slices.DeleteFunc(slices.Clone(points), func(p Point) bool { return p.Quantity != from || !(value(p) > 0) })
	if len(points) < 2 {
		return ""
	}
	slices.SortStableFunc(points, func(a, b Point) int { return a.Width*a.outputs - b.Width*b.outputs })
	s := Slope{Layer: layer, Quantity: quantity, Kind: "hidden"}
	switch narrow, wide := points[0], points[len(points)-1]; {
	case quantity == along:
		s.Kind = "network"
	case narrow.Width == wide.Width:
		s.Kind = "input"
	case narrow.outputs == wide.outputs:
		s.Kind = "readout"
	}
	for _, p := range points {
		n := p.Width
		if s.Kind == "input" {
			n = p.outputs
		}
		s.Widths = append(s.Widths, n)
		s.x, s.y = append(s.x, math.Log(float64(n))), append(s.y, math.Log(value(p)))
	}
	if s.Widths[0] != s.Widths[len(s.Widths)-1] {
		c.Widths = append(c.Widths, s)
	}
	return s.Kind
}

// predict sets what the parametrisations predict where all runs follow one rule.
func (c *Coordinates) predict(rules map[string]bool) {
	hidden := 1
	for _, s := range c.Widths {
		if s.Kind == "hidden" && s.Quantity == size {
			hidden++
		}
	}
	for _, name := range Parametrisations {
		p := width.NamedParametrisation(name, hidden, rules["sign"])
		moves := p.Moves()
		for i := range c.Widths {
			s := &c.Widths[i]
			power := 0.0
			switch {
			case rules[""] || len(rules) > 1:
				power = math.NaN()
			case s.Kind == "network":
				power = moves.Output
			case s.Quantity == change:
				power = moves.Own[map[string]int{"input": 0, "hidden": min(1, hidden-1), "readout": hidden}[s.Kind]]
			case s.Kind == "readout":
				power = 0.5 - p.A[hidden] - p.B[hidden] // a sum of n terms of random sign
			}
			s.Predicted = append(s.Predicted, results.Number(power))
		}
	}
}

// judge sets the intervals, and says of each parametrisation what excludes it.
func (c *Coordinates) judge(runs int) {
	widths, narrow := map[int]bool{}, 0
	for i := range c.Widths {
		s := &c.Widths[i]
		fitted := stat.Slope(s.x, s.y, 0.05/float64(len(c.Widths)))
		_, slope := gonum.LinearRegression(s.x, s.y, nil, false)
		s.Exponent, s.Lo, s.Hi = results.Number(slope), results.Number(fitted.Lo), results.Number(fitted.Hi)
		if s.Hi-s.Lo < 2*apart {
			narrow++
		}
		for _, n := range s.Widths {
			widths[n] = true
		}
	}
	measured := fmt.Sprintf("of %d powers over %s of %s", len(c.Widths), terminal.Plural(runs, "run"),
		terminal.Plural(len(widths), "width"))
	for k, name := range Parametrisations {
		if c.Widths[0].Predicted[k] != c.Widths[0].Predicted[k] {
			c.Verdicts = append(c.Verdicts, "nothing is predicted of the steps of this optimizer, or of several in one table")
			return
		}
		against, farthest, what := 0, apart, ""
		for _, s := range c.Widths {
			off := max(float64(s.Lo-s.Predicted[k]), float64(s.Predicted[k]-s.Hi)) // NaN without an interval
			if off > apart {
				against++
			}
			if off > farthest {
				farthest, what = off, fmt.Sprintf("%s (%s): %.2f in [%.2f, %.2f], predicted %g",
					strings.TrimSpace(s.Quantity+" "+s.Layer), s.Kind, float64(s.Exponent), float64(s.Lo), float64(s.Hi),
					float64(s.Predicted[k]))
			}
		}
		if against > 0 {
			c.Verdicts = append(c.Verdicts, fmt.Sprintf("%s parametrisation is excluded by %d %s, most by %s", name, against,
				measured, what))
		} else {
			c.Verdicts = append(c.Verdicts, fmt.Sprintf("compatible with %s parametrisation: none %s excludes it; %d have "+
				"intervals narrower than ½", name, measured, narrow))
		}
	}
}
