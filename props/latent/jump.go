package latent

import (
	"math"
	"math/rand/v2"

	"github.com/thm-suite/thm/impl/smoothing"
	"github.com/thm-suite/thm/internal/stat"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// jump smooths noisy steps and sines, and fits steps to them.
var jump = props.Spec{
	Statement: &theory.Jump,
	Checks: []props.Check{props.Sweep[int, map[string][]float64]{
		Name:     "exponents of the error",
		Cells:    runs(96, 216),
		Measure:  measureJump,
		Conclude: concludeJump,
		Controls: []props.Control{
			{Name: "smooth function", Assumption: "jump", Criterion: "running means, step", Claimed: "smooth"},
			{Name: "no noise", Assumption: "noise", Criterion: "running means, step", Done: "no noise"},
			{Name: "as fast as the fitted step", Criterion: "running means, step", Claimed: "−1"},
			{Name: "no faster than running means", Criterion: "fitted step, step", Claimed: "−½"},
			{Name: "−½ for a sine too", Criterion: "running means, sine", Claimed: "−½"},
			{Name: "converges for a sine too", Criterion: "fitted step, sine", Claimed: "−½"},
		},
		Replicates: 1,
		Coarse: map[string]string{"fitted step, step": "sweeps of three sizes, in which the place of the jump scatters",
			"running means, sine": "sweeps of three sizes", "running means, step": "sweeps of three sizes",
			"fitted step, sine": "sweeps of three sizes"},
	}},
	Try: &props.Simulation{Run: tryJump},
}.Claim()

const (
	jumpNoise = 0.3
	jumpSets  = 18 // data sets in a draw
)

var jumpSizes = []int{64, 256, 1024}

// jumpCases name a method and a function, as the criteria do.
var jumpCases = []string{"running means, step", "fitted step, step", "running means, sine", "fitted step, sine"}

func measureJump(t *props.Trial, _ int, done string) map[string][]float64 {
	noise, sets := jumpNoise, jumpSets
	if done == "no noise" { // without it nothing scatters but the place of the jump
		noise, sets = 1e-6, jumpSets/6
	}
	out := map[string][]float64{}
	for _, n := range jumpSizes {
		sums := make([]float64, len(jumpCases))
		for range sets {
			for i, e := range jumpErrors(t.Rand, n, noise) {
				sums[i] += e / float64(sets)
			}
		}
		for i, name := range jumpCases {
			out[name] = append(out[name], sums[i])
		}
	}
	return out
}

// jumpErrors are the mean squares of both methods for a step and for a sine.
func jumpErrors(r *rand.Rand, n int, noise float64) []float64 {
	at := 0.2 + 0.6*r.Float64()
	var out []float64
	for _, f := range []func(x float64) float64{
		func(x float64) float64 {
			if x > at {
				return 1
			}
			return 0
		},
		func(x float64) float64 { return math.Sin(2 * math.Pi * (x - at)) },
	} {
		y, truth := make([]float64, n), make([]float64, n)
		for i := range y {
			truth[i] = f(float64(i+1) / float64(n))
			y[i] = truth[i] + noise*r.NormFloat64()
		}
		smoothed := math.Inf(1)
		for reach := 0; reach < n/2; reach += 1 + reach/2 {
			smoothed = min(smoothed, meanSquare(smoothing.Box(y, reach), truth))
		}
		out = append(out, smoothed, meanSquare(smoothing.Step(y), truth))
	}
	return out
}

func meanSquare(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return sum / float64(len(a))
}

func concludeJump(r *props.Record, _ []int, all []map[string][]float64, claimed string) {
	x := make([]float64, len(jumpSizes))
	for i, n := range jumpSizes {
		x[i] = math.Log(float64(n))
	}
	for i, name := range jumpCases {
		method, step := []string{"box", "step"}[i%2], i < 2
		want := theory.JumpExponent(method, step)
		switch claimed {
		case "smooth":
			want = theory.JumpExponent(method, false)
		case "−1":
			want = -1
		case "−½":
			want = -0.5
		}
		var ys [][]float64
		for _, m := range all {
			var y []float64
			for _, e := range m[name] {
				y = append(y, math.Log(e))
			}
			ys = append(ys, y)
		}
		margin := 0.08 + stat.MedianMargin(stat.NormalTail, stat.SlopeSD(x, jumpSD[i]), len(ys), stat.CriterionAlpha,
			stat.CriterionUndecided)
		iv := stat.MedianSlope(x, ys, stat.CriterionAlpha)
		r.Measured("exponent: "+name, iv, want)
		r.HasExponent(name, iv, want, margin)
	}
	r.Figure(jumpFigure(all))
}

// jumpSD is the relative scatter of a draw by case, measured once.
var jumpSD = []float64{0.08, 0.24, 0.11, 0.1}

func jumpFigure(all []map[string][]float64) props.Figure {
	fig := props.Figure{
		ID: "jump", Title: "Errors for a noisy step and a noisy sine",
		Caption: "Mean squared error against the number of samples on logarithmic axes, noise 0.3: running means with " +
			"the window that an oracle chooses, and the step that fits best. For a function with a jump the linear method " +
			"is the slower one; for a sine the step does not converge.",
		X: props.Axis{Label: "samples n", Log: true}, Y: props.Axis{Label: "mean squared error", Log: true},
	}
	for _, name := range jumpCases {
		c := props.Curve{Name: name, Style: props.Points}
		for k, n := range jumpSizes {
			var draws []float64
			for _, m := range all {
				draws = append(draws, m[name][k])
			}
			iv := stat.Median(draws, stat.CriterionAlpha)
			c.X, c.Y = append(c.X, float64(n)), append(c.Y, iv.Estimate)
			c.Lo, c.Hi = append(c.Lo, iv.Lo), append(c.Hi, iv.Hi)
		}
		fig.Curves = append(fig.Curves, c)
	}
	return fig
}

func tryJump(t *props.Trial, v statement.Values) (map[string]float64, error) {
	e := jumpErrors(t.Rand, v.Int("n"), jumpNoise)
	return map[string]float64{"smoother": e[0], "step": e[1]}, nil
}
