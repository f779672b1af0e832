package emergence

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/impl/data"
	"github.com/thm-suite/thm/impl/dense"
	"github.com/thm-suite/thm/impl/truncated"
)

// BenchmarkConvolution is Lemma 5 at D = 1000, k = 7, p_o = 1/2: T for all coordinates, exact but for rounding.
func BenchmarkConvolution(b *testing.B) {
	law := structured(1000, 7)
	l := truncated.Lattice{Law: law, Steps: make([]int, law.Dim), Unit: 1 / (84 * law.Deviation()), Bias: 0.0313}
	for j := range l.Steps {
		l.Steps[j] = (7*j+3)%41 - 20
	}
	for b.Loop() {
		if t := l.Moments(); !(t[0] > 0) || !(math.Abs(t[7]) < t[0]/100) {
			b.Fatalf("T = %v on A and %v outside", t[0], t[7])
		}
	}
}

// BenchmarkGradientBesideNumPy is the gradient over all 2¹⁶ inputs of 16 bits, of 300 neurons and their mirrors.
func BenchmarkGradientBesideNumPy(b *testing.B) {
	oneThread(b)
	r := rand.New(rand.NewPCG(1, 2))
	h := data.NewHidden(16, []int{0, 1, 2}, data.Parity(3), data.Mixture(3, 1, 1), data.Fair)
	net, s := network(r, 16, 3), h.Inputs(dense.Identity(16))
	arrays := []mat.Matrix{net.W, column(net.B), column(net.A), s.X, column(s.Y), column(s.P)}
	beside(b, "gradient", arrays, func() float64 { return mat.Norm(net.Gradient(s, 0).W, 2) })
}

// BenchmarkStepsBesideNumPy is two steps of the network of the source's figure, D = 100, k = 5, m = 300, over 10000
// samples each, and 100 steps of Adam on the second layer over batches of 500.
func BenchmarkStepsBesideNumPy(b *testing.B) {
	oneThread(b)
	r := rand.New(rand.NewPCG(3, 4))
	law, net := structured(100, 5), network(r, 100, 5)
	first, second := law.Draw(r, 10000), law.Draw(r, 10000)
	arrays := []mat.Matrix{net.W, column(net.B), column(net.A), first.X, column(first.Y), second.X, column(second.Y)}
	var batches []data.Sample
	for range 100 {
		s := law.Draw(r, 500)
		batches, arrays = append(batches, s), append(arrays, s.X, column(s.Y))
	}
	beside(b, "steps", arrays, func() float64 {
		one, _ := net.Descend(first, truncated.Step{Rate: 1e-3, KeepA: 1})
		two, _ := one.Descend(second, truncated.Step{Rate: 1, KeepA: 1})
		next := -1
		return floats.Norm(two.Fit(truncated.Head{Steps: 100, Rate: 0.05}, func() data.Sample {
			next++
			return batches[next]
		}).A, 2)
	})
}

// structured is the law of the source's figure: parity of k bits that are uniform or all equal with equal chances.
func structured(dim, k int) data.Wide {
	law := data.Wide{Dim: dim, Accept: data.Parity(k), Pattern: data.Uniform(k, 0.5), Background: 0.5}
	for j := range k {
		law.Support = append(law.Support, j)
	}
	return law
}

// network draws 300 neurons in the source's initial scales, with their mirrors.
func network(r *rand.Rand, dim, k int) truncated.Net {
	const neurons = 300
	w, b, a := mat.NewDense(neurons, dim, nil), make([]float64, neurons), make([]float64, neurons)
	for i := range neurons {
		for j := range dim {
			w.Set(i, j, r.NormFloat64()/float64(k))
		}
		b[i], a[i] = r.NormFloat64()/float64(k*k), r.NormFloat64()
	}
	return truncated.Paired(w, b, a)
}

func column(x []float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }

// oneThread uses this module's kernels on one thread for as long as the benchmark runs.
func oneThread(b *testing.B) {
	previous, processors := blas.Use(), runtime.GOMAXPROCS(1)
	b.Cleanup(func() {
		runtime.GOMAXPROCS(processors)
		restore(previous)
	})
}
