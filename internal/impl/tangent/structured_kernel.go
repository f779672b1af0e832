package tangent

import (
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/impl/dense"
)

// kernelBand is the number of rows of moved features that [StructuredLayer.addKernel] forms at a time.
const kernelBand = 64

// addKernel adds ⟨AᵀFᵢCᵀ, AᵀFⱼCᵀ⟩ over all pairs of samples to the kernel (n×n).
//
// The moved features are as large as the features: a band of their rows is formed and multiplied at a time. With the QR
// factorisation Aᵀ = QR the inner products equal those of RFᵢCᵀ, where a band needs the rows of Fᵢ from its first one
// on: little more than half of the flops of AᵀFᵢ where there are many bands.
func (l StructuredLayer) addKernel(kernel *mat.Dense, f Sided) {
	n, _ := l.Features.Dims()
	features := l.Features
	if l.Right != nil { // rows of all features at once
		all := mat.NewDense(n*l.Rows, l.Cols, flatten(features))
		features = mat.NewDense(n, l.Rows*l.Cols, dense.Mul(all, f.C.T()).RawMatrix().Data)
	}
	if l.Left == nil {
		dense.AddGram(kernel, features)
		return
	}
	left, triangular := mat.DenseCopyOf(f.A.T()), false
	if l.Rows > kernelBand {
		if qr, err := linalg.QR(left); err == nil { // it refuses numbers that are not finite
			left, triangular = qr.R(), true
		}
	}
	var moved *mat.Dense
	for top := 0; top < l.Rows; top += kernelBand {
		bottom, from := min(l.Rows, top+kernelBand), 0
		if triangular {
			from = top
		}
		band := left.Slice(top, bottom, from, l.Rows)
		moved = dense.Sized(moved, n, (bottom-top)*l.Cols)
		for i := range n {
			rows := mat.NewDense(l.Rows-from, l.Cols, features.RawRowView(i)[from*l.Cols:])
			dense.Gemm(mat.NewDense(bottom-top, l.Cols, moved.RawRowView(i)), 1, band, rows, 0)
		}
		dense.AddGram(kernel, moved)
	}
}
