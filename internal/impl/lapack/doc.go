// Package lapack holds routines of LAPACK that need no more than the kernels of impl/blas, in place and on row-major
// storage. Factorisations that return matrices are in impl/linalg.
//
// All roundings are part of the contract, as in impl/blas: the same bits from every kernel, on any number of threads
// and on every architecture.
//
// Cholesky. A recursion on halves at a power of two times 64, with Dtrsm and Dsyrk between them. Up to order 64 four
// rows of U at a time: their block on the diagonal takes the rows above as a product and is factorised row by row, the
// rest of the rows is a solution as Dtrsm defines it. L has the bits of the transposed U.
//
// Dlasr. The bits of one Drot after the other.
//
// Bad arguments panic where gonum's routines panic.
package lapack
