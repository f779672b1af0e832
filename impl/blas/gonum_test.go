package blas

import (
	"testing"

	"gonum.org/v1/gonum/blas/testblas"
)

// TestGonum runs gonum's own tests.
func TestGonum(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		impl := Implementation{}
		for _, c := range []struct {
			name string
			test func(*testing.T)
		}{
			{"Ddot", func(t *testing.T) { testblas.DdotTest(t, impl) }},
			{"Dgemm", func(t *testing.T) { testblas.TestDgemm(t, impl) }},
			{"Dgemv", func(t *testing.T) { testblas.DgemvTest(t, impl) }},
			{"Dger", func(t *testing.T) { testblas.DgerTest(t, impl) }},
			{"Dsymm", func(t *testing.T) { testblas.DsymmTest(t, impl) }},
			{"Dsymv", func(t *testing.T) { testblas.DsymvTest(t, impl) }},
			{"Dsyr", func(t *testing.T) { testblas.DsyrTest(t, impl) }},
			{"Dsyr2", func(t *testing.T) { testblas.Dsyr2Test(t, impl) }},
			{"Dsyr2k", func(t *testing.T) { testblas.Dsyr2kTest(t, impl) }},
			{"Dsyrk", func(t *testing.T) { testblas.DsyrkTest(t, impl) }},
			{"Dtrmm", func(t *testing.T) { testblas.DtrmmTest(t, impl) }},
			{"Dtrmv", func(t *testing.T) { testblas.DtrmvTest(t, impl) }},
			{"Dtrsm", func(t *testing.T) { testblas.DtrsmTest(t, impl) }},
			{"Dtrsv", func(t *testing.T) { testblas.DtrsvTest(t, impl) }},
			{"Dtxmv", func(t *testing.T) { testblas.DtxmvTest(t, impl) }},
			{"Daxpy", func(t *testing.T) { testblas.DaxpyTest(t, impl) }},
			{"Dscal", func(t *testing.T) { testblas.DscalTest(t, impl) }},
			{"Dasum", func(t *testing.T) { testblas.DasumTest(t, impl) }},
			{"Dnrm2", func(t *testing.T) { testblas.Dnrm2Test(t, impl) }},
			{"Drot", func(t *testing.T) { testblas.DrotTest(t, impl) }},
			{"Dcopy", func(t *testing.T) { testblas.DcopyTest(t, impl) }},
			{"Dswap", func(t *testing.T) { testblas.DswapTest(t, impl) }},
			{"Idamax", func(t *testing.T) { testblas.IdamaxTest(t, impl) }},
			{"Drotm", func(t *testing.T) { testblas.DrotmTest(t, impl) }},
			{"Drotmg", func(t *testing.T) { testblas.DrotmgTest(t, impl) }},
			{"Dgbmv", func(t *testing.T) { testblas.DgbmvTest(t, impl) }},
			{"Dsbmv", func(t *testing.T) { testblas.DsbmvTest(t, impl) }},
			{"Dspmv", func(t *testing.T) { testblas.DspmvTest(t, impl) }},
			{"Dspr", func(t *testing.T) { testblas.DsprTest(t, impl) }},
			{"Dspr2", func(t *testing.T) { testblas.Dspr2Test(t, impl) }},
			{"Dtbmv", func(t *testing.T) { testblas.DtbmvTest(t, impl) }},
			{"Dtbsv", func(t *testing.T) { testblas.DtbsvTest(t, impl) }},
			{"Dtpmv", func(t *testing.T) { testblas.DtpmvTest(t, impl) }},
			{"Dtpsv", func(t *testing.T) { testblas.DtpsvTest(t, impl) }},
			{"Drotg", func(t *testing.T) { testblas.DrotgTest(t, impl, false) }},
		} {
			t.Run(c.name, c.test)
		}
	})
}
