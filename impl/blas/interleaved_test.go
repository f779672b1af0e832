package blas

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// interleavedDraw is three interleaved vectors of n elements and two factors for each lane.
func interleavedDraw(n int) (x, y []float64, c, s [Interleaved]float64) {
	rng := rand.New(rand.NewPCG(17, uint64(n)))
	for range n * Interleaved {
		x, y = append(x, even(rng)), append(y, even(rng))
	}
	for l := range c {
		c[l], s[l] = even(rng), even(rng)
	}
	return x, y, c, s
}

// TestInterleaved: a lane has the bits of the portable routines, and Drot, Daxpy and a sum with fma are what they do.
func TestInterleaved(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for n := range 40 {
			x, y, c, s := interleavedDraw(n)
			var sum, want [Interleaved]float64
			InterleavedDot(n, x, y, &sum)
			interleavedDotPortable(n, x, y, &want)
			if sum != want {
				t.Errorf("n = %d: sums %v, want %v", n, sum, want)
			}
			for l := range Interleaved {
				lane := residualOfLane(n, l, x, y, sum[l])
				if lane > 1e-14*float64(n+1) {
					t.Errorf("n = %d: sum of lane %d is off by %g", n, l, lane)
				}
			}
			oneByOne := [2][]float64{slices.Clone(x), slices.Clone(y)}
			for l := range min(n, 1) * Interleaved {
				Implementation{}.Drot(n, oneByOne[0][l:], Interleaved, oneByOne[1][l:], Interleaved, c[l], s[l])
				Implementation{}.Daxpy(n, c[l], oneByOne[0][l:], Interleaved, oneByOne[1][l:], Interleaved)
			}
			InterleavedRot(n, x, y, &c, &s)
			InterleavedAxpy(n, &c, x, y)
			for i, want := range oneByOne {
				if err := sameBits(want, [2][]float64{x, y}[i]); err != nil {
					t.Errorf("n = %d, vector %d: %v", n, i, err)
				}
			}
		}
	})
}

// residualOfLane is the error of a sum, with an oracle that adds exactly.
func residualOfLane(n, l int, x, y []float64, sum float64) float64 {
	at := func(v []float64) func(p int) float64 { return func(p int) float64 { return v[Interleaved*p+l] } }
	value, _ := residual(n, at(x), at(y), -sum)
	return value
}

func TestInterleavedPanics(t *testing.T) {
	full, short := make([]float64, 5*Interleaved), make([]float64, 5*Interleaved-1)
	var c [Interleaved]float64
	for name, call := range map[string]func(n int, x, y []float64){
		"dot":  func(n int, x, y []float64) { InterleavedDot(n, x, y, &c) },
		"axpy": func(n int, x, y []float64) { InterleavedAxpy(n, &c, x, y) },
		"rot":  func(n int, x, y []float64) { InterleavedRot(n, x, y, &c, &c) },
	} {
		for text, bad := range map[string]func(){
			"":                               func() { call(5, full, full); call(0, nil, nil) },
			"blas: n < 0":                    func() { call(-1, full, full) },
			"blas: insufficient length of x": func() { call(5, short, full) },
			"blas: insufficient length of y": func() { call(5, full, short) },
		} {
			if got := panics(bad); got != text {
				t.Errorf("%s: panic %q, want %q", name, got, text)
			}
		}
		if got := panics(func() { call(1<<60, full, full) }); got == "" {
			t.Error(fmt.Sprint(name, ": no panic for more elements than fit into the memory of any machine"))
		}
	}
}
