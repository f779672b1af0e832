package claims

import (
	"math"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

// modes is the path of a mode of a deep linear network.
var modes = props.Spec{
	Statement: &theory.Statement{
		Slug: "four/modes", Title: "A mode of a linear network grows as a logistic curve", Kind: theory.Identity,
		Plain:    "In a two-layer linear network, each mode of the data is learned along a logistic curve.",
		Standing: theory.Theorem, Setting: "Two linear layers, gradient flow on ½(s − ab)², a = b at the beginning.",
		Params: []theory.Param{
			{Name: "s", Symbol: "s", Meaning: "strength of the mode in the data", Domain: theory.Above(0), Default: "1"},
			{Name: "start", Symbol: "u₀", Meaning: "strength at the beginning", Domain: theory.Above(0), Default: "0.01"},
			{Name: "time", Symbol: "t", Meaning: "time", Domain: theory.AtLeast(0), Default: "3"},
		},
		Claim: "u = ab is s e^{2st}/(e^{2st} − 1 + s/u₀), and s − u falls as e^{−2st} in the end.",
		TeX:   `u(t) = \frac{s e^{2 s t}}{e^{2 s t} - 1 + s / u_0}`,
		Assumptions: []theory.Assumption{
			{ID: "two", Text: "there are two layers"},
			{ID: "balanced", Text: "a = b at the beginning"},
		},
		Source: theory.Source{Paper: "A. Saxe, J. McClelland, S. Ganguli: Exact solutions to the nonlinear dynamics of learning",
			ArXiv: "1312.6120", Version: "v3", Year: 2014, Locus: "Equation (8)"},
		Proof:     "u′ = 2u(s − u).",
		Tolerance: "Twice the distance that the path moves when the step is halved: the method is of first order.",
		Limits:    "s from 0.5 to 2.",
		Predict: func(v theory.Values) []theory.Quantity {
			return []theory.Quantity{{Name: "strength", Symbol: "u(t)", Value: logistic(v.Float("s"), v.Float("start"),
				2)(v.Float("time")), Meaning: "strength of the mode"}}
		},
	},
	Checks: []props.Check{props.Drawn[mode, modeClaim]{
		Name: "path", Cases: props.Scale{Quick: 40, Standard: 200, Deep: 2000},
		Draw:  func(t *props.T) mode { return drawMode(t).run(2, 1) },
		Claim: modeClaim{rate: 2},
		Judge: func(r *props.Record, in mode, c modeClaim) {
			p := props.Path{Times: in.times, Values: in.fine}
			moved := 0.0
			for i := range in.fine {
				moved = max(moved, math.Abs(in.fine[i]-in.coarse[i]))
			}
			r.Throughout("u", p, logistic(in.S, in.Start, c.rate), 2*moved)
			late := props.Path{Times: in.times[len(in.times)-5:]}
			for _, u := range in.fine[len(in.fine)-5:] {
				late.Values = append(late.Values, in.S-u)
			}
			r.Decays("s − u in the end", late, c.rate*in.S, 0.02*in.S) // u′ is 2s(s − u) up to a hundredth there
		},
		Controls: []props.Wrong[mode, modeClaim]{
			{Name: "three layers", Assumption: "two", Criterion: "u",
				Draw: func(t *props.T) mode { return drawMode(t).run(3, 1) }},
			{Name: "b = 3a at the beginning", Assumption: "balanced", Criterion: "u",
				Draw: func(t *props.T) mode { return drawMode(t).run(2, 3) }},
			{Name: "e^{st}", Criterion: "u", Claim: func(c *modeClaim) { c.rate = 1 }},
			{Name: "falls as e^{−st}", Criterion: "s − u in the end", As: "e^{st}"},
		},
		Coarse: map[string]string{"u": "Euler's method with a thousand steps",
			"s − u in the end": "where u is within a hundredth of s"},
	}},
}.Claim()

// modeClaim is the rate at which a mode grows, and its gap falls, in units of s.
type modeClaim struct{ rate float64 }

func logistic(s, start, rate float64) func(time float64) float64 {
	return func(t float64) float64 {
		grown := math.Exp(rate * s * t)
		return s * grown / (grown - 1 + s/start)
	}
}

// mode is the path of a mode, with two steps.
type mode struct {
	S, Start            float64
	times, fine, coarse []float64
}

func drawMode(t *props.T) mode {
	return mode{S: rapid.Float64Range(0.5, 2).Draw(t.T, "s"), Start: rapid.Float64Range(0.01, 0.1).Draw(t.T, "u₀")}
}

// run follows gradient descent of the given number of layers, the last one initially larger than the others by a
// factor.
func (in mode) run(layers int, ratio float64) mode {
	const steps, every = 1000, 50
	end := math.Log(in.S/in.Start)/in.S + 4/in.S
	follow := func(refine int) (times, values []float64) {
		weights := make([]float64, layers)
		for i := range weights {
			weights[i] = math.Pow(in.Start/ratio, 1/float64(layers))
		}
		weights[layers-1] *= ratio
		step := end / float64(steps*refine)
		for k := range steps*refine + 1 {
			product := 1.0
			for _, w := range weights {
				product *= w
			}
			if k%(every*refine) == 0 {
				times, values = append(times, float64(k)*step), append(values, product)
			}
			for i, w := range weights {
				weights[i] += step * (product / w) * (in.S - product)
			}
		}
		return times, values
	}
	_, in.coarse = follow(1)
	in.times, in.fine = follow(2)
	return in
}
