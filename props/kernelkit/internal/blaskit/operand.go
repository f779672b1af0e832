package blaskit

import (
	"fmt"
	"math"
	"strings"

	"github.com/thm-suite/thm/internal/roundoff"
)

// poison fills everything that no routine may read: it turns a result into NaN, and its bits tell when it was
// overwritten. It is a NaN of single precision too.
var poison = math.Float64frombits(0x7ffd_eadb_e000_0000)

// operand is a matrix or a vector as it is stored: inside a longer slice, with poison in front, behind, in the padding
// between rows or elements, and in the part of a triangle or band that is not referenced.
type operand struct {
	name       string
	slot       byte // the argument it is passed as: a, b, c, x, y
	index      int  // position among the operands of its problem
	rows, cols int
	ld         int // leading dimension, or increment
	width      int // the smallest leading dimension that is allowed
	vector     bool

	at     func(i, j int) int // place of an entry in the slice, negative where it is not stored
	size   int                // of the slice
	offset int                // of the slice in what surrounds it
	before Cells              // the slice and its surroundings before the call

	written bool
}

const guardWidth = 16

// alloc gives an operand memory, with nothing in it but poison.
func (o *operand) alloc(p roundoff.Precision, offset int) *operand {
	o.offset = guardWidth + offset
	o.before = fillWith(newCells(p, o.offset+o.size+guardWidth), func(int) float64 { return poison })
	return o
}

// fill sets all entries that are stored.
func (o *operand) fill(value func(i, j int) float64) {
	for i := range o.rows {
		for j := range o.cols {
			if at := o.at(i, j); at >= 0 {
				o.before.Set(o.offset+at, value(i, j))
			}
		}
	}
}

// slice returns the part of a copy of before that the routine gets. It has no spare capacity.
func (o *operand) slice(backing Cells) Cells { return backing.Part(o.offset, o.offset+o.size) }

// entries marks the places of backing that hold entries.
func (o *operand) entries() []bool {
	held := make([]bool, o.before.Len())
	for i := range o.rows {
		for j := range o.cols {
			if at := o.at(i, j); at >= 0 {
				held[o.offset+at] = true
			}
		}
	}
	return held
}

// picture prints an operand with a dot for what is not stored.
type picture struct {
	o    *operand
	data Cells
}

// largestPicture bounds what is printed.
const largestPicture = 49

func (p picture) String() string {
	if p.o.rows*p.o.cols > largestPicture {
		return fmt.Sprintf("%d×%d", p.o.rows, p.o.cols)
	}
	var b strings.Builder
	for i := range p.o.rows {
		if i > 0 {
			b.WriteString("; ")
		}
		for j := range p.o.cols {
			if j > 0 {
				b.WriteByte(' ')
			}
			if at := p.o.at(i, j); at < 0 {
				b.WriteString("·")
			} else {
				fmt.Fprintf(&b, "%v", p.data.At(p.o.offset+at))
			}
		}
	}
	return "[" + b.String() + "]"
}

// view reads an operand as the matrix that a definition speaks of. Without an operand it is a number.
type view struct {
	o          *operand
	number     float64
	transposed bool
	symmetric  bool // the other triangle mirrors the stored one
	unit       bool // what is not stored on the diagonal is one
	absolute   bool
	after      bool // as the routine left it
}

// at is an entry; ok is false where it is zero by structure, so that no product is formed.
func (v view) at(r *run, i, j int) (x float64, ok bool) {
	if v.o == nil {
		return v.number, true
	}
	if v.transposed {
		i, j = j, i
	}
	at := v.o.at(i, j)
	if at < 0 && v.symmetric {
		at = v.o.at(j, i)
	}
	if at < 0 {
		return 1, v.unit && i == j
	}
	data := v.o.before
	if v.after {
		data = r.backing[v.o.index]
	}
	x = data.At(v.o.offset + at)
	if v.absolute {
		x = math.Abs(x)
	}
	return x, true
}

// dims are the sizes of the matrix that is seen.
func (v view) dims() (rows, cols int) {
	switch {
	case v.o == nil:
		return 1, 1
	case v.transposed:
		return v.o.cols, v.o.rows
	}
	return v.o.rows, v.o.cols
}
