package procrustes

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// Polar solves for SGD's Gram with one polar factor and nothing of order n: W_s is itself a factor of its Gram, so
// W₊ = U W_s with U the polar factor of
//
//	M = W W_sᵀ = WWᵀ − γZΓᵀ,
//
// where Z = W H is what the forward pass computed. Any shape, batch and conditioning.
// Cost 2mnB for W_s, which gradient descent needs too, 2m²n for U W_s, m²n + 2m²B for M, and about 12m³ for U.
type Polar struct {
	// WarmStart, if not nil, is what the solver remembers from step to step of one layer. It needs the problems in order,
	// each with the weights that the step before returned.
	WarmStart *WarmStart
}

// WarmStart is the memory of [Polar] for one layer. The zero value is ready.
type WarmStart struct {
	// Gram, if not nil, is WWᵀ (m×m): Solve reads it and overwrites it with W₊W₊ᵀ = U C Uᵀ, C = M + Mᵀ − WWᵀ + γ²Γ(HᵀH)Γᵀ.
	// That replaces m²n by about nB² + 4m³ flops, which pays for n ≫ m, B only.
	Gram *mat.Dense
	// Bound is the lower bound on σmin/σmax of M at the last step. The next one starts from it, which saves the estimate;
	// as it only steers the iteration, a bound that has become wrong costs time and not accuracy.
	Bound float64

	norm       float64 // next to Bound: an upper bound on the norm of M
	iterations int     // that the step took whose bounds these are

	next, product *mat.Dense            // memory for W_s and M
	work          linalg.PolarWorkspace // and for U
}

// Solve implements [Solver].
func (s Polar) Solve(p Problem) (Step, error) {
	m, n, batch, err := p.shapes()
	if err != nil {
		return Step{}, err
	}
	warm := s.WarmStart
	if warm == nil {
		warm = &WarmStart{}
	}
	warm.next, warm.product = dense.Sized(warm.next, m, n), dense.Sized(warm.product, m, m)
	next, product := p.sgdInto(warm.next), warm.product
	if !finite(next) { // shows whatever is not finite in W, Γ or H
		return Step{}, fmt.Errorf("procrustes: SGD's weights: %w", linalg.ErrNotFinite)
	}
	switch {
	case warm.Gram != nil:
		if r, c := warm.Gram.Dims(); r != m || c != m {
			panic("procrustes: the Gram kept is not m×m")
		}
		product.Copy(warm.Gram)
		dense.Gemm(product, -p.Rate, p.products(), p.Gamma.T(), 1)
	case p.Z != nil && 2*batch < n:
		dense.GramInto(product, p.W)
		dense.Gemm(product, -p.Rate, p.Z, p.Gamma.T(), 1)
	default:
		dense.Gemm(product, 1, p.W, next.T(), 0)
	}
	u, err := warm.factor(product)
	if err != nil {
		return Step{}, fmt.Errorf("procrustes: rotation: %w", err)
	}
	if warm.Gram != nil {
		warm.advance(p, product, u.U)
	}
	return Step{W: dense.Mul(u.U, next), Method: "polar", Dim: m, Iterations: u.Iterations,
		Why: fmt.Sprintf("polar factor of order m = %d (%s, σmin/σmax about %.0e)", m, u.Method, u.LowerBound)}, nil
}

// factor returns the polar factor of M. It tries the bounds kept first. It estimates them where that fails, and the
// next time after it took more iterations than with estimates; where those are not known, more than any bound above
// 10⁻² takes.
func (k *WarmStart) factor(product *mat.Dense) (linalg.PolarFactor, error) {
	if k.Bound > 0 {
		u, err := linalg.Polar(product, linalg.PolarOptions{LowerBound: k.Bound, Norm: k.norm, Work: &k.work})
		if err == nil {
			limit := k.iterations
			if limit == 0 {
				limit = 4
			}
			if u.Iterations > limit {
				k.Bound = 0
			}
			return u, nil
		}
		if errors.Is(err, linalg.ErrNotFinite) {
			return u, err
		}
	}
	u, err := linalg.Polar(product, linalg.PolarOptions{Work: &k.work})
	k.Bound = 0
	if err == nil && u.Method == "qdwh" {
		k.Bound, k.norm, k.iterations = u.LowerBound, u.Norm, u.Iterations
	}
	return u, err
}

// advance overwrites the Gram kept with that of the new weights.
func (k *WarmStart) advance(p Problem, product, u *mat.Dense) {
	m, _ := product.Dims()
	_, batch := p.H.Dims()
	var second *mat.Dense // γ²Γ(HᵀH)Γᵀ
	if batch < m {
		second = dense.Mul(dense.Mul(p.Gamma, dense.Gram(p.H.T())), p.Gamma.T())
	} else {
		second = dense.Gram(dense.Mul(p.Gamma, p.H.T()))
	}
	c := mat.NewDense(m, m, nil)
	for i := range m {
		for j := range m {
			c.Set(i, j, product.At(i, j)+product.At(j, i)-k.Gram.At(i, j)+p.Rate*p.Rate*second.At(i, j))
		}
	}
	dense.Gemm(k.Gram, 1, dense.Mul(u, c), u.T(), 0)
	for i := range m { // rounding must not make it less and less symmetric
		for j := range i {
			mean := (k.Gram.At(i, j) + k.Gram.At(j, i)) / 2
			k.Gram.Set(i, j, mean)
			k.Gram.Set(j, i, mean)
		}
	}
}
