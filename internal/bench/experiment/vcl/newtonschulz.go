package vcl

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/impl/procrustes"
	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/draw"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
)

// newtonSchulzSpec looks at the iteration that arXiv 2605.06258 recommends in place of a polar factor.
var newtonSchulzSpec = experiment.Spec[Sizes, Seeded, NewtonSchulzRun]{
	About: experiment.About{
		Name: "vcl/newton-schulz", Title: "Ten Newton–Schulz steps against the exact polar factor", Source: sequel,
		Data: pictures, Cost: "1 min",
		Claims: []experiment.Claim{{ID: keeps, Title: "Ten Newton–Schulz steps keep the Gram matrix",
			Sentence: "Thirty whitening steps with zero gradient leave the Gram matrix of a square hidden layer as it " +
				"was, up to 10⁻⁹.", Quantity: "relative change"}},
	},
	Version: 1,
	Sizes:   sizes,
	Runs:    seeds,
	Cells:   func(_ props.Effort, run int, dataset string) []Seeded { return []Seeded{{dataset, run}} },
	Train: func(ctx context.Context, env *experiment.Env, s Sizes, c Seeded) (NewtonSchulzRun, error) {
		t, err := taskOf(env, s, c.Dataset, s.Cell)
		if err != nil {
			return NewtonSchulzRun{}, err
		}
		return runNewtonSchulz(ctx, t, s, streamsOf(env, "newton-schulz", c.Dataset, "", c.Seed))
	},
	Judge: judgeNewtonSchulz,
}

const keeps = "gram-kept"

// keepTolerance bounds the relative change of a Gram matrix over steps that must not change it. The exact polar factor
// leaves 30 steps × 32√n·u ≈ 2e-12 for n = 256, the printed figures speak of per cents.
const keepTolerance = 1e-9

func judgeNewtonSchulz(set experiment.Setting, s Sizes,
	runs []experiment.Run[Seeded, NewtonSchulzRun]) experiment.Judgement {
	out := experiment.Judgement{Setup: []string{cut(s), fmt.Sprintf("A three-layer network with %d units is trained for "+
		"an epoch of gradient descent; then whitening steps with zero gradient are taken on its square hidden layer, which "+
		"should change nothing. A singular value counts as lost below a hundredth of what it was. Intervals are Student's "+
		"over runs.", s.Wide)}}
	table := &experiment.Table{Columns: []string{"", "steps", "change of the Gram matrix, ten steps", "exact polar factor",
		"singular values lost, ten steps", "exact polar factor"}}
	for _, d := range set.Datasets {
		of := experiment.Among(runs, func(c Seeded) bool { return c.Dataset == d })
		of = list.Where(of, func(r NewtonSchulzRun) bool { return len(r.Ten) > 0 })
		change := experiment.Mean(of, func(r NewtonSchulzRun) float64 { return r.Ten[len(r.Ten)-1].Change })
		out.Findings = append(out.Findings, experiment.Finding{Claim: keeps, Row: experiment.Title(d),
			Column: Whitening.Title()}.AtMost(keepTolerance, change, len(of) >= seeds[set.Effort]))
		if len(of) > 0 {
			table.Rows = append(table.Rows, kept(d, of)...)
		}
	}
	out.Sections = []experiment.Section{{Title: "Change of the layer", Text: "Means over runs.", Table: table}}
	return out
}

// kept are the rows of a data set.
func kept(dataset string, runs []NewtonSchulzRun) (rows [][]string) {
	for i, k := range runs[0].Ten {
		mean := func(scale float64, of func(NewtonSchulzRun) float64) string {
			m, _, _ := experiment.Spread(runs, of)
			return draw.Digits(scale*m, 2)
		}
		rows = append(rows, []string{fmt.Sprintf("%s, %d×%d", experiment.Title(dataset), runs[0].Width, runs[0].Width),
			fmt.Sprint(k.Steps),
			mean(1, func(r NewtonSchulzRun) float64 { return r.Ten[i].Change }),
			mean(1, func(r NewtonSchulzRun) float64 { return r.Exact[i].Change }),
			mean(100, func(r NewtonSchulzRun) float64 { return r.Ten[i].Lost }) + " %",
			mean(100, func(r NewtonSchulzRun) float64 { return r.Exact[i].Lost }) + " %"})
	}
	return rows
}

// Keeping holds the effect on the square hidden layer of steps with zero gradient, which must not change a Gram matrix.
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
