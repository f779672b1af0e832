package latent

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/hermite"
)

// Predictions of our notes for the isotropic target, which keep the leading order of 1/d.
func TestSharesOfTheNotes(t *testing.T) {
	for _, c := range []struct {
		d, r, n int
		noise   float64
		want    float64
	}{{64, 1, 512, 0, 0.151}, {64, 1, 4096, 0, 0.563}, {64, 1, 32768, 0, 0.903}, {64, 4, 512, 0, 0.191},
		{64, 4, 4096, 0, 0.580}, {64, 4, 32768, 0, 0.898}, {128, 1, 1448, 0, 0.108}, {128, 1, 16384, 0, 0.562},
		{128, 4, 1448, 0, 0.129}, {128, 4, 16384, 0, 0.570}, {64, 1, 512, 1, 0.088}, {64, 1, 4096, 1, 0.397},
		{64, 1, 32768, 1, 0.831}} {
		about(t, "ρ", isotropicStep(c.d, c.r, c.n, c.noise).Share(), c.want, 1.4/float64(c.d))
	}
}

// In many dimensions the notes are right, and n_{1/2} is (π/4)(1+ς²)d².
func TestShareInManyDimensions(t *testing.T) {
	const d = 100000
	for _, noise := range []float64{0, 1} {
		s := isotropicStep(d, 2, 1e9, noise)
		signal, sampling := 1/(math.Pi*d), d*(1+noise*noise)/4e9
		about(t, "ρ", s.Share(), signal/(signal+sampling), 2e-4)
		about(t, "n_{1/2}/d²", s.Half()/(d*d), math.Pi/4*(1+noise*noise), 1e-4)
	}
}

// With as many directions as dimensions all of the step is latent. Otherwise, with ρ² = ‖Π⋆ŵ‖² ~ Beta(r/2, (d−r)/2) and
// b_k = E ρ^{2k}, the gradient Π⋆ŵ − ½ρ²ŵ has the share (b₁ − b₂ + b₃/4)/(b₁ − ¾b₂) from samples without end.
func TestShareOfManyDirections(t *testing.T) {
	about(t, "r = d", isotropicStep(64, 64, 1000, 1).Share(), 1, 1e-14)
	b, moment := []float64{1}, 1.0
	for k := range 3 {
		moment *= (24 + float64(k)) / (32 + float64(k))
		b = append(b, moment)
	}
	want := (b[1] - b[2] + b[3]/4) / (b[1] - 0.75*b[2])
	about(t, "the dossier's 0.897", want, 0.897, 5e-4)
	about(t, "r = 48 of 64", isotropicStep(64, 48, 1e9, 0).Share(), want, 1e-5)
	about(t, "any number is enough", isotropicStep(64, 48, 10, 0).Half(), 0, 0)
	half := isotropicStep(64, 4, 1, 0).Half()
	about(t, "at n_{1/2}", isotropicStep(64, 4, int(half), 0).Share(), 0.5, 1e-4)
}

func isotropicStep(d, r, n int, noise float64) Step {
	return Step{d, n, noise, Isotropic{d, r}.Target().Hessian(r)}
}

// Exact at degree 2, ½((1+ς²)d + 4); He₂/√2 + He₄/√48 has a cross term.
func TestEnergiesByHand(t *testing.T) {
	for _, r := range []int{1, 3} {
		s := Sampling{D: 10, N: 7, Noise: 2, Target: Isotropic{10, r}.Target()}
		about(t, "Q", s.moments().square(2), 54, 1e-12)
	}
	f := Target{{0.5, []int{2}}, {math.Sqrt(1. / 48), []int{4}}}
	if !math.IsNaN(Sampling{D: 5, N: 1, Target: f}.Preprocessed()) {
		t.Error("a target of degree 4 has a prediction")
	}
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

// Q₂ = 5·16 + 4 for the isotropic target at ς = 2, and (2/π)(‖H‖²/d − ¾(2‖H‖² + (tr H)²)/(d(d+2)))/4 = E‖g‖². The limit
// is Q₂/4 − (1+ς²)/(2π) − E‖g‖² up to a term of order 1/d, that of E y²‖x‖ over E y² E‖x‖.
func TestSamplingNoiseByHand(t *testing.T) {
	s := Sampling{D: 16, N: 7, Noise: 2, Target: Isotropic{16, 1}.Target()}
	square := (2./16 - 0.75*6/(16*18)) / (2 * math.Pi)
	about(t, "raw", s.Raw(), (42-square)/7, 1e-14)
	about(t, "limit", s.Limit(), 21-5/(2*math.Pi)-square, 0.1)
	s.N = 1e8
	about(t, "n times the error for large n", 1e8*s.Preprocessed(), s.Limit(), 1e-5)
}

// In one dimension all means are moments of one normal variable. For one sample the residual is −yx², and the error
// ½E y²x⁶ + g² + g E y|x|³, which for He₂/√2 are 375 + 15ς², 1/(4π) and 3/π.
func TestSamplingNoiseOfOneSample(t *testing.T) {
	s := Sampling{D: 1, N: 1, Noise: 0.5, Target: Target{{math.Sqrt(0.5), []int{2}}}}
	about(t, "one sample", s.Preprocessed(), (375+15*0.25)/2+1/(4*math.Pi)+3/math.Pi, 1e-12)
	about(t, "from raw labels", s.Raw(), (5+0.25)/2-1/(4*math.Pi), 1e-12)
}

// Two samples in one dimension: the mean over both, their noise and the sign of w by quadrature, without the formula.
func TestSamplingNoiseOfTwoSamples(t *testing.T) {
	for _, f := range []Target{{{math.Sqrt(0.5), []int{2}}}, {{1 / math.Sqrt(6), []int{3}}},
		{{0.5, []int{2}}, {1 / math.Sqrt(12), []int{3}}}} {
		s := Sampling{D: 1, N: 2, Noise: 0.5, Target: f}
		about(t, "two samples", s.Preprocessed(), twoSamples(f, s.Noise), 1e-8*s.Preprocessed())
	}
}

func twoSamples(f Target, noise float64) float64 {
	at := func(x float64) (y float64) {
		for _, term := range f {
			y += term.Coefficient * hermite.Polynomial(term.Degree(), x)
		}
		return y
	}
	var xs, weights []float64 // of a standard normal variable, on either side of the kink
	nodes, lengths := make([]float64, 64), make([]float64, 64)
	quad.Legendre{}.FixedLocations(nodes, lengths, 0, 12)
	slope := 0.0 // E sign(x) f(x) x, twice g
	for i, x := range nodes {
		for _, sign := range []float64{-1, 1} {
			xs, weights = append(xs, sign*x), append(weights, lengths[i]*hermite.PDF(x))
			slope += lengths[i] * hermite.PDF(x) * at(sign*x) * x
		}
	}
	sum := 0.0
	for i, a := range xs {
		for j, b := range xs {
			for _, ya := range []float64{at(a) - noise, at(a) + noise} {
				for _, yb := range []float64{at(b) - noise, at(b) + noise} {
					mean, linear := (ya+yb)/2, (ya*a+yb*b)/2
					for _, w := range []float64{-1, 1} {
						e := -w * slope / 2
						if w*a > 0 {
							e += (ya - mean - linear*a) * a / 2
						}
						if w*b > 0 {
							e += (yb - mean - linear*b) * b / 2
						}
						sum += weights[i] * weights[j] * e * e / 8
					}
				}
			}
		}
	}
	return sum
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
