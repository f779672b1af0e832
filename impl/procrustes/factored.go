package procrustes

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// Factored is the factor F (m×n) of a layer whose weights are kept as W = R·F with an orthogonal R (m×m). In that form
// the nearest weights with SGD's Gram matrix need no product of order m²n any more: F takes the plain step of gradient
// descent, and R alone takes the rotation,
//
//	F₊ = F − γΓHᵀ,   R₊ = R·U,   U the polar factor of F F₊ᵀ = FFᵀ − γYΓᵀ,
//
// with Y = F H and Γ the gradient at Y, which is Rᵀ times the gradient at the pre-activations Z = R Y. For with W_s =
// R·F₊ the matrix W W_sᵀ of [Polar] is R(F F₊ᵀ)Rᵀ, and so is its polar factor R·U·Rᵀ; it turns W_s into R·U·F₊. FFᵀ is
// kept too: it changes by 2B ranks.
//
// So a network does virtual covariance learning when it does gradient descent on F and lets an orthogonal layer after
// it turn along. That layer adds 4m²B flops to a forward and backward pass.
type Factored struct {
	F *mat.Dense // m×n

	gram  *mat.Dense // FFᵀ
	steps int        // since gram was computed
	warm  WarmStart

	square, half *mat.Dense // memory: HᵀH and Kᵀ of follow
}

// renewal is the number of steps after which FFᵀ is computed anew: each of them adds a few roundings to it.
const renewal = 128

// NewFactored returns the layer with the factor f, which it keeps. Cost m²n flops.
func NewFactored(f *mat.Dense) *Factored { return &Factored{F: f, gram: dense.Gram(f)} }

// StepInto makes next, which may be the zero value or an earlier layer, the layer after one step, and returns U, which
// lies in next's memory. gamma (m×B) is the gradient at the products y = F H (m×B), h (n×B) the inputs. The layer
// itself stays as it is, so that two of them can take turns. After an error next is of no use; a product, gradient or
// input that is not finite is [linalg.ErrNotFinite]. The W of the step is next.F.
//
// Cost 2mnB flops, which gradient descent needs too, 2m²B + nB² + 2mB² + 2m²B, or 2m²B + m²n where that is less, and
// about 12m³ for the rotation. Who turns R spends 2m³ more, and should make it orthogonal again from time to time, as
// by [linalg.Polar].
func (c *Factored) StepInto(next *Factored, rate float64, gamma, h, y mat.Matrix) (u *mat.Dense, step Step,
	err error) {
	p := Problem{W: c.F, Gamma: gamma, H: h, Rate: rate, Z: y}
	m, n, batch, err := p.shapes()
	if err != nil {
		return nil, Step{}, err
	}
	if next == c || y == nil {
		panic("procrustes: a factored step needs a second layer and the products F H")
	}
	next.resize(m, n, batch)
	product := next.warm.product
	product.Copy(c.gram)
	dense.Gemm(product, -rate, y, gamma.T(), 1)
	if c.warm.Bound > 0 {
		next.warm.Bound, next.warm.norm, next.warm.iterations = c.warm.Bound, c.warm.norm, c.warm.iterations
	}
	turn, err := next.warm.factor(product)
	if err != nil {
		return nil, Step{}, fmt.Errorf("procrustes: rotation: %w", err)
	}
	// F is finite because FFᵀ is, and so is F₊ if this is, which takes less than to look at all of it.
	if reach := math.Abs(rate) * magnitude(gamma) * magnitude(h); !(reach <= math.MaxFloat64) {
		return nil, Step{}, fmt.Errorf("procrustes: SGD's weights: %w", linalg.ErrNotFinite)
	}
	p.sgdInto(next.F)
	next.follow(c, p)
	return turn.U, Step{W: next.F, Method: "factored", Dim: m, Iterations: turn.Iterations,
		Why: fmt.Sprintf("weights in factors, polar factor of order m = %d (%s, σmin/σmax about %.0e)", m, turn.Method,
			turn.LowerBound)}, nil
}

// resize gives the layer its memory.
func (c *Factored) resize(m, n, batch int) {
	c.F, c.gram, c.warm.product = dense.Sized(c.F, m, n), dense.Sized(c.gram, m, m), dense.Sized(c.warm.product, m, m)
	c.square, c.half = dense.Sized(c.square, batch, batch), dense.Sized(c.half, batch, m)
}

// follow sets gram to F₊F₊ᵀ = FFᵀ − γ(KΓᵀ + ΓKᵀ) with K = Y − γ/2·ΓHᵀH, or computes it where that costs less or is due.
func (c *Factored) follow(from *Factored, p Problem) {
	m, n, batch, _ := p.shapes()
	c.steps = from.steps + 1
	if c.steps == renewal || batch*(n*batch+2*m*batch+2*m*m) > m*m*n {
		dense.GramInto(c.gram, c.F)
		c.steps = 0
		return
	}
	dense.GramInto(c.square, p.H.T())
	c.half.Copy(p.Z.T())
	dense.Gemm(c.half, -p.Rate/2, c.square, p.Gamma.T(), 1)
	c.gram.Copy(from.gram)
	dense.AddSymmetric(c.gram, -p.Rate, c.half.T(), p.Gamma)
}
