package tangent

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// lowerBound says that no feasible pair costs less than ω̃(v): pairs far from the solution, near the identity, and
// closer and closer to the solution; with the shortest parameters, and with longer ones. It also holds the pairs that come
// close to the bounds on near-solutions, from which other checks take their tolerances.
func lowerBound(v trial) props.LegacyCheck {
	return props.Property{
		Name:  "no pair costs less",
		Cases: props.Scale{Quick: 250, Standard: 1500, Deep: 100000},
		Prop: func(t *props.T) props.Ratio {
			p, r := drawProblem(t)
			v.apply(p)
			m := drawTransform(t, r, v.claimed(p))
			theta, err := p.model.Parameters(m)
			if err != nil {
				t.Skip("no parameters interpolate through a singular kernel")
			}
			if rapid.Bool().Draw(t.T, "longer parameters") {
				lengthen(p, theta, m, gen.Scale(t.T, "by", 1e-6, 1), r)
			}
			t.Show("M", m)
			t.Show("θ", theta)

			s := v.claimed(p).Stretch()
			claimed := s.Optimum() * (1 + v.dose)
			if v.penalty == weightDecay {
				claimed = weightDecayBeyondOne(s.Norm, s.Factor)
			}
			cost := p.model.Cost(theta, m)
			noise := s.Slope()*p.missed(theta, m) + costNoise(p, s)
			t.Show("cost and claimed bound", []float64{cost, claimed})
			return props.Worst(props.AtMost(claimed, cost, noise), v.nearness(p, theta, m, max(0, cost-s.Optimum())+noise))
		},
	}.Check()
}

// nearness asks whether a pair of the given excess is as close to the solutions as the bounds say: MMᵀ to its closed form,
// and Mθ to β̂. Rounding alone moves both by [problem.solveNoise] and by what the labels are missed by.
func (v trial) nearness(p *problem, theta []float64, m *mat.Dense, excess float64) props.Ratio {
	a := v.claimed(p)
	s := a.Stretch()
	if v.penalty != "" || math.IsInf(s.Spread(excess), 1) {
		return props.Ratio{} // another theory's solutions, or too far for the bounds to say anything
	}
	var gap mat.Dense
	gap.Sub(moment(m), a.Moment())
	var beta mat.VecDense
	beta.MulVec(m, mat.NewVecDense(len(theta), theta))
	rounding := p.solveNoise(math.Sqrt(p.condition))
	return props.Worst(
		props.AtMost(mat.Norm(&gap, 2), s.Spread(excess), rounding*s.Amplification()),
		props.AtMost(floats.Distance(beta.RawVector().Data, a.Interpolant, 2), s.Drift(excess), rounding*s.Norm+p.missed(theta, m)),
	)
}

// drawTransform draws an M: Gaussian, near the identity, or near the solution up to an orthogonal factor.
func drawTransform(t *props.T, r *rand.Rand, a theory.Adaptation) *mat.Dense {
	width := len(a.Interpolant)
	var m, shift mat.Dense
	switch rapid.IntRange(0, 2).Draw(t.T, "M") {
	case 0:
		return gen.Gaussian(r, width, width, gen.Scale(t.T, "size", 0.2, 3))
	case 1:
		m.Scale(gen.Scale(t.T, "multiple of I", 0.3, 2), impl.Identity(width))
		shift.CloneFrom(gen.Gaussian(r, width, width, 0.2))
	default:
		shift.CloneFrom(gen.Gaussian(r, width, width, gen.Scale(t.T, "distance", 1e-8, 1)))
		m.Mul(a.Transform(), gen.Orthonormal(r, width, width))
	}
	m.Add(&m, &shift)
	return &m
}

// lengthen adds to θ a vector of about the given size that ΦM maps to zero.
func lengthen(p *problem, theta []float64, m *mat.Dense, size float64, r *rand.Rand) {
	w := gen.Gaussian(r, len(theta), 1, size).RawMatrix().Data
	var mw, f mat.VecDense
	mw.MulVec(m, mat.NewVecDense(len(w), w))
	f.MulVec(p.model.Features, &mw)
	same := p.model
	same.Labels = f.RawVector().Data
	shortest, err := same.Parameters(m)
	if err != nil {
		return
	}
	floats.Sub(w, shortest)
	floats.Add(theta, w)
}

// weightDecayBeyondOne is min over z ≥ 1 of Factor·z² + v²/z², what the statement would say of a penalty whose minimum is
// at 0: attained at z = √(v/√Factor), or at 1 if that is less.
func weightDecayBeyondOne(v, factor float64) float64 {
	z2 := max(1, v/math.Sqrt(factor))
	return factor*z2 + v*v/z2
}

// boundsWeightDecay runs the counterexample of p = 1 and v = 1/4 to the reading that z ≥ 1 is right for ω(z) = z².
func boundsWeightDecay() props.LegacyCheck {
	return props.Example("weight decay on M", func() (props.Ratio, string) {
		const v = 0.25
		half := mat.NewDense(1, 1, []float64{0.5})
		model := impl.Model{Features: impl.Identity(1), Labels: []float64{v}, Penalty: impl.WeightDecay}
		theta := []float64{0.5}
		claimed, cost := weightDecayBeyondOne(v, 1), model.Cost(theta, half)
		if model.Residual(theta, half) != 0 { // the counterexample must be feasible, or it refutes nothing
			return props.Ratio{}, "the pair does not interpolate"
		}
		return props.AtMost(claimed, cost, unit*claimed),
			fmt.Sprintf("Φ = 1, y = %v: M = θ = 1/2 interpolates and costs %v; the minimum over z ≥ 1 is %v", v, cost, claimed)
	})
}
