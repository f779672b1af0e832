package optim_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/roundoff"
)

var errSolver = errors.New("this solver always fails")

type failing struct{}

func (failing) Solve(procrustes.Problem) (procrustes.Step, error) {
	return procrustes.Step{}, errSolver
}

// TestASolverThatAlwaysFails: its error is the error of the step, which names the stage and leaves the model alone. A
// step that kept the error to itself would look like one that had nothing to do.
func TestASolverThatAlwaysFails(t *testing.T) {
	r := stream(50)
	m := nn.NewDenseModel(r, []int{5, 4, 2}, nn.Tanh, nn.Squared)
	before := m.Clone()
	x, y := gaussian(r, 6, 5), gaussian(r, 6, 2)
	rules := []optim.Rule{optim.SGD{Gamma: 0.1}, &optim.VCL{Gamma: 0.1, Solver: failing{}}}
	trainer := &optim.Trainer{Model: m, Rules: rules}
	_, reports, err := trainer.Step(x, y)
	require.ErrorIs(t, err, errSolver)
	require.ErrorContains(t, err, "stage 1")
	require.Nil(t, reports)
	loss, err := trainer.Epoch(r, x, y, 2)
	require.ErrorIs(t, err, errSolver)
	require.True(t, math.IsNaN(loss))
	unmoved(t, before, m)
}

// TestNoRuleTakesABatchThatIsNotFinite: the rules that solve say what is wrong; that of gradient descent has nothing to
// solve, and hands NaN on.
func TestNoRuleTakesABatchThatIsNotFinite(t *testing.T) {
	for name, rule := range rules {
		if name == "sgd" {
			continue
		}
		for _, bad := range []float64{math.NaN(), math.Inf(1)} {
			r := stream(51)
			m := nn.NewDenseModel(r, []int{5, 4, 2}, nn.Tanh, nn.Squared)
			before := m.Clone()
			x, y := gaussian(r, 6, 5), gaussian(r, 6, 2)
			x.Set(3, 2, bad)
			_, _, err := optim.NewTrainer(m, rule).Step(x, y)
			require.ErrorIs(t, err, linalg.ErrNotFinite, name)
			unmoved(t, before, m)
		}
	}
}

// TestAFactoredStepSurfacesItsErrors: the factor's that its batch is not finite, and not the rotation's complaint that
// the factor has not stepped; the rotation's, when it is made orthogonal again after 128 turns, that it has no rank.
func TestAFactoredStepSurfacesItsErrors(t *testing.T) {
	r := stream(52)
	trainer := optim.Factored(nn.NewDenseModel(r, []int{9, 3, 2}, nn.Tanh, nn.Squared), 1e-3)
	x, y := gaussian(r, 4, 9), gaussian(r, 4, 2)
	bad := mat.DenseCopyOf(x)
	bad.Set(1, 1, math.NaN())
	for range 127 {
		_, _, err := trainer.Step(x, y)
		require.NoError(t, err)
	}
	before := trainer.Model.Clone()
	_, _, err := trainer.Step(bad, y)
	require.ErrorIs(t, err, linalg.ErrNotFinite)
	require.ErrorContains(t, err, "stage 0")
	unmoved(t, before, trainer.Model)
	rotation := trainer.Model.Stages[1].W
	for i := range 3 {
		rotation.Set(i, 0, 0)
	}
	before = trainer.Model.Clone()
	_, _, err = trainer.Step(x, y)
	require.ErrorContains(t, err, "stage 1: rotation: ")
	unmoved(t, before, trainer.Model)
}

// TestEpochReturnsTheMeanLoss: of a model that stays as it is, over batches of which the last is smaller. The mean of 7
// losses is off by less than 10 roundings, here and there.
func TestEpochReturnsTheMeanLoss(t *testing.T) {
	r := stream(53)
	m := nn.NewDenseModel(r, []int{5, 2}, nn.Tanh, nn.Squared)
	x, y := gaussian(r, 7, 5), gaussian(r, 7, 2)
	got, err := (&optim.Trainer{Model: m, Rules: []optim.Rule{nil}}).Epoch(r, x, y, 3)
	require.NoError(t, err)
	if want := m.Value(x, y); !(math.Abs(got-want) <= 20*roundoff.Unit*want) {
		t.Errorf("mean loss %v, want %v", got, want)
	}
}

func unmoved(t *testing.T, before, after *nn.Model) {
	t.Helper()
	for l := range before.Stages {
		require.True(t, mat.Equal(before.Stages[l].W, after.Stages[l].W), "stage %d moved", l)
		require.Equal(t, before.Stages[l].B, after.Stages[l].B)
	}
}
