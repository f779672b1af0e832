package latent

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
)

// hessianGap says that the gradients single out the latent directions: the root of the weakest second moment on S⋆ over
// that of any other direction grows as d. It is the ratio of the r-th to the next singular value of the gradients of
// infinitely many neurons. For the isotropic target both moments are also held against closed forms.
//
// Scatter, per neuron and relative: 2/r for ‖Πŵ‖², 2 for one squared coordinate of it (nearly χ² with one degree of
// freedom), and (8r+24)/(r(r+2)) for ρ⁴. Bias: log gap bends with d as the closed form does, and the smallest of r sampled
// eigenvalues lies low by 2√(r/N) for N neurons, which changes with d by the part (r+2)/(d+2), as the variance of ρ² does.
func hessianGap(v hessianTrial) props.LegacyCheck {
	return v.sweep("gap between latent and other directions", func(cells []neuronCell, all [][]block) props.Judgement {
		bias := func(c neuronCell) float64 {
			r, d := float64(c.R), float64(c.D)
			bend := math.Log(c.isotropic().Gap() * math.Sqrt(r*(r+2)) / (2 * d))
			return math.Abs(bend) + math.Sqrt(r*r/blockShape)*(r+2)/(d+2)
		}
		scatter := math.Sqrt(2.*ladderR/blockShape+fourthPowerScatter(ladderR)) / 2
		fit := v.fit(cells, all, alongD, weakestGap, scatter, bias)
		j := props.Judgement{
			Parts:   []props.Part{fit.part("exponent of d in the gap", 1+v.dose)},
			Facts:   []props.Fact{props.Measured("exponent of d in the gap", fit.slope, 1)},
			Figures: []props.Figure{gapFigure(cells, all)},
		}
		if v.target == "" {
			v.judgeMoments(cells, all, &j)
		}
		return j
	})
}

// fourthPowerScatter is the relative variance of a block mean of ρ⁴, in blocks of blockShape/r neurons.
func fourthPowerScatter(r float64) float64 { return (8*r + 24) / (r + 2) / blockShape }

// judgeMoments holds the second moments of the gradient against their closed forms. The scatter of ρ⁴ is largest for r = 1.
func (v hessianTrial) judgeMoments(cells []neuronCell, all [][]block, j *props.Judgement) {
	var signal, noise []float64
	v.each(cells, all, func(c neuronCell, b block) {
		signal = append(signal, b.signal/c.isotropic().Signal())
		noise = append(noise, b.noise/c.isotropic().Noise())
	})
	for _, m := range []struct {
		name    string
		values  []float64
		scatter float64
	}{
		{"second moment along a latent direction", signal, blockScatter},
		{"second moment along another direction", noise, math.Sqrt(fourthPowerScatter(1))},
	} {
		mean, zone := stat.Mean(m.values, stat.PartAlpha), stat.Zone(m.scatter, len(m.values), stat.PartAlpha, undecidedRate)
		j.Parts = append(j.Parts, props.Equality(m.name, mean, 1, zone))
		j.Facts = append(j.Facts, props.Measured(m.name+", over its closed form", mean, 1))
	}
}

func weakestGap(_ neuronCell, b block) float64 { return math.Sqrt(b.weakest / b.noise) }

func gapFigure(cells []neuronCell, all [][]block) props.Figure {
	averageGap := func(_ neuronCell, b block) float64 { return math.Sqrt(b.signal / b.noise) }
	closedForm := func(c neuronCell, _ block) float64 { return c.isotropic().Gap() }
	return props.Figure{
		ID:    "gap",
		Title: "How clearly the gradients point into the latent directions",
		Caption: fmt.Sprintf("Root mean square of the gradient along the latent directions over that along any other direction, on logarithmic axes. "+
			"For the isotropic target with r = %d it lies on the closed form and grows as d. When H has rank 1 for two latent directions the weaker of "+
			"them keeps a ratio of order one: it does not stand out.", ladderR),
		X: props.Axis{Label: "dimension d", Log: true}, Y: props.Axis{Label: "gap", Log: true},
		Curves: []props.Curve{
			curve("isotropic, r = 4", props.Points, cells, all, isotropic, alongD, averageGap),
			curve("closed form", props.Dashed, cells, all, isotropic, alongD, closedForm),
			curve("H of rank 1, weaker direction", props.Points, cells, all, deficient, alongD, weakestGap),
		},
	}
}
