package latent

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Predictions of our notes for the isotropic target.
func TestSharesOfTheNotes(t *testing.T) {
	for _, c := range []struct {
		d, r, n int
		noise   float64
		want    float64
	}{{64, 1, 512, 0, 0.151}, {64, 1, 4096, 0, 0.563}, {64, 1, 32768, 0, 0.903}, {64, 4, 512, 0, 0.191},
		{64, 4, 4096, 0, 0.580}, {64, 4, 32768, 0, 0.898}, {128, 1, 1448, 0, 0.108}, {128, 1, 16384, 0, 0.562},
		{128, 4, 1448, 0, 0.129}, {128, 4, 16384, 0, 0.570}, {64, 1, 512, 1, 0.088}, {64, 1, 4096, 1, 0.397},
		{64, 1, 32768, 1, 0.831}} {
		s := Step{c.d, c.n, c.noise, Isotropic{c.d, c.r}.Target().Hessian(c.r)}
		about(t, "ρ", s.Share(), c.want, 6e-4)
		about(t, "n_{1/2}", s.Half(), math.Pi/4*(1+c.noise*c.noise)*float64(c.d*c.d), 1e-9)
	}
}

// Exact at degree 2, ½((1+ς²)d + 4); He₂/√2 + He₄/√48 has a cross term.
func TestEnergiesByHand(t *testing.T) {
	for _, r := range []int{1, 3} {
		s := Sampling{D: 10, N: 7, Noise: 2, Target: Isotropic{10, r}.Target()}
		about(t, "Q", s.energy(), 54, 1e-12)
	}
	f := Target{{0.5, []int{2}}, {math.Sqrt(1. / 48), []int{4}}}
	// 2(2·½ + 4·½) + 2 E fΔf, where He₄″ = 12He₂ and E ½He₂·12He₂ = 12
	about(t, "Q with a cross term", Sampling{D: 5, N: 1, Target: f}.energy(), 5+6+24/math.Sqrt(48), 1e-12)
	if !math.IsNaN(Sampling{D: 1, N: 1, Target: Target{{1, []int{1}}}}.Raw()) {
		t.Error("a linear target has a prediction")
	}
	for d, want := range map[int]float64{32: 0.184, 64: 0.1, 128: 0.052} {
		about(t, "share", NoiseShare(3, d), want, 5e-4)
	}
	about(t, "right side of Theorem 1", Sizes{D: 30, N: 3600, M: 500}.RightSide(), 0.265, 5e-4)
	about(t, "second moment", SecondMoment(3, 0, 0), 7, 1e-15)
	about(t, "H", mat.Norm(f.Hessian(1), 2), 1, 1e-15)
}

// The dossier's cosines for many neurons: 0.91, 0.957 and 0.979 at n = 16d, 32d and 64d, whatever d is.
func TestAngle(t *testing.T) {
	for _, c := range []struct {
		perD   int
		cosine float64
	}{{16, 0.91}, {32, 0.957}, {64, 0.979}} {
		for _, d := range []int{64, 128, 256} {
			sine := Angle{D: d, R: 1, N: c.perD * d, M: 2048}.SineSquared()
			if got := 1 / math.Sqrt(1+sine/(1-sine)); !(math.Abs(got-c.cosine) <= 0.015) {
				t.Errorf("n = %dd, d = %d: cosine %.3f, measured %v", c.perD, d, got, c.cosine)
			}
		}
	}
}

// Every summand counts: Q = 5·16 + 4 for the isotropic target at ς = 2, E‖g‖² = 2/(2π·16).
func TestSamplingNoiseByHand(t *testing.T) {
	s := Sampling{D: 16, N: 7, Noise: 2, Target: Isotropic{16, 1}.Target()}
	about(t, "raw", s.Raw(), (42-1/(16*math.Pi))/7, 1e-14)
	about(t, "preprocessed", s.Preprocessed(), (21-5/(2*math.Pi)-1/(16*math.Pi))/7, 1e-14)
}

func TestAnglesByHand(t *testing.T) {
	a := Angle{D: 10, R: 2, N: 1000, M: 100, Noise: 1}
	about(t, "sin²θ", a.SineSquared(), 8./2000*(2+4+2+math.Pi*2*10*2/100), 1e-15)
	about(t, "at most 1", Angle{D: 10, R: 2, N: 1, M: 100}.SineSquared(), 1, 0)
	for _, a := range []Angle{{D: 10, R: 11, N: 1000, M: 100}, {D: 9, R: 1, M: 2}} {
		if !math.IsNaN(a.SineSquared()) {
			t.Errorf("%+v has an angle", a)
		}
	}
}

// What a function of one direction leaves of the target of two is smallest at 45°, by a grid: ⅜.
func TestOneDirectionLeft(t *testing.T) {
	c := 1 / math.Sqrt(8)
	f := Target{{c, []int{2, 0}}, {c, []int{0, 2}}, {c, []int{1, 2}}, {c, []int{2, 1}}}
	smallest := math.Inf(1)
	for i := range 3600 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 1800)
		v := []float64{cos, sin}
		two, three := f.Form(2, v), f.Form(3, v)
		smallest = min(smallest, f.MeanSquare()-two*two/2-three*three/6)
	}
	about(t, "⅜", OneDirectionLeft(), 0.375, 1e-15)
	about(t, "smallest on a grid", smallest, 0.375, 1e-12)
}
