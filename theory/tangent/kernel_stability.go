package tangent

import "math"

// This file bounds how far a near-solution can be from the solutions. Let (θ, M) be feasible with an objective at most
// δ above ω̃(v), σⱼ the singular values of M in descending order, z = σ₁, uⱼ the left singular vectors, and β = Mθ.
// The excess δ is the sum of four terms, none of which is negative:
//
//	(1)  Σ over j ≥ 2 of ω(σⱼ)
//	(2)  ω(z) + v²/z² − ω̃(v)
//	(3)  ‖θ‖² − ‖β‖²/z²
//	(4)  (‖β‖² − v²)/z²
//
// Each is therefore at most δ, and constrains a part of MMᵀ = I + (z²−1)u₁u₁ᵀ + Σ (σⱼ²−1)uⱼuⱼᵀ. A pair can spend all of
// δ on one of them: to leading order, some penalty attains each bound below except the one on ln z. That one omits the
// curvature ω″ of ω in ln z and is √(1 + ω″/4q) times too wide, q = v²/s²: √1.5 for the absolute penalty.

// Deviation bounds the distance of a near-solution from the solutions. Every field is of order √δ, and +Inf where δ is
// too large for the argument.
type Deviation struct {
	Stretch float64 // |ln z − ln s|, from (2)
	Rest    float64 // the root of Σ(σⱼ−1)² over j ≥ 2, from (1)
	Turn    float64 // sine of the angle between u₁ and u, at most 1, from (3) and (4)
	Drift   float64 // ‖Mθ − β̂‖, from (4); the predictor at x moves by at most ‖φ(x)‖ times that
	Moment  float64 // ‖MMᵀ − M̂M̂ᵀ‖_F
}

// Spread bounds the deviation of a feasible pair whose objective is at most excess above the optimum.
//
// (2) In t = ln z the tangent of ω(eᵗ) at ln s lies below it, so δ is at least the height of v²e^(−2t) above its own
// tangent. Its second derivative is at least 4q·e^(−2τ) within τ of ln s, q = v²/s²: hence δ ≥ 2q·e^(−2τ)|ln z − ln
// s|², first with τ = ½, and then with the bound on |ln z − ln s| that this gives.
//
// (1) Factor·Σ(σⱼ−1)² ≤ δ, because no family lies below (z−1)² where it is at most 0.1.
//
// (3) is Σ(1−σⱼ²/z²)θⱼ² in the right singular vectors. The part of β off u₁ is Σ σⱼθⱼuⱼ, so it is at most a times the
// root of (3), 1/a² = 1/σ₂² − 1/z².
//
// (4) Φ(β−β̂) = 0 and β̂ is orthogonal to the null space, so β is at most z times the root of (4) away from β̂. With
// (3) the part of β̂ off u₁ is at most √(a²+z²)·√δ.
//
// The squared distance of the moments, see [Stretch.Apart], is a sum. Each part is at most its share of δ times the
// value that all of δ would give, so the largest of these values bounds the sum.
func (s Stretch) Spread(excess float64) Deviation {
	q := s.Cost()
	tau := math.Sqrt(math.E * excess / (2 * q))
	if s.Valid() != nil || !(excess >= 0 && tau <= 0.5 && excess <= 0.1*s.Factor) {
		inf := math.Inf(1)
		return Deviation{inf, inf, inf, inf, inf}
	}
	d := Deviation{Stretch: math.Sqrt(excess/(2*q)) * math.Exp(tau), Rest: math.Sqrt(excess / s.Factor)}
	lowest, largest, second := s.Size()*math.Exp(-d.Stretch), s.Size()*math.Exp(d.Stretch), 1+d.Rest
	turn := math.Inf(1)
	if lowest > second {
		off := lowest * second / math.Sqrt((lowest-second)*(lowest+second))
		turn = math.Hypot(off, largest) * math.Sqrt(excess) / s.Norm
	}
	d.Turn, d.Drift = min(1, turn), largest*math.Sqrt(excess)
	rest := d.Rest * (2 + d.Rest) // of σⱼ² − 1
	still := max(s.Apart(largest, 0, 0), s.Apart(s.Size(), rest, 0))
	turned := math.Sqrt(s.turned(largest, rest))
	d.Moment = math.Hypot(still, turned)
	if turn < 1 {
		d.Moment = min(d.Moment, max(still, turned*turn))
	}
	return d
}

// Apart bounds ‖MMᵀ − M̂M̂ᵀ‖_F for any M of largest singular value z, with rest the root of Σ(σⱼ²−1)² over the others,
// and sine the sine of the angle between u₁ and u. It is the norm of
//
//	(z²−s²)u₁u₁ᵀ + (s²−1)(u₁u₁ᵀ − uuᵀ) + Σ (σⱼ²−1)uⱼuⱼᵀ,
//
// where the first and the last term are orthogonal, and the middle one has the norm √2·sine times s²−1 and inner
// products of at most sine² times the norms of the others.
func (s Stretch) Apart(z, rest, sine float64) float64 {
	return math.Sqrt(math.Pow(s.changed(z), 2) + rest*rest + s.turned(z, rest)*sine*sine)
}

// changed returns z² − s².
func (s Stretch) changed(z float64) float64 { return (z - s.Size()) * (z + s.Size()) }

// turned bounds the squared distance of the moments that a rotation by a right angle adds.
func (s Stretch) turned(z, rest float64) float64 {
	grown := s.Excess() * (2 + s.Excess())
	return 2 * grown * (grown + math.Abs(s.changed(z)) + rest)
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
// less than s−1: it has the same s and the same solutions. Where s = 1, the kink holds solutions to rounding. Other
// singular values may then be set to 1, if that costs less. What changes is β, by its part off the row space: with
// t = sin φ + tan α ≥ sin∠(u₁, row space) and the others within r = ρ/Factor of 1, so that |σⱼ²−1|/σⱼ² ≤ 6r,
//
//	β = MMᵀq,  u₁ᵀq = u₁ᵀβ/z²,  D = ‖β−β̂‖ ≤ (v+D)t + 6r(vt+D),
//
// the first term from (z²−1)u₁u₁ᵀq, and the second from Σ(σⱼ²−1)/σⱼ²·uⱼuⱼᵀβ.
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
	rest, amplified, drift := rho/s.Factor, s.Amplification(), v*tan
	if s.Family == Absolute {
		t := sin + tan
		drift = math.Inf(1)
		if left := 1 - t - 6*rest; left > 0 {
			drift = v * t * (1 + 6*rest) / left
		}
	}
	return Stability{
		Moment: amplified*x/(1-x) + // |z²−s²|
			(amplified-1)*math.Sqrt2*(sin+tan) + // (s²−1)·‖u₁u₁ᵀ−uuᵀ‖
			rest*(2+rest), // the other singular values
		Drift: drift,
		Cost:  off*(1+x) + 2*s.Factor*rest*math.Sqrt(float64(p.Dim)), // no ω exceeds 2·Factor·|z−1| there
	}
}
