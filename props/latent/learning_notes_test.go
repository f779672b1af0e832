package latent

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/thm-suite/thm/impl/latent"
	"github.com/thm-suite/thm/impl/rkhs"
	"github.com/thm-suite/thm/props/latent/target"
)

// Errors that our notes have from another program: medians over a few data sets here, of 2 to 16 there.
func TestErrorsOfTheNotes(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	median := func(sets int, of func() float64) float64 {
		var draws []float64
		for range sets {
			draws = append(draws, of())
		}
		slices.Sort(draws)
		return draws[sets/2]
	}
	algorithm := func(f target.Named, d, n, m int, done string) func() float64 {
		return func() float64 {
			e, _ := newProblem(r, f, n, d, 1500).learn(r, m, done)
			return e
		}
	}
	kernel := func(k rkhs.Kernel, d, n int, learned bool) func() float64 {
		return func() float64 {
			p, mapped := newProblem(r, target.Mixed(3), n, d, 600), withBias
			if learned {
				_, rest := latent.Preprocess(p.Train.X, p.Train.Y)
				mapped = learnedMetric(latent.Symmetric(r, 500, d).FirstGradient(p.Train.X, rest))
			}
			return p.regress(k, mapped)
		}
	}
	g3, d := target.Mixed(3), 20
	for _, c := range []struct {
		name            string
		got             float64
		want, tolerance float64
	}{
		{"n = 800", median(9, algorithm(g3, d, 800, 300, "")), .188, .06},
		{"n = 1600", median(9, algorithm(g3, d, 1600, 300, "")), .08, .03},
		{"n = 1600 without the step", median(5, algorithm(g3, d, 1600, 300, "no step")), .79, .08},
		{"He₃, n = 4d²", median(9, algorithm(target.Pure(3), d, 1600, 500, "")), .36, .15},
		{"two directions, n = 8d²", median(5, algorithm(target.TwoDirections(), d, 3200, 300, "")), .09, .05},
		{"rank 1, n = 8d²", median(5, algorithm(target.Degenerate(), d, 3200, 300, "")), .42, .12},
		{"tangent kernel, n = 400", median(5, kernel(rkhs.NeuralTangent(), d, 400, false)), .761, .15},
		{"random features", median(5, kernel(rkhs.RandomFeatures(), d, 400, false)), .808, .15},
		{"polynomial kernel", median(5, kernel(rkhs.Polynomial(3, 20), d, 400, false)), .723, .15},
		{"Gaussian kernel", median(5, kernel(rkhs.Gaussian(math.Sqrt(20)), d, 400, false)), .711, .15},
		{"tangent kernel, learned metric", median(5, kernel(rkhs.NeuralTangent(), d, 400, true)), .277, .12},
		{"random features, learned metric", median(5, kernel(rkhs.RandomFeatures(), d, 400, true)), .208, .1},
	} {
		if !(math.Abs(c.got-c.want) <= c.tolerance) {
			t.Errorf("%s: %.3f, in our notes %v within %v", c.name, c.got, c.want, c.tolerance)
		}
	}
}

// Errors after transfer from n = 4d² samples, and from a first layer as drawn.
func TestTransferOfTheNotes(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	for _, c := range []struct {
		n, count        int
		want, tolerance float64
	}{{0, 400, 1.0, 0.15}, {1600, 400, 0.22, 0.1}, {1600, 1000, 0.151, 0.08}} {
		sum := 0.0
		for range 3 {
			e, _ := transferred(r, 20, c.n, c.count, 400, "")
			sum += e / 3
		}
		if !(math.Abs(sum-c.want) <= c.tolerance) {
			t.Errorf("n = %d, N = %d: %.3f, in our notes %v within %v", c.n, c.count, sum, c.want, c.tolerance)
		}
	}
}
