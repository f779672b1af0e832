package emergence

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/props"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// userDirection are a user's law and sample, or an error when they cost too much.
func userDirection(v values.Values) (theory.Direction, error) {
	d := theory.Direction{Samples: v.Int("n"), Rho: 1, Mixture: theory.Mixture{Dim: v.Int("D"), Count: v.Int("k"),
		Background: v.Float("background"), Uniform: v.Float("uniform")}}
	if float64(d.Samples)*float64(d.Mixture.Dim) > 5e7 || d.Mixture.Count > 15 {
		return d, fmt.Errorf("n=%d, D=%d, k=%d cannot be simulated: n·D is at most 5e7 and k at most 15", d.Samples,
			d.Mixture.Dim, d.Mixture.Count)
	}
	return d, nil
}

// measureCosines takes two steps at a user's parameters.
func measureCosines(t *props.Trial, v values.Values) (map[string]float64, error) {
	d, err := userDirection(v)
	if err != nil {
		return nil, err
	}
	a := sampledSteps(t.Rand, d, asStated)
	return map[string]float64{"first": 1 / math.Sqrt(1+a.First), "second": 1 / math.Sqrt(1+a.Second)}, nil
}

// drawCosines draws tan² of both steps against the number of samples up to a user's, and the law of the second.
func drawCosines(t *props.Trial, v values.Values) ([]props.Figure, error) {
	d, err := userDirection(v)
	if err != nil {
		return nil, err
	}
	first, second := props.Curve{Name: "first step", Style: props.Points}, props.Curve{Name: "second step",
		Style: props.Points}
	law := props.Curve{Name: "second step, predicted", Style: props.Dashed}
	for n := d.Samples; n >= max(1, d.Samples/64); n /= 2 {
		at := d
		at.Samples = n
		a, x := sampledSteps(t.Rand, at, asStated), float64(n)
		first.X, first.Y = append(first.X, x), append(first.Y, a.First)
		second.X, second.Y = append(second.X, x), append(second.Y, a.Second)
		law.X, law.Y = append(law.X, x), append(law.Y, at.Tan2())
	}
	return []props.Figure{{ID: "angles", Title: "Angle to the effective feature against the number of samples",
		Caption: "tan² of the angle of a neuron and the effective feature after one and two steps over so many fresh " +
			"samples each: one run at each number.",
		X: props.Axis{Label: "n", Log: true}, Y: props.Axis{Label: "tan²", Log: true},
		Curves: []props.Curve{first, second, law}}}, nil
}
