package procrustes

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/dense"
)

// Krylov starts from a factor W' = W + YZ₀ᵀ of the target and rotates it within a subspace of the outputs, with
// orthonormal basis V (m×k):
//
//	W₊ = W' + V(U_k − I)VᵀW',  U_k the polar factor of M_k = Vᵀ(W W'ᵀ)V.
//
// I + V(U_k − I)Vᵀ is orthogonal, so the Gram matrix is that of W' to rounding, whatever the subspace; only the
// distance to W is not quite the least. The subspace is the block Krylov space of WWᵀ that begins at [W Z₀, Y], because
// the exact rotation solves, to first order, a Lyapunov equation with that matrix and that right-hand side. The error
// of the step falls by about (√κ̂−1)/(√κ̂+1) per block, κ̂ = (λmax+λmin)/(2λmin) of WWᵀ, and the excess of the squared
// distance by the square of that. At k = m, or when the space is exhausted, the step is exact (with rational blocks, to
// 10⁻¹⁰).
//
// A square layer at PyTorch's initialisation has κ̂ = 10⁵ … 10⁹, and powers of WWᵀ make no headway. Rational blocks
// (WWᵀ + σI)⁻¹[W Z₀, Y] do: the shifts σ are spread evenly on a logarithmic scale from λmax down to 10⁻⁶λmax, each new
// one in the largest gap between the others. Directions of smaller eigenvalues hardly add to the distance, so that the
// range need not follow κ̂. See the package comment for figures.
//
// For SGDGram the factor is W_s (Y = −γΓ, Z₀ = H). For TrueShift it is the factor of [Factor], with its conditions.
// Cost about 6mnk + 20k³ flops for k = 2B·blocks, with rational blocks 4mnk + m²n + blocks·m³/3; worth it for k < m/2.
type Krylov struct {
	Target   Target
	Rational bool // blocks of inverses, for ill-conditioned WWᵀ; the first block is the same
	Blocks   int  // most blocks; 0 stands for as many as the space has
	// enough when the squared distance is estimated to be so near to the least, relative to it; 0: all blocks
	Gap float64
}

// Solve implements [Solver].
func (s Krylov) Solve(p Problem) (Step, error) {
	m, _, batch, err := p.dims()
	if err != nil {
		return Step{}, err
	}
	if s.Target == TrueShift {
		f, err := newFactor(p)
		if err != nil {
			return Step{}, err
		}
		y, z := f.update()
		return s.rotate(p.W, y, z, mat.DenseCopyOf(f.lift(f.j).T()))
	}
	y := mat.DenseCopyOf(p.Gamma)
	y.Scale(-p.Rate, y)
	start := mat.NewDense(2*batch, m, nil)
	start.Slice(0, batch, 0, m).(*mat.Dense).Copy(p.products().T())
	start.Slice(batch, 2*batch, 0, m).(*mat.Dense).Copy(p.Gamma.T())
	return s.rotate(p.W, y, p.H, start)
}

// rotate turns w + y·zᵀ as near to w as the space allows that begins with the rows of start.
func (s Krylov) rotate(w, y *mat.Dense, z mat.Matrix, start *mat.Dense) (Step, error) {
	m, _ := w.Dims()
	count, _ := start.Dims()
	limit := m
	if s.Blocks > 0 {
		limit = s.Blocks
	}
	r := &rotation{w: w, y: y, z: z, space: newBasis(min(m, count*limit), m), move: squaredNorm(y, z), uneven: s.Rational}
	more := powers(r)
	if s.Rational {
		more = inverses(w, start)
	}
	step := Step{Method: "krylov", Gap: math.NaN()}
	block, blocks := mat.DenseCopyOf(start), 0
	for done := false; !done; {
		old := r.space.size
		r.space.extend(block)
		exhausted := r.space.size == old
		if !exhausted {
			r.grow(old)
			blocks++
		}
		exact := r.space.size == m || exhausted && !s.Rational // all outputs, or an invariant space
		done = exact || exhausted || blocks == limit
		look := s.Gap > 0 && (!s.Rational || blocks%2 == 1) // their gains are uneven: two blocks at a time
		if done || look {
			if err := r.solve(); err != nil {
				return Step{}, fmt.Errorf("procrustes: rotation: %w", err)
			}
		}
		if s.Gap > 0 && (done || look) {
			step.Gap = r.gap()
			done = done || step.Gap <= s.Gap || s.Blocks > 0 && r.hopeless(s.Gap, limit-blocks)
		}
		switch {
		case exact:
			step.Gap = 0
		case exhausted: // a new shift brings nothing but what deflation drops
			step.Gap = deflation
		}
		if !done {
			var err error
			if block, err = more(old); err != nil {
				return Step{}, fmt.Errorf("procrustes: block %d: %w", blocks, err)
			}
		}
	}
	step.W, step.Dim, step.Iterations = r.weights(), r.space.size, r.iterations
	step.Why = fmt.Sprintf("rotation in %d of %d dimensions, %d blocks", r.space.size, m, blocks)
	return step, nil
}

// squaredNorm returns ‖y·zᵀ‖²_F.
func squaredNorm(y *mat.Dense, z mat.Matrix) float64 {
	a, b := dense.Gram(y.T()), dense.Gram(z.T())
	a.MulElem(a, b)
	return max(0, mat.Sum(a))
}
