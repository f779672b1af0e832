package props

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/props/stat"
)

// beside notes the sides of the last criterion, if it does not hold.
func (r *Record) beside(sides func() results.Sides) {
	if last := &r.findings[len(r.findings)-1]; last.Ratio.Verdict() != results.Holds {
		s := sides()
		last.Sides = &s
	}
}

func scalarSides(obtained, claimed, allowed float64, relation results.Relation) func() results.Sides {
	return func() results.Sides {
		return results.Sides{Obtained: results.Number(obtained), Claimed: results.Number(claimed),
			Difference: results.Number(obtained - claimed),
			Allowed:    results.Number(allowed), Relation: relation}
	}
}

func intervalSides(iv stat.Interval, claimed, margin float64, relation results.Relation) func() results.Sides {
	return func() results.Sides {
		s := scalarSides(iv.Estimate, claimed, margin, relation)()
		lo, hi := results.Number(iv.Lo), results.Number(iv.Hi)
		s.Lo, s.Hi = &lo, &hi
		return s
	}
}

// matrixSides returns the sides of the entry in which two matrices differ most, with the norm of the difference.
func matrixSides(got, want mat.Matrix, difference, allowed float64) func() results.Sides {
	return func() results.Sides {
		rows, cols := got.Dims()
		i, j := farthest(got, want)
		s := scalarSides(got.At(i, j), want.At(i, j), allowed, results.Equal)()
		s.Difference = results.Number(difference)
		s.Entry = fmt.Sprintf("entry (%d, %d) of %d×%d", i+1, j+1, rows, cols)
		return s
	}
}

// farthest is where two matrices differ most. Nothing is farther than what is not a number.
func farthest(got, want mat.Matrix) (row, col int) {
	rows, cols := got.Dims()
	largest := math.Inf(-1)
	for i := range rows {
		for j := range cols {
			if apart := math.Abs(got.At(i, j) - want.At(i, j)); apart > largest || math.IsNaN(apart) {
				largest, row, col = apart, i, j
			}
		}
	}
	return row, col
}
