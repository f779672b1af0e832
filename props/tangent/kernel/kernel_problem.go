package kernel

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/tolerance"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// Kinds of feature matrices.
const (
	gaussian       = "Gaussian"
	network        = "network"
	illConditioned = "ill-conditioned"
)

// networkWidth is the number of weights of the networks below; they have two inputs, two tanh units and one output.
const networkWidth = 6

// mostCondition bounds the condition number of K₀ where it is not drawn large on purpose; beyond, a problem is
// ill-conditioned. Tolerances grow with it.
const mostCondition = 1e4

// drawFeatures draws an n×p matrix of features, and some more rows of the same kind as test points. It repeats draws
// whose kernel matrix is worse conditioned than the kind allows.
func drawFeatures(r *rand.Rand, kind string, n, p int) (features, test *mat.Dense) {
	const tests = 3
	for {
		all := gen.Gaussian(r, n+tests, p, 1)
		limit := mostCondition
		switch kind {
		case network:
			net := nn.Net{
				{W: gen.Gaussian(r, 2, 2, 1), Act: nn.Tanh},
				{W: gen.Gaussian(r, 1, 2, 1), Act: nn.Identity},
			}
			all = impl.NetFeatures(net, gen.Gaussian(r, n+tests, 2, 1))
		case illConditioned: // the last sample is nearly the first one
			apart := math.Pow(10, -2-1.5*r.Float64())
			for j := range p {
				all.Set(n-1, j, all.At(0, j)+apart*all.At(n-1, j))
			}
			limit = 1e8
		}
		features, test = mat.DenseCopyOf(all.Slice(0, n, 0, p)), mat.DenseCopyOf(all.Slice(n, n+tests, 0, p))
		eye := impl.Identity(p)
		if (impl.Model{Features: features, Labels: make([]float64, n)}).Condition(eye) <= limit {
			return features, test
		}
	}
}

// drawLabels draws labels whose minimum-norm interpolant has the length v: random ones, or those of a random vector.
func drawLabels(r *rand.Rand, features *mat.Dense, v float64) []float64 {
	n, p := features.Dims()
	y := gen.Gaussian(r, n, 1, 1)
	if r.IntN(2) == 0 {
		y.Mul(features, gen.Gaussian(r, p, 1, 1))
	}
	labels := y.RawMatrix().Data
	beta, err := theory.MinNorm(features, labels)
	if err != nil {
		panic(err) // the features were drawn of rank n
	}
	floats.Scale(v/floats.Norm(beta, 2), labels)
	return labels
}

// problem is what features, labels and penalty determine.
type problem struct {
	impl.Model
	claim     theory.Adaptation
	stretch   theory.Stretch
	p         int
	condition float64 // of K₀
	smallest  float64 // singular value of Φ
	unit      float64
}

// pose returns the problem, or an error when the features have not rank n.
func pose(features *mat.Dense, labels []float64, family theory.Family, factor, unit float64) (problem, error) {
	n, width := features.Dims()
	if n > width {
		return problem{}, errors.New("more samples than features")
	}
	beta, err := theory.MinNorm(features, labels)
	if err != nil {
		return problem{}, err
	}
	p := problem{Model: impl.Model{Features: features, Labels: labels}, p: width, unit: unit}
	p.Penalty = penaltyOf(string(family)).Times(factor)
	p.claim = theory.Adaptation{Interpolant: beta, Family: family, Factor: factor}
	p.stretch = p.claim.Stretch()
	p.condition = p.Condition(impl.Identity(width))
	var svd mat.SVD
	if !svd.Factorize(features, mat.SVDNone) {
		return p, errors.New("no singular values")
	}
	singular := svd.Values(nil)
	// As everywhere in this claim, singular values err by at most 10p·u times the largest one. Of features without rank
	// n one that is zero comes out as large as that.
	if p.smallest = slices.Min(singular); !(p.smallest > 10*float64(width)*unit*slices.Max(singular)) {
		return p, errors.New("the rows of the features are dependent")
	}
	return p, nil
}

func penaltyOf(name string) impl.Penalty {
	if other, violates := offending[name]; violates {
		return other
	}
	return penalties[theory.Family(name)]
}

// growth is what is claimed of K − K₀ for the rows of x and z.
func (p problem) growth(x, z *mat.Dense, claimed string) *mat.Dense {
	k := p.claim.Growth(x, z)
	switch claimed {
	case "first power":
		k.Scale(1/(p.stretch.Size()+1), k)
	case "no norm":
		k.Scale(p.stretch.Norm*p.stretch.Norm, k)
	case "subtracted":
		k.Scale(-1, k)
	}
	return k
}

// alignment is what is claimed of the adapted kernel's alignment with the labels.
func (p problem) alignment(claimed string) float64 {
	if claimed != "subtracted" {
		_, adapted := p.claim.Alignment(p.Features)
		return adapted
	}
	k := impl.Kernel(p.Features, p.Features, impl.Identity(p.p))
	k.Add(k, p.growth(p.Features, p.Features, claimed))
	return impl.Alignment(k, p.Labels)
}

// moment is what is claimed of MMᵀ − I, and whether the features are claimed to be stretched at all.
func (p problem) moment(claimed string) (m *mat.Dense, stretched bool) {
	a := p.claim
	stretched = a.Stretch().Excess() > 0
	if !stretched && claimed == "always stretched" {
		a.Family = theory.Quadratic
	}
	return lessIdentity(a.Moment()), stretched
}

func lessIdentity(m *mat.Dense) *mat.Dense {
	p, _ := m.Dims()
	out := mat.DenseCopyOf(m)
	out.Sub(out, impl.Identity(p))
	return out
}

// momentOf is MMᵀ.
func momentOf(m *mat.Dense) *mat.Dense {
	var mm mat.Dense
	mm.Mul(m, m.T())
	return &mm
}

// product is Mθ.
func product(m *mat.Dense, theta []float64) []float64 {
	var beta mat.VecDense
	beta.MulVec(m, mat.NewVecDense(len(theta), theta))
	return beta.RawVector().Data
}

// interpolantNoise is the relative rounding error of β̂, which is from a factorisation of Φ itself.
func (p problem) interpolantNoise() float64 { return p.solveNoise(math.Sqrt(p.condition)) }

// solveNoise is the relative error of solving with a kernel matrix of the given condition number.
func (p problem) solveNoise(condition float64) float64 {
	return tolerance.CholeskySolve(len(p.Labels), p.p, condition, p.unit)
}

// momentNoise bounds the rounding error of MMᵀ against its closed form: the products of length p, with 20 further
// operations, and β̂ in both the direction and the size of what is added to I, the size of which grows at most like v².
func (p problem) momentNoise(m *mat.Dense) float64 {
	return p.unit*float64(4*p.p+20)*math.Pow(mat.Norm(m, 2), 2) + 4*p.interpolantNoise()*(p.stretch.Amplification()-1)
}

// growthNoise bounds the rounding error of K − K₀ on the training points: of products of length p, of the coefficient
// through v, and of Φβ̂, which is off by solveNoise(1)·‖Φ‖v only, because the factorisation is backward stable.
func (p problem) growthNoise() float64 {
	size, labels, grown := mat.Norm(p.Features, 2), floats.Norm(p.Labels, 2)/p.stretch.Norm, p.stretch.Amplification()-1
	return p.unit*float64(4*p.p+20)*size*size*p.stretch.Amplification() +
		4*grown*labels*(labels*p.interpolantNoise()+size*p.solveNoise(1))
}

// costNoise bounds the rounding error of the cost of a pair against the closed form, but for what [problem.missed]
// says. The singular values err by at most 10p·u·s (LAPACK's error bound with a generous constant), and each is
// charged with a slope of at most 2·Factor·s: no family is steeper than that at z ≤ s, s ≥ 1. ω̃(v) has the slope
// 2v/s².
func (p problem) costNoise() float64 {
	s, width := p.stretch, float64(p.p)
	return p.unit*20*s.Factor*width*width*s.Amplification() + 2*s.Cost()*p.interpolantNoise()
}

// missed is by how much β = Mθ may be shorter than v because the pair misses the labels, ‖ΦMθ − y‖ over the least
// singular value of Φ. The slope of ω̃ converts it into cost.
func (p problem) missed(theta []float64, m *mat.Dense) float64 {
	return p.Residual(theta, m) / p.smallest
}

// gradientNoise bounds the rounding error of the gradient in M: the singular values and vectors are those of a matrix
// within 10p·u·σ₁ of M, and penalties of this package have second derivatives of at most 4·Factor/width there. Of 2qθᵀ,
// θ = Mᵀq comes out of a solve with the relative error of [problem.solveNoise]: the weights w of (K+ΔK)w = y are off by
// K⁻¹ΔK·w, hence θ = (ΦM)ᵀw by at most ‖ΔK‖/σₙ(ΦM)² of its size. Through q = M⁻ᵀθ that moves q by as much, because no
// singular value of M lies below 1 there, and ‖q‖ = ‖θ‖²/v: 2‖δq‖‖θ‖ + 2‖q‖‖δθ‖.
func (p problem) gradientNoise(e ending, width float64) float64 {
	return p.unit*float64(40*p.p)*p.stretch.Factor*mat.Norm(e.M, 2)/width +
		2*e.Cost*(1+math.Sqrt(e.Cost)/p.stretch.Norm)*p.solveNoise(p.Condition(e.M))
}
