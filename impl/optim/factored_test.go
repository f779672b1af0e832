package optim_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/internal/roundoff"
)

// TestFactoredDoesWhatVCLDoes trains both ways for as long as a rotation takes to be made orthogonal and a factor's
// Gram matrix to be renewed. Roundings grow along the way; 10⁻⁹ is 10⁷ of them.
func TestFactoredDoesWhatVCLDoes(t *testing.T) {
	r := stream(40)
	x, labels := bars(r, 40)
	y := nn.OneHot(labels, 2)
	for _, batch := range []int{5, 40} {
		model := small(stream(41))
		want := optim.NewTrainer(model.Clone(), func() optim.Rule { return &optim.VCL{Gamma: 0.05} })
		got := optim.Factored(model, 0.05)
		require.Len(t, got.Model.Stages, 8, "the first, second and last stage are wide")
		require.True(t, mat.EqualApprox(model.Predict(x), got.Model.Predict(x), 1e-14))
		var handed, copies []*mat.Dense
		for i := range 140 {
			at := i * batch % 40
			part, target := x.Slice(at, at+batch, 0, 36).(*mat.Dense), y.Slice(at, at+batch, 0, 2).(*mat.Dense)
			handed, copies = append(handed, got.Model.Stages[0].W), append(copies, mat.DenseCopyOf(got.Model.Stages[0].W))
			_, _, err := want.Step(part, target)
			require.NoError(t, err)
			_, _, err = got.Step(part, target)
			require.NoError(t, err)
		}
		for i, w := range handed {
			require.True(t, mat.Equal(copies[i], w), "weights that were handed out have changed")
		}
		var d mat.Dense
		d.Sub(want.Model.Predict(x), got.Model.Predict(x))
		if e := mat.Max(&d); !(math.Abs(e) <= 1e-9) || !(mat.Min(&d) >= -1e-9) {
			t.Errorf("batch %d: outputs differ by %v", batch, e)
		}
		var moved mat.Dense
		moved.Sub(want.Model.Predict(x), model.Predict(x))
		require.Greater(t, mat.Norm(&moved, 2), 0.5, "nothing was learnt")
	}
}

// TestRotationsStayOrthogonal: right after the upkeep to what a polar factor has, 10√m·2⁻⁵³; eight times 128 turns
// alone would leave more.
func TestRotationsStayOrthogonal(t *testing.T) {
	r := stream(44)
	model := nn.NewDenseModel(r, []int{40, 12, 2}, nn.Tanh, nn.SoftmaxCrossEntropy)
	trainer := optim.Factored(model, 0.3)
	for range 8 * 128 {
		_, _, err := trainer.Step(gaussian(r, 4, 40), nn.OneHot([]int{0, 1, 1, 0}, 2))
		require.NoError(t, err)
	}
	w := trainer.Model.Stages[1].W
	var d mat.Dense
	d.Mul(w, w.T())
	for i := range 12 {
		d.Set(i, i, d.At(i, i)-1)
	}
	if e := mat.Norm(&d, 2); !(e <= 10*math.Sqrt(12)*roundoff.Unit) {
		t.Errorf("off orthogonality by %v", e)
	}
}

// TestFactoredSurvivesAnError: a step that failed in another stage leaves the model as it was, and the next one starts
// from there.
func TestFactoredSurvivesAnError(t *testing.T) {
	r := stream(42)
	x, labels := bars(r, 10)
	y := nn.OneHot(labels, 2)
	model := small(stream(43))
	got, want := optim.Factored(model, 0.05), optim.Factored(model, 0.05)
	for i := range 3 {
		if i == 1 {
			bad := mat.DenseCopyOf(x)
			bad.Set(3, 3, math.NaN())
			_, _, err := got.Step(bad, y)
			require.Error(t, err)
		}
		_, _, err := got.Step(x, y)
		require.NoError(t, err)
		_, _, err = want.Step(x, y)
		require.NoError(t, err)
	}
	require.True(t, mat.EqualApprox(want.Model.Predict(x), got.Model.Predict(x), 1e-12))
	rotation := &optim.Trainer{Model: got.Model, Rules: make([]optim.Rule, 8)}
	rotation.Rules[1] = optim.Factored(model, 0.05).Rules[1]
	_, _, err := rotation.Step(x, y)
	require.ErrorContains(t, err, "without the step of its factor")
}
