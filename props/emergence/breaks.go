package emergence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/impl/truncated"
	"github.com/thm-suite/thm/internal/numbers"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/rational"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// breaks takes two steps as the source has them, and with one part left out.
var breaks = props.Spec{
	Statement: &theory.Breaks,
	Checks: []props.Check{props.Sweep[variant, broken]{
		Name: "two steps and variants of them",
		Cells: func(e props.Effort) []variant {
			var out []variant
			for seed := range (props.Scale{Quick: 1, Standard: 3, Deep: 20}).At(e) {
				for _, left := range leftOut {
					out = append(out, variant{left, seed})
				}
			}
			return out
		},
		Regimes:    leftOut,
		Replicates: 2,
		Measure: func(t *props.Trial, cell variant, done string) broken {
			taken := cell.LeftOut
			if done != "" {
				as := leftOut[0] // the controls are about the recipe, but for those in takenAs
				if other, ok := takenAs[done]; ok {
					done, as = other[0], other[1]
				}
				if cell.LeftOut != as {
					return broken{}
				}
				taken = done
			}
			return breakSteps(t.Rand, netSizes{30, 3, 32, 4000}, taken)
		},
		Judge:    judgeBroken,
		Conclude: drawBroken,
		Controls: []props.Control{
			{Name: "initial weights kept", Assumption: "forgetting", Criterion: secondCosine, Done: noForgetting},
			{Name: "no noise", Assumption: "noise", Criterion: "no neuron is dead", Done: noNoise},
			{Name: "no mirrors", Assumption: "paired", Criterion: firstCosine, Done: noMirrors},
			{Name: "uniform inputs", Assumption: "structured", Criterion: secondCosine, Done: noStructure},
			{Name: "without forgetting at most 0.05", Criterion: "without forgetting", Claimed: "wrong"},
			{Name: "alive at negative biases", Criterion: "dead where b < 0", Claimed: "wrong"},
			{Name: "dead at positive biases", Criterion: "alive where b > 0", Claimed: "wrong"},
			{Name: "noise, as without it", Criterion: "dead where b < 0", Done: "noise"},
			{Name: "without mirrors below 0.5", Criterion: "first step without mirrors", Claimed: "wrong"},
			{Name: "without mirrors the second step ends where the first did", Criterion: "second step without mirrors",
				Claimed: "wrong"},
			{Name: "initial weights kept, as on uniform inputs", Criterion: "one line", Done: "spread"},
			{Name: "structured inputs, as uniform ones", Criterion: "another line", Done: "structured"},
		},
	}},
	Try: &props.Simulation{Run: breakAll, Draw: drawBreaks},
}.Claim()

const (
	firstCosine  = "|cos| after the first step"
	secondCosine = "|cos| after the second step"
	noForgetting = "no forgetting"
	noNoise      = "no noise"
	noMirrors    = "no mirrors"
	noStructure  = "no structure"
)

var leftOut = []string{"nothing left out", noForgetting, noNoise, noMirrors, noStructure}

// takenAs are controls that take the steps of one variant and meet the criteria of another.
var takenAs = map[string][2]string{
	"noise":      {leftOut[0], noNoise},
	"spread":     {noForgetting, noStructure},
	"structured": {leftOut[0], noStructure},
}

// variant is what is left out, and a number of the run.
type variant struct {
	LeftOut string
	Seed    int
}

// broken are the directions that two steps gave.
type broken struct {
	Neurons             int
	Start, First, Final []float64 // |cos(w, u)| of the neurons, 0 of a dead one
	Line                float64   // mean |cos| of pairs of neurons at the end
	Dead                int
	Shut, Open          gates // neurons with b < −‖w‖ before the second step, and with ‖w‖ < b < 1 − ‖w‖
}

// gates are neurons whose gate all inputs find alike.
type gates struct{ Dead, Live int }

func (g *gates) count(dead bool) {
	if dead {
		g.Dead++
	} else {
		g.Live++
	}
}

// breakSteps takes the two steps of a variant.
func breakSteps(r *rand.Rand, size netSizes, left string) broken {
	uniform := 0.5
	if left == noStructure {
		uniform = 1
	}
	done := map[string]string{noForgetting: "kept", noNoise: "no noise", noMirrors: "unpaired"}[left]
	law, nets := descendTwice(r, size, uniform, done)
	u := unit(rational.Indicator(size.dim, law.Support))
	b := broken{Neurons: len(nets[0].A), Start: cosines(nets[0], u), First: cosines(nets[1], u),
		Final: cosines(nets[2], u), Line: meanCosine(nets[2].W, len(nets[0].A))}
	for i := range nets[1].A {
		dead := floats.Norm(nets[2].W.RawRowView(i), 2) == 0
		if dead {
			b.Dead++
		}
		switch bias, reach := nets[1].B[i], floats.Norm(nets[1].W.RawRowView(i), 2); {
		case bias < -reach:
			b.Shut.count(dead)
		case bias > reach && bias < 1-reach:
			b.Open.count(dead)
		}
	}
	return b
}

// cosines returns |cos(w, u)| of every neuron, 0 of one without weights.
func cosines(net truncated.Net, u []float64) []float64 {
	out := make([]float64, len(net.A))
	for i := range out {
		w := net.W.RawRowView(i)
		if size := floats.Norm(w, 2); size > 0 {
			out[i] = math.Abs(floats.Dot(w, u)) / size
		}
	}
	return out
}

func judgeBroken(r *props.Record, cell variant, b broken, claimed string) {
	if b.Neurons == 0 {
		return
	}
	r.Regime(cell.LeftOut)
	first, second, wrong := numbers.Median(b.First), numbers.Median(b.Final), claimed == "wrong"
	switch cell.LeftOut {
	case noForgetting:
		bound := 0.3
		if wrong {
			bound = 0.05
		}
		r.AtMost("without forgetting", max(first, second), bound, 1e-12)
	case noNoise:
		r.AtLeast(firstCosine, first, 0.95, 1e-12)
		shut, open := b.Shut, b.Open
		if wrong { // the dead for the living
			shut, open = gates{shut.Live, shut.Dead}, gates{open.Live, open.Dead}
		}
		r.Holds("dead where b < 0", shut.Live == 0)
		r.Holds("alive where b > 0", open.Dead == 0)
	case noMirrors:
		top, bottom := 0.97, 0.97
		if wrong {
			top, bottom = 0.5, 1
		}
		r.AtMost("first step without mirrors", first, top, 1e-12)
		r.AtLeast("second step without mirrors", second, bottom, 1e-12)
	case noStructure:
		r.AtLeast("one line", b.Line, 0.97, 1e-12)
		r.AtMost("another line", slices.Max(b.Final), 0.9, 1e-12)
	default:
		r.AtLeast(firstCosine, first, 0.95, 1e-12)
		r.AtLeast(secondCosine, second, 0.97, 1e-12)
		r.Holds("no neuron is dead", b.Dead == 0)
	}
}

// drawBroken draws the medians of the first run of each variant.
func drawBroken(r *props.Record, cells []variant, all []broken, _ string) {
	var first []broken
	for i, cell := range cells {
		if cell.Seed == 0 && all[i].Neurons > 0 {
			first = append(first, all[i])
		}
	}
	if len(first) == len(leftOut) {
		r.Figure(figureOfBreaks(first))
	}
}

// figureOfBreaks draws the median |cos| of each variant before, between and after the steps.
func figureOfBreaks(all []broken) props.Figure {
	f := props.Figure{ID: "breaks", Title: "What breaks the emergence of the feature",
		Caption: "Median |cos(w, u)| over the neurons before training and after each of two steps, by the source's " +
			"recipe and with one part left out. A dead neuron counts as 0.",
		X: props.Axis{Label: "steps taken"}, Y: props.Axis{Label: "median |cos(w, u)|"}}
	for i, b := range all {
		f.Curves = append(f.Curves, props.Curve{Name: leftOut[i], Style: props.Line, X: []float64{0, 1, 2},
			Y: []float64{numbers.Median(b.Start), numbers.Median(b.First), numbers.Median(b.Final)}})
	}
	return f
}

// sizesOfBreaks are a user's, or an error when they cost too much.
func sizesOfBreaks(v values.Values) (netSizes, error) {
	size := netSizes{v.Int("D"), v.Int("k"), v.Int("m"), v.Int("n")}
	if float64(size.dim)*float64(size.neurons)*float64(size.samples) > 1e8 {
		return size, fmt.Errorf("n=%d, D=%d, m=%d cannot be simulated: n·D·m is at most 1e8", size.samples, size.dim,
			size.neurons)
	}
	return size, nil
}

// breakAll takes the steps of all variants at a user's sizes.
func breakAll(t *props.Trial, v values.Values) (map[string]float64, error) {
	size, err := sizesOfBreaks(v)
	if err != nil {
		return nil, err
	}
	out := map[string]float64{"second": numbers.Median(breakSteps(t.Rand, size, leftOut[0]).Final)}
	out["kept"] = numbers.Median(breakSteps(t.Rand, size, noForgetting).Final)
	without := breakSteps(t.Rand, size, noNoise)
	out["dead"] = float64(without.Dead) / float64(without.Neurons)
	out["line"] = breakSteps(t.Rand, size, noStructure).Line
	return out, nil
}

// drawBreaks draws all variants at a user's sizes.
func drawBreaks(t *props.Trial, v values.Values) ([]props.Figure, error) {
	size, err := sizesOfBreaks(v)
	if err != nil {
		return nil, err
	}
	var all []broken
	for _, left := range leftOut {
		all = append(all, breakSteps(t.Rand, size, left))
	}
	return []props.Figure{figureOfBreaks(all)}, nil
}
