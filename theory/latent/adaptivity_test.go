package latent

import (
	"math"
	"testing"
)

func TestDistancesOfTheNotes(t *testing.T) {
	for d, want := range map[int][4]float64{2: {.05507, .02765, .01384, .00692}, 4: {.15984, .11323, .08010, .05665},
		8: {.27968, .23537, .19796, .16648}, 16: {.37286, .34205, .31369, .28766}} {
		for i, x := range want {
			about(t, "mean distance", NearestDistance(d, 64<<(2*i), 1), x, 6e-6)
		}
	}
	for i, want := range []int{4, 19, 89, 424} { // n for a mean distance of 0.1
		about(t, "mean distance", NearestDistance(i+1, want, 1), 0.1, 0.3/float64(want)) // some points more or less
	}
	about(t, "points", Grid{1, 0.25}.Points(), 2, 0)
	about(t, "points", Grid{2, 0.1}.Points(), 25, 0)
	about(t, "one point", Grid{3, 0.5}.Points(), 1, 0)
	if !math.IsNaN(Grid{0, 0.1}.Points()) || !math.IsNaN(Grid{1, 1}.Points()) {
		t.Error("a grid outside the hypotheses")
	}
}

func TestRatesOfTheNotes(t *testing.T) {
	for i, n := range []int{16, 64, 256, 1024} {
		about(t, "step", math.Sqrt(StepError(n, 0.5))/[]float64{7.217e-2, 3.608e-2, 1.804e-2, 9.021e-3}[i], 1, 2e-4)
		about(t, "sine", math.Sqrt(SineError(n))/[]float64{9.921e-3, 6.220e-4, 3.888e-5, 2.430e-6}[i], 1, 2e-4)
	}
	about(t, "kink", math.Sqrt(KinkError(16, 1./3))/4.009e-3, 1, 2e-4)
	about(t, "kink", math.Sqrt(KinkError(1024, 1./3))/7.831e-6, 1, 2e-4)
	for i, n := range []int{16, 64} {
		about(t, "norm of the sine", SineNorm(n), []float64{19.49, 19.72}[i], 6e-3)
	}
	about(t, "series of the sine", SineError(32)/(1-math.Pow(math.Sin(math.Pi/32), 2)*(1./3+math.Pow(32/math.Pi,
		2))), 1, 1e-9)
}

// He₂/√2 from the exact second moments of latent/hessian, and He₄ at d = 1, where ŵ = ±1: (1/√24)(4c₄ + c₆) =
// −1/√(24·2π).
func TestPureGradientsByHand(t *testing.T) {
	for _, d := range []int{2, 10} {
		iso := Isotropic{d, 1}
		about(t, "He₂", PureGradient(d, 2, 0), iso.Signal()+float64(d-1)*iso.Noise(), 1e-14)
	}
	about(t, "He₄ on a line", PureGradient(1, 4, 0), 4./24/(2*math.Pi), 1e-15)
	about(t, "He₃", PureGradient(5, 3, 0), 0, 0)
	if !math.IsNaN(PureGradient(5, 1, 0)) {
		t.Error("a linear target has a prediction")
	}
	kappa, err := Kappa(Isotropic{4, 4}.Target().Hessian(4))
	about(t, "κ", kappa, math.Sqrt(0.5), 1e-15)
	if err != nil {
		t.Error(err)
	}
	if _, err := Kappa(Target{{1, []int{3}}}.Hessian(1)); err == nil {
		t.Error("H = 0 has a condition number")
	}
}

// Root mean squares of the entries of E f x 1{w·x≥0} times d^(p/2), which our notes sampled for He_p.
func TestGradientQueriesOfTheNotes(t *testing.T) {
	for _, c := range []struct {
		p    int
		bias float64
		want [3]float64 // at d = 32, 128, 512
	}{{2, 0, [3]float64{0.54, 0.56, 0.565}}, {4, 0, [3]float64{1.05, 1.19, 1.23}}, {3, 0, [3]float64{}},
		{2, 1, [3]float64{0.34, 0.34, 0.34}}, {3, 1, [3]float64{0.46, 0.50, 0.51}}} {
		for i, d := range []int{32, 128, 512} {
			entry := math.Sqrt(PureGradient(d, c.p, c.bias)/4/float64(d)) * math.Pow(float64(d), float64(c.p)/2)
			about(t, "entry of a query", entry, c.want[i], 0.02)
		}
	}
}

// Windows of three over 0, 0, 1, 1 are right at the ends and err by 1/3 at both values next to the jump.
func TestSmootherByHand(t *testing.T) {
	s := Smoother{4, 0.6}
	about(t, "error", s.Error([]float64{0, 0, 1, 1}, 1), (2./9+0.36*(1./2+1./3+1./3+1./2))/4, 1e-15)
	about(t, "no window", s.Error([]float64{0, 3, 1, 1}, 0), 0.36, 1e-15)
	about(t, "limit", Smoother{300, 0.3}.StepLimit(), 0.01, 1e-15)
	about(t, "floor", Smoother{1 << 20, 1}.SineFloor(), 0.5-4/(math.Pi*math.Pi), 1e-9)
	if !math.IsNaN(s.Error(nil, 1)) || !math.IsNaN(Smoother{2, 1}.StepLimit()) {
		t.Error("a smoother outside the hypotheses")
	}
	// Errors of our notes with a tuned kernel smoother, whose window is chosen for each data set.
	for i, want := range []float64{.01952, .00939, .00478, .00234} {
		n := 64 << (2 * i)
		if limit := (Smoother{n, 0.3}).StepLimit(); !(want > limit*0.85 && want < limit*1.15) {
			t.Errorf("n = %d: %v in the notes, limit %v", n, want, limit)
		}
	}
}
