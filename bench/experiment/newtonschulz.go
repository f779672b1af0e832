package experiment

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/dense"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/impl/procrustes"
)

// Keeping is what steps with zero gradient, which must not change a Gram matrix, did to the square hidden layer.
type Keeping struct {
	Steps  int     `json:"steps"`
	Change float64 `json:"change"` // ‖WᵀW − W₀ᵀW₀‖ / ‖W₀ᵀW₀‖
	Lost   float64 `json:"lost"`   // fraction of singular values below a hundredth of what they were
}

// NewtonSchulzRun compares the ten Newton–Schulz steps of arXiv 2605.06258 with the exact polar factor.
type NewtonSchulzRun struct {
	Width int       `json:"width"`
	Ten   []Keeping `json:"ten"`
	Exact []Keeping `json:"exact"`
}

// keepingSteps are the numbers of steps after which the layer is looked at.
var keepingSteps = []int{1, 10, 30}

// runNewtonSchulz trains a three-layer network for an epoch and then takes steps with zero gradient on its square
// hidden layer.
func runNewtonSchulz(ctx context.Context, t task, s Sizes,
	stream func(label string) *rand.Rand) (NewtonSchulzRun, error) {
	out := NewtonSchulzRun{Width: s.Wide}
	model := t.model(stream("weights"), ThreeLayer, s.Wide)
	trainer := optim.NewTrainer(model, func() optim.Rule { return optim.SGD{Gamma: 0.5} })
	if _, err := trainer.Epoch(stream("order"), t.train.x, t.train.targets(ThreeLayer, t.classes),
		s.Batch); err != nil {
		return out, err
	}
	var err error
	if out.Ten, err = keeping(ctx, model.Stages[1].W, procrustes.NewtonSchulz{}); err == nil {
		out.Exact, err = keeping(ctx, model.Stages[1].W, procrustes.Polar{})
	}
	return out, err
}

// keeping takes steps with zero gradient.
func keeping(ctx context.Context, start *mat.Dense, solver procrustes.Solver) ([]Keeping, error) {
	m, n := start.Dims()
	gram, w := dense.Gram(start.T()), start
	_, before, _, err := linalg.SVD(start, mat.SVDNone)
	if err != nil {
		return nil, err
	}
	var out []Keeping
	for step := 1; step <= keepingSteps[len(keepingSteps)-1]; step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next, err := solver.Solve(procrustes.Problem{W: w, Gamma: mat.NewDense(m, 1, nil), H: mat.NewDense(n, 1, nil),
			Rate: 1})
		if err != nil {
			return nil, err
		}
		w = next.W
		if step != keepingSteps[len(out)] {
			continue
		}
		_, after, _, err := linalg.SVD(w, mat.SVDNone)
		if err != nil {
			return nil, err
		}
		lost := 0
		for i := range after {
			if !(after[i] >= before[i]/100) {
				lost++
			}
		}
		changed := dense.Gram(w.T())
		changed.Sub(changed, gram)
		out = append(out, Keeping{step, mat.Norm(changed, 2) / mat.Norm(gram, 2), float64(lost) / float64(len(after))})
	}
	return out, nil
}
