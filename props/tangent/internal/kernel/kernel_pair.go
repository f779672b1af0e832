package kernel

import (
	"errors"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/doubledouble"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// pair is a feasible pair (θ, M) of a problem, of a solver's or of a user's.
type pair struct {
	Features *mat.Dense    `npy:"Phi"`
	Labels   []float64     `npy:"y"`
	M        *mat.Dense    `npy:"M"`
	Theta    []float64     `npy:"theta"`
	Omega    theory.Family `npy:"omega"`
	Factor   float64       `npy:"factor"`
	Excess   float64       `npy:"excess"` // stated: how much more than the optimum the pair may cost

	network bool // the features come from a network
}

var pairRegimes = []string{"n < p, weak", "n < p, strong", "n = p, weak", "n = p, strong", "network features, weak",
	"network features, strong", "ill-conditioned, weak", "ill-conditioned, strong"}

// Valid names the hypothesis that a user's numbers violate.
func (in pair) Valid() error {
	p, err := pose(in.Features, in.Labels, in.Omega, in.Factor, roundoff.Unit)
	rows, cols := in.M.Dims()
	switch {
	case !(in.Factor > 0):
		return errors.New("tangent: the factor of the penalty must be positive")
	case floats.Norm(in.Labels, 2) == 0:
		return errors.New("tangent: all labels are zero")
	case err != nil:
		return nil // features without rank n: the check says it
	case rows != p.p || cols != p.p || len(in.Theta) != p.p:
		return errors.New("tangent: need M p×p and θ of length p, p the number of features")
	case p.stretch.Valid() != nil:
		return p.stretch.Valid()
	case math.IsInf(p.Cost(in.Theta, in.M), 1):
		return errors.New("tangent: the penalty of a singular M is infinite")
	case !(in.Excess >= 0) || math.IsInf(p.stretch.Spread(in.Excess).Moment, 1):
		return errors.New("tangent: an excess that large, or negative, says nothing about the pair")
	}
	return nil
}

// regime is by the shape and condition of the features, and by whether labels are weak or strong: v² below the factor
// of the penalty or above.
func (in pair) regime(p problem) string {
	labels := ", weak"
	if s := p.stretch; s.Norm*s.Norm > s.Factor {
		labels = ", strong"
	}
	switch {
	case in.network:
		return "network features" + labels
	case p.condition > mostCondition:
		return illConditioned + labels
	case len(in.Labels) == p.p:
		return "n = p" + labels
	}
	return "n < p" + labels
}

// drawProblem draws shapes, family, scale and factor with rapid, and the entries from a stream. M and θ are missing.
func drawProblem(t *props.T) (pair, *rand.Rand) {
	p := gen.Dim(t.T, "p", 6)
	n := p
	if p > 1 && rapid.Bool().Draw(t.T, "n < p") {
		n = gen.Dim(t.T, "n", p-1)
	}
	kind := rapid.SampledFrom([]string{gaussian, gaussian, network, illConditioned}).Draw(t.T, "features")
	switch kind {
	case network:
		p, n = networkWidth, min(n, 3)
	case illConditioned:
		p, n = max(2, p), max(2, n)
	}
	in := pair{Omega: rapid.SampledFrom(theory.Families).Draw(t.T, "ω"),
		Factor: gen.LogUniform(t.T, "factor", 1e-3, 1e3), network: kind == network}
	v := math.Sqrt(in.Factor) * gen.LogUniform(t.T, "v/√κ", 0.03, 30)
	r := t.Stream("entries")
	in.Features, _ = drawFeatures(r, kind, n, p)
	in.Labels = drawLabels(r, in.Features, v)
	return in, r
}

// problem returns the problem of the pair. Features that have not rank n are a failed criterion.
func (in pair) problem(r *props.Record) (problem, bool) {
	p, err := pose(in.Features, in.Labels, in.Omega, in.Factor, r.Unit())
	if err != nil {
		r.Show("features", err.Error())
	}
	return p, err == nil
}

// withEqualRows has the first row of the features twice, so that their rank is below their number.
func (in pair) withEqualRows() pair {
	_, width := in.Features.Dims()
	var twice mat.Dense
	twice.Stack(in.Features, in.Features.Slice(0, 1, 0, width))
	in.Features, in.Labels = &twice, append(in.Labels, in.Labels[0])
	in.M, in.Theta = impl.Identity(width), make([]float64, width)
	return in
}

func drawEqualRows(t *props.T) pair {
	in, _ := drawProblem(t)
	return in.withEqualRows()
}

// solving is how the pair M, θ of a problem comes about.
type solving struct {
	interpolant func(p problem, r *rand.Rand) []float64
	solve       func(p problem) (m *mat.Dense, theta []float64)
	turn        func(m, q *mat.Dense, theta []float64) (*mat.Dense, []float64) // by an orthogonal q
}

var rightSolution = solving{
	interpolant: func(p problem, _ *rand.Rand) []float64 { return p.claim.Interpolant },
	solve:       func(p problem) (*mat.Dense, []float64) { return p.claim.Transform(), p.claim.Parameters() },
	turn: func(m, q *mat.Dense, theta []float64) (*mat.Dense, []float64) {
		return algebra.Product(m, q), product(mat.DenseCopyOf(q.T()), theta)
	},
}

// solvedBy draws with a solution that is wrong.
func solvedBy(change func(*solving)) func(*props.T) pair {
	s := rightSolution
	change(&s)
	return func(t *props.T) pair { return drawSolution(t, s) }
}

func turnMatrixAlone(m, q *mat.Dense, theta []float64) (*mat.Dense, []float64) {
	return algebra.Product(m, q), theta
}

func turnFromLeft(m, q *mat.Dense, theta []float64) (*mat.Dense, []float64) {
	return algebra.Product(q, m), product(mat.DenseCopyOf(q.T()), theta)
}

func leaveFeatures(p problem) (*mat.Dense, []float64) { return impl.Identity(p.p), p.claim.Interpolant }

// shrinkInstead has the inverse of M̂, and parameters that fit.
func shrinkInstead(p problem) (*mat.Dense, []float64) {
	m, theta := &mat.Dense{}, p.claim.Parameters()
	must.Do(m.Inverse(p.claim.Transform()))
	floats.Scale(p.stretch.Amplification(), theta)
	return m, theta
}

// drawSolution draws a problem and its stated solution M̂Q, Qᵀθ̂, with a random orthogonal Q.
func drawSolution(t *props.T, s solving) pair {
	in, r := drawProblem(t)
	_, width := in.Features.Dims()
	p := must.Get(pose(in.Features, in.Labels, in.Omega, in.Factor, roundoff.Unit))
	p.claim.Interpolant = s.interpolant(p, r)
	m, theta := s.solve(p)
	in.M, in.Theta = s.turn(m, orthogonal(r, width), theta)
	return in
}

// orthogonal draws an orthogonal matrix (p×p), to half a unit in the last place of each entry: what a factorisation
// leaves of I − QᵀQ is known from exact products, and half of it corrects Q. So ‖QQᵀ − I‖ ≤ 2√p·u.
func orthogonal(r *rand.Rand, p int) *mat.Dense {
	q := gen.Orthonormal(r, p, p)
	left, exact := mat.NewDense(p, p, nil), mat.DenseCopyOf(q)
	for i := range p {
		for j := range p {
			var sum doubledouble.Sum
			if i == j {
				sum.Add(1)
			}
			for k := range p {
				sum.AddProduct(-q.At(k, i), q.At(k, j))
			}
			left.Set(i, j, sum.Float64())
		}
	}
	exact.Mul(q, left)
	exact.Scale(0.5, exact)
	exact.Add(q, exact)
	return exact
}

// lengthened is β̂ + ½v·w, with w the last coordinate direction projected on the null space of Φ; nothing when n = p.
func lengthened(p problem, r *rand.Rand) []float64 {
	beta := append([]float64{}, p.claim.Interpolant...)
	floats.Add(beta, p.invisible(impl.Identity(p.p), gen.Gaussian(r, p.p, 1, 0.5*p.stretch.Norm).RawMatrix().Data))
	return beta
}

// invisible is the part of a vector that ΦM maps to zero; nothing where a kernel matrix is singular.
func (p problem) invisible(m *mat.Dense, w []float64) []float64 {
	same := p.Model
	same.Labels = make([]float64, len(p.Labels))
	f := algebra.Image(p.Features, mat.NewVecDense(p.p, product(m, w)))
	copy(same.Labels, f.RawVector().Data)
	shortest, err := same.Parameters(m)
	if err != nil {
		return make([]float64, len(w))
	}
	out := append([]float64{}, w...)
	floats.Sub(out, shortest)
	return out
}

// judgeSolution compares a pair with the closed forms. It allows every rounding of a drawn pair M̂Q, Qᵀθ̂ and of both
// sides of the comparison, what somebody else's β̂ may be off by, which a drawn pair shares with its closed form, and
// what the stated excess allows: [theory.Stretch.Spread].
func judgeSolution(r *props.Record, in pair, c solutionClaim) {
	p, ok := in.problem(r)
	r.Holds("rank", ok)
	if !ok {
		return
	}
	r.Regime(in.regime(p))
	s := p.stretch
	size, labels := mat.Norm(p.Features, 2), floats.Norm(p.Labels, 2)
	direct := 2*p.interpolantNoise() + p.parameterRoundings()
	near := s.Spread(in.Excess)
	beta := product(in.M, in.Theta)
	f := algebra.Image(p.Features, mat.NewVecDense(p.p, beta))
	lengths := mat.Norm(in.M, 2) * floats.Norm(in.Theta, 2)
	r.WithinVector("labels", f.RawVector().Data, p.Labels, direct*(labels+size*lengths)+in.Excess*p.smallest/s.Slope())
	r.Within("cost", p.Cost(in.Theta, in.M), c.optimum(s),
		p.costNoise()+s.Cost()*p.parameterRoundings()+in.Excess)
	r.WithinVector("Mθ", beta, p.claim.Interpolant, direct*lengths+near.Drift)
	off := near.Moment / s.Amplification() // of v²/z² if z² is off by that
	r.Within("‖θ‖²", floats.Dot(in.Theta, in.Theta), c.theta(s), s.Cost()*(direct+off/(1-min(0.5, off)))+2*in.Excess)
	judgeKernel(r, p, in.M, p.Features, c.kernelClaim, near.Moment, size*size*near.Moment+p.growthNoise(in.M))
}

// judgeKernel compares MMᵀ, the kernel between x and Φ, and its alignment for a matrix M with the closed forms, of
// which without roundings the first may be off by near, and the second with all of them by growth. A change of MMᵀ by
// κ moves K by at most ‖Φ‖²κ.
func judgeKernel(r *props.Record, p problem, m, x *mat.Dense, c kernelClaim, near, growth float64) {
	eye, allowed := impl.Identity(p.p), near+p.momentNoise(m)
	want, stretched := c.moment(p), p.stretch.Excess() > 0
	if !stretched {
		want.Add(want, eye)
		r.WithinMatrix("MMᵀ where nothing is stretched", momentOf(m), want, allowed)
	} else {
		r.WithinMatrix("MMᵀ − I", lessIdentity(momentOf(m)), want, allowed)
		grown := impl.Kernel(x, p.Features, m)
		grown.Sub(grown, impl.Kernel(x, p.Features, eye))
		r.WithinMatrix("growth of the kernel", grown, c.growth(p, x, p.Features), growth)
	}
	before, after := impl.Kernel(p.Features, p.Features, eye), impl.Kernel(p.Features, p.Features, m)
	size := mat.Norm(p.Features, 2)
	slack := p.alignmentNoise(after, size*size*near+p.growthNoise(m)+p.missedGrowth())
	found := impl.Alignment(after, p.Labels)
	r.Within("alignment", found, c.alignment(p), slack)
	r.AtLeast("alignment never drops", found, impl.Alignment(before, p.Labels), slack+p.alignmentNoise(before, 0))
}
