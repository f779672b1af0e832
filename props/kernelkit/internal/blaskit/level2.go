package blaskit

import "gonum.org/v1/gonum/blas"

var level2 = []*Routine{
	{
		Name: "gemv", Signature: "tA m n alpha a lda x incX beta y incY", Out: 'y', sums: true,
		scalings: productScalings,
		pose: func(d *draw) {
			d.args.M, d.args.N, _ = d.shape(400, "m", "n")
			d.options()
			a := view{o: d.matrix('a', d.args.M, d.args.N), transposed: d.args.TA != blas.NoTrans}
			d.becomes(d.timesVector(a))
		},
	}, {
		Name: "symv", Signature: "uplo n alpha a lda x incX beta y incY", Out: 'y', sums: true,
		scalings: productScalings,
		pose:     func(d *draw) { d.symmetricProduct(257, (*draw).half) },
	}, {
		Name: "trmv", Signature: "uplo tA diag n a lda x incX", Out: 'x', sums: true,
		scalings: vectorScaling,
		pose:     func(d *draw) { d.becomesProduct((*draw).half) },
	}, {
		Name: "trsv", Signature: "uplo tA diag n a lda x incX", Out: 'x',
		scalings: vectorScaling,
		pose:     func(d *draw) { d.becomesSolution((*draw).half) },
	}, {
		Name: "ger", Signature: "m n alpha x incX y incY a lda", Out: 'a',
		scalings: updateScalings,
		pose: func(d *draw) {
			d.args.M, d.args.N, _ = d.shape(400, "m", "n")
			d.options()
			x, y := view{o: d.vector('x', d.args.M)}, view{o: d.vector('y', d.args.N)}
			d.becomes(output{to: d.matrix('a', d.args.M, d.args.N), terms: []term{{d.args.Alpha, x, y.transpose()}},
				beta: 1})
		},
	}, {
		Name: "syr", Signature: "uplo n alpha x incX a lda", Out: 'a',
		scalings: []scaling{{"xaa", "", 2}},
		pose:     func(d *draw) { d.rankOne((*draw).half) },
	}, {
		Name: "syr2", Signature: "uplo n alpha x incX y incY a lda", Out: 'a',
		scalings: updateScalings,
		pose:     func(d *draw) { d.rankTwo((*draw).half) },
	},
}

// The scalings of a product with a vector, of an update by two vectors, and of what is linear in its vector.
var (
	productScalings = []scaling{{"ay", "", 1}, {"xy", "", 1}, {"a", "x", 0}}
	updateScalings  = []scaling{{"xa", "", 1}, {"ya", "", 1}, {"x", "y", 0}}
	vectorScaling   = []scaling{{"x", "", 1}}
)

// storage draws a matrix of some order in the way in which a routine stores it.
type storage func(d *draw, slot byte, n int) *operand

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

// symmetricProduct is y = alpha·A·x + beta·y for a symmetric matrix of an order below largest.
func (d *draw) symmetricProduct(largest int, stored storage) {
	d.args.N, _, _ = d.shape(largest, "n")
	d.options()
	d.becomes(d.timesVector(view{o: stored(d, 'a', d.args.N), symmetric: true}))
}

// triangular draws a triangle and a vector.
func (d *draw) triangular(stored storage) (a view, x *operand) {
	d.args.N, _, _ = d.shape(257, "n")
	d.options()
	a = d.op(stored(d, 'a', d.args.N))
	return a, d.vector('x', d.args.N)
}

// becomesProduct is x = A·x.
func (d *draw) becomesProduct(stored storage) {
	a, x := d.triangular(stored)
	d.becomes(output{to: x, terms: []term{{1, a, view{o: x}}}})
}

// becomesSolution is A·x = x, the new on the left.
func (d *draw) becomesSolution(stored storage) {
	a, x := d.triangular(stored)
	d.soluble(a, x)
	d.becomes(output{to: x, terms: []term{{1, a, view{o: x, after: true}}}, beta: 1, solve: true, forward: d.lower()})
}

// rankOne is A = alpha·x·xᵀ + A on a stored triangle.
func (d *draw) rankOne(stored storage) {
	d.args.N, _, _ = d.shape(257, "n")
	d.options()
	x := view{o: d.vector('x', d.args.N)}
	d.becomes(output{to: stored(d, 'a', d.args.N), terms: []term{{d.args.Alpha, x, x.transpose()}}, beta: 1})
}

// rankTwo is A = alpha·(x·yᵀ + y·xᵀ) + A on a stored triangle.
func (d *draw) rankTwo(stored storage) {
	d.args.N, _, _ = d.shape(257, "n")
	d.options()
	x, y := view{o: d.vector('x', d.args.N)}, view{o: d.vector('y', d.args.N)}
	d.becomes(output{to: stored(d, 'a', d.args.N), beta: 1,
		terms: []term{{d.args.Alpha, x, y.transpose()}, {d.args.Alpha, y, x.transpose()}}})
}
