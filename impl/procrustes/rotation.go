package procrustes

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// rotation is the projected problem of [Krylov] while its space grows.
type rotation struct {
	w, y  *mat.Dense // m×n, m×c
	z     mat.Matrix // n×c
	space *basis     // V, as k rows

	t, s       *mat.Dense // capacity×n: VᵀW and VᵀW'
	m          *mat.Dense // capacity×capacity: M = VᵀW W'ᵀV
	u          *mat.Dense // k×k, polar factor of M
	iterations int
	uneven     bool      // gains do not fall evenly from block to block
	move       float64   // ‖W' − W‖²
	squares    []float64 // ‖W₊ − W‖² after each solution; it never grows
}

func (r *rotation) n() int { _, n := r.w.Dims(); return n }

// grow takes up the vectors of the space from old on. Only the new rows and columns of M are computed.
func (r *rotation) grow(old int) {
	n, k := r.n(), r.space.size
	if r.t == nil {
		capacity, _ := r.space.rows.Dims()
		r.t, r.s, r.m = mat.NewDense(capacity, n, nil), mat.NewDense(capacity, n, nil), mat.NewDense(capacity, capacity, nil)
	}
	fresh := r.space.vectors(old)
	part := func(a *mat.Dense, i, j, l, c int) *mat.Dense { return a.Slice(i, j, l, c).(*mat.Dense) }
	t, s := part(r.t, old, k, 0, n), part(r.s, old, k, 0, n)
	dense.Gemm(t, 1, fresh, r.w, 0)
	s.Copy(t)
	dense.Gemm(s, 1, dense.Mul(fresh, r.y), r.z.T(), 1)
	dense.Gemm(part(r.m, old, k, 0, k), 1, t, part(r.s, 0, k, 0, n).T(), 0)
	if old > 0 {
		dense.Gemm(part(r.m, 0, old, old, k), 1, part(r.t, 0, old, 0, n), s.T(), 0)
	}
}

// solve computes the best rotation within the space. It gains tr(UᵀM) − tr M in the inner product of W₊ and W.
func (r *rotation) solve() error {
	k := r.space.size
	if k == 0 { // W Z₀ and Y are zero: nothing moves
		r.squares = append(r.squares, r.move)
		return nil
	}
	m := mat.DenseCopyOf(r.m.Slice(0, k, 0, k))
	p, err := linalg.Polar(m, linalg.PolarOptions{})
	if err != nil {
		return err
	}
	r.u, r.iterations = p.U, p.Iterations
	var gain float64
	for i := range k {
		r.u.Set(i, i, r.u.At(i, i)-1) // U − I from here on
		for j := range k {
			gain += r.u.At(i, j) * m.At(i, j)
		}
	}
	r.squares = append(r.squares, r.move-2*gain)
	return nil
}

// gap estimates how much the squared distance may still fall, relative to it. What the blocks gain falls about
// geometrically, so that what is left is the last gain times ρ/(1−ρ), and to be safe at least that gain, with ρ the
// worse of the last two ratios. Before the second block there is no ρ. Where gains fall unevenly it is the geometric
// mean of the last two.
func (r *rotation) gap() float64 {
	gain, rate, before := r.gains()
	switch {
	case len(r.squares) < 2:
		return math.NaN()
	case gain <= 0 || rate == 0: // rounding
		return 0
	}
	smallest := max(r.squares[len(r.squares)-1], 0)
	if r.uneven {
		return gain / math.Sqrt(min(rate, 1)) / smallest
	}
	rate = max(rate, before)
	if rate <= 0 || rate >= 1 {
		return math.Inf(1)
	}
	return gain * max(1, rate/(1-rate)) / smallest
}

// gains returns what the last block gained, its ratio to the gain before, and the ratio before that one. A ratio that
// is not known is 0.
func (r *rotation) gains() (last, rate, before float64) {
	all, old := append([]float64{r.move}, r.squares...), 0.0
	for i := max(1, len(all)-3); i < len(all); i++ {
		last = all[i-1] - all[i]
		before, rate = rate, 0
		if old > 0 {
			rate = last / old
		}
		old = last
	}
	return last, rate, before
}

// hopeless reports that at the present rate the gap is not reached in the blocks that are left.
func (r *rotation) hopeless(gap float64, left int) bool {
	gain, rate, _ := r.gains()
	if r.uneven || len(r.squares) < 3 || rate <= 0 || rate >= 1 {
		return false
	}
	return gain*math.Pow(rate, float64(left+1))/(1-rate) > gap*r.squares[len(r.squares)-1]
}

// weights returns W₊ = W' + V(U − I)VᵀW'.
func (r *rotation) weights() *mat.Dense {
	next := dense.Gemm(mat.DenseCopyOf(r.w), 1, r.y, r.z.T(), 1)
	if r.u == nil {
		return next
	}
	turned := dense.Mul(r.u, r.s.Slice(0, r.space.size, 0, r.n()).(*mat.Dense))
	return dense.Gemm(next, 1, r.space.vectors(0).T(), turned, 1)
}
