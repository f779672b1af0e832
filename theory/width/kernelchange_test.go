package width

import (
	"math"
	"testing"
)

func TestOneStep(t *testing.T) {
	for name, want := range map[string][4]float64{
		"tanh": {-1.09742688906, 2.90975269630, .181859543519, -.288002387864},
		"erf":  {-1.92782244238, 6.57902388914, .411188993072, -.497492372593},
	} {
		k := OneStep{name, 1}
		close12(t, name+" m", k.Kernel(), want[0])
		close12(t, name+" v", k.KernelVariance(), want[1])
		close12(t, name+" w", k.OutputVariance(), want[2])
		close12(t, name+" μ", k.Output(), want[3])
	}
	k := OneStep{"relu", -2}
	close12(t, "relu", k.Kernel(), -2/math.Pi)
	close12(t, "relu", k.Output(), 2/math.Pi)
	if !math.IsNaN(k.KernelVariance()) || !math.IsNaN(OneStep{"step", 1}.Kernel()) {
		t.Error("no NaN outside of the hypotheses")
	}
}

func TestCatapult(t *testing.T) {
	// One neuron a = b = 1: f = 1, Θ = 2, and after s = 1 both are 2: f = 4, Θ = 8.
	if f, theta := (Catapult{1, 1, 2}).Next(1); f != 4 || theta != 8 {
		t.Errorf("f⁺ = %v, Θ⁺ = %v, want 4 and 8", f, theta)
	}
	for _, c := range []Catapult{{0, 1, 2}, {1, 1, 1.9}, {1, 1, math.NaN()}} { // no neuron; 2ab > a² + b²
		if f, theta := c.Next(1); !math.IsNaN(f) || !math.IsNaN(theta) {
			t.Errorf("%+v is no network", c)
		}
	}
}
