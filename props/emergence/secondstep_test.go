package emergence

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/props"
)

// worked returns the worked network of two steps, with its inputs: D = 12, k = 3, p_o = 0.3, λ = 1/2, four neurons and
// their mirrors.
func worked() (truncated.Net, data.Sample) {
	law := data.Wide{Dim: 12, Support: props.Indices(3), Accept: data.Parity(3), Pattern: data.Uniform(3, 0.5),
		Background: 0.3}
	w := mat.NewDense(4, 12, nil)
	a := []float64{1, -0.7, 0.4, 1.3}
	for i := range a {
		a[i] *= law.Deviation() * law.Deviation() / (0.25 * 9)
		for l := range 12 {
			w.Set(i, l, math.Cos(1+float64(l)+2.3*float64(i))/3)
		}
	}
	return truncated.Paired(w, []float64{0.05, -0.03, 0.11, -0.08}, a), listInputs(law, func(_ int,
		p float64) float64 {
		return p
	})
}

func near(t *testing.T, what string, got, want, relative float64) {
	t.Helper()
	if !(math.Abs(got-want) <= relative*math.Abs(want)) {
		t.Errorf("%s: got %.12g, want %.12g within %.1g of it", what, got, want, relative)
	}
}

// The numbers were computed independently, to the given digits, with a rounding of 10⁻¹⁶ in T.
func TestTwoStepsOfTheWorkedNetwork(t *testing.T) {
	start, s := worked()
	gate := truncated.Smooth(math.Pow(3, -1.5))
	for _, c := range []struct{ rate, outside, ratio, loss, digits float64 }{
		{1e-1, 1.1519706e-6, 2.4502e-5, 0.98541010, 1e-4}, {1e-2, 1.0019543e-8, 1.9415e-7, 0.99854202, 1e-4},
		{1e-3, 9.8569778e-11, 1.8927e-9, 0.99985420, 1e-4}, {1e-4, 9.8406e-13, 1.8878e-11, 0.99998542, 1e-3},
	} {
		net, first := start.Descend(s, truncated.Step{Rate: c.rate, Noise: gate, KeepA: 1})
		g := net.Gradient(s, gate)
		on, outside, onFirst, outsideFirst := math.Inf(1), 0.0, math.Inf(1), 0.0
		for i := range net.A {
			for j := range 12 {
				second, one := math.Abs(g.W.At(i, j)/net.A[i]), math.Abs(first.W.At(i, j)/start.A[i])
				if j < 3 {
					on, onFirst = min(on, second), min(onFirst, one)
				} else {
					outside, outsideFirst = max(outside, second), max(outsideFirst, one)
				}
			}
		}
		near(t, "largest T outside", outside, c.outside, c.digits)
		near(t, "ratio", outside/on, c.ratio, 2*c.digits)
		near(t, "loss", g.Loss, c.loss, 1e-8*3)
		near(t, "ratio of the first step", outsideFirst/onFirst, 0.09271, 1e-3)
		if c.rate == 1e-3 {
			near(t, "bias", net.B[0], 0.049924563611, 1e-10)
			near(t, "output weight", net.A[0], 1.173307919185, 1e-12)
			for j, want := range []float64{0.08674825522999, 0.08806651056331, 0.08760793586857} {
				near(t, "first T on A", -first.W.At(0, j)/start.A[0], want, 1e-12)
				near(t, "second T on A", -g.W.At(0, j)/net.A[0], 0.0926790158, 1e-9)
			}
			for j, want := range []float64{3.908287e-12, -4.792528e-12, -2.623175e-11, -1.772073e-11, 1.746368e-12,
				1.806294e-12,
				2.705136e-12, -6.0485e-14, -2.116295e-11} {
				if got := -g.W.At(0, j+3) / net.A[0]; !(math.Abs(got-want) <= 1e-15) {
					t.Errorf("second T outside: got %v, want %v", got, want)
				}
			}
		}
	}
	// Without noise and with a large first step.
	net, _ := start.Descend(s, truncated.Step{Rate: 1e-3, Noise: gate, KeepA: 1})
	g := net.Gradient(s, 0)
	for i, b := range net.B {
		want := 0.1538643637
		if b < 0 {
			want = 0
		}
		if got := -g.W.At(i, 0) / net.A[i]; !(math.Abs(got-want) <= 1e-10) {
			t.Errorf("neuron %d without noise: T = %v, want %v", i, got, want)
		}
	}
	net, _ = start.Descend(s, truncated.Step{Rate: 5, Noise: gate, KeepA: 1})
	if g = net.Gradient(s, gate); !(g.Passing < 0.9) {
		t.Errorf("after a first step of 5 a share %v is inside its margin", g.Passing)
	}
}

// The first gradient of the worked neuron q_l = cos(l+1)/3, b = 0.05, without noise.
func TestFirstStepOfTwelveBits(t *testing.T) {
	_, s := worked()
	w := mat.NewDense(1, 12, nil)
	for l := range 12 {
		w.Set(0, l, math.Cos(float64(l+1))/3)
	}
	g := truncated.Paired(w, []float64{0.05}, []float64{-1}).Gradient(s, 0)
	for j, want := range []float64{0.08417917306416, 0.08877974461964, 0.08293597939348, 3.711211107187e-4,
		4.156545389516e-5,
		3.885916972123e-3, 2.672159092867e-3, -4.896172963043e-4, 1.975030049045e-3, -4.574915711414e-4,
		-1.378983626063e-4,
		2.684078811261e-3} {
		near(t, "T", g.W.At(0, j), want, 1e-11)
	}
}
