package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// drawPair draws a feasible pair: M Gaussian, near a multiple of the identity, near the solution, or the solution with
// a direction lost, and the shortest parameters or longer ones.
func drawPair(t *props.T, done string) pair {
	in, r := drawProblem(t)
	if done == "weight decay" { // p = 1 and v = 1/4
		return pair{Features: impl.Identity(1), Labels: []float64{0.25}, M: mat.NewDense(1, 1, []float64{0.5}),
			Theta: []float64{0.5}, Omega: theory.Family(done), Factor: 1}
	}
	if done == "equal rows" {
		return in.withEqualRows()
	}
	p, err := pose(in.Features, in.Labels, in.Omega, in.Factor, roundoff.Unit)
	if err != nil {
		panic(err)
	}
	var m, shift mat.Dense
	switch rapid.IntRange(0, 10).Draw(t.T, "M") {
	case 10:
		if in.Omega != theory.LogDet && p.p > 1 { // whose penalty would be infinite
			in.M, in.Theta = p.lost(gen.Gaussian(r, p.p, 1, 1).RawMatrix().Data), p.claim.Parameters()
			return in
		}
		m.CloneFrom(p.claim.Transform())
	case 0, 1:
		m.CloneFrom(gen.Gaussian(r, p.p, p.p, gen.LogUniform(t.T, "size", 0.2, 3)))
	case 2, 3:
		m.Scale(gen.LogUniform(t.T, "multiple of I", 0.3, 2), impl.Identity(p.p))
		shift.CloneFrom(gen.Gaussian(r, p.p, p.p, 0.2))
		m.Add(&m, &shift)
	default:
		m.Mul(p.claim.Transform(), gen.Orthonormal(r, p.p, p.p))
		shift.CloneFrom(gen.Gaussian(r, p.p, p.p, gen.LogUniform(t.T, "distance", 1e-8, 1)))
		m.Add(&m, &shift)
	}
	theta, err := p.Parameters(&m)
	if err != nil {
		t.Skip("no parameters interpolate through a singular kernel")
	}
	if rapid.Bool().Draw(t.T, "longer parameters") {
		by := gen.LogUniform(t.T, "by", 1e-6, 1) * math.Sqrt(in.Factor)
		floats.Add(theta, p.invisible(&m, gen.Gaussian(r, p.p, 1, by).RawMatrix().Data))
	}
	in.M, in.Theta = &m, theta
	return in
}

// lost is M̂ without the part of w that is orthogonal to β̂, which the predictor does not need: ΦM may lose its rank.
func (p problem) lost(w []float64) *mat.Dense {
	beta, v := p.claim.Interpolant, p.stretch.Norm
	floats.AddScaled(w, -floats.Dot(w, beta)/(v*v), beta)
	along := mat.NewVecDense(p.p, w)
	m := p.claim.Transform()
	m.RankOne(m, -1/mat.Dot(along, along), along, along)
	return m
}

// judgeBound says that a pair costs no less than ω̃(v), and that the less it costs beyond that, the closer it is to the
// solutions: MMᵀ to its closed form, and Mθ to β̂. These bounds give other checks their tolerances.
func judgeBound(r *props.Record, in pair, claimed string) {
	p, ok := in.problem(r)
	r.Holds("rank", ok)
	if !ok {
		return
	}
	r.Regime(in.regime(p))
	s, cost := p.stretch, p.Cost(in.Theta, in.M)
	if claimed == "weight decay" { // Factor·z² + v²/z² is least at z = √(v/√Factor), or at 1
		z2 := max(1, s.Norm/math.Sqrt(s.Factor))
		optimum := s.Factor*z2 + s.Norm*s.Norm/z2
		r.AtLeast("cost", cost, optimum, p.unit*optimum)
		return
	}
	// The bound with what is missed is attained where the pair misses the labels along the least singular vector.
	optimum, noise := s.Optimum(), 2*s.Slope()*p.missed(in.Theta, in.M)+p.costNoise()+8*p.unit*cost
	switch {
	case claimed == "twice the optimum":
		optimum *= 2
	case mistaken(claimed, s.Family) != s.Family:
		other := s
		other.Family = mistaken(claimed, s.Family)
		optimum = other.Optimum()
	}
	r.AtLeast("cost", cost, optimum, noise)
	excess := max(0, cost-s.Optimum()) + noise
	spread, drift := s.Spread(excess), s.Drift(excess)
	if math.IsInf(spread, 1) {
		return // too far for the bounds to say anything
	}
	switch claimed {
	case "first order":
		spread = excess
	case "first order of Mθ":
		drift = excess
	}
	var gap mat.Dense
	gap.Sub(momentOf(in.M), p.claim.Moment())
	r.AtMost("distance of MMᵀ from its closed form", mat.Norm(&gap, 2), spread, p.momentNoise(in.M))
	r.AtMost("distance of Mθ from β̂", floats.Distance(product(in.M, in.Theta), p.claim.Interpolant, 2), drift,
		p.interpolantNoise()*s.Norm+p.missed(in.Theta, in.M))
}
