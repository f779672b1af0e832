package optim

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// Factored returns a trainer that does to a model what [VCL] with a nil solver does, for less: on a copy in which every
// stage with more than twice as many inputs as outputs is split in two, a factor that takes the step of gradient
// descent and a rotation that turns along, see [procrustes.Factored]. The step of a factor costs as much as a step of
// gradient descent; the rotation of m outputs adds about 14m³ flops, and 8m² per sample. [nn.Model.Joined] gives the
// weights.
func Factored(m *nn.Model, gamma float64) *Trainer {
	t := &Trainer{Model: m.Clone()}
	for l := 0; l < len(t.Model.Stages); l++ {
		if out, in := t.Model.Stages[l].W.Dims(); in <= 2*out {
			t.Rules = append(t.Rules, &VCL{Gamma: gamma})
			continue
		}
		t.Model = t.Model.Split(l)
		c := &factored{gamma: gamma}
		t.Rules = append(t.Rules, (*factorRule)(c), (*rotationRule)(c))
		l++
	}
	return t
}

// factored holds the state that the rules of a factor and of its rotation share.
type factored struct {
	gamma     float64
	now, next *procrustes.Factored // the factor before the last step that was asked for, and after it
	turn      *mat.Dense           // by which the rotation has to turn; nil if it has
	count     int                  // of turns
}

// upkeep is the number of turns after which the rotation is made orthogonal again: each of them adds a few roundings.
const upkeep = 128

type factorRule factored

// Rate implements [Rule].
func (c *factorRule) Rate() float64 { return c.gamma }

// Next implements [Rule]. The weights that the stage has now show whether the last step was taken.
func (c *factorRule) Next(v *nn.View) (*mat.Dense, Report, error) {
	switch w := v.Stage.W; {
	case c.next != nil && c.next.F == w:
		c.now, c.next = c.next, c.now
	case c.now == nil || c.now.F != w:
		c.now, c.next = procrustes.NewFactored(w), new(procrustes.Factored)
	}
	c.next.F = nil // the weights that are returned stay the caller's
	turn, step, err := c.now.StepInto(c.next, c.gamma, v.PreGrad.T(), v.Inputs.T(), v.Pre.T())
	c.turn = turn
	return step.W, report("vcl", step), err
}

type rotationRule factored

// Rate implements [Rule].
func (c *rotationRule) Rate() float64 { return c.gamma }

// Next implements [Rule].
func (c *rotationRule) Next(v *nn.View) (*mat.Dense, Report, error) {
	if c.turn == nil {
		return nil, Report{}, errors.New("a rotation without the step of its factor")
	}
	turned := dense.Mul(v.Stage.W, c.turn)
	if (c.count+1)%upkeep == 0 {
		p, err := linalg.Polar(turned, linalg.PolarOptions{LowerBound: 0.5})
		if err != nil {
			return nil, Report{}, fmt.Errorf("rotation: %w", err)
		}
		turned = p.U
	}
	c.turn, c.count = nil, c.count+1
	return turned, Report{Rule: "vcl", Method: "factored", Why: "turned along with the stage before"}, nil
}
