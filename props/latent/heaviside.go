package latent

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/internal/impl/rkhs"
	"github.com/thm-suite/thm/internal/impl/smoothing"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// heaviside trains networks on samples of a step, and interpolates them with kernels.
var heaviside = props.Spec{
	Statement: &theory.Heaviside,
	Along: &props.Along{Param: "n", From: 8, To: 48, Of: []string{"root"}, Points: "trained network", Places: 5,
		Reps: 1, Draw: true},
	Try: &props.Simulation{Run: tryHeaviside, Draw: drawHeaviside},
	Checks: []props.Check{props.Grid[int, stepRun, heavisideClaim]{
		Name:     "excess and overshoot",
		Cells:    runs(64, 144),
		Measure:  func(t *props.Trial, _ int) stepRun { return measureStep(t, 0) },
		Claim:    heavisideClaim{good: 1. / 3, bad: 0.5, over: 0.1},
		Conclude: concludeHeaviside,
		Controls: []props.WrongCell[int, stepRun, heavisideClaim]{
			{Name: "a network as drawn", Assumption: "trained", Criterion: "excess of the network",
				Alter: func(_ int, s *stepRun) { s.Network = s.Untrained }},
			{Name: "noise of size 0.3", Assumption: "noiseless", Criterion: "excess of the network",
				Measure: func(t *props.Trial, _ int) stepRun { return measureStep(t, 0.3) }, On: props.First(40)},
			{Name: "noise of size 0.3, Laplace kernel", As: "noise of size 0.3", Assumption: "noiseless",
				Criterion: "excess of the Laplace kernel"},
			{Name: "a Gaussian kernel for the network", Criterion: "overshoot of the network",
				Alter: func(_ int, s *stepRun) { s.Network = s.Gaussian }},
			{Name: "a Laplace kernel for the Gaussian one", Criterion: "excess of the Gaussian kernel",
				Alter: func(_ int, s *stepRun) { s.Gaussian = s.Laplace }},
			{Name: "a Laplace kernel for the Gaussian one, overshoot", Criterion: "overshoot of the Gaussian kernel",
				Alter: func(_ int, s *stepRun) { s.Gaussian.Over = s.Laplace.Over }},
		},
		Replicates: 1,
		Chosen: map[string][]string{"sizes and bounds": {"excess of the network", "excess of the Laplace kernel",
			"excess of the Gaussian kernel", "overshoot of the network", "overshoot of the Gaussian kernel"}},
	}},
}.Claim()

const networkSize, networkWidth, networkSteps, networkRate = 16, 40, 1000, 0.03

// heavisideClaim holds the claimed bounds: on the excess, as a share of the error, from above for good fits and from
// below for bad ones; and on the overshoot, as a share of the range.
type heavisideClaim struct{ good, bad, over float64 }

// stepRun holds fits of the same samples.
type stepRun struct{ Network, Untrained, Gaussian, Laplace onRamp }

// onRamp holds the squared distance of a fit from the ramp, as a share of its mean error over the jump, and the share
// of its range outside [0, 1].
type onRamp struct{ Excess, Over float64 }

func measureStep(t *props.Trial, noise float64) (out stepRun) {
	f := stepOn(networkSize, networkSize*3/8+t.Rand.IntN(networkSize/4))
	y, net := noisy(t.Rand, f.labels(), noise), smoothing.NewNetwork(t.Rand, networkWidth)
	out.Gaussian, out.Laplace = f.gaussian(y).onRamp(), f.laplace(y).onRamp()
	out.Untrained = f.network(net).onRamp()
	net.Train(f.centred(), y, networkSteps, networkRate)
	out.Network = f.network(net).onRamp()
	return out
}

// stepOn returns a step on a grid of length 2.
func stepOn(n, before int) stepFit {
	f := stepFit{N: n, CellRamp: theory.CellRamp{Spacing: 2 / float64(n-1), To: 1}, Before: before}
	f.breaks = list.Fill(n, f.place)
	return f
}

func (f stepFit) gaussian(y []float64) stepFit { return f.interpolate(rkhs.Gaussian(0.3), y, 1e-10) }

func (f stepFit) laplace(y []float64) stepFit { return f.interpolate(rkhs.Laplace(1), y, 1e-10) }

// centred returns the places of the samples, shifted to [−1, 1].
func (f stepFit) centred() []float64 {
	return list.Fill(f.N, func(i int) float64 { return f.place(i) - 1 })
}

// network makes a network on [−1, 1] the fitted function.
func (f stepFit) network(n *smoothing.Network) stepFit {
	f.breaks = slices.Clone(f.breaks)
	return f.of(line{w: n.W, b: floats.SubTo(make([]float64, len(n.B)), n.B, n.W), a: n.A, constant: n.Constant()})
}

func (f stepFit) onRamp() (out onRamp) {
	measured := f.measure(1, uniformJump)
	out.Excess = measured.Distance / measured.Mean
	values := list.Map(f.finely(), f.at)
	out.Over = 1 - 1/(max(1, floats.Max(values))-min(0, floats.Min(values)))
	return out
}

// finely returns eight places in every cell.
func (f stepFit) finely() []float64 {
	return list.Fill(8*(f.N-1)+1, func(i int) float64 { return float64(i) * f.Spacing / 8 })
}

func concludeHeaviside(r *props.Record, _ []int, all []stepRun, claim heavisideClaim) {
	judge := func(name string, of func(stepRun) float64, bound float64, isBelow bool) {
		draws := list.Map(all, of)
		if iv := stat.Median(draws, stat.CriterionAlpha); isBelow {
			r.MeasuredBelow("median "+name, iv, bound)
			below(r, name, draws, bound)
		} else {
			r.MeasuredAbove("median "+name, iv, bound)
			above(r, name, draws, bound)
		}
	}
	judge("excess of the network", func(s stepRun) float64 { return s.Network.Excess }, claim.good, true)
	judge("excess of the Laplace kernel", func(s stepRun) float64 { return s.Laplace.Excess }, claim.good, true)
	judge("excess of the Gaussian kernel", func(s stepRun) float64 { return s.Gaussian.Excess }, claim.bad, false)
	judge("overshoot of the network", func(s stepRun) float64 { return s.Network.Over }, claim.over, true)
	judge("overshoot of the Gaussian kernel", func(s stepRun) float64 { return s.Gaussian.Over }, claim.over, false)
}

// trainedAt trains a network at a user's sizes, on a step in the middle.
func trainedAt(t *props.Trial, v statement.Values) (f, network stepFit) {
	f = stepOn(v.Int("n"), v.Int("n")/2)
	net := smoothing.NewNetwork(t.Rand, v.Int("m"))
	net.Train(f.centred(), f.labels(), v.Int("steps"), networkRate)
	return f, f.network(net)
}

func tryHeaviside(t *props.Trial, v statement.Values) (map[string]float64, error) {
	_, network := trainedAt(t, v)
	mean := network.measure(1, uniformJump).Mean
	return map[string]float64{"error": mean, "root": math.Sqrt(mean / 2)}, nil
}

// drawHeaviside draws the fits.
func drawHeaviside(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	f, network := trainedAt(t, v)
	y := f.labels()
	samples := props.Curve{Name: "samples", Style: props.Points}
	for i, label := range y {
		samples.Add(f.place(i)-1, label)
	}
	curves := []props.Curve{samples}
	for _, fit := range []struct {
		name string
		at   func(x float64) float64
	}{{"network", network.at}, {"Gaussian kernel", f.gaussian(y).at}, {"Laplace kernel", f.laplace(y).at}} {
		c := props.Curve{Name: fit.name, Style: props.Line}
		for _, x := range f.finely() {
			c.Add(x-1, fit.at(x))
		}
		curves = append(curves, c)
	}
	return []props.Figure{{ID: "fits", Title: "A step, a trained network and kernels", X: props.Axis{Label: "x"},
		Y: props.Axis{Label: "f(x)"}, Curves: curves,
		Caption: fmt.Sprintf("Fits of %d noiseless samples of a step. The network and the Laplace kernel draw a ramp "+
			"between the samples next to the jump; the Gaussian kernel overshoots.", f.N)}}, nil
}
