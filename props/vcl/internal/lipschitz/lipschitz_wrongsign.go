package lipschitz

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// batchStep is the step of a layer on a batch, seen at the first sample.
type batchStep struct {
	Activation string
	Inputs     [][]float64
	Units      []theory.BatchStep
	Actual     []float64 // Δa
	Rounding   []float64
}

// batchBound is |Δaᵢ| ≤ γL Σⱼ |hⱼ·hᵢ||gⱼ|.
var batchBound = props.Drawn[batchStep, func(theory.BatchStep) float64]{
	Name:    "move of every unit on a batch",
	Cases:   props.Scale{Quick: 300, Standard: 2000, Deep: 150000},
	Regimes: []string{"one sample", "several samples"},
	Draw:    drawBatchStep,
	Claim:   theory.BatchStep.Bound,
	Judge: func(r *props.Record, s batchStep, bound func(theory.BatchStep) float64) {
		r.RegimeOf(len(s.Inputs) > 1)
		for i, b := range s.Units {
			r.AtMost("bound of a batch", math.Abs(s.Actual[i]), bound(b), s.Rounding[i])
		}
	},
	Controls: []props.Wrong[batchStep, func(theory.BatchStep) float64]{
		{Name: "bound of a batch without its other samples", Instead: func(b theory.BatchStep) float64 {
			b.Products, b.PreGrads = b.Products[:1], b.PreGrads[:1]
			return b.Bound()
		}},
	},
}

func drawBatchStep(t *props.T) batchStep {
	l := drawLayer(t, layerLike{}, gen.Dim(t.T, "B", 4))
	s, passes := l.take(layer.update)
	n := len(s.Input)
	out := batchStep{Activation: s.Activation, Inputs: l.inputs}
	for i := range s.Out {
		b := theory.BatchStep{Shape: theory.Shapes[s.Activation], Step: s.Rate}
		_, rounding := s.rounding(i, roundoff.Unit)
		for _, p := range passes {
			b.Products = append(b.Products, floats.Dot(p.Input[1], s.Input))
			b.PreGrads = append(b.PreGrads, p.PreGrad[1][i])
			rounding += roundoff.Unit * float64(3*n+14) * b.Shape.Lipschitz * s.Rate * math.Abs(p.PreGrad[1][i]) *
				floats.Norm(p.Input[1], 2) * floats.Norm(s.Input, 2)
		}
		out.Units, out.Rounding = append(out.Units, b), append(out.Rounding, rounding)
		out.Actual = append(out.Actual, s.OutNext[i]-s.Out[i])
	}
	return out
}

// pair is a block of units that take a step on a batch of two inputs at cosine C.
type pair struct {
	C     float64
	Block int
}

// unitsPerBlock is the width of the layer of one cell; every unit is an independent trial.
const unitsPerBlock = 20000

// wrongSigns measures how often a unit moves against its virtual move when the step is taken on two samples:
// arctan|c|/π.
var wrongSigns = props.Grid[pair, int, func(cosine float64) float64]{
	Name: "wrong signs in a batch",
	Cells: func(e props.Effort) []pair {
		var cells []pair
		trials := props.Scale{Quick: 1, Standard: 11, Deep: 200}.At(e) // in blocks of a rate of one half
		for _, c := range []float64{-0.5, 0.1, 0.3, 0.5, 0.7, 0.9, 1} {
			rate := theory.WrongSignRate(c)
			for b := range int(math.Ceil(float64(trials) * (1 - rate) / rate)) {
				cells = append(cells, pair{c, b})
			}
		}
		return cells
	},
	Measure:  func(t *props.Trial, cell pair) int { return countWrongSigns(t, cell.C) },
	Claim:    theory.WrongSignRate,
	Conclude: concludeWrongSigns,
	Controls: []props.WrongCell[pair, int, func(cosine float64) float64]{
		{Name: "batch without cross terms (no wrong signs)", Assumption: "one-sample",
			Instead: func(float64) float64 { return 0 }},
	},
	Replicates: 1,
}

// countWrongSigns steps a layer of affine units on two unit inputs at cosine c and counts the units whose output on
// the first input moves against the virtual move.
func countWrongSigns(t *props.Trial, c float64) int {
	p, second := make([]float64, unitsPerBlock), make([]float64, unitsPerBlock)
	for i := range p {
		p[i], second[i] = t.Rand.NormFloat64(), t.Rand.NormFloat64()
	}
	l := newLayer(t.Rand, nn.Identity, []float64{1, 0}, make([]float64, unitsPerBlock), p, 0.1)
	l.inputs, l.p = append(l.inputs, []float64{c, math.Sqrt(1 - c*c)}), append(l.p, second)
	s, _ := l.take(layer.update)
	wrong := 0
	for i := range p {
		if (s.OutNext[i]-s.Out[i])*-s.Rate*s.OutputGrad[i] < 0 {
			wrong++
		}
	}
	return wrong
}

func concludeWrongSigns(r *props.Record, cells []pair, counts []int, claim func(cosine float64) float64) {
	totals, trials, cosines := map[float64]int{}, map[float64]int{}, []float64{}
	for i, cell := range cells {
		if trials[cell.C] == 0 {
			cosines = append(cosines, cell.C)
		}
		totals[cell.C] += counts[i]
		trials[cell.C] += unitsPerBlock
	}
	measured := props.Curve{Name: "measured", Style: props.Points}
	for _, c := range cosines {
		iv := stat.Proportion(totals[c], trials[c], stat.CriterionAlpha)
		rate := claim(c)
		margin := stat.ProportionMargin(theory.WrongSignRate(c), trials[c], stat.CriterionAlpha, stat.CriterionUndecided)
		name := fmt.Sprintf("wrong-sign rate at cosine %g", c)
		r.Equals(name, iv, rate, margin)
		r.Measured(name, iv, rate)
		measured.AddInterval(c, iv.Estimate, iv.Lo, iv.Hi)
	}
	predicted := props.Curve{Name: "arctan|c|/π", Style: props.Dashed}
	for k := -25; k <= 50; k++ {
		c := float64(k) / 50
		predicted.Add(c, theory.WrongSignRate(c))
	}
	r.Figure(props.Figure{
		ID:    "wrong-sign",
		Title: "Units that a batch moves the wrong way",
		Caption: "Fraction of affine units whose actual move on the first of two samples has the sign opposite to " +
			"the virtual move, against the cosine between the two inputs: the measured rates lie on arctan|c|/π. " +
			"Theorem 3 speaks about one sample, and carries over to a batch only for orthogonal inputs.",
		X: props.Axis{Label: "cosine c between the inputs"}, Y: props.Axis{Label: "fraction with the wrong sign"},
		Curves: []props.Curve{measured, predicted},
	})
}
