//go:build amd64 && !noasm && !purego && !race

package nn

import (
	"math"

	"golang.org/x/sys/cpu"
)

// geluLanes are the constants of geluAVX2, each in four lanes, in the order of its offsets.
var geluLanes = func() (c [35][4]float64) {
	for i, v := range [...]float64{math.Float64frombits(1<<63 - 1), normalEnd, math.Float64frombits(headBits), -0.5, log2e,
		countUnit, ln2Hi, ln2Lo, 0.5, 2, 1, densityAtZero, e0, e1, e2, e3, e4, q0, q1, q2, q3, q4, q5, q6, q7, q8, d1, d2,
		d3, d4, d5, d6, d7, d8, d9} {
		c[i] = [4]float64{v, v, v, v}
	}
	return c
}()

// geluAVX2 is gelu of up to n numbers, a multiple of four, with slopes. It stops at the first four of which one lies
// beyond normalEnd or is not a number, and returns how many it did.
//
//go:noescape
func geluAVX2(values, slopes, z *float64, n int, lanes *[35][4]float64) int

// geluInFours is [gelu] of as many numbers as come in fours, to the bit, and returns their count.
func geluInFours(values, slopes, z []float64) int {
	n := len(z) &^ 3
	if n == 0 || !cpu.X86.HasAVX2 {
		return 0
	}
	if slopes == nil {
		slopes = values // which are written after them
	}
	return geluAVX2(&values[0], &slopes[0], &z[0], n, &geluLanes)
}
