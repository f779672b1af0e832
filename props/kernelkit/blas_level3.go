package kernelkit

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
)

var level3 = []*routine{
	{
		name: "gemm", signature: "tA tB m n k alpha a lda b ldb beta c ldc", out: 'c', sums: true,
		call: func(l blas.Float64, p *args) {
			l.Dgemm(p.tA, p.tB, p.m, p.n, p.k, p.alpha, p.a, p.lda, p.b, p.ldb, p.beta, p.c, p.ldc)
		},
		scalings: []scaling{{"ac", "", 1}, {"bc", "", 1}, {"a", "b", 0}},
		pose: func(d *draw) {
			d.args.m, d.args.n, d.args.k = d.shape(769, "m", "n", "k")
			d.args.tA, d.args.tB = d.transpose("tA"), d.transpose("tB")
			d.scalars()
			a := d.general('a', d.args.tA, d.args.m, d.args.k)
			b := d.general('b', d.args.tB, d.args.k, d.args.n)
			d.becomes(output{to: d.matrix('c', d.args.m, d.args.n), terms: []term{{d.args.alpha, a, b}}, beta: d.args.beta})
		},
	}, {
		name: "symm", signature: "side uplo m n alpha a lda b ldb beta c ldc", out: 'c', sums: true,
		call: func(l blas.Float64, p *args) {
			l.Dsymm(p.side, p.uplo, p.m, p.n, p.alpha, p.a, p.lda, p.b, p.ldb, p.beta, p.c, p.ldc)
		},
		scalings: []scaling{{"ac", "", 1}, {"bc", "", 1}, {"a", "b", 0}},
		pose: func(d *draw) {
			d.args.m, d.args.n, _ = d.shape(130, "m", "n")
			d.sides()
			d.triangle()
			d.scalars()
			a := view{o: d.half('a', d.order()), symmetric: true}
			b := view{o: d.matrix('b', d.args.m, d.args.n)}
			d.becomes(output{to: d.matrix('c', d.args.m, d.args.n), terms: []term{d.sided(d.args.alpha, a, b)}, beta: d.args.beta})
		},
	}, {
		name: "syrk", signature: "uplo tA n k alpha a lda beta c ldc", out: 'c', sums: true,
		call: func(l blas.Float64, p *args) {
			l.Dsyrk(p.uplo, p.tA, p.n, p.k, p.alpha, p.a, p.lda, p.beta, p.c, p.ldc)
		},
		scalings: []scaling{{"acc", "", 2}},
		pose: func(d *draw) {
			d.args.n, d.args.k, _ = d.shape(130, "n", "k")
			d.triangle()
			d.args.tA = d.transpose("tA")
			d.scalars()
			a := d.general('a', d.args.tA, d.args.n, d.args.k)
			d.becomes(output{to: d.half('c', d.args.n), terms: []term{{d.args.alpha, a, a.transpose()}}, beta: d.args.beta,
				view: view{symmetric: true}})
		},
	}, {
		name: "syr2k", signature: "uplo tA n k alpha a lda b ldb beta c ldc", out: 'c', sums: true,
		call: func(l blas.Float64, p *args) {
			l.Dsyr2k(p.uplo, p.tA, p.n, p.k, p.alpha, p.a, p.lda, p.b, p.ldb, p.beta, p.c, p.ldc)
		},
		scalings: []scaling{{"ac", "", 1}, {"bc", "", 1}, {"a", "b", 0}},
		pose: func(d *draw) {
			d.args.n, d.args.k, _ = d.shape(130, "n", "k")
			d.triangle()
			d.args.tA = d.transpose("tA")
			d.scalars()
			a := d.general('a', d.args.tA, d.args.n, d.args.k)
			b := d.general('b', d.args.tA, d.args.n, d.args.k)
			d.becomes(output{to: d.half('c', d.args.n), beta: d.args.beta, view: view{symmetric: true},
				terms: []term{{d.args.alpha, a, b.transpose()}, {d.args.alpha, b, a.transpose()}}})
		},
	}, {
		name: "trmm", signature: "side uplo tA diag m n alpha a lda b ldb", out: 'b', sums: true,
		call: func(l blas.Float64, p *args) {
			l.Dtrmm(p.side, p.uplo, p.tA, p.diag, p.m, p.n, p.alpha, p.a, p.lda, p.b, p.ldb)
		},
		scalings: []scaling{{"b", "", 1}},
		pose: func(d *draw) {
			a, b := d.triangular3()
			d.becomes(output{to: b, terms: []term{d.sided(d.args.alpha, a, view{o: b})}})
		},
	}, {
		name: "trsm", signature: "side uplo tA diag m n alpha a lda b ldb", out: 'b',
		call: func(l blas.Float64, p *args) {
			l.Dtrsm(p.side, p.uplo, p.tA, p.diag, p.m, p.n, p.alpha, p.a, p.lda, p.b, p.ldb)
		},
		scalings: []scaling{{"b", "", 1}},
		pose: func(d *draw) {
			a, b := d.triangular3()
			d.soluble(a, b)
			d.becomes(output{to: b, terms: []term{d.sided(1, a, view{o: b, after: true})}, beta: d.args.alpha, solve: true,
				forward: d.lower() == (d.args.side == blas.Left)})
		},
	},
}

// general draws op(A), of rows×cols.
func (d *draw) general(slot byte, t blas.Transpose, rows, cols int) view {
	if t != blas.NoTrans {
		return view{o: d.matrix(slot, cols, rows), transposed: true}
	}
	return view{o: d.matrix(slot, rows, cols)}
}

func (v view) transpose() view {
	v.transposed = !v.transposed
	return v
}

// order is the order of a square matrix on the side of an m×n one.
func (d *draw) order() int {
	if d.args.side == blas.Left {
		return d.args.m
	}
	return d.args.n
}

// sided is the product of a square matrix with another on its side.
func (d *draw) sided(coef float64, square, other view) term {
	if d.args.side == blas.Left {
		return term{coef, square, other}
	}
	return term{coef, other, square}
}

// lower reports whether op(A) is a lower triangle.
func (d *draw) lower() bool {
	return (d.args.uplo == blas.Lower) == (d.args.tA == blas.NoTrans)
}

// op is op(A) for a triangle or a symmetric matrix.
func (d *draw) op(a *operand) view {
	return view{o: a, transposed: d.args.tA != blas.NoTrans, unit: d.args.diag == blas.Unit}
}

// triangular3 draws the operands of trmm and trsm.
func (d *draw) triangular3() (a view, b *operand) {
	d.args.m, d.args.n, _ = d.shape(130, "m", "n")
	d.sides()
	d.triangle()
	d.args.tA = d.transpose("tA")
	d.diagonal()
	d.args.alpha = d.scalar("alpha", d.mode.alphas)
	a = d.op(d.half('a', d.order()))
	return a, d.matrix('b', d.args.m, d.args.n)
}

// soluble makes op(A)·X = alpha·B a system whose solution has the size of its right-hand side; in integers one whose
// solution is integral, and whose every partial sum is.
func (d *draw) soluble(a view, b *operand) {
	n := float64(max(1, a.o.rows))
	a.o.fill(func(i, j int) float64 {
		v := d.mode.value(d.rng)
		switch {
		case i == j && d.mode.integer:
			return []float64{1, -1, 2, -2}[d.rng.IntN(4)]
		case i == j:
			return 2 + d.rng.Float64()
		case d.mode.integer:
			return v
		}
		return v / n
	})
	if !d.mode.integer {
		return
	}
	x := append([]float64(nil), b.before...)
	left := b.vector || d.args.side == blas.Left
	entry := func(i, j int) float64 { return x[b.offset+b.at(i, j)] }
	b.fill(func(i, j int) float64 { // small integers, so this is exact
		s := 0.0
		for p := range a.o.rows {
			if left {
				if v, ok := a.at(nil, i, p); ok {
					s += v * entry(p, j)
				}
			} else if v, ok := a.at(nil, p, j); ok {
				s += entry(i, p) * v
			}
		}
		return s
	})
}

// smallInteger draws an entry for exact arithmetic.
func smallInteger(r *rand.Rand) float64 { return float64(r.IntN(9) - 4) }
