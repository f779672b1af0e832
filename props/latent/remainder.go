package latent

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/latent"
)

// blockScatter bounds the relative standard deviation of a block mean of ‖R‖ for the isotropic target: the variance is
// 2(d−r)/(d+2)/blockShape.
var blockScatter = math.Sqrt(2. / blockShape)

// undecidedRate is the probability with which a statistical part may leave a true claim undecided; zones follow from it.
const undecidedRate = 1e-6

// hessianMean says that the mean remainder is √(r/π)/d in every cell. The zone is the one in which blocks that scatter as
// they should are accepted.
func hessianMean(v hessianTrial) props.LegacyCheck {
	return v.sweep("mean of the remainder", func(cells []neuronCell, all [][]block) props.Judgement {
		var relative, single []float64
		v.each(cells, all, func(c neuronCell, b block) {
			relative = append(relative, v.length(c, b)/(c.isotropic().Remainder()*(1+v.dose)))
			if c.R == 1 {
				single = append(single, v.length(c, b)*float64(c.D))
			}
		})
		mean, zone := stat.Mean(relative, stat.PartAlpha), stat.Zone(blockScatter, len(relative), stat.PartAlpha, undecidedRate)
		j := props.Judgement{Parts: []props.Part{props.Equality("E‖R‖ d/√r", mean, 1, zone)}}
		if v.literal {
			one := theory.Isotropic{D: ladderD, R: 1}
			j.Facts = []props.Fact{props.Measured("E‖R‖ d at r = 1, Hw in place of Hŵ", stat.Mean(single, stat.PartAlpha), one.LiteralRemainder())}
			j.Counterexample = fmt.Sprintf("E‖R‖ d at r = 1, d = %d, with Hw in place of Hŵ: %.3f; with Hŵ it is 1/√π = %.3f",
				ladderD, average(single), 1/math.Sqrt(math.Pi))
		} else {
			for _, x := range []*float64{&mean.Estimate, &mean.Lo, &mean.Hi} {
				*x /= math.Sqrt(math.Pi)
			}
			j.Facts = []props.Fact{props.Measured("E‖R‖ d/√r", mean, 1/math.Sqrt(math.Pi))}
		}
		return j
	})
}

// hessianDimension says that the mean remainder falls as 1/d.
func hessianDimension(v hessianTrial) props.LegacyCheck {
	return v.sweep("order in the dimension", func(cells []neuronCell, all [][]block) props.Judgement {
		fit := v.fit(cells, all, alongD, v.length, blockScatter, nil)
		claimed := func(c neuronCell, _ block) float64 { return c.isotropic().Remainder() }
		return props.Judgement{
			Parts: []props.Part{fit.part("exponent of d", -1+v.dose)},
			Facts: []props.Fact{props.Measured("exponent of d in E‖R‖", fit.slope, -1)},
			Figures: []props.Figure{{
				ID:    "dimension",
				Title: "The remainder against the dimension",
				Caption: fmt.Sprintf("Mean length of the remainder against the dimension, on logarithmic axes. For the isotropic target "+
					"with r = %d the points lie on √(r/π)/d. A target with a linear part has a remainder that does not fall; for He₄, "+
					"whose Hessian has mean zero, the remainder is the whole gradient and falls as d^(−3/2).", ladderR),
				X: props.Axis{Label: "dimension d", Log: true}, Y: props.Axis{Label: "E‖R‖", Log: true},
				Curves: []props.Curve{
					curve("isotropic, r = 4", props.Points, cells, all, isotropic, alongD, lengthOf),
					curve("√(r/π)/d", props.Dashed, cells, all, isotropic, alongD, claimed),
					curve("with a linear part", props.Points, cells, all, withLinear, alongD, lengthOf),
					curve("He₄, H = 0", props.Points, cells, all, quartic, alongD, lengthOf),
				},
			}},
		}
	})
}

// hessianDirections says that the mean remainder grows as √r.
func hessianDirections(v hessianTrial) props.LegacyCheck {
	return v.sweep("growth with the latent directions", func(cells []neuronCell, all [][]block) props.Judgement {
		fit := v.fit(cells, all, alongR, v.length, blockScatter, nil)
		timesD := func(c neuronCell, b block) float64 { return b.remainder * float64(c.D) }
		claimedTimesD := func(c neuronCell, _ block) float64 { return c.isotropic().Remainder() * float64(c.D) }
		return props.Judgement{
			Parts: []props.Part{fit.part("exponent of r", 0.5+v.dose)},
			Facts: []props.Fact{props.Measured("exponent of r in E‖R‖", fit.slope, 0.5)},
			Figures: []props.Figure{{
				ID:    "directions",
				Title: "The remainder against the number of latent directions",
				Caption: fmt.Sprintf("Mean length of the remainder times d = %d, on logarithmic axes. For a Hessian of one sign the points lie on √(r/π); "+
					"for alternating signs, whose trace vanishes, the remainder hardly grows.", ladderD),
				X: props.Axis{Label: "latent directions r", Log: true}, Y: props.Axis{Label: "d E‖R‖", Log: true},
				Curves: []props.Curve{
					curve("isotropic", props.Points, cells, all, isotropic, alongR, timesD),
					curve("√(r/π)", props.Dashed, cells, all, isotropic, alongR, claimedTimesD),
					curve("alternating signs", props.Points, cells, all, alternating, alongR, timesD),
				},
			}},
		}
	})
}

// hessianDominance says that the remainder is of order d^(−1/2) relative to the gradient, so that Hŵ leads.
//
// For the isotropic target ‖R‖ ∝ ρ² and ‖∇‖ ∝ ρ√(1−¾ρ²). The latter lies between ρ−¾ρ³ and ρ, and Eρ³/Eρ = (r+1)/(d+1)
// for ρ² ~ Beta(r/2, (d−r)/2): the logarithm bends by at most −log(1−¾(r+1)/(d+1)). A block scatters less than E‖R‖ alone.
func hessianDominance(v hessianTrial) props.LegacyCheck {
	return v.sweep("remainder relative to the gradient", func(cells []neuronCell, all [][]block) props.Judgement {
		relative := func(_ neuronCell, b block) float64 { return b.remainder / b.gradient }
		bend := func(c neuronCell) float64 { return -math.Log1p(-0.75 * float64(c.R+1) / float64(c.D+1)) }
		fit := v.fit(cells, all, alongD, relative, blockScatter, bend)
		return props.Judgement{
			Parts: []props.Part{fit.part("exponent of d in E‖R‖/E‖∇‖", -0.5+v.dose)},
			Facts: []props.Fact{props.Measured("exponent of d in E‖R‖/E‖∇‖", fit.slope, -0.5)},
		}
	})
}
