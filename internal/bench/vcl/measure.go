package vcl

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/internal/impl/builtin"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// VCLPlan says what to measure.
type VCLPlan struct {
	Quick   bool     // small shapes only
	Rounds  int      // in which the methods take turns, at least 1
	Methods []string // besides sgd and full; nil for all
}

// measured is one method on one layer.
type measured struct {
	VCLStep
	flops float64
}

// MeasureVCL measures on one thread, after every step has been verified. A wrong one ends the measurement with
// [ErrWrongStep]. progress gets a line for each shape.
func MeasureVCL(ctx context.Context, plan VCLPlan, progress func(string)) (*VCLSpeeds, error) {
	defer builtin.Limit(1)()
	out := &VCLSpeeds{Steps: []VCLStep{}, Training: []VCLTraining{}, Costs: []VCLCost{}}
	shapes, networks, sweeps := plan.shapes()
	say := counted(len(shapes)+len(networks)+count(sweeps), progress)
	for _, l := range shapes {
		say(fmt.Sprintf("step of %v", l))
		methods, err := plan.layer(ctx, l, true)
		if err != nil {
			return nil, err
		}
		for _, m := range methods {
			if m.Method != "sgd" && m.Method != "full" {
				out.Steps = append(out.Steps, m.VCLStep)
			}
		}
	}
	for _, t := range networks {
		say(fmt.Sprintf("training of %v, batch %d", t.Widths, t.Batch))
		if err := plan.training(ctx, &t); err != nil {
			return nil, fmt.Errorf("training of %v: %w", t.Widths, err)
		}
		out.Training = append(out.Training, t)
	}
	for _, sweep := range sweeps {
		for _, l := range sweep.layers {
			say(fmt.Sprintf("cost over %s: %v", sweep.over, l))
			methods, err := plan.layer(ctx, l, l.N <= 2048) // the paper's route takes n³
			if err != nil {
				return nil, err
			}
			for _, m := range methods {
				out.Costs = append(out.Costs, VCLCost{l, sweep.over, m.Method, m.Seconds, m.flops})
			}
		}
	}
	return out, nil
}

// counted puts in front of a line which of how many it is.
func counted(total int, progress func(string)) func(string) {
	done := 0
	return func(text string) {
		done++
		progress(fmt.Sprintf("%d of %d: %s", done, total, text))
	}
}

// count is the number of layers in the sweeps.
func count(sweeps []sweep) (n int) {
	for _, sweep := range sweeps {
		n += len(sweep.layers)
	}
	return n
}

// shapes returns the shapes of the plan.
func (plan VCLPlan) shapes() ([]Layer, []VCLTraining, []sweep) {
	if !plan.Quick {
		return layers, trainings, sweeps
	}
	return []Layer{{16, 64, 8}, {64, 256, 2}}, []VCLTraining{{Widths: []int{32, 16, 10}, Batch: 8}},
		[]sweep{{"n", []Layer{{8, 64, 2}, {8, 128, 2}, {8, 256, 2}}}}
}

// layer verifies and times the methods of the plan on a layer. Without the paper's route there are no errors of steps.
func (plan VCLPlan) layer(ctx context.Context, l Layer, full bool) ([]measured, error) {
	p := l.Problem()
	var out []measured
	var ops []func()
	var reference *mat.Dense
	for _, method := range vclMethods {
		solver := method.on(l)
		if solver == nil || !plan.includes(method.name) || method.name == "full" && !full {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, w, err := method.verified(l, p, solver, reference)
		if err != nil {
			return nil, err
		}
		if method.name == "full" {
			reference = w
		}
		out, ops = append(out, m), append(ops, func() { _, _ = solver.Solve(p) })
	}
	seconds, err := plan.time(ctx, ops...)
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].Seconds, out[i].SGD = seconds[i], seconds[0]
		if full {
			out[i].Full = seconds[1]
		}
	}
	return out, nil
}

// includes reports whether a method is in the plan. Those that the others are compared with always are.
func (plan VCLPlan) includes(method string) bool {
	return method == "sgd" || method == "full" || plan.Methods == nil || slices.Contains(plan.Methods, method)
}

// verified takes a step, and returns it with what is known of it before it is timed.
func (m vclMethod) verified(l Layer, p procrustes.Problem, solver procrustes.Solver,
	reference *mat.Dense) (measured, *mat.Dense, error) {
	step, err := solver.Solve(p)
	if err != nil {
		return measured{}, nil, fmt.Errorf("%s on %v: %w", m.name, l, err)
	}
	if factors, ok := solver.(interface{ Weights() *mat.Dense }); ok {
		step.W = factors.Weights()
	}
	r := StepRatio(m.name, p, step.W)
	if r.Verdict() != results.Holds {
		return measured{}, nil, fmt.Errorf("%s on %v: %w: error %.3g times the rounding error bound", m.name, l, ErrWrongStep,
			r.Value)
	}
	out := measured{VCLStep{Layer: l, Method: m.name, Exact: !nearly(m.name), Ratio: r.Value}, m.count(l, step.Dim)}
	if reference != nil {
		off, gap := departures(p, step.W, reference)
		if out.Error = off; !out.Exact {
			out.Error = gap
		}
	}
	if target, ok := targets[m.name+"/"+l.String()]; ok {
		out.Target = &target
	}
	return out, step.W, nil
}

// time returns medians over the rounds of the plan.
func (plan VCLPlan) time(ctx context.Context, ops ...func()) ([]float64, error) {
	t := interleave(ops...)
	for range plan.Rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.round()
	}
	return t.medians(), nil
}

// trainings are dense networks with GELU and a softmax. The one with a limit has the paper's layer on MNIST.
var trainings = []VCLTraining{
	{Widths: []int{784, 256, 10}, Batch: 64}, {Widths: []int{784, 256, 10}, Batch: 256, Limit: 2},
	{Widths: []int{784, 256, 256, 10}, Batch: 64}, {Widths: []int{784, 256, 256, 10}, Batch: 256},
	{Widths: []int{3072, 256, 10}, Batch: 64}, {Widths: []int{3072, 256, 10}, Batch: 256},
	// add here
}

// training verifies and times a training step.
func (plan VCLPlan) training(ctx context.Context, t *VCLTraining) error {
	steppers, err := t.steppers()
	if err != nil {
		return err
	}
	seconds, err := plan.time(ctx, steppers...)
	if err != nil {
		return err
	}
	t.SGD, t.Seconds, t.Factors = seconds[0], seconds[1], seconds[2]
	return nil
}

// steppers return training steps of gradient descent, with Gram matrices kept, and the same with weights in two
// factors, on networks of their own that begin alike. The first steps of the latter two have been verified.
func (t *VCLTraining) steppers() ([]func(), error) {
	const rate = 0.01
	inputs, classes := t.Widths[0], t.Widths[len(t.Widths)-1]
	r := testmatrix.Stream("training", t.Batch, inputs)
	model := nn.NewDenseModel(r, t.Widths, nn.GELU, nn.SoftmaxCrossEntropy)
	labels := list.Fill(t.Batch, func(int) int { return r.IntN(classes) })
	x, y := testmatrix.Uniform("training", t.Batch, inputs), nn.OneHot(labels, classes)
	plain := optim.NewTrainer(model.Clone(), func() optim.Rule { return optim.SGD{Gamma: rate} })
	keeping := optim.NewTrainer(model.Clone(), func() optim.Rule { return &optim.VCL{Gamma: rate} })
	factors := optim.Factored(model, rate)
	for _, trainer := range []*optim.Trainer{plain, keeping, factors} {
		if _, _, err := trainer.Step(x, y); err != nil {
			return nil, err
		}
	}
	var trace nn.Trace
	joined := factors.Model.Joined()
	model.Backprop(&trace, x, y)
	for l := range model.Stages {
		v := &trace.Views[l]
		p := procrustes.Problem{W: v.Stage.W, Gamma: v.PreGrad.T(), H: v.Inputs.T(), Rate: rate}
		q := props.Worst(StepRatio("polar", p, keeping.Model.Stages[l].W), StepRatio("polar", p, joined.Stages[l].W))
		if q.Verdict() != results.Holds {
			return nil, fmt.Errorf("stage %d: %w: error %.3g times the rounding error bound", l, ErrWrongStep, q.Value)
		}
	}
	step := func(t *optim.Trainer) func() { return func() { _, _, _ = t.Step(x, y) } }
	return []func(){step(plain), step(keeping), step(factors)}, nil
}
