package blaskit

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
)

// mode says which instances a check draws.
type mode struct {
	alphas, betas []float64
	value         func(*rand.Rand) float64                         // an entry
	shapes        func(d *draw, largest int, names []string) []int // the sizes by their names
	integer       bool                                             // entries stay integers in a solve too

	// The two things that kernels get wrong most often are asked for by some checks only, so that a kernel that gets
	// them wrong does not fail all others too.
	backward   bool // increments may be negative
	overwrites bool // a result with beta = 0 is poisoned before
}

// draw makes a problem out of what rapid draws.
type draw struct {
	*problem
	t    *props.T
	rng  *rand.Rand
	mode mode
}

// pose draws a problem.
func (m mode) pose(t *props.T, r *Routine, p roundoff.Precision) *problem {
	d := &draw{problem: &problem{Routine: r, args: Args{Precision: p}}, t: t, rng: t.Stream("entries"), mode: m}
	r.pose(d)
	for _, o := range d.operands {
		d.args.bind(o, nil)
	}
	t.Show("call", d.problem)
	for _, o := range d.operands {
		t.Show(o.name, picture{o, o.before})
	}
	return d.problem
}

// The sizes where kernels change their ways: around the widths of vectors and tiles, and around blocks.
var (
	tails  = []int{1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 15, 16, 17, 23, 24, 25, 31, 32, 33}
	blocks = []int{47, 48, 49, 63, 64, 65, 95, 96, 97, 130, 255, 256, 257, 383, 384, 385, 400, 769}
)

// anyShape draws sizes: all small, all up to a few tiles, or one large and the others small.
func anyShape(d *draw, largest int, names []string) []int {
	kind := rapid.IntRange(0, 3).Draw(d.t.T, "kind of shape")
	long := -1
	if kind == 3 {
		long = rapid.IntRange(0, len(names)-1).Draw(d.t.T, "long side")
	}
	sizes := make([]int, len(names))
	for i, name := range names {
		switch {
		case i == long:
			fits := 0
			for fits < len(blocks) && blocks[fits] <= largest {
				fits++
			}
			sizes[i] = rapid.SampledFrom(blocks[:fits]).Draw(d.t.T, name)
		case kind == 1 || kind == 2:
			sizes[i] = rapid.SampledFrom(tails).Draw(d.t.T, name)
		default:
			sizes[i] = rapid.IntRange(0, 6).Draw(d.t.T, name)
		}
	}
	return sizes
}

// smallShape draws small sizes that are not zero.
func smallShape(d *draw, _ int, names []string) []int { return d.between(1, 9, names) }

// longShape draws sizes with sums of some length.
func longShape(d *draw, _ int, names []string) []int { return d.between(33, 56, names) }

// bigShape draws sizes for checks that need no reference: all up to a few tiles of every kernel, or one of several
// blocks.
func bigShape(d *draw, _ int, names []string) []int {
	sizes := d.between(60, 130, names)
	if long := rapid.IntRange(0, 2*len(names)-1).Draw(d.t.T, "long side"); long < len(names) {
		sizes[long] = rapid.IntRange(250, 520).Draw(d.t.T, "length")
	}
	return sizes
}

func (d *draw) between(lo, hi int, names []string) []int {
	return list.Map(names, func(name string) int { return rapid.IntRange(lo, hi).Draw(d.t.T, name) })
}

// shape draws one, two or three sizes. Where a reference is computed none exceeds largest.
func (d *draw) shape(largest int, names ...string) (m, n, k int) {
	sizes := append(d.mode.shapes(d, largest, names), 0, 0)
	return sizes[0], sizes[1], sizes[2]
}

func (d *draw) scalar(name string, values []float64) float64 {
	return d.args.Precision.Round(rapid.SampledFrom(values).Draw(d.t.T, name))
}

// options draws those that the routine takes.
func (d *draw) options() {
	transposes := []blas.Transpose{blas.NoTrans, blas.Trans, blas.ConjTrans}
	option(d, "side", &d.args.Side, []blas.Side{blas.Left, blas.Right})
	option(d, "uplo", &d.args.Uplo, []blas.Uplo{blas.Upper, blas.Lower})
	option(d, "tA", &d.args.TA, transposes)
	option(d, "tB", &d.args.TB, transposes)
	option(d, "diag", &d.args.Diag, []blas.Diag{blas.NonUnit, blas.Unit})
	option(d, "alpha", &d.args.Alpha, list.Map(d.mode.alphas, d.args.Precision.Round))
	option(d, "beta", &d.args.Beta, list.Map(d.mode.betas, d.args.Precision.Round))
}

func option[T any](d *draw, name string, to *T, values []T) {
	if d.Takes(name) {
		*to = rapid.SampledFrom(values).Draw(d.t.T, name)
	}
}

// add makes the operand part of the problem and fills it.
func (d *draw) add(o *operand) *operand {
	o.name, o.index = string(o.slot), len(d.operands)
	o.alloc(d.args.Precision, rapid.IntRange(0, 7).Draw(d.t.T, "offset of "+o.name))
	o.fill(func(int, int) float64 { return d.mode.value(d.rng) })
	d.operands = append(d.operands, o)
	return o
}

// matrix is a dense one.
func (d *draw) matrix(slot byte, rows, cols int) *operand {
	ld := max(1, cols) + rapid.IntRange(0, 5).Draw(d.t.T, "padding of "+string(slot))
	return d.add(&operand{slot: slot, rows: rows, cols: cols, ld: ld, width: cols, size: rectangle(rows, cols, ld),
		at: func(i, j int) int { return i*ld + j }})
}

// rectangle is the length that a matrix must have, by gonum's rule also when it has no columns.
func rectangle(rows, cols, ld int) int {
	if rows == 0 {
		return 0
	}
	return (rows-1)*ld + cols
}

// half is a triangle of a square matrix; without its diagonal when that is all ones.
func (d *draw) half(slot byte, n int) *operand {
	ld := max(1, n) + rapid.IntRange(0, 5).Draw(d.t.T, "padding of "+string(slot))
	upper, unit := d.args.Uplo == blas.Upper, d.args.Diag == blas.Unit
	return d.add(&operand{slot: slot, rows: n, cols: n, ld: ld, width: n, size: rectangle(n, n, ld),
		at: func(i, j int) int {
			if i == j && unit || i != j && (i < j) != upper {
				return -1
			}
			return i*ld + j
		}})
}

// The increments of vectors; positive ones first, so that counterexamples shrink to them.
var (
	forwards   = []int{1, 2, 3, 7}
	directions = []int{1, 2, 3, -1, -2, 7, -5}
)

// vector is a column. With a negative increment it is stored from its end.
func (d *draw) vector(slot byte, n int) *operand {
	increments := forwards
	if d.mode.backward && !d.ForwardOnly() {
		increments = directions
	}
	inc := rapid.SampledFrom(increments).Draw(d.t.T, "increment of "+string(slot))
	step := max(inc, -inc)
	o := &operand{slot: slot, rows: n, cols: 1, ld: inc, vector: true, size: rectangle(n, 1, step),
		at: func(i, _ int) int {
			if inc < 0 {
				i = n - 1 - i
			}
			return i * step
		}}
	return d.add(o)
}

// becomes adds a defining equation.
func (d *draw) becomes(out output) {
	if out.to != nil {
		out.to.written = true
		out.view.o = out.to
		if out.beta == 0 && d.mode.overwrites && !out.reads(out.to) {
			out.to.fill(func(int, int) float64 { return poison }) // what is overwritten is not read
		}
	}
	d.outputs = append(d.outputs, out)
}

// reads reports whether a term needs what the operand held before.
func (out *output) reads(o *operand) bool {
	return out.solve || slices.ContainsFunc(out.terms, func(t term) bool { return t.left.o == o || t.right.o == o })
}
