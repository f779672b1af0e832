package procrustes

import (
	"errors"
	"fmt"
	"math"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/roundoff"
)

// ErrInfeasible says that the true shift leads to no Gram matrix of an m×n matrix.
var ErrInfeasible = errors.New("procrustes: WᵀW plus the shift is not a Gram matrix")

// ErrRankDeficient says that W does not have full column rank.
var ErrRankDeficient = errors.New("procrustes: W does not have full column rank")

// Factor solves for the true shift of a layer with m ≥ n whose W has full column rank, without a factorisation of the
// target. With W = QR and F = [R⁻ᵀH, QᵀΓ] (n×2B) the target is
//
//	WᵀW + D = Rᵀ C R,  C = I + FSFᵀ,  S = [0 −γI; −γI γ²I],
//
// and W' = Q C^½ R has exactly that Gram matrix. C − I has rank 2B at most, and so has C^½ − I = J diag(x/(1+√(1+x)))
// Jᵀ for its nonzero eigenpairs (x, J), which come from a matrix of order min(2B, n). The target is feasible if and
// only if all 1 + x ≥ 0; otherwise Solve returns [ErrInfeasible] with the smallest. For a W without full column rank it
// returns [ErrRankDeficient], and for m < n, where almost no shift is feasible, ErrInfeasible.
//
// W₊ = Q U C^½ R with the polar factor U of R(C^½R)ᵀ, of order n. Cost about 6mn² + 14n³ flops.
type Factor struct{}

// Solve implements [Solver].
func (Factor) Solve(p Problem) (Step, error) {
	f, err := newFactor(p)
	if err != nil {
		return Step{}, err
	}
	next := f.triangle()
	u, err := linalg.Polar(dense.Mul(f.r, next.T()), linalg.PolarOptions{})
	if err != nil {
		return Step{}, fmt.Errorf("procrustes: rotation: %w", err)
	}
	return Step{W: f.lift(dense.Mul(u.U, next)), Method: "factor", Dim: len(f.r.RawRowView(0)), Iterations: u.Iterations,
		Why: fmt.Sprintf("closed form by %d eigenvalues of the shift, the least %.3g; %s", len(f.d), f.smallest,
			u.Method)}, nil
}

// ExactFactor returns W' = Q C^½ R (m×n), whose Gram matrix is WᵀW + D to rounding, but which is not the nearest such
// matrix. See [Factor] for the conditions and errors. Cost 2mn² + 8mnB + 9·min(2B, n)³ flops.
func ExactFactor(p Problem) (*mat.Dense, error) {
	f, err := newFactor(p)
	if err != nil {
		return nil, err
	}
	y, z := f.update()
	return dense.Gemm(mat.DenseCopyOf(p.W), 1, y, z.T(), 1), nil
}

// factor is C^½ = I + J diag(d) Jᵀ in the coordinates of W = QR.
type factor struct {
	m        int
	qr       *linalg.QRFactor
	r        *mat.Dense // n×n
	j        *mat.Dense // n×c, orthonormal
	d        []float64  // c
	smallest float64    // smallest eigenvalue of C − I in the span of J
}

func newFactor(p Problem) (*factor, error) {
	m, n, _, err := p.dims()
	if err != nil {
		return nil, err
	}
	if m < n {
		return nil, fmt.Errorf("%w: m = %d < n = %d", ErrInfeasible, m, n)
	}
	qr, err := linalg.QR(p.W)
	if err != nil {
		return nil, fmt.Errorf("procrustes: basis: %w", err)
	}
	f := &factor{m: m, qr: qr, r: qr.R()}
	first, second, err := f.shift(p)
	if err != nil {
		return nil, err
	}
	return f, f.root(p.Rate, first, second)
}

// shift returns R⁻ᵀH and QᵀΓ (n×B each).
func (f *factor) shift(p Problem) (first, second *mat.Dense, err error) {
	n, _ := f.r.Dims()
	_, batch := p.H.Dims()
	var smallest, largest = math.Inf(1), 0.0
	for i := range n {
		smallest, largest = min(smallest, math.Abs(f.r.At(i, i))), max(largest, math.Abs(f.r.At(i, i)))
	}
	if ok := smallest > float64(f.m)*roundoff.Ulp*largest; !ok {
		return nil, nil, fmt.Errorf("%w: the triangular factor has %.3g next to %.3g on its diagonal", ErrRankDeficient,
			smallest,
			largest)
	}
	first = mat.DenseCopyOf(p.H)
	r, h := f.r.RawMatrix(), first.RawMatrix()
	kernels.Dtrsm(gblas.Left, gblas.Upper, gblas.Trans, gblas.NonUnit, n, batch, 1, r.Data, r.Stride, h.Data, h.Stride)
	if !finite(first) {
		return nil, nil, fmt.Errorf("%w: its inverse overflows", ErrRankDeficient)
	}
	turned := mat.DenseCopyOf(p.Gamma)
	f.qr.Apply(turned, true)
	return first, mat.DenseCopyOf(turned.Slice(0, n, 0, batch)), nil
}

// root computes J and d from C − I = FSFᵀ with F = [first, second].
func (f *factor) root(rate float64, first, second *mat.Dense) error {
	n, batch := first.Dims()
	var frame *linalg.QRFactor
	if 2*batch < n { // an orthonormal basis of the range of F, in which C − I has order 2B
		both := mat.NewDense(n, 2*batch, nil)
		both.Augment(first, second)
		var err error
		if frame, err = linalg.QR(both); err != nil {
			return fmt.Errorf("procrustes: range of the shift: %w", err)
		}
		t := frame.R()
		first, second = mat.DenseCopyOf(t.Slice(0, 2*batch, 0, batch)), mat.DenseCopyOf(t.Slice(0, 2*batch, batch, 2*batch))
	}
	x, vectors, err := linalg.SymEigen(symmetric(covarianceShift(first, second, rate)), true)
	if err != nil {
		return fmt.Errorf("procrustes: eigenvalues of the shift: %w", err)
	}
	if f.smallest = x[0]; !(1+f.smallest >= 0) {
		return fmt.Errorf("%w: relative to WᵀW its smallest eigenvalue is %.6g", ErrInfeasible, 1+f.smallest)
	}
	f.d = make([]float64, len(x))
	for i, v := range x {
		f.d[i] = v / (1 + math.Sqrt(1+v))
	}
	if f.j = vectors; frame != nil {
		f.j = mat.NewDense(n, 2*batch, nil)
		f.j.Slice(0, 2*batch, 0, 2*batch).(*mat.Dense).Copy(vectors)
		frame.Apply(f.j, false)
	}
	return nil
}

// update returns Y = QJ diag(d) (m×c) and Z₀ = RᵀJ (n×c), with W' = W + YZ₀ᵀ.
func (f *factor) update() (y, z *mat.Dense) {
	return f.lift(f.scaled()), dense.Mul(f.r.T(), f.j)
}

// triangle returns C^½R (n×n).
func (f *factor) triangle() *mat.Dense {
	return dense.Gemm(mat.DenseCopyOf(f.r), 1, f.scaled(), dense.Mul(f.j.T(), f.r), 1)
}

// scaled returns J diag(d).
func (f *factor) scaled() *mat.Dense {
	s := mat.DenseCopyOf(f.j)
	rows, _ := s.Dims()
	for i := range rows {
		for j, d := range f.d {
			s.Set(i, j, d*s.At(i, j))
		}
	}
	return s
}

// lift returns Q·a (m×c) for a (n×c).
func (f *factor) lift(a *mat.Dense) *mat.Dense {
	n, c := a.Dims()
	lifted := mat.NewDense(f.m, c, nil)
	lifted.Slice(0, n, 0, c).(*mat.Dense).Copy(a)
	f.qr.Apply(lifted, false)
	return lifted
}
