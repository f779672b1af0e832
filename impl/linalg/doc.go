// Package linalg holds the linear algebra that the claims need beyond gonum: factorisations at the speed of the kernels
// of impl/blas, leading singular triplets, with a residual, of operators known only through their products, and spectra
// that reject NaN.
//
// # SVD and symmetric eigenvalues
//
// Both reduce the matrix to a condensed form with blocked reflectors (bidiagonal, tridiagonal), solve that by divide
// and conquer, and transform the vectors back with blocked reflectors. All vectors are rows until the end, so that
// rotations, permutations and the two halves of a merge are contiguous. Values alone come from a dqds of our own for
// the SVD, which is as fast as a chain of divisions, and from gonum's QR iteration for eigenvalues.
//
// Small matrices: up to 400 entries the reduction and the reflectors run in plain loops, since a call of a kernel
// takes as long as 30 multiplications; panels are of 8 and 16 rows where the matrix lies in the first- and
// second-level cache; and all scratch space is borrowed.
//
// Designs that were tried and rejected are in doc/notes/kernels.md, with their times.
package linalg
