package blaskit

import "gonum.org/v1/gonum/blas"

var level2 = []*Routine{
	{
		Name: "gemv", Signature: "tA m n alpha a lda x incX beta y incY", Out: 'y', sums: true,
		Call: func(l blas.Float64, p *Args) {
			l.Dgemv(p.TA, p.M, p.N, p.Alpha, p.A, p.Lda, p.X, p.IncX, p.Beta, p.Y, p.IncY)
		},
		scalings: []scaling{{"ay", "", 1}, {"xy", "", 1}, {"a", "x", 0}},
		pose: func(d *draw) {
			d.args.M, d.args.N, _ = d.shape(400, "m", "n")
			d.args.TA = d.transpose("tA")
			d.scalars()
			a := view{o: d.matrix('a', d.args.M, d.args.N), transposed: d.args.TA != blas.NoTrans}
			d.becomes(d.timesVector(a))
		},
	}, {
		Name: "symv", Signature: "uplo n alpha a lda x incX beta y incY", Out: 'y', sums: true,
		Call: func(l blas.Float64, p *Args) {
			l.Dsymv(p.Uplo, p.N, p.Alpha, p.A, p.Lda, p.X, p.IncX, p.Beta, p.Y, p.IncY)
		},
		scalings: []scaling{{"ay", "", 1}, {"xy", "", 1}, {"a", "x", 0}},
		pose: func(d *draw) {
			d.args.N, _, _ = d.shape(257, "n")
			d.triangle()
			d.scalars()
			d.becomes(d.timesVector(view{o: d.half('a', d.args.N), symmetric: true}))
		},
	}, {
		Name: "trmv", Signature: "uplo tA diag n a lda x incX", Out: 'x', sums: true,
		Call:     func(l blas.Float64, p *Args) { l.Dtrmv(p.Uplo, p.TA, p.Diag, p.N, p.A, p.Lda, p.X, p.IncX) },
		scalings: []scaling{{"x", "", 1}},
		pose: func(d *draw) {
			d.triangular2()
			a := d.op(d.half('a', d.args.N))
			d.becomesProduct(a)
		},
	}, {
		Name: "trsv", Signature: "uplo tA diag n a lda x incX", Out: 'x',
		Call:     func(l blas.Float64, p *Args) { l.Dtrsv(p.Uplo, p.TA, p.Diag, p.N, p.A, p.Lda, p.X, p.IncX) },
		scalings: []scaling{{"x", "", 1}},
		pose: func(d *draw) {
			d.triangular2()
			d.becomesSolution(d.op(d.half('a', d.args.N)))
		},
	}, {
		Name: "ger", Signature: "m n alpha x incX y incY a lda", Out: 'a',
		Call:     func(l blas.Float64, p *Args) { l.Dger(p.M, p.N, p.Alpha, p.X, p.IncX, p.Y, p.IncY, p.A, p.Lda) },
		scalings: []scaling{{"xa", "", 1}, {"ya", "", 1}, {"x", "y", 0}},
		pose: func(d *draw) {
			d.args.M, d.args.N, _ = d.shape(400, "m", "n")
			d.args.Alpha = d.scalar("alpha", d.mode.alphas)
			x, y := view{o: d.vector('x', d.args.M)}, view{o: d.vector('y', d.args.N)}
			d.becomes(output{to: d.matrix('a', d.args.M, d.args.N), terms: []term{{d.args.Alpha, x, y.transpose()}},
				beta: 1})
		},
	}, {
		Name: "syr", Signature: "uplo n alpha x incX a lda", Out: 'a',
		Call:     func(l blas.Float64, p *Args) { l.Dsyr(p.Uplo, p.N, p.Alpha, p.X, p.IncX, p.A, p.Lda) },
		scalings: []scaling{{"xaa", "", 2}},
		pose:     func(d *draw) { d.rankOne((*draw).half) },
	}, {
		Name: "syr2", Signature: "uplo n alpha x incX y incY a lda", Out: 'a',
		Call:     func(l blas.Float64, p *Args) { l.Dsyr2(p.Uplo, p.N, p.Alpha, p.X, p.IncX, p.Y, p.IncY, p.A, p.Lda) },
		scalings: []scaling{{"xa", "", 1}, {"ya", "", 1}, {"x", "y", 0}},
		pose:     func(d *draw) { d.rankTwo((*draw).half) },
	},
}

// timesVector is y = alpha·A·x + beta·y, with the vectors drawn. By the rule of the BLAS a matrix without entries
// leaves y as it is, whatever beta is.
func (d *draw) timesVector(a view) output {
	rows, cols := a.dims()
	x := view{o: d.vector('x', cols)}
	out := output{to: d.vector('y', rows), terms: []term{{d.args.Alpha, a, x}}, beta: d.args.Beta}
	if cols == 0 {
		out.terms, out.beta = nil, 1
	}
	return out
}

// triangular2 draws the order and the kind of triangle.
func (d *draw) triangular2() {
	d.args.N, _, _ = d.shape(257, "n")
	d.triangle()
	d.args.TA = d.transpose("tA")
	d.diagonal()
}

// becomesProduct is x = A·x, with the vector drawn.
func (d *draw) becomesProduct(a view) {
	x := d.vector('x', d.args.N)
	d.becomes(output{to: x, terms: []term{{1, a, view{o: x}}}})
}

// becomesSolution is A·x = x, the new on the left, with the vector drawn.
func (d *draw) becomesSolution(a view) {
	x := d.vector('x', d.args.N)
	d.soluble(a, x)
	d.becomes(output{to: x, terms: []term{{1, a, view{o: x, after: true}}}, beta: 1, solve: true, forward: d.lower()})
}

// rankOne is A = alpha·x·xᵀ + A on a stored triangle.
func (d *draw) rankOne(storage func(*draw, byte, int) *operand) {
	d.args.N, _, _ = d.shape(257, "n")
	d.triangle()
	d.args.Alpha = d.scalar("alpha", d.mode.alphas)
	x := view{o: d.vector('x', d.args.N)}
	d.becomes(output{to: storage(d, 'a', d.args.N), terms: []term{{d.args.Alpha, x, x.transpose()}}, beta: 1})
}

// rankTwo is A = alpha·(x·yᵀ + y·xᵀ) + A on a stored triangle.
func (d *draw) rankTwo(storage func(*draw, byte, int) *operand) {
	d.args.N, _, _ = d.shape(257, "n")
	d.triangle()
	d.args.Alpha = d.scalar("alpha", d.mode.alphas)
	x, y := view{o: d.vector('x', d.args.N)}, view{o: d.vector('y', d.args.N)}
	d.becomes(output{to: storage(d, 'a', d.args.N), beta: 1,
		terms: []term{{d.args.Alpha, x, y.transpose()}, {d.args.Alpha, y, x.transpose()}}})
}
