package kernelkit

import "gonum.org/v1/gonum/blas"

var level2 = []*routine{
	{
		name: "gemv", signature: "tA m n alpha a lda x incX beta y incY", out: 'y', sums: true,
		call: func(l blas.Float64, p *args) {
			l.Dgemv(p.tA, p.m, p.n, p.alpha, p.a, p.lda, p.x, p.incX, p.beta, p.y, p.incY)
		},
		scalings: []scaling{{"ay", "", 1}, {"xy", "", 1}, {"a", "x", 0}},
		pose: func(d *draw) {
			d.args.m, d.args.n, _ = d.shape(400, "m", "n")
			d.args.tA = d.transpose("tA")
			d.scalars()
			a := view{o: d.matrix('a', d.args.m, d.args.n), transposed: d.args.tA != blas.NoTrans}
			d.becomes(d.timesVector(a))
		},
	}, {
		name: "symv", signature: "uplo n alpha a lda x incX beta y incY", out: 'y', sums: true,
		call: func(l blas.Float64, p *args) {
			l.Dsymv(p.uplo, p.n, p.alpha, p.a, p.lda, p.x, p.incX, p.beta, p.y, p.incY)
		},
		scalings: []scaling{{"ay", "", 1}, {"xy", "", 1}, {"a", "x", 0}},
		pose: func(d *draw) {
			d.args.n, _, _ = d.shape(257, "n")
			d.triangle()
			d.scalars()
			d.becomes(d.timesVector(view{o: d.half('a', d.args.n), symmetric: true}))
		},
	}, {
		name: "trmv", signature: "uplo tA diag n a lda x incX", out: 'x', sums: true,
		call:     func(l blas.Float64, p *args) { l.Dtrmv(p.uplo, p.tA, p.diag, p.n, p.a, p.lda, p.x, p.incX) },
		scalings: []scaling{{"x", "", 1}},
		pose: func(d *draw) {
			d.triangular2()
			a := d.op(d.half('a', d.args.n))
			d.becomesProduct(a)
		},
	}, {
		name: "trsv", signature: "uplo tA diag n a lda x incX", out: 'x',
		call:     func(l blas.Float64, p *args) { l.Dtrsv(p.uplo, p.tA, p.diag, p.n, p.a, p.lda, p.x, p.incX) },
		scalings: []scaling{{"x", "", 1}},
		pose: func(d *draw) {
			d.triangular2()
			d.becomesSolution(d.op(d.half('a', d.args.n)))
		},
	}, {
		name: "ger", signature: "m n alpha x incX y incY a lda", out: 'a',
		call:     func(l blas.Float64, p *args) { l.Dger(p.m, p.n, p.alpha, p.x, p.incX, p.y, p.incY, p.a, p.lda) },
		scalings: []scaling{{"xa", "", 1}, {"ya", "", 1}, {"x", "y", 0}},
		pose: func(d *draw) {
			d.args.m, d.args.n, _ = d.shape(400, "m", "n")
			d.args.alpha = d.scalar("alpha", d.mode.alphas)
			x, y := view{o: d.vector('x', d.args.m)}, view{o: d.vector('y', d.args.n)}
			d.becomes(output{to: d.matrix('a', d.args.m, d.args.n), terms: []term{{d.args.alpha, x, y.transpose()}}, beta: 1})
		},
	}, {
		name: "syr", signature: "uplo n alpha x incX a lda", out: 'a',
		call:     func(l blas.Float64, p *args) { l.Dsyr(p.uplo, p.n, p.alpha, p.x, p.incX, p.a, p.lda) },
		scalings: []scaling{{"xaa", "", 2}},
		pose:     func(d *draw) { d.rankOne((*draw).half) },
	}, {
		name: "syr2", signature: "uplo n alpha x incX y incY a lda", out: 'a',
		call:     func(l blas.Float64, p *args) { l.Dsyr2(p.uplo, p.n, p.alpha, p.x, p.incX, p.y, p.incY, p.a, p.lda) },
		scalings: []scaling{{"xa", "", 1}, {"ya", "", 1}, {"x", "y", 0}},
		pose:     func(d *draw) { d.rankTwo((*draw).half) },
	},
}

// timesVector is y = alpha·A·x + beta·y, with the vectors drawn. By the rule of the BLAS a matrix without entries leaves y
// as it is, whatever beta is.
func (d *draw) timesVector(a view) output {
	rows, cols := a.dims()
	x := view{o: d.vector('x', cols)}
	out := output{to: d.vector('y', rows), terms: []term{{d.args.alpha, a, x}}, beta: d.args.beta}
	if cols == 0 {
		out.terms, out.beta = nil, 1
	}
	return out
}

// triangular2 draws the order and the kind of triangle.
func (d *draw) triangular2() {
	d.args.n, _, _ = d.shape(257, "n")
	d.triangle()
	d.args.tA = d.transpose("tA")
	d.diagonal()
}

// becomesProduct is x = A·x, with the vector drawn.
func (d *draw) becomesProduct(a view) {
	x := d.vector('x', d.args.n)
	d.becomes(output{to: x, terms: []term{{1, a, view{o: x}}}})
}

// becomesSolution is A·x = x, the new on the left, with the vector drawn.
func (d *draw) becomesSolution(a view) {
	x := d.vector('x', d.args.n)
	d.soluble(a, x)
	d.becomes(output{to: x, terms: []term{{1, a, view{o: x, after: true}}}, beta: 1, solve: true, forward: d.lower()})
}

// rankOne is A = alpha·x·xᵀ + A on a stored triangle.
func (d *draw) rankOne(storage func(*draw, byte, int) *operand) {
	d.args.n, _, _ = d.shape(257, "n")
	d.triangle()
	d.args.alpha = d.scalar("alpha", d.mode.alphas)
	x := view{o: d.vector('x', d.args.n)}
	d.becomes(output{to: storage(d, 'a', d.args.n), terms: []term{{d.args.alpha, x, x.transpose()}}, beta: 1})
}

// rankTwo is A = alpha·(x·yᵀ + y·xᵀ) + A on a stored triangle.
func (d *draw) rankTwo(storage func(*draw, byte, int) *operand) {
	d.args.n, _, _ = d.shape(257, "n")
	d.triangle()
	d.args.alpha = d.scalar("alpha", d.mode.alphas)
	x, y := view{o: d.vector('x', d.args.n)}, view{o: d.vector('y', d.args.n)}
	d.becomes(output{to: storage(d, 'a', d.args.n), beta: 1,
		terms: []term{{d.args.alpha, x, y.transpose()}, {d.args.alpha, y, x.transpose()}}})
}
