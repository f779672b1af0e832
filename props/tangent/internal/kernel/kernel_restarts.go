package kernel

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// restartClaim holds the claims about the points at which optimisation arrives.
type restartClaim struct {
	kernelClaim
	optimum func(theory.Stretch, ending) float64
	shared  func(m *mat.Dense) *mat.Dense // in what all endings agree
}

// someQuadratic are problems enough for a control.
func someQuadratic(c restartCell) bool { return c.Family == theory.Quadratic && c.Problem < 12 }

func flatPenalty(s *impl.Search, factor float64) { s.Penalty = impl.Flat.Times(factor) }

// twoBlocks has a block-diagonal M.
func twoBlocks(s *impl.Search, _ float64) {
	_, p := s.Features.Dims()
	s.Free = func(i, j int) bool { return (2*i < p) == (2*j < p) }
}

// invertEndings shrinks what was stretched.
func invertEndings(_ restartCell, o *optimised) {
	o.Endings = slices.Clone(o.Endings)
	for i, e := range o.Endings {
		inverse := &mat.Dense{}
		must.Do(inverse.Inverse(e.M))
		o.Endings[i].M = inverse
	}
}

// restartCell is one problem of a family; all its restarts belong to the cell.
type restartCell struct {
	Family  theory.Family
	Problem int
}

// optimised is one problem and where optimisation from random starts arrived.
type optimised struct {
	Features, Test *mat.Dense
	Labels         []float64
	Network        bool
	Family         theory.Family
	Factor         float64
	Endings        []ending
}

// ending is the point at which one optimisation arrived.
type ending struct {
	M        *mat.Dense
	Cost     float64 // ‖θ‖² of the shortest parameters
	Total    float64 // the cost, at the family's own penalty
	Optimum  float64 // of the labels that the ending fits
	Gradient float64 // norm of the gradient in M, of the smoothed penalty where the family's own has a kink
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
	case o.Network:
		shape = "network features"
	case len(o.Labels) == p:
		shape = "n = p"
	}
	if o.Family == theory.Absolute {
		family += map[bool]string{true: ", kept", false: ", stretched"}[s.Excess() == 0]
	}
	return family + ", " + shape
}

// restart draws a problem and optimises it: over M from near the identity and from a Gaussian matrix, and over θ and M
// together. A structured M is optimised over M alone.
func restart(t *props.Trial, c restartCell, change func(s *impl.Search, factor float64)) optimised {
	p := 2 + t.Rand.IntN(5)
	n := 1 + t.Rand.IntN(p-1)
	out := optimised{Family: c.Family, Factor: gen.LogUniformFrom(t.Rand, 0.1, 10)}
	kind := gaussian
	switch c.Problem % 3 {
	case 1:
		n = p
	case 2:
		kind, out.Network, p, n = network, true, networkWidth, 1+t.Rand.IntN(3)
	}
	out.Features, out.Test = drawFeatures(t.Rand, kind, n, p)
	v := gen.LogUniformFrom(t.Rand, 0.03, 30)
	if c.Family == theory.Absolute { // at v² = κ/2 the stretch leaves 1, and smoothing the kink makes a difference
		v = gen.LogUniformFrom(t.Rand, 0.03, 0.67)
		if c.Problem/3%2 == 1 {
			v = gen.LogUniformFrom(t.Rand, 0.75, 30)
		}
	}
	out.Labels = drawLabels(t.Rand, out.Features, v*math.Sqrt(out.Factor))
	search := impl.Search{Tiny: 1e-4 * min(1, v*v) * out.Factor, Kink: kink(c.Family, out.Factor), Smoothing: smoothing}
	search.Model = impl.Model{Features: out.Features, Labels: out.Labels,
		Penalty: penalties[c.Family].Times(out.Factor)}
	change(&search, out.Factor)
	for way := range 3 {
		start := gen.Gaussian(t.Rand, p, p, 1)
		if way == 0 {
			start.Scale(0.1, start)
			start.Add(start, impl.Identity(p))
		}
		var theta []float64
		if way == 2 && search.Free == nil {
			theta = gen.Gaussian(t.Rand, p, 1, 1).RawMatrix().Data
		}
		m, gradient := must.Both(search.From(theta, start))
		theta = must.Get(search.Parameters(m))
		out.Endings = append(out.Endings, ending{M: m, Gradient: gradient, Cost: floats.Dot(theta, theta),
			Total: search.Cost(theta, m), Optimum: out.optimum(product(m, theta))})
	}
	return out
}

// optimum returns the optimum for the labels Φβ: the closed form at the length of their interpolant of minimum norm.
func (o optimised) optimum(beta []float64) float64 {
	fitted := mat.NewVecDense(len(o.Labels), nil)
	fitted.MulVec(o.Features, mat.NewVecDense(len(beta), beta))
	interpolant := must.Get(theory.MinNorm(o.Features, fitted.RawVector().Data))
	return theory.Adaptation{Interpolant: interpolant, Family: o.Family, Factor: o.Factor}.Stretch().Optimum()
}

// kink is the slope of a family's penalty at its kink; 0 where there is none.
func kink(family theory.Family, factor float64) float64 {
	if family == theory.Absolute {
		return factor
	}
	return 0
}

// judgeRestarts compares all endings of a problem with the closed forms, as closely as their gradients allow:
// [theory.Stretch.Near]. An ending fits labels that are off by the error of a solve, which moves its cost by much
// more than rounding does: it is held to the optimum of the labels that it fits, to which it is as nearly stationary,
// [problem.gradientNoise] being a bound for either. Their products Φ(Mθ) are rounded like Φβ̂.
func judgeRestarts(r *props.Record, _ restartCell, o optimised, c restartClaim) {
	p := must.Get(pose(o.Features, o.Labels, o.Family, o.Factor, r.Unit()))
	s, width, snapped := p.stretch, 1.0, 1.0
	if o.Family == theory.Absolute { // ‖θ‖² = yᵀK⁻¹y was less by at most that before singular values were set to 1
		width, snapped = smoothing, math.Pow(1+smoothing, 2)
	}
	r.Regime(o.regime(s))
	before := must.Get(p.Predict(o.Test, impl.Identity(p.p)))
	var others []*mat.Dense
	var allowances []float64
	for _, e := range o.Endings {
		near := s.Near(theory.Stationary{Gradient: e.Gradient + p.gradientNoise(e, width),
			Largest: mat.Norm(e.M, 2), Cost: e.Cost / snapped, Dim: p.p})
		r.Within("optimum", e.Total, c.optimum(s, e), near.Cost+p.costNoise()+2*s.Cost()*p.interpolantNoise())
		r.Largest("relative distance of the cost from the optimum", math.Abs(e.Total-s.Optimum())/s.Optimum())
		after := must.Get(p.Predict(o.Test, e.M))
		solved := p.solveNoise(p.Condition(e.M)+p.condition) * s.Size() * s.Norm
		r.WithinVector("predictor", after, before, mat.Norm(o.Test, 2)*(near.Drift+solved))
		allowed := near.Moment + p.momentNoise(e.M)
		judgeKernel(r, p, e.M, o.Test, c.kernelClaim, near.Moment, allowed*mat.Norm(o.Test, 2)*mat.Norm(o.Features, 2))
		compared := c.shared(e.M)
		for k, other := range others {
			r.WithinMatrix("restarts agree on MMᵀ", compared, other, allowed+allowances[k])
		}
		others, allowances = append(others, compared), append(allowances, allowed)
	}
}
