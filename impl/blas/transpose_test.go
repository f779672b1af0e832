package blas

import "testing"

// TestTranspose: every entry arrives, and what lies between the rows stays, at sizes around every strip and block.
func TestTranspose(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for _, rows := range []int{0, 1, 3, 4, 5, 8, 9, 17, 64, 67} {
			for _, cols := range []int{0, 1, 2, 7, 8, 15, 64, 65, 130} {
				for _, pad := range []int{0, 3} {
					lds, ldd := max(1, cols+pad), max(1, rows+pad)
					src, dst := make([]float64, rows*lds), make([]float64, cols*ldd)
					for i := range src {
						src[i] = float64(i + 1)
					}
					Transpose(rows, cols, src, lds, dst, ldd)
					for i := range dst {
						want, j, k := 0.0, i/ldd, i%ldd
						if k < rows {
							want = src[k*lds+j]
						}
						if dst[i] != want {
							t.Fatalf("%d×%d, pad %d: entry %d is %v, want %v", rows, cols, pad, i, dst[i], want)
						}
					}
				}
			}
		}
	})
	for _, bad := range []func(){
		func() { Transpose(-1, 2, nil, 2, nil, 1) },
		func() { Transpose(2, 3, make([]float64, 6), 2, make([]float64, 6), 2) },
		func() { Transpose(2, 3, make([]float64, 5), 3, make([]float64, 6), 2) },
		func() { Transpose(2, 3, make([]float64, 6), 3, make([]float64, 5), 2) },
	} {
		if panics(bad) == "" {
			t.Error("bad arguments are accepted")
		}
	}
}
