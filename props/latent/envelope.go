package latent

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/impl/population"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/latent"
)

// envelopeCell is a set of networks of the largest width for the isotropic target with r directions.
type envelopeCell struct{ D, R, Networks int }

// widths are the numbers of neurons at which the largest remainder is read. A network of 256 neurons is also four
// networks of 64, and so on.
var widths = []int{1, 4, 16, 64, 256}

// hessianEnvelope says that the mean over networks of max_{j≤m} √‖Rⱼ‖ stays below the root of the envelope, for
// every m.
//
// √‖R‖ = ρ/(πr)^(1/4) with ρ a Lipschitz function on the sphere, and so is the largest of several as a function on the
// product of the spheres: it is sub-Gaussian with variance proxy 1/(d−1)/√(πr), which gives an interval for its mean
// without any assumption on its law.
func hessianEnvelope(v hessianTrial) props.LegacyCheck {
	share := "networks"
	if v.axes {
		share = "networks along the axes"
	}
	return props.LegacySweep[envelopeCell, [][]float64]{
		Name: "envelope over neurons", Share: share, Replicates: 2,
		Cells: func(e props.Effort) []envelopeCell {
			n := props.Scale{Quick: 64, Standard: 256, Deep: 4096}.At(e)
			return []envelopeCell{{64, 1, n}, {64, 4, n}}
		},
		Measure: func(t *props.Trial, c envelopeCell) [][]float64 { return measureLargest(t, c, v.axes) },
		Judge: func(cells []envelopeCell, largest [][][]float64) props.Judgement {
			return judgeEnvelope(v, cells, largest)
		},
	}.Check()
}

// measureLargest returns max_{j≤m} √‖Rⱼ‖ for each width m (rows) and each network of that width (columns).
func measureLargest(t *props.Trial, c envelopeCell, axes bool) [][]float64 {
	target := isotropic.expansion(c.R)
	f := monomials(target)
	out := make([][]float64, len(widths))
	largest := make([]float64, len(widths)) // of the network of each width that is being filled
	for j := 1; j <= c.Networks*widths[len(widths)-1]; j++ {
		_, direction := drawNeuron(t, c.D)
		if axes {
			direction = make([]float64, c.D)
			direction[t.Rand.IntN(c.D)] = 1
		}
		g := population.Neuron{A: 1, W: direction}.Gradient(f)
		root := math.Sqrt(norm(plus(g, -1, theory.Leading(target, 1, direction))))
		for i, m := range widths {
			if largest[i] = max(largest[i], root); j%m == 0 {
				out[i] = append(out[i], largest[i])
				largest[i] = 0
			}
		}
	}
	return out
}

func judgeEnvelope(v hessianTrial, cells []envelopeCell, largest [][][]float64) props.Judgement {
	var j props.Judgement
	fig := props.Figure{
		ID:    "envelope",
		Title: "The largest remainder of a network",
		Caption: "Largest remainder among m neurons times d/√r, averaged over networks, against m on a logarithmic axis. Error bars hold with probability 1−10⁻⁸. " +
			"The points stay below the envelope (√r+√(2 ln m))²/(r√π) and keep growing, faster for one latent direction than for four: no constant bounds them.",
		X: props.Axis{Label: "neurons m", Log: true}, Y: props.Axis{Label: "(E max √‖R‖)² d/√r"},
	}
	for i, c := range cells {
		closed := theory.Isotropic{D: c.D, R: c.R}
		unit := float64(c.D) / math.Sqrt(float64(c.R))
		points := props.Curve{Name: fmt.Sprintf("largest, r = %d", c.R), Style: props.Points}
		bound := props.Curve{Name: fmt.Sprintf("envelope, r = %d", c.R), Style: props.Dashed}
		alpha := stat.PartAlpha / float64(len(widths))
		worst := props.Ratio{}
		for k, m := range widths {
			sigma := math.Sqrt(1 / (float64(c.D-1) * math.Sqrt(math.Pi*float64(c.R))))
			mean := stat.SubGaussianMean(largest[i][k], sigma, alpha)
			claimed := closed.Envelope(m)
			if v.constant {
				claimed = closed.Envelope(1)
			}
			root := math.Sqrt(claimed / (1 + v.dose))
			worst = props.Worst(worst, below(mean, root))
			points.X, points.Y = append(points.X, float64(m)), append(points.Y, unit*mean.Estimate*mean.Estimate)
			points.Lo, points.Hi = append(points.Lo, unit*math.Pow(max(0, mean.Lo), 2)), append(points.Hi, unit*mean.Hi*mean.Hi)
			bound.X, bound.Y = append(bound.X, float64(m)), append(bound.Y, unit*closed.Envelope(m))
		}
		j.Parts = append(j.Parts, props.Part{Name: fmt.Sprintf("envelope, r = %d", c.R), Ratio: worst, Alpha: stat.PartAlpha})
		last := len(widths) - 1
		j.Facts = append(j.Facts, props.Noted(fmt.Sprintf("largest of %d remainders times d/√r at r = %d, at most", widths[last], c.R), points.Y[last], bound.Y[last]))
		fig.Curves = append(fig.Curves, points, bound)
	}
	j.Figures = []props.Figure{fig}
	return j
}

// below is the ratio of an upper bound for a measured mean: it holds when the whole interval lies below the bound, and is
// refuted when the whole interval lies above.
func below(mean stat.Interval, bound float64) props.Ratio {
	if !mean.Valid() {
		return props.Worst()
	}
	return props.Ratio{Value: props.Within(mean.Hi, bound).Value, Lower: props.Within(max(0, mean.Lo), bound).Lower}
}
