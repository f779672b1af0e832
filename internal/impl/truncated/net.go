// Package truncated holds two-layer networks with the truncated rectifier σ(z) = min(1, max(z, 0)), in floating point
// and in rational arithmetic, and the gradient of their hinge loss over a finite law.
//
// At the kinks z = 0 and z = 1 of σ, and at margin 1 of the hinge, the derivative is taken to be 0.
package truncated

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
)

// Net computes g(x) = Σᵢ aᵢ σ(⟨wᵢ,x⟩ + bᵢ).
type Net struct {
	W *mat.Dense // n×d, one neuron per row
	B []float64  // n
	A []float64  // n, output weights
}

// Paired returns a network of 2n neurons that computes 0: neuron n+i has the weights and bias of neuron i and the
// opposite output weight.
func Paired(w *mat.Dense, b, a []float64) Net {
	n, d := w.Dims()
	net := Net{mat.NewDense(2*n, d, nil), append(append([]float64{}, b...), b...), append([]float64{}, a...)}
	net.W.Slice(0, n, 0, d).(*mat.Dense).Copy(w)
	net.W.Slice(n, 2*n, 0, d).(*mat.Dense).Copy(w)
	for _, out := range a {
		net.A = append(net.A, -out)
	}
	return net
}

// Start draws m neurons on d inputs, and their mirrors, as Shi, Wei and Liang do: biases N(0, 1/k⁴), output weights
// that are a function of a standard normal number, weights N(0, 1/k²).
func Start(r *rand.Rand, m, d int, k float64, output func(z float64) float64) Net {
	w, b, a := mat.NewDense(m, d, nil), make([]float64, m), make([]float64, m)
	for i := range m {
		b[i], a[i] = r.NormFloat64()/(k*k), output(r.NormFloat64())
	}
	w.Apply(func(_, _ int, _ float64) float64 { return 1 / k * r.NormFloat64() }, w)
	return Paired(w, b, a)
}

// PreActivations writes zᵢ = ⟨wᵢ,x⟩ + bᵢ to dst (n), which may be nil, and returns it.
func (n Net) PreActivations(dst, x []float64) []float64 {
	neurons, inputs := n.W.Dims()
	if len(x) != inputs || len(n.B) != neurons || len(n.A) != neurons {
		panic("truncated: shapes of weights, biases, output weights and input do not fit")
	}
	if dst == nil {
		dst = make([]float64, neurons)
	}
	for i := range neurons {
		dst[i] = floats.Dot(n.W.RawRowView(i), x) + n.B[i]
	}
	return dst
}

// Output returns g(x).
func (n Net) Output(x []float64) float64 { return n.readOut(n.PreActivations(nil, x)) }

// readOut returns Σᵢ aᵢ σ(zᵢ). A neuron and its mirror cancel when they follow one another and both products are
// rounded, so the two halves of the network are summed side by side, and the conversions forbid that a product is
// fused with the addition, as compilers for some architectures would.
func (n Net) readOut(z []float64) float64 {
	g, half := 0.0, (len(z)+1)/2
	for i := range half {
		term := float64(n.A[i] * min(1, max(z[i], 0)))
		if j := i + half; j < len(z) {
			term += float64(n.A[j] * min(1, max(z[j], 0)))
		}
		g += term
	}
	return g
}

// HingeLoss returns E max(0, 1 − y g(x)).
func (n Net) HingeLoss(s data.Sample) float64 {
	loss := 0.0
	for i, p := range s.P {
		loss += p * max(0, 1-s.Y[i]*n.Output(s.X.RawRowView(i)))
	}
	return loss
}

// HingeGradient returns the derivative of the hinge loss in W, n×d:
// −aᵢ E[y 1{y g(x) < 1} 1{0 < zᵢ < 1} x].
func (n Net) HingeGradient(s data.Sample) *mat.Dense {
	neurons, inputs := n.W.Dims()
	grad, z := mat.NewDense(neurons, inputs, nil), make([]float64, neurons)
	for i, p := range s.P {
		x := s.X.RawRowView(i)
		n.PreActivations(z, x)
		if !(s.Y[i]*n.readOut(z) < 1) {
			continue
		}
		for k := range neurons {
			if z[k] > 0 && z[k] < 1 {
				floats.AddScaled(grad.RawRowView(k), -p*n.A[k]*s.Y[i], x)
			}
		}
	}
	return grad
}
