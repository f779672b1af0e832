package optim

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/nn"
)

// Rule says how the weights of one stage follow from what it saw of a batch. Rules may keep a state between batches, so
// every stage needs its own.
type Rule interface {
	// Next returns the next weights (out×in) in fresh memory and leaves the view and its stage unchanged. After an error
	// the rule's state is what it was.
	Next(v *nn.View) (*mat.Dense, Report, error)
	// Rate is the step size, with which the stage's bias takes a plain gradient step.
	Rate() float64
}

// Report describes the step that a rule took on a stage.
type Report struct {
	Rule    string  // "sgd", "adam", "vcl" or "algorithm 1"; empty for a stage that was left alone
	Method  string  // the solver that was used
	Why     string  // why
	Moved   float64 // ‖W₊ − W‖ in the Frobenius norm
	Dropped float64 // Frobenius norm of the part of the target Gram matrix that no weights have
	Gap     float64 // estimated excess of ‖W₊ − W‖² over the least, relative to it; NaN if not estimated
}

// Trainer trains a model with one rule per stage; a stage with a nil rule keeps its weights and bias. All rules of a
// step see gradients at the old weights of all stages.
type Trainer struct {
	Model *nn.Model
	Rules []Rule
	trace nn.Trace
}

// NewTrainer returns a trainer with a rule of its own for every stage.
func NewTrainer(m *nn.Model, rule func() Rule) *Trainer {
	t := &Trainer{Model: m}
	for range m.Stages {
		t.Rules = append(t.Rules, rule())
	}
	return t
}

// Step trains on one batch, x (B×inputs) and y (B×outputs). It returns the mean loss before the step and a report per
// stage. After an error the model is what it was; the error names the stage.
func (t *Trainer) Step(x, y *mat.Dense) (float64, []Report, error) {
	if len(t.Rules) != len(t.Model.Stages) {
		panic("optim: a trainer needs one rule, or nil, per stage")
	}
	t.Model.Backprop(&t.trace, x, y)
	reports, err := Update(t.trace.Views, t.Rules)
	return t.trace.Loss, reports, err
}

// Update lets every rule, which may be nil, move the stage of its view, and returns a report per stage. After an error
// all stages are what they were; the error names the stage.
func Update(views []nn.View, rules []Rule) ([]Report, error) {
	reports, weights := make([]Report, len(rules)), make([]*mat.Dense, len(rules))
	for l, rule := range rules {
		if rule == nil {
			continue
		}
		var err error
		if weights[l], reports[l], err = rule.Next(&views[l]); err != nil {
			return nil, fmt.Errorf("optim: stage %d: %w", l, err)
		}
	}
	for l, w := range weights {
		if w == nil {
			continue
		}
		stage := views[l].Stage
		reports[l].Moved = distance(w, stage.W)
		stage.W = w
		if stage.B != nil {
			for i, g := range views[l].BiasGrad() {
				stage.B[i] -= rules[l].Rate() * g
			}
		}
	}
	return reports, nil
}

// Epoch takes steps over all rows of x and y in an order drawn from r, in batches of the given size and a last one with
// what is left. It returns the mean loss met on the way, and stops at the first error.
func (t *Trainer) Epoch(r *rand.Rand, x, y *mat.Dense, batch int) (float64, error) {
	n, _ := x.Dims()
	order := r.Perm(n)
	var total float64
	for i := 0; i < n; i += batch {
		part := order[i:min(i+batch, n)]
		loss, _, err := t.Step(rows(x, part), rows(y, part))
		if err != nil {
			return math.NaN(), err
		}
		total += loss * float64(len(part))
	}
	return total / float64(n), nil
}

// rows returns a new matrix of the chosen rows.
func rows(m *mat.Dense, chosen []int) *mat.Dense {
	_, n := m.Dims()
	part := mat.NewDense(len(chosen), n, nil)
	for i, row := range chosen {
		copy(part.RawRowView(i), m.RawRowView(row))
	}
	return part
}

var kernels blas.Implementation

// distance returns ‖a − b‖ in the Frobenius norm.
func distance(a, b *mat.Dense) float64 {
	m, n := a.Dims()
	norms, row := make([]float64, m), make([]float64, n)
	for i := range m {
		copy(row, a.RawRowView(i))
		kernels.Daxpy(n, -1, b.RawRowView(i), 1, row, 1)
		norms[i] = kernels.Dnrm2(n, row, 1)
	}
	return kernels.Dnrm2(m, norms, 1)
}
