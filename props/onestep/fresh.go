package onestep

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// head is the sample that the features are taken on, with what all step sizes share.
type head struct {
	sample
	z *mat.Dense // XW₀ᵀ, n×N
	u []float64  // Xβ, n
}

// fresh draws a network and its step, and a second sample for the features; with reuse that is the first one.
func (s setup) fresh(t *props.Trial, n int, reuse bool) (h head, x *mat.Dense) {
	h.sample = s.draw(t.Rand, n)
	x = h.x
	if !reuse {
		d, _ := s.shape(n)
		x = features.Gaussian(t.Rand, n, d)
	}
	h.z = features.PreActivations(x, h.w)
	h.u = make([]float64, n)
	mat.NewVecDense(n, h.u).MulVec(x, mat.NewVecDense(len(h.beta), h.beta))
	return h, x
}

// displayed returns the features for the weights W₀ + ηc₁aβᵀ, minus F₀.
func (h head) displayed(act nn.Activation, c1, eta float64) *mat.Dense {
	var z mat.Dense
	z.RankOne(h.z, eta*c1, mat.NewVecDense(len(h.u), h.u), mat.NewVecDense(len(h.a), h.a))
	return h.minusInitial(act, &z)
}

// along returns the features for the weights W₀ + ηG, minus F₀, where move = XGᵀ.
func (h head) along(act nn.Activation, move *mat.Dense, eta float64) *mat.Dense {
	var z mat.Dense
	z.Scale(eta, move)
	z.Add(h.z, &z)
	return h.minusInitial(act, &z)
}

func (h head) minusInitial(act nn.Activation, z *mat.Dense) *mat.Dense {
	f := features.Apply(act, z)
	f.Sub(f, features.Apply(act, h.z))
	return f
}

// remove subtracts the k-th term, cₖηᵏQ_k(u)(a^∘k)ᵀ, from the difference of features.
func (h head) remove(diff *mat.Dense, f theory.Features, k int) {
	q, left := f.Left(k), make([]float64, len(h.u))
	for i, u := range h.u {
		for j := k; j >= 0; j-- {
			left[i] = left[i]*u + q[j]
		}
	}
	diff.RankOne(diff, -f.Weight(k), mat.NewVecDense(len(left), left), mat.NewVecDense(len(h.a), power(h.a, k)))
}

// termNorm is the norm of the k-th term of the displayed weights in this sample.
func (h head) termNorm(f theory.Features, k int) float64 {
	return math.Abs(f.Coefficient(k, k)) * floats.Norm(power(h.u, k), 2) * floats.Norm(power(h.a, k), 2)
}

// excess is ‖u^∘k‖‖a^∘k‖ in this sample over its limit √n·S_k/(|cₖ||c₁η|ᵏ). Growth is measured after dividing by it, so
// that the heavy tails of high powers do not blur the exponent.
func (h head) excess(f theory.Features, k int) float64 {
	return h.termNorm(f, k) / (math.Sqrt(float64(len(h.u))) * f.Strength(k, float64(len(h.a))))
}

// power returns the k-th powers of the entries.
func power(x []float64, k int) []float64 {
	return column(x, func(v float64) float64 { return math.Pow(v, float64(k)) })
}

// bilinear returns the least-squares coefficients of u^i(a^∘j)ᵀ, 0 ≤ i, j ≤ degree, in an n×N matrix. Powers are those of
// u and a over their root mean square, whose Gram matrices have a condition number below 10⁶ up to the fifth power.
func (h head) bilinear(m *mat.Dense, degree int) *mat.Dense {
	us, ua := rms(h.u), rms(h.a)
	left, right := vandermonde(h.u, us, degree), vandermonde(h.a, ua, degree)
	var leftGram, rightGram, half, full mat.Dense
	leftGram.Mul(left.T(), left)
	rightGram.Mul(right.T(), right)
	half.Mul(left.T(), m)
	full.Mul(&half, right)
	solve(&full, &leftGram, &full)
	var transposed mat.Dense
	transposed.CloneFrom(full.T())
	solve(&transposed, &rightGram, &transposed)
	coefficients := mat.DenseCopyOf(transposed.T())
	coefficients.Apply(func(i, j int, c float64) float64 {
		return c / (math.Pow(us, float64(i)) * math.Pow(ua, float64(j)))
	}, coefficients)
	return coefficients
}

func solve(dst, a, b *mat.Dense) {
	var x mat.Dense
	if err := x.Solve(a, b); err != nil {
		panic(err)
	}
	dst.CloneFrom(&x)
}

// vandermonde returns the powers 0 … degree of x/scale, one to a column.
func vandermonde(x []float64, scale float64, degree int) *mat.Dense {
	m := mat.NewDense(len(x), degree+1, nil)
	m.Apply(func(i, j int, _ float64) float64 { return math.Pow(x[i]/scale, float64(j)) }, m)
	return m
}

func rms(x []float64) float64 { return floats.Norm(x, 2) / math.Sqrt(float64(len(x))) }
