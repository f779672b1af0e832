package width

import (
	"math"
	"testing"
)

// near fails where a number is not the wanted one within a relative tolerance. NaN is never near a number.
func near(t *testing.T, name string, got, want, tolerance float64) {
	t.Helper()
	far := !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want)))
	if math.IsNaN(want) != math.IsNaN(got) || !math.IsNaN(want) && far {
		t.Errorf("%s: %.15g, want %.15g", name, got, want)
	}
}

// Numbers of 25 digits and closed forms, rounded.
func TestEdgeOfChaos(t *testing.T) {
	p := Propagation{"tanh", 1.5, 0.1}
	q := p.FixedLength()
	near(t, "tanh, q", q, .520216136262, 1e-12)
	near(t, "tanh, χ₁", p.Slope(q), .877512795976, 1e-12)
	near(t, "tanh, χ_q", p.LengthSlope(q), .472970660452, 1e-12)
	near(t, "tanh, c", p.FixedCorrelation(q), 1, 0)

	p = Propagation{"tanh", 4, 0.05}
	q = p.FixedLength()
	c := p.FixedCorrelation(q)
	near(t, "chaos, q", q, 2.19549392803, 1e-11)
	near(t, "chaos, χ₁", p.Slope(q), 1.34240241445, 1e-11)
	near(t, "chaos, χ_q", p.LengthSlope(q), .318195099405, 1e-11)
	near(t, "chaos, c", c, .165064962022, 1e-11)
	near(t, "chaos, χ_c", p.CorrelationSlope(q, c), .866527995597, 1e-11)

	for activation, want := range map[string][3]float64{
		"tanh": {1.68797512057756, .0380412011112685, 7.30673},
		"erf":  {1.36034952317566, .0465501589414455, 6},
	} {
		p := Critical(activation, 0.5)
		near(t, "weight", p.Weight, want[0], 1e-13)
		near(t, "bias", p.Bias, want[1], 1e-13)
		near(t, "β", p.Algebraic(0.5), want[2], 1e-6)
		near(t, "χ₁", p.Slope(0.5), 1, 1e-13)
		near(t, "q", p.FixedLength(), 0.5, 1e-11)
	}
	near(t, "erf next to 0", Critical("erf", 1e-3).Bias, 4./3*1e-9, 1e-11)
	erf := Propagation{"erf", 1, 0}
	near(t, "erf, two inputs", erf.Pair(0.7, 0.7, 0.3), 2/math.Pi*math.Asin(0.42/2.4), 1e-13)
	near(t, "ReLU at right angles", Critical("relu", 1).Next(Signal{1, 2, 0}).Correlation, 1/math.Pi, 1e-15)
	same := Propagation{"tanh", 2, 0}
	near(t, "tanh, a pair of ones", same.Pair(0.7, 0.7, 1-1e-15), same.Pair(0.7, 0.7, 1), 1e-12)
	near(t, "tanh, slope next to 1", same.CorrelationSlope(0.7, 1-1e-15), same.Slope(0.7), 1e-12)
	near(t, "ReLU, q", Propagation{"relu", 1, 0.5}.FixedLength(), 1, 0)
	near(t, "tanh, long and alike", same.Pair(15, 15, 0.99), .780009412877932, 1e-14)
	near(t, "tanh, long and opposite", same.Pair(10, 10, -1), -same.Pair(10, 10, 1), 1e-14)
	near(t, "tanh, slope at long", same.CorrelationSlope(15, -0.99), 2*.122593937325227, 1e-14)
	near(t, "tiny biases", Propagation{"tanh", 0.5, 1e-12}.FixedLength(), 2e-12, 1e-22)
	near(t, "growth", AngleGrowth(10, 100), 90+1.5*math.Log(10), 1e-14)
}

// Angles of ReLU starting from a right angle, and how far their growth is from the claimed growth.
func TestAnglesOfReLU(t *testing.T) {
	s, p := Signal{1, 1, 0}, Critical("relu", 1)
	for l := 1; l <= 1000; l++ {
		s = p.Next(s)
		angle := 2 * math.Asin(math.Sqrt((1-s.Correlation)/2))
		if want, ok := map[int][2]float64{10: {.512471086587, 4.937}, 100: {.0846048186042, 4.4899},
			1000: {.00928763076160, 4.4050}}[l]; ok {
			near(t, "θ", angle, want[0], 1e-10)
			near(t, "C", 3*math.Pi/angle-AngleGrowth(1, l)-1, want[1], 1e-4)
		}
	}
}

// Angles do not depend on the lengths of ReLU, however short.
func TestAnglesOfShortReLU(t *testing.T) {
	s, p := Signal{1e-3, 1e-3, 0}, Propagation{"relu", 0.05, 0}
	for range 100 {
		s = p.Next(s)
	}
	near(t, "c after 100 layers", s.Correlation, math.Cos(.0846048186042), 1e-12)
}

// Lengths of a network of width n have the variance V/n and the mean K + S/n to first order: V and S by the slopes of
// the map of lengths, here with K, V and S in the third layer.
func TestLengthsOfFiniteWidth(t *testing.T) {
	p, k, v, s := Propagation{"tanh", 1.5, 0.1}, 1.0, 0.0, 0.0
	for range 3 {
		square := p.Weight * p.Pair(k, k, 1)
		fourth := p.Weight * p.Weight * p.mean(k, func(j [4]float64) float64 { return math.Pow(j[0], 4) })
		slope, bend := p.LengthSlope(k), (p.LengthSlope(k+1e-4)-p.LengthSlope(k-1e-4))/2e-4
		k, v, s = square+p.Bias, fourth-square*square+slope*slope*v, slope*s+bend*v/2
	}
	near(t, "K", k, .552769783478, 1e-12)
	near(t, "V", v, .203786384410, 1e-12)
	near(t, "S", s, -.0815307702131, 1e-8)
}

func TestEdgeOfChaosOutside(t *testing.T) {
	nan := math.NaN()
	for name, got := range map[string]float64{
		"no weights":        Propagation{"tanh", 0, 1}.Slope(1),
		"negative bias":     Propagation{"tanh", 1, -1}.Pair(1, 1, 1),
		"unknown":           Propagation{"sine", 1, 1}.Next(Signal{1, 1, 1}).Length,
		"correlation 2":     Propagation{"erf", 1, 1}.Pair(1, 1, 2),
		"below threshold":   Propagation{"tanh", 0.9, 0}.FixedLength(),
		"ReLU, all lengths": Propagation{"relu", 2, 0}.FixedLength(),
		"ReLU explodes":     Propagation{"relu", 2.1, 1}.FixedLength(),
		"ReLU, β":           Propagation{"relu", 2, 0}.Algebraic(1),
		"length NaN":        Propagation{"erf", 1, 1}.FixedCorrelation(nan),
	} {
		near(t, name, got, nan, 0)
	}
}

// Hardly beyond the critical line the fixed correlation is hardly below 1, by β(χ₁ − 1) to leading order.
func TestFixedCorrelationNearTheCriticalLine(t *testing.T) {
	for _, c := range []struct {
		activation string
		by         float64
	}{{"tanh", 1e-7}, {"tanh", 1e-9}, {"erf", 1e-6}, {"erf", 1e-9}, {"erf", 1e-12}} {
		p := Critical(c.activation, 0.01)
		p.Weight *= 1 + c.by
		q := p.FixedLength()
		got, want := p.FixedCorrelation(q), 1-p.Algebraic(q)*(p.Slope(q)-1)
		if !(got <= 1) || !(math.Abs(got-want) < 2e-6) {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
	}
}
