package onestep

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/hermite"
)

func TestFeaturesOfTheTrueGradient(t *testing.T) {
	f := Features{Step: reference, Eta: 2, Trained: true} // c₁ = 1, c₂ = −1/2, c₃ = −1/6
	s2 := f.Remainder()
	for k, want := range [][]float64{{1}, {0, 1}, {s2, 0, 1}, {0, 3 * s2, 0, 1}, {3 * s2 * s2, 0, 6 * s2, 0, 1}} {
		for i, x := range f.Left(k) {
			near(t, "Q", x, want[i], 1e-13*(1+want[i]))
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

// Q_k against its definition, the mean of (c₁u + sZ)ᵏ, by quadrature.
func TestLeftFeaturesAreGaussianMeans(t *testing.T) {
	f := Features{Step: Step{Phi: 0.7, Psi: 1, Activation: Activation("phase-sine"), Linear: 0.8, Energy: 1.5}, Eta: 1, Trained: true}
	c1, s := f.Activation.Coefficient(1), math.Sqrt(f.Remainder())
	for k := 1; k <= 5; k++ {
		for _, u := range []float64{-1.5, 0, 0.4, 2} {
			polynomial, power := 0.0, 1.0
			for _, q := range f.Left(k) {
				polynomial += q * power
				power *= u
			}
			want := hermite.Expectation(func(z float64) float64 { return math.Pow(c1*u+s*z, float64(k)) })
			near(t, "Q_k", polynomial, want, 1e-12*(1+math.Abs(want)))
		}
	}
}

func TestStrengthsAreNormsOfTheTerms(t *testing.T) {
	f := Features{Step: reference, Eta: 3}
	b := f.Length()
	near(t, "S₁", f.Strength(1, 100), 3*b, 1e-13)
	near(t, "S₂", f.Strength(2, 100), 0.5*9*b*b*3/10, 1e-13)
	near(t, "S₃", f.Strength(3, 100), 27*b*b*b*15/100/6, 1e-12)
	near(t, "missing", f.Missing(300), 0.5*9*f.Remainder()/10, 1e-13)
}

func TestIntervalsTermsAndGrowth(t *testing.T) {
	for l, ends := range map[int][2]float64{1: {0, 1. / 4}, 2: {1. / 4, 1. / 3}, 3: {1. / 3, 3. / 8}, 4: {3. / 8, 2. / 5}} {
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
	near(t, "growth of what the printed form leaves out", MissingGrowth(0.32), 0.14, 1e-15)
}

func TestOutliersSkipVanishingCoefficients(t *testing.T) {
	require.Equal(t, 3, Features{Step: reference}.Outliers(3))
	require.Equal(t, 1, Features{Step: Step{Activation: hermite.Tanh()}}.Outliers(2))
	require.Equal(t, 2, Features{Step: Step{Activation: hermite.Tanh()}}.Outliers(3))
}

// The edges were found by simulation of size 4000 and by the fixed point in an independent program, to six digits.
func TestEdgesOfTheRandomFeatures(t *testing.T) {
	for _, row := range []struct {
		name           string
		phi, psi, edge float64
	}{{"sincos", 0.5, 0.5, 3.301137}, {"tanh", 0.8, 0.4, 2.135747}, {"relu", 0.4, 1, 1.223912}, {"relu", 0.6, 0.6, 1.517836}} {
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
