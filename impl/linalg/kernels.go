package linalg

import "github.com/thm-suite/thm/impl/blas"

// kernels are called directly: the factorisations are fast and reproducible whatever blas64 has been told to use.
var kernels blas.Implementation
