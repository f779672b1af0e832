package kernel

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// boundClaim holds the claims about pairs that cost more than the optimum.
type boundClaim struct {
	optimum func(theory.Stretch) float64
	near    func(near theory.Deviation, excess float64) theory.Deviation // what an excess in cost allows
	apart   func(s theory.Stretch, z, rest, sine float64) float64        // ‖MMᵀ − M̂M̂ᵀ‖ by its parts
}

const half = "half of the bound on z"

func halfAsNear(near theory.Deviation, _ float64) theory.Deviation {
	return theory.Deviation{Stretch: near.Stretch / 2, Rest: near.Rest / 2, Turn: near.Turn / 2, Drift: near.Drift / 2,
		Moment: near.Moment / 2}
}

// weightDecay is the optimum of Factor·z² + v²/z² over z ≥ 1: at z = √(v/√Factor), or at 1.
func weightDecay(s theory.Stretch) float64 {
	z2 := max(1, s.Norm/math.Sqrt(s.Factor))
	return s.Factor*z2 + s.Norm*s.Norm/z2
}

// drawWeightDecay is a pair below that, whatever is drawn: p = 1 and v = 1/4.
func drawWeightDecay(t *props.T) pair {
	drawProblem(t)
	return pair{Features: impl.Identity(1), Labels: []float64{0.25}, M: mat.NewDense(1, 1, []float64{0.5}),
		Theta: []float64{0.5}, Omega: decaying, Factor: 1}
}

// drawPair draws a feasible pair: M Gaussian, near a multiple of the identity, near the solution, or off it in a
// single way, and the shortest parameters or longer ones.
func drawPair(t *props.T) pair {
	in, r := drawProblem(t)
	p := must.Get(pose(in.Features, in.Labels, in.Omega, in.Factor, roundoff.Unit))
	var m, shift mat.Dense
	switch rapid.IntRange(0, 10).Draw(t.T, "M") {
	case 0, 1:
		m.CloneFrom(gen.Gaussian(r, p.p, p.p, gen.LogUniform(t.T, "size", 0.2, 3)))
	case 2:
		m.Scale(gen.LogUniform(t.T, "multiple of I", 0.3, 2), impl.Identity(p.p))
		shift.CloneFrom(gen.Gaussian(r, p.p, p.p, 0.2))
		m.Add(&m, &shift)
	case 3, 4, 5:
		m.Mul(p.claim.Transform(), gen.Orthonormal(r, p.p, p.p))
		shift.CloneFrom(gen.Gaussian(r, p.p, p.p, gen.LogUniform(t.T, "distance", 1e-8, 1)))
		m.Add(&m, &shift)
	default:
		return p.offInOneWay(t, r, in)
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

// offInOneWay completes a pair that spends what it costs beyond the optimum on a single term of
// [theory.Stretch.Spread]: it has another largest singular value, another second one, u₁ turned away from u, or a
// longer interpolant. Or it has lost a direction that the predictor does not need.
func (p problem) offInOneWay(t *props.T, r *rand.Rand, in pair) pair {
	beta, v := p.claim.Interpolant, p.stretch.Norm
	by := gen.LogUniform(t.T, "off by", 1e-5, 0.1)
	unseen := p.invisible(impl.Identity(p.p), gen.Gaussian(r, p.p, 1, 1).RawMatrix().Data)
	across := gen.Gaussian(r, p.p, 1, 1).RawMatrix().Data
	floats.AddScaled(across, -floats.Dot(across, beta)/(v*v), beta)
	in.M, in.Theta = p.claim.Transform(), p.claim.Parameters()
	way := rapid.SampledFrom([]string{"stretch", "second", "turn", "longer", "lost"}).Draw(t.T, "way")
	switch {
	case way == "stretch":
		if rapid.Bool().Draw(t.T, "less") {
			by = -by
		}
		stretched := p.stretch.Size() * math.Exp(by)
		in.M = withStretch(impl.Identity(p.p), beta, stretched-1)
		floats.ScaleTo(in.Theta, 1/stretched, beta)
	case p.p == 1:
	case way == "second":
		in.M = withStretch(in.M, across, by)
	case way == "turn" || way == "longer":
		if len(p.Labels) < p.p {
			across = unseen
		}
		moved := append([]float64{}, beta...)
		floats.AddScaled(moved, by*v/floats.Norm(across, 2), across)
		in.M = withStretch(impl.Identity(p.p), moved, p.stretch.Excess())
		if way == "longer" && len(p.Labels) < p.p {
			floats.ScaleTo(in.Theta, 1/p.stretch.Size(), moved)
		} else if theta, err := p.Parameters(in.M); err == nil {
			in.Theta = theta
		}
	case way == "lost" && in.Omega != theory.LogDet: // whose penalty would be infinite
		in.M = withStretch(in.M, across, -1)
	}
	return in
}

// withStretch is m with a further stretch by 1+e along w, which m leaves as it is.
func withStretch(m *mat.Dense, w []float64, e float64) *mat.Dense {
	along := mat.NewVecDense(len(w), w)
	m.RankOne(m, e/mat.Dot(along, along), along, along)
	return m
}

// judgeBound says that a pair costs no less than ω̃(v), and that the less it costs beyond that, the closer it is to
// the solutions: MMᵀ to its closed form, and Mθ to β̂. These bounds give other checks their tolerances.
func judgeBound(r *props.Record, in pair, c boundClaim) {
	p, ok := in.problem(r)
	r.Holds("rank", ok)
	if !ok {
		return
	}
	r.Regime(in.regime(p))
	s, cost := p.stretch, p.Cost(in.Theta, in.M)
	if s.Valid() != nil { // another penalty than those of the statement: nothing is known of the pairs near its optimum
		r.AtLeast("cost", cost, c.optimum(s), p.unit*c.optimum(s))
		return
	}
	// The bound with what is missed is attained where the pair misses the labels along the least singular vector.
	noise := 2*s.Slope()*p.missed(in.Theta, in.M) + p.costNoise() + 8*p.unit*cost
	r.AtLeast("cost", cost, c.optimum(s), noise)
	excess := max(0, cost-s.Optimum()) + noise
	if near := s.Spread(excess); !math.IsInf(near.Moment, 1) { // else too far for the bounds to say anything
		p.judgeSpread(r, in, c.near(near, excess), c)
	}
}

// judgeSpread: singular values err by at most 10p·u times the largest one, u₁ by as much over its distance from the
// others.
func (p problem) judgeSpread(r *props.Record, in pair, near theory.Deviation, c boundClaim) {
	s, beta := p.stretch, p.claim.Interpolant
	u, values, _, err := linalg.SVD(in.M, mat.SVDThin)
	if err != nil {
		panic(err)
	}
	first, rest, moved := mat.Col(nil, 0, u), 0.0, 0.0
	for _, z := range values[1:] {
		rest, moved = math.Hypot(rest, z-1), math.Hypot(moved, (z-1)*(z+1))
	}
	floats.AddScaled(first, -floats.Dot(first, beta)/(s.Norm*s.Norm), beta)
	sine, interpolant := floats.Norm(first, 2), p.interpolantNoise()
	relative := 20*float64(p.p+2)*p.unit + 2*interpolant
	singular := relative * values[0]
	r.AtMost("ln z off ln s", math.Abs(math.Log(values[0]/s.Size())), near.Stretch, relative)
	r.AtMost("the other singular values off 1", rest, near.Rest, math.Sqrt(float64(p.p))*singular)
	turning := 1.0
	if p.p > 1 {
		turning = min(1, singular/(values[0]-values[1])) + interpolant
		r.AtMost("u₁ off u", sine, near.Turn, turning)
	}
	gap := algebra.Difference(momentOf(in.M), p.claim.Moment())
	apart, noise := mat.Norm(gap, 2), p.momentNoise(in.M)
	r.AtMost("distance of MMᵀ from its closed form, by its parts", apart, c.apart(s, values[0], moved, sine),
		2*noise+4*values[0]*singular*math.Sqrt(float64(p.p))+2*s.Amplification()*turning)
	r.AtMost("distance of MMᵀ from its closed form", apart, near.Moment, noise)
	r.AtMost("distance of Mθ from β̂", floats.Distance(product(in.M, in.Theta), beta, 2), near.Drift,
		interpolant*s.Norm+p.missed(in.Theta, in.M))
}
