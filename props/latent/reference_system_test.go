//go:build system

package latent

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/rkhs"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/latent"
)

var (
	g4    = target.Mixed(4)
	r2deg = target.Degenerate()
)

// disturbed returns a run that measures the error of Algorithm 1, trained and tuned on labels with noise.
func disturbed(f target.Named, d, n, m int, noise float64) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		p := newProblem(r, f, n, d, referenceSamples)
		p.disturb(r, noise)
		for i := range p.Validation.Y {
			p.Validation.Y[i] += noise * float64(2*r.IntN(2)-1)
		}
		e, _ := p.learn(r, m, "")
		return e
	}
}

// absoluteError returns a run that measures the mean absolute error of Algorithm 1.
func absoluteError(f target.Named, d, n, m int) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		_, e := newProblem(r, f, n, d, referenceSamples).errors(r, m, "")
		return e
	}
}

// shared returns a run that measures the share of the first layer in the latent subspace, after the step or the variant
// done in its place.
func shared(f target.Named, d, n, m int, done string) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		_, net := newProblem(r, f, n, d, 10).learn(r, m, done)
		return latent.Energy(net.W, f.Latent)
	}
}

// square returns q·d² samples.
func square(d int, q float64) int { return int(math.Round(q * float64(d*d))) }

// Quantiles over 16 runs, section 4.6.
func TestQuantilesOfTheNotes(t *testing.T) {
	compareTrained(t, 6, []trained{
		{"20, 800, no step", learned(g3, 20, 800, 300, "no step"), sampled{.88, 5e-3, 16, true}},
		{"20, 1600", learned(g3, 20, 1600, 300, ""), sampled{.076, 5e-4, 16, true}},
		{"20, 1600, no step", learned(g3, 20, 1600, 300, "no step"), sampled{.79, 5e-3, 16, true}},
		{"30, 900", learned(g3, 30, 900, 300, ""), sampled{.306, 5e-4, 16, true}},
		{"30, 1800", learned(g3, 30, 1800, 300, ""), sampled{.156, 5e-4, 16, true}},
		{"30, 1800, no step", learned(g3, 30, 1800, 300, "no step"), sampled{.94, 5e-3, 16, true}},
		{"30, 3600", learned(g3, 30, 3600, 500, ""), sampled{.062, 5e-4, 16, true}},
		{"30, 3600, no step", learned(g3, 30, 3600, 500, "no step"), sampled{.89, 5e-3, 16, true}},
		{"50, 2500", learned(g3, 50, 2500, 500, ""), sampled{.202, 5e-4, 16, true}},
		{"20, 800, absolute", absoluteError(g3, 20, 800, 300), sampled{.240, 5e-4, 16, true}},
		{"20, 1600, absolute", absoluteError(g3, 20, 1600, 300), sampled{.149, 5e-4, 16, true}},
		{"30, 900, absolute", absoluteError(g3, 30, 900, 300), sampled{.317, 5e-4, 16, true}},
		{"30, 1800, absolute", absoluteError(g3, 30, 1800, 300), sampled{.224, 5e-4, 16, true}},
		{"30, 3600, absolute", absoluteError(g3, 30, 3600, 500), sampled{.132, 5e-4, 16, true}},
		{"50, 2500, absolute", absoluteError(g3, 50, 2500, 500), sampled{.263, 5e-4, 16, true}},
		{"20, 800, share", shared(g3, 20, 800, 300, ""), sampled{.56, 5e-3, 16, true}},
		{"20, 1600, share", shared(g3, 20, 1600, 300, ""), sampled{.71, 5e-3, 16, true}},
		{"30, 900, share", shared(g3, 30, 900, 300, ""), sampled{.41, 5e-3, 16, true}},
		{"30, 1800, share", shared(g3, 30, 1800, 300, ""), sampled{.57, 5e-3, 16, true}},
		{"30, 3600, share", shared(g3, 30, 3600, 500, ""), sampled{.71, 5e-3, 16, true}},
		{"50, 2500, share", shared(g3, 50, 2500, 500, ""), sampled{.42, 5e-3, 16, true}},
		{"30, 3600, share with initial weights", shared(g3, 30, 3600, 500, "initial weights kept"),
			sampled{.37, 5e-3, unstated, false}},
	})
}

// Errors over n/d², section 4.6; those over n, m and ς are in the published run latent/sizes.
func TestSweepsOfTheNotes(t *testing.T) {
	var all []trained
	for i, d := range []int{20, 30, 50} {
		for k, q := range []float64{1, 2, 4, 8} {
			want := [][]float64{{.318, .141, .071, .032}, {.228, .125, .073, .027}, {.237, .109, .057, .029}}[i][k]
			all = append(all, trained{"n/d²", learned(g3, d, square(d, q), 500, ""), sampled{want, 5e-4, 5, false}})
		}
	}
	compareTrained(t, 5, all)
}

// The slope of the absolute error in n, and the error against the right side of Theorem 1.
func TestSlopeOfTheNotes(t *testing.T) {
	r := referenceStream(463)
	slopes := draws(4, func() float64 {
		var x, y []float64
		for n := 450; n <= 14400; n *= 2 {
			x, y = append(x, math.Log(float64(n))), append(y, math.Log(absoluteError(g3, 30, n, 500)(r)))
		}
		return stat.Slope(x, y, 0.5).Estimate
	})
	agrees(t, "slope of the absolute error", slopes, sampled{-.59, 5e-3, unstated, false})
	agrees(t, "two directions, absolute", draws(5, func() float64 { return absoluteError(r2, 30, 3600, 1000)(r) }),
		sampled{.19, 5e-3, unstated, false})
}

// Kernels, section 4.6, whose matrices are quick to factorise; the others are in the published run latent/kernels.
func TestKernelsOfTheNotes(t *testing.T) {
	kernels := func(p int, d float64) []rkhs.Kernel {
		return []rkhs.Kernel{rkhs.NeuralTangent(), rkhs.RandomFeatures(), rkhs.Polynomial(p, d),
			rkhs.Gaussian(math.Sqrt(d))}
	}
	var all []trained
	for _, c := range []struct {
		f    target.Named
		p    int
		d, n int
		want [4]float64
	}{{g3, 3, 20, 1600, [4]float64{.414, .304, .051, .210}}, {g3, 3, 30, 900, [4]float64{.694, .705, .679, .681}},
		{g3, 3, 50, 1250, [4]float64{.823, .829, .819, .821}}, {g4, 4, 30, 900, [4]float64{.763, .758, .761, .780}}} {
		for i, k := range kernels(c.p, float64(c.d)) {
			digit := 5e-4
			if c.p == 4 {
				digit = 0.05 // quadrature and Monte Carlo mixed
			}
			all = append(all, trained{k.Name, kernelError(k, c.f, c.d, c.n, false), sampled{c.want[i], digit, 2, false}})
		}
	}
	compareTrained(t, 4, all)
}

// Algorithm 1 for the target with a quartic part, section 4.6.
func TestQuarticOfTheNotes(t *testing.T) {
	compareTrained(t, 5, []trained{
		{"30, 900", learned(g4, 30, 900, 500, ""), sampled{.589, .05, 5, false}},
		{"30, 3600", learned(g4, 30, 3600, 500, ""), sampled{.270, .05, 5, false}},
		{"30, 5400", learned(g4, 30, 5400, 500, ""), sampled{.124, .05, 5, false}},
		{"50, 2500", learned(g4, 50, 2500, 500, ""), sampled{.513, .05, 5, false}},
		{"50, 10⁴", learned(g4, 50, 10000, 500, ""), sampled{.23, 5e-3, 3, false}},
		{"noise, n = 10³, m = 100", disturbed(g4, 10, 1000, 100, 1), sampled{.48, 5e-3, unstated, false}},
		{"noise, n = 10^3.5, m = 100", disturbed(g4, 10, 3162, 100, 1), sampled{.20, 5e-3, unstated, false}},
		{"noise, n = 10⁴, m = 100", disturbed(g4, 10, 10000, 100, 1), sampled{.11, 5e-3, unstated, false}},
		{"noise, n = 10⁵, m = 100", disturbed(g4, 10, 100000, 100, 1), sampled{.029, 5e-4, unstated, false}},
		{"noise, n = 100, m = 1000", disturbed(g4, 10, 100, 1000, 1), sampled{1.14, 5e-3, unstated, false}},
		{"noise, n = 316, m = 1000", disturbed(g4, 10, 316, 1000, 1), sampled{.85, 5e-3, unstated, false}},
		{"noise, n = 3162, m = 1000", disturbed(g4, 10, 3162, 1000, 1), sampled{.19, 5e-3, unstated, false}},
	})
}

// Changes of the algorithm, Assumption 2 and pure Hermite polynomials, section 4.6.
func TestMutationsOfTheNotes(t *testing.T) {
	terms := append(theory.Target{{Coefficient: 1, Degrees: []int{1}}}, g3.Terms...)
	along := target.Named{Name: "x₁ + g3", Latent: 1, Terms: terms, At: target.Monomials(terms).At}
	compareTrained(t, 5, []trained{
		{"no step", learned(g3, 30, 3600, 500, "no step"), sampled{.855, 5e-4, 5, false}},
		{"biases 0", learned(g3, 30, 3600, 500, "no biases"), sampled{.591, 5e-4, 5, false}},
		{"initial weights kept", learned(g3, 30, 3600, 500, "initial weights kept"), sampled{.171, 5e-4, 5, false}},
		{"no pairs", learned(g3, 30, 3600, 500, "independent"), sampled{.978, 5e-4, 5, false}},
		{"no pairs, output over m", learned(g3, 30, 3600, 500, "output over m"), sampled{.072, 5e-4, 5, false}},
		{"biases of the code", learned(g3, 30, 3600, 500, "biases of the code"), sampled{.079, 5e-4, 5, false}},
		{"no preprocessing", learned(g3, 30, 3600, 500, "no preprocessing"), sampled{.079, 5e-4, 5, false}},
		{"x₁ + g3", learned(along, 30, 3600, 500, ""), sampled{.096, 5e-4, unstated, false}},
		{"x₁ + g3, no preprocessing", learned(along, 30, 3600, 500, "no preprocessing"),
			sampled{.0125, 5e-5, unstated, false}},
		{"linear part elsewhere", learned(target.WithLinearPart(), 30, 3600, 500, ""), sampled{.0154, 5e-5, 5, false}},
		{"linear part elsewhere, no preprocessing", learned(target.WithLinearPart(), 30, 3600, 500, "no preprocessing"),
			sampled{.41, 5e-3, 5, false}},
		{"two directions, 20", learned(r2, 20, 3200, 500, ""), sampled{.078, 5e-4, 16, true}},
		{"two directions, 30", learned(r2, 30, 7200, 500, ""), sampled{.073, 5e-4, 16, true}},
		{"rank 1, 20", learned(r2deg, 20, 3200, 500, ""), sampled{.42, 5e-3, 16, true}},
		{"rank 1, 30", learned(r2deg, 30, 7200, 500, ""), sampled{.47, 5e-3, 16, true}},
		{"rank 1, n = 900", learned(r2deg, 30, 900, 500, ""), sampled{.54, 5e-3, unstated, false}},
		{"rank 1, n = 3600", learned(r2deg, 30, 3600, 500, ""), sampled{.41, 5e-3, unstated, false}},
		{"rank 1, n = 14400", learned(r2deg, 30, 14400, 500, ""), sampled{.40, 5e-3, unstated, false}},
		{"two directions, n = 900", learned(r2, 30, 900, 500, ""), sampled{.41, 5e-3, unstated, false}},
		{"two directions, n = 3600", learned(r2, 30, 3600, 500, ""), sampled{.096, 5e-4, unstated, false}},
		{"two directions, n = 14400", learned(r2, 30, 14400, 500, ""), sampled{.024, 5e-4, unstated, false}},
		{"He₃, 20", learned(target.Pure(3), 20, 1600, 500, ""), sampled{.36, 5e-3, unstated, false}},
		{"He₃, 30", learned(target.Pure(3), 30, 3600, 500, ""), sampled{.59, 5e-3, unstated, false}},
		{"He₃, 50", learned(target.Pure(3), 50, 10000, 500, ""), sampled{.68, 5e-3, unstated, false}},
		{"He₄, 20", learned(target.Pure(4), 20, 1600, 500, ""), sampled{.87, 5e-3, unstated, false}},
		{"He₄, 30", learned(target.Pure(4), 30, 3600, 500, ""), sampled{.91, 5e-3, unstated, false}},
		{"He₄, 50", learned(target.Pure(4), 50, 10000, 500, ""), sampled{.91, 5e-3, unstated, false}},
		{"He₂, 30", learned(target.Pure(2), 30, 3600, 500, ""), sampled{.0065, 5e-5, unstated, false}},
		{"He₃, 100", learned(target.Pure(3), 100, 40000, 500, ""), sampled{.85, 5e-3, unstated, false}},
	})
}

// The whole table of section 4.7.
func TestTransfersOfTheNotes(t *testing.T) {
	var all []trained
	for _, c := range []struct {
		perSquare float64
		d         int
		want      [5]float64
	}{{0, 40, [5]float64{1, 1, 1, 1, 1}}, {0.25, 20, [5]float64{1, 1, 1, .92, .81}},
		{0.25, 40, [5]float64{1, 1, 1, .98, .83}},
		{0.25, 80, [5]float64{1, 1, 1, 1, .88}}, {1, 20, [5]float64{1, .86, .61, .51, .38}},
		{1, 40, [5]float64{1, .89, .68, .56, .42}}, {1, 80, [5]float64{1, .88, .66, .57, .45}},
		{4, 20, [5]float64{.81, .57, .32, .22, .151}}, {4, 40, [5]float64{.69, .43, .35, .24, .164}},
		{4, 80, [5]float64{.72, .40, .31, .24, .164}}, {16, 20, [5]float64{.43, .28, .14, .09, .059}},
		{16, 40, [5]float64{.52, .24, .15, .10, .051}}} {
		for i, count := range []int{50, 100, 200, 400, 1000} {
			all = append(all, trained{"transfer", moved(c.d, square(c.d, c.perSquare), count),
				sampled{c.want[i], 5e-3, 4, true}})
		}
	}
	compareTrained(t, 5, all)
}

// Learning He₃ from its own 1000 samples, section 4.7.
func TestScratchOfTheNotes(t *testing.T) {
	odd := target.Pure(3)
	var all []trained
	for i, d := range []int{20, 40, 80} {
		all = append(all, trained{"Algorithm 1", learned(odd, d, 1000, 500, ""),
			sampled{[]float64{.53, .89, 1.07}[i], 5e-3, 4, true}})
		tangent, cubic := kernelError(rkhs.NeuralTangent(), odd, d, 1000, false),
			kernelError(rkhs.Polynomial(3, float64(d)), odd, d, 1000, false)
		if d == 20 {
			all = append(all, trained{"tangent kernel", tangent, sampled{.93, 5e-3, 4, true}},
				trained{"cubic kernel", cubic, sampled{.55, 5e-3, 4, true}})
			continue
		}
		// Our notes have 1.04 and 1.09 for the two kernels, more than the zero predictor: their penalties were not
		// large enough. With ours, up to 100 times the mean of the diagonal, the kernels come down to 1, but not to the
		// bound.
		r := referenceStream(uint64(d))
		for _, of := range []func(*rand.Rand) float64{tangent, cubic} {
			about(t, "a kernel that learns nothing", of(r), 1, 0.03)
		}
	}
	for i, d := range []int{20, 40, 80} {
		about(t, "any kernel", theory.Zonal{D: d, Coefficients: []float64{0, 0, 0, 1}}.SpanBound(1000),
			[]float64{.31, .85, .95}[i], 5e-3)
	}
	compareTrained(t, 4, all)
}

// Cosines in more dimensions than in the quick test, section 4.3, and the shares at n = d^2.5.
func TestLargerAnglesOfTheNotes(t *testing.T) {
	angleNumbers(t, 4, 128, 1, []int{4, 8, 16, 32, 64}, []float64{.08, .39, .91, .957, .980})
	angleNumbers(t, 3, 256, 1, []int{4, 8, 16, 32, 64}, []float64{.01, .05, .857, .952, .978})
	angleNumbers(t, 4, 64, 4, []int{32, 64}, []float64{.895, .956})
	r := referenceStream(432)
	for _, c := range []struct {
		d, r, n     int
		noise, want float64
	}{{64, 4, 4096, 0, .558}, {128, 4, 1448, 0, .133}, {64, 1, 4096, 1, .408}, {64, 1, 32768, 0, .899},
		{64, 4, 32768, 0, .895}, {64, 1, 32768, 1, .822}, {128, 1, 16384, 0, .551},
		{128, 4, 16384, 0, .571}} {
		shares := draws(5, func() float64 { return stepShare(r, target.Isotropic(c.r), c.d, c.n, 512, c.noise, false) })
		agrees(t, "ρ", shares, sampled{c.want, 5e-4, 2, false})
	}
	for i, power := range []float64{3, 3.5} {
		for _, biases := range []bool{false, true} {
			want := map[bool][]float64{false: {.151, .167}, true: {.45, .76}}[biases][i]
			shares := draws(6, func() float64 {
				return stepShare(r, target.Pure(3), 32, int(math.Pow(32, power)), 64, 0, biases)
			})
			agrees(t, "ρ of He₃", shares, sampled{want, 5e-3, 1, false})
		}
	}
	for i, d := range []int{64, 128} {
		agrees(t, "n_½/d²", draws(4, func() float64 { return halfSize(r, d, 0) }),
			sampled{[]float64{.781, .779}[i], 5e-4, 2, false})
	}
	scatter := draws(24, func() float64 { return stepShare(r, target.Isotropic(1), 64, 4096, 512, 0, false) })
	mean := floats.Sum(scatter) / 24
	sum := 0.0
	for _, x := range scatter {
		sum += (x - mean) * (x - mean) / 23
	}
	about(t, "scatter of ρ", math.Sqrt(sum), .028, 3*.028/math.Sqrt(2*23)) // three standard errors
}

// From 3200 samples a cubic kernel learns every cubic in 20 variables, because there are fewer cubic monomials than
// samples.
func TestCubicKernelKnowsCubics(t *testing.T) {
	e := kernelError(rkhs.Polynomial(3, 20), g3, 20, 3200, false)(rand.New(rand.NewPCG(1, 1)))
	about(t, "cubic kernel", e, 0, 5e-5)
}

// 1600 samples of the function on a plane and on cubes, section 6.3; smaller numbers are in TestAdaptivityNumbers.
func TestLaplaceKernelOfTheNotes(t *testing.T) {
	r := referenceStream(63)
	for i, d := range []int{2, 3, 5, 10} {
		agrees(t, "error of the Laplace kernel", draws(4, func() float64 { return laplaceError(r, 1600, d) }),
			sampled{[]float64{.0038, .018, .080, .268}[i], 5e-4, 1, false})
	}
}

// A step at 0 on a grid, fitted by 40 neurons that Adam trains, section 6.4. The notes state neither the rate nor the
// number of steps. With Adam's default rate 10⁻³, training finds the ramp between the neighbours of the jump, whose
// error is √(1/(12(n−1))), at n = 20, and nearly finds it at 80. No overshoot reaches a fifth of that of the
// interpolant with a Gaussian kernel.
func TestAdamOfTheNotes(t *testing.T) {
	r := referenceStream(64)
	for i, n := range []int{20, 40, 80} {
		largest := math.Inf(-1)
		errors := draws(4, func() float64 {
			over, e := adamStep(r, n, 40, 5000)
			largest = max(largest, over)
			return e
		})
		agrees(t, "error after Adam", errors, sampled{[]float64{.068, .051, .054}[i], 5e-4, unstated, false})
		if over, _ := stepInterpolant(rkhs.Gaussian(0.3), n); !(largest < over/5) {
			t.Errorf("n = %d: overshoot %v, that of the Gaussian kernel %v", n, largest, over)
		}
	}
}

// adamStep trains c + Σ aⱼ max(0, wⱼx + bⱼ) on the whole grid, and returns overshoot and root mean square error.
func adamStep(r *rand.Rand, n, width, steps int) (over, rms float64) {
	p := make([]float64, 3*width+1) // w, b, a and c
	w, b, a := p[:width], p[width:2*width], p[2*width:3*width]
	for j := range width {
		w[j], b[j], a[j] = r.NormFloat64(), 2*r.Float64()-1, r.NormFloat64()/math.Sqrt(float64(width))
	}
	f := func(x float64) float64 {
		out := p[3*width]
		for j := range width {
			out += a[j] * max(0, w[j]*x+b[j])
		}
		return out
	}
	at := func(i, n int) (x, y float64) {
		if x = 2*float64(i)/float64(n-1) - 1; x > 0 {
			y = 1
		}
		return x, y
	}
	first, second, g := make([]float64, len(p)), make([]float64, len(p)), make([]float64, len(p))
	const rate, beta1, beta2 = 1e-3, 0.9, 0.999
	left1, left2 := 1.0, 1.0
	for range steps {
		clear(g)
		for i := range n {
			x, y := at(i, n)
			e := 2 * (f(x) - y) / float64(n)
			g[3*width] += e
			for j := range width {
				if z := w[j]*x + b[j]; z > 0 {
					g[j] += e * a[j] * x
					g[width+j] += e * a[j]
					g[2*width+j] += e * z
				}
			}
		}
		left1, left2 = beta1*left1, beta2*left2
		for k := range p {
			first[k] = beta1*first[k] + (1-beta1)*g[k]
			second[k] = beta2*second[k] + (1-beta2)*g[k]*g[k]
			p[k] -= rate * first[k] / (1 - left1) / (math.Sqrt(second[k]/(1-left2)) + 1e-8)
		}
	}
	over = math.Inf(-1)
	const fine = 4001
	for i := range fine {
		x, y := at(i, fine)
		over, rms = max(over, f(x)-1), rms+math.Pow(f(x)-y, 2)/fine
	}
	return over, math.Sqrt(rms)
}
