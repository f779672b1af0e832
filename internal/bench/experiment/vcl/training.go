package vcl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/props"
)

// trainingSpec is figure 2.
var trainingSpec = experiment.Spec[Sizes, Cell, Curve]{
	About: experiment.About{Name: "vcl/training", Title: "Training with virtual covariance learning", Source: poster +
		"; " + sequel, Data: pictures, Cost: "15 min", Claims: trainingClaims},
	Version: 1,
	Sizes:   sizes,
	Runs:    seeds,
	Cells:   cellsOf,
	Train: func(ctx context.Context, env *experiment.Env, s Sizes, c Cell) (Curve, error) {
		t, err := taskOf(env, s, c.Dataset, s.Cell)
		if err != nil {
			return Curve{}, err
		}
		return c.train(ctx, t, s, streamsOf(env, "training", c.Dataset, string(c.Network), c.Seed))
	},
	Judge: judgeTraining,
}

// Cell is one training run.
type Cell struct {
	Dataset string  `json:"dataset"`
	Network Network `json:"network"`
	Rule    Rule    `json:"rule"`
	Gamma   float64 `json:"gamma"`
	Seed    int     `json:"seed"`
}

// String names the cell.
func (c Cell) String() string {
	return fmt.Sprintf("%s %s %s γ=%g seed ", c.Dataset, c.Network, c.Rule, c.Gamma) + strconv.Itoa(c.Seed)
}

// cellsOf lists the cells of one run: the whole grid.
func cellsOf(e props.Effort, run int, dataset string) (out []Cell) {
	for _, n := range Networks {
		for _, r := range n.rules() {
			for _, g := range gammas[e] {
				out = append(out, Cell{dataset, n, r, g, run})
			}
		}
	}
	return out
}

// Curve holds the accuracies of a training run after epochs 0, 1, … An epoch after training has stopped counts as 0,
// like one with weights that are not finite.
type Curve struct {
	Validation []float64 `json:"validation"`
	Test       []float64 `json:"test"`
	Stopped    string    `json:"stopped,omitempty"` // why training ended before its time
}

// train runs a cell. Initial weights, warm-up and the order of batches depend on the network and the seed only: runs of
// different rules and step sizes are paired.
func (c Cell) train(ctx context.Context, t task, s Sizes, stream func(label string) *rand.Rand) (Curve, error) {
	if c.Network == Binary {
		t = t.binary()
	}
	model := t.model(stream("weights"), c.Network, s.Hidden)
	y := t.train.targets(c.Network, t.classes)
	last := len(model.Stages) - 1
	if last > 0 {
		warm := &optim.Trainer{Model: model, Rules: make([]optim.Rule, last+1)}
		warm.Rules[last] = optim.SGD{Gamma: warmUpRate}
		for range s.WarmUp {
			if _, err := warm.Epoch(stream("warm-up"), t.train.x, y, s.Batch); err != nil {
				return Curve{}, err
			}
		}
	}
	trainer := optim.NewTrainer(model, func() optim.Rule { return c.Rule.at(c.Gamma) })
	if last > 0 && c.Rule != SGD {
		trainer.Rules[last] = nil
	}
	order := stream("order")
	var out Curve
	out.measure(model, t)
	for range s.Epochs {
		if err := ctx.Err(); err != nil {
			return Curve{}, err
		}
		if out.Stopped == "" {
			if _, err := trainer.Epoch(order, t.train.x, y, s.Batch); err != nil {
				out.Stopped = err.Error()
			}
		}
		if out.Stopped != "" {
			out.Validation, out.Test = append(out.Validation, 0), append(out.Test, 0)
			continue
		}
		out.measure(model, t)
	}
	return out, nil
}

// at makes the rule for one stage, with a step size.
func (r Rule) at(gamma float64) optim.Rule {
	switch r {
	case VCL:
		return &optim.VCL{Gamma: gamma, Solver: procrustes.Auto{Target: procrustes.TrueShift}}
	case Whitening, Pairs:
		return &optim.VCL{Gamma: gamma}
	case Algorithm1:
		return &optim.Algorithm1{Gamma: gamma, Alpha: 0.1}
	case Cumulative:
		return &optim.Algorithm1{Gamma: gamma, Alpha: 0.5}
	case Adam:
		return &optim.Adam{Gamma: gamma}
	}
	return optim.SGD{Gamma: gamma}
}

// measure appends the accuracies of the model as it is. Without a validation set the test set takes its place, and the
// step size is then chosen by test accuracy, as in the paper.
func (c *Curve) measure(m *nn.Model, t task) {
	test := nn.Accuracy(m.Predict(t.test.x), t.test.labels)
	validation := test
	if len(t.validation.labels) > 0 {
		validation = nn.Accuracy(m.Predict(t.validation.x), t.validation.labels)
	}
	c.Test, c.Validation = append(c.Test, test), append(c.Validation, validation)
}
