package stat

import (
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMemo: a value is computed once, of each arguments their own, until the memo is full.
func TestMemo(t *testing.T) {
	var m memo[int, int]
	for range 2 {
		for k := range 5000 {
			require.Equal(t, k*k, m.of(k, func() int { return k * k }))
		}
	}
	require.Zero(t, m.of(7, func() int { return 0 })-49)
	require.Equal(t, -1, m.of(4999, func() int { return -1 }))
}

// TestCells: a draw falls into the cell that a search finds, between cells and at their ends too.
func TestCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var proposals []proposal
	for _, slope := range []float64{0, 1, -40} {
		proposals = append(proposals, normalLaw().tilt(func(x float64) float64 { return slope * x }))
	}
	rounded := &law{} // 49 times a sum is rounded up to the next number of the guide
	for i := range 49 {
		rounded.sum = append(rounded.sum, math.Nextafter(float64(i+1)/49, 0))
	}
	proposals = append(proposals, proposal{law: rounded, guide: rounded.guide()})
	for _, p := range proposals {
		us := append([]float64{0, 1 - 0x1p-53}, p.law.sum...)
		for range 1000 {
			us = append(us, rng.Float64())
		}
		for _, u := range us {
			require.Equal(t, min(sort.SearchFloat64s(p.law.sum, u), len(p.law.sum)-1), p.cell(u), "%v", u)
		}
	}
}
