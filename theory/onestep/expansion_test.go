package onestep

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/hermite"
)

func TestFeaturesOfTheTrueGradient(t *testing.T) {
	f := Features{Step: reference, Eta: 2, Trained: true} // c₁ = 1, c₂ = −1/2, c₃ = −1/6
	s2 := f.Noise()
	for k, want := range [][]float64{{1}, {0, 1}, {s2, 0, 1}, {0, 3 * s2, 0, 1}, {3 * s2 * s2, 0, 6 * s2, 0, 1}} {
		for i, x := range f.Left(k) {
			near(t, "P", x, want[i]*f.Activation.Coefficient(k), 1e-13*(1+want[i]))
		}
	}
	near(t, "coefficient of 1 a²", f.Coefficient(0, 2), -0.5*4*s2, 1e-13)
	near(t, "coefficient of u a³", f.Coefficient(1, 3), -1./6*8*3*s2, 1e-13)
	require.Zero(t, f.Coefficient(2, 1))
	require.Zero(t, f.Coefficient(0, 0))

	f.Trained = false
	near(t, "coefficient of u² a²", f.Coefficient(2, 2), -0.5*4, 1e-14)
	require.Zero(t, f.Coefficient(0, 2))
}

// P_k against its definition by quadrature in Z and Z′, for labels with a mean. The derivatives of r sin(z+t) are its
// shifts by π/2.
func TestLeftFeaturesAreGaussianMeans(t *testing.T) {
	const phase = 1
	step := Step{Phi: 0.7, Psi: 1, Activation: Activation("phase-sine"), Linear: 0.8, Mean: 0.6, Energy: 1.5}
	f := Features{Step: step, Eta: 1, Trained: true}
	c1, s, pull := f.Activation.Coefficient(1), math.Sqrt(f.Noise()), f.Pull()
	near(t, "pull", pull, 2*0.6*f.Activation.Coefficient(2), 1e-15)
	for k := 1; k <= 4; k++ {
		for _, u := range []float64{-1.5, 0, 0.4, 2} {
			polynomial, power := 0.0, 1.0
			for _, q := range f.Left(k) {
				polynomial += q * power
				power *= u
			}
			want := hermite.Expectation(func(z float64) float64 {
				derivative := math.Sqrt(math.E) * math.Sin(z+phase+float64(k)*math.Pi/2)
				return derivative / hermite.Factorial(k) *
					hermite.Expectation(func(g float64) float64 { return math.Pow(c1*u+pull*z+s*g, float64(k)) })
			})
			near(t, "P_k", polynomial, want, 1e-11*(1+math.Abs(want)))
		}
	}
}

func TestStrengthsAreNormsOfTheTerms(t *testing.T) {
	f := Features{Step: reference, Eta: 3}
	b := f.Length()
	near(t, "S₁", f.Strength(1, 100), 3*b, 1e-13)
	near(t, "S₂", f.Strength(2, 100), 0.5*9*b*b*3/10, 1e-13)
	near(t, "S₃", f.Strength(3, 100), 27*b*b*b*15/100/6, 1e-12)
	near(t, "missing", f.Missing(300), 0.5*9*f.Noise()/10, 1e-13)
}

func TestIntervalsTermsAndGrowth(t *testing.T) {
	for l, ends := range map[int][2]float64{
		1: {0, 1. / 4}, 2: {1. / 4, 1. / 3}, 3: {1. / 3, 3. / 8}, 4: {3. / 8, 2. / 5},
	} {
		lo, hi := Interval(l)
		near(t, "lower end", lo, ends[0], 1e-16)
		near(t, "upper end", hi, ends[1], 1e-16)
		middle := (lo + hi) / 2
		require.Equal(t, l, Terms(middle))
		f := Features{Step: reference}
		require.Negative(t, f.Growth(l, middle), "what is left after ℓ terms decays")
		require.Positive(t, f.Growth(l-1, middle), "what is left after ℓ−1 terms grows")
	}
	quadratic := Features{Step: Step{Activation: hermite.Series(0, 0.8, 0.5)}}
	near(t, "growth when the series has ended", quadratic.Growth(2, 0.32), -0.18, 1e-15)
	near(t, "growth of the next term", Features{Step: reference}.Growth(2, 0.32), 3*0.32-1, 1e-15)
}

// What even powers of normal numbers leave of 1: 2/3, 8/15, 16/35, as 2·4⋯2m/(3·5⋯(2m+1)).
func TestOwnOutlierNextToPowers(t *testing.T) {
	series := Features{Step: Step{Phi: 0.1, Psi: 0.1, Activation: hermite.Series(0, 1, 2, 0.3, 0.2, 0.1, 0.1)}}
	for l, want := range []float64{1, 1, 2. / 3, 2. / 3, 8. / 15, 8. / 15, 16. / 35} {
		near(t, "share of 1", series.across(l), want, 1e-12)
		near(t, "outlier", series.OwnOutlier(l), series.Bulk().OwnOutlier(2*math.Sqrt(want)), 1e-9)
	}
	lacking := Features{Step: Step{Activation: hermite.Series(0, 1, 2, 0.3)}}
	near(t, "c₄ = 0", lacking.across(4), 2./3, 1e-15)
}

func TestSpikesSkipVanishingCoefficients(t *testing.T) {
	require.Equal(t, 3, Features{Step: reference}.Spikes(3))
	require.Equal(t, 1, Features{Step: Step{Activation: hermite.Tanh()}}.Spikes(2))
	require.Equal(t, 2, Features{Step: Step{Activation: hermite.Tanh()}}.Spikes(3))
}

// The edges were found by simulation of size 4000 and by the fixed point in an independent program, to six digits.
func TestEdgesOfTheRandomFeatures(t *testing.T) {
	for _, row := range []struct {
		name           string
		phi, psi, edge float64
	}{
		{"sincos", 0.5, 0.5, 3.301137}, {"tanh", 0.8, 0.4, 2.135747}, {"relu", 0.4, 1, 1.223912},
		{"relu", 0.6, 0.6, 1.517836},
	} {
		f := Features{Step: Step{Phi: row.phi, Psi: row.psi, Activation: Activation(row.name)}}
		near(t, row.name, f.Bulk().Edge(), row.edge, 1e-6)
	}
}

// Limits in closed form: without a linear part F₀/√n is noise, without a nonlinear one a product of two.
func TestEdgeOfPureNoise(t *testing.T) {
	for _, ratio := range []float64{0.3, 1, 4} { // N/n = φ/ψ
		near(t, "noise", Bulk{Phi: ratio, Psi: 1, Nonlinear: 2.25}.Edge(), 1.5*(1+math.Sqrt(ratio)), 1e-6)
	}
	// XW₀ᵀ/√n with n = d = N: the squares of a product of two square Gaussian matrices reach 27/4 (Fuss-Catalan).
	near(t, "product", Bulk{Phi: 1, Psi: 1, Linear: 1}.Edge(), math.Sqrt(27./4), 1e-6)
}

func TestDensityOfTheRandomFeatures(t *testing.T) {
	for _, b := range []Bulk{{0.5, 0.5, 1, 0.7182818}, {0.4, 1, 0.5, 0.09}, {1.2, 0.4, 0.6, 0.03}, {0.5, 0.5, 0, 1}} {
		mass, square := 0.0, 0.0
		const steps = 1000
		width := 1.02 * b.Edge() / steps
		for i := range steps {
			x := (float64(i) + 0.5) * width
			mass += b.Density(x) * width
			square += b.Density(x) * width * x * x
		}
		near(t, "mass", mass, min(1, b.Phi/b.Psi), 5e-3) // the midpoint rule at the edges
		near(t, "mean of the squares", square, b.Phi/b.Psi*(b.Linear*b.Linear+b.Nonlinear), 5e-3)
		near(t, "beyond the edge", b.Density(1.02*b.Edge()), 0, 1e-4)
	}
	require.True(t, math.IsNaN(Bulk{Phi: -1, Psi: 1, Linear: 1}.Edge()))
	require.True(t, math.IsNaN(Bulk{Phi: 1, Psi: 1, Linear: 1}.Density(-1)))
}

// The table of the outlier of F at a finite step, for one spike with ‖a‖ = 1 and a linear teacher with noise 1/2:
// found by the fixed point in an independent program, and seen in simulations within 3 %.
func TestOutliersOfTheFeatures(t *testing.T) {
	for _, row := range []struct {
		name           string
		phi, psi, eta  float64
		edge, location float64
	}{
		{"sincos", 0.5, 0.5, 2, 3.301137, 3.610379}, {"sincos", 0.5, 0.5, 8, 3.301137, 10.464392},
		{"tanh", 0.8, 0.4, 4, 2.135747, 2.593666}, {"relu", 0.4, 1, 8, 1.223912, 2.598011},
		{"tanh", 0.8, 0.4, 2, 2.135747, 0}, {"relu", 0.4, 1, 2, 1.223912, 0},
	} {
		step := Step{Phi: row.phi, Psi: row.psi, Activation: Activation(row.name), Linear: 1, Energy: 1.25}
		f := Features{Step: step, Eta: row.eta}
		strength := math.Pow(f.Strength(1, 1), 2)
		one, none := mat.NewDense(1, 1, []float64{1}), mat.NewDense(1, 1, []float64{0})
		found := f.Bulk().Outliers(mat.NewDense(1, 1, []float64{strength}), none, one)
		if row.location == 0 {
			require.Empty(t, found, row.name)
			continue
		}
		require.Len(t, found, 1, row.name)
		near(t, row.name, found[0], row.location, 2e-6*row.location)
	}
}

// σ = z + 2(z²−1) at φ = ψ = 1/10: single networks at n = 1600 have 9.7 and 10.05 outside a bulk that ends at 6.65;
// with c₂ = 1/2 there is none.
func TestOwnOutlierOfTheFeatures(t *testing.T) {
	bulk := func(c2 float64) Bulk { return Bulk{Phi: 0.1, Psi: 0.1, Linear: 1, Nonlinear: 2 * c2 * c2} }
	near(t, "edge", bulk(2).Edge(), 6.652, 5e-4)
	near(t, "own outlier", bulk(2).OwnOutlier(2), 9.9, 0.2)
	require.Zero(t, bulk(0.5).OwnOutlier(0.5))
}

// Without a linear part and with n = N the largest singular value of Gaussian noise is (Johnstone 2001)
// √((√n + √N)² − 1.2065(√n + √N)(1/√n + 1/√N)^(1/3)) over √n.
func TestTopOfPureNoise(t *testing.T) {
	for _, n := range []float64{100, 1000} {
		root := math.Sqrt(n)
		want := math.Sqrt(4*n-1.2065*2*root*math.Cbrt(2/root)) / root
		near(t, "top", Bulk{Phi: 1, Psi: 1, Nonlinear: 1}.Top(n), want, 1e-4)
	}
}

// The second term outgrows all bounds and takes a third of the squared length of 1. F₀'s own outlier, if any, is then
// found next to a spike along (u^∘2, a^∘2) of any large size, where 2/3 of its square would be.
func TestOwnOutlierNextToTheSecondTerm(t *testing.T) {
	for _, c2 := range []float64{0.7, 1, 1.2, 1.5} { // none; in F₀ only; in both
		f := Features{Step: Step{Phi: 0.05, Psi: 0.05, Activation: hermite.Series(0, 1, c2)}}
		rest := mat.NewDense(2, 2, []float64{2 * c2 * c2 / f.Psi, 0, 0, 1e10})
		cosine := 1 / math.Sqrt(3)
		found := f.Bulk().Outliers(mat.NewDense(2, 2, nil), rest, mat.NewDense(2, 2, []float64{1, cosine, cosine, 1}))
		want := f.OwnOutlier(2)
		switch {
		case want == 0 && len(found) != 1, want > 0 && len(found) != 2:
			t.Errorf("c₂ = %v: found %v, want %v", c2, found, want)
		case want > 0 && !(math.Abs(found[1]/want-1) < 1e-6):
			t.Errorf("c₂ = %v: found at %v, want %v", c2, found[1], want)
		}
	}
	f := Features{Step: Step{Phi: 0.05, Psi: 0.05, Activation: hermite.Series(0, 1, 1)}}
	if !(f.OwnOutlier(0) > 6.9 && f.OwnOutlier(1) == f.OwnOutlier(0) && f.OwnOutlier(2) == 0) {
		t.Errorf("z + (z²−1): %v, %v, %v", f.OwnOutlier(0), f.OwnOutlier(1), f.OwnOutlier(2))
	}
}
