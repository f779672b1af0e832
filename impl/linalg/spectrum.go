package linalg

import "gonum.org/v1/gonum/mat"

// SingularValues returns all singular values of m, largest first, and leaves m unchanged. A matrix that is not finite
// gives [ErrNotFinite]. It is [SVD] without vectors, about 4·rows·cols·min(rows, cols) flops.
func SingularValues(m *mat.Dense) ([]float64, error) {
	_, values, _, err := SVD(m, mat.SVDNone)
	return values, err
}
