package nn

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Stage is one trained map of a batched network. It cuts its input into rows — the samples themselves, or for a
// convolution their patches — and computes
//
//	z = h Wᵀ + b for every row h, then σ(z), then the maximum over squares of Pool×Pool pixels.
//
// Dense layers and convolutions are therefore one thing: a matrix applied to rows, of which a convolution has one per
// sample and site.
type Stage struct {
	W    *mat.Dense // out×in; of a convolution channels×patch length
	B    []float64  // out; nil for no bias
	Act  Activation
	Conv *Conv // nil for a dense stage
	Pool int   // side of the pooled squares after the activation; 0 for no pooling, and in a dense stage
}

// Model is a chain of stages under a loss. The output of a convolution is again an image with channels last, so that a
// dense stage after it reads the whole image as one row.
type Model struct {
	Stages []Stage
	Loss   Loss
}

// NewStage returns a dense stage with weights and biases uniform on ±1/√in, PyTorch's default (Kaiming uniform with
// a = √5). The weights are drawn first, row after row.
func NewStage(r *rand.Rand, in, out int, act Activation) Stage {
	bound := 1 / math.Sqrt(float64(in))
	s := Stage{W: mat.NewDense(out, in, nil), B: make([]float64, out), Act: act}
	s.W.Apply(func(_, _ int, _ float64) float64 { return bound * (2*r.Float64() - 1) }, s.W)
	for i := range s.B {
		s.B[i] = bound * (2*r.Float64() - 1)
	}
	return s
}

// NewConvStage returns a convolution to so many channels, initialised like [NewStage] with in = c.PatchLen().
func NewConvStage(r *rand.Rand, c Conv, channels int, act Activation, pool int) Stage {
	s := NewStage(r, c.PatchLen(), channels, act)
	s.Conv, s.Pool = &c, pool
	return s
}

// NewDenseModel returns dense stages between the widths (inputs first, outputs last), with the activation after all
// but the last.
func NewDenseModel(r *rand.Rand, widths []int, act Activation, loss Loss) *Model {
	m := &Model{Loss: loss}
	for l := range len(widths) - 1 {
		if l == len(widths)-2 {
			act = Identity
		}
		m.Stages = append(m.Stages, NewStage(r, widths[l], widths[l+1], act))
	}
	return m
}

// Clone returns a model with its own weights and biases.
func (m *Model) Clone() *Model {
	c := &Model{Stages: make([]Stage, len(m.Stages)), Loss: m.Loss}
	for i, s := range m.Stages {
		s.W = mat.DenseCopyOf(s.W)
		s.B = append([]float64(nil), s.B...)
		c.Stages[i] = s
	}
	return c
}

// sites is the number of rows per sample.
func (s *Stage) sites() int {
	if s.Conv == nil {
		return 1
	}
	down, across := s.Conv.Sites()
	return down * across
}

// pooling is the stage's pooling, if it has any.
func (s *Stage) pooling() (pool, bool) {
	if s.Conv == nil || s.Pool <= 1 {
		return pool{}, false
	}
	down, across := s.Conv.Sites()
	channels, _ := s.W.Dims()
	return pool{down, across, channels, s.Pool}, true
}
