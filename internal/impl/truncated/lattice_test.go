package truncated_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/truncated"
)

// parity is the mixture law of the parity of the first k bits.
func parity(dim, k int, background, uniform float64) data.Wide {
	support := make([]int, k)
	for i := range support {
		support[i] = i
	}
	return data.Wide{Dim: dim, Support: support, Accept: data.Parity(k), Pattern: data.Uniform(k, uniform),
		Background: background}
}

// sevens are the weights ((7l + 3) mod 41 − 20)/(12k) of worked examples with many bits.
func sevens(law data.Wide) truncated.Lattice {
	l := truncated.Lattice{Law: law, Unit: 1 / (12 * float64(len(law.Support)) * law.Deviation()), Bias: 0.0313}
	for j := range law.Dim {
		l.Steps = append(l.Steps, (7*j+3)%41-20)
	}
	return l
}

// Values that were computed apart, to the digits given: k = 5, λ = 1/2, D = 100.
func TestLatticeOfAHundredBits(t *testing.T) {
	for _, c := range []struct{ background, sigma, first, outside, cosine float64 }{
		{0.5, 5, 0.028031262392, 6.722805e-5, 0.999980904},
		{0.1, 3.130495168, 0.045354454595, 2.715526e-4, 0.999947519},
	} {
		l := sevens(parity(100, 5, c.background, 0.5))
		m := l.Moments()
		outside, on, square := 0.0, 0.0, 0.0
		for j, x := range m {
			square += x * x
			if j < 5 {
				on += x
			} else {
				outside = max(outside, math.Abs(x))
			}
		}
		close(t, "σ̃", l.Law.Deviation(), c.sigma, 1e-9)
		close(t, "T on A", m[0], c.first, 1e-12)
		close(t, "largest T outside", outside, c.outside, 1e-10)
		close(t, "cosine", on/math.Sqrt(5*square), c.cosine, 1e-9)
	}
}

// The moments agree with the gradient of a pair of neurons, summed over all inputs, at weights of both signs, zero and
// repeated; supports anywhere; any background and labels.
func TestLatticeAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		k := 1 + r.IntN(4)
		dim := k + r.IntN(9-k)
		odds := data.Odds{One: r.Int64N(9), Zero: 2}
		h := data.NewHidden(dim, r.Perm(dim)[:k], data.Parity(k), data.Mixture(k, 1+r.Int64N(3), r.Int64N(3)), odds)
		slices.Sort(h.Support)
		law := data.Wide{Dim: dim, Support: h.Support, Accept: h.Accept, Pattern: make([]float64, 1<<k),
			Background: float64(odds.One) / float64(odds.One+odds.Zero)}
		for s, w := range h.Weight {
			pattern := 0
			for b, j := range h.Support {
				pattern |= s >> j & 1 << b
			}
			law.Pattern[pattern] += float64(w) / float64(h.Total())
		}
		l := truncated.Lattice{Law: law, Unit: 0.11, Bias: 0.0123, Steps: make([]int, dim)}
		w := mat.NewDense(1, dim, nil)
		for j := range l.Steps {
			l.Steps[j] = r.IntN(7) - 3
			w.Set(0, j, float64(l.Steps[j])*l.Unit*law.Deviation())
		}
		identity := mat.NewDense(dim, dim, nil)
		for j := range dim {
			identity.Set(j, j, 1)
		}
		grad := truncated.Paired(w, []float64{l.Bias}, []float64{1}).HingeGradient(h.Inputs(identity))
		for j, got := range l.Moments() {
			close(t, "moment", got, -grad.At(0, j), 1e-14)
		}
	}
}

func BenchmarkLattice(b *testing.B) {
	l := sevens(parity(1000, 7, 0.5, 0.5))
	for b.Loop() {
		l.Moments()
	}
}
