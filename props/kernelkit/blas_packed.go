package kernelkit

import (
	"gonum.org/v1/gonum/blas"
	"pgregory.net/rapid"
)

// packed are the routines on banded and packed matrices. They are held to fewer properties than the others: few kernels
// have them as their own.
var packed = []*routine{
	{
		name: "gbmv", signature: "tA m n kL kU alpha a lda x incX beta y incY", out: 'y',
		call: func(l blas.Float64, p *args) {
			l.Dgbmv(p.tA, p.m, p.n, p.kL, p.kU, p.alpha, p.a, p.lda, p.x, p.incX, p.beta, p.y, p.incY)
		},
		scalings: []scaling{{"ay", "", 1}, {"xy", "", 1}, {"a", "x", 0}},
		pose: func(d *draw) {
			d.args.m, d.args.n, _ = d.shape(130, "m", "n")
			d.args.kL, d.args.kU = d.bandwidth("kL"), d.bandwidth("kU")
			d.args.tA = d.transpose("tA")
			d.scalars()
			a := d.band('a', d.args.m, d.args.n, d.args.kL, d.args.kU, false)
			d.becomes(d.timesVector(view{o: a, transposed: d.args.tA != blas.NoTrans}))
		},
	}, {
		name: "sbmv", signature: "uplo n k alpha a lda x incX beta y incY", out: 'y',
		call: func(l blas.Float64, p *args) {
			l.Dsbmv(p.uplo, p.n, p.k, p.alpha, p.a, p.lda, p.x, p.incX, p.beta, p.y, p.incY)
		},
		scalings: []scaling{{"ay", "", 1}, {"xy", "", 1}, {"a", "x", 0}},
		pose: func(d *draw) {
			d.args.n, _, _ = d.shape(130, "n")
			d.triangle()
			d.scalars()
			d.becomes(d.timesVector(view{o: d.halfBand('a', d.args.n), symmetric: true}))
		},
	}, {
		name: "tbmv", signature: "uplo tA diag n k a lda x incX", out: 'x',
		call: func(l blas.Float64, p *args) {
			l.Dtbmv(p.uplo, p.tA, p.diag, p.n, p.k, p.a, p.lda, p.x, p.incX)
		},
		scalings: []scaling{{"x", "", 1}},
		pose: func(d *draw) {
			d.triangular2()
			d.becomesProduct(d.op(d.halfBand('a', d.args.n)))
		},
	}, {
		name: "tbsv", signature: "uplo tA diag n k a lda x incX", out: 'x',
		call: func(l blas.Float64, p *args) {
			l.Dtbsv(p.uplo, p.tA, p.diag, p.n, p.k, p.a, p.lda, p.x, p.incX)
		},
		scalings: []scaling{{"x", "", 1}},
		pose: func(d *draw) {
			d.triangular2()
			d.becomesSolution(d.op(d.halfBand('a', d.args.n)))
		},
	}, {
		name: "spmv", signature: "uplo n alpha a x incX beta y incY", out: 'y',
		call: func(l blas.Float64, p *args) {
			l.Dspmv(p.uplo, p.n, p.alpha, p.a, p.x, p.incX, p.beta, p.y, p.incY)
		},
		scalings: []scaling{{"ay", "", 1}, {"xy", "", 1}, {"a", "x", 0}},
		pose: func(d *draw) {
			d.args.n, _, _ = d.shape(130, "n")
			d.triangle()
			d.scalars()
			d.becomes(d.timesVector(view{o: d.packedHalf('a', d.args.n), symmetric: true}))
		},
	}, {
		name: "tpmv", signature: "uplo tA diag n a x incX", out: 'x',
		call:     func(l blas.Float64, p *args) { l.Dtpmv(p.uplo, p.tA, p.diag, p.n, p.a, p.x, p.incX) },
		scalings: []scaling{{"x", "", 1}},
		pose: func(d *draw) {
			d.triangular2()
			d.becomesProduct(d.op(d.packedHalf('a', d.args.n)))
		},
	}, {
		name: "tpsv", signature: "uplo tA diag n a x incX", out: 'x',
		call:     func(l blas.Float64, p *args) { l.Dtpsv(p.uplo, p.tA, p.diag, p.n, p.a, p.x, p.incX) },
		scalings: []scaling{{"x", "", 1}},
		pose: func(d *draw) {
			d.triangular2()
			d.becomesSolution(d.op(d.packedHalf('a', d.args.n)))
		},
	}, {
		name: "spr", signature: "uplo n alpha x incX a", out: 'a',
		call:     func(l blas.Float64, p *args) { l.Dspr(p.uplo, p.n, p.alpha, p.x, p.incX, p.a) },
		scalings: []scaling{{"xaa", "", 2}},
		pose:     func(d *draw) { d.rankOne((*draw).packedHalf) },
	}, {
		name: "spr2", signature: "uplo n alpha x incX y incY a", out: 'a',
		call:     func(l blas.Float64, p *args) { l.Dspr2(p.uplo, p.n, p.alpha, p.x, p.incX, p.y, p.incY, p.a) },
		scalings: []scaling{{"xa", "", 1}, {"ya", "", 1}, {"x", "y", 0}},
		pose:     func(d *draw) { d.rankTwo((*draw).packedHalf) },
	},
}

func (d *draw) bandwidth(name string) int {
	return rapid.SampledFrom([]int{0, 1, 2, 3, 5, 8}).Draw(d.t.T, name)
}

// band is a matrix with lower and upper diagonals beside the main one, stored by rows: entry (i, j) at column lower+j−i.
// The main diagonal is left out when it is all ones.
func (d *draw) band(slot byte, rows, cols, lower, upper int, unit bool) *operand {
	width := lower + upper + 1
	ld := width + rapid.IntRange(0, 5).Draw(d.t.T, "padding of "+string(slot))
	return d.add(&operand{slot: slot, rows: rows, cols: cols, ld: ld, width: width, size: rectangle(min(rows, cols+lower), width, ld),
		at: func(i, j int) int {
			if j-i > upper || i-j > lower || i == j && unit {
				return -1
			}
			return i*ld + lower + j - i
		}})
}

// halfBand is one half of a square band matrix, of a drawn bandwidth k.
func (d *draw) halfBand(slot byte, n int) *operand {
	d.args.k = d.bandwidth("k")
	unit := d.args.diag == blas.Unit
	if d.args.uplo == blas.Upper {
		return d.band(slot, n, n, 0, d.args.k, unit)
	}
	return d.band(slot, n, n, d.args.k, 0, unit)
}

// packedHalf is a triangle stored row by row without gaps.
func (d *draw) packedHalf(slot byte, n int) *operand {
	unit := d.args.diag == blas.Unit
	at := func(i, j int) int { return i*(i+1)/2 + j }
	if d.args.uplo == blas.Upper {
		at = func(i, j int) int { return i*(2*n-i-1)/2 + j }
	}
	upper := d.args.uplo == blas.Upper
	return d.add(&operand{slot: slot, rows: n, cols: n, ld: 1, size: n * (n + 1) / 2,
		at: func(i, j int) int {
			if i == j && unit || i != j && (i < j) != upper {
				return -1
			}
			return at(i, j)
		}})
}
