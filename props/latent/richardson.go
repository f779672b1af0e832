package latent

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/ridge"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// richardson runs the iteration on matrices that are made from their eigenvalues, and counts its steps on the test
// bed.
var richardson = props.Spec{
	Statement: &theory.Richardson,
	Along: &props.Along{
		Param: "n", From: 4, To: 48, Of: []string{"steps", "best"}, Y: "steps on the test bed",
		Points: "counted", Places: 6, Reps: 1,
	},
	Try:    &props.Simulation{Run: tryRichardson},
	Checks: []props.Check{iterates, stepCounts},
}.Claim()

// spectral holds a matrix, made from its eigenvalues and eigenvectors (columns), and a right-hand side.
type spectral struct {
	Lambda  []float64 // descending
	Vectors *mat.Dense
	Y       []float64
	Eta     float64
	Steps   int
	Q       int
	K       *mat.SymDense
}

func newSpectral(r *rand.Rand, lambda []float64) spectral {
	n := len(lambda)
	s := spectral{Lambda: lambda, Vectors: gen.Orthonormal(r, n, n), K: mat.NewSymDense(n, nil), Y: make([]float64, n)}
	for i := range n {
		for j := i; j < n; j++ {
			sum := 0.0
			for k, l := range lambda {
				sum += l * s.Vectors.At(i, k) * s.Vectors.At(j, k)
			}
			s.K.SetSym(i, j, sum)
		}
		s.Y[i] = r.NormFloat64()
	}
	return s
}

// drawSpectral draws eigenvalues over up to the given number of decades, with repetitions, and with zeros if allowed.
func drawSpectral(t *props.T, decades int, zeros bool) spectral {
	n := gen.Dim(t.T, "n", 12)
	lambda := make([]float64, n)
	for i := range lambda {
		lambda[i] = math.Pow(10, -float64(rapid.IntRange(0, 4*decades).Draw(t.T, "−4 log₁₀ λ"))/4)
		if zeros && rapid.IntRange(0, 9).Draw(t.T, "zero") == 9 {
			lambda[i] = 0
		}
	}
	slices.Sort(lambda)
	slices.Reverse(lambda)
	s := newSpectral(t.Stream("matrix"), lambda)
	s.Steps = rapid.IntRange(0, 200).Draw(t.T, "t")
	return s
}

// combine returns Σ f(λᵢ)⟨eᵢ, y⟩eᵢ and a bound on its error: an inner product errs by nu|eᵢ|·|y|, a sum of n products
// by (n+2)u times its terms, and the vectors are orthonormal up to ‖EᵀE − I‖.
func (s spectral) combine(f func(i int) float64, unit float64) (out []float64, error float64) {
	n, largest := len(s.Y), 0.0
	out, rounding := make([]float64, n), make([]float64, n)
	for k := range n {
		factor, inner, terms := f(k), 0.0, 0.0
		for i, y := range s.Y {
			inner += s.Vectors.At(i, k) * y
			terms += math.Abs(s.Vectors.At(i, k) * y)
		}
		for i := range n {
			out[i] += factor * inner * s.Vectors.At(i, k)
			rounding[i] += math.Abs(factor*s.Vectors.At(i, k)) * (float64(n)*terms + float64(n+2)*math.Abs(inner))
		}
		largest = max(largest, math.Abs(factor))
	}
	return out, unit*floats.Norm(rounding, 2) + s.oblique()*largest*floats.Norm(s.Y, 2)
}

// oblique returns ‖EᵀE − I‖, the departure of the eigenvectors from orthonormal ones.
func (s spectral) oblique() float64 {
	gram := algebra.Product(s.Vectors.T(), s.Vectors)
	for i := range s.Lambda {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	return mat.Norm(gram, 2)
}

// slowest returns the index of max |1−ηλᵢ|.
func (s spectral) slowest() int {
	if n := len(s.Lambda); math.Abs(1-s.Eta*s.Lambda[n-1]) > math.Abs(1-s.Eta*s.Lambda[0]) {
		return n - 1
	}
	return 0
}

// outcome holds the solution and the residual at which an iteration ended.
type outcome struct {
	spectral
	Alpha, Residual []float64
}

var iterates = props.Drawn[outcome, iterateClaim]{
	Name:    "iterates",
	Cases:   props.Scale{Quick: 200, Standard: 1500, Deep: 50000},
	Tries:   20,
	Regimes: []string{"η ≤ 1/λ₁", "1/λ₁ < η < 2/λ₁", "η = 2/λ₁", "η > 2/λ₁", "K = 0", "no step"},
	Draw:    func(t *props.T) outcome { return drawIteration(t).iterate(1) },
	Claim: iterateClaim{
		filter: func(s spectral) theory.Filter { return theory.Filter{Eta: s.Eta, Steps: s.Steps} },
		bound:  func(s spectral) float64 { return math.Pow(s.rate(), float64(s.Steps)) }},
	Judge: judgeIterates,
	Proven: map[string]string{
		"α_t": "every rounding of a step, carried by ρ", "y − Kα_t": "every rounding of a step, carried by ρ",
		"‖y − Kα_t‖ ≤ ρ^t‖y‖": "every rounding of a step, carried by ρ",
		alongOne:              "every rounding of a step, carried by ρ, and what of y is across",
	},
	// A residual that has converged leaves nothing to compare: 9 % and 18 % of 1900 cases in the regimes up to 2/λ₁.
	Declined: map[string]float64{"y − Kα_t": 0.2, alongOne: 0.4},
	Controls: []props.Wrong[outcome, iterateClaim]{
		{Name: "start at α = 1/1000", Assumption: "zero-start", Draw: func(t *props.T) outcome {
			s := drawIteration(t)
			start, y := constant(len(s.Y), 1e-3), slices.Clone(s.Y)
			image := algebra.Image(s.K, mat.NewVecDense(len(y), start))
			floats.Sub(y, image.RawVector().Data)
			got := ridge.Richardson(s.K, y, s.Eta, ridge.Stop{Iterations: s.Steps, Tolerance: -1})
			floats.Add(got.Alpha, start)
			return outcome{s, got.Alpha, got.Residual}
		}},
		{Name: "step smaller by 0.1 %", Assumption: "constant-step",
			Draw: func(t *props.T) outcome { return drawIteration(t).iterate(0.999) }},
		{Name: "one step less, solution", Criterion: "α_t", Instead: iterateClaim{filter: oneStepLess}},
		{Name: "one step less, residual", Criterion: "y − Kα_t", Instead: iterateClaim{filter: oneStepLess}},
		{Name: "rate of the smallest eigenvalue alone", Criterion: "‖y − Kα_t‖ ≤ ρ^t‖y‖",
			Instead: iterateClaim{bound: func(s spectral) float64 {
				return math.Pow(math.Abs(1-s.Eta*s.Lambda[len(s.Lambda)-1]), float64(s.Steps))
			}}},
		{Name: "rate of one step more", Criterion: alongOne,
			Instead: iterateClaim{bound: func(s spectral) float64 { return math.Pow(s.rate(), float64(s.Steps+1)) }}},
	},
}

// iterateClaim holds the filter of the steps, and the claimed bound on ‖y − Kα_t‖/‖y‖.
type iterateClaim struct {
	filter func(spectral) theory.Filter
	bound  func(spectral) float64
}

func oneStepLess(s spectral) theory.Filter {
	return theory.Filter{Eta: s.Eta, Steps: max(0, s.Steps-1)}
}

// rate returns ρ.
func (s spectral) rate() float64 {
	return max(math.Abs(1-s.Eta*s.Lambda[0]), math.Abs(1-s.Eta*s.Lambda[len(s.Lambda)-1]))
}

func drawIteration(t *props.T) spectral {
	s := drawSpectral(t, 3, true)
	// η in multiples of 1/λ₁. Beyond 2 there are few steps, because growing components swamp the digits of the others.
	multiple := float64(rapid.SampledFrom([]int{1, 4, 8, 9, 12, 15, 16, 17, 20}).Draw(t.T, "8ηλ₁")) / 8
	s.Eta = multiple / max(s.Lambda[0], 1e-3)
	if multiple > 2 {
		s.Steps = min(s.Steps, 40)
	}
	if rapid.IntRange(0, 2).Draw(t.T, "y along the slowest eᵢ") == 2 {
		mat.Col(s.Y, s.slowest(), s.Vectors)
	}
	return s
}

// iterate takes the steps, with their size times share.
func (s spectral) iterate(share float64) outcome {
	got := ridge.Richardson(s.K, s.Y, share*s.Eta, ridge.Stop{Iterations: s.Steps, Tolerance: -1})
	return outcome{s, got.Alpha, got.Residual}
}

const alongOne = "‖y − Kα_t‖ ≤ ρ^t‖y‖ along one eigenvector"

func constant(n int, x float64) []float64 {
	return list.Fill(n, func(int) float64 { return x })
}

func judgeIterates(r *props.Record, o outcome, claim iterateClaim) {
	top := o.Lambda[0]
	multiple := o.Eta * top
	r.RegimeOf(multiple > 1, multiple >= 2*(1-1e-9), multiple >= 2*(1+1e-9), top == 0, top != 0 && o.Steps == 0)
	error, size := o.rounding(o.rate(), r.Unit()), floats.Norm(o.Y, 2)
	f := claim.filter(o.spectral)
	if o.Steps > 0 { // otherwise 0 = 0
		want, expanded := o.combine(func(i int) float64 { return f.Solution(o.Lambda[i]) }, r.Unit())
		r.WithinVector("α_t", o.Alpha, want, error+expanded)
	}
	// The part that the steps have removed from y; before the first step it is 0, and the expansion has no error.
	taken, expanded := o.combine(func(i int) float64 { return 1 - f.Residual(o.Lambda[i]) }, r.Unit())
	residual := floats.SubTo(make([]float64, len(o.Y)), o.Y, taken)
	error = top*error + (float64(len(o.Y)+10)*r.Unit()+o.oblique())*(size+12*top*floats.Norm(o.Alpha, 2))
	if !r.Declines("y − Kα_t", floats.Norm(residual, 2), 1e3*error) { // α_t covers what has converged
		r.WithinVector("y − Kα_t", o.Residual, residual, error+expanded)
	}
	bound := claim.bound(o.spectral)
	r.AtMost("‖y − Kα_t‖ ≤ ρ^t‖y‖", floats.Norm(o.Residual, 2), bound*size, error)
	along := mat.Dot(o.Vectors.ColView(o.slowest()), mat.NewVecDense(len(o.Y), o.Y))
	// Up to rounding, y has that direction, as every y does for n = 1. The component across it, also of a random y,
	// falls at least as fast, so that its share of the residual is at most its share of y: (‖y‖ − |⟨e, y⟩|)/‖y‖.
	across := max(0, size-math.Abs(along))
	if across <= 4*float64(len(o.Y)+10)*r.Unit()*size && !r.Declines(alongOne, bound*size, 1e3*error) {
		r.Within(alongOne, floats.Norm(o.Residual, 2), bound*size, error+across*bound)
	}
}

// rounding bounds the error of α_t, step by step. A product with K errs by n√n·u‖K‖‖α‖, K itself by (n+1)n·u‖K‖, since
// ‖|E|‖ ≤ √n: together less than 12(n+10) for n ≤ 12; the sums and the product with η take the rest of n + 10. The
// errors of the powers of 1 − ηλ in the claim, tρ^(t−1)·3u, are within the same. For vectors with EᵀE = I + G the
// expansion E f_t(Λ)Eᵀy is another sequence, whose step departs from that of K by η(‖G‖‖y‖ + ‖K‖‖G‖‖α‖).
func (o outcome) rounding(rho, unit float64) float64 {
	error, size, count, oblique := 0.0, floats.Norm(o.Y, 2), float64(len(o.Y)+10), o.oblique()
	for t := range o.Steps + 1 {
		f := theory.Filter{Eta: o.Eta, Steps: t}
		alpha := 0.0 // the largest factor bounds the length
		for _, l := range o.Lambda {
			alpha = max(alpha, math.Abs(f.Solution(l)))
		}
		alpha *= size
		error = rho*error + count*unit*(alpha+o.Eta*(size+12*o.Lambda[0]*alpha)) +
			oblique*o.Eta*(size+o.Lambda[0]*alpha)
	}
	return error
}

// tryRichardson counts the steps on the test bed, with both step sizes.
func tryRichardson(t *props.Trial, v statement.Values) (map[string]float64, error) {
	k, y, stop := userBed(t, v)
	spectrum := theory.Brownian{N: len(y)}
	top, bottom := spectrum.Eigenvalue(1), spectrum.Eigenvalue(len(y))
	return map[string]float64{"steps": float64(ridge.Richardson(k, y, 1/top, stop).Iterations),
		"best": float64(ridge.Richardson(k, y, 2/(top+bottom), stop).Iterations)}, nil
}

// userBed returns the test bed at a user's size and tolerance.
func userBed(t *props.Trial, v statement.Values) (k *mat.SymDense, y []float64, stop ridge.Stop) {
	n, epsilon := v.Int("n"), v.Float("epsilon")
	t.Need(n <= 64 && epsilon >= 1e-10, "n = %d, ε = %g: steps are counted for n at most 64 and ε at least 1e-10", n,
		epsilon)
	k, y = newBed(n)
	return k, y, ridge.Stop{Iterations: 1_000_000, Tolerance: epsilon}
}
