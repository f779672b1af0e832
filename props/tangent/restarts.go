package tangent

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/optim"
	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// restartCell is one problem of a family; all its restarts belong to the cell.
type restartCell struct {
	Family  theory.Family
	Problem int
}

// ending is where one optimisation from a random start arrived.
type ending struct {
	m         *mat.Dense
	cost      float64 // at the family's own penalty, also where a smoothed one was minimised
	missed    float64 // see problem.missed
	condition float64 // of the kernel matrix
	trace     []float64
}

// restarted is one problem and its endings.
type restarted struct {
	problem *problem
	endings []ending
}

// smoothing is the width to which the kink of the absolute penalty is rounded for the optimiser. The smoothed penalty
// lies below the other by at most that, for each singular value.
const smoothing = 1e-7

// restarts is a sweep over problems that are optimised from random starts; the checks on them share the measurement.
func (v trial) restarts(name string, judge func([]restarted) props.Judgement) props.LegacyCheck {
	return props.LegacySweep[restartCell, restarted]{
		Name:       name,
		Share:      fmt.Sprintf("restarts %s %v", v.penalty, v.blocks),
		Replicates: 3,
		Cells: func(e props.Effort) []restartCell {
			var cells []restartCell
			problems := props.Scale{Quick: 12, Standard: 50, Deep: 3000}.At(e)
			for _, family := range v.families() {
				for i := range problems {
					cells = append(cells, restartCell{family, i})
				}
			}
			return cells
		},
		Measure: func(t *props.Trial, c restartCell) restarted { return v.restart(t, c) },
		Judge:   func(_ []restartCell, runs []restarted) props.Judgement { return judge(runs) },
	}.Check()
}

// families are all, or the smooth and simple one where the problem is not that of the claim.
func (v trial) families() []theory.Family {
	if v.penalty != "" || v.blocks {
		return []theory.Family{theory.Quadratic}
	}
	return theory.Families
}

// restart draws a problem and optimises it: over M from near the identity and from a Gaussian matrix, and over θ and M
// together. Every third problem has a network's tangent features. A structured M is optimised by the first two ways.
func (v trial) restart(t *props.Trial, c restartCell) restarted {
	width := 3 + c.Problem%4
	n := 1 + t.Rand.IntN(width)
	features := gaussianFeatures(t.Rand, width)
	if c.Problem%3 == 2 {
		features, width, n = networkFeatures(t.Rand), networkWidth, 2+t.Rand.IntN(2)
	}
	p := newProblem(t.Rand, c.Family, between(t.Rand, 0.3, 3), mostCondition, n, features)
	p.scaled(between(t.Rand, 0.3, 10))
	v.apply(p)

	out := restarted{problem: p}
	for k := range 3 {
		start := gen.Gaussian(t.Rand, width, width, 1)
		if k == 0 {
			start.Scale(0.1, start)
			start.Add(start, impl.Identity(width))
		}
		joint := k == 2 && !v.blocks
		out.endings = append(out.endings, p.optimise(v.free(width), start, joint, t.Rand))
	}
	return out
}

// free is the mask of a block-diagonal M with two blocks; nil for an unstructured one.
func (v trial) free(width int) func(i, j int) bool {
	if !v.blocks {
		return nil
	}
	return func(i, j int) bool { return (2*i < width) == (2*j < width) }
}

// optimise minimises from the start, over M alone or over θ and M together. The absolute penalty is smoothed, less and
// less, and each stage starts where the one before ended.
func (p *problem) optimise(free func(i, j int) bool, start *mat.Dense, joint bool, r *rand.Rand) ending {
	width := p.width()
	if free != nil {
		start.Apply(func(i, j int, x float64) float64 {
			if free(i, j) {
				return x
			}
			return 0
		}, start)
	}
	x := start.RawMatrix().Data
	if joint {
		x = append(gen.Gaussian(r, width, 1, 1).RawMatrix().Data, x...)
	}
	var end ending
	for _, stage := range p.stages() {
		objective, pair := stage.Eliminated(free), func(x []float64) *mat.Dense { return mat.NewDense(width, width, x) }
		if joint {
			j, err := stage.Joint()
			if err != nil {
				panic(err) // the features were drawn well-conditioned
			}
			objective = j.Objective
			pair = func(x []float64) *mat.Dense { _, m := j.Pair(x); return m }
		}
		// A run that gave up is judged by how far it got, like any other.
		found, _ := optim.LBFGS(objective, x, optim.Stop{Gradient: 1e-10, Evaluations: 2000})
		x, end.m, end.trace = found.X, pair(found.X), append(end.trace, found.Trace...)
	}
	theta, err := p.model.Parameters(end.m)
	if err != nil {
		panic(err)
	}
	end.cost, end.missed, end.condition = p.model.Cost(theta, end.m), p.missed(theta, end.m), p.model.Condition(end.m)
	return end
}

// stages are the models to be optimised one after the other.
func (p *problem) stages() []impl.Model {
	if p.family != theory.Absolute {
		return []impl.Model{p.model}
	}
	var stages []impl.Model
	for _, width := range []float64{1e-1, 1e-3, 1e-5, smoothing} {
		stage := p.model
		stage.Penalty = p.model.Penalty.Smoothed(width)
		stages = append(stages, stage)
	}
	return stages
}

// noise bounds the rounding error of an ending's cost against ω̃(v).
func (e ending) noise(p *problem, s theory.Stretch) float64 {
	return costNoise(p, s) + s.Slope()*e.missed
}

// accuracy is how far above the optimum an optimisation may end. Line searches compare costs, which the optimiser computes
// by solving with K: they stop once a step along the gradient gains less than the rounding ε of that, g²/2L ≤ ε with L the
// largest curvature. With μ the smallest across the solutions the excess is then at most g²/2μ ≤ (L/μ)ε. Here
// L ≤ 2·Factor + 6‖θ̂‖², from the two terms of the cost, and μ = 2/C² where C·√excess is the spread of near-solutions.
//
// A smoothed penalty adds the smoothing for every singular value. Its stiff directions have L ≈ μ.
func (e ending) accuracy(p *problem, s theory.Stretch) float64 {
	epsilon := e.noise(p, s) + s.Cost()*p.solveNoise(e.condition)
	c := s.Spread(epsilon)
	reach := epsilon + (p.factor+3*s.Cost())*c*c
	if p.family == theory.Absolute {
		reach += float64(p.width()) * smoothing
	}
	return reach
}

// excess is by how much an ending misses the optimum, no less than the noise and no more than the accuracy: what the
// tolerances of kernel and predictor are made of.
func (e ending) excess(p *problem, s theory.Stretch) float64 {
	return min(e.accuracy(p, s), max(0, e.cost-s.Optimum())+e.noise(p, s))
}
