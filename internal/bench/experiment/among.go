package experiment

import (
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props/figure"
	"github.com/thm-suite/thm/props/stat"
)

// Among are the values of the runs whose cells are of a kind.
func Among[C, V any](runs []Run[C, V], kind func(C) bool) (out []V) {
	of := list.Where(runs, func(r Run[C, V]) bool { return kind(r.Cell) })
	return list.Map(of, func(r Run[C, V]) V { return r.Value })
}

// Each is a quantity of every run.
func Each[V any](runs []V, of func(V) float64) []float64 {
	return list.Map(runs, of)
}

// Numbers are 0, 1, …, n−1, as places of a figure.
func Numbers(n int) []float64 {
	return list.Fill(n, func(i int) float64 { return float64(i) })
}

// Mean is Student's interval for the mean of a quantity over runs.
func Mean[V any](runs []V, of func(V) float64) stat.Interval { return stat.Mean(Each(runs, of), Alpha) }

// Spread is the mean and the range of a quantity of runs, of which there is one at least.
func Spread[V any](runs []V, of func(V) float64) (mean, lo, hi float64) {
	lo, hi = of(runs[0]), of(runs[0])
	for _, v := range Each(runs, of) {
		mean, lo, hi = mean+v/float64(len(runs)), min(lo, v), max(hi, v)
	}
	return mean, lo, hi
}

// MeanAndRange draws a quantity of runs at the places x: a line through the means, and a band over the range. Without
// runs there is nothing to draw.
func MeanAndRange[V any](name string, x []float64, runs []V, of func(run V, i int) float64) []figure.Curve {
	if len(runs) == 0 {
		return nil
	}
	line := figure.Curve{Name: name, Style: figure.Line, X: x}
	band := figure.Curve{Name: name, Style: figure.Band, X: x}
	for i := range x {
		mean, lo, hi := Spread(runs, func(v V) float64 { return of(v, i) })
		line.Y, band.Lo, band.Hi = append(line.Y, mean), append(band.Lo, lo), append(band.Hi, hi)
	}
	return []figure.Curve{line, band}
}

// Estimates draws an interval for each group of runs that has one, as a point with its bar.
func Estimates[G any](name string, groups []G, at func(G) float64, of func(G) stat.Interval) figure.Curve {
	out := figure.Curve{Name: name, Style: figure.Points}
	for _, g := range groups {
		if iv := of(g); iv.Valid() {
			out.AddInterval(at(g), iv.Estimate, iv.Lo, iv.Hi)
		}
	}
	return out
}

// Scatter draws a point for each run.
func Scatter[V any](name string, runs []V, x, y func(V) float64) figure.Curve {
	return figure.Curve{Name: name, Style: figure.Points, X: Each(runs, x), Y: Each(runs, y)}
}
