package tangent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// kernel pairs Theorem 1 with the adaptive linear model: the closed form of the scalar problem with brute force, the
// optimum with random feasible pairs, the solution with the model's own cost, kernel and predictor, and all of it with
// what optimisation from random starts finds.
var kernel = props.Claim{
	Statement: &theory.Kernel,
	Verify: []props.LegacyCheck{
		scalarProblem(trial{}),
		lowerBound(trial{}),
		attained(trial{}),
		oneKernel(trial{}),
		solution(trial{}),
		optimum(trial{}),
		foundKernel(trial{}),
		agreement(trial{}),
		foundPredictor(trial{}),
		labelScale(trial{}),
	},
	Controls: []props.LegacyControl{
		{Name: "v/z² in place of v²/z²", Check: scalarProblem(trial{rootNorm: true})},
		{Name: "penalty z², with its minimum at 0", Assumption: "minimum-at-one", Check: lowerBound(trial{penalty: weightDecay})},
		{Name: "s−1 in place of s²−1", Check: solution(trial{firstPower: true})},
		{Name: "without 1/‖β̂‖²", Check: solution(trial{noNorm: true})},
		{Name: "c·yyᵀ subtracted", Check: solution(trial{dose: -2})},
		{Name: "interpolant not of minimum norm", Check: solution(trial{longer: true})},
		{Name: "s−1 in place of s²−1, against optimisation", Check: foundKernel(trial{firstPower: true})},
		{Name: "alignment with c·yyᵀ subtracted", Check: labelScale(trial{dose: -2})},
		{Name: "the matrix M itself, and not MMᵀ", Check: agreement(trial{itself: true})},
		{Name: "penalty 0 on all of [1, 2]", Assumption: "strict", Check: agreement(trial{penalty: flat})},
		{Name: "penalty 1 − 1/z², equally good at every size", Assumption: "strict", Check: oneKernel(trial{penalty: saturating})},
		{Name: "penalty 1 − 1/z², bounded", Assumption: "attained", Check: attained(trial{penalty: saturating})},
		{Name: "M block-diagonal", Assumption: "unstructured", Check: foundPredictor(trial{blocks: true})},
		{Name: "M block-diagonal, against the optimum", Assumption: "unstructured", Check: optimum(trial{blocks: true})},
	},
	Errata: []props.Refutation{
		{Erratum: "existence", Check: attained(trial{penalty: saturating})},
		{Erratum: "one-kernel", Check: oneKernel(trial{penalty: saturating})},
		{Erratum: "uniqueness", Check: agreement(trial{itself: true})},
		{Erratum: "minimum-elsewhere", Check: boundsWeightDecay()},
	},
	Resolve: []props.Resolution{
		{Of: "the effective penalty ω̃(v)", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return scalarProblem(trial{dose: dose}) }},
		{Of: "the stretch, as s−1", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return scalarProblem(trial{stretchDose: dose}) }},
		{Of: "the optimum as a lower bound", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return lowerBound(trial{dose: dose}) }},
		{Of: "the kernel's change, at the solution", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return solution(trial{dose: dose}) }},
		{Of: "the optimum, as optimisation finds it", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return optimum(trial{dose: dose}) }},
		{Of: "the optimum, taken smaller, as optimisation finds it", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return optimum(trial{dose: -dose}) }},
		{Of: "the kernel's change, as optimisation finds it", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return foundKernel(trial{dose: dose}) }},
		{Of: "the predictor, as optimisation finds it", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return foundPredictor(trial{dose: dose}) }},
		{Of: "the kernel's change along the label scale", Unit: props.Relative, Check: func(dose float64) props.LegacyCheck { return labelScale(trial{dose: dose}) }},
	},
}

// trial is the version of the claim on trial. The zero value is the claim itself.
type trial struct {
	dose        float64 // the quantity that the check is about, times 1+dose
	stretchDose float64 // s−1 times 1+stretchDose
	rootNorm    bool    // √v stands for v
	firstPower  bool    // s−1 stands for s²−1
	noNorm      bool    // 1 stands for 1/‖β̂‖²
	longer      bool    // an interpolant that is not the shortest stands for β̂
	itself      bool    // solutions agree in M, and not only in MMᵀ
	blocks      bool    // M is block-diagonal
	penalty     penalty // stands for that of the claim
}

// penalty names a penalty that violates a hypothesis.
type penalty string

const (
	weightDecay penalty = "weight decay"
	flat        penalty = "flat"
	saturating  penalty = "saturating"
)

// offending are the penalties that violate a hypothesis.
var offending = map[penalty]impl.Penalty{weightDecay: impl.WeightDecay, flat: impl.Flat, saturating: impl.Saturating}

// apply puts the offending penalty in the place of the problem's own.
func (v trial) apply(p *problem) {
	if other, ok := offending[v.penalty]; ok {
		p.model.Penalty = other.Times(p.factor)
	}
}

// claimed returns the closed forms for a problem.
func (v trial) claimed(p *problem) theory.Adaptation {
	beta, err := theory.MinNorm(p.model.Features, p.model.Labels)
	if err != nil {
		panic(err) // the features were drawn well-conditioned
	}
	if v.longer {
		// β̂ + ½‖β̂‖w with w the last coordinate direction, projected on the null space of Φ; nothing when n = p.
		n, width := p.model.Features.Dims()
		if n < width {
			w := make([]float64, width)
			w[width-1] = 0.5 * floats.Norm(beta, 2)
			var f mat.VecDense
			f.MulVec(p.model.Features, mat.NewVecDense(width, w))
			part, err := theory.MinNorm(p.model.Features, f.RawVector().Data)
			if err != nil {
				panic(err)
			}
			floats.Sub(w, part)
			floats.Add(beta, w)
		}
	}
	return theory.Adaptation{Interpolant: beta, Family: p.family, Factor: p.factor}
}

// growth returns what the claim says of K − K₀ for the rows of x and z.
func (v trial) growth(a theory.Adaptation, x, z *mat.Dense) *mat.Dense {
	k, s := a.Growth(x, z), a.Stretch()
	k.Scale(1+v.dose, k)
	if v.firstPower {
		k.Scale(1/(s.Size()+1), k)
	}
	if v.noNorm {
		k.Scale(s.Norm*s.Norm, k)
	}
	return k
}

// solution is the stated solution M̂Q, Qᵀθ̂, with a random orthogonal Q, held against the model's own arithmetic: it
// interpolates, costs ω̃(v), has the stated kernel and the old predictor, and is at least as aligned with the labels.
func solution(v trial) props.LegacyCheck {
	return props.Property{
		Name:  "the stated solution",
		Cases: props.Scale{Quick: 150, Standard: 1000, Deep: 100000},
		Prop: func(t *props.T) props.Ratio {
			p, r := drawProblem(t)
			a := v.claimed(p)
			q := gen.Orthonormal(r, p.width(), p.width())
			var m mat.Dense
			m.Mul(a.Transform(), q)
			var theta mat.VecDense
			theta.MulVec(q.T(), mat.NewVecDense(p.width(), a.Parameters()))
			return v.judgeSolution(t, p, a, theta.RawVector().Data, &m)
		},
	}.Check()
}

// judgeSolution compares one pair with the closed forms. What solves with a kernel matrix errs by its condition number.
// What does not errs by the closed form's β̂, which enters twice, hence by the root of that of K₀, by the two products of
// length p on each side, and by 20 further operations. See [problem.solveNoise].
func (v trial) judgeSolution(t *props.T, p *problem, a theory.Adaptation, theta []float64, m *mat.Dense) props.Ratio {
	s, eye := a.Stretch(), impl.Identity(p.width())
	direct := 2*p.solveNoise(math.Sqrt(p.condition)) + unit*float64(4*p.width()+20)
	solved := p.solveNoise(p.condition + p.model.Condition(m))
	size, labels := mat.Norm(p.model.Features, 2), floats.Norm(p.model.Labels, 2)

	shortest, err := p.model.Parameters(m)
	after, err2 := p.model.Predict(p.test, m)
	before, err3 := p.model.Predict(p.test, eye)
	if err != nil || err2 != nil || err3 != nil {
		return props.Truth(false)
	}
	var claimed, gap mat.Dense
	claimed.Add(impl.Kernel(p.test, p.model.Features, eye), v.growth(a, p.test, p.model.Features))
	found := impl.Kernel(p.test, p.model.Features, m)
	gap.Sub(found, &claimed)
	var stretched mat.Dense
	stretched.Sub(moment(m), a.Moment())
	fixed, adapted := p.alignment(eye), p.alignment(m)
	claimedFixed, claimedAdapted := a.Alignment(p.model.Features)
	t.Show("kernel, tests by training points", found)
	t.Show("claimed", &claimed)
	reach := s.Size() * s.Norm * mat.Norm(p.test, 2) // no predictor exceeds it by more than rounding
	return props.Worst(
		props.Within(mat.Norm(&stretched, 2), direct*math.Pow(mat.Norm(m, 2), 2)),
		props.Within(floats.Dot(shortest, shortest)-s.Cost(), s.Cost()*(direct+solved)),
		props.Within(p.model.Residual(theta, m), direct*(labels+size*s.Norm)),
		props.Within(p.model.Cost(theta, m)-s.Optimum(), costNoise(p, s)),
		props.Within(p.model.Cost(shortest, m)-s.Optimum(), costNoise(p, s)+s.Slope()*p.missed(shortest, m)),
		props.Within(mat.Norm(&gap, 2), direct*size*mat.Norm(p.test, 2)*s.Amplification()),
		props.Within(floats.Distance(after, before, 2), solved*reach),
		props.Within(floats.Distance(after, a.Predict(p.test), 2), solved*reach),
		props.Within(fixed-claimedFixed, direct),
		props.Within(adapted-claimedAdapted, direct),
		props.AtMost(fixed, adapted, direct),
	)
}

// shapes of a drawn problem: at most this many features.
const mostFeatures = 6

// drawProblem draws shapes, family, scale and factor with rapid, and the entries from a stream.
func drawProblem(t *props.T) (*problem, *rand.Rand) {
	width := gen.Dim(t.T, "p", mostFeatures)
	n := gen.Dim(t.T, "n", width)
	network := gen.Dim(t.T, "kind", 4) == 4
	family := theory.Families[gen.Dim(t.T, "family", len(theory.Families))-1]
	v, factor := gen.Scale(t.T, "v", 0.05, 20), gen.Scale(t.T, "factor", 0.1, 10)
	r := t.Stream("entries")
	features := gaussianFeatures(r, width)
	if network {
		features, n = networkFeatures(r), min(n, 3)
	}
	p := newProblem(r, family, factor, mostCondition, n, features)
	p.scaled(v)
	t.Show("Φ", p.model.Features)
	t.Show("y", p.model.Labels)
	t.Show("ω", string(family))
	t.Show("factor of ω", factor)
	return p, r
}
