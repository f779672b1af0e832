package tangent

import "math"

// This file bounds how far a near-solution can be from the solutions. Let (θ, M) be feasible with an objective at most
// δ above ω̃(v), σⱼ the singular values of M in descending order, z = σ₁, uⱼ the left singular vectors, and β = Mθ. The
// excess δ is the sum of four terms, none of which is negative:
//
//	(1)  Σ over j ≥ 2 of ω(σⱼ)
//	(2)  ω(z) + v²/z² − ω̃(v)
//	(3)  ‖θ‖² − ‖β‖²/z²
//	(4)  (‖β‖² − v²)/z²
//
// Each is therefore at most δ, and holds a part of MMᵀ = I + (z²−1)u₁u₁ᵀ + Σ (σⱼ²−1)uⱼuⱼᵀ in place.

// Spread bounds ‖MMᵀ − M̂M̂ᵀ‖_F for a feasible M whose objective is at most excess above the optimum. It is of order
// √excess, and +Inf where the excess is too large for the argument.
func (s Stretch) Spread(excess float64) float64 {
	tau, rest, ok := s.logSpread(excess)
	if !ok {
		return math.Inf(1)
	}
	size, v := s.Size(), s.Norm
	// (3) is Σ(1−σⱼ²/z²)θⱼ² in the right singular vectors: the part of β off u₁ is at most σ₂z·√(δ/(z²−σ₂²)).
	first, second := size*math.Exp(-tau), 1+rest
	sine := 1.0
	if first > second {
		sine = first * second * math.Sqrt(excess/((first-second)*(first+second))) / v
	}
	// (4): Φ(β−β̂) = 0 and β̂ is orthogonal to the null space, so β is at most Drift away from β̂.
	sine += s.Drift(excess) / v
	amplified := s.Amplification()
	return amplified*math.Expm1(2*tau) + // |z²−s²|
		(amplified-1)*math.Sqrt2*min(1, sine) + // (s²−1)·‖u₁u₁ᵀ−uuᵀ‖
		rest*(2+rest) // the other singular values
}

// Drift bounds ‖Mθ − β̂‖ for the same near-solution, by z·√excess. The predictor at x moves by at most ‖φ(x)‖ times
// that.
func (s Stretch) Drift(excess float64) float64 {
	tau, _, ok := s.logSpread(excess)
	if !ok {
		return math.Inf(1)
	}
	return s.Size() * math.Exp(tau) * math.Sqrt(excess)
}

// logSpread bounds |ln z − ln s| by tau and the root of Σ(σⱼ−1)² over j ≥ 2 by rest.
//
// In t = ln z, (2) is convex for every family of this package, and v²e^(−2t) alone gives it the second derivative
// 4v²e^(−2t), which is at least (4/e)·v²/s² within ½ of ln s. Hence δ ≥ (2/e)(v²/s²)τ², which pins τ as soon as the
// bound stays below ½. By (1), Factor·Σ(σⱼ−1)² ≤ δ, because no family lies below (z−1)² where it is at most 0.1.
func (s Stretch) logSpread(excess float64) (tau, rest float64, ok bool) {
	tau = math.Sqrt(math.E * excess / (2 * s.Cost()))
	ok = s.Valid() == nil && excess >= 0 && tau <= 0.5 && excess <= 0.1*s.Factor
	return tau, math.Sqrt(excess / s.Factor), ok
}

// Stationary is a point of the training objective with θ eliminated, Σ ω(σⱼ(M)) + yᵀK_M⁻¹y, at which its gradient G
// in M is small.
type Stationary struct {
	Gradient float64 // ‖G‖_F
	Largest  float64 // σ₁(M)
	Cost     float64 // ‖θ‖², θ the shortest interpolating parameters
	Dim      int     // p
}

// Stability bounds how far a pair is from the solutions.
type Stability struct {
	Moment float64 // ‖MMᵀ − M̂M̂ᵀ‖_F
	Drift  float64 // ‖Mθ − β̂‖
	Cost   float64 // distance of the cost from ω̃(v)
}

// Near bounds the distance of a nearly stationary point from the solutions, by a multiple of its gradient: where
// zω'(z) does not fall for z ≥ 1, as for every family of this package, all stationary points are solutions. All
// bounds are +Inf where the gradient is too large for the argument.
//
// With q = ΦᵀK⁻¹y, θ = Mᵀq, β = Mθ and τ = ‖θ‖² = qᵀβ the gradient is G = U·diag(ω'(σⱼ))·Vᵀ − 2qθᵀ, so
//
//	U·diag(dⱼ)·Uᵀ = 2qβᵀ + GMᵀ,  dⱼ = σⱼω'(σⱼ),  ‖GMᵀ‖ ≤ η = ‖G‖σ₁.
//
// The left side is symmetric: ‖qβᵀ − βqᵀ‖ ≤ η, and the angle α between q and β has tan α ≤ η/(√2τ). β̂ is the
// projection of β on the row space of Φ, in which q lies: ‖β−β̂‖ ≤ v·tan α. Replacing q by its part along b = β/‖β‖
// adds √2η:
//
//	‖U·diag(dⱼ)·Uᵀ − 2τbbᵀ‖ ≤ ρ = (1+√2)η.
//
// So one d is within ρ of 2τ, and the others add up to at most ρ in norm (Mirsky). Near z = 1 |zω'(z)| ≥
// Factor·|z−1|, and elsewhere either |zω'(z)| or −ω'(z) ≤ ‖G‖ would be too large, so the other σⱼ are within ρ/Factor
// of 1. The first singular vector is within the angle φ, sin φ ≤ ρ/(2τ−ρ), of b. Its z satisfies zω'(z) = 2v²/z² up
// to
//
//	ρ' = ρ + 8‖β‖²sin²φ + 2v²tan²α,
//
// from d, from τ = βᵀ(MMᵀ)⁻¹β with σⱼ ≥ ½, and from ‖β‖. As zω'(z) does not fall, 2v²|1/z² − 1/s²| ≤ ρ'.
//
// The absolute penalty is taken to be minimised with its kink rounded off to a parabola, up to some |z−1| ≤ ½ that is
// less than s−1: it has the same s and the same solutions. Where s = 1, the kink holds solutions to rounding.
func (s Stretch) Near(p Stationary) Stability {
	if s.Family == Absolute && s.Excess() == 0 {
		return Stability{}
	}
	v, tau := s.Norm, p.Cost
	eta := p.Gradient * p.Largest
	rho := (1 + math.Sqrt2) * eta
	tan, sin := eta/(math.Sqrt2*tau), rho/(2*tau-rho)
	wide := v * v * (1 + tan*tan) // ‖β‖² at most
	off := rho + 8*wide*sin*sin + 2*v*v*tan*tan
	x := off / (2 * s.Cost())
	if s.Valid() != nil || !(rho <= s.Factor/2 && rho <= tau/2 && x <= 0.5) {
		return Stability{math.Inf(1), math.Inf(1), math.Inf(1)}
	}
	rest, amplified := rho/s.Factor, s.Amplification()
	return Stability{
		Moment: amplified*x/(1-x) + // |z²−s²|
			(amplified-1)*math.Sqrt2*(sin+tan) + // (s²−1)·‖u₁u₁ᵀ−uuᵀ‖
			rest*(2+rest), // the other singular values
		Drift: v * tan,
		Cost:  off*(1+x) + 2*s.Factor*rest*math.Sqrt(float64(p.Dim)), // no ω exceeds 2·Factor·|z−1| there
	}
}
