package latent

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/latent"
	"github.com/thm-suite/thm/internal/impl/poly"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/latent"
)

// kernelBound writes the operator in coordinates, where its entries are moments of a random direction.
var kernelBound = props.Spec{
	Statement: &theory.KernelBound,
	Checks: []props.Check{
		props.Drawn[zonalOperator, eigenClaim]{
			Name:    "eigenvalues",
			Cases:   props.Scale{Quick: 100, Standard: 400, Deep: 5000},
			Regimes: []string{"one degree", "degrees of one parity", "both parities", "one dimension"},
			Draw: func(t *props.T) zonalOperator {
				z := drawZonal(t)
				return zonalOperator{z, zonalMatrix(z, directionMoment)}
			},
			Claim: listed,
			Judge: judgeEigenvalues,
			Controls: []props.Wrong[zonalOperator, eigenClaim]{
				{Name: "u uniform on the cube", Assumption: "uniform", Criterion: "eigenvalues",
					Alter: func(o *zonalOperator) { o.Matrix = zonalMatrix(o.Zonal, cornerMoment) }},
				{Name: "degrees not mixed", Criterion: "eigenvalues", Instead: unmixed},
				{Name: "harmonics of the sphere one dimension up", Criterion: "eigenvalues",
					Instead: func(z theory.Zonal, n int) []float64 {
						z.D++
						return listed(z, n)
					}},
			},
		},
		props.Drawn[spanned, spanClaim]{
			Name:    "error of spans",
			Cases:   props.Scale{Quick: 120, Standard: 800, Deep: 20000},
			Regimes: spans,
			Draw:    drawSpan,
			Claim: spanClaim{bound: func(s spanned) float64 { return s.SpanBound(float64(s.N)) },
				attained: func(kind string) bool { return kind == spans[2] || kind == spans[4] || kind == spans[3] }},
			Judge: judgeSpan,
			Proven: map[string]string{"error ≥ bound": "every rounding of the trace, and the basis is as orthonormal as " +
				"measured"},
			Controls: []props.Wrong[spanned, spanClaim]{
				{Name: "one function more", Assumption: "dimension", Criterion: "error ≥ bound",
					Draw: func(t *props.T) spanned {
						s := drawLeadingSpan(t)
						return s.of(leadingFunctions(s.Matrix, 2))
					}},
				{Name: "span of the targets themselves", Assumption: "uniform", Criterion: "error ≥ bound",
					Draw: func(t *props.T) spanned {
						s := drawLeadingSpan(t)
						functions := leadingFunctions(s.Matrix, 1)
						size, _ := s.Matrix.Dims()
						s.Matrix = mat.NewSymDense(size, nil) // as if u, and so f_u, were known
						s.Matrix.SymOuterK(mean2(s.Zonal), functions)
						return s.of(functions)
					}},
				{Name: "coordinates of variance 2", Assumption: "gaussian", Criterion: "equality for the leading span",
					Draw: func(t *props.T) spanned {
						s := drawLeadingSpan(t)
						functions := leadingFunctions(s.Matrix, 1)
						s.Matrix = s.withVarianceTwo()
						return s.of(functions)
					}},
				{Name: "each degree counted as one eigenvalue", Criterion: "error ≥ bound",
					Instead: spanClaim{bound: spanned.withoutMultiplicity}},
				{Name: "attained by random spans", Criterion: "equality for the leading span",
					Instead: spanClaim{attained: func(string) bool { return true }}},
			},
		},
	},
	Along: &props.Along{
		Param: "n", From: 40, To: 320, Of: []string{"bound"}, At: map[string]string{"d": "12"},
		Y: "squared error", Points: "best of the tuned kernels", Places: 4, Reps: 4,
	},
	Try: &props.Simulation{Run: tryKernelBound, Draw: drawKernelBound},
}.Claim()

// zonalOperator holds E_u f_u⊗f_u in the orthonormal basis of Hermite polynomials.
type zonalOperator struct {
	theory.Zonal
	Matrix *mat.SymDense
}

func drawZonal(t *props.T) theory.Zonal {
	z := theory.Zonal{D: gen.Dim(t.T, "d", 4)}
	top := rapid.IntRange(0, 4).Draw(t.T, "degree")
	z.Coefficients = make([]float64, top+1)
	kind := rapid.IntRange(0, 2).Draw(t.T, "degrees") // one, of one parity, all
	for p := top; p >= 0; p -= 2 - kind/2 {
		z.Coefficients[p] = float64(rapid.IntRange(1, 4).Draw(t.T, "4a")) / 4
		if kind == 0 {
			break
		}
	}
	return z
}

// zonalMatrix returns the matrix with the entries a_p a_q √(p!/α!)√(q!/β!) E u^(α+β) for |α| = p and |β| = q.
func zonalMatrix(z theory.Zonal, moment func(alpha, beta []int) float64) *mat.SymDense {
	basis := target.MultiIndices(z.D, len(z.Coefficients)-1)
	m := mat.NewSymDense(len(basis), nil)
	for i, alpha := range basis {
		for j := i; j < len(basis); j++ {
			m.SetSym(i, j, zonalWeight(z, alpha)*zonalWeight(z, basis[j])*moment(alpha, basis[j]))
		}
	}
	return m
}

// zonalWeight returns a_p √(p!/α!), p = |α|, which times u^α is the coefficient of f_u.
func zonalWeight(z theory.Zonal, alpha []int) float64 {
	p, product := 0, 1.0
	for _, k := range alpha {
		p += k
		product /= hermite.Factorial(k)
	}
	return z.Coefficients[p] * math.Sqrt(product*hermite.Factorial(p))
}

// directionMoment returns E u^(α+β) for u uniform on the sphere: the moment of a normal vector divided by the moment of
// its length.
func directionMoment(alpha, beta []int) float64 {
	moment, degree, d := 1.0, 0, len(alpha)
	for i := range alpha {
		k := alpha[i] + beta[i]
		degree += k
		moment *= poly.NormalMoment(k)
	}
	for j := 0; j < degree/2; j++ {
		moment /= float64(d + 2*j)
	}
	return moment
}

// cornerMoment returns the same moment for random signs divided by √d.
func cornerMoment(alpha, beta []int) float64 {
	moment := 1.0
	for i := range alpha {
		k := alpha[i] + beta[i]
		moment *= float64(1-k%2) / math.Pow(float64(len(alpha)), float64(k)/2)
	}
	return moment
}

func (o zonalOperator) error(unit float64) float64 {
	n, _ := o.Matrix.Dims()
	return float64(n*(20*len(o.Coefficients)+30)) * unit * max(mat.Norm(o.Matrix, 2), 0x1p-500)
}

// listed returns the n claimed eigenvalues, repeated by their multiplicities.
func listed(z theory.Zonal, n int) []float64 {
	var out []float64
	values, multiplicities := z.Eigenvalues()
	for i, v := range values {
		for range int(multiplicities[i]) {
			out = append(out, v)
		}
	}
	for len(out) < n {
		out = append(out, 0)
	}
	return out[:n]
}

// eigenClaim returns n eigenvalues, descending.
type eigenClaim func(z theory.Zonal, n int) []float64

// unmixed returns the eigenvalues of every degree by itself.
func unmixed(z theory.Zonal, n int) (out []float64) {
	for p, a := range z.Coefficients {
		single := theory.Zonal{D: z.D, Coefficients: make([]float64, p+1)}
		single.Coefficients[p] = a
		out = append(out, listed(single, n)...)
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out[:n]
}

func judgeEigenvalues(r *props.Record, o zonalOperator, claim eigenClaim) {
	count, odd, even := 0, false, false
	for p, a := range o.Coefficients {
		if a != 0 {
			count, odd, even = count+1, odd || p%2 == 1, even || p%2 == 0
		}
	}
	r.RegimeOf(count != 1, count != 1 && odd && even, o.D == 1)
	n, _ := o.Matrix.Dims()
	var e mat.EigenSym
	if !e.Factorize(o.Matrix, false) {
		panic("latent: eigenvalues of the operator")
	}
	got := e.Values(nil)
	slices.Reverse(got)
	r.WithinVector("eigenvalues", got, claim(o.Zonal, n), o.error(r.Unit()))
}

var spans = []string{"random functions", "sections of a polynomial kernel", "leading eigenfunctions", "no function",
	"all polynomials"}

// spanned holds the operator with an orthonormal basis of a space, in the columns.
type spanned struct {
	zonalOperator
	Kind  string
	N     int        // the claimed dimension
	Basis *mat.Dense // nil for no function
}

func drawSpan(t *props.T) spanned {
	z := drawZonal(t)
	s := spanned{zonalOperator: zonalOperator{z, zonalMatrix(z, directionMoment)},
		Kind: rapid.SampledFrom(spans).Draw(t.T, "kind")}
	size, _ := s.Matrix.Dims()
	s.N = rapid.IntRange(1, size).Draw(t.T, "n")
	r := t.Stream("functions")
	functions := gen.Gaussian(r, size, s.N, 1)
	switch s.Kind {
	case spans[1]:
		functions = sections(r, s)
	case spans[2]:
		functions = leadingFunctions(s.Matrix, s.N)
	case spans[3]:
		s.N = 0
		return s
	case spans[4]:
		s.N = size
		functions = mat.NewDense(size, size, nil)
		for i := range size {
			functions.Set(i, i, 1)
		}
	}
	return s.of(functions)
}

// drawLeadingSpan draws an operator on more than one function, and the span of its leading eigenfunction.
func drawLeadingSpan(t *props.T) spanned {
	z := drawZonal(t)
	if len(z.Coefficients) == 1 {
		z = theory.Zonal{D: 2, Coefficients: []float64{0, 0, 1}}
	}
	return spanned{zonalOperator: zonalOperator{z, zonalMatrix(z, directionMoment)}, Kind: spans[2], N: 1}
}

// withVarianceTwo returns the operator for another inner product, in which degree p has weight 2^p.
func (s spanned) withVarianceTwo() *mat.SymDense {
	size, _ := s.Matrix.Dims()
	out := mat.NewSymDense(size, nil)
	for i, alpha := range target.MultiIndices(s.D, len(s.Coefficients)-1) {
		degree := 0
		for _, k := range alpha {
			degree += k
		}
		for j := i; j < size; j++ {
			out.SetSym(i, j, s.Matrix.At(i, j)*math.Pow(2, float64(degree)))
		}
	}
	return out
}

// of sets the span of the given functions.
func (s spanned) of(functions *mat.Dense) spanned {
	var qr mat.QR
	qr.Factorize(functions)
	var q mat.Dense
	qr.QTo(&q)
	size, columns := functions.Dims()
	s.Basis = mat.DenseCopyOf(q.Slice(0, size, 0, columns))
	return s
}

func mean2(z theory.Zonal) float64 { return floats.Dot(z.Coefficients, z.Coefficients) }

func leadingFunctions(m *mat.SymDense, n int) *mat.Dense {
	size, _ := m.Dims()
	var e mat.EigenSym
	if !e.Factorize(m, true) {
		panic("latent: eigenfunctions of the operator")
	}
	var v mat.Dense
	e.VectorsTo(&v)
	return mat.DenseCopyOf(v.Slice(0, size, size-n, size))
}

// sections returns the coefficients of (1 + x·z/d)^degree for normal inputs z.
func sections(r *rand.Rand, s spanned) *mat.Dense {
	degree := len(s.Coefficients) - 1
	basis := target.MultiIndices(s.D, degree)
	out := mat.NewDense(len(basis), s.N, nil)
	for c := range s.N {
		section := poly.Constant(1)
		line := poly.Constant(1)
		for i := range s.D {
			line = line.Plus(poly.Variable(i).Scaled(r.NormFloat64() / float64(s.D)))
		}
		for range degree {
			section = section.Times(line)
		}
		for i, alpha := range basis {
			h := poly.Constant(1)
			for k, a := range alpha {
				h = h.Times(poly.Hermite(a, k)).Scaled(1 / math.Sqrt(hermite.Factorial(a)))
			}
			out.Set(i, c, section.Times(h).Mean())
		}
	}
	return out
}

// oblique returns ‖BᵀB − 1‖, the departure of the basis from an orthonormal one.
func (s spanned) oblique() float64 {
	if s.Basis == nil {
		return 0
	}
	gram := algebra.Product(s.Basis.T(), s.Basis)
	for i := range gram.RawMatrix().Rows {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	return mat.Norm(gram, 2)
}

// spanClaim holds the claimed bound for a span, and says which kinds attain it.
type spanClaim struct {
	bound    func(spanned) float64
	attained func(kind string) bool
}

// withoutMultiplicity returns the bound with every degree counted as one eigenvalue.
func (s spanned) withoutMultiplicity() float64 {
	values, _ := s.Eigenvalues()
	bound := mean2(s.Zonal)
	for i := range min(s.N, len(values)) {
		bound -= values[i]
	}
	return bound
}

func judgeSpan(r *props.Record, s spanned, claim spanClaim) {
	r.Regime(s.Kind)
	error := mean2(s.Zonal)
	if s.Basis != nil {
		var inside mat.Dense
		image := algebra.Product(s.Matrix, s.Basis)
		inside.MulElem(s.Basis, image)
		error -= mat.Sum(&inside)
	}
	bound, size := claim.bound(s), mean2(s.Zonal)
	n, _ := s.Matrix.Dims()
	// In units of u‖M‖, with the Frobenius norm, where tr M = Σa² ≤ √n‖M‖: entries err by 26, and the trace over N ≤ n
	// functions by √n times that; the product with the basis errs by nN, the sum of the nN entries of a product by nN²,
	// and the bound by 40√n. The total is below n²(20p+50) for n = binom(d+p, p), d ≤ 4 and p ≤ 4. A basis with ‖BᵀB −
	// 1‖ = δ, measured to nNu, gives at most 1 + δ times the trace of a projection.
	tolerance := float64(n)*s.zonalOperator.error(r.Unit()) + s.oblique()*size
	if bound > 1e3*tolerance {
		r.AtLeast("error ≥ bound", error, bound, tolerance)
	}
	if claim.attained(s.Kind) {
		r.WithinScale("equality for the leading span", error, bound, size, tolerance)
	}
}

// maxKernelSamples is the largest number of samples in a simulation.
const maxKernelSamples = 2000

// tunedErrors returns the errors of the four tuned kernels on one data set of n samples.
func tunedErrors(t *props.Trial, v statement.Values, n int) map[string]float64 {
	d, p := v.Int("d"), v.Int("p")
	t.Need(n >= 2 && n <= maxKernelSamples && d >= 2 && d <= 1000,
		"n = %d samples in d = %d dimensions: kernels run here with n from 2 to %d and d from 2 to 1000", n, d,
		maxKernelSamples)
	f := target.Mixed(p)
	if p == 2 { // as in theory.ZonalTarget
		f = target.Pure(2)
	}
	data, out := newProblem(t.Rand, f, n, d, 500), map[string]float64{}
	for name := range kernels(d) {
		out[name] = data.regress(tuned(name, d, p), latent.WithBias)
	}
	return out
}

// tryKernelBound measures the smallest error of four tuned kernels on one data set; the bound holds for all of them.
func tryKernelBound(t *props.Trial, v statement.Values) (map[string]float64, error) {
	return map[string]float64{"bound": slices.Min(slices.Collect(maps.Values(tunedErrors(t, v, v.Int("n")))))}, nil
}

// drawKernelBound plots the errors of the tuned kernels and the bound against n, up to the user's n.
func drawKernelBound(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	d, bound := v.Int("d"), props.Curve{Name: "bound", Style: props.Dashed}
	curves := []props.Curve{{Name: "tangent", Style: props.Points}, {Name: "features", Style: props.Points},
		{Name: "polynomial", Style: props.Points}, {Name: "gaussian", Style: props.Points}}
	for _, n := range halvings(v.Int("n"), 5) {
		bound.Add(float64(n), kernelsAtBest(d, v.Int("p"), n))
		errors := tunedErrors(t, v, n)
		for i := range curves {
			curves[i].Add(float64(n), errors[curves[i].Name])
		}
	}
	return []props.Figure{{ID: "kernels", Title: "Tuned kernels and the bound for all of them",
		Caption: fmt.Sprintf("Squared error of tuned kernels against the number of samples at d = %d, a data set for each "+
			"point, and the lower bound for every kernel method in the mean over directions.", d),
		X: props.Axis{Label: "samples n", Log: true}, Y: props.Axis{Label: "squared error"},
		Curves: append([]props.Curve{bound}, curves...)}}, nil
}
