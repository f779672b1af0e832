package blaskit

import (
	"gonum.org/v1/gonum/blas"
	"pgregory.net/rapid"
)

// packed are the routines on banded and packed matrices. They are held to fewer properties than the others: few kernels
// have them as their own.
var packed = []*Routine{
	{
		Name: "gbmv", Signature: "tA m n kL kU alpha a lda x incX beta y incY", Out: 'y',
		scalings: productScalings,
		pose: func(d *draw) {
			d.args.M, d.args.N, _ = d.shape(130, "m", "n")
			d.args.KL, d.args.KU = d.bandwidth("kL"), d.bandwidth("kU")
			d.options()
			a := d.band('a', d.args.M, d.args.N, d.args.KL, d.args.KU, false)
			d.becomes(d.timesVector(view{o: a, transposed: d.args.TA != blas.NoTrans}))
		},
	}, {
		Name: "sbmv", Signature: "uplo n k alpha a lda x incX beta y incY", Out: 'y',
		scalings: productScalings,
		pose:     func(d *draw) { d.symmetricProduct(130, (*draw).halfBand) },
	}, {
		Name: "tbmv", Signature: "uplo tA diag n k a lda x incX", Out: 'x',
		scalings: vectorScaling,
		pose:     func(d *draw) { d.becomesProduct((*draw).halfBand) },
	}, {
		Name: "tbsv", Signature: "uplo tA diag n k a lda x incX", Out: 'x',
		scalings: vectorScaling,
		pose:     func(d *draw) { d.becomesSolution((*draw).halfBand) },
	}, {
		Name: "spmv", Signature: "uplo n alpha a x incX beta y incY", Out: 'y',
		scalings: productScalings,
		pose:     func(d *draw) { d.symmetricProduct(130, (*draw).packedHalf) },
	}, {
		Name: "tpmv", Signature: "uplo tA diag n a x incX", Out: 'x',
		scalings: vectorScaling,
		pose:     func(d *draw) { d.becomesProduct((*draw).packedHalf) },
	}, {
		Name: "tpsv", Signature: "uplo tA diag n a x incX", Out: 'x',
		scalings: vectorScaling,
		pose:     func(d *draw) { d.becomesSolution((*draw).packedHalf) },
	}, {
		Name: "spr", Signature: "uplo n alpha x incX a", Out: 'a',
		scalings: []scaling{{"xaa", "", 2}},
		pose:     func(d *draw) { d.rankOne((*draw).packedHalf) },
	}, {
		Name: "spr2", Signature: "uplo n alpha x incX y incY a", Out: 'a',
		scalings: updateScalings,
		pose:     func(d *draw) { d.rankTwo((*draw).packedHalf) },
	},
}

func (d *draw) bandwidth(name string) int {
	return rapid.SampledFrom([]int{0, 1, 2, 3, 5, 8}).Draw(d.t.T, name)
}

// band is a matrix with lower and upper diagonals next to the main one, stored by rows: entry (i, j) at column
// lower+j−i. The main diagonal is left out when it is all ones.
func (d *draw) band(slot byte, rows, cols, lower, upper int, unit bool) *operand {
	width := lower + upper + 1
	ld := width + rapid.IntRange(0, 5).Draw(d.t.T, "padding of "+string(slot))
	return d.add(&operand{slot: slot, rows: rows, cols: cols, ld: ld, width: width,
		size: rectangle(min(rows, cols+lower), width, ld),
		at: func(i, j int) int {
			if j-i > upper || i-j > lower || i == j && unit {
				return -1
			}
			return i*ld + lower + j - i
		}})
}

// halfBand is one half of a square band matrix, of a drawn bandwidth k.
func (d *draw) halfBand(slot byte, n int) *operand {
	d.args.K = d.bandwidth("k")
	unit := d.args.Diag == blas.Unit
	if d.args.Uplo == blas.Upper {
		return d.band(slot, n, n, 0, d.args.K, unit)
	}
	return d.band(slot, n, n, d.args.K, 0, unit)
}

// packedHalf is a triangle stored row by row without gaps.
func (d *draw) packedHalf(slot byte, n int) *operand {
	unit := d.args.Diag == blas.Unit
	at := func(i, j int) int { return i*(i+1)/2 + j }
	if d.args.Uplo == blas.Upper {
		at = func(i, j int) int { return i*(2*n-i-1)/2 + j }
	}
	upper := d.args.Uplo == blas.Upper
	return d.add(&operand{slot: slot, rows: n, cols: n, ld: 1, size: n * (n + 1) / 2,
		at: func(i, j int) int {
			if i == j && unit || i != j && (i < j) != upper {
				return -1
			}
			return at(i, j)
		}})
}
