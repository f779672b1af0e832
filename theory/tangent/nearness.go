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
	least, second := size*math.Exp(-tau), 1+rest
	sine := 1.0
	if least > second {
		sine = least * second * math.Sqrt(excess/((least-second)*(least+second))) / v
	}
	// (4): Φ(β−β̂) = 0 and β̂ is orthogonal to the null space, so β is at most Drift away from β̂.
	sine += s.Drift(excess) / v
	amplified := s.Amplification()
	return amplified*math.Expm1(2*tau) + // |z²−s²|
		(amplified-1)*math.Sqrt2*min(1, sine) + // (s²−1)·‖u₁u₁ᵀ−uuᵀ‖
		rest*(2+rest) // the other singular values
}

// Drift bounds ‖Mθ − β̂‖ for the same near-solution, by z·√excess. The predictor at x moves by at most ‖φ(x)‖ times that.
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
