// Package gen makes random instances for properties: rapid draws their shapes, and their bulk numbers come from a
// stream.
package gen

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/list"
)

// Dim draws a dimension in [1, limit]; it shrinks towards 1.
func Dim(t *rapid.T, label string, limit int) int { return rapid.IntRange(1, limit).Draw(t, label) }

// Gaussian returns a rows×cols matrix of independent normal entries with the given standard deviation.
func Gaussian(r *rand.Rand, rows, cols int, std float64) *mat.Dense {
	return fill(rows, cols, func() float64 { return std * r.NormFloat64() })
}

// Orthonormal returns a rows×cols matrix with orthonormal columns, rows ≥ cols, that spans the columns of a Gaussian
// one.
func Orthonormal(r *rand.Rand, rows, cols int) *mat.Dense {
	var qr mat.QR
	var q mat.Dense
	qr.Factorize(Gaussian(r, rows, cols, 1))
	qr.QTo(&q)
	return mat.DenseCopyOf(q.Slice(0, rows, 0, cols))
}

// Integers returns a rows×cols matrix of independent integers in [−bound, bound].
func Integers(r *rand.Rand, rows, cols, bound int) *mat.Dense {
	return fill(rows, cols, func() float64 { return float64(r.IntN(2*bound+1) - bound) })
}

func fill(rows, cols int, draw func() float64) *mat.Dense {
	data := list.Fill(rows*cols, func(int) float64 { return draw() })
	return mat.NewDense(rows, cols, data)
}
