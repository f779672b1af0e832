package onestep

import (
	"cmp"
	"errors"
	"github.com/thm-suite/thm/theory"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/hermite"
)

// Teacher is y = Σ c⋆ₖHₖ(β⋆ᵀx) + noise.
type Teacher struct {
	Coefficients []float64 // c⋆₀, c⋆₁, …
	Noise        float64   // variance of the noise; energy of higher orders counts as noise
}

// Coefficient returns c⋆ₖ.
func (t Teacher) Coefficient(k int) float64 {
	if k >= len(t.Coefficients) {
		return 0
	}
	return t.Coefficients[k]
}

// Energy returns E y².
func (t Teacher) Energy() float64 {
	sum := t.Noise
	for k, c := range t.Coefficients {
		sum += hermite.Factorial(k) * c * c
	}
	return sum
}

// Risk is ridge regression, with penalty λ‖a‖² added to the mean square, on the features of a fresh sample after one
// step of size η along the gradient, modelled as ℓ spikes on top of random features.
type Risk struct {
	Phi, Psi, Lambda float64
	Activation       hermite.Activation
	Teacher          Teacher
	Terms            int     // ℓ; 0 is random features
	Eta              float64 // η; +Inf is the limit in which all ℓ spikes outgrow the rest
	Width            float64 // N, in which spikes of the second order and on are measured; not used when η is infinite
	Trained          bool    // the true gradient, and not the displayed rank-one weights
	GaussianRows     bool    // rows of W₀ from N(0, I/d) in place of the unit sphere
	Intercept        bool    // an intercept without a penalty
	Equivalent       bool    // c₁XW₀ᵀ + c_{>1}Z, with Z independent standard normal, in place of F₀
	Dimension        float64 // d, for the terms of order d^(−1/2) from the part of |x|² along (xᵀβ)²; 0 for the limit
}

// Errors holds the limits of the three errors of ridge regression, with the residuals of the equations that they solve.
type Errors struct {
	Objective float64 // (1/n)‖y − Fâ‖² + λ‖â‖²
	Train     float64 // (1/n)‖y − Fâ‖²
	Test      float64 // E(y − f(x)ᵀâ)² with the noise of y
	Resolvent Resolvent
	Residual  float64 // of the linear equations of the spikes, over their right-hand side
}

// maxTerms bounds ℓ; no more spikes outgrow the rest at any size that could be simulated.
const maxTerms = 6

// Valid names the violated hypothesis.
func (r Risk) Valid() error {
	return cmp.Or(
		theory.Require(r.Terms >= 0 && r.Terms <= maxTerms, "onestep: ℓ must be an integer from 0 to 6"),
		theory.Require(r.Eta >= 0, "onestep: the step size must not be negative"),
		theory.Require(r.Terms <= 0 || math.IsInf(r.Eta, 1) || r.Width > 0 && !math.IsInf(r.Width, 0),
			"onestep: a finite step needs the number of neurons N"),
		theory.Require(r.Dimension == 0 || r.Dimension >= 2, "onestep: the dimension must be at least 2, or 0 for the limit"),
		theory.Require(r.Teacher.Noise >= 0, "onestep: the variance of the noise must not be negative"),
		r.step().Valid(),
	)
}

// step returns the step in the notation of onestep/spike.
func (r Risk) step() Step {
	return Step{Phi: r.Phi, Psi: r.Psi, Activation: r.Activation, Mean: r.Teacher.Coefficient(0),
		Linear: r.Teacher.Coefficient(1), Energy: r.Teacher.Energy()}
}

// column is a rank-one part of the features: its left vector in the orthogonal basis H₀, H₁, … of a standard normal
// variable û along Xβ, and the product of the lengths of both vectors over √n.
type column struct {
	left   []float64 // coefficients of Hⱼ; the last one belongs to |x|² − d, normalised
	length float64   // +Inf where there is no penalty
	power  int       // of a in the right vector; 0 is 1, −1 is |w_j|² − 1, −2 the intercept
}

// Features returns the features after the step; the regression uses ℓ of their terms.
func (r Risk) Features() Features { return Features{Step: r.step(), Eta: r.Eta, Trained: r.Trained} }

// columns lists the rank-one parts. Besides the terms of the expansion these are, when c₂ ≠ 0, parts of F₀ itself,
// which matter because they share their right vector with a^∘2, or their left vector with the labels: c₂(|x|²/d − 1)1ᵀ,
// and c₂1(|w|² − 1)ᵀ for Gaussian rows.
func (r Risk) columns() []column {
	f := r.Features()
	b, own := f.Length(), math.Abs(r.Activation.Coefficient(2))*math.Sqrt(2/r.Psi)
	if r.Equivalent {
		own = 0
	}
	size := max(r.Terms, len(r.Teacher.Coefficients)-1) + 2
	constant := make([]float64, size)
	constant[0] = 1
	var out []column
	for k := 1; k <= r.Terms; k++ {
		left, any := make([]float64, size), false
		for power, q := range f.Left(k) {
			any = any || q != 0
			for j := power % 2; j <= power; j += 2 { // ûᵖ = Σ p!/(j!(p−j)!)(p−j−1)!! Hⱼ
				choose := hermite.Factorial(power) / hermite.Factorial(j) / hermite.Factorial(power-j)
				left[j] += q * math.Pow(b, float64(power)) * choose * hermite.DoubleFactorial(power-j-1)
			}
		}
		length := math.Pow(r.Eta, float64(k)) * math.Pow(r.Width, float64(1-k)/2)
		if math.IsInf(r.Eta, 1) {
			length = r.Eta
		}
		if any && length > 0 {
			out = append(out, column{left, length, k})
		}
	}
	if own > 0 && !math.IsInf(r.Eta, 1) {
		norm := make([]float64, size)
		share, sign := r.lengthShare(), math.Copysign(1, r.Activation.Coefficient(2))
		norm[2], norm[size-1] = sign*math.Sqrt(share/2), sign*math.Sqrt(1-share)
		out = append(out, column{norm, own, 0})
	}
	if own > 0 && r.GaussianRows {
		out = append(out, column{constant, own, -1})
	}
	if r.Intercept {
		out = append(out, column{constant, math.Inf(1), -2})
	}
	return out
}

// lengthShare returns 1/d, the squared cosine of |x|²/d − 1 with H₂(û) and with H₂(β⋆ᵀx).
func (r Risk) lengthShare() float64 {
	if r.Dimension == 0 {
		return 0
	}
	return 1 / r.Dimension
}

// lengthTarget returns the component of the labels along |x|²/d − 1 in addition to H₂(û): c⋆₂√(2/d)(1−ρ²)/√(1−1/d).
func (r Risk) lengthTarget() float64 {
	share := r.lengthShare()
	return r.Teacher.Coefficient(2) * math.Sqrt(2*share/(1-share)) * (1 - math.Pow(r.step().Alignment(), 2))
}

// gram returns the scalar product of the right vectors of two columns over their lengths in columns: a^∘k·a^∘l =
// N^(1−(k+l)/2)(k+l−1)!! for even k+l. The vector that Gaussian rows add is orthogonal to all of them.
func gram(k, l int) float64 {
	switch {
	case k < 0 || l < 0:
		if k == l {
			return 1
		}
		return 0
	case (k+l)%2 == 1:
		return 0
	}
	return hermite.DoubleFactorial(k + l - 1)
}

// Errors returns the limits. The objective is λY with
//
//	Y = min over κ of Σⱼ wⱼ(tⱼ − (Pκ)ⱼ)² + (1+e) κᵀ(SGS)⁻¹κ + m₂c⋆₁²(1−ρ²) + m₁(Σ_{j≥2} j!c⋆ⱼ²(1−ρ²ʲ) + noise),
//
// tⱼ = c⋆ⱼρʲ, w₁ = m₂ and wⱼ = j! m₁ otherwise, P the left vectors of the spikes and SGS the Gram matrix of the right
// ones. That is yᵀ(FFᵀ + λn)⁻¹y by Woodbury's identity. Train and test error follow by the derivative in λ, in which κ
// can be held fixed since it minimises: (1/n)‖y − Fâ‖² = −λ²Y′, and leaving one sample out multiplies its residual by
// 1/(λm₁), so that the test error is −Y′/m₁².
func (r Risk) Errors() (Errors, error) {
	if err := r.Valid(); err != nil {
		return Errors{}, err
	}
	resolvent, err := r.Features().Bulk().Resolvent(r.Lambda)
	if err != nil {
		return Errors{}, err
	}
	columns := r.columns()
	kappa, penalty, residual, err := r.solve(resolvent, columns)
	if err != nil {
		return Errors{}, err
	}
	y := r.total(columns, kappa, penalty, resolvent.All, resolvent.Linear, 1+resolvent.Leak)
	test := r.total(columns, kappa, penalty, resolvent.Noise(), resolvent.Bias(), resolvent.Spread())
	return Errors{Objective: r.Lambda * y, Train: math.Pow(r.Lambda*resolvent.All, 2) * test, Test: test,
		Resolvent: resolvent, Residual: residual}, nil
}

// weight returns wⱼ for the j-th coordinate of left vectors; the last coordinate belongs to a vector of length one.
func weight(j, size int, all, linear float64) float64 {
	switch j {
	case 1:
		return linear
	case size - 1:
		return all
	}
	return hermite.Factorial(j) * all
}

// target returns tⱼ = c⋆ⱼρʲ, and for the last coordinate 0 in the limit.
func (r Risk) target(j, size int) float64 {
	if j == size-1 {
		return r.lengthTarget()
	}
	return r.Teacher.Coefficient(j) * math.Pow(r.step().Alignment(), float64(j))
}

// total returns Y at given κ and κᵀ(SGS)⁻¹κ; with the derivatives of the weights over −m₁² in place of the weights it
// returns −Y′/m₁².
func (r Risk) total(columns []column, kappa []float64, penalty, all, linear, leak float64) float64 {
	size := max(r.Terms, len(r.Teacher.Coefficients)-1) + 2
	rho2 := math.Pow(r.step().Alignment(), 2)
	sum := all*(r.Teacher.Noise-math.Pow(r.lengthTarget(), 2)) + leak*penalty
	for j := range size {
		rest := r.target(j, size)
		for i, c := range columns {
			rest -= c.left[j] * kappa[i]
		}
		w := weight(j, size, all, linear)
		c := 0.0
		if j < size-1 {
			c = r.Teacher.Coefficient(j)
		}
		sum += w * (rest*rest + c*c*(1-math.Pow(rho2, float64(j))))
	}
	return sum
}

// solve returns κ and κᵀ(SGS)⁻¹κ. The unknowns are κ over the lengths of the columns, in units in which the diagonal of
// the equations is one.
func (r Risk) solve(v Resolvent, columns []column) (kappa []float64, penalty, residual float64, err error) {
	k := len(columns)
	if k == 0 {
		return nil, 0, 0, nil
	}
	inverse, unit, err := penalties(columns)
	if err != nil {
		return nil, 0, 0, err
	}
	size := len(columns[0].left)
	system, right, scale := mat.NewDense(k, k, nil), mat.NewVecDense(k, nil), make([]float64, k)
	for i, c := range columns {
		for j := range size {
			w := weight(j, size, v.All, v.Linear)
			right.SetVec(i, right.AtVec(i)+unit[i]*w*c.left[j]*r.target(j, size))
			for l, other := range columns {
				system.Set(i, l, system.At(i, l)+unit[i]*unit[l]*w*c.left[j]*other.left[j])
			}
		}
		for l := range columns {
			system.Set(i, l, system.At(i, l)+(1+v.Leak)*inverse.At(i, l))
		}
		scale[i] = 1 / math.Sqrt(system.At(i, i))
	}
	for i := range k {
		right.SetVec(i, scale[i]*right.AtVec(i))
		for l := range k {
			system.Set(i, l, scale[i]*scale[l]*system.At(i, l))
		}
	}
	var x, left mat.VecDense
	if err := x.SolveVec(system, right); err != nil {
		return nil, 0, 0, errors.New("onestep: the left vectors of the spikes are too close to dependent")
	}
	left.MulVec(system, &x)
	left.SubVec(&left, right)
	if norm := mat.Norm(right, 2); norm > 0 {
		residual = mat.Norm(&left, 2) / norm
	}
	kappa = make([]float64, k)
	for i := range k {
		x.SetVec(i, scale[i]*x.AtVec(i))
		kappa[i] = unit[i] * x.AtVec(i)
	}
	return kappa, mat.Inner(&x, inverse, &x), residual, nil
}

// penalties returns G⁻¹ for the columns of finite length, bordered with zeros for the others, and the length of each
// column, or 1 if it is infinite.
func penalties(columns []column) (inverse *mat.Dense, unit []float64, err error) {
	var finite []int
	for i, c := range columns {
		unit = append(unit, 1)
		if !math.IsInf(c.length, 1) {
			finite, unit[i] = append(finite, i), c.length
		}
	}
	inverse = mat.NewDense(len(columns), len(columns), nil)
	if len(finite) == 0 {
		return inverse, unit, nil
	}
	g := mat.NewDense(len(finite), len(finite), nil)
	g.Apply(func(i, j int, _ float64) float64 { return gram(columns[finite[i]].power, columns[finite[j]].power) }, g)
	var inv mat.Dense
	if err := inv.Inverse(g); err != nil {
		return nil, nil, errors.New("onestep: the right vectors of the spikes are too close to dependent")
	}
	for i, fi := range finite {
		for j, fj := range finite {
			inverse.Set(fi, fj, inv.At(i, j))
		}
	}
	return inverse, unit, nil
}
