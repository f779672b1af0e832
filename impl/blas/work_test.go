package blas

import (
	"flag"
	"testing"

	gblas "gonum.org/v1/gonum/blas"
)

// .ci/instructions counts under an emulator what a kernel spends on a fused multiply-add: it runs a routine once and
// then some more times.
var (
	workName = flag.String("work", "", "the routine that TestWork runs; all of them if it is empty")
	workReps = flag.Int("workreps", 1, "how often TestWork runs it")
)

// works are the routines in sizes at which the inner loops are most of the work. Each says how many multiply-adds it
// takes; a product of a rotation counts as one.
var works = []struct {
	name string
	fmas int
	run  func(x, y, z []float64)
}{
	{"gemm", 48 * 48 * 384, func(x, y, z []float64) {
		Implementation{}.Dgemm(gblas.NoTrans, gblas.NoTrans, 48, 48, 384, 1, x, 384, y, 48, 1, z, 48)
	}},
	{"gemm of a transpose", 48 * 48 * 384, func(x, y, z []float64) {
		Implementation{}.Dgemm(gblas.Trans, gblas.NoTrans, 48, 48, 384, 1, x, 48, y, 48, 1, z, 48)
	}},
	{"trsm", 64 * 64 / 2 * 96, func(x, y, z []float64) {
		clear(x[:64*64])
		for i := range 64 {
			x[i*65] = 1
		}
		Implementation{}.Dtrsm(gblas.Left, gblas.Lower, gblas.NoTrans, gblas.NonUnit, 64, 96, 1, x, 64, y, 96)
	}},
	{"dot", 16384, func(x, y, z []float64) { z[0] = Implementation{}.Ddot(16384, x, 1, y, 1) }},
	{"axpy", 16384, func(x, y, z []float64) { Implementation{}.Daxpy(16384, 0.5, x, 1, y, 1) }},
	{"gemv", 96 * 160, func(x, y, z []float64) {
		Implementation{}.Dgemv(gblas.NoTrans, 96, 160, 1, x, 160, y, 1, 0, z, 1)
	}},
	{"gemv of the transpose", 96 * 160, func(x, y, z []float64) {
		Implementation{}.Dgemv(gblas.Trans, 96, 160, 1, x, 160, y, 1, 0, z, 1)
	}},
	{"ger", 96 * 160, func(x, y, z []float64) { Implementation{}.Dger(96, 160, 1, x, 1, y, 1, z, 160) }},
	{"rot", 4 * 8192, func(x, y, z []float64) { Implementation{}.Drot(8192, x, 1, y, 1, 0.6, 0.8) }},
	{"sweeps of rotations", 4 * 4 * 99 * 48, func(x, y, z []float64) {
		ApplyRotations(gblas.Left, false, 100, 48, 4, x, y, 100, z, 48)
	}},
}

func TestWork(t *testing.T) {
	SetThreads(1)
	defer SetThreads(0)
	ran := 0
	x, y, z := make([]float64, 20000), make([]float64, 20000), make([]float64, 20000)
	for _, w := range works {
		if *workName != "" && w.name != *workName {
			continue
		}
		ran++
		for range *workReps {
			w.run(x, y, z)
		}
		t.Logf("%s: %d fused multiply-adds each", w.name, w.fmas)
	}
	if ran == 0 {
		t.Errorf("no work named %q", *workName)
	}
}
