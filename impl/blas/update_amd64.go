//go:build amd64 && !noasm && !purego && !race

package blas

//go:noescape
func updateGemvAVX2(m, n int, a *float64, lda int, x, v, u, y, w, z *float64)

// updateGemv is UpdateGemv for m = len(w) and n = len(z), neither 0.
func (id isa) updateGemv(a []float64, lda int, x, v, u, y, w, z []float64) {
	if id == isaPortable {
		updateGemvPortable(a, lda, x, v, u, y, w, z)
		return
	}
	updateGemvAVX2(len(w), len(z), &a[0], lda, &x[0], &v[0], &u[0], &y[0], &w[0], &z[0])
}
