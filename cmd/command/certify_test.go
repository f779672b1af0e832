package command

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/internal/tensors"
	"github.com/thm-suite/thm/props/catalog"
	"github.com/thm-suite/thm/props/results"
)

// layerStep holds one step of a linear layer as the arrays of vcl/residual.
type layerStep struct {
	W          *mat.Dense `npy:"W"`
	Next       *mat.Dense `npy:"W_next"`
	Inputs     *mat.Dense `npy:"H"`
	PreGrads   *mat.Dense `npy:"Gamma"`
	InputGrads *mat.Dense `npy:"P"`
	Rate       float64    `npy:"step"`
	Weights    float64    `npy:"a"`
	Virtual    float64    `npy:"b"`
	Covariance float64    `npy:"c"`
}

// step moves a layer of 64 neurons on 32 samples down the gradient of the mean loss. Every number is rounded by round.
func step(rate, gradients float64, round func(float64) float64) *layerStep {
	const neurons, batch = 64, 32
	random := rand.New(rand.NewPCG(1, 1))
	normal := func(rows, cols int, scale float64) *mat.Dense {
		m := mat.NewDense(rows, cols, nil)
		m.Apply(func(int, int, float64) float64 { return round(scale * random.NormFloat64()) }, m)
		return m
	}
	s := &layerStep{W: normal(neurons, neurons, 0.125), Inputs: normal(neurons, batch, 1),
		PreGrads: normal(neurons, batch, gradients), Next: new(mat.Dense), InputGrads: new(mat.Dense),
		Rate: rate, Weights: 1.0 / batch, Virtual: 1, Covariance: 1.0 / batch}
	rounded := func(_, _ int, x float64) float64 { return round(x) }
	s.InputGrads.Mul(s.W.T(), s.PreGrads)
	s.InputGrads.Apply(rounded, s.InputGrads)
	s.Next.Mul(s.PreGrads, s.Inputs.T())
	s.Next.Scale(-rate/batch, s.Next)
	s.Next.Add(s.W, s.Next)
	s.Next.Apply(rounded, s.Next)
	return s
}

// TestCertifyBlind: numbers that would agree with any claim decide nothing, whether the step is right or not.
func TestCertifyBlind(t *testing.T) {
	single := func(x float64) float64 { return float64(float32(x)) }
	double := func(x float64) float64 { return x }
	wrong := func(s *layerStep, change func(before, after float64) float64) *layerStep {
		s.Next.Apply(func(i, j int, x float64) float64 { return change(s.W.At(i, j), x) }, s.Next)
		return s
	}
	still := func(before, _ float64) float64 { return before }
	uphill := func(before, after float64) float64 { return 2*before - after }
	const hint, remedy = "every number of W is one of float32", "compute and save the numbers in float64"
	for _, tt := range []struct {
		name string
		step *layerStep
		want results.Verdict
		says []string
	}{
		{"float32, right", step(0.01, 1e-3, single), results.Undecided, []string{hint, remedy, `"residual" would notice`}},
		{"float32, no step", wrong(step(0.01, 1e-3, single), still), results.Undecided, []string{hint, remedy}},
		{"float32, uphill", wrong(step(0.01, 1e-3, single), uphill), results.Undecided, []string{hint, remedy}},
		{"float32, a long step", step(1, 1, single), results.Holds, []string{hint}},
		{"float32, a long step uphill", wrong(step(1, 1, single), uphill), results.Refuted, []string{hint}},
		{"float64", step(0.01, 1e-3, double), results.Holds, nil},
		{"float64, no step", wrong(step(0.01, 1e-3, double), still), results.Refuted, nil},
		{"float64, no gradients", step(0.01, 0, double), results.Undecided, []string{"not all zero"}},
	} {
		path := filepath.Join(t.TempDir(), "step.npz")
		require.NoError(t, tensors.Encode(path, tt.step))
		claim, err := runs.One(catalog.All(), "vcl/residual")
		require.NoError(t, err)
		found, err := claim.Certify("", path)
		require.NoError(t, err)
		require.Equal(t, tt.want, found.Verdict, "%s: %v", tt.name, found.Criteria)
		if tt.says == nil {
			require.Empty(t, found.Message, tt.name)
		}
		for _, text := range tt.says {
			require.Contains(t, found.Message, text, tt.name)
		}
	}
}

// TestCertifySaysWhyItCannotJudge: numbers for which a comparison is undefined get a reason, not only the word error.
func TestCertifySaysWhyItCannotJudge(t *testing.T) {
	claim, err := runs.One(catalog.All(), "linear/balance")
	require.NoError(t, err)
	for size, says := range map[float64]string{0: "not all zero", 1e300: "too large"} {
		square := mat.NewDense(1, 1, []float64{size})
		path := filepath.Join(t.TempDir(), "layers.npz")
		require.NoError(t, tensors.Encode(path, &twoLayers{square, square, square, square, square, square, square, square,
			0.5, 0, 1}))
		found, err := claim.Certify("", path)
		require.NoError(t, err)
		require.Equal(t, results.Error, found.Verdict)
		require.Contains(t, found.Message, says)
	}
}

// twoLayers holds the arrays of linear/balance.
type twoLayers struct {
	W1     *mat.Dense `npy:"W1"`
	W2     *mat.Dense `npy:"W2"`
	G1     *mat.Dense `npy:"G1"`
	G2     *mat.Dense `npy:"G2"`
	Next1  *mat.Dense `npy:"W1_next"`
	Next2  *mat.Dense `npy:"W2_next"`
	H      *mat.Dense `npy:"H"`
	Gamma  *mat.Dense `npy:"Gamma"`
	Step   float64    `npy:"step"`
	Decay  float64    `npy:"decay"`
	Degree float64    `npy:"degree"`
}

// TestCertifyNamesTheMistake: if numbers are refuted and agree with a control of the claim, the message says so.
func TestCertifyNamesTheMistake(t *testing.T) {
	s := step(0.5, 1, func(x float64) float64 { return x })
	s.Rate *= 1.5 // no control takes a different step
	path := filepath.Join(t.TempDir(), "step.npz")
	require.NoError(t, tensors.Encode(path, s))
	claim, err := runs.One(catalog.All(), "vcl/residual")
	require.NoError(t, err)
	found, err := claim.Certify("", path)
	require.NoError(t, err)
	require.Equal(t, results.Refuted, found.Verdict)
	require.NotContains(t, found.Message, "your numbers agree with")

	square := func(transposed bool) *equationSides {
		s := step(1, 1, func(x float64) float64 { return x })
		e := &equationSides{W: s.W, H: s.Inputs, Gamma: s.PreGrads, GradW: new(mat.Dense), GradH: s.InputGrads}
		e.GradW.Mul(s.PreGrads, s.Inputs.T())
		if transposed { // a gradient of the weights that makes Wᵀ∇ the transpose of what it should be
			var right, inverse mat.Dense
			right.Mul(s.InputGrads, s.Inputs.T())
			require.NoError(t, inverse.Inverse(s.W.T()))
			e.GradW.Mul(&inverse, right.T())
		}
		return e
	}
	claim, err = runs.One(catalog.All(), "vcl/equation")
	require.NoError(t, err)
	for _, transposed := range []bool{false, true} {
		require.NoError(t, tensors.Encode(path, square(transposed)))
		found, err = claim.Certify("", path)
		require.NoError(t, err)
		if !transposed {
			require.Equal(t, results.Holds, found.Verdict)
			require.Empty(t, found.Message)
			continue
		}
		require.Equal(t, results.Refuted, found.Verdict)
		require.Contains(t, found.Message, "your numbers agree with: sides exchanged: H·∇_Hᵀ")
	}
}

// equationSides holds the arrays of vcl/equation.
type equationSides struct {
	W     *mat.Dense `npy:"W"`
	H     *mat.Dense `npy:"H"`
	Gamma *mat.Dense `npy:"Gamma"`
	GradW *mat.Dense `npy:"grad_W"`
	GradH *mat.Dense `npy:"grad_H"`
}
