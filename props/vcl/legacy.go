package vcl

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// What claims that are not converted yet still need.

type outcome struct {
	gap  *mat.Dense
	step theory.LayerStep
}

func (o outcome) rounding() float64 {
	m, batch := o.step.PreGrads.Dims()
	return float64(2*(m+batch)+12) * 0x1p-53 * o.step.Magnitude()
}

func covarianceShift(b nn.Batch, step float64) *mat.Dense {
	var cross, square mat.Dense
	cross.Mul(b.Inputs, b.InputGrads.T())
	square.Mul(b.InputGrads, b.InputGrads.T())
	cross.Add(&cross, mat.DenseCopyOf(cross.T()))
	cross.Scale(-step, &cross)
	square.Scale(step*step, &square)
	cross.Add(&cross, &square)
	return &cross
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
