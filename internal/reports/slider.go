package reports

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/theory"
)

// Slider is the closed forms of a claim along one of its parameters, the others at their defaults. A script shows one
// row at a time.
type Slider struct {
	Param  theory.Param
	Others string // name = value of the other parameters
	Names  []theory.Quantity
	Rows   []sliderRow
	Start  int // the row of the default
}

type sliderRow struct {
	At     string
	Values []string
	values []float64
}

// The number of steps to each side of the default, the smallest number of values worth a slider, and how many closed
// forms it shows.
const (
	sliderSteps  = 6
	sliderLeast  = 5
	sliderForms  = 5
	sliderFactor = 4   // the ends lie at the default times and over this
	sliderWide   = 100 // the width of the widest interval that is shown from end to end, over the default
)

// slider moves the parameter that moves most of a statement's closed forms, the first of them in the statement. It is
// nil where there is none.
func slider(s *theory.Statement) *Slider {
	if s.Predict == nil {
		return nil
	}
	var best *Slider
	moving := 0
	params := theory.Settable(s.Params)
	for _, p := range params {
		v := along(s, p)
		if len(v.Rows) < sliderLeast {
			continue
		}
		forms := len(v.Names)
		if n := v.keepMoving(); n > moving {
			best, moving = v, n
		}
		if moving == forms { // no other moves more; some forms take a while
			break
		}
	}
	if best == nil {
		return nil
	}
	var others []string
	for _, p := range params {
		if p.Name != best.Param.Name {
			others = append(others, p.Name+" = "+p.Default)
		}
	}
	best.Others = strings.Join(others, ", ")
	return best
}

// along evaluates the closed forms at the values of a parameter that the statement allows.
func along(s *theory.Statement, p theory.Param) *Slider {
	v := &Slider{Param: p}
	for _, text := range sliderValues(p) {
		forms, err := s.Evaluate(map[string]string{p.Name: text})
		if err != nil || v.Names != nil && len(forms) != len(v.Names) {
			continue
		}
		v.Names = forms
		if text == p.Default {
			v.Start = len(v.Rows)
		}
		row := sliderRow{At: text}
		for _, q := range forms {
			row.values = append(row.values, q.Value)
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// keepMoving leaves the first closed forms that take several values, and counts all of these.
func (v *Slider) keepMoving() (n int) {
	var keep []theory.Quantity
	for k, q := range v.Names {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, row := range v.Rows {
			if x := row.values[k]; !math.IsNaN(x) {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
		if !(hi-lo > 1e-9*max(math.Abs(lo), math.Abs(hi))) {
			continue
		}
		if n++; n > sliderForms {
			continue
		}
		q.Value = 0 // it is that of the last row, and JSON holds no NaN
		keep = append(keep, q)
		for i := range v.Rows {
			v.Rows[i].Values = append(v.Rows[i].Values, draw.Number(v.Rows[i].values[k]))
		}
	}
	v.Names = keep
	return n
}

// Sliders returns the sliders of statements, by slug; of a statement without one it is nil. They depend on nothing but
// the statements, and take a third of the time of a report.
func Sliders(statements []*theory.Statement) map[string]*Slider {
	out := map[string]*Slider{}
	for _, s := range statements {
		out[s.Slug] = slider(s)
	}
	return out
}

// slider is [slider], or what was computed before.
func (s Site) slider(st *theory.Statement) *Slider {
	if known, ok := s.Sliders[st.Slug]; ok {
		return known
	}
	return slider(st)
}

// sliderValues returns round values around the default of a number: evenly spread within an interval that is not too
// wide, in equal ratios otherwise.
func sliderValues(p theory.Param) []string {
	middle, err := strconv.ParseFloat(p.Default, 64)
	if err != nil {
		return nil
	}
	at := func(k int) float64 {
		if middle == 0 {
			return float64(k)
		}
		return middle * math.Pow(sliderFactor, float64(k)/sliderSteps)
	}
	if d := p.Domain; d.Min != nil && d.Max != nil && *d.Max-*d.Min <= sliderWide*max(1, math.Abs(middle)) {
		at = func(k int) float64 {
			return *d.Min + (*d.Max-*d.Min)*float64(k+sliderSteps)/(2*sliderSteps)
		}
	}
	values := []float64{middle}
	for k := -sliderSteps; k <= sliderSteps; k++ {
		x := at(k)
		if p.Domain.Integer {
			x = math.Round(x)
		}
		x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
		values = append(values, x)
	}
	slices.Sort(values)
	var out []string
	for _, x := range slices.Compact(values) {
		if text := strconv.FormatFloat(x, 'f', -1, 64); x == middle {
			out = append(out, p.Default)
		} else {
			out = append(out, text)
		}
	}
	return out
}
