// Package kernels measures the speed of the kernels of linear algebra: matrix product, singular values and vectors,
// symmetric eigenvalues and vectors, polar factor, sweeps of plane rotations. It measures this module, gonum, gonum on
// the kernels of this module, and the libraries OpenBLAS and BLIS where they are found.
//
//	go test -run '^$' -bench . -count 10 ./bench/kernels | tee new.txt
//
// A result is verified before it is timed; a wrong result ends its benchmark and gets no time. The reference is never a
// second library: products are compared with random probes in twice the working precision, factorisations with their
// residual, their orthogonality and a spectrum that is known by construction. See verify.go for the tolerances and
// their reasons.
//
// # Names
//
// A benchmark is named Benchmark<Operation>/key=value/..., so that tools can put any key on rows or columns:
//
//	BenchmarkMatMul/impl=gonum/m=64/n=64/k=64            C (m×n) = A (m×k) · B (k×n)
//	BenchmarkSVD/impl=gonum/job=thin/m=256/n=256         job is values, thin or full
//	BenchmarkSymEigen/impl=gonum/job=vectors/n=256       job is values or vectors
//	BenchmarkPolar/impl=gonum/m=256/n=256                orthogonal polar factor
//	BenchmarkRotations/impl=gonum/sweeps=64/m=256/n=256/side=left   sweeps on rows (left) or columns (right)
//
// They run on one thread; with -cpu 2 every implementation that can be configured uses two.
//
// # Units
//
//	sec/op   time of one operation
//	flop/s   nominal operations per second: the count is that of the textbook algorithm and the same for every
//	         implementation, so that it compares times and not operation counts
//	peak     the least time that the machine allows, divided by the time taken: the longer of the flops at the
//	         measured rate of fused multiply-adds and, for products, the bytes of the operands at the measured rate
//	         of moving that much
//	ratio    error divided by the rounding error bound; above 1 the result is wrong
//
// The output begins with lines such as "Unit ratio better=lower assume=exact". They tell benchstat which direction is
// better, and that a ratio is deterministic and needs no significance test.
//
// # Adding an implementation
//
// Add one entry to [Impls]. Every benchmark and every verification then runs on it.
package kernels
