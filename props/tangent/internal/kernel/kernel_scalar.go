package kernel

import (
	"math"

	"pgregory.net/rapid"

	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// posed is the scalar problem whose closed forms the statement gives.
type posed func(theory.Stretch) theory.Stretch

// scalar is the scalar problem, min ω(z) + v²/z² over z ≥ 1, and its solution by brute force.
type scalar struct {
	V      float64
	Omega  theory.Family
	Factor float64

	Optimum  float64 // by golden section; NaN where the minimum is not attained
	Excess   float64 // s − 1, by bisecting the slope
	Twice    float64 // the cost of twice the stretch
	Attained bool
}

// drawScalar draws all that the prediction allows.
func drawScalar(t *props.T) scalar {
	in := scalar{Omega: rapid.SampledFrom(theory.Families).Draw(t.T, "ω"),
		Factor: gen.LogUniform(t.T, "factor", 1e-6, 1e6)}
	widest := 1e4 // most draws are of moderate size
	if gen.Dim(t.T, "range", 4) == 4 {
		widest = 1e97
	}
	in.V = math.Sqrt(in.Factor) * gen.LogUniform(t.T, "v/√κ", 1/widest, widest)
	return in.solved(penalties[in.Omega].Times(in.Factor))
}

// drawSaturating has the penalty 1 − 1/z², whatever is drawn.
func drawSaturating(t *props.T, v float64) scalar {
	drawScalar(t)
	return scalar{V: v, Omega: theory.Quadratic, Factor: 1}.solved(impl.Saturating)
}

// solved solves the problem by brute force.
func (in scalar) solved(penalty impl.Penalty) scalar {
	_, optimum, err := penalty.Minimum(in.V)
	in.Optimum, in.Attained, in.Excess = optimum, err == nil, penalty.Stationary(in.V)
	in.Twice = penalty.Value(2*in.Excess+1) + math.Pow(in.V/(2+2*in.Excess), 2)
	return in
}

// judgeScalar compares to within the rounding of both sides. A cost is computed with a relative error of about 10u, and
// with 100u where the logarithms of the product penalty, up to 10 for moderate draws and up to 250 for the others, are
// split; golden section picks a point whose cost is within twice that of the least; the closed form errs by some 20u.
// The equation for s−1 is at least linear in it, so relative errors do not grow. Where s−1 comes out of a cube root, it
// inherits the roundoff of s.
func judgeScalar(r *props.Record, in scalar, claimed posed) {
	s := theory.Stretch{Norm: in.V, Family: in.Omega, Factor: in.Factor}
	r.Regime(scalarRegime(s))
	logarithm := 1 + math.Abs(math.Log(in.V*in.V/in.Factor))
	relative := 16 * (8 + logarithm) * r.Unit()
	s = claimed(s)
	r.Holds("the minimum is attained", in.Attained)
	r.AtLeast("twice the stretch costs more", in.Twice, 1.000001*in.Optimum, relative*in.Twice)
	r.Within("effective penalty", in.Optimum, s.Optimum(), relative*s.Optimum())
	scale := s.Excess()
	if s.Family == theory.Absolute {
		scale = s.Size()
	}
	r.WithinScale("stretch, as s−1", in.Excess, s.Excess(), scale, relative*scale)
}

var scalarRegimes = []string{"quadratic, weak", "quadratic, strong", "absolute, weak", "absolute, strong",
	"product, weak", "product, strong", "log-det, weak", "log-det, strong"}

// scalarRegime is by the family, and by v² below half of the factor of the penalty, where the absolute one does not
// stretch.
func scalarRegime(s theory.Stretch) string {
	if 2*s.Norm*s.Norm <= s.Factor {
		return string(s.Family) + ", weak"
	}
	return string(s.Family) + ", strong"
}
