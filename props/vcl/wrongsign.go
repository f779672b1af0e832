package vcl

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// pair is a block of units that take a step on a batch of two inputs at cosine C.
type pair struct {
	C     float64
	Block int
}

// unitsPerBlock is the width of the layer of one cell; every unit is an independent trial.
const unitsPerBlock = 20000

// wrongSign is how often a unit moves against its virtual move when the step is taken on two samples: arctan(c)/π.
func wrongSign(v lipschitzTrial) props.LegacyCheck {
	share := ""
	if !v.noCross {
		share = "wrong signs"
	}
	return props.LegacySweep[pair, int]{
		Name:  "wrong signs in a batch",
		Share: share,
		Cells: func(e props.Effort) []pair {
			var cells []pair
			blocks := (props.Scale{Quick: 16, Standard: 50, Deep: 1000}).At(e)
			if v.noCross { // no wrong signs at all are seen in one block
				blocks = 1
			}
			for _, c := range []float64{0.1, 0.3, 0.5, 0.7, 0.9, 1} {
				for b := range blocks {
					cells = append(cells, pair{c, b})
				}
			}
			return cells
		},
		Measure: func(t *props.Trial, cell pair) int { return countWrongSigns(t, cell.C, v.noCross) },
		Judge:   func(cells []pair, counts []int) props.Judgement { return judgeWrongSigns(cells, counts, 1+v.dose) },

		Replicates: 2,
	}.Check()
}

// countWrongSigns steps a layer of affine units on two unit inputs at cosine c and counts the units whose output on
// the first input moves against the virtual move.
func countWrongSigns(t *props.Trial, c float64, noCross bool) int {
	p, second := make([]float64, unitsPerBlock), make([]float64, unitsPerBlock)
	for i := range p {
		p[i], second[i] = t.Rand.NormFloat64(), t.Rand.NormFloat64()
	}
	l := newLayer(t.Rand, nn.Identity, []float64{1, 0}, make([]float64, unitsPerBlock), p, 0.1)
	if !noCross {
		l.second, l.secondP = []float64{c, math.Sqrt(1 - c*c)}, second
	}
	m, wrong := l.take(), 0
	for i := range p {
		if m.actual[i]*m.virtual[i] < 0 {
			wrong++
		}
	}
	return wrong
}

// rateZone is the zone in which a true rate is accepted: the half-width of the interval when the rate is met, and six
// standard deviations of the measured rate, of which a normal variable exceeds five with probability 6·10⁻⁷ and the
// sixth is for intervals that are wider there.
func rateZone(rate float64, trials int) float64 {
	n := float64(trials)
	met := stat.Proportion(int(math.Round(rate*n)), trials, stat.PartAlpha)
	return max(met.Hi-rate, rate-met.Lo) + 6*math.Sqrt(rate*(1-rate)/n)
}

func judgeWrongSigns(cells []pair, counts []int, factor float64) props.Judgement {
	totals, trials, cosines := map[float64]int{}, map[float64]int{}, []float64{}
	for i, cell := range cells {
		if trials[cell.C] == 0 {
			cosines = append(cosines, cell.C)
		}
		totals[cell.C] += counts[i]
		trials[cell.C] += unitsPerBlock
	}
	var j props.Judgement
	measured := props.Curve{Name: "measured", Style: props.Points}
	predicted := props.Curve{Name: "arctan(c)/π", Style: props.Dashed}
	for _, c := range cosines {
		iv := stat.Proportion(totals[c], trials[c], stat.PartAlpha)
		rate := theory.WrongSignRate(c)
		claimed, zone := factor*rate, rateZone(rate, trials[c])
		name := fmt.Sprintf("wrong-sign rate at cosine %g", c)
		j.Parts = append(j.Parts, props.Equality(name, iv, claimed, zone))
		j.Facts = append(j.Facts, props.Measured(name, iv, claimed))
		measured.X, measured.Y = append(measured.X, c), append(measured.Y, iv.Estimate)
		measured.Lo, measured.Hi = append(measured.Lo, iv.Lo), append(measured.Hi, iv.Hi)
	}
	for c := 0.0; c <= 1.0001; c += 0.02 {
		predicted.X, predicted.Y = append(predicted.X, c), append(predicted.Y, theory.WrongSignRate(min(c, 1)))
	}
	j.Figures = []props.Figure{{
		ID:    "wrong-sign",
		Title: "Units that a batch moves the wrong way",
		Caption: "Fraction of affine units whose actual move on the first of two samples has the sign opposite to the virtual move, " +
			"against the cosine between the two inputs. The measured rates lie on arctan(c)/π: the printed theorem, which says zero, holds " +
			"only for orthogonal inputs.",
		X:      props.Axis{Label: "cosine c between the inputs"},
		Y:      props.Axis{Label: "fraction with the wrong sign"},
		Curves: []props.Curve{measured, predicted},
	}}
	return j
}

// workedBatch is the printed theorem on the smallest mini-batch, where both its bound and its sign fail.
func workedBatch() props.LegacyCheck {
	return props.Example("theorem on a mini-batch", func() (props.Ratio, string) {
		l := newLayer(fixed(), nn.Identity, []float64{1}, []float64{0}, []float64{1}, 0.1)
		l.second, l.secondP = []float64{1}, []float64{-3}
		m := l.take()
		return props.Truth(printedOneLipschitz(m.actual[0], m.virtual[0]) && printedSigns(m.actual[0], m.virtual[0])),
			fmt.Sprintf("identity, h₋ = 1 twice, p = (1, −3), γ = 0.1: Δa₁ = %.6g, Δv₁ = %.6g", m.actual[0], m.virtual[0])
	})
}
