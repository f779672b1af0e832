package kernel

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/internal/tolerance"
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
	beta := must.Get(theory.MinNorm(features, labels))
	floats.Scale(v/floats.Norm(beta, 2), labels)
	return labels
}

// problem holds the quantities that features, labels and penalty determine.
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
	p.Penalty = penalties[family].Times(factor)
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

// kernelClaim holds the claims about MMᵀ and about the adapted kernel.
type kernelClaim struct {
	growth    func(p problem, x, z *mat.Dense) *mat.Dense // K − K₀ for the rows of x and z
	alignment func(p problem) float64                     // of the adapted kernel with the labels
	moment    func(p problem) *mat.Dense                  // MMᵀ − I
}

// adaptedKernel is the kernel of the statement, with the alignment with y itself, whose rounded form is Φβ̂.
var adaptedKernel = kernelClaim{
	growth: func(p problem, x, z *mat.Dense) *mat.Dense { return p.claim.Growth(x, z) },
	alignment: func(p problem) float64 {
		k, y := impl.Kernel(p.Features, p.Features, impl.Identity(p.p)), mat.NewVecDense(len(p.Labels), p.Labels)
		return theory.Aligned(mat.Inner(y, k, y), mat.Norm(k, 2), mat.Dot(y, y), p.stretch.Coefficient())
	},
	moment: func(p problem) *mat.Dense { return lessIdentity(p.claim.Moment()) },
}

// solutionClaim holds the claims about the solutions of a problem.
type solutionClaim struct {
	kernelClaim
	optimum, theta func(theory.Stretch) float64 // the cost, and ‖θ‖²
}

// growthOfFirstPower has s−1 in place of s²−1.
func growthOfFirstPower(p problem, x, z *mat.Dense) *mat.Dense {
	k := p.claim.Growth(x, z)
	k.Scale(1/(p.stretch.Size()+1), k)
	return k
}

// growthWithoutNorm lacks 1/‖β̂‖².
func growthWithoutNorm(p problem, x, z *mat.Dense) *mat.Dense {
	k := p.claim.Growth(x, z)
	k.Scale(p.stretch.Norm*p.stretch.Norm, k)
	return k
}

// alignmentSubtracted returns the alignment of K₀ less its growth.
func alignmentSubtracted(p problem) float64 {
	k := impl.Kernel(p.Features, p.Features, impl.Identity(p.p))
	k.Sub(k, p.claim.Growth(p.Features, p.Features))
	return impl.Alignment(k, p.Labels)
}

// alwaysStretched is the moment of the quadratic penalty where the own one does not stretch.
func alwaysStretched(p problem) *mat.Dense {
	a := p.claim
	if p.stretch.Excess() == 0 {
		a.Family = theory.Quadratic
	}
	return lessIdentity(a.Moment())
}

func lessIdentity(m *mat.Dense) *mat.Dense {
	p, _ := m.Dims()
	out := mat.DenseCopyOf(m)
	out.Sub(out, impl.Identity(p))
	return out
}

// momentOf is MMᵀ.
func momentOf(m *mat.Dense) *mat.Dense {
	return algebra.Product(m, m.T())
}

// product is Mθ.
func product(m *mat.Dense, theta []float64) []float64 {
	beta := algebra.Image(m, mat.NewVecDense(len(theta), theta))
	return beta.RawVector().Data
}

// interpolantNoise is the relative rounding error of β̂, which is from a factorisation of Φ itself.
func (p problem) interpolantNoise() float64 { return p.solveNoise(math.Sqrt(p.condition)) }

// solveNoise is the relative error of solving with a kernel matrix of the given condition number.
func (p problem) solveNoise(condition float64) float64 {
	return tolerance.CholeskySolve(len(p.Labels), p.p, condition, p.unit)
}

// The roundings of a check are counted in units of u and to first order, with Frobenius norms, s = 1+e the stretch, g =
// s²−1 and w = β̂/v. v is a norm that errs by (5p−1)/2, the root of a sum of p squares that is scaled anew for each.

// parameterRoundings bounds what moves ‖θ‖² and Mθ for the drawn M = M̂Q and θ = Qᵀθ̂, relative to them, or to ‖M‖‖θ‖:
//
//   - θ̂ errs by 2 of its size, its product with Qᵀ by p√p, Q by √p, see [orthogonal], and v² in the closed form by
//     5p − 1: with 3 for that and p for the inner product ‖θ‖² errs by at most 6p + 6 + (2p+2)√p;
//   - M errs by √p + 5e in M̂ and p√p·s in the product with Q, its product with θ by p of ‖M‖‖θ‖, and QQᵀ = I by 2√p:
//     with those of θ, v² and of s in θ̂ alone Mθ errs by 6p + 7 + (2p+3)√p.
//
// The orders from u² on are within the rest.
func (p problem) parameterRoundings() float64 {
	width := float64(p.p)
	return p.unit * (6*width + 8 + (2*width+3)*math.Sqrt(width))
}

// formed bounds by how much the MMᵀ of the drawn M = M̂Q, without the rounding of that product, is off I + g·wwᵀ: by
// 2s(√p + 5e) for the rounding of M̂, 2p√p·s² for its product with Q, 2√p·s² for QQᵀ, and e²(5p−1) as ‖w‖ is not
// quite 1.
func (p problem) formed() float64 {
	width, amplified := float64(p.p), p.stretch.Amplification()
	return p.unit * ((2*width+4)*math.Sqrt(width)*amplified + (5*width+10)*(amplified-1))
}

// momentNoise bounds the rounding error of MMᵀ − I against its closed form: of the product, p‖M‖², of what it is formed
// of, and of the closed form and both differences, √p + 9g. Somebody else's β̂ errs by interpolantNoise, in both the
// direction and the size of what is added to I, and this size grows at most like v².
func (p problem) momentNoise(m *mat.Dense) float64 {
	width, grown := float64(p.p), p.stretch.Amplification()-1
	return p.unit*(width*math.Pow(mat.Norm(m, 2), 2)+math.Sqrt(width)+9*grown) + p.formed() +
		4*p.interpolantNoise()*grown
}

// growthNoise bounds the rounding error of K − K₀ on the training points, by ‖Φ‖² times what MMᵀ is formed of and
// these: ΦM errs by p‖Φ‖‖M‖, which K sees twice and times s, and K by p‖Φ‖²s² more; K₀ by p, and the difference by g.
// Φβ̂ errs by p‖Φ‖v in both factors of the closed form, and the rest of it by 6g. Somebody else's β̂ moves the
// coefficient through v, and Φβ̂ by solveNoise(1)·‖Φ‖v only, because the factorisation is backward stable.
func (p problem) growthNoise(m *mat.Dense) float64 {
	size, labels, s := mat.Norm(p.Features, 2), floats.Norm(p.Labels, 2)/p.stretch.Norm, p.stretch.Size()
	width, grown := float64(p.p), p.stretch.Amplification()-1
	return size*size*(p.formed()+p.unit*(width*(2*s*mat.Norm(m, 2)+s*s+1)+(2*width+8)*grown)) +
		4*grown*labels*(labels*p.interpolantNoise()+size*p.solveNoise(1))
}

// alignmentNoise bounds by how much the alignment of a kernel on the training points with the labels is off its closed
// form when the kernel, without roundings, is off K₀ + c·yyᵀ by change:
//
//   - unit vectors along two matrices are at most 2‖K−K'‖/(‖K‖+‖K'‖) apart, and cosines with them no more;
//   - K₀ is in three terms of the closed form, and errs by p‖Φ‖² in each, one of them counted by growthNoise;
//   - yᵀKy errs by 2n of ‖K‖‖y‖², ‖K‖ by n²/2 + 3n + 2, ‖y‖² by n, and the quotient by 2: n²/2 + 6n + 4 where it is
//     found, and in the closed form, with the 20 of its other operations, n²/2 + 11n + 22.
func (p problem) alignmentNoise(kernel *mat.Dense, change float64) float64 {
	n, size := float64(len(p.Labels)), mat.Norm(p.Features, 2)
	k := mat.Norm(kernel, 2)
	change += 2 * float64(p.p) * p.unit * size * size
	return change/max(k/2, k-change/2) + p.unit*(n*n+18*n+30)
}

// missedGrowth bounds ‖Φβ̂(Φβ̂)ᵀ − yyᵀ‖ times c, from Φβ̂ − y and the rounding of it, p‖Φ‖v.
func (p problem) missedGrowth() float64 {
	missed := floats.Distance(p.claim.Predict(p.Features), p.Labels, 2)
	return 2 * p.stretch.Coefficient() * floats.Norm(p.Labels, 2) *
		(missed + float64(p.p)*p.unit*mat.Norm(p.Features, 2)*p.stretch.Norm)
}

// costNoise bounds the rounding error of the cost of a pair against the closed form, but for what [problem.missed]
// says. The singular values err by at most 10p·u·s (LAPACK's error bound with a generous constant), and each is
// charged with a slope of at most 2·Factor·s: no family is steeper than that at z ≤ s, s ≥ 1. ω̃(v) has the slope
// 2v/s², and errs by 20u of itself, a cost by 10u, see [judgeScalar].
func (p problem) costNoise() float64 {
	s, width := p.stretch, float64(p.p)
	return p.unit*(20*s.Factor*width*width*s.Amplification()+30*s.Optimum()) + 2*s.Cost()*p.interpolantNoise()
}

// missed is by how much β = Mθ may be shorter than v because the pair misses the labels, ‖ΦMθ − y‖ over the least
// singular value of Φ. The slope of ω̃ converts it into cost.
func (p problem) missed(theta []float64, m *mat.Dense) float64 {
	return p.Residual(theta, m) / p.smallest
}

// gradientNoise bounds the rounding error of the gradient in M: the singular values and vectors belong to a matrix
// within 10p·u·σ₁ of M, and penalties of this package have second derivatives of at most 4·Factor/width there. Of 2qθᵀ,
// θ = Mᵀq comes out of a solve with the relative error of [problem.solveNoise]: the weights w of (K+ΔK)w = y are off by
// K⁻¹ΔK·w, hence θ = (ΦM)ᵀw by at most ‖ΔK‖/σₙ(ΦM)² of its size. Through q = M⁻ᵀθ that moves q by as much, because no
// singular value of M lies below 1 there, and ‖q‖ = ‖θ‖²/v: 2‖δq‖‖θ‖ + 2‖q‖‖δθ‖.
func (p problem) gradientNoise(e ending, width float64) float64 {
	return p.unit*float64(40*p.p)*p.stretch.Factor*mat.Norm(e.M, 2)/width +
		2*e.Cost*(1+math.Sqrt(e.Cost)/p.stretch.Norm)*p.solveNoise(p.Condition(e.M))
}
