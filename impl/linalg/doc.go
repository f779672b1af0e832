// Package linalg holds the linear algebra that the claims need beyond gonum: factorisations at the speed of the kernels of impl/blas, leading
// singular triplets of operators that are known by their products only, with a residual, and spectra that refuse NaN.
//
// # SVD and symmetric eigenvalues: what was chosen and what was not
//
// Both reduce the matrix to a condensed form with blocked reflectors (bidiagonal, tridiagonal), solve that by divide and conquer, and
// transform the vectors back with blocked reflectors. All vectors are rows until the end, so that rotations, permutations and the two halves of a
// merge are contiguous. The figures are milliseconds of processor time on one core with AVX-512, the least of several runs, for random
// matrices of order 256, 512 and 1024.
//
//	SVD:    reduction 2.1, 15, 127    divide and conquer 2.1, 9.1, 51    back, each side 0.6, 5.1, 33
//	eigen:  reduction 0.9, 7.3, 48    divide and conquer 2.0, 7.1, 25
//
// Rejected: QR iteration, its rotations saved and applied in blocked sweeps. On random matrices it takes about 1.7·n sweeps of n/2 rotations, which
// blas.ApplyRotations applies to one side in 1.2, 11 and 75: for the SVD of order 1024 three times the divide and conquer, before the rotations
// are made. Nor does it end the recursion of the divide and conquer, as in LAPACK: blocks of order 1 leave residuals below n roundings
// for small n, where QR iteration leaves up to five times that.
//
// Rejected: one pass over the matrix for both products of the bidiagonal reduction, by panels of columns that stay in cache between them. Two
// passes take 6.0, 39 and 238 microseconds, panels of 96 columns 6.4, 39 and 214, before the corrections that the order of work needs.
//
// Rejected: the product of a symmetric matrix with a vector row by row, 6.8, 155 and 126 microseconds; strips of 16 rows take 3.6, 25 and 95.
//
// Rejected: the secular equation in scalar code, 1.7 of the 6.0 of the eigenvalue problem of order 256. As divisions of whole registers, in
// blas.SecularSums and its neighbours, it takes 0.6.
//
// Rejected without a trial: reduction in two stages, through a band. It saves the matrix-vector products, about half of the reduction, and
// costs 2·n³ more flops on each side for the second transformation of the vectors, as much as it saves, before the chase of the band begins.
// And the SVD through the polar factor and an eigenvalue problem, whose 35 to 50·n³ flops take longer at the peak of the core than the whole
// of the method chosen.
//
// Values alone come from gonum's dqds and QR iterations, which are scalar and O(n²): of the eigenvalues a third of the time at order 256, a fifth at 1024.
package linalg
