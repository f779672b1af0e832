package spike

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/nn"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
)

// descent is the direction of descent of the first layer, with what the displayed formula makes it of.
type descent struct {
	X         *mat.Dense `npy:"X"` // n×d
	Residual  []float64  `npy:"e"` // n
	Slopes    *mat.Dense `npy:"S"` // n×N
	Outputs   []float64  `npy:"a"` // N
	Direction *mat.Dense `npy:"G"` // N×d
}

// drawDescent takes the gradient from backpropagation, which sums ½(y − f)² over the samples.
func drawDescent(t *props.T) descent {
	n, d, width := gen.Dim(t.T, "n", 12), gen.Dim(t.T, "d", 12), gen.Dim(t.T, "N", 12)
	act := rapid.SampledFrom([]nn.Activation{nn.Tanh, features.CentredReLU, features.PhaseSine(1.5, 0.5),
		features.Series(0, 0.8, 0.5)}).Draw(t.T, "activation")
	noise := gen.LogUniform(t.T, "size of the labels", 1e-3, 1e3)
	r := t.Stream("entries")
	x, y := features.Gaussian(r, n, d), gen.Gaussian(r, n, 1, noise)
	w, a := gen.Gaussian(r, width, d, gen.LogUniform(t.T, "size of the "+
		"weights", 0.01, 10)), gen.Gaussian(r, 1, width, 1/math.Sqrt(float64(width)))
	last := algebra.Scaled(1/math.Sqrt(float64(width)), a) // f = N^(−1/2) aᵀσ
	net := nn.Net{{W: w, Act: act}, {W: last, Act: nn.Identity}}
	in := descent{X: x, Residual: make([]float64, n), Slopes: mat.NewDense(n, width, nil), Outputs: a.RawRowView(0)}
	for i := range n {
		var p nn.Pass
		in.Residual[i] = y.At(i, 0) - net.Forward(x.RawRowView(i), &p)[0]
		for j, z := range p.Pre[0] {
			in.Slopes.Set(i, j, act.Slope(z))
		}
	}
	in.Direction = net.BatchAt(0, mat.DenseCopyOf(x.T()), mat.DenseCopyOf(y.T())).WeightGrad()
	in.Direction.Scale(-math.Sqrt(float64(width))/float64(n), in.Direction)
	return in
}

// scale makes the direction so many times as long.
func (in *descent) scale(factor float64) { in.Direction = algebra.Scaled(factor, in.Direction) }

// judgeDescent compares with (1/n)[(a eᵀ) ∘ Sᵀ]X. Row j is a sum of n terms a_j eᵢSᵢⱼxᵢ/n, in both ways of computing
// it, and no term meets more than ten further roundings.
func judgeDescent(r *props.Record, in descent, _ struct{}) {
	n, d := in.X.Dims()
	r.RegimeOf(n == d, n > d)
	pulls, size := mat.DenseCopyOf(in.Slopes), 0.0 // Sᵢⱼa_jeᵢ/n
	for i, e := range in.Residual {
		row := pulls.RawRowView(i)
		floats.Mul(row, in.Outputs)
		floats.Scale(e/float64(n), row)
		size += floats.Norm(row, 2) * floats.Norm(in.X.RawRowView(i), 2)
	}
	r.WithinMatrix("direction of descent", in.Direction, algebra.Product(pulls.T(), in.X),
		2*float64(n+10)*r.Unit()*size+math.SmallestNonzeroFloat64)
}
