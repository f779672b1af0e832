package onestep

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// rung is what one network of a ladder leaves behind.
type rung struct {
	n, d, width int
	operator    [rankOne + 1]float64 // ‖R‖_op for each thing that is taken for R
	frobenius   float64              // ‖R‖_F
	energy      float64              // ‖a‖²·mean y², which the limit of ‖R‖_F² is proportional to
	lengthOfA   float64              // ‖a‖
}

// rungs are the sizes of a ladder.
var rungs = props.Ladder{
	Quick:    []int{64, 128, 256, 512},
	Standard: []int{100, 200, 400, 800},
	Deep:     []int{200, 400, 800, 1600, 3200},
}

// remainders measures the remainder along a ladder of sizes: its exponent in operator norm, its limit in Frobenius
// norm, and the constant that the literal scaling leaves.
func remainders(v spikeTrial) props.LegacyCheck {
	return props.LegacySweep[cell, []rung]{
		Name: "remainder of the gradient",
		Cells: func(e props.Effort) []cell {
			return replicated(props.Scale{Quick: 11, Standard: 11, Deep: 20}.At(e), spikeNames...)
		},
		Measure:    func(t *props.Trial, c cell) []rung { return climb(t, spikeBy[c.Setup]) },
		Judge:      func(cells []cell, ladders [][]rung) props.Judgement { return judgeRemainders(v, cells, ladders) },
		Share:      "remainder",
		Replicates: 3,
	}.Check()
}

// climb draws an independent network for each size.
func climb(t *props.Trial, s setup) []rung {
	var ladder []rung
	for _, n := range rungs.At(t.Effort) {
		sm := s.draw(t.Rand, n)
		other := s.draw(t.Rand, n).beta
		ladder = append(ladder, s.measure(t, sm, other))
	}
	return ladder
}

// measure splits the gradient into its spike and the rest. The pull of the residual is linear, so the two scalings of
// the output share their two products with X.
func (s setup) measure(t *props.Trial, sm sample, other []float64) rung {
	c1, width := s.closed.Coefficient(1), len(sm.a)
	layer := features.NewLayer(sm.x, sm.w, sm.a, s.act)
	var remainder, literalRemainder mat.Dense
	ofOutput := layer.Pull(layer.Output())
	remainder.RankOne(layer.Pull(sm.y), -c1, mat.NewVecDense(width, sm.a), mat.NewVecDense(len(sm.beta), sm.beta))
	literalRemainder.Sub(&remainder, ofOutput)
	ofOutput.Scale(1/math.Sqrt(float64(width)), ofOutput)
	remainder.Sub(&remainder, ofOutput)

	swap := make([]float64, len(sm.beta)) // β − β′
	floats.SubTo(swap, sm.beta, other)
	op := linalg.Matrix(&remainder)
	r := rung{
		n: len(sm.y), d: len(sm.beta), width: width,
		frobenius: mat.Norm(&remainder, 2),
		energy:    floats.Dot(sm.a, sm.a) * floats.Dot(sm.y, sm.y) / float64(len(sm.y)),
		lengthOfA: floats.Norm(sm.a, 2),
	}
	r.operator[meanField] = norm(op, t.Rand)
	r.operator[literal] = norm(linalg.Matrix(&literalRemainder), t.Rand)
	r.operator[foreign] = norm(linalg.Updated(op, c1, sm.a, swap), t.Rand)
	r.operator[doubled] = norm(linalg.Updated(op, -c1, sm.a, sm.beta), t.Rand)
	return r
}

// size is the remainder that the trial sees, in the norm that it speaks of.
func (r rung) size(what seen) float64 {
	if what == frobenius {
		return r.frobenius
	}
	return r.operator[what]
}

// unit is what the exponent is measured in units of: something of the same sample that tends to a constant, so that
// common fluctuations cancel. For operator norms that is ‖R‖_F, for ‖R‖_F its limit.
func (r rung) unit(s theory.Step, v spikeTrial) float64 {
	if v.seen == frobenius {
		return r.limit(s, v)
	}
	return r.frobenius
}

// limit is s with the sample's own ‖a‖² and mean y² in place of their limits 1 and E y², whose fluctuations say nothing
// about the remainder.
func (r rung) limit(s theory.Step, v spikeTrial) float64 {
	square := s.Remainder()
	if v.noPhi {
		square /= s.Phi
	}
	return math.Sqrt(square * r.energy / s.Energy)
}

func judgeRemainders(v spikeTrial, cells []cell, ladders [][]rung) props.Judgement {
	var j props.Judgement
	if v.seen != rankOne { // of which nothing is left, and nothing has no exponent
		p, f := judgeExponent(v, cells, ladders)
		j.Parts, j.Facts = append(j.Parts, p), append(j.Facts, f)
	}
	if v.seen != meanField && v.seen != rankOne {
		j.Counterexample = explain(v.seen, cells, ladders)
		return j
	}
	var frobenius, constants []float64
	var ofFrobenius, ofConstants tolerance
	for i, c := range cells {
		s, top := spikeBy[c.Setup].step(), ladders[i][len(ladders[i])-1]
		observed := top.frobenius
		if v.seen == rankOne {
			observed = 0
		}
		frobenius = append(frobenius, math.Pow(observed/top.limit(s, v), 2))
		constants = append(constants, top.operator[literal]/(s.LiteralRemainder()*math.Pow(top.lengthOfA, 2)))
		ofFrobenius.add(frobeniusSpread(s, top))
		ofConstants.add(literalSpread(s, top))
	}
	p, f := part("‖R‖_F² over its limit", frobenius, 1+v.dose, ofFrobenius.zone())
	q, g := part("‖R‖_op in the literal scaling over its limit", constants, 1, ofConstants.zone())
	j.Parts, j.Facts = append(j.Parts, p, q), append(j.Facts, f, g)
	j.Figures = []props.Figure{remainderFigure(cells, ladders)}
	return j
}

// judgeExponent holds the slope of log ‖R‖_op over log n against −1/2. The claim leaves a power of log N between 0 and
// 1/2 to ‖R‖_op, of which 1/4 is divided out. What is left moves a slope by 1/(4 log N) at most; the zone is twice that,
// so that half of it is for the interval.
func judgeExponent(v spikeTrial, cells []cell, ladders [][]rung) (props.Part, props.Fact) {
	var slopes []float64
	smallest := math.Inf(1)
	for i, c := range cells {
		s, ladder := spikeBy[c.Setup].step(), ladders[i]
		smallest = min(smallest, float64(ladder[0].width))
		slopes = append(slopes, exponent(
			column(ladder, func(r rung) float64 { return float64(r.n) }),
			column(ladder, func(r rung) float64 {
				return r.size(v.seen) / r.unit(s, v) / math.Pow(math.Log(float64(r.width)), 0.25)
			})))
	}
	return part("exponent of n in "+nameOf[v.seen]+", logarithm divided out", slopes,
		theory.RemainderExponent+v.exponentDose, 1/(2*math.Log(smallest)))
}

// frobeniusSpread returns the standard deviation of ‖R‖_F² in units of its limit, and a bound of its bias. Row j is
// a_j·(1/n)Σᵢ yᵢmⱼᵢxᵢ with m = σ′ − c₁. What does not cancel against the units is the mean of |xᵢ|²/d with weights yᵢ²
// (variance 2/d, n terms of kurtosis 3) and that of the rows' squared lengths with weights a_j² (variance 2/d, N terms
// of kurtosis 3): 6/(dn) + 6/(dN), and twice the root of it because the rows share their samples. The limit leaves out
//
//	2c⋆₁²/(d E y²)              the correlation of |x|² with y²
//	2(1 + c⋆₁²/E y²)/d          that of |x|² and y² with m²; E m²(z²−1) is less than 2 E m² here
//	(6c₃c⋆₁)²/(d s²)            the mean of y m x, c⋆₁(β⋆ᵀw)E σ‴ w with E(β⋆ᵀw)² = 1/d
//	(φ E σ² E σ′² + c₁⁴)/(N s²) the output N^(−1/2)f
func frobeniusSpread(s theory.Step, r rung) (sd, bias float64) {
	d, width, s2 := float64(r.d), float64(r.width), s.Remainder()
	share, c := s.Linear*s.Linear/s.Energy, s.Activation.Coefficient
	bias = (2*share+2*(1+share))/d + math.Pow(6*c(3)*s.Linear, 2)/(d*s2) +
		(s.Phi*s.Activation.Energy*s.Activation.SlopeEnergy+math.Pow(c(1), 4))/(width*s2)
	return 2 * math.Sqrt(6/d*(1/float64(r.n)+1/width)), bias
}

// literalSpread returns the same for ‖R‖_op in the literal scaling. The spike there is c₁aqᵀ with q = Xᵀf/n, where f is a
// teacher with linear part c₁W₀ᵀa; |q|² scatters as |β|² does, and |W₀ᵀa|² by √(2/d) of itself. What is left of the
// gradient has Frobenius norm s̃, s̃² = φ(E y² + E σ²)(E σ′² − c₁²), and lengthens a spike of length θ by
// s̃²(3/N + 1/d)/(2θ²): its row and column in the direction of the spike add to it in quadrature.
func literalSpread(s theory.Step, r rung) (sd, bias float64) {
	c := s.Activation.Coefficient(1)
	q := theory.Step{Phi: s.Phi, Psi: s.Psi, Activation: s.Activation, Linear: c, Energy: s.Activation.Energy}
	length := math.Pow(q.Length(), 2)
	weights := c * c * math.Sqrt(2/float64(r.d)) / (2 * length)
	rest := q.Remainder() + s.Remainder()
	return math.Hypot(lengthSpread(q, r.n)/2, weights),
		rest * (3/float64(r.width) + 1/float64(r.d)) / (2 * math.Pow(s.LiteralRemainder(), 2))
}

// nameOf says what a trial takes for the remainder.
var nameOf = map[seen]string{
	meanField: "‖R‖_op", literal: "‖R‖_op with the output aᵀσ(W₀x)", foreign: "‖G − c₁aβ′ᵀ‖_op", doubled: "‖G − 2c₁aβᵀ‖_op",
	frobenius: "‖R‖_F",
}

// explain shows the ladder of one setup to the reader of a refuted form.
func explain(what seen, cells []cell, ladders [][]rung) string {
	text := ""
	for i, c := range cells {
		if c.Index > 0 {
			continue
		}
		text += fmt.Sprintf("%s, %s:", nameOf[what], c.Setup)
		for _, r := range ladders[i] {
			text += fmt.Sprintf(" %.4g (n = %d)", r.size(what), r.n)
		}
		s := spikeBy[c.Setup].step()
		switch what {
		case literal:
			text += fmt.Sprintf("; limit %.4g\n", s.LiteralRemainder())
		case frobenius:
			text += fmt.Sprintf("; limit %.4g\n", math.Sqrt(s.Remainder()))
		default:
			text += "\n"
		}
	}
	return text
}

// remainderFigure shows one setup: means over its ladders, with one standard deviation.
func remainderFigure(cells []cell, ladders [][]rung) props.Figure {
	const shown = "sincos"
	s := spikeBy[shown].step()
	var mine [][]rung
	for i, c := range cells {
		if c.Setup == shown {
			mine = append(mine, ladders[i])
		}
	}
	n := column(mine[0], func(r rung) float64 { return float64(r.n) })
	curve := func(name string, what seen) props.Curve {
		mean, lo, hi := meanAndSpread(column(mine, func(ladder []rung) []float64 { return column(ladder, func(r rung) float64 { return r.size(what) }) }))
		return props.Curve{Name: name, Style: props.Points, X: n, Y: mean, Lo: lo, Hi: hi}
	}
	operator := curve("operator norm, mean-field output", meanField)
	decay := column(n, func(x float64) float64 {
		width := x * s.Phi / s.Psi
		first := n[0] * s.Phi / s.Psi
		return operator.Y[0] * math.Sqrt(n[0]/x*math.Log(width)/math.Log(first))
	})
	level := func(y float64) []float64 { return column(n, func(float64) float64 { return y }) }
	return props.Figure{
		ID:    "remainder",
		Title: "What the rank-one part leaves of the gradient",
		Caption: fmt.Sprintf("Remainder of the gradient of networks with σ = √e(sin z + cos z) − 1 against the number of samples, on logarithmic axes; "+
			"points are means with one standard deviation. In operator norm it falls along √(log N/n). Its Frobenius norm stays at the predicted %.3f. "+
			"With the output as printed, aᵀσ(W₀x), the operator norm stays as well, at the predicted %.3f.", math.Sqrt(s.Remainder()), s.LiteralRemainder()),
		X: props.Axis{Label: "samples n", Log: true}, Y: props.Axis{Label: "norm of the remainder", Log: true},
		Curves: []props.Curve{
			operator, {Name: "√(log N/n)", Style: props.Dashed, X: n, Y: decay},
			curve("Frobenius norm, mean-field output", frobenius), {Name: "limit s", Style: props.Dashed, X: n, Y: level(math.Sqrt(s.Remainder()))},
			curve("operator norm, literal output", literal), {Name: "limit |c₁|√(c₁² + φ E σ²)", Style: props.Dashed, X: n, Y: level(s.LiteralRemainder())},
		},
	}
}
