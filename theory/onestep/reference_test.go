package onestep

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory/hermite"
)

// An independent program computed the numbers in this file; no other test of this package has them. Tolerances are half
// a unit of the last printed digit, or one unit if the number may have been truncated.

// Closed forms of the activations: coefficients, the energy beyond the linear part, and E σ′².
func TestActivationReference(t *testing.T) {
	for _, row := range []struct {
		name          string
		c             []float64
		beyond, slope float64
	}{
		{"sincos", []float64{0, 1, -0.5, -1. / 6, 1. / 24, 1. / 120}, 0.7182818, math.E},
		{"phase-sine", []float64{0, 0.5403023, -0.4207355, -0.0900504, 0.0350613}, 0.4356868, 1.2825950},
		{"tanh", []float64{0, 0.6057055, 0, -0.0605992, 0}, 0.0274153, 0.4644029},
		{"relu", []float64{0, 0.5, 0.1994711, 0, -0.0166226}, 0.0908451, 0.5},
	} {
		act := Activation(row.name)
		for k, want := range row.c {
			near(t, row.name, act.Coefficient(k), want, 1e-7)
		}
		near(t, row.name+", c²_{>1}", act.Nonlinear(), row.beyond, 1e-7)
		near(t, row.name+", E σ′²", act.SlopeEnergy, row.slope, 1e-7)
	}
}

// Exponents of n in ‖F − F_ℓ‖/√n: a term that comes next, or the products with XW₀ᵀ when the series has ended.
func TestGrowthReference(t *testing.T) {
	series := []float64{0, 0.8, 0.5, 0.3, 0.2}
	for _, row := range []struct {
		act   hermite.Activation
		terms int
		alpha float64
		want  float64
	}{
		{hermite.Series(series[:3]...), 1, 0.1, -0.30}, {hermite.Series(series[:3]...), 0, 0.1, 0.10},
		{hermite.Series(series[:3]...), 2, 0.1, -0.40}, {hermite.Series(0, 1, 0.5), 1, 0.32, 0.14},
		{hermite.Series(0, 1, 0.5), 2, 0.32, -0.18}, {Activation("sincos"), 2, 0.29, -0.13},
		{Activation("sincos"), 1, 0.29, 0.08}, {Activation("sincos"), 3, 0.355, -0.08},
		{Activation("sincos"), 2, 0.355, 0.065},
	} {
		near(t, "exponent", Features{Step: Step{Activation: row.act}}.Growth(row.terms, row.alpha), row.want, 1e-12)
	}
}

// The left vector of the second feature of the true gradient leans away from u²: the limit of their cosine.
func TestSecondLeftVectorReference(t *testing.T) {
	for phi, want := range map[float64]float64{0.5: 0.9752, 1: 0.9538, 0.2: 0.9925} {
		step := Step{Phi: phi, Psi: 1, Activation: Activation("sincos"), Linear: 1, Energy: 1}
		q := Features{Step: step, Eta: 1, Trained: true}.Left(2)
		b := step.Length()
		mean := func(power int) float64 { return hermite.DoubleFactorial(power-1) * math.Pow(b, float64(power)) }
		cosine := (q[0]*mean(2) + q[2]*mean(4)) / math.Sqrt((q[0]*q[0]+2*q[0]*q[2]*mean(2)+q[2]*q[2]*mean(4))*mean(4))
		near(t, "cosine", math.Abs(cosine), want, 1e-4)
	}
}

// The outlier of F at η = 4, for a linear teacher with noise of variance 1/4.
func TestOutlierReference(t *testing.T) {
	for _, row := range []struct {
		name           string
		phi, psi, want float64
	}{{"sincos", 0.5, 0.5, 5.630764}, {"tanh", 0.8, 0.4, 2.593666}, {"relu", 0.4, 1, 1.522813}} {
		step := Step{Phi: row.phi, Psi: row.psi, Activation: Activation(row.name), Linear: 1, Energy: 1.25}
		c1 := step.Activation.Coefficient(1)
		s := FeatureSpike{Features{Step: step}.Bulk(), c1 * c1 * 4 * step.Length()}
		near(t, row.name, s.Largest(), row.want, 2e-6)
	}
}

func TestTracesReference(t *testing.T) {
	r := Risk{Phi: 0.6, Psi: 0.4, Lambda: 0.05, Activation: Activation("sincos"), Teacher: setting1}
	e, err := r.Errors()
	require.NoError(t, err)
	near(t, "tr R", e.Resolvent.All, 1.422827, 1e-6)
	near(t, "tr(XᵀRX)/d", e.Resolvent.Linear, 0.604329, 1e-6)
	// Near the interpolation peak the bias factor is no share.
	r = Risk{Phi: 0.5, Psi: 0.5, Lambda: 1e-5, Activation: Activation("sincos"), Teacher: setting1}
	e, err = r.Errors()
	require.NoError(t, err)
	near(t, "B", e.Resolvent.Bias(), 57, 0.5)
}

// Ever more neurons at fixed λψ. The parameters were not printed: these give both numbers.
func TestManyNeuronsReference(t *testing.T) {
	r := Risk{Phi: 0.5, Psi: 1e-8, Lambda: 1e6, Activation: Activation("sincos"), Teacher: setting1}
	e, err := r.Errors()
	require.NoError(t, err)
	near(t, "B", e.Resolvent.Bias(), 0.15761, 6e-6)
	near(t, "1+V", e.Resolvent.Noise(), 1.26468, 6e-6)
}

// Test errors before a step and after one of size 1, of one network each with n = 4000, N = 2000 and d = 200: labels of
// second order scatter by some percent.
func TestConstantStepReference(t *testing.T) {
	for name, want := range map[string][2]float64{"relu": {1.4189, 1.4101}, "tanh": {1.2449, 1.2436},
		"sincos": {1.3349, 1.3155}} {
		r := Risk{Phi: 0.05, Psi: 0.1, Lambda: 0.02, Activation: Activation(name), Teacher: setting2, Terms: 1,
			Width: 2000}
		if name == "sincos" {
			r.Lambda = 0.3
		}
		for eta, want := range want {
			r.Eta = float64(eta)
			e, err := r.Errors()
			require.NoError(t, err)
			near(t, name, e.Test, want, 0.042*want)
		}
	}
}

// What Gaussian rows of W₀ gain over rows of length one after two strong terms.
func TestGaussianRowsReference(t *testing.T) {
	r := Risk{Phi: 0.4, Psi: 1, Lambda: 0.1, Activation: hermite.Series(0, 1, 1), Terms: 2, Eta: infinite,
		Teacher: Teacher{Coefficients: []float64{0, 1, 1}}}
	sphere, err := r.Errors()
	require.NoError(t, err)
	r.GaussianRows = true
	gaussian, err := r.Errors()
	require.NoError(t, err)
	near(t, "objective", sphere.Objective-gaussian.Objective, 0.0269, 1e-4)
	near(t, "test error", sphere.Test-gaussian.Test, 0.0701, 6e-5)
}

// Rows of the table of errors that TestErrorsReference leaves out: teachers of equal linear part and equal rest have
// equal errors, and a term without a coefficient changes none.
func TestEqualErrorsReference(t *testing.T) {
	for _, row := range []struct {
		name    string
		teacher Teacher
		terms   []int
		want    [3]float64
	}{
		{"R4", setting1, []int{1, 2}, [3]float64{.097676, .021666, 2.821130}},
		{"R4", setting2, []int{1, 2}, [3]float64{.097676, .021666, 2.821130}},
		{"R4", setting2, []int{0}, [3]float64{.103951, .022256, 2.898012}},
		{"R4", cubic, []int{1, 2}, [3]float64{.139053, .031797, 4.140298}},
	} {
		for _, terms := range row.terms {
			e, err := example(row.name, row.teacher, terms).Errors()
			require.NoError(t, err)
			for i, got := range []float64{e.Objective, e.Train, e.Test} {
				near(t, row.name, got, row.want[i], 6e-7)
			}
		}
	}
}

// Errors of regressions that were simulated: objective and test error; NaN where the test error was not printed.
func TestSimulatedErrorsReference(t *testing.T) {
	second := Teacher{Coefficients: []float64{0, 1, math.Sqrt(0.5)}, Noise: 0.25}
	third := Teacher{Coefficients: []float64{0, 1, 0.4, 0.3}, Noise: 0.09}
	mixed := examples["R2"]
	odd := Teacher{Coefficients: []float64{0, 1, 0.5}, Noise: 0.25}
	// φ, ψ and λ were not printed: they are round numbers that give all six errors.
	relu, curved := Risk{Phi: 0.25, Psi: 0.5, Lambda: 0.05, Activation: Activation("relu")}, Teacher{
		Coefficients: []float64{0, 1, 0.6, 0.2}, Noise: 0.09}
	for _, row := range []struct {
		risk    Risk
		teacher Teacher
		terms   int
		eta     float64
		want    [3]float64
	}{
		{examples["R1"], setting1, 1, 1, [3]float64{.3451, math.NaN(), 2.9897}},
		{examples["R1"], setting1, 1, 3, [3]float64{.3187, math.NaN(), 2.7967}},
		{examples["R1"], setting2, 2, 3, [3]float64{.3107, math.NaN(), math.NaN()}},
		{mixed, second, 0, infinite, [3]float64{.9029, math.NaN(), 3.2856}},
		{mixed, second, 1, infinite, [3]float64{.7668, math.NaN(), 2.7971}},
		{mixed, second, 2, infinite, [3]float64{.6716, math.NaN(), 2.4488}},
		{examples["R4"], odd, 0, infinite, [3]float64{.0820, math.NaN(), 2.2235}},
		{examples["R4"], odd, 1, infinite, [3]float64{.0752, math.NaN(), 2.1402}},
		{examples["R1"], third, 3, infinite, [3]float64{.2645, .1503, 2.3265}},
		{relu, curved, 0, infinite, [3]float64{.9034, math.NaN(), 1.7400}},
		{relu, curved, 1, infinite, [3]float64{.7591, math.NaN(), 1.5210}},
		{relu, curved, 2, infinite, [3]float64{.6222, math.NaN(), 1.2395}},
	} {
		r := row.risk
		r.Teacher, r.Terms, r.Eta, r.Width, r.Equivalent = row.teacher, row.terms, row.eta, 2000, true
		e, err := r.Errors()
		require.NoError(t, err)
		for i, got := range []float64{e.Objective, e.Train, e.Test} {
			if !math.IsNaN(row.want[i]) {
				near(t, r.Activation.Name, got, row.want[i], 6e-5)
			}
		}
	}
}

// The table of finite steps was computed without F₀'s own part, as for a Gaussian matrix in place of F₀.
func TestFiniteStepsOfTheEquivalentReference(t *testing.T) {
	for eta, want := range map[float64][3]float64{
		1: {.344943, .193033, 2.988226}, 2: {.324760, .182771, 2.829374},
		4: {.297068, .166620, 2.579351}, 8: {.272024, .153854, 2.381730},
	} {
		r := example("R1", setting2, 2)
		r.Eta, r.Width, r.Equivalent = eta, 2000, true
		e, err := r.Errors()
		require.NoError(t, err)
		for i, got := range []float64{e.Objective, e.Train, e.Test} {
			near(t, "two terms", got, want[i], 6e-7)
		}
	}
	for i, row := range [2][]float64{
		{3.558, 3.495, 3.401, 3.296, 3.260, 3.236, 3.221, 3.213, 3.206},
		{3.558, 3.495, 3.395, 3.238, 3.113, 2.973, 2.883, 2.845, 2.826},
	} {
		for j, alpha := range []float64{-.2, 0, .1, .2, .25, .3, .35, .4, .5} {
			e, err := Risk{Phi: 0.6, Psi: 0.6, Lambda: 0.01, Activation: Activation("relu"), Teacher: SettingTeachers[i],
				Terms: 2, Eta: math.Pow(500, alpha), Width: 500, Equivalent: true}.Errors()
			require.NoError(t, err)
			near(t, "settings", e.Test, row[j], 6e-4)
		}
	}
}

// Gains in the test error of σ = z + (z²−1) in Setting 2 at n = N = 6400, and how much smaller they are for the true
// gradient.
func TestTrueGradientReference(t *testing.T) {
	for eta, want := range map[float64][3]float64{8: {1.3226, 0.9930, 0.330}, 4: {math.NaN(), math.NaN(), 0.0885}} {
		r := Risk{Phi: 0.5, Psi: 0.5, Lambda: 0.1, Activation: hermite.Series(0, 1, 1), Teacher: setting2, Width: 6400,
			Equivalent: true}
		start, err := r.Errors()
		require.NoError(t, err)
		r.Terms, r.Eta = 2, eta
		displayed, err := r.Errors()
		require.NoError(t, err)
		r.Trained = true
		trained, err := r.Errors()
		require.NoError(t, err)
		for i, got := range []float64{start.Test - displayed.Test, start.Test - trained.Test, trained.Test - displayed.Test} {
			if !math.IsNaN(want[i]) {
				near(t, "gain", got, want[i], 6e-4)
			}
		}
	}
}

// Coefficients of the bounded teacher, and the number of spikes that grow: the floor counts those of the second step.
func TestTwoStepsReference(t *testing.T) {
	for k, want := range []float64{0, 0, 0, 0.23916, 0, -0.05979} {
		near(t, "c⋆", hermite.Coefficient(Links["exponent-three"], k), want, 6e-6)
	}
	for _, row := range []struct {
		first, second string
		want          float64
	}{{"0.2", "0.2", 1}, {"0.3", "0.3", 2}, {"0.3", "0.45", 3}, {"0.1", "0.3", 1}} {
		quantities, err := TwoSteps.Evaluate(map[string]string{"alpha1": row.first, "alpha2": row.second})
		require.NoError(t, err)
		for _, q := range quantities {
			if q.Name == "outliers" {
				require.Equal(t, row.want, q.Value)
			}
		}
	}
}
