package tangent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// Searched is where a search over A and C at once ended.
type Searched struct {
	Factors  []Sided
	Cost     float64
	Gradient float64 // Euclidean norm of the gradient in all A and C
}

// Search minimises the cost over the factors A and C of all layers at once, with the shortest Θ for them, by
// [optim.LBFGS] and [optim.Refine] from a start whose Θ do not matter. It knows nothing of singular values of products.
// Penalties must be smooth.
func (s Structured) Search(start []Sided, stop optim.Stop) (Searched, error) {
	if err := s.valid(); err != nil {
		return Searched{}, err
	}
	objective := s.Eliminated()
	found, err := optim.LBFGS(objective, s.pack(start), stop)
	if err != nil {
		return Searched{}, err
	}
	found = optim.Refine(objective, found)
	factors, err := s.parameters(s.unpack(found.X))
	return Searched{factors, found.Value, found.Gradient}, err
}

// Eliminated is the cost as a function of the entries of those A and C that are adapted, layer by layer, A before C.
//
// With a = K⁻¹y, G = Σ aᵢFᵢ and Θ = AᵀGCᵀ the part of the parameters is ‖Θ‖² = yᵀK⁻¹y, whose gradients are −2GCᵀΘᵀ in A
// and −2ΘᵀAᵀG in C.
func (s Structured) Eliminated() optim.Objective {
	return func(grad, x []float64) float64 {
		factors := s.unpack(x)
		weights, err := s.weights(factors)
		if err != nil {
			return math.Inf(1)
		}
		cost, to := 0.0, s.views(grad)
		for l, layer := range s.Layers {
			f := factors[l]
			g := layer.combined(weights)
			theta := layer.pulled(g, f)
			cost += floats.Dot(flatten(theta), flatten(theta))
			if layer.Left != nil {
				to[l].A.Scale(-2, dense.Mul(dense.Mul(g, f.C.T()), theta.T()))
				cost += Model{Penalty: *layer.Left}.penalty(to[l].A, f.A)
			}
			if layer.Right != nil {
				to[l].C.Scale(-2, dense.Mul(dense.Mul(theta.T(), f.A.T()), g))
				cost += Model{Penalty: *layer.Right}.penalty(to[l].C, f.C)
			}
		}
		return cost
	}
}

// views are the adapted factors as matrices on the memory of x; the others are nil.
func (s Structured) views(x []float64) []Sided {
	out := make([]Sided, len(s.Layers))
	take := func(p *Penalty, n int) *mat.Dense {
		if p == nil {
			return nil
		}
		m := mat.NewDense(n, n, x[:n*n])
		x = x[n*n:]
		return m
	}
	for l, layer := range s.Layers {
		out[l].A = take(layer.Left, layer.Rows)
		out[l].C = take(layer.Right, layer.Cols)
	}
	return out
}

// unpack is [Structured.views] with identities for factors that are not adapted.
func (s Structured) unpack(x []float64) []Sided {
	out := s.views(x)
	for l, layer := range s.Layers {
		if out[l].A == nil {
			out[l].A = Identity(layer.Rows)
		}
		if out[l].C == nil {
			out[l].C = Identity(layer.Cols)
		}
	}
	return out
}

func (s Structured) pack(factors []Sided) (x []float64) {
	for l, layer := range s.Layers {
		if layer.Left != nil {
			x = append(x, flatten(factors[l].A)...)
		}
		if layer.Right != nil {
			x = append(x, flatten(factors[l].C)...)
		}
	}
	return x
}
