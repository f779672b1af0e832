package spectra

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// TestSecular compares with the SVD of dense matrices: in a good part of them the change lowers the largest value.
func TestSecular(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		n := 1 + r.IntN(8)
		cols := n + r.IntN(4)
		s := make([]float64, n)
		for i := range s {
			s[i] = 1 + float64(i+1)/float64(n)
		}
		sum := uniformSecular(r, s, cols, 2*r.Float64())
		compareWithSVD(t, sum, cols)
	}
}

// TestSecularAtTheEdge moves the largest singular value through sₙ, by way of distances that are less than a rounding
// of it.
func TestSecularAtTheEdge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	near := 0
	for range 20 {
		sum := uniformSecular(r, []float64{1, 1.5, 2}, 5, 0.5+r.Float64())
		sum.v[2] = math.Copysign(sum.v[2], -sum.u[2]) // else the largest is always beyond
		u, lo, hi := slices.Clone(sum.u), -10.0, 10.0
		over := func(power float64) float64 {
			copy(sum.u, u)
			sum.u[2] *= math.Exp2(power)
			floats.Scale(1/floats.Norm(sum.u, 2), sum.u)
			over, _, _ := sum.largest()
			compareWithSVD(t, sum, 5)
			return over
		}
		from := over(lo) > 0
		for range 60 {
			if mid := (lo + hi) / 2; over(mid) > 0 == from {
				lo = mid
			} else {
				hi = mid
			}
		}
		if math.Abs(over(hi)) < 1e-14 {
			near++
		}
	}
	if near < 5 {
		t.Errorf("only %d of 20 changes move it through sₙ", near)
	}
}

// compareWithSVD makes a dense matrix.
func compareWithSVD(t *testing.T, sum secular, cols int) {
	t.Helper()
	n := len(sum.s)
	u, v, x := mat.NewDense(n, 1, sum.u), mat.NewDense(cols, 1, nil), mat.NewDense(n, cols, nil)
	for i := range n {
		v.Set(i, 0, sum.v[i])
	}
	if cols > n {
		v.Set(n, 0, math.Sqrt(sum.rest))
	}
	x.Mul(u, v.T())
	x.Scale(sum.theta, x)
	for i := range n {
		x.Set(i, i, x.At(i, i)+sum.s[i])
	}
	left, values, right, err := linalg.SVD(x, mat.SVDThin)
	if err != nil {
		t.Fatal(err)
	}
	over, b, a := sum.largest()
	if over > 0.1 {
		// The derivative of a singular value in X is the product of its vectors.
		inU, inV := sum.gradients(over)
		wantU, wantV := sum.theta*sum.theta*a*(1-b), sum.theta*sum.theta*b*(1-a)
		if !(math.Abs(inU-wantU) < 1e-8) || !(math.Abs(inV-wantV) < 1e-8) {
			t.Errorf("%+v: gradients %v and %v, want %v and %v", sum, inU, inV, wantU, wantV)
		}
	}
	wantB := math.Pow(mat.Dot(left.ColView(0), u.ColView(0)), 2)
	wantA := math.Pow(mat.Dot(right.ColView(0), v.ColView(0)), 2)
	if !(math.Abs(over-(values[0]-sum.last())) < 2e-11) || !(math.Abs(a-wantA) < 1e-6) || !(math.Abs(b-wantB) < 1e-6) {
		t.Errorf("%+v: sₙ + %v, %v and %v, want %v, %v and %v", sum, over, b, a, values[0], wantB, wantA)
	}
}
