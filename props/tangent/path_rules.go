package tangent

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/nn"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

var pathRules = props.Drawn[ruled, ruleErrors]{
	Name:    "errors of the rules",
	Cases:   props.Scale{Quick: 40, Standard: 400, Deep: 20000},
	Regimes: []string{"one layer", "two layers", "deeper"},
	Draw:    drawRuled,
	Claim: ruleErrors{theory.PlainMeanError, theory.MidpointConstant,
		func(start, end float64) float64 { return -2 * theory.MidpointConstant(start, end) }},
	Judge: judgeRuled,
	Controls: []props.Wrong[ruled, ruleErrors]{
		{Name: "plain mean without error", Criterion: "plain mean, T times its error",
			Claim: func(c *ruleErrors) {
				c.plain = func(start, end, change, trapezoid float64, points int) float64 { return 0 }
			}},
		{Name: "the same constant for both rules", Criterion: "trapezoid, leading constant",
			Claim: func(c *ruleErrors) { c.trapezoid = c.midpoint }},
		{Name: "1/12 for the midpoint rule", Criterion: "midpoint, leading constant",
			Claim: func(c *ruleErrors) {
				c.midpoint = func(start, end float64) float64 { return 2 * theory.MidpointConstant(start, end) }
			}},
	},
	Coarse: map[string]string{"midpoint, leading constant": "extrapolated from numbers of nodes",
		"trapezoid, leading constant": "extrapolated from numbers of nodes"},
	Proven: map[string]string{"plain mean, T times its error": "an identity in the values of g, which both sides " +
		"share; every rounding of the two sums is counted"},
	Replicates: 3,
}

// ruleErrors are the errors of the rules by the statement: of the plain mean, and the leading constants of the others.
type ruleErrors struct {
	plain               func(start, end, change, trapezoid float64, points int) float64
	midpoint, trapezoid func(slopeAtStart, slopeAtEnd float64) float64
}

// ruled is what rules make of the derivative g along a path at one input. The constants are extrapolated from n² times
// the errors at 64 and 128 intervals; the slopes are known to what doubling the width of the differences changes, the
// constants to what halving both numbers of intervals does.
type ruled struct {
	Layers             int
	Ends, Slopes       [2]float64 // of g at 0 and 1
	SlopesOff          float64
	Change             float64
	Plain, Trapezoid   float64 // errors with 64 points
	Mid, Trap          float64
	MidOff, TrapOff    float64
	Scale              float64 // of g and its derivatives
	MeanSize, Gradient float64 // mean |g| at the 64 points, the largest ‖∇f‖‖step‖
	Outputs            float64 // their size before cancellation
}

func drawRuled(t *props.T) ruled {
	r := t.Stream("entries")
	entries := func(rows, cols int) *mat.Dense { return gen.Gaussian(r, rows, cols, 0.7/math.Sqrt(float64(cols))) }
	p := impl.Path{Start: drawNet(t, r, 4, []nn.Activation{nn.Tanh, nn.Sigmoid, nn.Softplus}, entries)}
	p.End = like(p.Start, entries)
	_, d := p.Start[0].W.Dims()
	x := gen.Gaussian(r, 1, d, 1)
	step := p.Step()
	in := ruled{Layers: len(p.Start), Change: p.Change(x)[0], Outputs: outputSize(p, x.RawRowView(0))}
	g := func(at float64) float64 {
		features := impl.NetFeatures(p.At(at), x).RawRowView(0)
		in.Gradient = max(in.Gradient, floats.Norm(features, 2)*floats.Norm(step, 2))
		return floats.Dot(features, step)
	}
	in.slopes(g)
	in.errors(g)
	in.Scale = math.Abs(in.Ends[0]) + math.Abs(in.Ends[1]) + math.Abs(in.Slopes[0]) + math.Abs(in.Slopes[1]) +
		math.Abs(in.Change)
	return in
}

// slopeStep is the step of the differences, rulePoints the number of points of the plain mean.
const slopeStep, rulePoints = 1e-3, 64

// slopes takes central differences of fourth order: the path goes on beyond its ends.
func (in *ruled) slopes(g func(float64) float64) {
	for i, at := range []float64{0, 1} {
		slope := func(h float64) float64 { return (8*(g(at+h)-g(at-h)) - g(at+2*h) + g(at-2*h)) / (12 * h) }
		in.Ends[i], in.Slopes[i] = g(at), slope(slopeStep)
		in.SlopesOff += math.Abs(slope(2*slopeStep) - in.Slopes[i])
	}
}

// errors are those of the rules.
func (in *ruled) errors(g func(float64) float64) {
	along := func(rule impl.Rule) float64 {
		sum := 0.0
		for k, node := range rule.Nodes {
			sum += rule.Weights[k] * g(node)
		}
		return sum
	}
	for _, node := range impl.PlainMean(rulePoints).Nodes {
		in.MeanSize += math.Abs(g(node)) / rulePoints
	}
	in.Plain, in.Trapezoid = along(impl.PlainMean(rulePoints))-in.Change, along(impl.Trapezoid(rulePoints))-in.Change
	constant := func(rule func(n int) impl.Rule) (value, off float64) {
		var squares [3]float64 // n² times the error
		for i, n := range []int{rulePoints / 2, rulePoints, 2 * rulePoints} {
			squares[i] = float64(n*n) * (along(rule(n)) - in.Change)
		}
		value = (4*squares[2] - squares[1]) / 3
		return value, math.Abs(value - (4*squares[1]-squares[0])/3)
	}
	in.Mid, in.MidOff = constant(impl.Midpoint)
	in.Trap, in.TrapOff = constant(func(n int) impl.Rule { return impl.Trapezoid(n + 1) })
}

// judgeRuled: the plain mean is an identity in g. Sums of T terms err by (T+2)u times the sum of their sizes, weights
// included, which is at most T/(T−1) times the mean of |g|; both are multiplied by T at most, and eight further
// operations err by a rounding of the terms.
//
// n² times the error of a rule is c₂ + c₄/n² + c₆/n⁴ + …: extrapolation from n and 2n leaves −c₆/4n⁴, and from n/2 and
// n sixteen times that, so that the two differ by fifteen times what is left. Likewise a slope errs by g⁽⁵⁾h⁴/30, and
// the one of twice the width by sixteen times that. A value of g errs by 100 roundings of ‖∇f‖‖step‖, and outputs by
// as many of what they are before cancellation, as in the change along the path: (4·4n² + n²)/3 times that in the
// constant, and 18/12h times in each slope, of which a 24th and a 12th counts.
func judgeRuled(r *props.Record, in ruled, c ruleErrors) {
	r.Regime(depthRegime(in.Layers))
	plain := c.plain(in.Ends[0], in.Ends[1], in.Change, in.Trapezoid, rulePoints)
	size := in.MeanSize + math.Abs(in.Change) + math.Abs(in.Ends[0]) + math.Abs(in.Ends[1])
	r.WithinScale("plain mean, T times its error", rulePoints*in.Plain, plain, in.Scale,
		rulePoints*(2*(rulePoints+2)*rulePoints/(rulePoints-1.)+8)*r.Unit()*size)
	noise := 100 * r.Unit() * (in.Gradient + in.Outputs) * (17./3*rulePoints*rulePoints + 2*1.5/slopeStep/12)
	r.WithinScale("midpoint, leading constant", in.Mid, c.midpoint(in.Slopes[0], in.Slopes[1]), in.Scale,
		in.MidOff+in.SlopesOff/24+noise)
	r.WithinScale("trapezoid, leading constant", in.Trap, c.trapezoid(in.Slopes[0], in.Slopes[1]), in.Scale,
		in.TrapOff+in.SlopesOff/12+noise)
}
