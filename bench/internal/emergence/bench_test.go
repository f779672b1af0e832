//go:build system

package emergence

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/blas"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/impl/dense"
	"github.com/thm-suite/thm/internal/impl/truncated"
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

// BenchmarkGradientBesideNumPy is the gradient over all 2¹⁶ inputs of 16 bits, of 300 neurons and their mirrors. NumPy
// multiplies the list of inputs by the weights; here a pre-activation is the sum of two tables' entries, the weights of
// the open gates are added up as integers, and mirrors are evaluated once.
func BenchmarkGradientBesideNumPy(b *testing.B) {
	oneThread(b)
	r := rand.New(rand.NewPCG(1, 2))
	h := data.NewHidden(16, []int{0, 1, 2}, data.Parity(3), data.Mixture(3, 1, 1), data.Fair)
	net, s := network(r, 16, 3), h.Inputs(dense.Identity(16))
	beside(b, "gradient", operandsOf(net, s), func() *mat.Dense { return net.StateGradient(h, 0).W })
}

// BenchmarkUnpairedGradientBesideNumPy is the same without mirrors: 600 different neurons.
func BenchmarkUnpairedGradientBesideNumPy(b *testing.B) {
	oneThread(b)
	r := rand.New(rand.NewPCG(1, 2))
	h := data.NewHidden(16, []int{0, 1, 2}, data.Parity(3), data.Mixture(3, 1, 1), data.Fair)
	net, s := network(r, 16, 3), h.Inputs(dense.Identity(16))
	for i := range net.B {
		net.B[i] += r.NormFloat64() / 9
	}
	beside(b, "gradient", operandsOf(net, s), func() *mat.Dense { return net.StateGradient(h, 0).W })
}

// operandsOf are a network and a law for the peer.
func operandsOf(net truncated.Net, s data.Sample) map[string]*mat.Dense {
	return map[string]*mat.Dense{"w": net.W, "bias": row(net.B), "out": row(net.A), "x": s.X, "y": row(s.Y), "p": row(s.P)}
}

// BenchmarkStepsBesideNumPy is two steps of the network of the source's figure, D = 100, k = 5, m = 300, over 10000
// samples each, and 100 steps of Adam on the second layer over batches of 500: 5.4·10⁹ multiply-adds in NumPy. Here
// mirrors are evaluated once in the first step, 0.6·10⁹. After it, of size 10⁻³, hardly a neuron has a kink within the
// data, so that the second step has one product with the inputs for all, and after that all weights are multiples of
// one vector, so that Adam's batches have one product as well. That is so without noise, which NumPy has no error
// function for; with the source's noise the gate of each neuron differs a little at every input.
func BenchmarkStepsBesideNumPy(b *testing.B) { benchmarkSteps(b, 1e-3) }

// BenchmarkBentStepsBesideNumPy is the same with a first step of 10, after which neurons have kinks within the data:
// most of the 5.4·10⁹ multiply-adds are made by both sides, as the benchmark prints, and three times NumPy's speed
// cannot be had where its products are as fast.
func BenchmarkBentStepsBesideNumPy(b *testing.B) { benchmarkSteps(b, 10) }

func benchmarkSteps(b *testing.B, rate float64) {
	oneThread(b)
	r := rand.New(rand.NewPCG(3, 4))
	law, net := structured(100, 5), network(r, 100, 5)
	both, all := law.Draw(r, 20000), law.Draw(r, 50000)
	operands := operandsOf(net, both)
	operands["batches"], operands["labels"], operands["rate"] = all.X, row(all.Y), row([]float64{rate})
	beside(b, "steps", operands, func() *mat.Dense {
		one, _ := net.Descend(part(both, 0, 10000), truncated.Step{Rate: rate, KeepA: 1})
		two, _ := one.Descend(part(both, 1, 10000), truncated.Step{Rate: 1, KeepA: 1})
		next := -1
		return row(two.Fit(truncated.Head{Steps: 100, Rate: 0.05}, func() data.Sample {
			next++
			return part(all, next, 500)
		}).A)
	})
	one, _ := net.Descend(part(both, 0, 10000), truncated.Step{Rate: rate, KeepA: 1})
	two, _ := one.Descend(part(both, 1, 10000), truncated.Step{Rate: 1, KeepA: 1})
	neurons, dim := net.W.Dims()
	b.ReportMetric(float64(dim)*float64(neurons*(2*10000+2*10000+50000))/1e9, "numpy-Gmuladds")
	b.ReportMetric(float64(dim)*float64(net.GradientProducts(part(both, 0, 10000))*2*10000+
		one.GradientProducts(part(both, 1, 10000))*2*10000+two.FitProducts()*50000)/1e9, "ours-Gmuladds")
}

// part is the i-th so many samples, with weights that add up to 1.
func part(s data.Sample, i, size int) data.Sample {
	_, dim := s.X.Dims()
	out := data.Sample{X: s.X.Slice(i*size, (i+1)*size, 0, dim).(*mat.Dense), Y: s.Y[i*size : (i+1)*size],
		P: make([]float64, size)}
	for k := range out.P {
		out.P[k] = 1 / float64(size)
	}
	return out
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

func row(x []float64) *mat.Dense { return mat.NewDense(1, len(x), x) }

// oneThread uses this module's kernels on one thread for as long as the benchmark runs.
func oneThread(b *testing.B) {
	previous, processors := blas.Use(), runtime.GOMAXPROCS(1)
	b.Cleanup(func() {
		runtime.GOMAXPROCS(processors)
		restore(previous)
	})
}
