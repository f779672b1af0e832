package kernelkit

import (
	"gonum.org/v1/gonum/blas"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
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
	doc: "At sizes of hundreds, on small integers, the result is bit by bit that of gemm on the matrices written out with their zeros, " +
		"ones and mirrored halves; a solution multiplied back gives the right-hand side.",
	applies: func(r *routine) bool {
		return r.takes("lda") && r.name != "gemm" && !r.compact()
	},
	cases: props.Scale{Quick: 4, Standard: 120, Deep: 2000},
	mode:  integers,
	judge: func(t *props.T, k Kernel, p *problem) props.Ratio {
		return once(func(r *run, t *props.T) props.Ratio {
			out := &r.outputs[0]
			m, n := out.to.rows, out.to.cols
			c := make([]float64, m*n)
			if !survives(t, func() {
				for _, term := range out.terms {
					rows, inner := term.left.dims()
					_, cols := term.right.dims()
					k.BLAS.Dgemm(blas.NoTrans, blas.NoTrans, rows, cols, inner, term.coef, r.dense(term.left), max(1, inner),
						r.dense(term.right), max(1, cols), 1, c, max(1, n))
				}
			}) {
				return failed
			}
			return r.holdsAgainst(t, out, func(i, j int) float64 { return c[i*n+j] })
		})(t, k, p)
	},
	faults: []string{"last column of large results wrong", "last entry of large vectors wrong"},
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
	return props.Truth(ok)
}

// dense writes out what a view shows, without padding.
func (r *run) dense(v view) []float64 {
	rows, cols := v.dims()
	m := make([]float64, rows*cols)
	for i := range rows {
		for j := range cols {
			if x, present := v.at(r, i, j); present {
				m[i*cols+j] = x
			}
		}
	}
	return m
}

// partition holds gemm to itself on blocks, and to the product of the transposes.
var partition = property{
	name: "partition",
	doc: "At sizes of hundreds, on small integers, two calls on halves of the rows, of the columns, or of the sum, or one for the " +
		"transposed product, give bit by bit what one call gives.",
	applies: func(r *routine) bool { return r.name == "gemm" },
	cases:   props.Scale{Quick: 8, Standard: 240, Deep: 4000},
	mode:    integers,
	judge: func(t *props.T, k Kernel, p *problem) props.Ratio {
		how := rapid.SampledFrom([]string{"rows", "columns", "sum", "transposes"}).Draw(t.T, "cut")
		limit := map[string]int{"rows": p.args.m, "columns": p.args.n, "sum": p.args.k, "transposes": 0}[how]
		at := rapid.IntRange(0, limit).Draw(t.T, "cut at")
		t.Show("cut", []any{how, at})
		whole, parts := p.begin(), p.begin()
		if !survives(t, func() {
			whole.do(k.BLAS)
			for _, a := range parts.args.pieces(how, at) {
				p.call(k.BLAS, &a)
			}
		}) {
			return failed
		}
		if how == "transposes" {
			out := &p.outputs[0]
			return whole.entriesOf(t, out, transposedProduct(k.BLAS, p))
		}
		return whole.entriesOf(t, &p.outputs[0], func(i, j int) float64 { return parts.got(&p.outputs[0], i, j) })
	},
	faults: []string{"last column of large results wrong"},
}

// pieces are two calls that do the work of one.
func (a args) pieces(how string, at int) []args {
	first, second := a, a
	switch how {
	case "rows":
		first.m, second.m = at, a.m-at
		second.a, second.c = skip(a.a, at, a.tA == blas.NoTrans, a.lda), skip(a.c, at, true, a.ldc)
	case "columns":
		first.n, second.n = at, a.n-at
		second.b, second.c = skip(a.b, at, a.tB != blas.NoTrans, a.ldb), skip(a.c, at, false, a.ldc)
	case "sum":
		first.k, second.k, second.beta = at, a.k-at, 1
		second.a, second.b = skip(a.a, at, a.tA != blas.NoTrans, a.lda), skip(a.b, at, a.tB == blas.NoTrans, a.ldb)
	default:
		return nil
	}
	return []args{first, second}
}

// skip leaves out the first n rows or columns of a matrix.
func skip(m []float64, n int, rows bool, ld int) []float64 {
	if rows {
		n *= ld
	}
	return m[min(n, len(m)):]
}

// transposedProduct is op(B)ᵀ·op(A)ᵀ, entry by entry, with the old result transposed by hand.
func transposedProduct(b blas.Float64, p *problem) func(i, j int) float64 {
	flip := func(t blas.Transpose) blas.Transpose {
		if t == blas.NoTrans {
			return blas.Trans
		}
		return blas.NoTrans
	}
	a, out := p.begin().args, &p.outputs[0]
	m, n := a.m, a.n
	c := make([]float64, m*n)
	for i := range m {
		for j := range n {
			c[j*m+i] = out.old(i, j)
		}
	}
	b.Dgemm(flip(a.tB), flip(a.tA), n, m, a.k, a.alpha, a.b, a.ldb, a.a, a.lda, a.beta, c, max(1, m))
	return func(i, j int) float64 { return c[j*m+i] }
}
