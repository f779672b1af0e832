package poly_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/impl/poly"
	"github.com/thm-suite/thm/internal/roundoff"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v within %.2g", what, got, want, tolerance)
	}
}

var quartic = poly.New(map[poly.Exponents]float64{poly.Powers(2, 1): 1, poly.Powers(1, 1): 2, poly.Powers(0, 4): -1,
	poly.Powers(1): 0.5, poly.Powers(): 1})

func TestHalfLineMomentsByHand(t *testing.T) {
	// ∫₁^∞ z³φ = (t²+2)φ(1) = 3φ(1), ∫₁^∞ z²φ = φ(1) + 1 − Φ(1); φ and Φ from tables.
	m := poly.HalfLine(3, 1)
	for k, want := range []float64{0.15865525393145705, 0.24197072451914337, 0.24197072451914337 + 0.15865525393145705,
		3 * 0.24197072451914337} {
		near(t, "half-line moment", m[k], want, 4*roundoff.Unit)
	}
	require.Len(t, poly.HalfLine(0, 1), 1)
}

// A midpoint rule on a fine grid of the plane, in coordinates along and across w so that the boundary of the half-space
// is a grid line. Its error is of second order, (1/200)²/24 times slopes at the boundary and second derivatives of at
// most some tens.
func TestHalfSpaceAgainstAMidpointRule(t *testing.T) {
	for _, c := range []struct {
		w []float64
		b float64
	}{{[]float64{0.6, 0.8}, 0}, {[]float64{0.3, -1.1}, 0.5}, {[]float64{-2, 0}, -1}} {
		const h, dy, reach = 1.0 / 200, 0.5, 9.0
		s := math.Hypot(c.w[0], c.w[1])
		mass, first := 0.0, [2]float64{}
		for z := -c.b/s + h/2; z < reach; z += h {
			for y := -reach; y < reach; y += dy { // analytic across: the rule converges beyond all orders
				x := []float64{(c.w[0]*z - c.w[1]*y) / s, (c.w[1]*z + c.w[0]*y) / s}
				weight := quartic.At(x) * math.Exp(-(z*z+y*y)/2) / (2 * math.Pi) * h * dy
				mass += weight
				first[0] += weight * x[0]
				first[1] += weight * x[1]
			}
		}
		m := poly.HalfSpace(quartic, c.w, c.b)
		near(t, "mass", m.Mass, mass, 1e-4)
		near(t, "first", m.First[0], first[0], 1e-4)
		near(t, "second", m.First[1], first[1], 1e-4)
	}
}

// E[f xᵢ 1] is the moment of f at coordinate i and the mass of f·xᵢ. For a coordinate that f does not contain the two
// run through integrals of different dimension.
func TestMomentIsTheMassOfTheProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		w, b := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, r.NormFloat64()
		m := poly.HalfSpace(quartic, w, b)
		for i := range w {
			mass := poly.HalfSpace(quartic.Times(poly.Variable(i)), w, b).Mass
			// degree 5, 21 monomials
			near(t, "moment by mass", m.First[i], mass, 200*roundoff.Unit*poly.Magnitude(quartic, w, b))
		}
	}
}

// ∂/∂w E[f σ(w·x+b)] = E[f x 1], and E[f σ(w·x+b)] = w·E[f x 1] + b E[f 1].
func TestMomentIsTheGradientOfTheCorrelation(t *testing.T) {
	correlation := func(w []float64, b float64) float64 {
		m := poly.HalfSpace(quartic, w, b)
		sum := b * m.Mass
		for i, wi := range w {
			sum += wi * m.First[i]
		}
		return sum
	}
	const h = 1e-5 // truncation h²/6 times third derivatives of some tens, rounding u·10/h: both below 1e-8
	w, b := []float64{0.4, -0.7, 0.2}, 0.3
	m := poly.HalfSpace(quartic, w, b)
	for i := range w {
		up, down := append([]float64{}, w...), append([]float64{}, w...)
		up[i] += h
		down[i] -= h
		near(t, "derivative in w", m.First[i], (correlation(up, b)-correlation(down, b))/(2*h), 1e-8)
	}
	near(t, "derivative in b", m.Mass, (correlation(w, b+h)-correlation(w, b-h))/(2*h), 1e-8)
}

func TestGradientsByHand(t *testing.T) {
	// f = x²−1 in one dimension: E[f x 1{x≥0}] = M₃ − M₁ = φ(0).
	phi := 1 / math.Sqrt(2*math.Pi)
	n := poly.Neuron{A: -1, W: []float64{3}}
	near(t, "gradient", n.Gradient(poly.Hermite(2, 0))[0], 2*phi, 10*roundoff.Unit)
	near(t, "gradient of a lone neuron", n.GradientAlone(poly.Hermite(2, 0))[0], 2*phi+3, 10*roundoff.Unit)
	// He₃ is invisible to a neuron without bias.
	for _, g := range (poly.Neuron{A: 1, W: []float64{0.5, -0.25, 1}}).Gradient(poly.Hermite(3, 1)) {
		near(t, "gradient of He₃", g, 0, 100*roundoff.Unit)
	}
	require.PanicsWithValue(t, "population: a lone neuron with a bias is not implemented",
		func() { poly.Neuron{A: 1, W: []float64{1}, B: 1}.GradientAlone(quartic) })
	require.PanicsWithValue(t, "population: the weights are zero",
		func() { poly.HalfSpace(quartic, []float64{0, 0}, 1) })
	require.PanicsWithValue(t, "population: the polynomial has more variables than the weights",
		func() { poly.HalfSpace(quartic, []float64{1}, 1) })
}

func BenchmarkHalfSpace(b *testing.B) {
	f := poly.Poly{}
	for i := range 4 {
		f = f.Plus(poly.Hermite(2, i))
	}
	w := make([]float64, 256)
	for i := range w {
		w[i] = 1
	}
	for b.Loop() {
		poly.HalfSpace(f, w, 0)
	}
}
