// Package rfm trains recursive feature machines: kernel ridge regression with a distance that is learnt from the
// gradients of its predictions.
package rfm

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
)

// Kernel is a function of the squared distance q = (x−z)ᵀM(x−z), with its derivative in q.
type Kernel struct {
	Name         string
	Value, Slope func(q float64) float64
}

// Gaussian is exp(−q/2), and Rational 1/(1+q).
var (
	Gaussian = Kernel{"gaussian", func(q float64) float64 { return math.Exp(-q / 2) },
		func(q float64) float64 { return -math.Exp(-q/2) / 2 }}
	Rational = Kernel{"rational", func(q float64) float64 { return 1 / (1 + q) },
		func(q float64) float64 { return -1 / ((1 + q) * (1 + q)) }}
)

// Machine is f(x) = Σₖ αₖ κ((x−xₖ)ᵀM(x−xₖ)). Samples are columns of X, and rows of Alpha belong to them.
type Machine struct {
	Kernel Kernel
	M      *mat.Dense // n×n, symmetric
	X      *mat.Dense // n×N
	Alpha  *mat.Dense // N×outputs
}

// Fit solves (K + ridge·I)α = y for targets y of N rows.
func Fit(kernel Kernel, m, x, y *mat.Dense, ridge float64) (*Machine, error) {
	_, count := x.Dims()
	f := &Machine{kernel, m, x, mat.DenseCopyOf(y)}
	gram := mat.NewSymDense(count, nil)
	for i := range count {
		at := mat.Col(nil, i, x)
		for k, q := range f.distances(at, i) {
			gram.SetSym(i, i+k, kernel.Value(q))
		}
		gram.SetSym(i, i, gram.At(i, i)+ridge)
	}
	l, err := linalg.Cholesky(gram)
	if err != nil {
		return nil, fmt.Errorf("rfm: the kernel matrix plus %g: %w", ridge, err)
	}
	linalg.CholeskySolve(l, f.Alpha)
	return f, nil
}

// distances are the squared distances of a point from the samples, starting at sample from.
func (f *Machine) distances(at []float64, from int) []float64 {
	n, count := f.X.Dims()
	out, by := make([]float64, count-from), make([]float64, n)
	v := mat.NewVecDense(n, by)
	for k := range out {
		floats.SubTo(by, at, mat.Col(by, from+k, f.X))
		out[k] = mat.Inner(v, f.M, v)
	}
	return out
}

// Predict returns the outputs at a point.
func (f *Machine) Predict(at []float64) []float64 {
	_, outputs := f.Alpha.Dims()
	out := make([]float64, outputs)
	for k, q := range f.distances(at, 0) {
		floats.AddScaled(out, f.Kernel.Value(q), f.Alpha.RawRowView(k))
	}
	return out
}

// Jacobian returns the gradients of the outputs at a point, one per row.
func (f *Machine) Jacobian(at []float64) *mat.Dense {
	n, _ := f.X.Dims()
	_, outputs := f.Alpha.Dims()
	out, by := mat.NewDense(outputs, n, nil), make([]float64, n)
	v := mat.NewVecDense(n, by)
	var turned mat.VecDense
	for k, q := range f.distances(at, 0) {
		floats.SubTo(by, at, mat.Col(by, k, f.X))
		turned.MulVec(f.M, v)
		out.RankOne(out, 2*f.Kernel.Slope(q), f.Alpha.RowView(k), &turned)
	}
	return out
}

// AGOP returns (1/N) Σᵢ J(xᵢ)ᵀJ(xᵢ) over the samples of the machine.
func (f *Machine) AGOP() *mat.Dense {
	n, count := f.X.Dims()
	sum := mat.NewDense(n, n, nil)
	for i := range count {
		var square mat.Dense
		j := f.Jacobian(mat.Col(nil, i, f.X))
		square.Mul(j.T(), j)
		sum.Add(sum, &square)
	}
	sum.Scale(1/float64(count), sum)
	return sum
}

// Learn fits a machine with M = scale·I and then, so many times, one with M proportional to the AGOP of the one
// before, of the same trace. It returns all of them.
func Learn(kernel Kernel, scale float64, x, y *mat.Dense, ridge float64, rounds int) ([]*Machine, error) {
	n, _ := x.Dims()
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, scale)
	}
	var out []*Machine
	for {
		f, err := Fit(kernel, m, x, y, ridge)
		if err != nil {
			return out, err
		}
		if out = append(out, f); len(out) > rounds {
			return out, nil
		}
		m = f.AGOP()
		m.Scale(scale*float64(n)/mat.Trace(m), m)
	}
}
