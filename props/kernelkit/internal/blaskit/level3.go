package blaskit

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
)

var level3 = []*Routine{
	{
		Name: "gemm", Signature: "tA tB m n k alpha a lda b ldb beta c ldc", Out: 'c', sums: true,
		scalings: []scaling{{"ac", "", 1}, {"bc", "", 1}, {"a", "b", 0}},
		pose: func(d *draw) {
			d.args.M, d.args.N, d.args.K = d.shape(769, "m", "n", "k")
			d.options()
			a := d.general('a', d.args.TA, d.args.M, d.args.K)
			b := d.general('b', d.args.TB, d.args.K, d.args.N)
			d.becomes(output{to: d.matrix('c', d.args.M, d.args.N), terms: []term{{d.args.Alpha, a, b}},
				beta: d.args.Beta})
		},
	}, {
		Name: "symm", Signature: "side uplo m n alpha a lda b ldb beta c ldc", Out: 'c', sums: true,
		scalings: []scaling{{"ac", "", 1}, {"bc", "", 1}, {"a", "b", 0}},
		pose: func(d *draw) {
			d.args.M, d.args.N, _ = d.shape(130, "m", "n")
			d.options()
			a := view{o: d.half('a', d.order()), symmetric: true}
			b := view{o: d.matrix('b', d.args.M, d.args.N)}
			d.becomes(output{to: d.matrix('c', d.args.M, d.args.N), terms: []term{d.sided(d.args.Alpha, a, b)},
				beta: d.args.Beta})
		},
	}, {
		Name: "syrk", Signature: "uplo tA n k alpha a lda beta c ldc", Out: 'c', sums: true,
		scalings: []scaling{{"acc", "", 2}},
		pose: func(d *draw) {
			d.args.N, d.args.K, _ = d.shape(130, "n", "k")
			d.options()
			a := d.general('a', d.args.TA, d.args.N, d.args.K)
			d.becomes(output{to: d.half('c', d.args.N), terms: []term{{d.args.Alpha, a, a.transpose()}},
				beta: d.args.Beta,
				view: view{symmetric: true}})
		},
	}, {
		Name: "syr2k", Signature: "uplo tA n k alpha a lda b ldb beta c ldc", Out: 'c', sums: true,
		scalings: []scaling{{"ac", "", 1}, {"bc", "", 1}, {"a", "b", 0}},
		pose: func(d *draw) {
			d.args.N, d.args.K, _ = d.shape(130, "n", "k")
			d.options()
			a := d.general('a', d.args.TA, d.args.N, d.args.K)
			b := d.general('b', d.args.TA, d.args.N, d.args.K)
			d.becomes(output{to: d.half('c', d.args.N), beta: d.args.Beta, view: view{symmetric: true},
				terms: []term{{d.args.Alpha, a, b.transpose()}, {d.args.Alpha, b, a.transpose()}}})
		},
	}, {
		Name: "trmm", Signature: "side uplo tA diag m n alpha a lda b ldb", Out: 'b', sums: true,
		scalings: []scaling{{"b", "", 1}},
		pose: func(d *draw) {
			a, b := d.triangular3()
			d.becomes(output{to: b, terms: []term{d.sided(d.args.Alpha, a, view{o: b})}})
		},
	}, {
		Name: "trsm", Signature: "side uplo tA diag m n alpha a lda b ldb", Out: 'b',
		scalings: []scaling{{"b", "", 1}},
		pose: func(d *draw) {
			a, b := d.triangular3()
			d.soluble(a, b)
			d.becomes(output{to: b, terms: []term{d.sided(1, a, view{o: b, after: true})}, beta: d.args.Alpha,
				solve:   true,
				forward: d.lower() == (d.args.Side == blas.Left)})
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
	if d.args.Side == blas.Left {
		return d.args.M
	}
	return d.args.N
}

// sided is the product of a square matrix with another on its side.
func (d *draw) sided(coef float64, square, other view) term {
	if d.args.Side == blas.Left {
		return term{coef, square, other}
	}
	return term{coef, other, square}
}

// lower reports whether op(A) is a lower triangle.
func (d *draw) lower() bool {
	return (d.args.Uplo == blas.Lower) == (d.args.TA == blas.NoTrans)
}

// op is op(A) for a triangle or a symmetric matrix.
func (d *draw) op(a *operand) view {
	return view{o: a, transposed: d.args.TA != blas.NoTrans, unit: d.args.Diag == blas.Unit}
}

// triangular3 draws the operands of trmm and trsm.
func (d *draw) triangular3() (a view, b *operand) {
	d.args.M, d.args.N, _ = d.shape(130, "m", "n")
	d.options()
	a = d.op(d.half('a', d.order()))
	return a, d.matrix('b', d.args.M, d.args.N)
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
	x := b.before.Clone()
	left := b.vector || d.args.Side == blas.Left
	entry := func(i, j int) float64 { return x.At(b.offset + b.at(i, j)) }
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
