//go:build amd64 && !noasm && !purego && !race

package rkhs

import (
	"math"

	"golang.org/x/sys/cpu"
)

// lanes are the constants of arccosinesAVX, each in four lanes, in the order of its offsets.
var lanes = func() (c [16][4]float64) {
	for i, v := range [...]float64{math.Float64frombits(1<<63 - 1), 1, 0.5, math.Pi / 2, 2, p0, p1, p2, p3, p4, p5, q1, q2,
		q3, q4} {
		c[i] = [4]float64{v, v, v, v}
	}
	return c
}()

// arccosinesAVX is arccosines of n numbers, a positive multiple of four.
//
//go:noescape
func arccosinesAVX(row, lengths *float64, n int, scale, slopes, one float64, lanes *[16][4]float64)

// arccosinesInFours is [arccosines] of as many numbers as come in fours, to the bit, and returns their count.
func arccosinesInFours(row, lengths []float64, scale, slopes, one float64) int {
	n := len(row) &^ 3
	if n == 0 || !cpu.X86.HasAVX {
		return 0
	}
	arccosinesAVX(&row[0], &lengths[0], n, scale, slopes, one, &lanes)
	return n
}
