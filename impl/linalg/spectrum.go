package linalg

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// SingularValues returns all singular values of m, largest first, and leaves m unchanged. A matrix that is not finite
// gives [ErrNotFinite]. It costs about 4·rows·cols·min(rows, cols) flops.
func SingularValues(m *mat.Dense) ([]float64, error) {
	rows, cols := m.Dims()
	for i := range rows {
		for _, x := range m.RawRowView(i) {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, ErrNotFinite
			}
		}
	}
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDNone) {
		return nil, errors.New("linalg: SVD did not converge")
	}
	return svd.Values(make([]float64, min(rows, cols))), nil
}
