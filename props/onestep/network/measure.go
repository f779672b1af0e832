package network

import (
	"math"
	"math/rand/v2"

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
	return CellsOf(Map(setups, func(s Setup) string { return s.Name }), count)
}

// CellsOf returns count cells of each setup of that name.
func CellsOf(names []string, count int) []Cell {
	var cells []Cell
	for _, name := range names {
		for i := range count {
			cells = append(cells, Cell{name, i})
		}
	}
	return cells
}

// Measured are the measurements of the cells of a setup.
func Measured[M any](setup string, cells []Cell, all []M) []M {
	var out []M
	for i, c := range cells {
		if c.Setup == setup {
			out = append(out, all[i])
		}
	}
	return out
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
//
// The plan presumes that a share p of the values, [stat.RankTail], lies beyond the margin on each side, 0.7 % for 64
// values and 2 to 20 % for 80 to 400. Where a law has longer tails than a normal one, SD is larger than its standard
// deviation: (q − Bias)/z for its quantile q and the normal quantile z at p, as a thousand values from other seeds
// show.
type Limit struct {
	Name     string
	SD, Bias float64 // of one value
}

// Judge states the criterion for values that do not tend to 0.
func (l Limit) Judge(r *props.Record, values []float64, claimed float64) {
	l.judge(r, r.Equals, values, claimed)
}

// Absolute states it for values that may.
func (l Limit) Absolute(r *props.Record, values []float64, claimed float64) {
	l.judge(r, r.EqualsAbsolutely, values, claimed)
}

// Exponent states it for slopes.
func (l Limit) Exponent(r *props.Record, slopes []float64, claimed float64) {
	l.judge(r, r.HasExponent, slopes, claimed)
}

func (l Limit) judge(r *props.Record, state func(string, stat.Interval, float64, float64), values []float64,
	claimed float64) {
	iv := stat.Median(values, stat.CriterionAlpha)
	needs := stat.MedianMargin(stat.NormalTail, l.SD, len(values), stat.CriterionAlpha, stat.CriterionUndecided)
	r.Measured(l.Name, iv, claimed)
	state(l.Name, iv, claimed, l.Bias+needs)
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
