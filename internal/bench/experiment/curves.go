package experiment

import "github.com/thm-suite/thm/props/figure"

// Spread is the mean and the range of a quantity of runs, of which there is one at least.
func Spread[T any](runs []T, of func(T) float64) (mean, lo, hi float64) {
	lo, hi = of(runs[0]), of(runs[0])
	for _, r := range runs {
		v := of(r)
		mean, lo, hi = mean+v/float64(len(runs)), min(lo, v), max(hi, v)
	}
	return mean, lo, hi
}

// MeanAndRange draws a quantity of runs at the places x: a line through the means, and a band over the range. Without
// runs there is nothing to draw.
func MeanAndRange[T any](name string, x []float64, runs []T, of func(run T, i int) float64) []figure.Curve {
	if len(runs) == 0 {
		return nil
	}
	line := figure.Curve{Name: name, Style: figure.Line, X: x}
	band := figure.Curve{Name: name, Style: figure.Band, X: x}
	for i := range x {
		mean, lo, hi := Spread(runs, func(r T) float64 { return of(r, i) })
		line.Y, band.Lo, band.Hi = append(line.Y, mean), append(band.Lo, lo), append(band.Hi, hi)
	}
	return []figure.Curve{line, band}
}
