// Package figure describes figures of evidence: points, lines, bands, histograms and heat maps over linear or
// logarithmic axes, with a caption as text alternative. A judge records one with props.Record.Figure, and the report
// draws it.
package figure

import (
	"fmt"
	"slices"

	"github.com/thm-suite/thm/internal/number"
)

// Figure is evidence to look at. Its caption is also its text alternative, so it says what the figure shows and
// not that there is one.
type Figure struct {
	ID      string  `json:"id"`             // unique among its neighbours
	Kind    Kind    `json:"kind,omitempty"` // empty for evidence that somebody chose to draw
	Of      Subject `json:"of,omitempty"`   // what it shows, if not the claim itself
	Title   string  `json:"title"`
	Caption string  `json:"caption"`
	X       Axis    `json:"x"`
	Y       Axis    `json:"y"`
	Z       Axis    `json:"z,omitzero"` // the scale of colours of heat maps
	Curves  []Curve `json:"curves"`
}

// Subject is the kind of wrong version that a figure, a curve or a measurement is about, where it is not about the
// claim.
type Subject string

// The subjects.
const (
	OfControl Subject = "control" // a mistake, or an assumption dropped
	OfErratum Subject = "erratum" // a printed form that is false
	OfReading Subject = "reading" // what one might read into the source
)

// Kind says what a figure was made for, where a page sets such figures apart.
type Kind string

// Ratios is the kind of a histogram of ratios, which the engine makes for every check that judges instances.
const Ratios Kind = "ratios"

// Compared is the kind of a figure of obtained against claimed values, which the engine makes for a claim that draws
// nothing itself.
const Compared Kind = "compared"

// Axis is one axis of a figure.
type Axis struct {
	Label string `json:"label"`
	Log   bool   `json:"log,omitempty"`
}

// Style is the style in which a curve is drawn.
type Style string

// The styles of curves.
const (
	Points Style = "points" // markers, with error bars where Lo and Hi are given
	Line   Style = "line"
	Dashed Style = "dashed" // a prediction or a bound
	Band   Style = "band"   // the area between Lo and Hi
	Bars   Style = "bars"   // a histogram: X are the left edges, and one more for the right end
	Heat   Style = "heat"   // a matrix: Z row by row, X what the columns stand for, Y the rows from the top
)

// Curve is one series of a figure.
type Curve struct {
	Name  string      `json:"name"`
	Style Style       `json:"style"`
	Of    Subject     `json:"of,omitempty"` // what it shows, if not what the figure shows
	X     number.List `json:"x"`
	Y     number.List `json:"y,omitempty"`
	Lo    number.List `json:"lo,omitempty"`
	Hi    number.List `json:"hi,omitempty"`
	Z     number.List `json:"z,omitempty"`
}

// Add adds a point.
func (c *Curve) Add(x, y float64) { c.X, c.Y = append(c.X, x), append(c.Y, y) }

// AddInterval adds a point with error bars, or to a band.
func (c *Curve) AddInterval(x, y, lo, hi float64) {
	c.Add(x, y)
	c.Lo, c.Hi = append(c.Lo, lo), append(c.Hi, hi)
}

// HeatMap is a matrix as a panel of a figure, its rows and columns numbered from 1. A figure has heat maps or other
// curves, not both; its panels share one scale of colours.
func HeatMap(name string, rows, cols int, at func(i, j int) float64) Curve {
	c := Curve{Name: name, Style: Heat}
	for j := range cols {
		c.X = append(c.X, float64(j+1))
	}
	for i := range rows {
		c.Y = append(c.Y, float64(i+1))
		for j := range cols {
			c.Z = append(c.Z, at(i, j))
		}
	}
	return c
}

// styles are all styles of curves.
var styles = []Style{Points, Line, Dashed, Band, Bars, Heat}

// Valid says what of a figure cannot be drawn or told apart from its neighbours.
func (f Figure) Valid() error {
	if f.ID == "" || f.Title == "" || f.Caption == "" {
		return fmt.Errorf("expected an ID, a title and a caption, found %q, %q and %q", f.ID, f.Title, f.Caption)
	}
	heats := 0
	for _, c := range f.Curves {
		switch {
		case !slices.Contains(styles, c.Style):
			return fmt.Errorf("expected one of the styles %q for the curve %q of %q, found %q", styles, c.Name, f.ID, c.Style)
		case c.Style != Heat:
			continue
		case len(c.Z) != len(c.X)*len(c.Y):
			return fmt.Errorf("expected a value for each of %d×%d cells of the heat map %q, found %d", len(c.Y), len(c.X),
				c.Name, len(c.Z))
		}
		heats++
	}
	if heats > 0 && heats < len(f.Curves) {
		return fmt.Errorf("expected heat maps or other curves in %q, found both", f.ID)
	}
	return nil
}
