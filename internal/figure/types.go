package figure

// Figure is evidence to look at. Its caption is also its text alternative, so it says what the figure shows and
// not that there is one.
type Figure struct {
	ID      string  `json:"id"` // unique among its neighbours
	Title   string  `json:"title"`
	Caption string  `json:"caption"`
	X       Axis    `json:"x"`
	Y       Axis    `json:"y"`
	Curves  []Curve `json:"-"` // a results file has them as the claim's series
}

// Axis is one axis of a figure.
type Axis struct {
	Label string `json:"label"`
	Log   bool   `json:"log,omitempty"`
}

// Style is how a curve is drawn.
type Style string

// The styles of curves.
const (
	Points Style = "points" // markers, with error bars where Lo and Hi are given
	Line   Style = "line"
	Dashed Style = "dashed" // a prediction or a bound
	Band   Style = "band"   // the area between Lo and Hi
	Bars   Style = "bars"   // a histogram: X are the left edges, and one more for the right end
)

// Curve is one series of a figure.
type Curve struct {
	Name  string
	Style Style
	X, Y  []float64
	Lo    []float64
	Hi    []float64
}
