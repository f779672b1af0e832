package latent_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/theory/latent"
)

func length(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}

// Leading part and remainder add up to −2a times the series at b = 0.
func TestLeadingAndRemainderAddUp(t *testing.T) {
	centred := latent.Target{{2, []int{2}}, {-1, []int{1, 1}}, {1, []int{3}}, {0.5, []int{2, 2}}, {1, []int{0, 5}},
		{-0.25, []int{4, 2}}, {0.125, []int{0, 0, 6}}}
	w := []float64{2. / 7, -3. / 7, 6. / 7}
	s := latent.Series{Target: centred, W: w}
	lead, rest, moment := latent.Leading(centred, -1, w), latent.Remainder(centred, -1, w), s.Moment()
	for i := range w {
		near(t, "gradient", lead[i]+rest[i], 2*moment[i], 4*s.Rounding(roundoff.Unit))
	}
}

func TestRemainderOfTheIsotropicTarget(t *testing.T) {
	for _, c := range []latent.Isotropic{{D: 1, R: 1}, {D: 9, R: 3}, {D: 64, R: 16}, {D: 16, R: 16}} {
		flat := make([]float64, c.D)
		for i := range flat {
			flat[i] = 1 / math.Sqrt(float64(c.D))
		}
		got := length(latent.Remainder(c.Target(), 1, flat)) // √(r/π)/d exactly for the flat neuron
		near(t, "‖R‖ of the flat neuron", got, math.Sqrt(float64(c.R)/math.Pi)/float64(c.D),
			20*float64(c.D)*roundoff.Unit*got)
		near(t, "E‖R‖", c.Remainder(), math.Sqrt(float64(c.R)/math.Pi)/float64(c.D), 4*roundoff.Unit)
	}
	// A neuron inside S⋆ has ρ = 1, one outside has no gradient at all.
	two := latent.Isotropic{D: 3, R: 2}
	near(t, "inside", length(latent.Remainder(two.Target(), 1, []float64{0.6, 0.8, 0})), two.Length(1), 1e-15)
	require.Zero(t, length(latent.Remainder(two.Target(), 1, []float64{0, 0, 1})))
	require.Zero(t, length(latent.Leading(two.Target(), 1, []float64{0, 0, 1})))
}

func TestIsotropicClosedForms(t *testing.T) {
	require.Zero(t, latent.Isotropic{D: 5, R: 5}.RelativeVariance()) // ρ = 1 always
	// The gradient inside S⋆ is then −2a/√(πr)·ŵ/2, spread evenly over the d directions.
	near(t, "signal at r = d", latent.Isotropic{D: 5, R: 5}.Signal(), 1/(5*5*math.Pi), 1e-16)
	// In the plane ρ² = cos²θ for a uniform angle: E cos⁴ = 3/8, E cos⁶ = 5/16, E cos⁴sin² = 1/16.
	plane := latent.Isotropic{D: 2, R: 1}
	near(t, "relative variance in the plane", plane.RelativeVariance(), 4*(3./8-1./4), 1e-16)
	near(t, "signal in the plane", plane.Signal(), 4/math.Pi*(1./2-3./8+5./64), 2e-16)
	near(t, "noise in the plane", plane.Noise(), 1/(16*math.Pi), 1e-16)
	near(t, "gap in the plane", plane.Gap(), math.Sqrt(13), 2e-15)
	near(t, "relative variance for large d", latent.Isotropic{D: 1e6, R: 4}.RelativeVariance(), 0.5, 1e-5)
	near(t, "gap for large d", latent.Isotropic{D: 1e6, R: 2}.Gap()/1e6, 2/math.Sqrt(8), 1e-5)
	// d·envelope/√r = (√r+√(2 ln m))²/(r√π): 14.55 at r = 1, m = 4096.
	near(t, "envelope", latent.Isotropic{D: 1e6, R: 1}.Envelope(4096)*1e6, 14.55, 5e-3)
	plain := math.Pow(1+math.Sqrt(2*math.Log(4)*2), 2) / (2 * math.Sqrt(math.Pi)) // d/(d−1) = 2
	near(t, "envelope in the plane", plane.Envelope(4), plain, 1e-15*plain)
	require.Equal(t, latent.Isotropic{D: 50, R: 3}.Remainder(), latent.Isotropic{D: 50, R: 3}.Length(3./50))
}

// The closed forms for a general Hessian, at H = √(2/r)·I on r of d coordinates.
func TestQuadraticTargetsContainTheIsotropicOne(t *testing.T) {
	for _, c := range []latent.Isotropic{{D: 2, R: 1}, {D: 9, R: 3}, {D: 5, R: 5}, {D: 1000, R: 16}} {
		q := latent.Quadratic{D: c.D, H: c.Target().Hessian(c.R)}
		square := c.Remainder() * c.Remainder() * (1 + c.RelativeVariance())
		near(t, "E‖R‖²", q.MeanSquare(), square, 1e-14*square)
		near(t, "the bound is attained", latent.Bounds{D: c.D, R: c.R, P: 3}.Remainder(), math.Sqrt(square),
			1e-14*math.Sqrt(square))
		m := q.Latent()
		for i := range c.R {
			for j := range c.R {
				want := 0.0
				if i == j {
					want = c.Signal()
				}
				near(t, "E∇∇ᵀ on S⋆", m.At(i, j), want, 1e-14*c.Signal())
			}
		}
		if c.R < c.D {
			near(t, "E∇∇ᵀ off S⋆", q.Other(), c.Noise(), 1e-14*c.Noise())
		}
	}
}

// For one direction and degree 4 the mean square of g⁴'s gradient is by hand: E‖T(g³)‖² = E g⁶ = 15 for T = e₁⊗…⊗e₁.
func TestBoundsByHand(t *testing.T) {
	const d = 7.0
	want := 3/(math.Pi*d*(d+2)) + 2/math.Pi*math.Pow(1/6., 2)*24*15/(d*(d+2)*(d+4))
	near(t, "B²", math.Pow(latent.Bounds{D: d, R: 1, P: 5}.Remainder(), 2), want, 1e-14*want)
	f := latent.Target{{0.6, []int{3}}, {0.8 / math.Sqrt(24), []int{4}}}
	four := latent.Bounds{D: d, R: 1, P: 4}
	near(t, "a target of degrees 3 and 4", four.RemainderOf(f), 0.8*four.Part(4), 1e-15)
	// Attained to leading order by the isotropic target, whose gap it bounds from below.
	a := latent.Isotropic{D: 1e8, R: 3}
	near(t, "gap", latent.Bounds{D: 1e8, R: 3, P: 2}.Gap(1/math.Sqrt2)/a.Gap(), 1, 1e-3)
	require.Zero(t, latent.Bounds{D: 9, R: 3, P: 2}.Gap(1e6))
}

func TestArrays(t *testing.T) {
	f := latent.Target{{2, []int{2}}, {-1, []int{1, 1}}, {0.5, []int{0, 0, 3}}}
	alpha, h := f.Arrays(3)
	g := latent.NewTarget(alpha, h)
	w := []float64{0.5, -2, 1.5}
	for k := range 4 {
		require.Equal(t, f.Form(k, w), g.Form(k, w))
	}
	require.Equal(t, 4*2+1+0.25*6, f.MeanSquare())
	require.Len(t, f.From(3), 1)
	require.NoError(t, latent.ValidArrays(alpha, h, 3))
	require.ErrorContains(t, latent.ValidArrays(alpha, h, 2), "too large")
	require.ErrorContains(t, latent.ValidArrays(alpha, h[1:], 3), "numbers of terms")
	alpha.Set(0, 1, 0.5)
	require.ErrorContains(t, latent.ValidArrays(alpha, h, 9), "whole number")
}

func TestHessianOutsideTheHypothesesIsNaN(t *testing.T) {
	bad := latent.Isotropic{D: 2, R: 3}
	require.ErrorContains(t, bad.Valid(), "latent directions")
	for _, x := range []float64{bad.Remainder(), bad.RelativeVariance(), bad.Envelope(5), bad.Signal(), bad.Noise(),
		bad.Gap(), bad.Length(0.5),
		latent.Isotropic{D: 4, R: 2}.Envelope(0), latent.Isotropic{D: 1, R: 1}.Envelope(2),
		latent.Bounds{D: 3, R: 1, P: 1}.Remainder(), latent.Bounds{D: 2, R: 3, P: 2}.Gap(1),
		latent.Bounds{D: 3, R: 3, P: 2}.Gap(1), latent.Bounds{D: 9, R: 3, P: 2}.Gap(0.7),
		latent.Isotropic{D: 3, R: 3}.Noise(), latent.Isotropic{D: 3, R: 3}.Length(math.NaN())} {
		require.True(t, math.IsNaN(x))
	}
	linear := latent.Target{{1, []int{1}}, {1, []int{2}}}
	require.True(t, math.IsNaN(latent.Remainder(linear, 1, []float64{1})[0]))
	require.True(t, math.IsNaN(latent.Remainder(latent.Isotropic{D: 3, R: 3}.Target(), 1, []float64{1})[0]))
}

func TestHessianPrediction(t *testing.T) {
	quantities, err := latent.Hessian.Evaluate(map[string]string{"d": "1024", "r": "4"})
	require.NoError(t, err)
	near(t, "remainder", quantities[0].Value, 2/math.Sqrt(math.Pi)/1024, 1e-17)
	_, err = latent.Hessian.Evaluate(map[string]string{"r": "0"})
	require.ErrorContains(t, err, "r=0 is outside its domain")
	_, err = latent.Hessian.Evaluate(map[string]string{"r": "101"})
	require.ErrorContains(t, err, "between 1 and the dimension")
	for _, extreme := range []map[string]string{
		{"d": "1000000000", "r": "1000000000", "m": "1000000000", "p": "30"}, {"d": "2", "r": "2", "p": "30"},
		{"d": "2", "r": "1", "kappa": "1e9"},
	} {
		quantities, err = latent.Hessian.Evaluate(extreme)
		require.NoError(t, err)
		for _, q := range quantities {
			require.False(t, math.IsNaN(q.Value) || math.IsInf(q.Value, 0), "%v: %s = %v", extreme, q.Name, q.Value)
		}
	}
}
