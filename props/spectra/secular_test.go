package spectra

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// TestSecular compares with the SVD of dense matrices: in a good part of them the change lowers the largest value.
func TestSecular(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for k := range 400 {
		n := 1 + r.IntN(8)
		cols := n + r.IntN(4)
		s := make([]float64, n)
		for i := range s {
			s[i] = 1 + float64(i+1)/float64(n)
		}
		sum := uniformSecular(r, s, cols, 2*r.Float64())
		u, v := mat.NewDense(n, 1, sum.u), mat.NewDense(cols, 1, nil)
		for i := range n {
			v.Set(i, 0, sum.v[i])
		}
		if cols > n {
			v.Set(n, 0, math.Sqrt(sum.rest))
		}
		x := mat.NewDense(n, cols, nil)
		x.Mul(u, v.T())
		x.Scale(sum.theta, x)
		for i := range n {
			x.Set(i, i, x.At(i, i)+s[i])
		}
		left, values, right, err := linalg.SVD(x, mat.SVDThin)
		if err != nil {
			t.Fatal(err)
		}
		z, b, a := sum.largest()
		if z > s[n-1]+0.1 {
			// The derivative of a singular value in X is the product of its vectors.
			inU, inV := sum.gradients(z)
			wantU, wantV := sum.theta*sum.theta*a*(1-b), sum.theta*sum.theta*b*(1-a)
			if !(math.Abs(inU-wantU) < 1e-8) || !(math.Abs(inV-wantV) < 1e-8) {
				t.Errorf("%d, %d×%d: gradients %v and %v, want %v and %v", k, n, cols, inU, inV, wantU, wantV)
			}
		}
		wantB := math.Pow(mat.Dot(left.ColView(0), u.ColView(0)), 2)
		wantA := math.Pow(mat.Dot(right.ColView(0), v.ColView(0)), 2)
		if !(math.Abs(z-values[0]) < 1e-9) || !(math.Abs(a-wantA) < 1e-6) || !(math.Abs(b-wantB) < 1e-6) {
			t.Errorf("%d, %d×%d: %v, %v and %v, want %v, %v and %v", k, n, cols, z, b, a, values[0], wantB, wantA)
		}
	}
}
