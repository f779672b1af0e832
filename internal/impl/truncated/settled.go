package truncated

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/data"
)

// settled are the neurons without noise that no input of a sample bends: z = ⟨w,x⟩ + b with ‖w‖·max‖x‖ < |b| has one
// sign, and likewise for z − 1. Those where z < 0 throughout are 0 and in none of the lists. Together the others are
// one affine function, and a sum over the inputs of x times a number is the same for each of them.
type settled struct {
	affine, full []int // 0 < z < 1, and z > 1, at all inputs
	bent         []int // the rest
}

// settle sorts the neurons. The reach of ⟨w,x⟩ is enlarged beyond the rounding of the norms, and by the smallest number
// that has all its digits, below which products lose theirs.
func (n Net) settle(s data.Sample) settled {
	longest := 0.0
	for i := range s.P {
		longest = max(longest, length(s.X.RawRowView(i)))
	}
	longest *= 1 + 1e-12
	var out settled
	for i, b := range n.B {
		switch reach := length(n.W.RawRowView(i))*longest + 0x1p-1022; {
		case b < -reach:
		case b > reach && b < 1-reach:
			out.affine = append(out.affine, i)
		case b > 1+reach:
			out.full = append(out.full, i)
		default:
			out.bent = append(out.bent, i)
		}
	}
	return out
}

// length is scaled where squares would underflow or overflow.
func length(x []float64) float64 { return blas64.Nrm2(blas64.Vector{N: len(x), Inc: 1, Data: x}) }

// outputs returns the sum of aᵢσ(zᵢ) over the neurons that are not bent, at every input.
func (k settled) outputs(n Net, s data.Sample) []float64 {
	_, inputs := n.W.Dims()
	w, b := mat.NewVecDense(inputs, nil), 0.0
	for _, i := range k.affine {
		floats.AddScaled(w.RawVector().Data, n.A[i], n.W.RawRowView(i))
		b += n.A[i] * n.B[i]
	}
	for _, i := range k.full {
		b += n.A[i]
	}
	var out mat.VecDense
	out.MulVec(s.X, w)
	floats.AddConst(b, out.RawVector().Data)
	return out.RawVector().Data
}

// choose returns the network of these neurons.
func (n Net) choose(neurons []int) Net {
	var out Net
	for _, i := range neurons {
		out.B, out.A = append(out.B, n.B[i]), append(out.A, n.A[i])
	}
	if len(neurons) > 0 {
		_, inputs := n.W.Dims()
		out.W = mat.NewDense(len(neurons), inputs, nil)
	}
	for row, i := range neurons {
		out.W.SetRow(row, n.W.RawRowView(i))
	}
	return out
}

// sums puts those of the bent neurons together with those of the others, given the weights of the inputs.
func (k settled) sums(n Net, s data.Sample, bent Gradient, weights []float64) Gradient {
	neurons, inputs := n.W.Dims()
	g := Gradient{W: mat.NewDense(neurons, inputs, nil), B: make([]float64, neurons), A: make([]float64, neurons),
		Loss: bent.Loss, Passing: bent.Passing}
	var moment mat.VecDense
	moment.MulVec(s.X.T(), mat.NewVecDense(len(weights), weights))
	mass := floats.Sum(weights)
	for _, i := range k.affine {
		g.W.SetRow(i, moment.RawVector().Data)
		g.B[i], g.A[i] = mass, floats.Dot(n.W.RawRowView(i), moment.RawVector().Data)+n.B[i]*mass
	}
	for _, i := range k.full {
		g.A[i] = mass
	}
	for row, i := range k.bent {
		g.W.SetRow(i, bent.W.RawRowView(row))
		g.B[i], g.A[i] = bent.B[row], bent.A[row]
	}
	return g
}
