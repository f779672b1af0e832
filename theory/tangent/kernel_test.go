package tangent_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/tangent"
)

// near fails the test unless got agrees with want, a number printed with so many correct digits.
func near(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if !(math.Abs(got-want) <= relative*math.Abs(want)) {
		t.Errorf("%s: got %.16g, want %.16g", what, got, want)
	}
}

// The reference problem: β̂ = (1, 13, 11, 10)/17 by hand, so v² = 391/289 = 23/17. The other numbers are from an
// independent computation with 12 digits.
func TestReferenceProblem(t *testing.T) {
	features, labels := mat.NewDense(2, 4, []float64{1, 2, 0, -1, 0, 1, 1, 1}), []float64{1, 2}
	beta, err := tangent.MinNorm(features, labels)
	require.NoError(t, err)
	for i, numerator := range []float64{1, 13, 11, 10} {
		near(t, fmt.Sprintf("β̂[%d]", i), beta[i], numerator/17, 1e-14)
	}
	for _, c := range []struct {
		family                       tangent.Family
		s, optimum, c, k11, k12, k22 float64
		cosine                       float64
	}{
		{tangent.Quadratic, 1.446768092167, 0.845971548525, 0.807971500553, 6.807971500553, 2.615943001107,
			6.231886002213, 0.848789939289},
		{tangent.Absolute, 1.393487155990, 1.090230733985, 0.696117813759, 6.696117813759, 2.392235627518,
			5.784471255036, 0.831872437511},
		{tangent.Product, 1.558292585975, 0.830223475457, 1.055682100852, 7.055682100852, 3.111364201704,
			7.222728403408, 0.878724670698},
	} {
		a := tangent.Adaptation{Interpolant: beta, Family: c.family, Factor: 1}
		require.NoError(t, a.Valid())
		s := a.Stretch()
		near(t, "v", s.Norm, math.Sqrt(23./17), 1e-14)
		near(t, "s", s.Size(), c.s, 1e-12)
		near(t, "optimum", s.Optimum(), c.optimum, 1e-11)
		near(t, "c", s.Coefficient(), c.c, 1e-11)
		growth := a.Growth(features, features)
		near(t, "K₁₁", 6+growth.At(0, 0), c.k11, 1e-12)
		near(t, "K₁₂", 1+growth.At(0, 1), c.k12, 1e-12)
		near(t, "K₂₂", 3+growth.At(1, 1), c.k22, 1e-12)
		fixed, adapted := a.Alignment(features)
		near(t, "alignment before", fixed, 0.64180596259, 1e-10)
		near(t, "alignment after", adapted, c.cosine, 1e-11)
	}
}

// M̂ maps θ̂ to β̂, and M̂M̂ᵀ is the moment.
func TestTransformAndParameters(t *testing.T) {
	a := tangent.Adaptation{Interpolant: []float64{0.3, -2, 1.1}, Family: tangent.LogDet, Factor: 0.7}
	var beta mat.VecDense
	beta.MulVec(a.Transform(), mat.NewVecDense(3, a.Parameters()))
	for i, b := range a.Interpolant {
		near(t, "M̂θ̂", beta.AtVec(i), b, 1e-14)
	}
	var moment mat.Dense
	moment.Mul(a.Transform(), a.Transform().T())
	require.True(t, mat.EqualApprox(&moment, a.Moment(), 1e-14))
	near(t, "‖θ̂‖²", math.Pow(mat.Norm(mat.NewVecDense(3, a.Parameters()), 2), 2), a.Stretch().Cost(), 1e-14)
}

func TestOutsideTheHypothesesIsNaN(t *testing.T) {
	for _, s := range []tangent.Stretch{
		{Norm: 0, Family: tangent.Quadratic, Factor: 1},
		{Norm: math.NaN(), Family: tangent.Quadratic, Factor: 1},
		{Norm: math.Inf(1), Family: tangent.Product, Factor: 1},
		{Norm: 1, Family: tangent.Absolute, Factor: 0},
		{Norm: 1, Family: tangent.Absolute, Factor: math.NaN()},
		{Norm: 1, Family: "cubic", Factor: 1},
	} {
		require.Error(t, s.Valid())
		for _, x := range []float64{s.Size(), s.Excess(), s.Optimum(), s.Slope(), s.Cost(), s.Coefficient(),
			s.Amplification()} {
			require.True(t, math.IsNaN(x), "%+v gives %v", s, x)
		}
		require.True(t, math.IsInf(s.Spread(1e-12).Moment, 1))
	}
	a := tangent.Adaptation{Interpolant: []float64{0, 0}, Family: tangent.Quadratic, Factor: 1}
	require.Error(t, a.Valid())
	require.Error(t, tangent.Adaptation{Family: tangent.Quadratic, Factor: 1}.Valid())
	require.True(t, math.IsNaN(a.Transform().At(0, 0)))

	_, err := tangent.MinNorm(mat.NewDense(2, 2, []float64{1, 2, 2, 4}), []float64{1, 2})
	require.ErrorContains(t, err, "minimum-norm interpolant")
	require.PanicsWithValue(t, "tangent: need features n×p with n ≤ p and n labels", func() {
		_, _ = tangent.MinNorm(mat.NewDense(2, 1, nil), []float64{1, 2})
	})
}

// Pairs that spend all of the excess on a single term stay within the bounds. They reach them to leading order but for
// the curvature of (z−1)² in ln z, which makes the bound on ln z too wide by √(1 + ω″/4q) = √((8s−6)/4(s−1)).
func TestNearSolutionsReachTheSpread(t *testing.T) {
	s := tangent.Stretch{Norm: 30, Family: tangent.Quadratic, Factor: 1}
	size, v := s.Size(), s.Norm
	curved := math.Sqrt((8*size - 6) / (4 * (size - 1)))
	for _, h := range []float64{1e-3, -1e-3, 1e-5} {
		z := size * math.Exp(h)
		for name, c := range map[string]struct {
			excess, moved, wide float64
			bound               func(tangent.Deviation) float64
		}{
			"stretch": {math.Pow(z-1, 2) + math.Pow(v/z, 2) - s.Optimum(), math.Abs(h), curved,
				func(d tangent.Deviation) float64 { return d.Stretch }},
			"another singular value": {h * h, math.Abs(h), 1, func(d tangent.Deviation) float64 { return d.Rest }},
			"a longer interpolant, M along it": {h * h * v * v / (size * size), math.Abs(h) * v, 1,
				func(d tangent.Deviation) float64 { return d.Drift }},
			"another direction, as the labels see it": {leastForATurn(s, h), math.Abs(h), 1,
				func(d tangent.Deviation) float64 { return d.Turn }},
		} {
			bound := c.bound(s.Spread(c.excess))
			if !(c.moved <= bound*(1+1e-9) && bound <= c.wide*c.moved*(1+20*math.Abs(h))) {
				t.Errorf("%s by %g: moved by %v, bound %v", name, h, c.moved, bound)
			}
		}
	}
	kinked := tangent.Stretch{Norm: math.Sqrt(1.1 * 1.1 * 1.1 / 2), Family: tangent.Absolute, Factor: 1} // s = 1.1
	z := 1.1 * math.Exp(1e-4)
	bound, moved := kinked.Spread(z-1+math.Pow(kinked.Norm/z, 2)-kinked.Optimum()).Moment, z*z-1.1*1.1
	if !(moved <= bound && bound <= math.Sqrt(1.5)*moved*1.01) {
		t.Errorf("moment moved by %v, bound %v", moved, bound)
	}
	for _, bad := range []float64{100, math.NaN(), -1} {
		d := s.Spread(bad)
		require.True(t, math.IsInf(d.Stretch, 1) && math.IsInf(d.Moment, 1) && math.IsInf(d.Drift, 1))
	}
}

// leastForATurn returns the least excess of pairs with M = I + (s−1)u₁u₁ᵀ, u₁ off u by a sine h in a direction that the
// labels do not see: the parts (3) and (4) are in proportion to 1/a² and 1/z², to leading order.
func leastForATurn(s tangent.Stretch, h float64) float64 {
	z2 := s.Amplification()
	return math.Pow(h*s.Norm, 2) / (z2/(z2-1) + z2)
}

// The distance of the moments from its parts: exact where only one of them is at work, and for all of them in the
// plane of u and u₁.
func TestApart(t *testing.T) {
	s := tangent.Stretch{Norm: 2, Family: tangent.Quadratic, Factor: 1}
	size := s.Size()
	for _, c := range []struct{ z, second, angle, slack float64 }{
		{size, 1, 0.3, 0}, {size, 1, math.Pi / 2, 0}, {1.3 * size, 1, 0, 0}, {size, 0.7, 0, 0}, {0.9 * size, 1.2, 0.4, 0.5},
		{1.1 * size, 0.8, 1.2, 0.2},
	} {
		cos, sin := math.Cos(c.angle), math.Sin(c.angle)
		turn := mat.NewDense(2, 2, []float64{cos, -sin, sin, cos})
		var moment mat.Dense
		moment.Mul(turn, mat.NewDiagDense(2, []float64{c.z * c.z, c.second * c.second}))
		moment.Mul(&moment, turn.T())
		moment.Sub(&moment, mat.NewDiagDense(2, []float64{size * size, 1}))
		apart, bound := mat.Norm(&moment, 2), s.Apart(c.z, math.Abs(c.second*c.second-1), sin)
		if !(apart <= bound*(1+1e-14) && bound <= apart*(1+c.slack)*(1+1e-14)) {
			t.Errorf("%+v: %v apart, bound %v", c, apart, bound)
		}
	}
}

// For p = 1 the objective of a stretch z is (z−1)² + v²/z², with a gradient that can be written down: the bound holds
// and is of the right order. Without a gradient it is 0, and beyond its reach +Inf.
func TestNearlyStationaryPointsAreNear(t *testing.T) {
	s := tangent.Stretch{Norm: 1.3, Family: tangent.Quadratic, Factor: 1}
	for _, h := range []float64{1e-3, -1e-6, 1e-9} {
		z := s.Size() + h
		gradient := math.Abs(2*(z-1) - 2*1.3*1.3/(z*z*z))
		near := s.Near(tangent.Stationary{Gradient: gradient, Largest: z, Cost: 1.3 * 1.3 / (z * z), Dim: 1})
		moved := math.Abs(z*z - s.Amplification())
		if !(moved <= near.Moment && near.Moment <= 50*moved) {
			t.Errorf("stretch off by %g: moment moved by %v, bound %v", h, moved, near.Moment)
		}
		if cost := math.Pow(z-1, 2) + 1.3*1.3/(z*z); !(cost-s.Optimum() <= near.Cost+1e-15) {
			t.Errorf("stretch off by %g: cost above by %v, bound %v", h, cost-s.Optimum(), near.Cost)
		}
	}
	at := tangent.Stationary{Largest: s.Size(), Cost: s.Cost(), Dim: 1}
	require.Zero(t, s.Near(at))
	at.Gradient = 1
	require.True(t, math.IsInf(s.Near(at).Moment, 1))
	at.Gradient = math.NaN()
	require.True(t, math.IsInf(s.Near(at).Drift, 1))
	require.Zero(t, tangent.Stretch{Norm: 0.5, Family: tangent.Absolute, Factor: 1}.Near(at), "a kink holds")
}

func TestPredictionsAtTheDefaults(t *testing.T) {
	quantities, err := tangent.Kernel.Evaluate(nil)
	require.NoError(t, err)
	require.Equal(t, "stretch", quantities[0].Name)
	near(t, "s at v = 1", quantities[0].Value, 1.38027756910, 1e-11)
}
