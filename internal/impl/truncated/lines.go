package truncated

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
)

// lines are the rows of a matrix as multiples of a few of them: row i is scale[i] times row of[i] of v, up to 16
// roundings of its length, which is below the rounding of an inner product with it. A row of zeros is 0 times any.
type lines struct {
	of    []int
	scale []float64
	v     *mat.Dense // r×d
}

// linesOf finds the lines, or returns nil when there are more than so many.
func linesOf(w *mat.Dense, limit int) *lines {
	rows, inputs := w.Dims()
	out := &lines{make([]int, rows), make([]float64, rows), nil}
	var first [][]float64
	for i := range rows {
		row := w.RawRowView(i)
		k, scale := alongWhich(first, row)
		if k == len(first) {
			if first = append(first, row); len(first) > limit {
				return nil
			}
		}
		out.of[i], out.scale[i] = k, scale
	}
	out.v = mat.NewDense(len(first), inputs, nil)
	for k, row := range first {
		out.v.SetRow(k, row)
	}
	return out
}

// alongWhich returns which of the lines a row is a multiple of, and of how much; of the next line, once, if of none.
func alongWhich(first [][]float64, row []float64) (line int, scale float64) {
	const roundings = 16 * 0x1p-53
	size := floats.Norm(row, 2)
	if size == 0 && len(first) > 0 {
		return 0, 0
	}
	for k, v := range first {
		j := largest(v)
		c := row[j] / v[j]
		off := 0.0
		for l, x := range row {
			off += (x - c*v[l]) * (x - c*v[l])
		}
		if math.Sqrt(off) <= roundings*size { // not so when v is zero and c no number
			return k, c
		}
	}
	return len(first), 1
}

// largest returns the index of the largest size.
func largest(v []float64) int {
	at := 0
	for j, x := range v {
		if math.Abs(x) > math.Abs(v[at]) {
			at = j
		}
	}
	return at
}

// valuesOnLines is values of all inputs of a sample without noise: the products with the inputs are N·d·r.
func (b *block) valuesOnLines(l *lines, n Net, s data.Sample) {
	var along mat.Dense
	along.Mul(s.X, l.v.T())
	for i := range s.P {
		row, t := b.value.RawRowView(i), along.RawRowView(i)
		bias, scale := n.B[:len(row)], l.scale[:len(row)]
		for j, k := range l.of[:len(row)] {
			row[j] = min(1, max(scale[j]*t[k]+bias[j], 0))
		}
	}
}
