// Package blas implements gonum's blas.Float64 with kernels near the peak of the machine and with reproducible results:
// every kernel, on any number of threads and on every architecture, computes the same bits (for the exact guarantee see
// Architectures).
//
//	blas.Use() // from here on gonum's mat and lapack are fast
//
// # Kernels
//
// There are four sets of inner routines: for AVX-512 and for AVX2 with FMA on amd64, for NEON on arm64, and in portable
// Go. The widest set that runs on the machine is chosen. The environment variable
// THM_BLAS_KERNEL=portable|avx2|avx512|neon or SetKernel chooses another; Kernels reports the choice and its reason,
// and EnvironmentError reports an invalid value of the variable. With the race detector (which cannot see into
// assembly), with the build tags noasm or purego, and on other architectures only the portable set runs.
//
// # Architectures
//
// Go allows a compiler to round x·y + z once instead of twice. The compilers for arm64, ppc64, riscv64 and s390x do so,
// and the one for amd64 does so from GOAMD64=v3. In this package no product of floating-point numbers is left to that
// choice: each is fused by math.FMA, or rounded by a conversion or because nothing is added to it. Hence
//
//	the routines below      the same bits from every kernel, on every architecture, whatever the compiler fuses
//	those of delegate.go    gonum's: the same bits on one architecture and GOAMD64, with any kernel
//	what calls the package  (impl/linalg, networks, claims) plain Go between the calls: the same bits on one
//	                        architecture and GOAMD64, with any kernel and any number of threads; on another architecture
//	                        the same results up to rounding, and the same verdicts
//
// The tests contain a digest of the results of all routines. It was compared on amd64 with the portable kernels (also
// with GOAMD64=v3) and the AVX2 kernels, and under qemu-aarch64 on arm64 with the NEON kernels and the portable ones,
// fused and not. On every machine the test compares it with all kernels that run there.
//
// The NEON kernels were not timed, as there was no arm64 hardware. Instead, the table counts instructions per fused
// multiply-add of two numbers (.ci/instructions neon avx2, with qemu 7.2; all instructions of this package, on one
// thread; the sizes are in work_test.go). A NEON vector holds two numbers and an AVX2 vector four, so 0.5 and 0.25 are
// the minimum, and a processor with four NEON units does as much per cycle as one with two AVX2 units:
//
//	                         NEON    AVX2
//	gemm                    0.671   0.462
//	gemm of a transpose     0.650   0.462
//	trsm                    0.886   0.597
//	dot                     1.073   0.886
//	axpy                    1.760   1.262
//	gemv                    1.369   1.096
//	gemv of the transpose   1.269   1.060
//	ger                     2.249   1.813
//	rot                     0.881   0.632
//	sweeps of rotations     1.562   1.580
//
// Besides products and vectors there are NEON routines where this count, of all instructions of a call at n = 128,
// shows an advantage: trapezoids make trsm take 0.84 per multiply-add, and rows added by axpy would 1.39, of an upper
// triangle 2.43; a secular sum takes 5.4 per element, and in portable Go 18.8; transposes save 8 % of a product of two
// of them.
//
// There are no NEON routines for products of at most four columns and for rows of at most 16 elements, which AVX2 and
// AVX-512 have: the tiles and the other vector routines take these shapes. Nor are there any for UpdateGemv,
// TimesBoth and interleaved vectors, which are portable Go there.
//
// # What is computed
//
// All roundings are part of the contract. fma(a, b, c) is a·b + c rounded once.
//
// Products (Dgemm, Dsymm, Dsyrk, Dsyr2k). First C = beta·C, rounded; beta = 0 sets C to +0 whatever it held, beta = 1
// does nothing. Then, for the summation indices in blocks of 384 in ascending order,
//
//	s = +0; s = fma(a_ip, b_pj, s) for p ascending in the block; c_ij = fma(alpha, s, c_ij)
//
// Entry (i, j) therefore depends on row i of op(A), column j of op(B), alpha, beta and c_ij only: not on the sizes, the
// storage, the place in the matrix, the kernel, or the threads. The symmetric routines give the bits of Dgemm on the
// full matrix; Dsyr2k is one product of A next to B with B next to A if the sums have 384 terms or fewer, else two.
//
// Triangles (Dtrmm, Dtrsm). B = alpha·B, rounded; then a recursion that halves the triangle at a power of two times
// 128, with a product as above between the halves. In triangles of order 128 and less an entry is one chain of fused
// multiply-adds: a solution b_ij - a_ip·x_pj, …, divided by a_ii at the end, a product from a_ii·b_ij, rounded, on. The
// chain follows the solution: rows ascending for a lower op(A), descending for an upper.
//
// Sums (Ddot, Dasum, Dnrm2, and the rows of Dgemv, Dsymv, Dtrmv, Dtrsv). Element i goes to lane i mod 32, where it is
// added by fma (Dasum: by +) in ascending order; an incomplete last block is filled with zeros. The lanes are added in
// pairs: lane l and l+16, then l and l+8, and so on. Increments do not matter: vectors with another increment than 1
// are copied first.
//
// Updates (Daxpy, Dger, Dsyr, Dsyr2, and the columns of Dgemv, Dsymv, Dtrmv, Dtrsv). y = fma(alpha·x, a, y), element by
// element, one row after the other.
//
// Rotations (Drot, ApplyRotations). x, y = fma(c, x, s·y), fma(c, y, -(s·x)), the second product rounded.
//
// Reductions to condensed form (UpdateGemv, TimesRows, TimesBoth). An update by fma of either product; products whose
// rows are added in groups of four, and sums of rows in eight lanes; see there.
//
// # NaN and infinities
//
// They propagate as the definitions above imply: 0·NaN and 0·∞ are NaN, and no routine inspects a value to skip work.
// The exceptions are the ones of the BLAS: alpha = 0 reads neither operand, beta = 0 overwrites, an alpha of Daxpy,
// Dger, Dsyr, Dsyr2 that is 0 does nothing, and the entries outside a stored triangle or on a unit diagonal are not
// read. The NaN that results from two NaNs is not specified. The routines on banded and packed storage, and those that
// make rotations, are gonum's (see delegate.go), which skip zeros.
//
// # Arguments
//
// Bad arguments panic in the same cases as in gonum, with messages of the same meaning. C must not overlap A or B.
// Calls are safe for concurrent use as long as their outputs do not overlap. Goroutines that helped with a call end
// about a tenth of a millisecond after the last one.
//
// # Threads
//
// A call shares its work among as many goroutines as are worthwhile, at most [SetThreads] and GOMAXPROCS in all. All of
// them, including the caller, take tasks; the caller never waits for another to wake up. Between Begin and End, which
// enclose a computation of many calls, smaller products are shared too, and those of vectors with matrices.
package blas
