package tangent

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// scalarCell is one family and the number of a draw; draw 0 is the curve of the figure, with Factor 1.
type scalarCell struct {
	Family theory.Family
	Draw   int
}

// scalarPoint is the scalar problem solved by brute force.
type scalarPoint struct {
	stretch theory.Stretch
	optimum float64 // by golden section
	excess  float64 // s − 1, by bisecting the slope
}

// scalarProblem holds the closed forms of s and ω̃ against brute force on min ω(z) + v²/z² over z ≥ 1.
func scalarProblem(v trial) props.LegacyCheck {
	return props.LegacySweep[scalarCell, []scalarPoint]{
		Name:  "the scalar problem by brute force",
		Share: "scalar problem",
		Cells: func(e props.Effort) []scalarCell {
			var cells []scalarCell
			draws := props.Scale{Quick: 9, Standard: 25, Deep: 2001}.At(e)
			for _, family := range theory.Families {
				for draw := range draws {
					cells = append(cells, scalarCell{family, draw})
				}
			}
			return cells
		},
		Measure: measureScalar,
		Judge:   v.judgeScalar,
	}.Check()
}

func measureScalar(t *props.Trial, c scalarCell) []scalarPoint {
	var points []scalarPoint
	for k := range 50 {
		s := theory.Stretch{Norm: 0.1 * float64(k+1), Family: c.Family, Factor: 1}
		if c.Draw > 0 {
			s.Norm, s.Factor = between(t.Rand, 1e-4, 1e4), between(t.Rand, 0.1, 10)
		}
		penalty := penalties[c.Family].Times(s.Factor)
		_, optimum, err := penalty.Least(s.Norm)
		if err != nil {
			optimum = math.NaN()
		}
		points = append(points, scalarPoint{s, optimum, penalty.Stationary(s.Norm)})
	}
	return points
}

// judgeScalar compares to within the rounding of both sides. A cost is computed with a relative error of about 10u, and
// with 100u where the logarithms of the product penalty, up to 10, are split; golden section picks a point whose cost is
// within twice that of the least; the closed form errs by some 20u. The equation for s−1 is at least linear in it, so
// relative errors do not grow. Where s−1 comes out of a cube root, it inherits the roundoff of s.
func (v trial) judgeScalar(cells []scalarCell, measured [][]scalarPoint) props.Judgement {
	const relative = 256 * unit
	j := props.Judgement{}
	value, excess := props.Ratio{}, props.Ratio{}
	for _, points := range measured {
		for _, p := range points {
			s := p.stretch
			if v.rootNorm {
				s.Norm = math.Sqrt(s.Norm)
			}
			claimed, e := s.Optimum()*(1+v.dose), s.Excess()*(1+v.stretchDose)
			atValue := props.Within(p.optimum-claimed, relative*s.Optimum())
			slack := relative * s.Excess()
			if s.Family == theory.Absolute {
				slack += relative * s.Size()
			}
			atExcess := props.Within(p.excess-e, slack)
			if j.Counterexample == "" && props.Worst(atValue, atExcess).Verdict() != props.Holds {
				j.Counterexample = fmt.Sprintf("%s penalty times %.6g, v = %.6g: optimum %.17g, claimed %.17g; s−1 = %.17g, claimed %.17g",
					s.Family, s.Factor, p.stretch.Norm, p.optimum, claimed, p.excess, e)
			}
			value, excess = props.Worst(value, atValue), props.Worst(excess, atExcess)
		}
	}
	j.Parts = []props.Part{{Name: "effective penalty", Ratio: value}, {Name: "stretch", Ratio: excess}}
	j.Figures = []props.Figure{effectivePenalties(cells, measured)}
	return j
}

// effectivePenalties draws ω̃ for each family: brute force as points, the closed form as a line.
func effectivePenalties(cells []scalarCell, measured [][]scalarPoint) props.Figure {
	f := props.Figure{
		ID:    "effective-penalties",
		Title: "Effective penalties",
		Caption: "Effective penalty ω̃(v) against the length v of the interpolant, from 0.1 to 5. Brute-force minima lie on the closed forms. All " +
			"curves start as v², drawn dashed, and then fall far below it: the quadratic penalty grows linearly in the end, the absolute one as the " +
			"power 2/3 and their product convolution as the power 1/2. The absolute penalty is exactly v² up to v = 0.707, and the product " +
			"penalty follows the quadratic one up to v = 0.966.",
		X: props.Axis{Label: "v = ‖β̂‖"}, Y: props.Axis{Label: "ω̃(v)"},
	}
	var squareX, squareY []float64
	for i, c := range cells {
		if c.Draw > 0 {
			continue
		}
		points := props.Curve{Name: string(c.Family) + ", brute force", Style: props.Points}
		line := props.Curve{Name: string(c.Family) + ", closed form", Style: props.Line}
		for k, p := range measured[i] {
			line.X, line.Y = append(line.X, p.stretch.Norm), append(line.Y, p.stretch.Optimum())
			if k%5 == 4 {
				points.X, points.Y = append(points.X, p.stretch.Norm), append(points.Y, p.optimum)
			}
			if v := p.stretch.Norm; i == 0 && v <= 2.5 {
				squareX, squareY = append(squareX, v), append(squareY, v*v)
			}
		}
		f.Curves = append(f.Curves, points, line)
	}
	f.Curves = append(f.Curves, props.Curve{Name: "v²", Style: props.Dashed, X: squareX, Y: squareY})
	return f
}
