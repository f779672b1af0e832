package optim_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/impl/procrustes"
)

func stream(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 23)) }

func gaussian(r *rand.Rand, rows, cols int) *mat.Dense {
	m := mat.NewDense(rows, cols, nil)
	m.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, m)
	return m
}

// rules makes one of each kind.
var rules = map[string]func() optim.Rule{
	"sgd":             func() optim.Rule { return optim.SGD{Gamma: 0.15} },
	"vcl, SGD's Gram": func() optim.Rule { return &optim.VCL{Gamma: 0.15} },
	"vcl, nearly":     func() optim.Rule { return &optim.VCL{Gamma: 0.15, Solver: procrustes.Auto{Gap: 1e-6}} },
	"vcl, true shift": func() optim.Rule {
		return &optim.VCL{Gamma: 0.15, Solver: procrustes.Auto{Target: procrustes.TrueShift}}
	},
	"algorithm 1, per step": func() optim.Rule {
		return &optim.Algorithm1{Gamma: 0.15, Alpha: 0.5, PerStep: true,
			Clip: true}
	},
}

// small is a convolution with pooling, a wide, a square and a tall dense stage.
func small(r *rand.Rand) *nn.Model {
	c := nn.Conv{Height: 6, Width: 6, Channels: 1, Size: 3, Pad: 1, Stride: 1}
	return &nn.Model{Loss: nn.SoftmaxCrossEntropy, Stages: []nn.Stage{nn.NewConvStage(r, c, 4, nn.GELU, 2),
		nn.NewStage(r, 36, 12, nn.GELU), nn.NewStage(r, 12, 12, nn.Tanh), nn.NewStage(r, 12, 16, nn.Identity), nn.NewStage(r,
			16, 2, nn.Identity)}}
}

// bars are images with one bright row (label 0) or column (label 1).
func bars(r *rand.Rand, count int) (x *mat.Dense, labels []int) {
	x, labels = gaussian(r, count, 36), make([]int, count)
	x.Scale(0.1, x)
	for i := range count {
		labels[i] = r.IntN(2)
		at := r.IntN(6)
		for j := range 6 {
			pixel := at*6 + j
			if labels[i] == 1 {
				pixel = j*6 + at
			}
			x.Set(i, pixel, x.At(i, pixel)+1)
		}
	}
	return x, labels
}

func TestEveryRuleTrainsEveryKindOfStage(t *testing.T) {
	for name, rule := range rules {
		r := stream(1)
		x, labels := bars(r, 96)
		y := nn.OneHot(labels, 2)
		trainer := optim.NewTrainer(small(r), rule)
		first := trainer.Model.Value(x, y)
		for _, batch := range []int{1, 16, 96} {
			for range 6 {
				_, err := trainer.Epoch(r, x, y, batch)
				require.NoError(t, err, name)
			}
		}
		if last := trainer.Model.Value(x, y); !(last < first/2) {
			t.Errorf("%s: the loss went from %v to %v", name, first, last)
		}
	}
}

func TestSGDIsTheGradientStep(t *testing.T) {
	r := stream(2)
	m := nn.NewDenseModel(r, []int{5, 4, 2}, nn.Tanh, nn.Squared)
	before := m.Clone()
	x, y := gaussian(r, 3, 5), gaussian(r, 3, 2)
	var tr nn.Trace
	before.Backprop(&tr, x, y)
	trainer := &optim.Trainer{Model: m, Rules: []optim.Rule{optim.SGD{Gamma: 0.5}, nil}}
	loss, reports, err := trainer.Step(x, y)
	require.NoError(t, err)
	require.Equal(t, tr.Loss, loss)
	grad := mat.NewDense(4, 5, nil)
	tr.Views[0].WeightGrad(grad)
	for i := range 4 {
		for j := range 5 {
			require.Equal(t, math.FMA(-0.5, grad.At(i, j), before.Stages[0].W.At(i, j)), m.Stages[0].W.At(i, j))
		}
		require.Equal(t, before.Stages[0].B[i]-0.5*tr.Views[0].BiasGrad()[i], m.Stages[0].B[i])
	}
	require.True(t, mat.Equal(before.Stages[1].W, m.Stages[1].W) && before.Stages[1].B[0] == m.Stages[1].B[0],
		"a stage without a rule moved")
	require.Equal(t, "sgd", reports[0].Rule)
	require.Equal(t, optim.Report{}, reports[1])
	if want := 0.5 * mat.Norm(grad, 2); !(math.Abs(reports[0].Moved-want) <= 1e-14*want) {
		t.Errorf("moved %v, want %v", reports[0].Moved, want)
	}
}

// TestVCLHasSGDsGram compares with the weights of SGD; products of length n ≤ 36 of entries of order one round below
// 100·u.
func TestVCLHasSGDsGram(t *testing.T) {
	r := stream(3)
	x, labels := bars(r, 20)
	y := nn.OneHot(labels, 2)
	model := small(r)
	plain, virtual := optim.NewTrainer(model.Clone(), rules["sgd"]), optim.NewTrainer(model.Clone(),
		rules["vcl, SGD's Gram"])
	_, _, err := plain.Step(x, y)
	require.NoError(t, err)
	_, reports, err := virtual.Step(x, y)
	require.NoError(t, err)
	for l := range model.Stages {
		w, s, old := virtual.Model.Stages[l].W, plain.Model.Stages[l].W, model.Stages[l].W
		var got, want, product mat.Dense
		got.Mul(w.T(), w)
		want.Mul(s.T(), s)
		got.Sub(&got, &want)
		product.Mul(w, old.T())
		want.Reset()
		want.Sub(&product, product.T())
		for what, e := range map[string]float64{"Gram": mat.Norm(&got, 2), "certificate": mat.Norm(&want, 2)} {
			if !(e <= 1e-14*math.Pow(mat.Norm(s, 2), 2)) {
				t.Errorf("stage %d: %s off by %v", l, what, e)
			}
		}
		require.Equal(t, "polar", reports[l].Method)
		require.NotEmpty(t, reports[l].Why)
		require.Equal(t, plain.Model.Stages[l].B, virtual.Model.Stages[l].B)
	}
}

// tall is one square-loss stage with m > n and inputs short enough for every shift to be feasible.
func tall(r *rand.Rand) (*nn.Model, *mat.Dense, *mat.Dense) {
	m := nn.NewDenseModel(r, []int{4, 7}, nn.Identity, nn.Squared)
	m.Stages[0].B = nil
	x := gaussian(r, 3, 4)
	x.Scale(0.1, x)
	return m, x, gaussian(r, 3, 7)
}

// TestAlgorithm1AddsEveryShiftAgain: with α = ½ and feasible shifts v_s, printed as it is, W_TᵀW_T is WᵀW + Σ (T−s+1)
// v_s.
func TestAlgorithm1AddsEveryShiftAgain(t *testing.T) {
	m, x, y := tall(stream(4))
	rule := &optim.Algorithm1{Gamma: 0.1, Alpha: 0.5}
	trainer := &optim.Trainer{Model: m, Rules: []optim.Rule{rule}}
	want := procrustes.SGDGram.Gram(procrustes.Problem{W: m.Stages[0].W, Gamma: mat.NewDense(7, 1, nil),
		H: mat.NewDense(4, 1, nil)})
	require.Nil(t, rule.Past())
	for range 6 {
		_, _, err := trainer.Step(x, y)
		require.NoError(t, err)
		want.Add(want, rule.Past())
	}
	var got mat.Dense
	got.Mul(m.Stages[0].W.T(), m.Stages[0].W)
	got.Sub(&got, want)
	if e := mat.Norm(&got, 2); !(e <= 1e-13*mat.Norm(want, 2)) {
		t.Errorf("off by %v", e)
	}
}

// TestAlgorithm1FlattensTheSpectrum: without a gradient the recommended α = 0.1 takes every singular value s to s^0.2.
func TestAlgorithm1FlattensTheSpectrum(t *testing.T) {
	m, x, y := tall(stream(5))
	y.Mul(x, m.Stages[0].W.T()) // the targets are met: no gradient, up to rounding
	_, before, _, err := linalg.SVD(m.Stages[0].W, mat.SVDNone)
	require.NoError(t, err)
	trainer := optim.NewTrainer(m, func() optim.Rule { return &optim.Algorithm1{Gamma: 0.1} })
	_, _, err = trainer.Step(x, y)
	require.NoError(t, err)
	_, after, _, err := linalg.SVD(trainer.Model.Stages[0].W, mat.SVDNone)
	require.NoError(t, err)
	for i, s := range after {
		if want := math.Pow(before[i], 0.2); !(math.Abs(s-want) <= 1e-12) {
			t.Errorf("singular value %d is %v, want %v", i, s, want)
		}
	}
}

// TestAnErrorLeavesTheModelAlone: a wide stage whose running sum has lost so many eigenvalues that a leading one is
// negative is an error unless it is clipped.
func TestAnErrorLeavesTheModelAlone(t *testing.T) {
	for _, clip := range []bool{false, true} {
		r := stream(6)
		m := nn.NewDenseModel(r, []int{6, 4, 2}, nn.GELU, nn.Squared)
		x, y := gaussian(r, 8, 6), gaussian(r, 8, 2)
		rule := &optim.Algorithm1{Gamma: 0.5, Alpha: 0.5, Clip: clip}
		trainer := &optim.Trainer{Model: m, Rules: []optim.Rule{rule, optim.SGD{Gamma: 0.1}}}
		var err error
		var before *nn.Model
		var past *mat.Dense
		for i := 0; i < 50 && err == nil; i++ {
			before, past = m.Clone(), rule.Past()
			_, _, err = trainer.Step(x, y)
		}
		if clip {
			continue
		}
		require.ErrorContains(t, err, "optim: stage 0: procrustes: eigenvalue")
		for l := range m.Stages {
			require.True(t, mat.Equal(before.Stages[l].W, m.Stages[l].W))
			require.Equal(t, before.Stages[l].B, m.Stages[l].B)
		}
		require.True(t, mat.Equal(past, rule.Past()))
		_, err = trainer.Epoch(r, x, y, 3)
		require.Error(t, err)
	}
	require.Panics(t, func() {
		_, _, _ = (&optim.Trainer{Model: nn.NewDenseModel(stream(1), []int{1, 1}, nn.Tanh, nn.Squared)}).Step(mat.NewDense(1,
			1, nil), mat.NewDense(1, 1, nil))
	})
}
