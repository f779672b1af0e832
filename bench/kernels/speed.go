package kernels

import (
	"fmt"
	"math"
	"slices"
	"time"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/kernel"
	"github.com/thm-suite/thm/internal/bench/testmatrix"
	"github.com/thm-suite/thm/internal/cputime"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Speed is a short measurement of one operation.
type Speed struct {
	Operation string  `json:"operation"`
	N         int     `json:"n"`
	Seconds   float64 `json:"seconds"`           // processor time, the shortest of some runs
	Flops     float64 `json:"flops"`             // nominal floating-point operations per second
	Noise     float64 `json:"noise"`             // how far the shortest odd and even runs are apart, relatively
	Peak      float64 `json:"peak"`              // of the machine's peak of fused multiply-adds on one thread
	Ratio     float64 `json:"ratio"`             // error of the result, divided by the rounding error bound
	Refused   string  `json:"refused,omitempty"` // why it was not timed: an error, or a wrong result
}

// Speeds measures a product with n = 512, and a thin singular value decomposition and a symmetric eigenvalue
// decomposition with n = 256, as far as they are offered, on one thread. A result is verified before it is timed.
func Speeds(im kernel.Kernel) []Speed {
	if im.SetThreads != nil {
		im.SetThreads(1)
		defer im.SetThreads(0)
	}
	var out []Speed
	partial, ok := im.BLAS.(interface{ Delegated() []string })
	if im.BLAS != nil && !(ok && slices.Contains(partial.Delegated(), "Dgemm")) { // what it has from gonum is not its own
		out = append(out, gemmSpeed(im, 512))
	}
	if im.SVD != nil {
		out = append(out, svdSpeed(im, 256))
	}
	if im.SymEigen != nil {
		out = append(out, eigenSpeed(im, 256))
	}
	return out
}

func gemmSpeed(im kernel.Kernel, n int) Speed {
	a, b, c := testmatrix.Uniform("left", n, n), testmatrix.Uniform("right", n, n), mat.NewDense(n, n, nil)
	work := func() error {
		gemm(im.BLAS, gblas.NoTrans, c, a, b)
		return nil
	}
	return speed("gemm", n, 2*math.Pow(float64(n), 3), work, func() props.Ratio { return MatMulRatio(c, a, b) })
}

func svdSpeed(im kernel.Kernel, n int) Speed {
	spectrum := testmatrix.Geometric(n)
	a := testmatrix.WithSingularValues(n, n, spectrum)
	var f SVDFactors
	work := func() (err error) {
		f, err = SVD(im, a, mat.SVDThin)
		return err
	}
	return speed("svd thin", n, 22*math.Pow(float64(n), 3), work,
		func() props.Ratio { return SVDRatio(a, spectrum, mat.SVDThin, f) })
}

func eigenSpeed(im kernel.Kernel, n int) Speed {
	spectrum := testmatrix.Linear(n)
	a := testmatrix.WithEigenvalues(spectrum)
	var f EigenFactors
	work := func() (err error) {
		f, err = SymEigen(im, a, true)
		return err
	}
	return speed("eigen", n, 9*math.Pow(float64(n), 3), work,
		func() props.Ratio { return EigenRatio(a, spectrum, true, f) })
}

// speed runs the work for a tenth of a second, four times at least, and keeps the shortest.
func speed(name string, n int, flops float64, work func() error, ratio func() props.Ratio) (s Speed) {
	s = Speed{Operation: name, N: n}
	defer func() {
		if p := recover(); p != nil {
			s.Refused = fmt.Sprint(p)
		}
	}()
	if err := work(); err != nil {
		s.Refused = err.Error()
		return s
	}
	r := ratio()
	if s.Ratio = r.Value; r.Verdict() != results.Holds {
		s.Ratio, s.Refused = 0, fmt.Sprintf("wrong result: error %.3g times the rounding error bound", r.Value)
		return s
	}
	best := [2]float64{math.Inf(1), math.Inf(1)}
	peak := fmaRate()
	for round, end := 0, time.Now().Add(100*time.Millisecond); round < 4 || time.Now().Before(end); round++ {
		start := cputime.Process()
		_ = work() // it has worked once
		best[round%2] = min(best[round%2], max(1e-6, cputime.Process()-start))
	}
	s.Seconds = min(best[0], best[1])
	s.Noise = max(best[0], best[1])/s.Seconds - 1
	s.Flops = flops / s.Seconds
	s.Peak = s.Flops / max(peak, fmaRate())
	return s
}
