package tangent

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// Descend solves in B alone: it minimises the cost of the cheapest factors by [optim.LBFGS] over the parameters that
// meet the labels, from those of least Frobenius norm. It ends when the gradient within these is at most tiny.
func (s Structured) Descend(evaluations int, tiny float64) (Solution, error) {
	if err := s.valid(); err != nil {
		return Solution{}, err
	}
	start, err := s.MinFrobenius()
	if err != nil {
		return Solution{}, err
	}
	project, err := s.projector()
	if err != nil {
		return Solution{}, err
	}
	var x []float64
	for _, b := range start {
		x = append(x, flatten(b)...)
	}
	objective := func(grad, x []float64) float64 {
		cost := 0.0
		for l, b := range s.cut(x) {
			_, c, g, err := s.Layers[l].adapted(b)
			if err != nil {
				return math.Inf(1)
			}
			cost += c
			s.cut(grad)[l].Copy(g)
		}
		project(grad)
		return cost
	}
	found, _ := optim.LBFGS(objective, x, optim.Stop{Gradient: tiny, Evaluations: evaluations})
	// Rounding has added up to parameters that the labels see.
	floats.Sub(found.X, x)
	project(found.X)
	floats.Add(found.X, x)
	return s.certified(s.cut(found.X), found.Trace)
}

// cut returns the parameters of all layers, one after the other in x, as matrices on its memory.
func (s Structured) cut(x []float64) []*mat.Dense {
	out := make([]*mat.Dense, len(s.Layers))
	for l, layer := range s.Layers {
		size := layer.Rows * layer.Cols
		out[l] = mat.NewDense(layer.Rows, layer.Cols, x[:size])
		x = x[size:]
	}
	return out
}

// projector returns the orthogonal projection, in place, on the parameters that the labels do not see.
func (s Structured) projector() (func(x []float64), error) {
	n, width := len(s.Labels), 0
	for _, layer := range s.Layers {
		width += layer.Rows * layer.Cols
	}
	all := mat.NewDense(n, width, nil)
	at := 0
	for _, layer := range s.Layers {
		size := layer.Rows * layer.Cols
		all.Slice(0, n, at, at+size).(*mat.Dense).Copy(layer.Features)
		at += size
	}
	factor, err := linalg.Cholesky(mat.NewSymDense(n, dense.Gram(all).RawMatrix().Data))
	if err != nil {
		return nil, fmt.Errorf("tangent: features of the layers: %w", err)
	}
	seen := mat.NewDense(n, 1, nil)
	return func(x []float64) {
		column := mat.NewDense(width, 1, x)
		dense.Gemm(seen, 1, all, column, 0)
		linalg.CholeskySolve(factor, seen)
		dense.Gemm(column, -1, all.T(), seen, 1)
	}, nil
}
