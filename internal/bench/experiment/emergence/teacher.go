package emergence

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/streams"
	"github.com/thm-suite/thm/props"
)

// teacherSpec is the experiment with injected inputs.
var teacherSpec = experiment.Spec[TeacherSizes, TeacherCell, Student]{
	About: experiment.About{Name: "emergence/teacher", Title: "A student on pictures and on injected inputs",
		Source: source + ", section on real data", Data: []string{"mnist", experiment.Synthetic}, Cost: "1 min",
		Claims: teacherClaims},
	Version: 1,
	Sizes: map[props.Effort]TeacherSizes{
		props.Quick:    {200, 200, 9, 3, 20, 0.05, 50},
		props.Standard: {5000, 2000, 9, 30, 50, 0.05, 1000},
		props.Deep:     {50000, 10000, 9, 50, 50, 0.05, 5000},
	},
	Runs: map[props.Effort]int{props.Quick: 3, props.Standard: 5, props.Deep: 10},
	Cells: func(_ props.Effort, run int, dataset string) (out []TeacherCell) {
		return list.Map(injections, func(inputs string) TeacherCell { return TeacherCell{dataset, inputs, run} })
	},
	Train: func(ctx context.Context, env *experiment.Env, s TeacherSizes, c TeacherCell) (Student, error) {
		p, err := experiment.Prepared(env, c.Dataset, "pictures", func(set *data.Dataset) (pictures, error) {
			train, labels, mean, err := centred(set.Train, nil, s.Train, nil)
			if err != nil {
				return pictures{}, err
			}
			test, _, _, err := centred(set.Test, nil, s.Tests, mean)
			return pictures{train, test, labels, set.Classes}, err
		})
		if err != nil {
			return Student{}, err
		}
		return c.train(ctx, streams.New(env.Seed, "experiment", "emergence/teacher", c.Dataset, strconv.Itoa(c.Run)),
			p, s)
	},
	Judge: judgeTeacher,
}

// TeacherSizes holds the sizes of both networks and of their training.
type TeacherSizes struct {
	Train  int     `json:"train"`  // pictures, and injected inputs as many
	Tests  int     `json:"tests"`  // of either kind
	Hidden int     `json:"hidden"` // units of both networks
	Epochs int     `json:"epochs"`
	Batch  int     `json:"batch"`
	Rate   float64 `json:"rate"`
	Span   int     `json:"span"` // pictures whose covariance the second kind of injected inputs has
}

// The kinds of injected inputs.
const (
	isotropic = "isotropic Gaussian"             // of the mean squared length of the pictures
	shaped    = "Gaussian with their covariance" // of some of the pictures
)

var injections = []string{isotropic, shaped}

// TeacherCell is one run. Runs of one number have the same teacher and the same student at the start.
type TeacherCell struct {
	Dataset string `json:"dataset"`
	Inputs  string `json:"inputs"`
	Run     int    `json:"run"`
}

// String names the cell.
func (c TeacherCell) String() string {
	return fmt.Sprintf("%s and %s, run %d", c.Dataset, c.Inputs, c.Run)
}

// Student holds the share of new inputs on which a student agrees with its teacher, after epochs 0, 1, …
type Student struct {
	Teacher  float64   `json:"teacher"`  // accuracy of the teacher on its own training labels
	Pictures []float64 `json:"pictures"` // agreement
	Injected []float64 `json:"injected"`
	Largest  []float64 `json:"largest"` // share of the most frequent answer on pictures and on injected inputs
}

// pictures holds the data on which teachers and students are trained and tested.
type pictures struct {
	train, test *mat.Dense
	labels      []byte
	classes     int
}

// train trains a teacher on the labels of the pictures, and a student on its answers to pictures and injected inputs,
// half and half.
func (c TeacherCell) train(ctx context.Context, r *rand.Rand, p pictures, s TeacherSizes) (out Student, err error) {
	_, d := p.train.Dims()
	model := func() *nn.Model {
		return nn.NewDenseModel(r, []int{d, s.Hidden, p.classes}, nn.ReLU, nn.SoftmaxCrossEntropy)
	}
	labels := list.Fill(s.Train, func(i int) int { return int(p.labels[i]) })
	teacher := model()
	trainer := optim.NewTrainer(teacher, func() optim.Rule { return optim.SGD{Gamma: s.Rate} })
	for range s.Epochs {
		if _, err := trainer.Epoch(r, p.train, nn.OneHot(labels, p.classes), s.Batch); err != nil {
			return out, err
		}
	}
	out.Teacher = nn.Accuracy(teacher.Predict(p.train), labels)
	student := model()
	injected, fresh := c.inject(r, p, s.Train, s.Span), c.inject(r, p, s.Tests, s.Span)
	both := mat.NewDense(2*s.Train, d, nil)
	both.Stack(p.train, injected)
	answers := answersOf(teacher, both)
	tests := []*mat.Dense{p.test, fresh}
	var truth [2][]int
	for i, x := range tests {
		truth[i] = answersOf(teacher, x)
		out.Largest = append(out.Largest, largestShare(truth[i], p.classes))
	}
	trainer = optim.NewTrainer(student, func() optim.Rule { return optim.SGD{Gamma: s.Rate} })
	for epoch := 0; ; epoch++ {
		out.Pictures = append(out.Pictures, nn.Accuracy(student.Predict(tests[0]), truth[0]))
		out.Injected = append(out.Injected, nn.Accuracy(student.Predict(tests[1]), truth[1]))
		if epoch == s.Epochs {
			return out, ctx.Err()
		}
		if _, err := trainer.Epoch(r, both, nn.OneHot(answers, p.classes), s.Batch); err != nil {
			return out, err
		}
	}
}

// inject draws inputs of the cell's kind.
func (c TeacherCell) inject(r *rand.Rand, p pictures, count, span int) *mat.Dense {
	_, d := p.train.Dims()
	if c.Inputs == shaped {
		g := features.Gaussian(r, count, span)
		g.Scale(1/math.Sqrt(float64(span)), g)
		return dense.Mul(g, p.train.Slice(0, span, 0, d).(*mat.Dense))
	}
	x := features.Gaussian(r, count, d)
	x.Scale(math.Sqrt(meanSquare(p.train)/float64(d)), x)
	return x
}

// answersOf are the classes with the largest outputs.
func answersOf(m *nn.Model, x *mat.Dense) []int {
	outputs := m.Predict(x)
	n, classes := outputs.Dims()
	out := make([]int, n)
	for i := range out {
		row := outputs.RawRowView(i)
		for k := range classes {
			if row[k] > row[out[i]] {
				out[i] = k
			}
		}
	}
	return out
}

// largestShare returns the share of the most frequent answer.
func largestShare(answers []int, classes int) float64 {
	count, top := make([]int, classes), 0
	for _, a := range answers {
		count[a]++
		top = max(top, count[a])
	}
	return float64(top) / float64(len(answers))
}
