package onestep

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The worked examples: fixed points, and errors (objective, train, test) for three teachers.
var (
	setting1 = Teacher{Coefficients: []float64{0, 1}, Noise: 1}
	setting2 = Teacher{Coefficients: []float64{0, 1, math.Sqrt(0.5)}}
	cubic    = Teacher{Coefficients: []float64{0, 0.8, 0.5, 0.4}, Noise: 0.04}
	infinite = math.Inf(1)
	examples = map[string]Risk{
		"R1":  {Phi: 0.5, Psi: 0.5, Lambda: 0.1, Activation: Activation("sincos")},
		"R2":  {Phi: 0.4, Psi: 0.8, Lambda: 0.02, Activation: Activation("sincos")},
		"R4":  {Phi: 0.8, Psi: 0.4, Lambda: 0.01, Activation: Activation("tanh")},
		"R6":  {Phi: 0.6, Psi: 0.6, Lambda: 0.01, Activation: Activation("relu")},
		"R8":  {Phi: 1.5, Psi: 0.5, Lambda: 0.05, Activation: Activation("sincos")},
		"R9":  {Phi: 0.05, Psi: 0.1, Lambda: 0.02, Activation: Activation("tanh")},
		"R10": {Phi: 0.1, Psi: 0.2, Lambda: 0.05, Activation: Activation("relu")},
	}
)

// example returns one of the examples with a teacher, after the step in the limit of strong spikes.
func example(name string, t Teacher, terms int) Risk {
	r := examples[name]
	r.Teacher, r.Terms, r.Eta = t, terms, infinite
	return r
}

func TestFixedPointReference(t *testing.T) {
	for name, want := range map[string][5]float64{
		"R1":  {2.54160802, 1.10892615, 2.93451701, .83887352, 2.31737612},
		"R2":  {25.77062192, 12.93076061, 31.44133004, .92817453, 1.88596668},
		"R4":  {8.76350932, 1.63159324, .83885203, .19989451, 2.69811773},
		"R6":  {21.01351340, 7.39947459, 3.75884247, .79738015, 2.76816895},
		"R8":  {.34804042, .23706996, .48706107, .87080698, 1.65148555},
		"R9":  {36.29799085, .59327861, 1.21278282, .00989503, 1.19208686},
		"R10": {13.68785373, 1.87252176, 1.71160429, .10854275, 1.26762677},
	} {
		e, err := example(name, setting1, 0).Errors()
		require.NoError(t, err)
		v := e.Resolvent
		for i, got := range []float64{v.All, v.Linear, v.Leak, v.Bias(), v.Noise()} {
			near(t, name, got, want[i], 6e-9*max(1, want[i]))
		}
		require.Less(t, max(v.Residual, v.DResidual), 1e-13)
	}
}

func TestErrorsReference(t *testing.T) {
	for _, row := range []struct {
		name    string
		teacher Teacher
		terms   int
		variant string
		want    [3]float64
	}{
		{"R1", setting1, 0, "", [3]float64{.365053, .203887, 3.156250}},
		{"R1", setting1, 1, "", [3]float64{.309607, .176792, 2.736813}},
		{"R1", setting1, 2, "", [3]float64{.309607, .176792, 2.736813}},
		{"R1", setting2, 0, "", [3]float64{.365053, .203887, 3.156250}},
		{"R1", setting2, 1, "", [3]float64{.309607, .176792, 2.736813}},
		{"R1", setting2, 2, "", [3]float64{.267247, .151842, 2.350584}},
		{"R1", setting2, 2, "Gaussian", [3]float64{.260871, .147294, 2.280175}},
		{"R1", setting2, 2, "trained", [3]float64{.286317, .163074, 2.524459}},
		{"R1", setting2, 2, "intercept", [3]float64{.24607, math.NaN(), 2.1575}},
		{"R1", cubic, 0, "", [3]float64{.452212, .259227, 4.012943}},
		{"R1", cubic, 1, "", [3]float64{.425650, .246247, 3.812006}},
		{"R1", cubic, 2, "", [3]float64{.413783, .239257, 3.703802}},
		{"R1", cubic, 3, "", [3]float64{.400991, .231723, 3.587170}},
		{"R1", cubic, 2, "Gaussian", [3]float64{.411997, .237983, 3.684077}},
		{"R1", cubic, 2, "trained", [3]float64{.420005, .242922, 3.760533}},
		{"R2", setting2, 0, "", [3]float64{.774028, .747577, 2.814141}},
		{"R2", setting2, 1, "", [3]float64{.630353, .610593, 2.298489}},
		{"R2", setting2, 2, "", [3]float64{.524301, .507506, 1.910430}},
		{"R2", setting2, 2, "Gaussian", [3]float64{.511114, .494317, 1.860784}},
		{"R2", setting2, 2, "trained", [3]float64{.568098, .550079, 2.070691}},
		{"R4", setting1, 0, "", [3]float64{.103951, .022256, 2.898012}},
		{"R4", setting2, 1, "", [3]float64{.097676, .021666, 2.821130}},
		{"R4", cubic, 0, "", [3]float64{.141895, .032064, 4.175109}},
		{"R4", cubic, 2, "", [3]float64{.139053, .031797, 4.140298}},
		{"R4", cubic, 3, "", [3]float64{.137358, .031396, 4.088111}},
		{"R6", setting2, 0, "", [3]float64{.284130, .157443, 3.565549}},
		{"R6", setting2, 1, "", [3]float64{.250496, .141439, 3.203104}},
		{"R6", setting2, 2, "", [3]float64{.221552, .124602, 2.821813}},
		{"R6", setting2, 2, "Gaussian", [3]float64{.217488, .121761, 2.757466}},
		{"R6", setting2, 2, "trained", [3]float64{.230709, .129929, 2.942447}},
		{"R10", setting2, 0, "", [3]float64{.778019, .644589, 1.376170}},
		{"R10", setting2, 1, "", [3]float64{.699997, .602221, 1.285717}},
		{"R10", setting2, 2, "", [3]float64{.383149, .327338, .698853}},
		{"R10", setting2, 2, "Gaussian", [3]float64{.292456, .234080, .499750}},
		{"R10", setting2, 2, "trained", [3]float64{.417190, .356871, .761905}},
	} {
		r := example(row.name, row.teacher, row.terms)
		r.GaussianRows, r.Trained, r.Intercept = row.variant == "Gaussian", row.variant == "trained",
			row.variant == "intercept"
		e, err := r.Errors()
		require.NoError(t, err)
		for i, got := range []float64{e.Objective, e.Train, e.Test} {
			tolerance := 6e-7
			if row.variant == "intercept" {
				tolerance = 6e-5
			}
			if !math.IsNaN(row.want[i]) {
				near(t, row.name+" "+row.variant, got, row.want[i], tolerance)
			}
		}
	}
}

// With two terms the reference left out that F₀'s own part c₂(|x|²/d − 1)1ᵀ shares a direction with a^∘2. That costs
// some of the gain, and less the longer the step.
func TestFiniteStepReference(t *testing.T) {
	for eta, want := range map[float64][2][3]float64{
		0.25: {{.363166, .202823, 3.139784}, {.363166, .202823, 3.139784}},
		1:    {{.345066, .193127, 2.989683}, {.344943, .193033, 2.988226}},
		2:    {{.326643, .184200, 2.851495}, {.324760, .182771, 2.829374}},
		4:    {{.315141, .179109, 2.772688}, {.297068, .166620, 2.579351}},
		8:    {{.311103, .177410, 2.746377}, {.272024, .153854, 2.381730}},
	} {
		for l := range 2 {
			r := example("R1", setting2, l+1)
			r.Eta, r.Width = eta, 2000
			e, err := r.Errors()
			require.NoError(t, err)
			for i, got := range []float64{e.Objective, e.Train, e.Test} {
				if l == 0 {
					near(t, "one term", got, want[0][i], 6e-7)
					continue
				}
				require.GreaterOrEqual(t, got, want[1][i]-6e-6) // "same" at η = 1/4
				require.LessOrEqual(t, got, want[0][i]+6e-7)
				near(t, "two terms", got, want[1][i], 0.008*want[1][i])
			}
		}
	}
}

func TestRiskOutsideTheHypotheses(t *testing.T) {
	for name, change := range map[string]func(*Risk){
		"ℓ":     func(r *Risk) { r.Terms = 7 },
		"η":     func(r *Risk) { r.Eta = -1 },
		"N":     func(r *Risk) { r.Eta, r.Width = 1, 0 },
		"noise": func(r *Risk) { r.Teacher.Noise = math.NaN() },
		"λ":     func(r *Risk) { r.Lambda = 0 },
		"φ":     func(r *Risk) { r.Phi = 0 },
	} {
		r := example("R1", setting2, 2)
		change(&r)
		_, err := r.Errors()
		require.ErrorContains(t, err, "onestep: ", name)
	}
}

func BenchmarkRisk(b *testing.B) {
	for _, name := range []string{"R1", "R4"} {
		r := example(name, cubic, 3)
		r.Eta, r.Width = 3, 2000
		b.Run(r.Activation.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := r.Errors(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Gains of the second term by the closed form, from differences of worked errors.
func TestSecondGain(t *testing.T) {
	r := Risk{Phi: 0.5, Psi: 0.5, Lambda: 0.1, Activation: Activation("sincos"), Terms: 2, Eta: math.Inf(1),
		Teacher: Teacher{Coefficients: []float64{0, 1, math.Sqrt2 / 2}}}
	const noise, before = 2.31737612, 2.736813 // 1+V, and the test error after one term
	for trained, after := range map[bool]float64{false: 2.350584, true: 2.524459} {
		r.Trained = trained
		if got := noise * r.SecondGain(); !(math.Abs(got-(before-after)) <= 3e-6) {
			t.Errorf("true gradient %v: gain %.7g, want %.7g", trained, got, before-after)
		}
	}
}
