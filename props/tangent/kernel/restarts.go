package kernel

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
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

// optimised is one problem and where optimisation from random starts arrived.
type optimised struct {
	Features, Test *mat.Dense
	Labels         []float64
	Kind           string
	Family         theory.Family
	Factor         float64
	Endings        []ending
}

// ending is where one optimisation arrived.
type ending struct {
	M        *mat.Dense
	Cost     float64 // ‖θ‖² of the shortest parameters
	Total    float64 // the cost, at the family's own penalty
	Missed   float64 // see problem.missed
	Gradient float64 // norm of the gradient in M, of the smoothed penalty where the family's own has a kink
	Trace    []float64
}

// smoothing is the width to which the kink of the absolute penalty is rounded off for the optimiser.
const smoothing = 1e-3

func restartRegimes() []string {
	var all []string
	for _, family := range []string{"quadratic", "absolute, kept", "absolute, stretched", "product", "log-det"} {
		for _, shape := range []string{"n < p", "n = p", "network features"} {
			all = append(all, family+", "+shape)
		}
	}
	return all
}

func (o optimised) regime(s theory.Stretch) string {
	family, shape := string(o.Family), "n < p"
	switch _, p := o.Features.Dims(); {
	case o.Kind == network:
		shape = "network features"
	case len(o.Labels) == p:
		shape = "n = p"
	}
	if o.Family == theory.Absolute && s.Excess() == 0 {
		family += ", kept"
	} else if o.Family == theory.Absolute {
		family += ", stretched"
	}
	return family + ", " + shape
}

// restart draws a problem and optimises it: over M from near the identity and from a Gaussian matrix, and over θ and M
// together. A structured M is optimised over M alone.
func restart(t *props.Trial, c restartCell, done string) optimised {
	if done != "" && (c.Family != theory.Quadratic || c.Problem >= 12) {
		return optimised{} // some problems of one family are enough for a control
	}
	p := 2 + t.Rand.IntN(5)
	n := 1 + t.Rand.IntN(p-1)
	out := optimised{Family: c.Family, Factor: between(t.Rand, 0.1, 10), Kind: gaussian}
	switch c.Problem % 3 {
	case 1:
		n = p
	case 2:
		out.Kind, p, n = network, networkWidth, 1+t.Rand.IntN(3)
	}
	out.Features, out.Test = drawFeatures(t.Rand, out.Kind, n, p)
	v := between(t.Rand, 0.03, 30)
	if c.Family == theory.Absolute && math.Abs(v/math.Sqrt(0.5)-1) < 0.05 {
		v = 1 // at v² = κ/2 the stretch leaves 1, and smoothing the kink makes a difference
	}
	out.Labels = drawLabels(t.Rand, out.Features, v*math.Sqrt(out.Factor))
	model := impl.Model{Features: out.Features, Labels: out.Labels, Penalty: penalties[c.Family].Times(out.Factor)}
	if done == "flat" {
		model.Penalty = impl.Flat.Times(out.Factor)
	}
	var free func(i, j int) bool
	if done == "blocks" {
		free = func(i, j int) bool { return (2*i < p) == (2*j < p) }
	}
	for way := range 3 {
		start := gen.Gaussian(t.Rand, p, p, 1)
		if way == 0 {
			start.Scale(0.1, start)
			start.Add(start, impl.Identity(p))
		}
		if free != nil {
			start.Apply(func(i, j int, x float64) float64 {
				if free(i, j) {
					return x
				}
				return 0
			}, start)
		}
		s := search{model: model, kink: c.Family == theory.Absolute, free: free, joint: way == 2 && free == nil, tiny: 1e-4 * min(1, v*v) * out.Factor}
		out.Endings = append(out.Endings, s.from(start, t.Rand))
	}
	return out
}

// between draws a number whose logarithm is uniform between those of lo and hi.
func between(r *rand.Rand, lo, hi float64) float64 { return lo * math.Pow(hi/lo, r.Float64()) }

// search is one way to minimise a model's cost.
type search struct {
	model impl.Model
	kink  bool                // of the penalty, which the optimiser sees rounded off
	free  func(i, j int) bool // the entries of M that may move
	joint bool                // over θ and M together, and not over M alone
	tiny  float64             // gradient at which the quasi-Newton search ends and Newton's method begins
}

// from minimises from the start. The absolute penalty is rounded off widely first, and then less. In the end singular
// values within that width of the kink are moved into it, if that costs less.
func (s search) from(start *mat.Dense, r *rand.Rand) ending {
	p, _ := start.Dims()
	x := start.RawMatrix().Data
	if s.joint {
		x = append(gen.Gaussian(r, p, 1, 1).RawMatrix().Data, x...)
	}
	stages := []impl.Model{s.model}
	if s.kink {
		rough, fine := s.model, s.model
		rough.Penalty, fine.Penalty = s.model.Penalty.Smoothed(0.1), s.model.Penalty.Smoothed(smoothing)
		stages = []impl.Model{rough, fine}
	}
	var e ending
	var last optim.Minimum
	for i, stage := range stages {
		objective, pair := s.objective(stage, p)
		// A run that gave up is judged by how far it got, like any other.
		last, _ = optim.LBFGS(objective, x, optim.Stop{Gradient: s.tiny, Evaluations: 2000})
		e.Trace = append(e.Trace, last.Trace...)
		if i == len(stages)-1 {
			last = optim.Polish(objective, last)
			e.Trace = append(e.Trace, last.Value)
		}
		x, e.M = last.X, pair(last.X)
	}
	gradient := make([]float64, p*p)
	stages[len(stages)-1].Eliminated(s.free)(gradient, e.M.RawMatrix().Data)
	e.Gradient = floats.Norm(gradient, 2)
	e.settle(s.model, e.M)
	if s.kink && s.free == nil {
		other := e
		other.settle(s.model, snapped(e.M))
		if other.Total < e.Total {
			e = other
		}
	}
	return e
}

// objective is what the search minimises for a model, and the M of a point.
func (s search) objective(model impl.Model, p int) (optim.Objective, func(x []float64) *mat.Dense) {
	if !s.joint {
		return model.Eliminated(s.free), func(x []float64) *mat.Dense { return mat.NewDense(p, p, x) }
	}
	j, err := model.Joint()
	if err != nil {
		panic(err) // the features were drawn of rank n
	}
	return j.Objective, func(x []float64) *mat.Dense { _, m := j.Pair(x); return m }
}

// settle evaluates a model at M.
func (e *ending) settle(model impl.Model, m *mat.Dense) {
	theta, err := model.Parameters(m)
	if err != nil {
		panic(err)
	}
	e.M, e.Cost, e.Total, e.Missed = m, floats.Dot(theta, theta), model.Cost(theta, m), model.Residual(theta, m)
}

// snapped is M with those singular values that are within the smoothing of 1 replaced by 1.
func snapped(m *mat.Dense) *mat.Dense {
	u, values, v, err := linalg.SVD(m, mat.SVDThin)
	if err != nil {
		panic(err)
	}
	for j, sigma := range values {
		if math.Abs(sigma-1) <= smoothing {
			values[j] = 1
		}
	}
	var out mat.Dense
	out.Mul(u, mat.NewDiagDense(len(values), values))
	out.Mul(&out, v.T())
	return &out
}

// judgeRestarts compares all endings of a problem with the closed forms, as closely as their gradients allow:
// [theory.Stretch.Near].
func judgeRestarts(r *props.Record, _ restartCell, o optimised, claimed string) {
	if len(o.Endings) == 0 {
		return
	}
	p, err := pose(o.Features, o.Labels, o.Family, o.Factor, r.Unit())
	if err != nil {
		panic(err)
	}
	s, width := p.stretch, 1.0
	if o.Family == theory.Absolute {
		width = smoothing
	}
	r.Regime(o.regime(s))
	before, err := p.Predict(o.Test, impl.Identity(p.p))
	if err != nil {
		panic(err)
	}
	optimum := s.Optimum()
	if claimed == "no adaptation" {
		optimum = s.Norm * s.Norm
	}
	var others []*mat.Dense
	var allowances []float64
	for _, e := range o.Endings {
		near := s.Near(theory.Stationary{Gradient: e.Gradient + p.gradientNoise(e, width), Largest: mat.Norm(e.M, 2), Cost: e.Cost, Dim: p.p})
		r.Within("optimum", e.Total, optimum, near.Cost+p.costNoise()+s.Slope()*e.Missed/p.least)
		r.Largest("relative distance of the cost from the optimum", math.Abs(e.Total-s.Optimum())/s.Optimum())
		after, err := p.Predict(o.Test, e.M)
		if err != nil {
			panic(err)
		}
		solved := p.solveNoise(p.Condition(e.M)+p.condition) * s.Size() * s.Norm
		r.WithinVector("predictor", after, before, mat.Norm(o.Test, 2)*(near.Drift+solved))
		allowed := near.Moment + p.momentNoise(e.M)
		judgeKernel(r, p, e.M, o.Test, claimed, allowed)
		compared := momentOf(e.M)
		if claimed == "M itself" {
			compared = e.M
		}
		for k, other := range others {
			r.WithinMatrix("restarts agree on MMᵀ", compared, other, allowed+allowances[k])
		}
		others, allowances = append(others, compared), append(allowances, allowed)
	}
}
