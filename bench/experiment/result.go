package experiment

import (
	"github.com/thm-suite/thm/props"
)

// SchemaName is the format of the results.
const SchemaName = "thm.experiment/v1"

// Result is everything that a run of the experiments found.
type Result struct {
	Schema       string               `json:"schema"`
	Tool         props.Tool           `json:"tool"`
	Run          Setting              `json:"run"`
	Skipped      []string             `json:"skipped"` // what was not there, one sentence each
	Headlines    []Finding            `json:"headlines"`
	Findings     []Finding            `json:"findings"`
	Covariance   []CovarianceResult   `json:"covariance"`
	NewtonSchulz []NewtonSchulzResult `json:"newton_schulz"`
	Training     []Grid               `json:"training"`
}

// Setting is how the results were made.
type Setting struct {
	Effort      props.Effort `json:"effort"`
	Seed        uint64       `json:"seed"`
	Experiments []string     `json:"experiments"`
	Datasets    []string     `json:"datasets"`
	Sizes       Sizes        `json:"sizes"`
	Alpha       float64      `json:"alpha"` // level of every interval
	Cells       Progress     `json:"cells"`
	Interrupted bool         `json:"interrupted"`
}

// Progress counts cells.
type Progress struct {
	Planned int `json:"planned"`
	Run     int `json:"run"`
}

// CovarianceResult are the runs on one data set. Only the first keeps its diagonals, to four digits.
type CovarianceResult struct {
	Dataset string          `json:"dataset"`
	Runs    []CovarianceRun `json:"runs"`
}

// NewtonSchulzResult are the runs on one data set.
type NewtonSchulzResult struct {
	Dataset string            `json:"dataset"`
	Runs    []NewtonSchulzRun `json:"runs"`
}

// Grid are the training runs of one network on one data set.
type Grid struct {
	Dataset string      `json:"dataset"`
	Network Network     `json:"network"`
	Rules   []RuleCurve `json:"rules"`
}

// RuleCurve are the runs of one rule.
type RuleCurve struct {
	Rule   Rule         `json:"rule"`
	Best   int          `json:"best"`   // index of the step size whose best validation accuracy is largest on average
	Gammas []GammaCurve `json:"gammas"` // in the order of the grid
}

// GammaCurve are the runs at one step size, in the order of the seeds.
type GammaCurve struct {
	Gamma float64 `json:"gamma"`
	Runs  []Curve `json:"runs"`
}

// result sorts what was computed and judges it.
func (r *runner) result(datasets []string, interrupted bool) *Result {
	s := SizesAt(r.Effort)
	out := &Result{Schema: SchemaName, Tool: props.ThisTool(), Skipped: append([]string{}, r.Skipped...),
		Covariance: []CovarianceResult{}, NewtonSchulz: []NewtonSchulzResult{}, Training: []Grid{},
		Run: Setting{Effort: r.Effort, Seed: r.Seed, Experiments: r.Names, Datasets: datasets, Sizes: s, Alpha: Alpha,
			Cells: Progress{len(plan(r.Names, datasets, r.Effort)), r.done}, Interrupted: interrupted}}
	for _, name := range r.Names {
		for _, d := range datasets {
			switch name {
			case Covariance:
				out.Covariance = append(out.Covariance, CovarianceResult{d, r.covarianceRuns(d, s)})
			case NewtonSchulz:
				out.NewtonSchulz = append(out.NewtonSchulz,
					NewtonSchulzResult{d, ordered(r.newton, Cell{Experiment: NewtonSchulz, Dataset: d}, s)})
			case Training:
				for _, n := range Networks {
					out.Training = append(out.Training, r.grid(d, n, s))
				}
			}
		}
	}
	out.Judge()
	return out
}

// ordered are the values of a cell's seeds that there are, in order.
func ordered[T any](from map[Cell]T, c Cell, s Sizes) []T {
	out := []T{}
	for c.Seed = range s.Seeds {
		if value, ok := from[c]; ok {
			out = append(out, value)
		}
	}
	return out
}

func (r *runner) covarianceRuns(dataset string, s Sizes) []CovarianceRun {
	runs := ordered(r.covariance, Cell{Experiment: Covariance, Dataset: dataset}, s)
	for i := range runs {
		run := &runs[i]
		for _, d := range []*[]float64{&run.Gram, &run.Shift, &run.AGOP, &run.Increment} {
			if *d = rounded(*d, 4); i > 0 {
				*d = nil
			}
		}
	}
	return runs
}

func (r *runner) grid(dataset string, n Network, s Sizes) Grid {
	out := Grid{Dataset: dataset, Network: n}
	for _, rule := range n.rules() {
		rc := RuleCurve{Rule: rule}
		highest := -1.0
		for i, gamma := range s.Gammas {
			g := GammaCurve{gamma, ordered(r.curves, Cell{Training, dataset, n, rule, gamma, 0}, s)}
			rc.Gammas = append(rc.Gammas, g)
			if mean := average(g.Runs, func(c Curve) float64 { return best(c.Validation) }); mean > highest {
				highest, rc.Best = mean, i
			}
		}
		out.Rules = append(out.Rules, rc)
	}
	return out
}

// Chosen are the runs at the chosen step size.
func (r RuleCurve) Chosen() GammaCurve { return r.Gammas[r.Best] }

// rule returns the runs of a rule.
func (g Grid) rule(rule Rule) RuleCurve {
	for _, r := range g.Rules {
		if r.Rule == rule {
			return r
		}
	}
	panic("experiment: the network has no runs of the rule " + string(rule))
}

// best is the largest accuracy of a curve, 0 of none.
func best(xs []float64) float64 {
	top := 0.0
	for _, x := range xs {
		top = max(top, x)
	}
	return top
}

// last is the accuracy at the end, 0 of none.
func last(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	return xs[len(xs)-1]
}

// each applies a function to all runs.
func each(runs []Curve, f func(Curve) float64) []float64 {
	out := make([]float64, len(runs))
	for i, c := range runs {
		out[i] = f(c)
	}
	return out
}

// average is the mean of a function of the runs, 0 of none.
func average(runs []Curve, f func(Curve) float64) float64 {
	sum := 0.0
	for _, x := range each(runs, f) {
		sum += x
	}
	return sum / float64(max(1, len(runs)))
}
