package latent

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/ridge"
	"github.com/thm-suite/thm/internal/impl/rkhs"
)

// kernelPenalties are tried, in units of the mean of the diagonal of the kernel matrix.
var kernelPenalties = ridge.Penalties(1e-6, 1e2, 9)

// ErrSingular is a kernel matrix that no penalty makes positive definite in floating point.
var ErrSingular = errors.New("latent: no penalty left the kernel matrix positive definite")

// Regress returns the mean squared test error of kernel ridge regression with the penalty that predicts the validation
// samples best. Points are mapped first.
func Regress(k rkhs.Kernel, mapped func(x *mat.Dense) *mat.Dense, train, validation, test Points) (float64, error) {
	x := mapped(train.X)
	gram, n := k.Gram(x), len(train.Y)
	scale := mat.Trace(gram) / float64(n)
	path, err := ridge.NewPath(gram, train.Y)
	if err != nil {
		return math.NaN(), err
	}
	var solved []float64 // a row for each penalty
	for _, lambda := range kernelPenalties {
		if alpha, err := path.Solve(lambda * scale); err == nil { // else too small a penalty for this kernel
			solved = append(solved, alpha...)
		}
	}
	if len(solved) == 0 {
		return math.NaN(), ErrSingular
	}
	heads := mat.NewDense(len(solved)/n, n, solved)
	var onValidation mat.Dense
	onValidation.Mul(heads, k.Cross(mapped(validation.X), x).T())
	smallest, best := math.Inf(1), 0
	for i := range len(solved) / n {
		if e := validation.Square(onValidation.RawRowView(i)); e < smallest {
			smallest, best = e, i
		}
	}
	predictions := mat.NewVecDense(len(test.Y), nil)
	predictions.MulVec(k.Cross(mapped(test.X), x), heads.RowView(best))
	return test.Square(predictions.RawVector().Data), nil
}

// WithBias appends the constant coordinate √d, which is the bias of a network.
func WithBias(x *mat.Dense) *mat.Dense {
	_, d := x.Dims()
	return rkhs.WithConstant(x, math.Sqrt(float64(d)))
}

// InMetric maps x to M^½x for the metric M = WᵀW/‖W‖_F² of a first layer, up to a rotation, which kernels of inner
// products do not see, with the constant coordinate 1.
func InMetric(w *mat.Dense) (func(x *mat.Dense) *mat.Dense, error) {
	root, err := Metric(w)
	return func(x *mat.Dense) *mat.Dense {
		var z mat.Dense
		z.Mul(x, root)
		return rkhs.WithConstant(&z, 1)
	}, err
}
