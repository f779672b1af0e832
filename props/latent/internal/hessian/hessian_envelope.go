package hessian

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/latent"
)

// networks describes Count networks of the largest width, for the isotropic target with R directions.
type networks struct{ D, R, Count int }

// widths holds the numbers of neurons at which the largest remainder is measured. A network of 256 neurons is also four
// networks of 64, and so on.
var widths = []int{1, 4, 16, 64, 256}

func networkCells(e props.Effort) []networks {
	n := props.Scale{Quick: 48, Standard: 256, Deep: 4096}.At(e)
	return []networks{{2, 1, n}, {16, 1, n}, {64, 1, n}, {3, 2, n}, {64, 4, n}}
}

// remainders holds the mean and the largest of max_{j≤m} √‖Rⱼ‖, over networks of one width m.
type remainders struct {
	Mean, Largest float64
	Count         int
}

// measureLargest returns an entry for each width.
func measureLargest(t *props.Trial, c networks) []remainders {
	return c.largest(t.Rand, func(r *rand.Rand) []float64 { return direction(r, nil, c.D) })
}

// measureAxes draws a quarter of the networks, because its result is far off. With 256 neurons, all but one network in
// 10⁷ have a neuron along the latent direction, the first of the sixteen axes.
func measureAxes(t *props.Trial, c networks) []remainders {
	c.Count /= 4
	return c.largest(t.Rand, func(r *rand.Rand) []float64 {
		w := make([]float64, c.D)
		w[r.IntN(16)] = 1
		return w
	})
}

// largest draws the neurons from the given law of directions.
func (c networks) largest(r *rand.Rand, neuron func(*rand.Rand) []float64) []remainders {
	f := theory.Isotropic{D: c.D, R: c.R}.Target()
	p := target.Monomials(f)
	out, largest := make([][]float64, len(widths)), make([]float64, len(widths)) // of the network that is being filled
	for j := 1; j <= c.Count*slices.Max(widths); j++ {
		w := neuron(r)
		root := math.Sqrt(floats.Norm(target.Plus(inPair(p, 1, w), -1, theory.Leading(f, 1, w)), 2))
		for i, m := range widths {
			if largest[i] = max(largest[i], root); j%m == 0 {
				out[i] = append(out[i], largest[i])
				largest[i] = 0
			}
		}
	}
	return list.Map(out, func(xs []float64) remainders {
		return remainders{floats.Sum(xs) / float64(len(xs)), slices.Max(xs), len(xs)}
	})
}

// envelopeAlpha is the error probability of an interval, so small that it needs no share of the suite's budget.
const envelopeAlpha = 1e-15

// interval returns an interval for E max √‖R‖ from independent networks. √‖R‖ = ρ/(πr)^{1/4}, where ρ is a Lipschitz
// function on the sphere, and so is the largest of several on the product of the spheres: its variance proxy is
// 1/(d−1)/√(πr), and the variance proxy of the mean is that over the number of networks.
func (m remainders) interval(c networks) stat.Interval {
	sigma := math.Sqrt(1 / (float64(c.D-1) * math.Sqrt(math.Pi*float64(c.R)) * float64(m.Count)))
	return stat.Normal(sigma).Mean([]float64{m.Mean}, envelopeAlpha)
}

// envelopeClaim holds the quantity of the largest remainders that is bounded, and the square of its bound.
type envelopeClaim struct {
	bounded func(c networks, m remainders) float64
	bound   func(t theory.Isotropic, m int) float64
}

// leastMean returns the lower end of the interval for the mean.
func leastMean(c networks, m remainders) float64 { return m.interval(c).Lo }

// judgeEnvelope refutes the bound only if a whole interval lies above it.
func judgeEnvelope(r *props.Record, c networks, largest []remainders, claim envelopeClaim) {
	r.RegimeOf(c.R > 1)
	for i, m := range widths {
		bound := math.Sqrt(claim.bound(theory.Isotropic{D: c.D, R: c.R}, m))
		r.AtMost(largestOnAverage, claim.bounded(c, largest[i]), bound, 1e-9*bound)
	}
}

func envelopeFigure(r *props.Record, cells []networks, largest [][]remainders, _ envelopeClaim) {
	fig := props.Figure{
		ID:    "envelope",
		Title: "The largest remainder of a network",
		Caption: "Largest remainder among m neurons times d/√r, averaged over networks, for d = 64, against m on a " +
			"logarithmic axis. Error bars hold with probability 1−10⁻¹⁵. The points stay below the envelope (√r+√(2 " +
			"ln m))²/(r√π) and keep growing, faster for one latent direction than for four: no constant bounds them.",
		X: props.Axis{Label: "neurons m", Log: true}, Y: props.Axis{Label: "(E max √‖R‖)² d/√r"},
	}
	for i, c := range cells {
		if c.D != 64 || c.R > 4 {
			continue
		}
		unit := float64(c.D) / math.Sqrt(float64(c.R))
		points := props.Curve{Name: fmt.Sprintf("largest, r = %d", c.R), Style: props.Points}
		bound := props.Curve{Name: fmt.Sprintf("envelope, r = %d", c.R), Style: props.Dashed}
		for k, m := range widths {
			mean := largest[i][k].interval(c)
			points.AddInterval(float64(m), unit*mean.Estimate*mean.Estimate, unit*math.Pow(max(0, mean.Lo), 2),
				unit*mean.Hi*mean.Hi)
			bound.Add(float64(m), unit*theory.Isotropic{D: c.D, R: c.R}.Envelope(m))
		}
		last := len(widths) - 1
		name := fmt.Sprintf("(E max √‖R‖)² d/√r of %d neurons at r = %d", widths[last], c.R)
		r.MeasuredValueBelow(name, points.Y[last], bound.Y[last])
		fig.Curves = append(fig.Curves, points, bound)
	}
	r.Figure(fig)
}
