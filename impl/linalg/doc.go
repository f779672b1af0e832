// Package linalg holds the linear algebra that the claims need beyond gonum: factorisations at the speed of the
// kernels of impl/blas, leading singular triplets of operators that are known by their products only, with a
// residual, and spectra that refuse NaN.
//
// # SVD and symmetric eigenvalues: what was chosen and what was not
//
// Both reduce the matrix to a condensed form with blocked reflectors (bidiagonal, tridiagonal), solve that by divide
// and conquer, and transform the vectors back with blocked reflectors. All vectors are rows until the end, so that
// rotations, permutations and the two halves of a merge are contiguous. The figures are milliseconds of processor
// time on one core with AVX-512, the least of several runs, for random matrices of order 256, 512 and 1024.
//
//	SVD:    reduction 2.1, 15, 127    divide and conquer 2.1, 9.1, 51    back, each side 0.6, 5.1, 33
//	eigen:  reduction 0.9, 7.3, 48    divide and conquer 2.0, 7.1, 25
//
// Rejected: QR iteration, its rotations saved and applied in blocked sweeps. On random matrices it takes about 1.7·n
// sweeps of n/2 rotations, which blas.ApplyRotations applies to one side in 1.2, 11 and 75: for the SVD of order 1024
// three times the divide and conquer, before the rotations are made. It ends the recursion of the divide and conquer,
// as in LAPACK, at order 16, where it takes a third of the time of merges down to order 1. By itself it leaves
// residuals above n roundings there; with Rayleigh quotients in place of its values they are as small as those of
// merges.
//
// Rejected: one pass over the matrix for both products of the bidiagonal reduction, by panels of columns that stay in
// cache between them. Two passes take 6.0, 39 and 238 microseconds, panels of 96 columns 6.4, 39 and 214, before the
// corrections that the order of work needs.
//
// Rejected: the product of a symmetric matrix with a vector row by row, 6.8, 155 and 126 microseconds; strips of 16
// rows take 3.6, 25 and 95.
//
// Rejected: the secular equation in scalar code, 1.7 of the 6.0 of the eigenvalue problem of order 256. As divisions
// of whole registers, in blas.SecularSums and its neighbours, it takes 0.6.
//
// Rejected without a trial: reduction in two stages, through a band. It saves the matrix-vector products, about half
// of the reduction, and costs 2·n³ more flops on each side for the second transformation of the vectors, as much as
// it saves, before the chase of the band begins. And the SVD through the polar factor and an eigenvalue problem,
// whose 35 to 50·n³ flops take longer at the peak of the core than the whole of the method chosen.
//
// Small matrices: up to 400 entries the reduction and the reflectors run in plain loops, since a call of a kernel
// takes as long as 30 multiplications; panels are of 8 and 16 rows where the matrix lies in the first- and
// second-level cache; and all scratch space is borrowed, which at order 64 had been 730 kB of zeros in 51 pieces for
// an SVD.
//
// Values alone come from a dqds of our own for the SVD, which is as fast as a chain of divisions, and from gonum's QR
// iteration for eigenvalues. Both are scalar and O(n²): of the eigenvalues a third of the time at order 256, a fifth
// at 1024.
package linalg
