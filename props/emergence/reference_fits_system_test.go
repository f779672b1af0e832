//go:build system

package emergence

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/optim"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
)

// fitToTheEnd minimises the hinge loss of the output weights on the samples by L-BFGS, the kink smoothed over 0.02. The
// features are scaled to mean square 1.
func fitToTheEnd(t *testing.T, net truncated.Net, s data.Sample) truncated.Net {
	t.Helper()
	const smoothing = 0.02
	features := net.Features(s, 0)
	n, p := features.Dims()
	scale := make([]float64, p)
	for j := range scale {
		if size := mat.Norm(features.ColView(j), 2); size > 0 {
			scale[j] = math.Sqrt(float64(n)) / size
		}
	}
	features.Apply(func(_, j int, v float64) float64 { return v * scale[j] }, features)
	out, slopes := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	loss := func(grad, w []float64) float64 {
		out.MulVec(features, mat.NewVecDense(p, w))
		sum := 0.0
		for i, y := range s.Y {
			deficit := 1 - y*out.AtVec(i)
			open := min(1, max(0, deficit/smoothing))
			sum += s.P[i] * open * (deficit - smoothing*open/2)
			slopes.SetVec(i, -s.P[i]*open*y)
		}
		mat.NewVecDense(p, grad).MulVec(features.T(), slopes)
		return sum
	}
	// 400 evaluations end at the same point.
	best, _ := optim.LBFGS(loss, make([]float64, p), optim.Stop{Gradient: 1e-4, Evaluations: 60})
	for j := range scale {
		best.X[j] *= scale[j]
	}
	return truncated.Net{W: net.W, B: net.B, A: best.X}
}

// The best second layer on the features of each step at D = 100, k = 5, m = 300, λ = 1/2. Three runs with 25000 samples
// a step had these ranges of accuracy and loss. Here a step has 10000 samples, and the ranges are wider by 0.02, three
// deviations of 5000 tests. After small steps all neurons except a few that inputs bend are affine. An affine function
// has a loss of at least λ, which classifiers between a single bit (accuracy 3/4) and the sign of the sum (27/32)
// attain: the runs had 0.746 to 0.776 after the first step. The source reports about 52 % there, without saying how it
// trained.
func TestReferenceFits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	size := netSizes{fair(100, 5, 0.5), 300, 10000}
	law, nets := descendTwice(r, size, asStated)
	step := truncated.Step{Noise: truncated.Smooth(math.Pow(5, -1.5)), KeepA: 1, Rate: 1}
	large, _ := nets[0].Descend(law.Draw(r, size.samples), step)
	step.Rate = 1e-3
	small, _ := nets[1].Descend(law.Draw(r, size.samples), step)
	fresh, many, few := drawTests(r, law, 5000, 300), law.Draw(r, 10000), law.Draw(r, 3000)
	const wide = 0.02
	for _, c := range []struct {
		what              string
		net               truncated.Net
		samples           data.Sample
		low, high         float64
		lossLow, lossHigh float64
	}{
		{"initial neurons", halfOf(nets[0]), many, 0.768 - wide, 0.773 + wide, 0.525 - wide, 0.534 + wide},
		{"one step", nets[1], few, 0.746 - wide, 27./32 + wide, 0.44 - wide, 0.51 + wide},
		{"two steps", nets[2], few, 1, 1, 0, 1e-3},
		{"one step of 1", large, few, 1, 1, 0, 1e-3},
		{"a second step of 10⁻³", small, few, 0.69 - wide, 27./32 + wide, 0.494 - wide, 0.499 + wide},
	} {
		best := fitToTheEnd(t, c.net, c.samples)
		wrong, _ := best.Score(fresh.drawn)
		_, loss := best.Score(fresh.crossed)
		t.Logf("%s: accuracy %.4f, loss %.5f", c.what, 1-float64(wrong)/5000, loss)
		between(t, c.what+": accuracy", 1-float64(wrong)/5000, c.low, c.high)
		between(t, c.what+": loss", loss, c.lossLow, c.lossHigh)
	}
}

// halfOf returns a paired network without the mirrors, whose features before training are duplicates.
func halfOf(net truncated.Net) truncated.Net {
	_, d := net.W.Dims()
	half := len(net.A) / 2
	return truncated.Net{W: net.W.Slice(0, half, 0, d).(*mat.Dense), B: net.B[:half], A: net.A[:half]}
}
