package blaskit

import (
	"gonum.org/v1/gonum/blas"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
)

// integers is the mode of relations that are exact, at sizes that need no reference.
var integers = mode{
	alphas:  []float64{1, -1, 2},
	betas:   []float64{1, 0, -1},
	value:   smallInteger,
	shapes:  bigShape,
	integer: true,
}

// agreement holds the routines for special matrices to gemm on the same matrices written out.
var agreement = property{
	name: "agreement with gemm",
	doc: "At sizes of hundreds, on small integers, the result is bit by bit that of gemm on the matrices written out " +
		"with their zeros, ones and mirrored halves; a solution multiplied back gives the right-hand side.",
	applies: func(r *Routine) bool {
		return r.Takes("lda") && r.Name != "gemm" && !r.compact()
	},
	cases: props.Scale{Quick: 4, Standard: 120, Deep: 2000},
	mode:  integers,
	judge: func(t *props.T, k kernel.Kernel, p *problem) props.Ratio {
		return once(func(r *run, t *props.T) props.Ratio {
			out := &r.outputs[0]
			m, n := out.to.rows, out.to.cols
			c := newCells(r.args.Precision, m*n)
			if !kit.Survives(t, func() {
				for _, term := range out.terms {
					rows, inner := term.left.dims()
					_, cols := term.right.dims()
					RoutineNamed("gemm").Call(k, &Args{TA: blas.NoTrans, TB: blas.NoTrans, M: rows, N: cols, K: inner,
						Alpha: term.coef, A: r.dense(term.left), Lda: max(1, inner), B: r.dense(term.right), Ldb: max(1, cols),
						Beta: 1, C: c, Ldc: max(1, n)})
				}
			}) {
				return kit.Failed
			}
			return r.holdsAgainst(t, out, func(i, j int) float64 { return c.At(i*n + j) })
		})(t, k, p)
	},
}

// holdsAgainst compares an output with the sum of its terms, exactly.
func (r *run) holdsAgainst(t *props.T, out *output, terms func(i, j int) float64) props.Ratio {
	old := func(i, j int) float64 {
		if out.beta == 0 {
			return 0
		}
		return out.beta * out.old(i, j)
	}
	if !out.solve {
		return r.entriesOf(t, out, func(i, j int) float64 { return terms(i, j) + old(i, j) })
	}
	ok := true
	out.each(func(i, j int) { ok = ok && terms(i, j) == old(i, j) })
	return props.Condition(ok)
}

// dense writes out what a view shows, without padding.
func (r *run) dense(v view) Cells {
	rows, cols := v.dims()
	m := newCells(r.args.Precision, rows*cols)
	for i := range rows {
		for j := range cols {
			if x, present := v.at(r, i, j); present {
				m.Set(i*cols+j, x)
			}
		}
	}
	return m
}

// partition holds gemm to itself on blocks, and to the product of the transposes.
var partition = property{
	name: "partition",
	doc: "At sizes of hundreds, on small integers, two calls on halves of the rows, of the columns, or of the sum, " +
		"or one for the transposed product, give bit by bit what one call gives.",
	applies: func(r *Routine) bool { return r.Name == "gemm" },
	cases:   props.Scale{Quick: 8, Standard: 240, Deep: 4000},
	mode:    integers,
	judge: func(t *props.T, k kernel.Kernel, p *problem) props.Ratio {
		how := rapid.SampledFrom([]string{"rows", "columns", "sum", "transposes"}).Draw(t.T, "cut")
		limit := map[string]int{"rows": p.args.M, "columns": p.args.N, "sum": p.args.K, "transposes": 0}[how]
		at := rapid.IntRange(0, limit).Draw(t.T, "cut at")
		t.Show("cut", []any{how, at})
		whole, parts := p.begin(), p.begin()
		if !kit.Survives(t, func() {
			whole.do(k)
			for _, a := range parts.args.pieces(how, at) {
				p.Call(k, &a)
			}
		}) {
			return kit.Failed
		}
		if how == "transposes" {
			out := &p.outputs[0]
			return whole.entriesOf(t, out, transposedProduct(k, p))
		}
		return whole.entriesOf(t, &p.outputs[0], func(i, j int) float64 { return parts.got(&p.outputs[0], i, j) })
	},
}

// pieces are two calls that do the work of one.
func (a Args) pieces(how string, at int) []Args {
	first, second := a, a
	switch how {
	case "rows":
		first.M, second.M = at, a.M-at
		second.A, second.C = skip(a.A, at, a.TA == blas.NoTrans, a.Lda), skip(a.C, at, true, a.Ldc)
	case "columns":
		first.N, second.N = at, a.N-at
		second.B, second.C = skip(a.B, at, a.TB != blas.NoTrans, a.Ldb), skip(a.C, at, false, a.Ldc)
	case "sum":
		first.K, second.K, second.Beta = at, a.K-at, 1
		second.A, second.B = skip(a.A, at, a.TA != blas.NoTrans, a.Lda), skip(a.B, at, a.TB == blas.NoTrans, a.Ldb)
	default:
		return nil
	}
	return []Args{first, second}
}

// skip leaves out the first n rows or columns of a matrix.
func skip(m Cells, n int, rows bool, ld int) Cells {
	if rows {
		n *= ld
	}
	return m.Part(min(n, m.Len()), m.Len())
}

// transposedProduct is op(B)ᵀ·op(A)ᵀ, entry by entry, with the old result transposed by hand.
func transposedProduct(k kernel.Kernel, p *problem) func(i, j int) float64 {
	flip := func(t blas.Transpose) blas.Transpose {
		if t == blas.NoTrans {
			return blas.Trans
		}
		return blas.NoTrans
	}
	a, out := p.begin().args, &p.outputs[0]
	m, n := a.M, a.N
	c := newCells(a.Precision, m*n)
	for i := range m {
		for j := range n {
			c.Set(j*m+i, out.old(i, j))
		}
	}
	p.Call(k, &Args{TA: flip(a.TB), TB: flip(a.TA), M: n, N: m, K: a.K, Alpha: a.Alpha, A: a.B, Lda: a.Ldb, B: a.A,
		Ldb: a.Lda, Beta: a.Beta, C: c, Ldc: max(1, m)})
	return func(i, j int) float64 { return c.At(j*m + i) }
}
