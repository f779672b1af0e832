package latent

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// interpolation solves the kernel system, and integrates the squared error of the interpolant.
var interpolation = props.Spec{
	Statement: &theory.Interpolation,
	Along: &props.Along{
		Param: "n", From: 4, To: 64, Of: []string{"step", "kink", "sine"}, Y: "L² error of the interpolant",
		Places: 5, Reps: 1,
	},
	Try: &props.Simulation{Run: tryInterpolation},
	Checks: []props.Check{props.Drawn[interpolant, interpolantClaim]{
		Name:    "error and norm",
		Cases:   props.Scale{Quick: 120, Standard: 1000, Deep: 10000},
		Tries:   40,
		Regimes: []string{"step", "kink", "sine", "one sample"},
		Draw:    func(t *props.T) interpolant { return drawPlace(t, 1).interpolate(math.Min, 0, noiseless) },
		Claim:   interpolantClaim{square: interpolant.squareClaimed, norm: interpolant.normClaimed},
		Judge:   judgeInterpolant,
		Proven:  map[string]string{"squared norm of the kink": "a residual of the factorisation, as α has three entries"},
		Controls: []props.Wrong[interpolant, interpolantClaim]{
			{Name: "Laplace kernel", Assumption: "kernel", Criterion: "squared error",
				Draw: func(t *props.T) interpolant {
					laplace := func(s, t float64) float64 { return math.Exp(-math.Abs(s - t)) }
					return drawPlace(t, 2).interpolate(laplace, 0, noiseless)
				}},
			{Name: "samples at (i−¼)/n", Assumption: "grid", Criterion: "squared error",
				Draw: func(t *props.T) interpolant { return drawPlace(t, 2).interpolate(math.Min, 0.25, noiseless) }},
			{Name: "noise of size 1/100", Assumption: "noiseless", Criterion: "squared error",
				Draw: func(t *props.T) interpolant {
					in, r := drawPlace(t, 2), t.Stream("noise")
					return in.interpolate(math.Min, 0, func() float64 { return 0.01 * r.NormFloat64() })
				}},
			{Name: "noise of size 1/100, norm", Assumption: "noiseless", Criterion: "squared norm",
				As: "noise of size 1/100"},
			{Name: "θ in the middle of the cell", Criterion: "squared error",
				Instead: interpolantClaim{square: func(in interpolant) float64 {
					in.Theta = 0.5
					return in.squareClaimed()
				}}},
			{Name: "one sample more", Criterion: "squared error",
				Instead: interpolantClaim{square: func(in interpolant) float64 {
					in.N++
					return in.squareClaimed()
				}}},
			{Name: "norm of the function", Criterion: "squared norm", // its limit
				Instead: interpolantClaim{norm: func(interpolant) float64 { return 2 * math.Pi * math.Pi }}},
		},
	}},
}.Claim()

// interpolant holds one of three functions, with the squared error and the squared norm of its interpolant.
type interpolant struct {
	Kind         string
	N            int
	Theta        float64
	Cell         int // of the jump or kink, from 0
	Square, Norm float64
	Amplitude    float64 // largest value
}

// interpolantClaim holds the claimed squared error and squared norm.
type interpolantClaim struct{ square, norm func(interpolant) float64 }

func (in interpolant) squareClaimed() float64 {
	switch in.Kind {
	case "step":
		return theory.StepError(in.N, in.Theta)
	case "kink":
		return theory.KinkError(in.N, in.Theta)
	}
	return theory.SineError(in.N)
}

// normClaimed returns the closed form of the squared norm for the step and the sine; for the kink there is only a
// bound.
func (in interpolant) normClaimed() float64 {
	if in.Kind == "step" {
		return float64(in.N)
	}
	return theory.SineNorm(in.N)
}

// drawPlace draws a function with at least the given number of samples.
func drawPlace(t *props.T, smallest int) interpolant {
	in := interpolant{Kind: rapid.SampledFrom([]string{"step", "kink", "sine"}).Draw(t.T, "function"),
		N:     max(smallest, rapid.IntRange(1, 64).Draw(t.T, "n")),
		Theta: float64(rapid.IntRange(0, 16).Draw(t.T, "16θ")) / 16}
	if in.Kind == "step" { // a jump at a sample would leave its side to rounding
		in.Theta = min(15./16, max(1./16, in.Theta))
	}
	in.Cell = rapid.IntRange(0, in.N-1).Draw(t.T, "cell")
	return in
}

func noiseless() float64 { return 0 }

// interpolate solves the kernel system for samples at (i − shift)/n with noise, and measures the interpolant.
func (in interpolant) interpolate(kernel func(s, t float64) float64, shift float64, noise func() float64) interpolant {
	n := float64(in.N)
	at, k, y := make([]float64, in.N), mat.NewSymDense(in.N, nil), mat.NewDense(in.N, 1, nil)
	for i := range at {
		at[i] = (float64(i+1) - shift) / n
	}
	for i := range at {
		for j := i; j < in.N; j++ {
			k.SetSym(i, j, kernel(at[i], at[j]))
		}
		y.Set(i, 0, in.value(at[i])+noise())
		in.Amplitude = max(in.Amplitude, math.Abs(y.At(i, 0)))
	}
	l := must.Get(linalg.Cholesky(k))
	alpha := mat.DenseCopyOf(y)
	linalg.CholeskySolve(l, alpha)
	predict := func(x float64) float64 {
		sum := 0.0
		for i := range at {
			sum += alpha.At(i, 0) * kernel(x, at[i])
		}
		return sum
	}
	jump := (float64(in.Cell) + in.Theta) / n
	for i := range in.N {
		from, to := float64(i)/n, float64(i+1)/n
		pieces := [][2]float64{{from, to}}
		if jump > from && jump < to {
			pieces = [][2]float64{{from, jump}, {jump, to}}
		}
		for _, p := range pieces {
			in.Square += quad.Fixed(func(x float64) float64 { return math.Pow(predict(x)-in.value(x), 2) }, p[0], p[1],
				24, quad.Legendre{}, 0)
		}
	}
	in.Norm = mat.Dot(y.ColView(0), alpha.ColView(0))
	return in
}

// value returns the function at x.
func (in interpolant) value(x float64) float64 {
	jump := (float64(in.Cell) + in.Theta) / float64(in.N)
	switch in.Kind {
	case "step":
		if x > jump {
			return 1
		}
		return 0
	case "kink":
		return math.Abs(x-jump) - jump
	}
	return math.Sin(2 * math.Pi * x)
}

func judgeInterpolant(r *props.Record, in interpolant, claim interpolantClaim) {
	r.Regime(in.Kind)
	if in.N == 1 {
		r.Regime("one sample")
	}
	square := claim.square(in)
	count := float64(in.N)
	condition := max(1, 16*count*count/(math.Pi*math.Pi))
	value := 20 * count * r.Unit() * condition * max(1, in.Amplitude) // rounding of the interpolant
	r.WithinScale("squared error", in.Square, square, max(square, 1e-6), 4*value*(math.Sqrt(square)+value)+1e-13)
	slack := 4 * value * count * max(1, in.Amplitude)
	// Slopes are ±1 except in the cell of the kink. α is the second difference, with |α|₁ ≤ 3. The factor L is
	// positive, so that Cholesky's solution is exact for K + E with |E| ≤ (3n+1)uK, K ≤ 1. Then yᵀα errs by 9(3n+1)u
	// for E, 9u for K, 18u for the samples and 3nu for the product: less than the 130n⁴u that are allowed.
	if in.Kind == "kink" {
		r.AtMost("squared norm of the kink", in.Norm, 1, slack)
		return
	}
	if in.Kind == "sine" && in.N < 3 { // the sine vanishes at all samples
		return
	}
	r.Within("squared norm", in.Norm, claim.norm(in), slack)
}

// tryInterpolation interpolates the three functions, with the jump and the kink in the cell in the middle.
func tryInterpolation(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, out := v.Int("n"), map[string]float64{}
	t.Need(n <= 300, "n = %d: a kernel system is solved for n at most 300", n)
	for _, kind := range []string{"step", "kink", "sine"} {
		in := interpolant{Kind: kind, N: n, Theta: v.Float("theta"), Cell: n / 2}.interpolate(math.Min, 0, noiseless)
		out[kind] = math.Sqrt(in.Square)
		if kind == "sine" {
			out["norm"] = in.Norm
		}
	}
	return out, nil
}
