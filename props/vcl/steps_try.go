package vcl

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statements "github.com/thm-suite/thm/theory"
)

// simulateSteps takes T steps of a layer of two units, each on one sample that makes the residual as large as
// given and of one direction: the input h is the same at every step, and the target is chosen so that the input's
// gradient is the same p, orthogonal to h. Then D = −γ(hpᵀ + phᵀ) + γ²ppᵀ, of size √2·γ‖h‖‖p‖ to first order, and R =
// γ²(‖g‖²hhᵀ − ppᵀ), in which ‖g‖‖h‖ is kept so small that training does not change it by a part in a hundred.
func simulateSteps(t *props.Trial, v statements.Values) (map[string]float64, error) {
	count, rate, residual, shift := v.Int("steps"), v.Float("step"), v.Float("residual"), v.Float("shift")
	switch {
	case count > 100000:
		return nil, errors.New("a simulation takes at most 10⁵ steps")
	case residual == 0:
		return nil, errors.New("a simulation needs a positive residual: its shifts are those of gradients that make " +
			"one")
	}
	gh := min(residual/2, 0.01*shift/(float64(count)*rate)) // ‖g‖²‖h‖²
	p := math.Sqrt(math.Sqrt((residual - gh) * (residual + gh)))
	h := shift / (math.Sqrt2 * p)
	basis, turn := gen.Orthonormal(t.Rand, 2, 2), gen.Orthonormal(t.Rand, 2, 2)
	var input, back, w mat.Dense
	input.Scale(h, basis.Slice(0, 2, 0, 1))
	back.Scale(p, basis.Slice(0, 2, 1, 2))
	w.Mul(turn, basis.T())
	w.Scale(p*h/math.Sqrt(gh), &w) // so that ‖g‖ = √gh/h
	if x := mat.Norm(&w, 2); math.IsInf(x, 0) || math.IsNaN(x) || x == 0 {
		return nil, errors.New("no weights in the range of float64 have such residuals and shifts")
	}
	d := descents{W: mat.DenseCopyOf(&w), Rate: rate, Count: count, Inputs: mat.NewDense(2, count, nil),
		PreGrads: mat.NewDense(2, count, nil), InputGrads: mat.NewDense(2, count, nil)}
	for tau := range count {
		b, err := towards(&w, &input, &back)
		if err != nil {
			return nil, err
		}
		d.Inputs.SetCol(tau, mat.Col(nil, 0, b.Inputs))
		d.PreGrads.SetCol(tau, mat.Col(nil, 0, b.PreGrads))
		d.InputGrads.SetCol(tau, mat.Col(nil, 0, b.InputGrads))
		accumulate(&w, -rate, b.WeightGrad())
	}
	d.Last = &w
	left := mat.Norm(d.gap(), 2)
	return map[string]float64{"accumulated": left, "relative": left / mat.Norm(d.statement().Shifts(), 2)}, nil
}

// towards backpropagates ½‖Wh − y‖² with the target y for which the gradient in h is p.
func towards(w, h, p *mat.Dense) (nn.Batch, error) {
	var g, y mat.Dense
	if err := g.Solve(w.T(), p); err != nil {
		return nn.Batch{}, errors.New("the weights became singular; take fewer or smaller steps")
	}
	y.Mul(w, h)
	y.Sub(&y, &g)
	return nn.Net{{W: mat.DenseCopyOf(w), Act: nn.Identity}}.BatchAt(0, h, &y), nil
}
