package nn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/roundoff"
)

// TestJoinedLeavesAloneWhatIsNoProduct: a linear stage with a bias or with pooling, and one under a convolution that a
// dense stage reads as a whole.
func TestJoinedLeavesAloneWhatIsNoProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 1))
	bare := func(s nn.Stage) nn.Stage { s.B = nil; return s }
	image := nn.Conv{Height: 4, Width: 4, Channels: 1, Size: 3, Pad: 1, Stride: 1}
	pixel := nn.Conv{Height: 2, Width: 2, Channels: 3, Size: 1, Stride: 1}
	for name, m := range map[string]*nn.Model{
		"bias": {Stages: []nn.Stage{nn.NewStage(r, 5, 4, nn.Identity), nn.NewStage(r, 4, 3, nn.Tanh)}},
		"pooling": {Stages: []nn.Stage{bare(nn.NewConvStage(r, image, 3, nn.Identity, 2)),
			nn.NewConvStage(r, pixel, 2, nn.Tanh, 0)}},
		"whole image": {Stages: []nn.Stage{bare(nn.NewConvStage(r, image, 3, nn.Identity, 0)),
			nn.NewStage(r, 48, 2, nn.Tanh)}},
		"activation": {Stages: []nn.Stage{bare(nn.NewStage(r, 5, 4, nn.ReLU)), nn.NewStage(r, 4, 3, nn.Tanh)}},
	} {
		x := gaussian(r, 3, inputs(m))
		joined := m.Joined()
		require.Len(t, joined.Stages, 2, name)
		require.True(t, mat.Equal(m.Predict(x), joined.Predict(x)), name)
	}
}

// TestInitialWeights: uniform on ±1/√in, so that none lies beyond, and of 100 draws one beyond nine tenths of it on
// either side, but for one seed in 170 (0.95¹⁰⁰ = 0.006); this one is fixed.
func TestInitialWeights(t *testing.T) {
	s := nn.NewStage(rand.New(rand.NewPCG(62, 1)), 4, 100, nn.Identity)
	bound, b := 0.5, mat.NewVecDense(100, s.B)
	for _, largest := range []float64{mat.Max(s.W), -mat.Min(s.W), mat.Max(b), -mat.Min(b)} {
		if !(largest > 0.9*bound && largest <= bound) {
			t.Errorf("largest entry %v of a bound of %v", largest, bound)
		}
	}
}

// TestLogisticFarOut: e⁻⁷⁴⁰ is a number, 4·10⁻³²², although e⁷⁴⁰ is none.
func TestLogisticFarOut(t *testing.T) {
	require.Equal(t, math.Exp(-740), nn.Sigmoid.Value(-740))
	require.Equal(t, math.Exp(-740), nn.Softplus.Slope(-740))
	require.Equal(t, 0.0, nn.Sigmoid.Value(math.Inf(-1)))
	require.Equal(t, 1.0, nn.Sigmoid.Value(math.Inf(1)))
}

// TestLogisticLossOfNearlyCertainLabels: with the label 1 − 2⁻⁴⁰ and the output v = 100.3 the loss is 2⁻⁴⁰v and e⁻¹⁰⁰.
// The difference 1 − y is exact, so that one rounding of the product and one of the sum remain; v − yv would have 2⁴⁰
// of them.
func TestLogisticLossOfNearlyCertainLabels(t *testing.T) {
	const v = 100.3
	got := nn.Logistic.Row(make([]float64, 1), []float64{v}, []float64{1 - 0x1p-40})
	if want := 0x1p-40 * v; !(math.Abs(got-want) <= 2*roundoff.Unit*want) {
		t.Errorf("loss %v, want %v", got, want)
	}
	got = nn.Logistic.Row(make([]float64, 1), []float64{-v}, []float64{0x1p-40})
	if want := 0x1p-40 * v; !(math.Abs(got-want) <= 2*roundoff.Unit*want) {
		t.Errorf("loss %v, want %v", got, want)
	}
}
