package network

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props/stat"
)

// normTolerance is the relative residual at which an operator norm counts as found. Its error is of second order in
// the residual, 10⁻⁶, far below every statistical error here.
const normTolerance = 1e-3

// Norm is the operator norm. A failure of the iteration is an error of the check, not a value.
func Norm(a linalg.Operator, r *rand.Rand) float64 { return Leading(a, 1, r).Values[0] }

// Leading returns the k leading singular triplets.
func Leading(a linalg.Operator, k int, r *rand.Rand) *linalg.Triplets {
	return must.Get(linalg.Leading(a, k, normTolerance, r))
}

// Cosine returns the cosine of the angle between two vectors.
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

// Slope is the least-squares slope of log y over log n.
func Slope(n, y []float64) float64 {
	return stat.Slopes(Map(n, math.Log), [][]float64{Map(y, math.Log)})[0]
}

// Map collects f over the elements of xs.
func Map[T, U any](xs []T, f func(T) U) []U {
	return list.Map(xs, f)
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
