package faulty

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props/kernelkit/internal/blaskit"
)

// inSingle is a sound kernel in single precision to build faults into: it computes in double precision, and rounds.
func inSingle(k kernel.Kernel) kernel.Kernel {
	double := k
	k.BLAS, k.Rotations, k.Polar, k.Single = nil, nil, nil, true
	if double.BLAS != nil {
		k.BLAS32 = rounding{double: double}
	}
	if double.SVD != nil {
		k.SVD = func(a *mat.Dense, kind mat.SVDKind) (*mat.Dense, []float64, *mat.Dense, error) {
			u, s, v, err := double.SVD(a, kind)
			return roundMatrix(u), roundAll(s), roundMatrix(v), err
		}
	}
	if double.QR != nil {
		k.QR = func(a *mat.Dense) (*mat.Dense, *mat.Dense, error) {
			q, r, err := double.QR(a)
			return roundMatrix(q), roundMatrix(r), err
		}
	}
	if double.Cholesky != nil {
		k.Cholesky = func(a *mat.SymDense) (*mat.TriDense, error) {
			l, err := double.Cholesky(a)
			if err == nil && !l.IsEmpty() {
				roundAll(l.RawTriangular().Data)
			}
			return l, err
		}
	}
	if double.SymEigen != nil {
		k.SymEigen = func(a *mat.SymDense, vectors bool) ([]float64, *mat.Dense, error) {
			w, v, err := double.SymEigen(a, vectors)
			return roundAll(w), roundMatrix(v), err
		}
	}
	return k
}

func roundAll(x []float64) []float64 {
	for i, v := range x {
		x[i] = roundoff.Single.Round(v)
	}
	return x
}

func roundMatrix(a *mat.Dense) *mat.Dense {
	if a != nil && !a.IsEmpty() {
		a.Apply(func(_, _ int, v float64) float64 { return roundoff.Single.Round(v) }, a)
	}
	return a
}

// rounding is the BLAS of such a kernel. The kit's calls arrive at Call.
type rounding struct {
	blas.Float32
	double kernel.Kernel
}

// Call widens the operands, each piece of memory once, and rounds what the routine writes.
func (x rounding) Call(r *routine, a *args) {
	wide, begun := *a, map[any][]float64{}
	for _, slot := range []byte("abcxy") {
		from := *operand(a, slot)
		if from == nil {
			continue
		}
		numbers, first := from.Slice().([]float32), any(slot)
		if len(numbers) > 0 {
			first = &numbers[0]
		}
		if len(begun[first]) != len(numbers) {
			begun[first] = nil
			for _, v := range numbers {
				begun[first] = append(begun[first], float64(v))
			}
		}
		*operand(&wide, slot) = blaskit.Memory(begun[first])
	}
	r.Call(x.double, &wide)
	for _, slot := range []byte("abcxy") {
		if slot == r.Out || slot == 'x' && turnsBoth(r) {
			for i, to := 0, *operand(a, slot); i < to.Len(); i++ {
				to.Set(i, (*operand(&wide, slot)).At(i))
			}
		}
	}
	a.Results = roundAll(wide.Results)
	a.Param = wide.Param
	roundAll(a.Param.H[:])
}
