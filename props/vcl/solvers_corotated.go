package vcl

import (
	"github.com/thm-suite/thm/impl/dense"
	routes "github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
)

// corotated is the route of a layer in two factors, of which the first is an orthogonal matrix without any relation to the problem.
type corotated struct{}

// Solve implements [routes.Solver].
func (corotated) Solve(p routes.Problem) (routes.Step, error) {
	m, _ := p.W.Dims()
	r := gen.Orthonormal(props.Stream(1, "vcl/solvers", "corotated"), m, m)
	layer, next := routes.NewCorotated(dense.Mul(r.T(), p.W)), new(routes.Corotated)
	u, step, err := layer.StepInto(next, p.Rate, dense.Mul(r.T(), p.Gamma), p.H, dense.Mul(layer.F, p.H))
	if err == nil {
		step.W = dense.Mul(dense.Mul(r, u), step.W)
	}
	return step, err
}
