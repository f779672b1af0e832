package procrustes

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/dense"
	"github.com/thm-suite/thm/impl/linalg"
)

// Rotated is a layer whose weights W = R·F are kept as an orthogonal R (m×m) and a factor F (m×n). In that form the nearest weights with SGD's Gram
// matrix need no product of order m²n any more: F takes the plain step of gradient descent, and R alone takes the rotation,
//
//	F₊ = F − γΓ̂Hᵀ,   R₊ = R·U,   U the polar factor of FFᵀ − γYΓ̂ᵀ,   Γ̂ = RᵀΓ, Y = F H.
//
// For with W_s = R·F₊ the matrix W W_sᵀ of [Polar] is R(F F₊ᵀ)Rᵀ, and so is its polar factor R·U·Rᵀ; it turns W_s into R·U·F₊. FFᵀ is kept too: it
// changes by 2B ranks. So a network does virtual covariance learning when it does gradient descent on F and lets the next layer, R, turn along.
//
// The forward pass computes Y = F H and Z = R Y; the gradient in the inputs is FᵀΓ̂.
type Rotated struct {
	R *mat.Dense // m×m, orthogonal
	F *mat.Dense // m×n

	gram  *mat.Dense // FFᵀ
	steps int        // since gram was computed and R made orthogonal
	kept  Kept

	gamma, shift, square, half *mat.Dense // memory
}

// refresh is the number of steps after which FFᵀ is computed anew and R made orthogonal again: each step adds a few roundings to both.
const refresh = 128

// NewRotated returns the layer with the weights w, which it copies.
func NewRotated(w *mat.Dense) *Rotated {
	m, _ := w.Dims()
	r := &Rotated{R: mat.NewDense(m, m, nil), F: mat.DenseCopyOf(w), gram: dense.Gram(w)}
	for i := range m {
		r.R.Set(i, i, 1)
	}
	return r
}

// Weights returns R·F in new memory. Cost 2m²n flops.
func (r *Rotated) Weights() *mat.Dense { return dense.Mul(r.R, r.F) }

// StepInto makes next, which may be the zero value or an earlier layer, the layer after one step: gamma (m×B) is the gradient at the pre-activations
// Z = W H, h (n×B) are the inputs, y (m×B) the products F H. The layer itself stays as it is, so that two of them can take turns. After an
// error next is of no use; a product, gradient or input that is not finite is [linalg.ErrNotFinite]. The W of the result is nil.
//
// Cost 2mnB flops, which gradient descent needs too, nB² + 8m²B + 2mB², or m²n + 4m²B where that is less, and about 14m³ for the rotation.
func (r *Rotated) StepInto(next *Rotated, rate float64, gamma, h, y mat.Matrix) (Step, error) {
	p := Problem{W: r.F, Gamma: gamma, H: h, Rate: rate, Z: y}
	m, n, batch, err := p.shapes()
	if err != nil {
		return Step{}, err
	}
	if next == r || y == nil {
		panic("procrustes: a step of a rotated layer needs a second layer and the products F H")
	}
	next.resize(m, n, batch)
	p.Gamma = dense.Gemm(next.gamma, 1, r.R.T(), gamma, 0)
	product := next.kept.product
	product.Copy(r.gram)
	dense.Gemm(product, -rate, y, p.Gamma.T(), 1)
	next.kept.Bound = r.kept.Bound
	u, err := next.kept.factor(product)
	if err != nil {
		return Step{}, fmt.Errorf("procrustes: rotation: %w", err)
	}
	if !finite(p.sgdInto(next.F)) {
		return Step{}, fmt.Errorf("procrustes: SGD's weights: %w", linalg.ErrNotFinite)
	}
	dense.Gemm(next.R, 1, r.R, u.U, 0)
	if next.steps = r.steps + 1; next.steps == refresh {
		err = next.renew()
	} else {
		next.follow(r, p)
	}
	return Step{Method: "rotated", Dim: m, Iterations: u.Iterations,
		Why: fmt.Sprintf("polar factor of order m = %d (%s, σmin/σmax about %.0e), weights in factors", m, u.Method, u.LowerBound)}, err
}

// resize gives the layer its memory.
func (r *Rotated) resize(m, n, batch int) {
	r.R, r.F = dense.Sized(r.R, m, m), dense.Sized(r.F, m, n)
	r.gram, r.kept.product = dense.Sized(r.gram, m, m), dense.Sized(r.kept.product, m, m)
	r.gamma, r.half = dense.Sized(r.gamma, m, batch), dense.Sized(r.half, m, batch)
	r.square, r.shift = dense.Sized(r.square, batch, batch), dense.Sized(r.shift, m, m)
}

// renew computes what the steps keep up from R and F.
func (r *Rotated) renew() error {
	r.steps = 0
	dense.GramInto(r.gram, r.F)
	u, err := linalg.Polar(r.R, linalg.PolarOptions{LowerBound: 0.5})
	if err != nil {
		return fmt.Errorf("procrustes: orthogonality: %w", err)
	}
	r.R = u.U
	return nil
}

// follow sets gram to F₊F₊ᵀ = FFᵀ − γ(KΓ̂ᵀ + Γ̂Kᵀ) with K = Y − γ/2·Γ̂HᵀH.
func (r *Rotated) follow(from *Rotated, p Problem) {
	m, n := r.F.Dims()
	_, batch := p.H.Dims()
	if ranks := batch * (n*batch + 2*m*batch + 2*m*m); ranks > m*m*n {
		dense.GramInto(r.gram, r.F)
		return
	}
	dense.GramInto(r.square, p.H.T())
	r.half.Copy(p.Z)
	dense.Gemm(r.half, -p.Rate/2, p.Gamma, r.square, 1)
	dense.Gemm(r.shift, p.Rate, r.half, p.Gamma.T(), 0)
	old, sum, half := from.gram.RawMatrix().Data, r.gram.RawMatrix().Data, r.shift.RawMatrix().Data
	const block = 32 // rows and columns that are read together, so that both stay in the cache
	for top := 0; top < m; top += block {
		for left := 0; left <= top; left += block {
			for i := top; i < min(top+block, m); i++ {
				for j := left; j < min(left+block, i+1); j++ {
					s := old[i*m+j] - (half[i*m+j] + half[j*m+i])
					sum[i*m+j], sum[j*m+i] = s, s
				}
			}
		}
	}
}
