package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
)

// normTolerance is the relative residual at which an operator norm counts as found. Its error is of second order in
// the residual, 10⁻⁶, far below every statistical error here.
const normTolerance = 1e-3

// Norm is the operator norm. A failure of the iteration is an error of the check, not a value.
func Norm(a linalg.Operator, r *rand.Rand) float64 { return Leading(a, 1, r).Values[0] }

// Leading returns the k leading singular triplets.
func Leading(a linalg.Operator, k int, r *rand.Rand) *linalg.Triplets {
	t, err := linalg.Leading(a, k, normTolerance, r)
	if err != nil {
		panic(err)
	}
	return t
}

// SingularValues are all singular values.
func SingularValues(a *mat.Dense) []float64 {
	values, err := linalg.SingularValues(a)
	if err != nil {
		panic(err)
	}
	return values
}

// Cosine is that of the angle between two vectors.
func Cosine(x, y []float64) float64 {
	return floats.Dot(x, y) / (floats.Norm(x, 2) * floats.Norm(y, 2))
}

// MeanSquare is the mean of the squares.
func MeanSquare(x []float64) float64 { return floats.Dot(x, x) / float64(len(x)) }

// Cell is one replicate of a measurement in a setup.
type Cell struct {
	Setup string
	Index int
}

// Cells returns count cells of each setup.
func Cells(setups []Setup, count int) []Cell {
	var cells []Cell
	for _, s := range setups {
		for i := range count {
			cells = append(cells, Cell{s.Name, i})
		}
	}
	return cells
}

// By finds a setup by its name.
func By(setups []Setup, name string) Setup {
	for _, s := range setups {
		if s.Name == name {
			return s
		}
	}
	panic("network: no setup is called " + name)
}

// Limit is the criterion that values of independent networks have the claimed limit, in the form that a limit in
// probability has: their median. The equivalence margin is what they are off by at finite size and what the interval
// needs, planned from their standard deviation. It judges values over the claimed one, or as they are where that is 0.
type Limit struct {
	Name     string
	SD, Bias float64 // of one value
}

// Judge states the criterion.
func (l Limit) Judge(r *props.Record, values []float64, claimed float64) {
	scratch(l, values)
	iv := stat.Median(values, stat.CriterionAlpha)
	r.Measured(l.Name, iv, claimed)
	r.Equals(l.Name, iv, claimed, l.margin(len(values)))
}

// Absolute states it for values that may tend to 0.
func (l Limit) Absolute(r *props.Record, values []float64, claimed float64) {
	scratch(l, values)
	iv := stat.Median(values, stat.CriterionAlpha)
	r.Measured(l.Name, iv, claimed)
	r.EqualsAbsolutely(l.Name, iv, claimed, l.margin(len(values)))
}

// Exponent states it for slopes.
func (l Limit) Exponent(r *props.Record, slopes []float64, claimed float64) {
	scratch(l, slopes)
	iv := stat.Median(slopes, stat.CriterionAlpha)
	r.Measured(l.Name, iv, claimed)
	r.HasExponent(l.Name, iv, claimed, l.margin(len(slopes)))
}

func (l Limit) margin(count int) float64 {
	return l.Bias + stat.MedianMargin(stat.NormalTail, l.SD, count, stat.CriterionAlpha, stat.CriterionUndecided)
}

// Slope is the least-squares slope of log y over log n.
func Slope(n, y []float64) float64 {
	return stat.Slopes(Map(n, math.Log), [][]float64{Map(y, math.Log)})[0]
}

// Map collects f over the elements of xs.
func Map[T, U any](xs []T, f func(T) U) []U {
	out := make([]U, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}

func scratch(l Limit, xs []float64) {
	if os.Getenv("SCRATCH") == "" {
		return
	}
	m, v, k := 0.0, 0.0, 0.0
	for _, x := range xs {
		m += x / float64(len(xs))
	}
	for _, x := range xs {
		v += (x - m) * (x - m) / float64(len(xs))
	}
	for _, x := range xs {
		k += math.Pow((x-m)/math.Sqrt(v), 3) / float64(len(xs))
	}
	fmt.Fprintf(os.Stderr, "%-60s n %d mean %.4f sd %.4f (planned %.4f bias %.4f margin %.4f) skew %.1f |", l.Name, len(xs), m, math.Sqrt(v), l.SD, l.Bias, l.margin(len(xs)), k)
	for i := 0; i < 2; i++ {
		h := xs[i*len(xs)/2 : (i+1)*len(xs)/2]
		m, v := 0.0, 0.0
		for _, x := range h {
			m += x / float64(len(h))
		}
		for _, x := range h {
			v += (x - m) * (x - m) / float64(len(h))
		}
		fmt.Fprintf(os.Stderr, " half %.4f ± %.4f", m, math.Sqrt(v))
	}
	fmt.Fprintln(os.Stderr)
}

// Of are the measurements of the cells in a regime.
func Of[M any](setups []Setup, regime string, cells []Cell, all []M) []M {
	var out []M
	for i, c := range cells {
		if By(setups, c.Setup).Regime == regime {
			out = append(out, all[i])
		}
	}
	return out
}

// In is the first setup in a regime.
func In(setups []Setup, regime string) Setup {
	for _, s := range setups {
		if s.Regime == regime {
			return s
		}
	}
	panic("network: no setup in regime " + regime)
}

// Sine is that of the angle between a unit vector and the span of an orthonormal basis.
func Sine(x []float64, basis [][]float64) float64 {
	rest := slices.Clone(x)
	for _, q := range basis {
		floats.AddScaled(rest, -floats.Dot(q, rest), q)
	}
	return floats.Norm(rest, 2)
}
