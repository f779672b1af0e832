package blaskit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/doubledouble"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// Args are the arguments of all routines; each uses its own. Packed and banded matrices are a.
type Args struct {
	Side          blas.Side
	Uplo          blas.Uplo
	TA, TB        blas.Transpose
	Diag          blas.Diag
	M, N, K       int
	KL, KU        int
	Alpha, Beta   float64 // alpha and beta are also cosine and sine, and what rotg is given
	A, B, C       Cells
	Lda, Ldb, Ldc int
	X, Y          Cells
	IncX, IncY    int
	Param         blas.DrotmParams
	D1, D2        float64 // of rotmg
	Results       []float64
	Precision     roundoff.Precision
}

// bind makes data the operand of a slot.
func (a *Args) bind(o *operand, data Cells) {
	switch o.slot {
	case 'a':
		a.A, a.Lda = data, o.ld
	case 'b':
		a.B, a.Ldb = data, o.ld
	case 'c':
		a.C, a.Ldc = data, o.ld
	case 'x':
		a.X, a.IncX = data, o.ld
	case 'y':
		a.Y, a.IncY = data, o.ld
	}
}

// Routine is one routine of the BLAS, with what is needed to compare it with its definition.
type Routine struct {
	Name string

	// Signature names the arguments in the order of gonum's method. A name is the field of Args with a small initial.
	Signature string

	// Out is the slot of the result, 0 where it is returned. The second result of swap and the rotations is x.
	Out byte

	// pose draws the storage and makes the operands and what they are to become.
	pose func(d *draw)

	// scalings are ways to multiply operands by powers of two and what that does to the result.
	scalings []scaling

	// sums says that an entry of the result is a sum that grows with the sizes.
	sums bool
}

// scaling multiplies every operand named in up by 2^e as often as it is named, those in down by 2^-e. The result then
// is multiplied by 2^(e·out).
type scaling struct {
	up, down string
	out      int
}

// problem is a call of a routine and what it must do.
type problem struct {
	*Routine
	args     Args // with the precision of all that follows
	operands []*operand
	outputs  []output
	shared   bool // the second operand is the memory of the first
}

// output is a defining equation, entry by entry:
//
//	to = Σ terms + beta·to    or, for a solve,    Σ terms = beta·to
//
// where to on the right is what was there before, and terms of a solve contain what is there after. A nil operand is
// the number that the routine returns.
type output struct {
	to      *operand
	terms   []term
	beta    float64
	solve   bool
	forward bool // a solve in ascending order of the index
	copies  bool // no rounding at all
	root    bool // the square root of the terms
	view    view // to as the matrix that the probes multiply, mirrored for symmetric results
}

// term is coef·left·right.
type term struct {
	coef        float64
	left, right view
}

// run is a call on copies of the operands.
type run struct {
	*problem
	args    Args
	backing []Cells // of each operand
}

// begin copies the operands for a call.
func (p *problem) begin() *run {
	r := &run{problem: p, args: p.args}
	for _, o := range p.operands {
		data := o.before.Clone()
		r.backing = append(r.backing, data)
		r.args.bind(o, o.slice(data))
	}
	return r
}

// do makes the call.
func (r *run) do(k kernel.Kernel) *run {
	r.Call(k, &r.args)
	return r
}

// got is an entry of an output after the call.
func (r *run) got(out *output, i, j int) float64 {
	if out.to == nil {
		return r.args.Result()
	}
	return r.backing[out.to.index].At(out.to.offset + out.to.at(i, j))
}

// each visits the entries of an output.
func (out *output) each(visit func(i, j int)) {
	if out.to == nil {
		visit(0, 0)
		return
	}
	for i := range out.to.rows {
		for j := range out.to.cols {
			if out.to.at(i, j) >= 0 {
				visit(i, j)
			}
		}
	}
}

// old returns the value of an entry before the call.
func (out *output) old(i, j int) float64 {
	if out.to == nil {
		return 0
	}
	return out.to.before.At(out.to.offset + out.to.at(i, j))
}

// sides are the two sides of the defining equation for one entry, with the sum of the magnitudes of everything that is
// added and the number of products. Terms with coefficient zero and beta zero read nothing. Of a root it is the squares
// that are compared, and three roundings are granted for each product, since the sum may be a scaled one.
func (r *run) sides(out *output, i, j int) (got float64, want doubledouble.Sum, size float64, products int) {
	for _, t := range out.terms {
		if t.coef == 0 {
			continue
		}
		_, inner := t.left.dims()
		var s doubledouble.Sum
		magnitude := 0.0
		for p := range inner {
			x, present := t.left.at(r, i, p)
			if !present {
				continue
			}
			y, present := t.right.at(r, p, j)
			if !present {
				continue
			}
			s.AddProduct(x, y)
			magnitude += math.Abs(x * y)
			products++
		}
		want.AddMultiple(t.coef, s)
		size += math.Abs(t.coef) * magnitude
	}
	if out.solve {
		var target doubledouble.Sum
		target.AddProduct(out.beta, out.old(i, j))
		size += math.Abs(target.Hi)
		return target.Hi, want, size, products // the rounding of the right-hand side is in the tolerance
	}
	if out.root { // its square is compared
		got = r.got(out, i, j)
		want.Lo -= doubledouble.TwoProduct(got, got).Lo
		return got * math.Abs(got), want, size, 3 * products // a root is not negative
	}
	if out.beta != 0 {
		want.AddProduct(out.beta, out.old(i, j))
		size += math.Abs(out.beta * out.old(i, j))
	}
	return r.got(out, i, j), want, size, products
}

// sameResults reports whether two runs of the same problem left the same bits everywhere.
func sameResults(a, b *run) bool {
	return slices.EqualFunc(a.backing, b.backing, SameBits) && kit.SameBits(a.args.Results, b.args.Results)
}
