package props

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/props/stat"
)

// Sides are the two sides of a comparison that does not hold: what was obtained, what is claimed, by how much they
// differ, and what is allowed.
type Sides struct {
	Obtained   Number   `json:"obtained"`
	Lo         *Number  `json:"lo,omitempty"` // the ends of an interval
	Hi         *Number  `json:"hi,omitempty"`
	Claimed    Number   `json:"claimed"`
	Difference Number   `json:"difference"` // of a matrix the Frobenius norm
	Allowed    Number   `json:"allowed"`
	Relation   Relation `json:"relation,omitempty"` // of what was obtained to what is claimed; empty for equality
	Entry      string   `json:"entry,omitempty"`    // of a matrix, where the two differ most
}

// String is the sides for a reader, on one line.
func (s Sides) String() string {
	obtained := fmt.Sprintf("obtained %.6g", float64(s.Obtained))
	if s.Lo != nil && s.Hi != nil {
		obtained += fmt.Sprintf(" [%.6g, %.6g]", float64(*s.Lo), float64(*s.Hi))
	}
	if s.Entry != "" {
		obtained += " in " + s.Entry
	}
	claimed := "claimed "
	if s.Relation != Equal {
		claimed += string(s.Relation) + " "
	}
	return fmt.Sprintf("%s, %s%.6g, difference %.3g, allowed %.3g", obtained, claimed, float64(s.Claimed),
		float64(s.Difference), float64(s.Allowed))
}

// beside notes the sides of the last criterion, if it does not hold.
func (r *Record) beside(sides func() Sides) {
	if last := &r.findings[len(r.findings)-1]; last.Ratio.Verdict() != Holds {
		s := sides()
		last.Sides = &s
	}
}

func scalarSides(obtained, claimed, allowed float64, relation Relation) func() Sides {
	return func() Sides {
		return Sides{Obtained: Number(obtained), Claimed: Number(claimed), Difference: Number(obtained - claimed),
			Allowed: Number(allowed), Relation: relation}
	}
}

func intervalSides(iv stat.Interval, claimed, margin float64, relation Relation) func() Sides {
	return func() Sides {
		s := scalarSides(iv.Estimate, claimed, margin, relation)()
		lo, hi := Number(iv.Lo), Number(iv.Hi)
		s.Lo, s.Hi = &lo, &hi
		return s
	}
}

// matrixSides are those of the entry in which two matrices differ most, with the norm of the difference.
func matrixSides(got, want mat.Matrix, difference, allowed float64) func() Sides {
	return func() Sides {
		rows, cols := got.Dims()
		s, largest := Sides{Difference: Number(difference), Allowed: Number(allowed)}, -1.0
		for i := range rows {
			for j := range cols {
				if apart := math.Abs(got.At(i, j) - want.At(i, j)); apart > largest || math.IsNaN(apart) {
					largest = apart
					s.Obtained, s.Claimed = Number(got.At(i, j)), Number(want.At(i, j))
					s.Entry = fmt.Sprintf("entry (%d, %d) of %d×%d", i+1, j+1, rows, cols)
				}
			}
		}
		return s
	}
}
