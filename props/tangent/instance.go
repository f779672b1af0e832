package tangent

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	impl "github.com/thm-suite/thm/impl/tangent"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// penalties are the functions that the families of the statement name.
var penalties = map[theory.Family]impl.Penalty{
	theory.Quadratic: impl.Square,
	theory.Absolute:  impl.Modulus,
	theory.Product:   impl.Convolved(impl.Square, impl.Modulus),
	theory.LogDet:    impl.LogDet,
}

// problem is one instance of the joint optimisation, with points at which to compare predictors.
type problem struct {
	model  impl.Model
	test   *mat.Dense // 3×p
	family theory.Family
	factor float64

	condition float64 // of K₀
	least     float64 // singular value of Φ
}

// scaled multiplies the labels so that the minimum-norm interpolant has the length v.
func (p *problem) scaled(v float64) {
	theta, err := p.model.Parameters(impl.Identity(p.width()))
	if err != nil {
		panic(err) // the features were drawn well-conditioned
	}
	floats.Scale(v/floats.Norm(theta, 2), p.model.Labels)
}

// width is the number p of features.
func (p *problem) width() int {
	_, width := p.model.Features.Dims()
	return width
}

// alignment is that of the kernel of M with the labels, on the training points.
func (p *problem) alignment(m *mat.Dense) float64 {
	return impl.Alignment(impl.Kernel(p.model.Features, p.model.Features, m), p.model.Labels)
}

// mostCondition bounds the condition number of K₀ where it does not matter otherwise. Tolerances grow with it.
const mostCondition = 1e4

// newProblem draws labels and an n×p feature matrix. It rejects draws whose kernel matrix has a condition number above
// the given bound.
func newProblem(r *rand.Rand, family theory.Family, factor, condition float64, n int, features func(samples int) *mat.Dense) *problem {
	const tests = 3
	for {
		all := features(n + tests)
		_, width := all.Dims()
		p := &problem{
			model: impl.Model{
				Features: mat.DenseCopyOf(all.Slice(0, n, 0, width)),
				Labels:   gen.Gaussian(r, n, 1, 1).RawMatrix().Data,
				Penalty:  penalties[family].Times(factor),
			},
			test:   mat.DenseCopyOf(all.Slice(n, n+tests, 0, width)),
			family: family, factor: factor,
		}
		var svd mat.SVD
		p.condition = p.model.Condition(impl.Identity(width))
		if p.condition <= condition && svd.Factorize(p.model.Features, mat.SVDNone) {
			p.least = slices.Min(svd.Values(nil))
			return p
		}
	}
}

// gaussianFeatures draws feature vectors with independent normal entries.
func gaussianFeatures(r *rand.Rand, width int) func(int) *mat.Dense {
	return func(samples int) *mat.Dense { return gen.Gaussian(r, samples, width, 1) }
}

// networkWidth is the number of weights of the networks below.
const networkWidth = 6

// networkFeatures draws the tangent features of a network with two inputs, two tanh units and one output, at Gaussian
// weights and inputs.
func networkFeatures(r *rand.Rand) func(int) *mat.Dense {
	return func(samples int) *mat.Dense {
		net := nn.Net{
			{W: gen.Gaussian(r, 2, 2, 1), Act: nn.Tanh},
			{W: gen.Gaussian(r, 1, 2, 1), Act: nn.Identity},
		}
		return impl.NetFeatures(net, gen.Gaussian(r, samples, 2, 1))
	}
}

// between draws a number whose logarithm is uniform between those of lo and hi.
func between(r *rand.Rand, lo, hi float64) float64 { return lo * math.Pow(hi/lo, r.Float64()) }

// unit is the unit roundoff.
const unit = 0x1p-53

// costNoise bounds the rounding error of the cost of a pair against the closed form, but for what [problem.missed] says.
// The two summands:
//
// The singular values err by at most 10p·u·s (LAPACK's error bound with a generous constant), and each is charged with
// a slope of at most 2·Factor·s: no family is steeper than that at z ≤ s, s ≥ 1.
//
// The interpolant β̂ of the closed form errs by solveNoise with the root of the condition number of K₀, for it comes from a
// factorisation of Φ itself; ω̃(v) has the slope 2v/s².
func costNoise(p *problem, s theory.Stretch) float64 {
	width := float64(p.width())
	return unit*20*p.factor*width*width*s.Amplification() + 2*s.Cost()*p.solveNoise(math.Sqrt(p.condition))
}

// solveNoise is the relative error of solving with a matrix of the given condition number: forming K errs by 2p·u relative
// to products of norms, at most n times ‖K‖, and Cholesky's factorisation with both substitutions by n(3n+1)u (Higham,
// Accuracy and Stability of Numerical Algorithms, theorem 10.4).
func (p *problem) solveNoise(condition float64) float64 {
	n, width := p.model.Features.Dims()
	return unit * float64(n*(3*n+1+2*width)) * condition
}

// missed is by how much β = Mθ may be shorter than v because the pair misses the labels, ‖ΦMθ − y‖ over the least
// singular value of Φ. The slope of ω̃ converts it into cost.
func (p *problem) missed(theta []float64, m *mat.Dense) float64 {
	return p.model.Residual(theta, m) / p.least
}
