package props

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/stat"
)

// An equality says beforehand what it detects, and keeps its word: with the truth inside the interval, a claim that is
// off by more than Detects is refuted, and one just inside the zone's inner edge is not.
func TestEqualityDetectsWhatItPromises(t *testing.T) {
	for _, at := range []float64{0.01, 0.5, 0.99} { // where the truth lies in the interval
		const truth, width, zone = 3.0, 0.4, 0.5
		iv := stat.Interval{Estimate: truth + (0.5-at)*width, Lo: truth - at*width, Hi: truth + (1-at)*width, Alpha: 1e-8}
		p := Equality("p", iv, truth, zone)
		require.Equal(t, Holds, p.Ratio.Verdict())
		require.Equal(t, 1e-8, p.Alpha)
		for _, sign := range []float64{-1, 1} {
			require.Equal(t, Refuted, Equality("p", iv, truth+sign*1.001*p.Detects, zone).Ratio.Verdict())
			require.NotEqual(t, Refuted, Equality("p", iv, truth+sign*0.999*zone, zone).Ratio.Verdict())
		}
	}
}

// A quarter of the samples doubles the width, which is then the zone.
func TestEqualityNeeds(t *testing.T) {
	p := Equality("p", stat.Interval{Estimate: 1, Lo: 0.9, Hi: 1.1, Alpha: 1e-8}, 1, 0.4)
	if !(math.Abs(p.Needs-0.25) <= 1e-12) { // a handful of roundings
		t.Errorf("needs %v of the samples, want 1/4", p.Needs)
	}
}

func TestEqualityOfABrokenIntervalIsRefuted(t *testing.T) {
	for _, iv := range []stat.Interval{{}, {Estimate: math.NaN(), Lo: 0, Hi: 1}, {Estimate: 2, Lo: 3, Hi: 1}} {
		require.Equal(t, Refuted, Equality("p", iv, 5, 1).Ratio.Verdict())
	}
}
