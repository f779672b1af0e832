package procrustes

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// Problem is one step of one layer. Samples are columns, as in the paper; batches that are stored by rows are passed
// as lazy transposes, which are read in place. Solvers leave all of it unchanged unless they say otherwise.
type Problem struct {
	W     *mat.Dense // m×n, the present weights
	Gamma mat.Matrix // m×B, Γ: column i is ∂L/∂zᵢ at the pre-activation zᵢ = W hᵢ
	H     mat.Matrix // n×B, column i is the layer's input hᵢ
	Rate  float64    // γ, the step size
	Z     mat.Matrix // m×B, the products W H without bias, if the forward pass left them; nil to compute them when needed
	Past  *mat.Dense // n×n symmetric, earlier shifts that are added to this one's; nil for none. Only [Full] uses it
}

// Step is the result of a solver.
type Step struct {
	W          *mat.Dense // m×n, the new weights; its own memory
	Method     string     // the solver that produced it
	Why        string     // why this solver, or what it did
	Dropped    float64    // Frobenius norm of the part of the target that is no Gram of an m×n matrix, left out
	Dim        int        // order of the largest matrix that was factorised
	Gap        float64    // estimate of how much the squared distance exceeds the least one, relative to it; 0 if exact
	Iterations int        // of the polar factor
}

// Solver computes steps. What cannot be solved is an error; a matrix that is not finite is linalg.ErrNotFinite. Shapes
// that do not fit panic.
type Solver interface {
	Solve(p Problem) (Step, error)
}

// Target names the Gram matrix that the new weights get.
type Target int

const (
	// SGDGram is G = W_sᵀW_s for the weights W_s = W − γΓHᵀ of gradient descent ("whitening" in arXiv 2605.06258). It is
	// always feasible and agrees with TrueShift up to order γ².
	SGDGram Target = iota
	// TrueShift is G = WᵀW + D with the shift D of the virtual covariance, D = H₊H₊ᵀ − HHᵀ for H₊ = H − γWᵀΓ (Cha and Lee
	// 2025, equation 2). It need not be a Gram matrix, and for m < n it generically is none; then the nearest one that is
	// takes its place, the positive part cut to rank m.
	TrueShift
)

func (t Target) String() string {
	if t == TrueShift {
		return "true shift"
	}
	return "SGD's Gram"
}

// dims returns m, n and B, after checking shapes and finiteness.
func (p Problem) dims() (m, n, batch int, err error) {
	if m, n, batch, err = p.shapes(); err != nil {
		return 0, 0, 0, err
	}
	for _, a := range []struct {
		name string
		mat.Matrix
	}{{"W", p.W}, {"Γ", p.Gamma}, {"H", p.H}} {
		if !finite(a.Matrix) {
			return 0, 0, 0, fmt.Errorf("procrustes: %s: %w", a.name, linalg.ErrNotFinite)
		}
	}
	return m, n, batch, nil
}

// shapes returns m, n and B, after checking shapes and the rate.
func (p Problem) shapes() (m, n, batch int, err error) {
	m, n = p.W.Dims()
	rows, batch := p.Gamma.Dims()
	inputs, columns := p.H.Dims()
	if rows != m || inputs != n || columns != batch {
		panic("procrustes: shapes of W, Γ and H do not fit")
	}
	if p.Z != nil {
		if r, c := p.Z.Dims(); r != m || c != batch {
			panic("procrustes: Z does not have the shape of Γ")
		}
	}
	if p.Past != nil {
		if r, c := p.Past.Dims(); r != n || c != n {
			panic("procrustes: past shifts are not n×n")
		}
	}
	if math.IsNaN(p.Rate) || math.IsInf(p.Rate, 0) {
		return 0, 0, 0, fmt.Errorf("procrustes: step size %v", p.Rate)
	}
	return m, n, batch, nil
}

// finite reports whether every entry of a dense matrix or its transpose is finite.
func finite(a mat.Matrix) bool {
	if t, ok := a.(mat.Untransposer); ok {
		return finite(t.Untranspose())
	}
	raw := a.(mat.RawMatrixer).RawMatrix()
	for i := range raw.Rows {
		row := raw.Data[i*raw.Stride : i*raw.Stride+raw.Cols]
		if sum := kernels.Dasum(raw.Cols, row, 1); sum <= math.MaxFloat64 {
			continue // the fast way out: no entry hides in a finite sum of magnitudes
		}
		for _, x := range row {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return false
			}
		}
	}
	return true
}

// magnitude returns the sum of the absolute values of a dense matrix or its transpose.
func magnitude(a mat.Matrix) (sum float64) {
	if t, ok := a.(mat.Untransposer); ok {
		return magnitude(t.Untranspose())
	}
	raw := a.(mat.RawMatrixer).RawMatrix()
	for i := range raw.Rows {
		sum += kernels.Dasum(raw.Cols, raw.Data[i*raw.Stride:], 1)
	}
	return sum
}

// sgd returns W_s = W − γΓHᵀ. Cost 2mnB flops.
func (p Problem) sgd() *mat.Dense {
	m, n := p.W.Dims()
	return p.sgdInto(mat.NewDense(m, n, nil))
}

// sgdInto is sgd in the memory of dst (m×n).
func (p Problem) sgdInto(dst *mat.Dense) *mat.Dense {
	dst.Copy(p.W)
	return dense.Gemm(dst, -p.Rate, p.Gamma, p.H.T(), 1)
}

// products returns Z = W H.
func (p Problem) products() mat.Matrix {
	if p.Z != nil {
		return p.Z
	}
	return dense.Mul(p.W, p.H)
}

// Gram returns the target (n×n), before anything is dropped:  WᵀW + D, or W_sᵀW_s. The shift is expanded,
//
//	D = −γ(WᵀΓHᵀ + HΓᵀW) + γ²WᵀΓΓᵀW,
//
// because the difference of the two covariances would cancel. Cost mn² + 4n²B flops.
func (t Target) Gram(p Problem) *mat.Dense {
	if t == SGDGram {
		return dense.Gram(p.sgd().T())
	}
	return dense.Gemm(p.Shift(), 1, p.W.T(), p.W, 1)
}

// Shift returns D (n×n) in expanded form, see [Target.Gram]. Cost 2n²B flops and 2mnB.
func (p Problem) Shift() *mat.Dense {
	return covarianceShift(p.H, dense.Mul(p.W.T(), p.Gamma), p.Rate)
}

// covarianceShift returns (h − γb)(h − γb)ᵀ − hhᵀ = γ(b·cᵀ + c·bᵀ), c = γ/2·b − h, for b and h with equal shapes. It is
// symmetric to the bit.
func covarianceShift(h mat.Matrix, b *mat.Dense, rate float64) *mat.Dense {
	c := mat.DenseCopyOf(b)
	c.Scale(rate/2, c)
	c.Sub(c, h)
	shift := dense.Mul(b, c.T())
	n, _ := shift.Dims()
	for i := range n {
		for j := range i + 1 {
			d := rate * (shift.At(i, j) + shift.At(j, i))
			shift.Set(i, j, d)
			shift.Set(j, i, d)
		}
	}
	return shift
}

// symmetric reads the upper triangle of a square matrix.
func symmetric(a *mat.Dense) *mat.SymDense {
	n, _ := a.Dims()
	s := mat.NewSymDense(n, nil)
	for i := range n {
		copy(s.RawSymmetric().Data[i*n+i:(i+1)*n], a.RawRowView(i)[i:])
	}
	return s
}
