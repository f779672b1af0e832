package hessian

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/latent"
)

var projected = props.Drawn[shadow, projectedClaim]{
	Name:    "remainder within the subspace",
	Cases:   props.Scale{Quick: 30, Standard: 200, Deep: 5000},
	Regimes: []string{"r < d", "r = d"},
	Draw:    func(t *props.T) shadow { return drawShadow(t, inPair) },
	Claim:   projectedClaim{theory.Isotropic.Projected},
	Judge:   judgeShadow,
	Controls: []props.Wrong[shadow, projectedClaim]{
		{Name: "linear part kept, within the subspace", Assumption: "centred",
			Draw: func(t *props.T) shadow { return drawShadow(t, withLinearPart) }, Cases: 10},
		{Name: "bias 1, within the subspace", Assumption: "no-bias",
			Draw: func(t *props.T) shadow { return drawShadow(t, withBias) }, Cases: 10},
		{Name: "all of the remainder",
			Claim: func(c *projectedClaim) { c.length = theory.Isotropic.Remainder }},
		{Name: "root mean square in place of the mean",
			Claim: func(c *projectedClaim) { c.length = projectedRoot }},
		{Name: "r/d^(3/2)", Claim: func(c *projectedClaim) {
			c.length = func(t theory.Isotropic) float64 { return float64(t.R) / math.Pow(float64(t.D), 1.5) }
		}},
	},
	Replicates: 2,
}

// projectedClaim is E‖Π⋆R‖.
type projectedClaim struct {
	length func(theory.Isotropic) float64
}

// projectedRoot is √(E‖Π⋆R‖²), from E ρ⁶ = r(r+2)(r+4)/(d(d+2)(d+4)).
func projectedRoot(t theory.Isotropic) float64 {
	d, r := float64(t.D), float64(t.R)
	return math.Sqrt((r + 2) * (r + 4) / (math.Pi * d * (d + 2) * (d + 4)))
}

// shadow is E‖Π⋆R‖ for the isotropic target, and a bound on its error.
type shadow struct {
	theory.Isotropic
	Length, Error float64
}

// drawShadow integrates over ρ = ‖Π⋆ŵ‖, whose density is proportional to ρ^(r−1)(1−ρ²)^((d−r)/2−1): a polynomial where
// d − r is even, and then Gauss-Legendre is exact.
func drawShadow(t *props.T, gradient gradientOf) shadow {
	s := shadow{Isotropic: theory.Isotropic{R: rapid.IntRange(1, 6).Draw(t.T, "r")}}
	half := rapid.IntRange(0, (40-s.R)/2).Draw(t.T, "(d−r)/2")
	s.D = s.R + 2*half
	nodes, weights := []float64{1}, []float64{1}
	if half > 0 {
		const count = 24 // exact up to degree 47
		nodes, weights = make([]float64, count), make([]float64, count)
		quad.Legendre{}.FixedLocations(nodes, weights, 0, 1)
	}
	f, r, mass := s.Target(), t.Stream("directions"), 0.0
	p := target.Monomials(f)
	for k, rho := range nodes {
		weight := weights[k] * math.Pow(rho, float64(s.R-1))
		if half > 0 {
			weight *= math.Pow((1-rho)*(1+rho), float64(half-1))
		}
		w := direction(r, target.Scaled(direction(r, nil, s.R), rho), s.D)
		g := gradient(p, 1, w)
		floats.Sub(g, theory.Leading(f, 1, w))
		of := theory.Series{Target: f, W: w}
		mass += weight
		s.Length += weight * floats.Norm(g[:s.R], 2)
		s.Error += weight * 2 * (target.Rounding(of, p, roundoff.Unit) + of.Rounding(roundoff.Unit))
	}
	s.Length /= mass
	s.Error /= mass
	return s
}

// judgeShadow allows what the gradients err by, and of the mean the roundings of nodes, powers and gamma functions.
func judgeShadow(r *props.Record, s shadow, c projectedClaim) {
	r.Regime("r < d")
	if s.R == s.D {
		r.Regime("r = d")
	}
	r.Within("E‖Π⋆R‖", s.Length, c.length(s.Isotropic), s.Error+float64(40*s.D+1000)*r.Unit()*s.Length)
}
