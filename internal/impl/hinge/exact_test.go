package hinge_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/hinge"
)

// exact makes a problem of whole numbers, on inputs whose probabilities are whole numbers over a total.
func exact(features [][]int64, y []int, weights []int64) hinge.Exact {
	var total int64
	for _, w := range weights {
		total += w
	}
	out := hinge.Exact{Y: y}
	for i, row := range features {
		var rationals []*big.Rat
		for _, x := range row {
			rationals = append(rationals, big.NewRat(x, 1))
		}
		out.Features, out.P = append(out.Features, rationals), append(out.P, big.NewRat(weights[i], total))
	}
	return out
}

// The exclusive or, with and without the product; an affine function of 0, 1, 2, which loses twice the probability of
// the count in the middle where that is the rarest; features that vanish.
func TestExact(t *testing.T) {
	for _, c := range []struct {
		features [][]int64
		y        []int
		weights  []int64
		want     string
	}{
		{[][]int64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}, []int{1, -1, -1, 1}, []int64{1, 1, 1, 1}, "1"},
		{[][]int64{{1}, {-1}, {-1}, {1}}, []int{1, -1, -1, 1}, []int64{1, 1, 1, 1}, "0"},
		{[][]int64{{1, 0}, {1, 1}, {1, 2}}, []int{-1, 1, -1}, []int64{3, 1, 3}, "2/7"},
		{[][]int64{{1, 0}, {1, 1}, {1, 2}}, []int{-1, 1, -1}, []int64{1, 8, 3}, "1/3"},
		{[][]int64{{0}, {0}}, []int{-1, 1}, []int64{1, 1}, "1"},
	} {
		require.Equal(t, c.want, exact(c.features, c.y, c.weights).Minimum().RatString())
	}
}

// The simplex method in floating point on the same problems, ranks from 1 to that of all functions.
func TestExactAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		rows, n := 2+r.IntN(7), 1+r.IntN(9)
		features, y, weights := make([][]int64, rows), make([]int, rows), make([]int64, rows)
		p := hinge.Problem{Features: mat.NewDense(rows, n, nil)}
		var total int64
		for i := range rows {
			y[i], weights[i] = 2*r.IntN(2)-1, 1+r.Int64N(9)
			total += weights[i]
			for j := range n {
				features[i] = append(features[i], r.Int64N(7)-3)
				p.Features.Set(i, j, float64(features[i][j]))
			}
		}
		for i := range rows {
			p.Y, p.P = append(p.Y, float64(y[i])), append(p.P, float64(weights[i])/float64(total))
		}
		want, err := p.Unbounded()
		require.NoError(t, err)
		got, _ := exact(features, y, weights).Minimum().Float64()
		close(t, "least loss", got, want, 1e-9)
	}
}
