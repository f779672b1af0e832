package blaskit

import (
	"math"
	"slices"

	"github.com/thm-suite/thm/internal/roundoff"
)

// Cells are numbers in the memory of a routine, in its precision. Every float32 is a float64: what checks compute, they
// compute in that.
type Cells interface {
	Len() int
	At(i int) float64
	Set(i int, x float64)  // rounds x
	Part(lo, hi int) Cells // the same memory, without spare capacity
	Clone() Cells
	Bits(i int) uint64
	Slice() any // a []float64 or a []float32
}

// memory is the memory of routines in one precision.
type memory[F float32 | float64] []F

func (m memory[F]) Len() int              { return len(m) }
func (m memory[F]) At(i int) float64      { return float64(m[i]) }
func (m memory[F]) Set(i int, x float64)  { m[i] = F(x) }
func (m memory[F]) Part(lo, hi int) Cells { return m[lo:hi:hi] }
func (m memory[F]) Clone() Cells          { return slices.Clone(m) }
func (m memory[F]) Slice() any            { return []F(m) }

func (m memory[F]) Bits(i int) uint64 { return math.Float64bits(float64(m[i])) }

// Memory is numbers of double precision as cells.
func Memory(x []float64) Cells { return memory[float64](x) }

// newCells is memory for n numbers.
func newCells(p roundoff.Precision, n int) Cells {
	if p == roundoff.Single {
		return make(memory[float32], n)
	}
	return make(memory[float64], n)
}

// fillWith sets all of some cells.
func fillWith(c Cells, value func(i int) float64) Cells {
	for i := range c.Len() {
		c.Set(i, value(i))
	}
	return c
}

// SameBits reports whether two cells are equal bit by bit.
func SameBits(a, b Cells) bool {
	for i := range a.Len() {
		if i >= b.Len() || a.Bits(i) != b.Bits(i) {
			return false
		}
	}
	return a.Len() == b.Len()
}
