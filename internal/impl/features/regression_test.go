package features_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/features"
)

// direct is ridge regression by the normal equations, with free columns by a penalty of zero.
func direct(f *mat.Dense, free [][]float64, y []float64, lambda float64, leftOut int) (weights *mat.VecDense,
	at func(i int) []float64) {
	n, width := f.Dims()
	k := width + len(free)
	at = func(i int) []float64 {
		row := append([]float64{}, f.RawRowView(i)...)
		for _, c := range free {
			row = append(row, c[i])
		}
		return row
	}
	normal, right := mat.NewDense(k, k, nil), mat.NewVecDense(k, nil)
	for j := range width {
		normal.Set(j, j, lambda*float64(n))
	}
	for i := range n {
		if i == leftOut {
			continue
		}
		row := mat.NewVecDense(k, at(i))
		normal.RankOne(normal, 1, row, row)
		right.AddScaledVec(right, y[i], row)
	}
	weights = &mat.VecDense{}
	if err := weights.SolveVec(normal, right); err != nil {
		panic(err)
	}
	return weights, at
}

func TestRegressionAgainstNormalEquations(t *testing.T) {
	r := stream()
	const n, width, count, lambda = 9, 6, 3, 0.3
	f := features.Gaussian(r, n, width)
	before := mat.DenseCopyOf(f)
	y := features.Gaussian(r, count, n)
	ones := mat.NewDense(1, n, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1})
	added := features.Added{
		Free:  []*mat.Dense{features.Gaussian(r, count, n), ones},
		Left:  []*mat.Dense{features.Gaussian(r, count, n), features.Gaussian(r, count, n)},
		Right: []*mat.Dense{features.Gaussian(r, 1, width), features.Gaussian(r, 1, width)},
	}
	regression, err := features.NewRegression(f, lambda)
	require.NoError(t, err)
	for _, a := range []features.Added{{}, {Free: added.Free}, {Left: added.Left, Right: added.Right}, added} {
		fits := regression.Fits(y, a)
		for k := range count {
			full := mat.DenseCopyOf(f)
			for l := range a.Left {
				full.RankOne(full, 1, a.Left[l].RowView(k), a.Right[l].RowView(0))
			}
			var free [][]float64
			for _, c := range a.Free {
				rows, _ := c.Dims()
				free = append(free, c.RawRowView(min(k, rows-1)))
			}
			var train, penalty, loo float64
			weights, at := direct(full, free, y.RawRowView(k), lambda, -1)
			for i := range n {
				residual := y.At(k, i) - mat.Dot(weights, mat.NewVecDense(weights.Len(), at(i)))
				train += residual * residual / n
				without, _ := direct(full, free, y.RawRowView(k), lambda, i)
				residual = y.At(k, i) - mat.Dot(without, mat.NewVecDense(weights.Len(), at(i)))
				loo += residual * residual / n
			}
			for j := range width {
				penalty += weights.AtVec(j) * weights.AtVec(j)
			}
			near(t, "train", fits[k].Train, train, 1e-11*(1+train))
			near(t, "objective", fits[k].Objective, train+lambda*penalty, 1e-11*(1+train))
			near(t, "leave one out", fits[k].LeaveOneOut, loo, 1e-10*(1+loo))
		}
	}
	require.True(t, mat.Equal(before, f))
	var gram, inverse mat.Dense
	gram.Mul(f, f.T())
	for i := range n {
		gram.Set(i, i, gram.At(i, i)+lambda*n)
	}
	require.NoError(t, inverse.Inverse(&gram))
	near(t, "trace", regression.Trace(), mat.Trace(&inverse), 1e-12)
	near(t, "trace of a fit", regression.Fits(y, features.Added{})[0].Trace, mat.Trace(&inverse), 1e-12)
	var square mat.Dense
	square.Mul(&inverse, &inverse)
	near(t, "trace of the square", regression.Square(), mat.Trace(&square), 1e-12)
	require.True(t, mat.EqualApprox(regression.Solve(mat.DenseCopyOf(&gram)), mat.NewDiagDense(n, ones.RawRowView(0)),
		1e-11))
}

func TestRegressionRefusesWhatItCannotSolve(t *testing.T) {
	_, err := features.NewRegression(mat.NewDense(2, 1, []float64{1, 1}), 0)
	require.ErrorContains(t, err, "λ = 0")
	_, err = features.NewRegression(mat.NewDense(1, 1, []float64{math.NaN()}), 1)
	require.Error(t, err)
	regression, err := features.NewRegression(mat.NewDense(2, 1, []float64{1, 2}), 1)
	require.NoError(t, err)
	twice := mat.NewDense(1, 2, []float64{1, 1})
	fits := regression.Fits(mat.NewDense(1, 2, []float64{1, 0}), features.Added{Free: []*mat.Dense{twice, twice}})
	require.True(t, math.IsNaN(fits[0].Objective)) // a free column twice has no unique weights
}
