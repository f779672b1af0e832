package tangent

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/optim"
)

// Search minimises the cost of a model, by [optim.LBFGS] and then by [optim.Refine]. A penalty |z−1| has its kink
// rounded off to a parabola for that, widely first and then less: see [Penalty.Smoothed]. Newton's method over M alone
// ends every search. In the end singular values within the last width of 1 are set to 1, if that costs less.
type Search struct {
	Model
	Kink      float64             // slope of the penalty at its kink; 0 where there is none
	Smoothing float64             // width |z−1| of the last parabola
	Free      func(i, j int) bool // the entries of M that may move; nil for all
	Tiny      float64             // gradient at which the quasi-Newton search ends and Newton's method begins
}

// From minimises from a start, over M alone or, when theta is not nil, over θ and M together. It returns M and the norm
// of the gradient in M of the objective without θ, with the last parabola where there is one. That the search gave up
// shows in that norm. The start is not changed.
func (s Search) From(theta []float64, start *mat.Dense) (m *mat.Dense, gradient float64, err error) {
	p, _ := start.Dims()
	m = mat.DenseCopyOf(start)
	if s.Free != nil {
		m.Apply(func(i, j int, x float64) float64 {
			if s.Free(i, j) {
				return x
			}
			return 0
		}, m)
	}
	x := slices.Concat(theta, m.RawMatrix().Data)
	last := s.Model
	for _, width := range s.widths() {
		if width > 0 {
			last.Penalty = s.Penalty.Smoothed(width * s.Kink)
		}
		objective, pair := last.Eliminated(s.Free), func(x []float64) *mat.Dense { return mat.NewDense(p, p, x) }
		if theta != nil {
			joint, err := last.Joint()
			if err != nil {
				return nil, math.NaN(), err
			}
			objective, pair = joint.Objective, func(x []float64) *mat.Dense { _, m := joint.Pair(x); return m }
		}
		found, _ := optim.LBFGS(objective, x, optim.Stop{Gradient: s.Tiny, Evaluations: 2000})
		if width <= s.Smoothing {
			found = s.settled(objective, found)
		}
		x, m = found.X, pair(found.X)
	}
	// Over θ and M together the minima form a continuum of more dimensions, in which Newton's method may stop early.
	flat := s.settled(last.Eliminated(s.Free), optim.Minimum{X: m.RawMatrix().Data})
	m = mat.NewDense(p, p, flat.X)
	if s.Kink > 0 && s.Free == nil {
		m, err = s.snapped(m)
	}
	return m, flat.Gradient, err
}

// settled refines a minimum. Where Newton's method does not begin to converge, it is too far away: the quasi-Newton
// search goes on from there to a hundredth of the gradient, up to three times.
func (s Search) settled(f optim.Objective, found optim.Minimum) optim.Minimum {
	found = optim.Refine(f, found)
	for range 3 {
		if found.Gradient <= 1e-4*s.Tiny {
			break
		}
		found, _ = optim.LBFGS(f, found.X, optim.Stop{Gradient: found.Gradient / 100, Evaluations: 2000})
		found = optim.Refine(f, found)
	}
	return found
}

// widths returns the widths of the parabolas, one after the other; 0 is none.
func (s Search) widths() []float64 {
	if s.Kink > 0 {
		return []float64{100 * s.Smoothing, s.Smoothing}
	}
	return []float64{0}
}

// snapped is M with those singular values that are within the smoothing of 1 replaced by 1, or M itself if that costs
// less.
func (s Search) snapped(m *mat.Dense) (*mat.Dense, error) {
	u, values, v, err := linalg.SVD(m, mat.SVDThin)
	if err != nil {
		return nil, fmt.Errorf("tangent: singular values: %w", err)
	}
	for j, sigma := range values {
		if math.Abs(sigma-1) <= s.Smoothing {
			values[j] = 1
		}
	}
	var other mat.Dense
	other.Mul(u, mat.NewDiagDense(len(values), values))
	other.Mul(&other, v.T())
	before, err := s.Parameters(m)
	if err != nil {
		return nil, err
	}
	after, err := s.Parameters(&other)
	if err != nil || !(s.Cost(after, &other) < s.Cost(before, m)) {
		return m, err
	}
	return &other, nil
}
