package linear

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory"
)

// Diagonal is the claim linear/diagonal.
var Diagonal = theory.Statement{
	Slug:  "linear/diagonal",
	Title: "Diagonal linear networks: the solution that the initial scale selects",
	Plain: "Trained from weights of size α, a diagonal linear network fits the data with the coefficients that " +
		"minimise a known function of α.",
	Kind:     theory.Identity,
	Standing: theory.Derivation,
	Setting: "β = u∘u − v∘v with u(0) = v(0) = α1, gradient flow on ½‖Xβ − y‖² to Xβ = y; X n×d of full row rank. q(z) " +
		"= 2 − √(4 + z²) + z asinh(z/2). Deeper networks have β = u^D − v^D, entry by entry, with D ≥ 3.",
	Params: []theory.Param{
		{Name: "alpha", Symbol: "α", Meaning: "size of the start", Domain: theory.Between(1e-3, 30), Default: "0.5"},
		{Name: "ratio", Symbol: "x₂", Meaning: "second entry of the only sample, (1, x₂)", Domain: theory.Between(0, 10),
			Default: "2"},
		{Name: "label", Symbol: "y", Meaning: "its label", Domain: theory.Between(-100, 100), Default: "4.5"},
		{Name: "X", Symbol: "X", Meaning: "inputs, one sample per row", Shape: "n×d"},
		{Name: "y", Symbol: "y", Meaning: "labels", Shape: "n"},
		{Name: "h", Symbol: "h", Meaning: "step size of descent"},
		{Name: "u", Symbol: "u", Meaning: "positive weights", Shape: "d"},
		{Name: "v", Symbol: "v", Meaning: "negative weights", Shape: "d"},
		{Name: "u_next", Symbol: "u⁺", Meaning: "positive weights after a step", Shape: "d"},
		{Name: "v_next", Symbol: "v⁺", Meaning: "negative weights after a step", Shape: "d"},
	},
	Claim: "The limit minimises α² Σ q(βᵢ/α²) among all β with Xβ = y; that is $β = 2α² sinh(Xᵀν)$ with Xβ = y. As α → " +
		"∞, β = β₂ + (I − Π)β₂³/(24α⁴) + O(α⁻⁸) with β₂ of least norm and Π the projection on the rows of X. Deeper " +
		"networks end at $β = α^D [(1 − z)^{−D/(D−2)} − (1 + z)^{−D/(D−2)}]$ with z = Xᵀν in (−1, 1) and Xβ = y. A step of " +
		"descent takes uᵢvᵢ to uᵢvᵢ(1 − 4h²gᵢ²), g = Xᵀ(Xβ − y).",
	TeX: `\beta = 2 \alpha^2 \sinh(X^{\top} \nu), \qquad X \beta = y, \qquad ` +
		`\beta = \alpha^D \left[ (1 - z)^{-D/(D-2)} - (1 + z)^{-D/(D-2)} \right]`,
	Assumptions: []theory.Assumption{
		{ID: "equal", Text: "u and v start from the same number in all entries"},
		{ID: "flow", Text: "the limit is that of the flow, or of small steps"},
	},
	Source: theory.Source{Paper: "After Woodworth et al., Kernel and rich regimes in overparametrized models",
		ArXiv: "2002.09277", Version: "abstract", Year: 2020, Locus: "derived here"},
	Proof: "u = αe^(−2ξ) and v = αe^(2ξ) with ξ = ∫ Xᵀ(Xβ − y)dt in the range of Xᵀ; q' = asinh(z/2) makes this the " +
		"condition of the minimum. Of depth D, u^(2−D) moves by D(D−2)Xᵀ(Xβ − y)dt and v^(2−D) by " +
		"the opposite. asinh z = z − z³/6 gives the expansion. A step multiplies u by 1 − 2hg and v by 1 + " +
		"2hg.",
	Tolerance: "Descent is extrapolated from five halvings of h by Neville's scheme; its last correction is allowed, " +
		"and 1e-11 for the remaining residuals. The expansion is allowed the change of α⁴(β − β₂) from α = 2 to 4. A step " +
		"has 4(n+d) + 20 roundings of terms up to those with all signs positive.",
	Limits: "2 samples, 4 inputs, α from 0.3 to 4, depths up to 4, inputs whose XXᵀ has a condition below 4. As α → " +
		"0 the solution tends to the one with least ‖β‖₁, but only as slowly as 1/log α; this is not tried.",
	Predict: func(v theory.Values) []theory.Quantity {
		at := Potential{Inputs: mat.NewDense(1, 2, []float64{1, v.Float("ratio")}), Labels: []float64{v.Float("label")},
			Scale: v.Float("alpha")}
		b, err := at.Minimum()
		if err != nil {
			b = []float64{math.NaN(), math.NaN()}
		}
		return []theory.Quantity{
			{Name: "first", Symbol: "β₁", Value: b[0], Meaning: "first coefficient"},
			{Name: "second", Symbol: "β₂", Value: b[1], Meaning: "second coefficient"},
			{Name: "potential", Symbol: "", Value: at.at(b), Meaning: "the least value of the potential"},
		}
	},
}

// Potential is α² Σ q(βᵢ/α²), which is minimised subject to Xβ = y, or the potential of a deeper network.
type Potential struct {
	Inputs *mat.Dense // X, n×d
	Labels []float64
	Scale  float64 // α
	Depth  int     // D, where it is not 2
}

// valid names the violated hypothesis.
func (p Potential) valid() error {
	n, d := p.Inputs.Dims()
	return theory.Require(n <= d && len(p.Labels) == n && p.Scale > 0 && p.Depth >= 0 && p.Depth != 1,
		"linear: need α > 0, D ≥ 2, at most as many samples as inputs, and a label for each")
}

// at returns the potential of some coefficients, for D = 2.
func (p Potential) at(beta []float64) float64 {
	if p.valid() != nil || p.Depth > 2 {
		return math.NaN()
	}
	square, sum := p.Scale*p.Scale, 0.0
	for _, b := range beta {
		z := b / square
		sum += z*math.Asinh(z/2) - z*z/(2+math.Sqrt(4+z*z)) // which does not cancel where z is small
	}
	return square * sum
}

// Minimum returns the β of least potential.
func (p Potential) Minimum() ([]float64, error) {
	if err := p.valid(); err != nil {
		return nil, err
	}
	if depth := float64(p.Depth); p.Depth > 2 {
		c, power := math.Pow(p.Scale, depth), depth/(2-depth)
		return dual(p.Inputs, p.Labels, func(z float64) (f, slope float64) {
			up, down := math.Pow(1-z, power), math.Pow(1+z, power)
			return c * (up - down), -c * power * (up/(1-z) + down/(1+z))
		}, func(z float64) float64 { return (1 - math.Abs(z)) / 2 })
	}
	c := 2 * p.Scale * p.Scale
	return dual(p.Inputs, p.Labels, func(z float64) (f, slope float64) { return c * math.Sinh(z), c * math.Cosh(z) }, one)
}

// LeastNorm returns β₂ and the coefficient of α⁻⁴ in the minimum for large α.
func (p Potential) LeastNorm() (beta, coefficient []float64, err error) {
	line := func(z float64) (f, slope float64) { return z, 1 }
	if beta, err = dual(p.Inputs, p.Labels, line, one); err != nil {
		return nil, nil, err
	}
	coefficient = make([]float64, len(beta))
	for i, b := range beta {
		coefficient[i] = b * b * b / 24
	}
	var along mat.VecDense
	along.MulVec(p.Inputs, mat.NewVecDense(len(beta), coefficient))
	within, err := dual(p.Inputs, along.RawVector().Data, line, one)
	if err != nil {
		return nil, nil, err
	}
	for i := range coefficient {
		coefficient[i] -= within[i]
	}
	return beta, coefficient, nil
}

// one limits a step to 1, over which the slopes of exponential functions keep their size.
func one(float64) float64 { return 1 }

// dual returns x = f(Aᵀν) with Ax = y, f increasing, by Newton's method. Steps change no entry z of Aᵀν by more than
// room(z).
func dual(a *mat.Dense, y []float64, f func(z float64) (value, slope float64), room func(z float64) float64) ([]float64,
	error) {
	n, d := a.Dims()
	nu, x, slopes, z := mat.NewVecDense(n, nil), make([]float64, d), mat.NewDiagDense(d, nil), mat.NewVecDense(d, nil)
	for range 500 {
		z.MulVec(a.T(), nu)
		for i := range d {
			value, slope := f(z.AtVec(i))
			x[i] = value
			slopes.SetDiag(i, slope)
		}
		var left, step, change mat.VecDense
		var scaled, hessian mat.Dense
		left.MulVec(a, mat.NewVecDense(d, x))
		left.SubVec(mat.NewVecDense(n, y), &left)
		scaled.Mul(a, slopes)
		hessian.Mul(&scaled, a.T())
		if err := step.SolveVec(&hessian, &left); err != nil {
			return nil, err
		}
		change.MulVec(a.T(), &step)
		times := 1.
		for i := range d {
			times = min(times, room(z.AtVec(i))/math.Abs(change.AtVec(i)))
		}
		nu.AddScaledVec(nu, times, &step)
		if mat.Norm(&change, math.Inf(1)) <= 1e-14*(1+mat.Norm(z, math.Inf(1))) {
			return x, nil
		}
	}
	return nil, errors.New("linear: Newton's method does not settle")
}
