package linalg_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// nearlyTriangular are R + d·G for triangular R and random G: the entries below the diagonal are d times the others, so
// that a reflector that subtracts its norm from its first entry, in place of adding, cancels 2·log₂(1/d) of 53 bits.
func nearlyTriangular() []example {
	list := []example{{"integers", mat.NewDense(3, 2, []float64{1, 2, 1e-9, 3, 0, 1e-9})}}
	for _, s := range [][2]int{{3, 2}, {7, 7}, {30, 20}, {20, 30}, {90, 80}} {
		for e := 3; e <= 15; e++ {
			r := stream()
			a, g := gaussian(r, s[0], s[1]), gaussian(r, s[0], s[1])
			a.Apply(func(i, j int, v float64) float64 {
				if i > j {
					v = 0
				}
				return v + math.Pow(10, -float64(e))*g.At(i, j)
			}, a)
			list = append(list, example{fmt.Sprintf("d = 1e-%d", e), a})
		}
	}
	return list
}

// TestQRNearlyTriangular: backward stable however small the entries below the diagonal are. Column by column the
// residual is the error of k reflectors applied to a column of length m, a handful of roundings each (Higham, Accuracy
// and Stability of Numerical Algorithms, 2nd ed., theorem 19.4, with √(mk) for mk where roundings are independent):
// LAPACK's max(m, n)·ulp, no less than 10·ulp for the handful, as in skewness.
func TestQRNearlyTriangular(t *testing.T) {
	for _, x := range nearlyTriangular() {
		m, n := x.a.Dims()
		name := fmt.Sprint(x.name, " ", m, "×", n)
		f, err := linalg.QR(x.a)
		require.NoError(t, err, name)
		below(t, name, "orthogonality", skewness(f.Q()), 1.5)
		var product mat.Dense
		product.Mul(f.Q(), f.R())
		for j := range n {
			below(t, name, "residual of a column", excess(max(m, n, 10), product.ColView(j), x.a.ColView(j)), 1)
		}
	}
}
