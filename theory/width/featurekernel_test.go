package width

import (
	"math"
	"testing"
)

func TestFeatureKernel(t *testing.T) {
	near(t, "s = 1", FeatureStep{false, 7, 1}.Mean(), .409154943092, 1e-12)
	near(t, "sign", FeatureStep{false, 7, -1}.Mean(), .409154943092, 1e-12)
	near(t, "no step", FeatureStep{false, 7, 0}.Square(), 0, 0)
	n := 100000000
	f := FeatureStep{true, n, 1}
	near(t, "n E ΔK", float64(n)*f.Mean(), 0.5, 1e-4)
	near(t, "n RMS", float64(n)*math.Sqrt(f.Square()), 1.5, 1e-4)
	for _, m := range []float64{0.0099999, 0.0100001} { // the series and the formula
		near(t, "third order", (m*m/2-FeatureStep{false, 1, m}.Mean())/(m*m*m)*3*math.Pi, 1-m*m/5, 1e-8)
	}
	// φ(u+ma)² is (1+m²)φ(v)², and half of the units are alive for m → ∞.
	near(t, "large step", FeatureStep{false, 3, 1e6}.Mean()/1e12, 0.25, 1e-5)
	near(t, "no units", FeatureStep{false, 0, 1}.Mean(), math.NaN(), 0)
	near(t, "no units", FeatureStep{false, 0, 1}.Square(), math.NaN(), 0)
}
