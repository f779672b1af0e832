//go:build amd64 && !noasm && !purego && !race

package latent

import "golang.org/x/sys/cpu"

// rectifyAVX and indicateAVX are rectify and indicate of n numbers, a positive multiple of four.
//
//go:noescape
func rectifyAVX(to, from, biases *float64, n int, sign float64)

//go:noescape
func indicateAVX(row, biases *float64, n int)

// rectifyInFours is [rectify] of as many numbers as come in fours, to the bit, and returns their count.
func rectifyInFours(to, from, biases []float64, sign float64) int {
	n := len(to) &^ 3
	if n == 0 || !cpu.X86.HasAVX {
		return 0
	}
	rectifyAVX(&to[0], &from[0], &biases[0], n, sign)
	return n
}

// indicateInFours is [indicate] of as many.
func indicateInFours(row, biases []float64) int {
	n := len(row) &^ 3
	if n == 0 || !cpu.X86.HasAVX {
		return 0
	}
	indicateAVX(&row[0], &biases[0], n)
	return n
}
