//go:build !linux || !amd64

package blas

import gblas "gonum.org/v1/gonum/blas"

// loadOpenBLAS finds the library, or returns nil: here always nil.
func loadOpenBLAS() gblas.Float64 { return nil }
