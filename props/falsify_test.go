package props

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props/results"
)

// manyTypes is a claim with fields of every type that can be mistaken, and of some that cannot.
type manyTypes struct {
	number float64
	none   float64
	inner  struct {
		hidden func(float64) (float64, error)
	}
	vector  func(...float64) []float64
	matrix  func() *mat.Dense
	any     mat.Matrix
	exact   func() *big.Rat
	nested  func() struct{ x, y float64 }
	curried func(float64) func() float64
	count   int
	text    func() string
}

func TestFormulasOfEveryType(t *testing.T) {
	claim := manyTypes{number: 2, count: 3, vector: func(x ...float64) []float64 { return x },
		matrix: func() *mat.Dense { return mat.NewDense(1, 2, []float64{1, 2}) }, any: mat.NewSymDense(1, []float64{3}),
		exact:   func() *big.Rat { return big.NewRat(1, 3) },
		nested:  func() (out struct{ x, y float64 }) { out.x, out.y = 1, 2; return out },
		curried: func(x float64) func() float64 { return func() float64 { return x } }, text: func() string { return "" }}
	claim.inner.hidden = func(x float64) (float64, error) { return x, nil }
	names := formulas(claim)
	require.Equal(t, []string{"number", "none", "inner.hidden", "vector", "matrix", "any", "exact", "nested", "curried"},
		names)
	twice := func(name string) manyTypes { return mistaken(claim, name, mistake{1, false, new(int)}).(manyTypes) }
	require.Equal(t, 4., twice("number").number)
	require.Equal(t, 2., claim.number, "the claim itself stays")
	x, _ := twice("inner.hidden").inner.hidden(3)
	require.Equal(t, 6., x)
	require.Equal(t, []float64{2, 4}, twice("vector").vector(1, 2))
	require.Equal(t, 4., twice("matrix").matrix().At(0, 1))
	require.Equal(t, 6., twice("any").any.At(0, 0))
	require.Equal(t, "2/3", twice("exact").exact().RatString())
	require.Equal(t, 4., twice("nested").nested().y)
	require.Equal(t, 10., twice("curried").curried(5)())
	require.Equal(t, []float64{2, 1, 6}, mistaken(claim, "vector", mistake{1, true, new(int)}).(manyTypes).vector(1, 2, 3))
	require.Equal(t, 0.5, mistaken(claim, "none", mistake{0.5, true, new(int)}).(manyTypes).none)
	require.Equal(t, []string{"the closed form"}, formulas(math.Sqrt))
	require.Empty(t, formulas(struct{}{}))
}

// squaring claims the square of a number, with a tolerance that may depend on the discrepancy.
func squaring(tolerance func(got, want float64) float64) Claim {
	type number struct{ X float64 }
	return Spec{Statement: statement("squaring"), Checks: []Check{Drawn[number, func(float64) float64]{
		Name: "square", Cases: Times(20),
		Draw:  func(t *T) number { return number{1 + rapid.Float64Range(0, 1).Draw(t.T, "x")} },
		Claim: func(x float64) float64 { return x * x },
		Judge: func(r *Record, in number, square func(float64) float64) {
			got, want := inexact(in.X*in.X), square(in.X)
			r.Within("square", got, want, tolerance(got, want))
		},
	}}}.Claim()
}

// TestFalsify: a tolerance is as wide as it is; one that adapts to the error is found, and a form that nobody compares.
func TestFalsify(t *testing.T) {
	falsified := func(tolerance func(got, want float64) float64) results.Control {
		rows := Falsify(t.Context(), []Claim{squaring(tolerance)}, Options{Effort: Quick, Seed: 1})
		require.Len(t, rows[0].Controls, 1)
		return rows[0].Controls[0]
	}
	fixed := func(_, want float64) float64 { return 1e-12 * want }
	require.True(t, falsified(fixed).Rejected)
	require.LessOrEqual(t, float64(falsified(fixed).Ratio), 1e-11)
	adapts := falsified(func(got, want float64) float64 { return max(fixed(got, want), min(1e-3, 2*math.Abs(got-want))) })
	require.False(t, adapts.Rejected)
	require.Contains(t, adapts.Message, "red at 1e-03, shows at 1e-1")
	require.Contains(t, falsified(func(got, want float64) float64 { return 1 + 2*math.Abs(got-want) }).Message, "green")
}
