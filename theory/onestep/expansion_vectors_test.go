package onestep

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// One spike in the linear direction has the vectors of FeatureSpike, and spikes in noise those of WeightSpike.
func TestTripletsOfOneSpike(t *testing.T) {
	one, none := mat.NewDense(1, 1, []float64{1}), mat.NewDense(1, 1, nil)
	b := Bulk{Phi: 0.5, Psi: 0.7, Linear: 1, Nonlinear: 0.6}
	s := FeatureSpike{Bulk: b, Strength: 4}
	strength := mat.NewDense(1, 1, []float64{16})
	found := b.Triplets(strength, none, one)
	require.Len(t, found, 1)
	near(t, "value", found[0].Value, s.Largest(), 1e-9)
	near(t, "left", Share(found[0].Left, strength), s.Left(), 1e-6)
	near(t, "right", Share(found[0].Right, one), s.Right(), 1e-6)

	noise := Bulk{Phi: 0.8, Psi: 0.5, Nonlinear: 0.5 / 0.8} // entries of variance 1/N, n/N = 5/8
	two, eye := mat.NewDense(2, 2, []float64{9, 0, 0, 4}), mat.NewDense(2, 2, []float64{1, 0, 0, 1})
	found = noise.Triplets(mat.NewDense(2, 2, nil), two, eye)
	require.Len(t, found, 2)
	for i, strength := range []float64{3, 2} {
		w := WeightSpike{Strength: strength, Psi: noise.Phi / noise.Psi}
		near(t, "value", found[i].Value, w.Largest(), 1e-9)
		near(t, "left", Share(found[i].Left, two), w.Left(), 1e-6)
		near(t, "right", Share(found[i].Right, eye), w.Right(), 1e-6)
	}
}

// The same matrix UVᵀ written with other columns has the same vectors.
func TestTripletsDoNotDependOnTheColumns(t *testing.T) {
	b := Bulk{Phi: 0.5, Psi: 0.5, Linear: 0.8, Nonlinear: 0.5}
	linear, rest := mat.NewDense(2, 2, []float64{40, 3, 3, 1}), mat.NewDense(2, 2, []float64{0.5, 1, 1, 90})
	right := mat.NewDense(2, 2, []float64{1, 0.4, 0.4, 1.5})
	mix, inverse := mat.NewDense(2, 2, []float64{1, 2, -0.5, 0.3}), &mat.Dense{}
	require.NoError(t, inverse.Inverse(mix))
	turned := func(m, by mat.Matrix) *mat.Dense { // byᵀ·m·by
		var out mat.Dense
		out.Mul(by.T(), m)
		out.Mul(&out, by)
		return &out
	}
	before := b.Triplets(linear, rest, right)
	after := b.Triplets(turned(linear, mix), turned(rest, mix), turned(right, inverse.T()))
	require.Len(t, before, 2)
	require.Len(t, after, 2)
	var whole mat.Dense
	whole.Add(linear, rest)
	for i := range before {
		near(t, "value", after[i].Value, before[i].Value, 1e-9)
		left := Share(before[i].Left, &whole)
		require.True(t, left > 0.5 && left < 1, left)
		near(t, "left", Share(after[i].Left, turned(&whole, mix)), left, 1e-7)
		near(t, "right", Share(after[i].Right, turned(right, inverse.T())), Share(before[i].Right, right), 1e-7)
	}
	require.Zero(t, Share(nil, right))
	require.True(t, math.IsNaN(Share([]float64{1, 1}, mat.NewDense(2, 2, nil))))
}

// The count of eigenvalues above one by elimination agrees with an eigendecomposition, for three spikes.
func TestRootsAreWhereEigenvaluesAreOne(t *testing.T) {
	b := Bulk{Phi: 0.5, Psi: 0.4, Linear: 0.8, Nonlinear: 0.3}
	linear := mat.NewDense(3, 3, []float64{4, 1, 0, 1, 9, 2, 0, 2, 1})
	rest := mat.NewDense(3, 3, []float64{2, 0, 1, 0, 30, 0, 1, 0, 200})
	right := mat.NewDense(3, 3, []float64{1, 0.5, 0.2, 0.5, 1, 0.3, 0.2, 0.3, 1})
	found := b.roots(linear, rest, right)
	require.Len(t, found, 3)
	for i, e := range found {
		x, left, outer := b.forms(e, linear, rest, right)
		var product mat.Dense
		product.Mul(left, outer)
		product.Scale(x, &product)
		var eigen mat.Eigen
		require.True(t, eigen.Factorize(&product, mat.EigenNone))
		above, nearest := 0, math.Inf(1)
		for _, z := range eigen.Values(nil) {
			nearest = min(nearest, math.Abs(real(z)-1))
			if real(z) > 1+1e-9 {
				above++
			}
		}
		require.Equal(t, i, above)
		near(t, "eigenvalue", nearest, 0, 1e-9)
	}
	require.Nil(t, b.roots(linear, rest, mat.NewDense(3, 3, nil)))
}

// Two columns that are one count as one spike of twice their strength: fewer neurons than spikes are no exception.
func TestRootsOfDependentColumns(t *testing.T) {
	b := Bulk{Phi: 0.5, Psi: 0.4, Linear: 0.8, Nonlinear: 0.3}
	of := func(x float64, k int) *mat.Dense {
		out := mat.NewDense(k, k, nil)
		out.Apply(func(int, int, float64) float64 { return x }, out)
		return out
	}
	one := b.Outliers(of(0, 1), of(4, 1), of(4, 1))
	two := b.Outliers(of(0, 2), of(2, 2), of(2, 2))
	require.Len(t, one, 1)
	require.Len(t, two, 1)
	near(t, "outlier", two[0], one[0], 1e-9)
}
