package linalg_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/roundoff"
)

// TestReductionsByPanels: matrices too large for the reductions in cache, which those of the gallery are not, in some
// panels and remainders of some lengths: random ones, and the spectra of either sign.
func TestReductionsByPanels(t *testing.T) {
	worst := worstRatios{}
	cases := append([]galleryCase{{"random", random}}, symmetricGallery[len(gallery):]...)
	for g, c := range cases {
		n := linalg.CachedOrder + 1 + 17*g
		r := rand.New(rand.NewPCG(uint64(n), uint64(g)))
		where, limit := fmt.Sprintf("%s %d", c.name, n), roundedFactors(n)
		a := symmetric(c.make(r, n, n))
		w, v, err := linalg.SymEigen(a, true)
		require.NoError(t, err, where)
		res, orth := eigenRatios(a, w, v)
		worst.add(t, "residual of eigenvectors", where, res, limit)
		worst.add(t, "orthogonality of eigenvectors", where, orth, 1)
		alone, _, err := linalg.SymEigen(a, false)
		require.NoError(t, err, where)
		size := max(-w[0], w[n-1])
		worst.add(t, "eigenvalues", where, difference(w, alone)/(2*float64(n)*roundoff.Ulp*size), 1)

		tall := mat.NewDense(n+30, n, nil)
		tall.Copy(c.make(r, n+30, n+30))
		u, s, q, err := linalg.SVD(tall, mat.SVDThin)
		require.NoError(t, err, where)
		worst.add(t, "residual of singular vectors", where, residual(tall, u, s, q), roundedFactors(n+30))
		worst.add(t, "orthogonality of singular vectors", where, max(orthogonality(u), orthogonality(q)), 1)
		_, alone, _, err = linalg.SVD(tall, mat.SVDNone)
		require.NoError(t, err, where)
		worst.add(t, "singular values", where, difference(s, alone)/(2*float64(n+30)*roundoff.Ulp*s[0]), 1)
	}
	worst.log(t)
}
