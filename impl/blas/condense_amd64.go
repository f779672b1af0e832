//go:build amd64 && !noasm && !purego && !race

package blas

//go:noescape
func updateGemvAVX2(m, n int, a *float64, lda int, x, v, u, y, w, z *float64)

//go:noescape
func timesRowsAVX2(m, n int, a *float64, lda int, x, y *float64)

//go:noescape
func timesBothAVX2(m, n int, a *float64, lda int, x, w, y, z *float64)

//go:noescape
func rotateRowsAVX2(count, n int, c, s, a *float64, lda int)

// updateGemv is UpdateGemv for m = len(w) and n = len(z), neither 0.
func (id isa) updateGemv(a []float64, lda int, x, v, u, y, w, z []float64) {
	if id == isaPortable {
		updateGemvPortable(a, lda, x, v, u, y, w, z)
		return
	}
	updateGemvAVX2(len(w), len(z), &a[0], lda, &x[0], &v[0], &u[0], &y[0], &w[0], &z[0])
}

// timesRows is TimesRows for n = len(x) and m = len(y), neither 0.
func (id isa) timesRows(a []float64, lda int, x, y []float64) {
	if id == isaPortable {
		timesRowsPortable(a, lda, x, y)
		return
	}
	timesRowsAVX2(len(y), len(x), &a[0], lda, &x[0], &y[0])
}

// timesBoth is TimesBoth for m = len(w) = len(y) and n = len(x) = len(z), neither 0.
func (id isa) timesBoth(a []float64, lda int, x, w, y, z []float64) {
	if id == isaPortable {
		timesBothPortable(a, lda, x, w, y, z)
		return
	}
	timesBothAVX2(len(w), len(z), &a[0], lda, &x[0], &w[0], &y[0], &z[0])
}

func (id isa) rotateRows(n int, c, s, a []float64, lda int) {
	if id == isaPortable {
		id.rotateOneByOne(n, c, s, a, lda)
		return
	}
	rotateRowsAVX2(len(c), n, &c[0], &s[0], &a[0], lda)
}
