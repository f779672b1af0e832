package onestep

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/hermite"
)

// Trained is ridge regression on n fresh samples after a step of size κN^(1/4) of a network with N neurons and σ = c₁H₁
// + c₂H₂, for labels y = c⋆₁H₁ + c⋆₂H₂ + noise. It models the gradient's remainder besides c₁aβᵀ to leading order in N:
//
//   - Rows: row j, without its part in the plane of β and β⋆, has the squared length 1 + η²a_j²s²;
//   - Lean: in that plane it has 2c₂ηa_jMw_j besides ηc₁a_jβ and w_j itself, M = Σ yᵢxᵢxᵢᵀ/n.
//
// Displayed weights have neither.
type Trained struct {
	Phi, Psi, Lambda float64
	First, Second    float64 // c₁, c₂
	Linear, Square   float64 // c⋆₁, c⋆₂
	Noise            float64 // variance of the noise of the labels
	Kappa            float64
	Width            float64 // N
	Rows, Lean       bool
}

// Risk returns the same regression in the limit of large N.
func (t Trained) Risk() Risk {
	return Risk{Phi: t.Phi, Psi: t.Psi, Lambda: t.Lambda, Activation: hermite.Series(0, t.First, t.Second),
		Teacher: Teacher{Coefficients: []float64{0, t.Linear, t.Square}, Noise: t.Noise}, Terms: 2, Eta: t.step(),
		Width: t.Width, Trained: t.Rows}
}

func (t Trained) step() float64 { return t.Kappa * math.Pow(t.Width, 0.25) }

// Valid names the violated hypothesis.
func (t Trained) Valid() error {
	if !(t.Kappa > 0) || math.IsInf(t.Kappa, 1) || !(t.Width*t.Psi >= 2) {
		return errors.New("onestep: κ must be positive, and d = ψN at least 2")
	}
	if r := t.Risk(); !(r.step().Alignment() < 1) {
		return errors.New("onestep: c⋆₁² and φ E y² must be positive")
	}
	return t.Risk().Valid()
}

// plane returns M in the plane of β and β⋆, in the basis that begins with β/‖β‖. On the samples of the step xᵢᵀβ is
// c⋆₁zᵢ + φyᵢ plus noise that is independent of both.
func (t Trained) plane() (m11, m12, m22 float64) {
	if !t.Lean {
		return 0, 0, 0
	}
	c, q, step := t.Linear, t.Square, t.Risk().step()
	b, rho := step.Length(), step.Alignment()
	second, mixed, third := 2*q, 4*c*q, 6*c*c*q+8*q*q*q // E yz², E y²z, E y³
	m11 = (c*c*second + 2*c*t.Phi*mixed + t.Phi*t.Phi*third) / (b * b)
	target, rest := (c*second+t.Phi*mixed)/b, 1-rho*rho // β̂ᵀMβ⋆
	return m11, (target - rho*m11) / math.Sqrt(rest), (second - 2*rho*target + rho*rho*m11) / rest
}

// neuron describes a neuron with output weight ±a and its weight in averages: the squared length L² of its row, and the
// values c₁²L² and 2c₂²L⁴ + (2c₂ηc₁abL)² that replace c₁² and c²_{>1} of random features. The last part is the product
// of XW₀ᵀ with Xβ.
type neuron struct{ weight, a, square, linear, rest float64 }

// neurons returns the neurons of a ~ N(0, 1/N), by the midpoint rule, which is exact to roundings for smooth functions
// of a².
func (t Trained) neurons() []neuron {
	const nodes, reach = 64, 8.0
	step, eta := t.Risk().step(), t.step()
	out := make([]neuron, nodes)
	for i := range out {
		z := reach * (float64(i) + 0.5) / nodes
		n := neuron{weight: 2 * hermite.PDF(z) * reach / nodes, a: z / math.Sqrt(t.Width), square: 1}
		if t.Rows {
			n.square += eta * eta * n.a * n.a * step.Noise()
		}
		mixed := 2 * t.Second * eta * t.First * n.a * step.Length()
		n.linear = t.First * t.First * n.square
		n.rest = (2*t.Second*t.Second*n.square + mixed*mixed) * n.square
		out[i] = n
	}
	return out
}

// traces returns m₁ and m₂: with e = αm₂ + ζm₁, where a neuron has α and ζ in place of c₁² and c²_{>1}, they solve λm₁
// + (φ/ψ) E e/(1+e) = 1 and 1/m₂ = 1/m₁ + E α/(1+e)/ψ. Given E α/(1+e) and E ζ/(1+e), both follow from a quadratic
// equation, and fixed-point iteration from 0 gives the solution.
func (t Trained) traces(lambda float64, neurons []neuron) (all, linear float64, err error) {
	ratio, alpha, zeta := t.Phi/t.Psi, 0.0, 0.0
	for range 20000 {
		p, q := lambda+ratio*zeta, alpha/t.Psi // (p + (φ/ψ)α/(1+qm₁))m₁ = 1
		half := (p + ratio*alpha - q) / 2
		all = 1 / (half + math.Sqrt(half*half+p*q))
		linear = all / (1 + q*all)
		a, z := 0.0, 0.0
		for _, n := range neurons {
			share := n.weight / (1 + n.linear*linear + n.rest*all)
			a, z = a+share*n.linear, z+share*n.rest
		}
		if math.Abs(a-alpha)+math.Abs(z-zeta) <= 1e-13*(a+z) {
			return all, linear, nil
		}
		alpha, zeta = a, z
	}
	return 0, 0, errors.New("onestep: the equations of the rows could not be solved at these parameters")
}

// coordinates holds orthogonal functions of a sample: 1, û, H₂(û), v, ûv, H₂(v), |x|² − d normalised, with û and v its
// coordinates in the plane. The features given these are Σ h r_hᵀ + rest, with right vectors r_h, functions of a
// neuron.
const coordinates = 7

// right returns the function that gives the entries of √N r_h for a neuron with output weight a whose row has the
// coordinates g and h in the plane, over d^(−1/2).
func (t Trained) right() func(n neuron, a, g, h float64) [coordinates]float64 {
	m11, m12, m22 := t.plane()
	d, c1, c2, root := t.Psi*t.Width, t.First, t.Second, math.Sqrt(t.Width)
	along, lean := t.step()*c1*t.Risk().step().Length(), 2*c2*t.step()/math.Sqrt(d)
	return func(n neuron, a, g, h float64) [coordinates]float64 {
		u, v := a*(along+lean*(m11*g+m12*h)), a*lean*(m12*g+m22*h)
		out := [coordinates]float64{c2 * (u*u + v*v + n.square - 1), c1 * u, c2 * u * u, c1 * v, 2 * c2 * u * v, c2 * v * v,
			c2 * math.Sqrt(2/d) * n.square}
		for k := range out {
			out[k] *= root
		}
		return out
	}
}

// gram returns E r_h r_kᵀ/(1+e) over neurons, by Gauss–Hermite quadrature with three nodes for each coordinate of a
// row, which is exact because the integrands are polynomials of degree four.
func (t Trained) gram(neurons []neuron, all, linear float64) *mat.Dense {
	nodes := [3]float64{-math.Sqrt(3), 0, math.Sqrt(3)}
	shares := [3]float64{1. / 6, 2. / 3, 1. / 6}
	var sum [coordinates * coordinates]float64
	right := t.right()
	for _, n := range neurons {
		for i := range 18 {
			g, h := i%3, i/3%3
			r := right(n, n.a*float64(1-2*(i/9)), nodes[g], nodes[h])
			weight := n.weight / 2 * shares[g] * shares[h] / (1 + n.linear*linear + n.rest*all)
			for k, x := range r {
				for l, y := range r {
					sum[k*coordinates+l] += weight * x * y
				}
			}
		}
	}
	return mat.NewDense(coordinates, coordinates, sum[:])
}

// minimum returns m₁ and Y = lim yᵀ(FFᵀ + λn)⁻¹y = tᵀ(W⁻¹ + G)⁻¹t + m₁·noise, where t are the coordinates of the
// labels, W has m₂ for û and v and m₁E h² for the others, and G is the matrix of the right vectors.
func (t Trained) minimum(lambda float64) (all, y float64, err error) {
	neurons := t.neurons()
	all, linear, err := t.traces(lambda, neurons)
	if err != nil {
		return 0, 0, err
	}
	rho, q := t.Risk().step().Alignment(), t.Square
	across := math.Sqrt(1 - rho*rho)
	target := mat.NewVecDense(coordinates, []float64{0, t.Linear * rho, q * rho * rho, t.Linear * across,
		2 * q * rho * across, q * across * across, 0})
	system := t.gram(neurons, all, linear)
	for k, w := range [coordinates]float64{all, linear, 2 * all, linear, all, 2 * all, all} {
		system.Set(k, k, system.At(k, k)+1/w)
	}
	var x mat.VecDense
	if err := x.SolveVec(system, target); err != nil {
		return 0, 0, errors.New("onestep: the right vectors of the features are too close to dependent")
	}
	return all, mat.Dot(&x, target) + all*t.Noise, nil
}

// Errors returns the objective λY and the test error −Y′/m₁², with a difference of fourth order in log λ, whose error
// is of the order of 10⁻⁹ of Y and roundings over 10⁻².
func (t Trained) Errors() (Errors, error) {
	if err := t.Valid(); err != nil {
		return Errors{}, err
	}
	const h = 1e-2
	var y [5]float64
	var all float64
	for k := range y {
		m, at, err := t.minimum(t.Lambda * math.Exp(float64(k-2)*h))
		if err != nil {
			return Errors{}, err
		}
		y[k] = at
		if k == 2 {
			all = m
		}
	}
	slope := (8*(y[3]-y[1]) - (y[4] - y[0])) / (12 * h * t.Lambda)
	test := -slope / (all * all)
	return Errors{Objective: t.Lambda * y[2], Train: math.Pow(t.Lambda*all, 2) * test, Test: test}, nil
}

// Ratios returns the logarithms of the objective and of the test error after a step along the gradient over those with
// the displayed weights.
func (t Trained) Ratios() (objective, test float64, err error) {
	after, err := t.Errors()
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	t.Rows, t.Lean = false, false
	before, err := t.Errors()
	return math.Log(after.Objective / before.Objective), math.Log(after.Test / before.Test), err
}

// RatiosOfLean returns the same for rows that lean over rows of the same lengths that do not.
func (t Trained) RatiosOfLean() (objective, test float64, err error) {
	t.Rows, t.Lean = true, true
	after, err := t.Errors()
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	t.Lean = false
	before, err := t.Errors()
	return math.Log(after.Objective / before.Objective), math.Log(after.Test / before.Test), err
}

// RatiosOfLimit returns the same for the formulas of onestep/risk, in which N matters in the size of the second spike
// only.
func (t Trained) RatiosOfLimit() (objective, test float64, err error) {
	r := t.Risk()
	r.Trained = true
	after, err := r.Errors()
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	r.Trained = false
	before, err := r.Errors()
	return math.Log(after.Objective / before.Objective), math.Log(after.Test / before.Test), err
}
