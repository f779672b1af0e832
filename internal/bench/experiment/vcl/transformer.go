package vcl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
)

// transformerSpec trains a transformer, which the paper leaves open.
var transformerSpec = experiment.Spec[TransformerSizes, TransformerCell, TransformerRun]{
	About: experiment.About{Name: "vcl/transformer", Title: "A transformer trained with virtual covariance learning",
		Source: "T. Cha, D. Lee: Feature Learning as a Virtual Covariance Learning (2025), open point: self-attention; " +
			"whitening after arXiv 2605.06258", Cost: "6 min", Claims: transformerClaims},
	Version: 1,
	Sizes: map[props.Effort]TransformerSizes{
		props.Quick: {Copying: Task{Words: 3, Length: 3, Steps: 40}, Addition: Task{Words: 3, Length: 2, Steps: 40},
			Width: 8, Batch: 16, Tests: 32},
		props.Standard: {Copying: Task{Words: 8, Length: 6, Steps: 160}, Addition: Task{Words: 5, Length: 3, Steps: 500},
			Width: 16, Batch: 32, Tests: 128},
		props.Deep: {Copying: Task{Words: 16, Length: 8, Steps: 500}, Addition: Task{Words: 7, Length: 4, Steps: 2000},
			Width: 32, Batch: 64, Tests: 512},
	},
	Runs: map[props.Effort]int{props.Quick: 3, props.Standard: 10, props.Deep: 20},
	Cells: func(e props.Effort, run int, _ string) (out []TransformerCell) {
		for _, task := range transformerTasks {
			for _, rule := range transformerRules {
				for _, gamma := range transformerGammas(e, rule) {
					out = append(out, TransformerCell{task, rule, gamma, run})
				}
			}
		}
		return out
	},
	Train: func(ctx context.Context, env *experiment.Env, s TransformerSizes, c TransformerCell) (TransformerRun, error) {
		return c.train(ctx, s, func(label string) *rand.Rand {
			return streams.New(env.Seed, "experiment", "vcl/transformer", c.Task, strconv.Itoa(c.Seed), label)
		})
	},
	Judge: judgeTransformer,
}

// choosing is the number of runs, the first ones, that choose the step size and are not judged.
var choosing = map[props.Effort]int{props.Quick: 1, props.Standard: 4, props.Deep: 5}

// TransformerSizes holds the sizes of the network and of its training.
type TransformerSizes struct {
	Copying  Task `json:"copying"`
	Addition Task `json:"addition"`
	Width    int  `json:"width"` // of tokens; twice as many hidden units
	Batch    int  `json:"batch"` // fresh sequences in a step
	Tests    int  `json:"tests"` // sequences
}

// Task is the size of a task.
type Task struct {
	Words  int `json:"words"` // that tokens are drawn from, evenly
	Length int `json:"length"`
	Steps  int `json:"steps"` // of training, for every rule
}

// The tasks. The answers stand at the places of the tokens.
const (
	copying  = "copying"  // the sequence backwards
	addition = "addition" // every token plus the next one, around the end, modulo the number of words
)

var transformerTasks = []string{copying, addition}

// transformerRules lists the rules that are compared; there are claims about the last three.
var transformerRules = []Rule{SGD, Adam, VCL, Whitening, Pairs}

// transformerGammas is the grid of step sizes: as many and as far apart for every rule. Adam's steps do not scale with
// the gradient, so that its grid lies elsewhere.
func transformerGammas(e props.Effort, r Rule) []float64 {
	grid := []float64{0.4, 0.56, 0.8, 1.1, 1.6, 2.2}
	if r == Adam {
		grid = []float64{0.008, 0.0112, 0.016, 0.022, 0.032, 0.044}
	}
	if e == props.Quick {
		return grid[1:3]
	}
	return grid
}

// TransformerCell is one training run. Runs of one number and task start from the same weights and see the same
// batches.
type TransformerCell struct {
	Task  string  `json:"task"`
	Rule  Rule    `json:"rule"`
	Gamma float64 `json:"gamma"`
	Seed  int     `json:"seed"`
}

// String names the cell.
func (c TransformerCell) String() string {
	return fmt.Sprintf("%s %s γ=%g seed %d", c.Task, c.Rule, c.Gamma, c.Seed)
}

// looks is the number of times that a run is tested after it starts.
const looks = 20

// TransformerRun holds the results of a training run. A loss is the ratio of the test loss to the loss of guessing,
// which is the logarithm of the number of words, and 1 at most: a network that does worse may as well guess.
type TransformerRun struct {
	Losses   []float64 `json:"losses"`   // before training, and after each twentieth of it
	Accuracy float64   `json:"accuracy"` // on the test set at the end; 0 of weights that are not finite
	Stopped  string    `json:"stopped,omitempty"`
}

// mean is the loss averaged over training, from its first twentieth on.
func (r TransformerRun) mean() float64 {
	sum := 0.0
	for _, l := range r.Losses[1:] {
		sum += l
	}
	return sum / float64(len(r.Losses)-1)
}

// train runs a cell.
func (c TransformerCell) train(ctx context.Context, s TransformerSizes,
	stream func(label string) *rand.Rand) (TransformerRun, error) {
	task := map[string]Task{copying: s.Copying, addition: s.Addition}[c.Task]
	model := nn.NewTransformer(stream("weights"), task.Words, task.Length, s.Width, 2*s.Width, 2, nn.GELU)
	batches := stream("batches")
	x, labels := task.draw(stream("tests"), c.Task, s.Tests)
	tests, answers := model.Encode(x), nn.OneHot(labels, task.Words)
	var out TransformerRun
	test := func() {
		outputs := model.Predict(tests)
		loss := model.Loss.Mean(mat.DenseCopyOf(outputs), outputs, answers) / math.Log(float64(task.Words))
		if !(loss < 1) || out.Stopped != "" {
			loss = 1
		}
		out.Losses, out.Accuracy = append(out.Losses, math.Round(1e6*loss)/1e6), nn.Accuracy(outputs, labels)
	}
	test()
	var trace nn.Trace
	var rules []optim.Rule
	for step := range task.Steps {
		if out.Stopped == "" {
			tokens, labels := task.draw(batches, c.Task, s.Batch)
			model.Backprop(&trace, model.Encode(tokens), nn.OneHot(labels, task.Words))
			if rules == nil {
				rules = c.rules(len(trace.Views))
			}
			if _, err := optim.Update(trace.Views, rules); err != nil {
				out.Stopped = err.Error()
			} else if math.IsNaN(trace.Loss) {
				out.Stopped = "the loss is not a number"
			}
		}
		if looks*(step+1)/task.Steps > looks*step/task.Steps {
			if err := ctx.Err(); err != nil {
				return out, err
			}
			test()
		}
	}
	if out.Stopped != "" {
		out.Accuracy = 0
	}
	return out, nil
}

// rules returns the rules of the stages of a transformer: embeddings, then queries, keys, values, outputs and two
// hidden stages of every block, then the readout.
func (c TransformerCell) rules(stages int) []optim.Rule {
	out := make([]optim.Rule, stages)
	for l := range out {
		rule := c.Rule
		if attention := l > 0 && l < stages-1 && (l-1)%6 < 4; rule == Pairs && attention {
			rule = SGD
		}
		out[l] = rule.at(c.Gamma)
	}
	return out
}

// draw returns the tokens of sequences, one after another, and the answer to each.
func (t Task) draw(r *rand.Rand, name string, sequences int) (tokens, answers []int) {
	for range sequences {
		s, a := make([]int, t.Length), make([]int, t.Length)
		for i := range s {
			s[i] = r.IntN(t.Words)
		}
		copy(a, s)
		slices.Reverse(a)
		if name == addition {
			for i := range a {
				a[i] = (s[i] + s[(i+1)%t.Length]) % t.Words
			}
		}
		tokens, answers = append(tokens, s...), append(answers, a...)
	}
	return tokens, answers
}
