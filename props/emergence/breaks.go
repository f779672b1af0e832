package emergence

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/number"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// breaks takes two steps by the source's recipe, and again with one part left out.
var breaks = props.Spec{
	Statement: &theory.Breaks,
	Checks: []props.Check{props.Grid[variant, broken, breaksClaim]{
		Name: "two steps and variants of them",
		Cells: func(e props.Effort) []variant {
			// A network has no neuron with 0 < b < 1 with probability 0.66¹⁶ = 10⁻³ if k = 1, as in a third of the
			// networks, and 2⁻¹⁶ otherwise. Two networks both lack one in 2·10⁻⁷ of all runs, three in 10⁻¹⁰.
			var out []variant
			for seed := range (props.Scale{Quick: 3, Standard: 12, Deep: 100}).At(e) {
				for _, left := range leftOut {
					out = append(out, variant{left, seed})
				}
			}
			return out
		},
		Regimes:    append([]string{"k = 1", "k = 3", "k = 5", "fair background", "sparser background"}, leftOut...),
		Replicates: 2,
		Measure: func(t *props.Trial, cell variant) broken {
			return breakSteps(t.Rand, drawShape(t.Rand, cell.LeftOut), recipes[cell.LeftOut])
		},
		Claim: breaksClaim{
			first:    func(b broken) float64 { return number.Median(b.FirstLaw) },
			second:   reachedTan2,
			unpaired: reachedTan2,
		},
		Judge:    judgeBroken,
		Conclude: drawBroken,
		Controls: []props.WrongCell[variant, broken, breaksClaim]{
			{Name: "initial weights kept", Assumption: "forgetting", Criterion: secondAngle,
				Measure: taking(recipes[noForgetting]), On: judgedAs(leftOut[0])},
			{Name: "no noise", Assumption: "noise", Criterion: "no neuron is dead",
				Measure: taking(recipes[noNoise]), On: judgedAs(leftOut[0])},
			{Name: "no mirrors", Assumption: "paired", Criterion: firstAngle,
				Measure: worstOfFive, On: judgedAs(leftOut[0])},
			{Name: "uniform inputs", Assumption: "structured", Criterion: secondAngle,
				Measure: taking(recipes[noStructure]), On: judgedAs(leftOut[0])},
			{Name: "half of the law of the angle", Criterion: secondAngle,
				Instead: breaksClaim{second: func(d theory.Direction) float64 { return d.Tan2() / 2 }}},
			{Name: "half of the law of the angle after the first step", Criterion: firstAngle,
				Instead: breaksClaim{first: func(b broken) float64 { return b.direction(1).Tan2() / 4 }}},
			{Name: "weights that are forgotten, as if not", Criterion: "without forgetting",
				Measure: taking(recipes[leftOut[0]]), On: judgedAs(noForgetting)},
			{Name: "a hundredth of the change without forgetting", Criterion: "without forgetting",
				Alter: func(_ variant, b *broken) { b.May = divided(b.May, 100) }},
			{Name: exchangedGates, Criterion: "dead where z < 0", Alter: func(_ variant, b *broken) {
				b.Shut, b.Open = gates{b.Shut.Live, b.Shut.Dead}, gates{b.Open.Live, b.Open.Dead}
			}},
			{Name: "dead at positive biases", Criterion: "alive where 0 < z < 1", As: exchangedGates},
			{Name: "noise, as without it", Criterion: "dead where z < 0",
				Measure: taking(recipes[leftOut[0]]), On: judgedAs(noNoise)},
			{Name: "without mirrors, a quarter of the law of the angle", Criterion: "second step without mirrors",
				Instead: breaksClaim{unpaired: func(d theory.Direction) float64 { return d.Tan2() / 8 }}},
			{Name: "no mirrors on uniform inputs", Assumption: "structured", Criterion: "second step without mirrors",
				Measure: taking(recipe{withoutMirrors, true}), On: judgedAs(noMirrors)},
			{Name: "no noise on uniform inputs", Assumption: "noise", Criterion: "one line",
				Measure: taking(recipe{withoutNoise, true}), On: judgedAs(noStructure)},
			{Name: "ψ(b) left out", Criterion: "one line", Alter: func(_ variant, b *broken) { b.Apart = b.Bare }},
			{Name: "neurons half a thousandth as far apart", Criterion: "one line",
				Alter: func(_ variant, b *broken) { b.Far = divided(b.Far, 2000) }},
			{Name: "structured inputs, as uniform ones", Criterion: "another line",
				Measure: taking(recipes[leftOut[0]]), On: judgedAs(noStructure)},
		},
	}},
	Try: &props.Simulation{Run: breakAll, Draw: drawBreaks},
}.Claim()

const (
	noForgetting = "no forgetting"
	noNoise      = "no noise"
	noMirrors    = "no mirrors"
	noStructure  = "no structure"
)

var leftOut = []string{"nothing left out", noForgetting, noNoise, noMirrors, noStructure}

// recipe changes the course of training, on structured or on uniform inputs.
type recipe struct {
	change  func(*course)
	uniform bool
}

// recipes holds the recipe of each variant.
var recipes = map[string]recipe{leftOut[0]: {asStated, false}, noForgetting: {keepWeights, false},
	noNoise: {withoutNoise, false}, noMirrors: {withoutMirrors, false}, noStructure: {asStated, true}}

const exchangedGates = "alive at negative biases"

// breaksClaim bounds tan² of the median neuron after the first step, and after the second step with mirrors and
// without; without mirrors the bound is evaluated at n/2.
type breaksClaim struct {
	first            func(broken) float64
	second, unpaired func(theory.Direction) float64
}

// reachedTan2 returns the law of emergence/sampling times the factor of reachOf, which covers the sampling noise that
// all neurons of a network share.
func reachedTan2(d theory.Direction) float64 { return d.Tan2() * reachOf(d) }

// judgedAs selects the cells that are judged by the criteria of a variant.
func judgedAs(left string) func(variant) bool {
	return func(cell variant) bool { return cell.LeftOut == left }
}

// taking measures a recipe at the sizes of drawNear, where the law of the angle is nearest.
func taking(as recipe) func(*props.Trial, variant) broken {
	return func(t *props.Trial, _ variant) broken { return breakSteps(t.Rand, drawNear(t.Rand), as) }
}

// worstOfFive leaves out the mirrors and keeps the worst of five networks, because some align well after one step even
// without mirrors.
func worstOfFive(t *props.Trial, _ variant) broken {
	worst := breakSteps(t.Rand, drawNear(t.Rand), recipes[noMirrors])
	for range 4 {
		other := breakSteps(t.Rand, drawNear(t.Rand), recipes[noMirrors])
		if number.Median(other.First) < number.Median(worst.First) {
			worst = other
		}
	}
	return worst
}

// divided returns x divided by a number.
func divided(x []float64, by float64) []float64 {
	return list.Fill(len(x), func(i int) float64 { return x[i] / by })
}

// variant names the part that is left out, and numbers the run.
type variant struct {
	LeftOut string
	Seed    int
}

// drawShape draws a law and sizes. Uniform inputs get more than one relevant bit, because a single bit correlates with
// the label at every λ.
func drawShape(r *rand.Rand, left string) netSizes {
	m, sparser := drawMixture(r)
	if sparser {
		m.Background = 0.25
	}
	if left == noStructure {
		m.Count, m.Uniform = 3+2*r.IntN(2), 1
	}
	return netSizes{m, 16, 2000 + r.IntN(2000)}
}

// drawNear draws sizes with three relevant bits and a fair background, where the law of the angle is nearest.
func drawNear(r *rand.Rand) netSizes {
	m, _ := drawMixture(r)
	m.Count = 3
	return netSizes{m, 16, 2000 + r.IntN(2000)}
}

func drawMixture(r *rand.Rand) (m theory.Mixture, sparser bool) {
	m = theory.Mixture{Dim: 20 + r.IntN(41), Count: 1 + 2*r.IntN(3), Background: 0.5, Uniform: 0.2 + 0.4*r.Float64()}
	return m, r.IntN(3) == 0
}

// broken holds the directions of the neurons before, between and after two steps.
type broken struct {
	Neurons             int
	Law                 theory.Mixture
	Samples             int
	Start, First, Final []float64 // |cos(w, u)| of each neuron, 0 for a dead one
	FirstLaw            []float64 // upper bounds on tan² after the first step of the source's recipe
	Dead                int
	Shut, Open          gates // neurons whose inputs all have z < 0 before the second step, or all 0 < z < 1

	Moved, May       []float64 // ‖w/‖w‖ − w⁰/‖w⁰‖‖ after both steps, and its upper bound
	Apart, Bare, Far []float64 // distances of w/(aψ(b)) and of w/a from the first neuron's; bounds on Apart
	Within, OneSided bool      // in the second step every input is inside its margin, or only those of one label
}

// gates counts neurons whose gate is in the same state for all inputs: those that died, and those that did not.
type gates struct{ Dead, Live int }

func (g *gates) count(dead bool) {
	if dead {
		g.Dead++
	} else {
		g.Live++
	}
}

// breakSteps draws a network and takes the two steps of a recipe.
func breakSteps(r *rand.Rand, size netSizes, as recipe) broken {
	if as.uniform {
		size.law.Uniform = 1
	}
	law, nets := descendTwice(r, size, as.change)
	u := unit(rational.Indicator(law.Dim, law.Support))
	b := broken{Neurons: len(nets[0].A), Law: size.law, Samples: size.samples, Start: cosines(nets[0], u),
		First: cosines(nets[1], u), Final: cosines(nets[2], u)}
	noise := math.Pow(float64(size.law.Count), -1.5)
	box := boxOf(law.Mean(), law.Deviation())
	b.gates(nets, box)
	b.change(nets, box)
	b.line(nets, box, noise)
	b.margins(nets[1], box, noise)
	d := b.direction(1)
	for i, bias := range nets[0].B {
		b.FirstLaw = append(b.FirstLaw, d.FirstStep(reachOf(d), nets[0].W.RawRowView(i),
			rational.Indicator(law.Dim, law.Support), bias, noise))
	}
	return b
}

func judgeBroken(r *props.Record, cell variant, b broken, claim breaksClaim) {
	r.Regime(cell.LeftOut)
	r.Regime([]string{"k = 1", "k = 3", "k = 5"}[b.Law.Count/2])
	r.Regime(map[bool]string{true: "fair background", false: "sparser background"}[b.Law.Background == 0.5])
	switch cell.LeftOut {
	case noForgetting:
		b.judgeChange(r)
	case noNoise:
		r.Exactly("dead where z < 0", float64(b.Shut.Live), 0)
		r.Exactly("alive where 0 < z < 1", float64(b.Open.Dead), 0)
	case noMirrors:
		if b.Within || b.OneSided {
			r.AtMost("second step without mirrors", medianTan2(b.Final), claim.unpaired(b.direction(2)), 1e-12)
		}
		r.MeasuredValue("median |cos| after the first step without mirrors", number.Median(b.First), 0.9)
	case noStructure:
		if b.Within {
			b.judgeLine(r)
		}
		r.AtMost("another line", floats.Max(b.Final), theory.IsotropicCosine(b.Law.Dim, stat.CriterionAlpha), 1e-12)
	default:
		r.AtMost(firstAngle, medianTan2(b.First), claim.first(b), 1e-12)
		r.AtMost(secondAngle, medianTan2(b.Final), claim.second(b.direction(1)), 1e-12)
		r.Exactly("no neuron is dead", float64(b.Dead), 0)
	}
}

// direction returns the law of the angle with n divided by a number. For uniform inputs, which only controls judge by
// it, it returns the law at λ = 1/2.
func (b broken) direction(times int) theory.Direction {
	d := theory.Direction{Mixture: b.Law, Samples: b.Samples / times, Rho: 1}
	if d.Mixture.Uniform == 1 {
		d.Mixture.Uniform = 0.5
	}
	return d
}

// medianTan2 returns tan² of the median neuron, at most 10¹².
func medianTan2(cosines []float64) float64 {
	c := number.Median(cosines)
	return min(1/(c*c)-1, 1e12)
}

// judgeChange bounds how far the direction of each neuron moves.
func (b broken) judgeChange(r *props.Record) {
	for i, moved := range b.Moved {
		r.AtMost("without forgetting", moved, b.May[i], 1e-12)
	}
}

// judgeLine bounds how far the neurons are from one line.
func (b broken) judgeLine(r *props.Record) {
	for i, apart := range b.Apart {
		r.AtMost("one line", apart, b.Far[i], 1e-12)
	}
}

// drawBroken draws the medians of the first run of each variant.
func drawBroken(r *props.Record, cells []variant, all []broken, _ breaksClaim) {
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
			"recipe and with one part left out; one run of each. A dead neuron counts as 0.",
		X: props.Axis{Label: "steps taken"}, Y: props.Axis{Label: "median |cos(w, u)|"}}
	for i, b := range all {
		f.Curves = append(f.Curves, props.Curve{Name: leftOut[i], Style: props.Line, X: []float64{0, 1, 2},
			Y: []float64{number.Median(b.Start), number.Median(b.First), number.Median(b.Final)}})
	}
	return f
}

// sizesOfBreaks returns the sizes that a user asks for.
func sizesOfBreaks(t *props.Trial, v statement.Values) netSizes {
	size := netSizes{mixtureOf(v), v.Int("m"), v.Int("n")}
	t.Need(float64(size.law.Dim)*float64(size.neurons)*float64(size.samples) <= 1e8,
		"n=%d, D=%d, m=%d cannot be simulated: n·D·m is at most 1e8", size.samples, size.law.Dim, size.neurons)
	return size
}

// breakAll takes the steps of all variants at a user's sizes.
func breakAll(t *props.Trial, v statement.Values) (map[string]float64, error) {
	size := sizesOfBreaks(t, v)
	out := map[string]float64{"second": number.Median(breakSteps(t.Rand, size, recipes[leftOut[0]]).Final)}
	out["kept"] = number.Median(breakSteps(t.Rand, size, recipes[noForgetting]).Final)
	without := breakSteps(t.Rand, size, recipes[noNoise])
	out["dead"] = float64(without.Dead) / float64(without.Neurons)
	return out, nil
}

// drawBreaks draws all variants at a user's sizes.
func drawBreaks(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	all := list.Map(leftOut, func(left string) broken { return breakSteps(t.Rand, sizesOfBreaks(t, v), recipes[left]) })
	return []props.Figure{figureOfBreaks(all)}, nil
}
