package latent

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/poly"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/latent/target"
	"github.com/thm-suite/thm/theory/hermite"
	theory "github.com/thm-suite/thm/theory/latent"
)

// kernelBound has the operator in coordinates, whose entries are moments of a random direction.
var kernelBound = props.Spec{
	Statement: &theory.KernelBound,
	Checks: []props.Check{
		props.Instances[zonalOperator]{
			Name:    "eigenvalues",
			Cases:   props.Scale{Quick: 100, Standard: 400, Deep: 5000},
			Regimes: []string{"one degree", "degrees of one parity", "both parities", "one dimension"},
			Draw: func(t *props.T, done string) zonalOperator {
				z := drawZonal(t)
				return zonalOperator{z, zonalMatrix(z, done)}
			},
			Judge: judgeEigenvalues,
			Controls: []props.Control{
				{Name: "u uniform on the cube", Assumption: "uniform", Criterion: "eigenvalues", Done: "cube"},
				{Name: "degrees not mixed", Criterion: "eigenvalues", Claimed: "no mixing"},
				{Name: "harmonics of the sphere one dimension up", Criterion: "eigenvalues", Claimed: "d+1"},
			},
		},
		props.Instances[spanned]{
			Name:    "error of spans",
			Cases:   props.Scale{Quick: 120, Standard: 800, Deep: 20000},
			Regimes: spans,
			Draw:    drawSpan,
			Judge:   judgeSpan,
			Proven: map[string]string{"error ≥ bound": "every rounding of the trace, and the basis is as orthonormal as " +
				"measured"},
			Controls: []props.Control{
				{Name: "one function more", Assumption: "dimension", Criterion: "error ≥ bound", Done: "one more"},
				{Name: "span of the targets themselves", Assumption: "uniform", Criterion: "error ≥ bound",
					Done: "knows u"},
				{Name: "coordinates of variance 2", Assumption: "gaussian", Criterion: "equality for the leading span",
					Done: "variance 2"},
				{Name: "each degree counted as one eigenvalue", Criterion: "error ≥ bound", Claimed: "no multiplicity"},
				{Name: "attained by random spans", Criterion: "equality for the leading span", Claimed: "always"},
			},
		},
	},
	Along: &props.Along{
		Param: "n", From: 40, To: 320, Of: []string{"bound"}, At: map[string]string{"d": "12"},
		Y: "squared error", Points: "best of the tuned kernels", Places: 4, Reps: 4,
	},
	Try: &props.Simulation{Run: tryKernelBound, Draw: drawKernelBound},
}.Claim()

// zonalOperator is E_u f_u⊗f_u in the orthonormal basis of Hermite polynomials.
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

// zonalMatrix has the entries Σ a_p a_q √(p!/α!)√(q!/β!) E u^(α+β) for |α| = p and |β| = q.
func zonalMatrix(z theory.Zonal, done string) *mat.SymDense {
	basis := target.MultiIndices(z.D, len(z.Coefficients)-1)
	m := mat.NewSymDense(len(basis), nil)
	for i, alpha := range basis {
		for j := i; j < len(basis); j++ {
			m.SetSym(i, j, zonalWeight(z, alpha)*zonalWeight(z, basis[j])*directionMoment(alpha, basis[j], done))
		}
	}
	return m
}

// zonalWeight is a_p √(p!/α!), p = |α|: times u^α the coefficient of f_u.
func zonalWeight(z theory.Zonal, alpha []int) float64 {
	p, product := 0, 1.0
	for _, k := range alpha {
		p += k
		product /= hermite.Factorial(k)
	}
	return z.Coefficients[p] * math.Sqrt(product*hermite.Factorial(p))
}

// directionMoment is E u^(α+β) for u uniform on the sphere: of a normal vector, over that of a power of its length.
func directionMoment(alpha, beta []int, done string) float64 {
	moment, degree, d := 1.0, 0, len(alpha)
	for i := range alpha {
		k := alpha[i] + beta[i]
		degree += k
		moment *= poly.NormalMoment(k)
		if done == "cube" && k > 0 { // random signs over √d
			moment *= float64(1-k%2) / max(poly.NormalMoment(k), 1)
		}
	}
	for j := 0; j < degree/2; j++ {
		if done == "cube" {
			moment /= float64(d)
		} else {
			moment /= float64(d + 2*j)
		}
	}
	return moment
}

func (o zonalOperator) error(unit float64) float64 {
	n, _ := o.Matrix.Dims()
	return float64(n*(20*len(o.Coefficients)+30)) * unit * max(mat.Norm(o.Matrix, 2), 0x1p-500)
}

// listed are the claimed eigenvalues with their multiplicities, n numbers.
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

func judgeEigenvalues(r *props.Record, o zonalOperator, claimed string) {
	count, odd, even := 0, false, false
	for p, a := range o.Coefficients {
		if a != 0 {
			count, odd, even = count+1, odd || p%2 == 1, even || p%2 == 0
		}
	}
	switch {
	case o.D == 1:
		r.Regime("one dimension")
	case count == 1:
		r.Regime("one degree")
	case odd && even:
		r.Regime("both parities")
	default:
		r.Regime("degrees of one parity")
	}
	n, _ := o.Matrix.Dims()
	var e mat.EigenSym
	if !e.Factorize(o.Matrix, false) {
		panic("latent: eigenvalues of the operator")
	}
	got := e.Values(nil)
	slices.Reverse(got)
	z, want := o.Zonal, []float64(nil)
	switch claimed {
	case "d+1":
		z.D++
	case "no mixing":
		for p, a := range z.Coefficients {
			single := theory.Zonal{D: z.D, Coefficients: make([]float64, p+1)}
			single.Coefficients[p] = a
			want = append(want, listed(single, n)...)
		}
		slices.Sort(want)
		slices.Reverse(want)
		want = want[:n]
	}
	if want == nil {
		want = listed(z, n)
	}
	r.WithinVector("eigenvalues", got, want, o.error(r.Unit()))
}

var spans = []string{"random functions", "sections of a polynomial kernel", "leading eigenfunctions", "no function",
	"all polynomials"}

// spanned is the operator with an orthonormal basis of a space, in the columns.
type spanned struct {
	zonalOperator
	Kind  string
	N     int        // the dimension that is claimed
	Basis *mat.Dense // nil for no function
}

func drawSpan(t *props.T, done string) spanned {
	z := drawZonal(t)
	s := spanned{zonalOperator: zonalOperator{z, zonalMatrix(z, "")}, Kind: rapid.SampledFrom(spans).Draw(t.T, "kind")}
	size, _ := s.Matrix.Dims()
	if done != "" && size == 1 {
		s.zonalOperator = zonalOperator{theory.Zonal{D: 2, Coefficients: []float64{0, 0, 1}}, nil}
		s.Matrix = zonalMatrix(s.Zonal, "")
		size, _ = s.Matrix.Dims()
	}
	if done != "" {
		s.Kind = spans[2]
	}
	s.N = rapid.IntRange(1, size).Draw(t.T, "n")
	if done != "" {
		s.N = 1
	}
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
	switch done {
	case "one more":
		functions = leadingFunctions(s.Matrix, 2)
	case "knows u":
		values := leadingFunctions(s.Matrix, 1)
		functions = values
		s.Matrix = mat.NewSymDense(size, nil) // u is known, and so is f_u: the operator for one direction
		s.Matrix.SymOuterK(mean2(s.Zonal), values)
	case "variance 2": // another inner product: degree p has weight 2^p
		for i, alpha := range target.MultiIndices(s.D, len(s.Coefficients)-1) {
			degree := 0
			for _, k := range alpha {
				degree += k
			}
			for j := range size {
				if j >= i {
					s.Matrix.SetSym(i, j, s.Matrix.At(i, j)*math.Pow(2, float64(degree)))
				}
			}
		}
	}
	var qr mat.QR
	qr.Factorize(functions)
	var q mat.Dense
	qr.QTo(&q)
	_, columns := functions.Dims()
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

// sections are the coefficients of (1 + x·z/d)^degree at normal inputs z.
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

// oblique is the distance ‖BᵀB − 1‖ of the basis from an orthonormal one.
func (s spanned) oblique() float64 {
	if s.Basis == nil {
		return 0
	}
	var gram mat.Dense
	gram.Mul(s.Basis.T(), s.Basis)
	for i := range gram.RawMatrix().Rows {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	return mat.Norm(&gram, 2)
}

func judgeSpan(r *props.Record, s spanned, claimed string) {
	r.Regime(s.Kind)
	error := mean2(s.Zonal)
	if s.Basis != nil {
		var image, inside mat.Dense
		image.Mul(s.Matrix, s.Basis)
		inside.MulElem(s.Basis, &image)
		error -= mat.Sum(&inside)
	}
	bound, size := s.SpanBound(float64(s.N)), mean2(s.Zonal)
	if claimed == "no multiplicity" {
		values, _ := s.Eigenvalues()
		bound = size
		for i := range min(s.N, len(values)) {
			bound -= values[i]
		}
	}
	n, _ := s.Matrix.Dims()
	// In units of u‖M‖, the Frobenius norm, where tr M = Σa² ≤ √n‖M‖: entries err by 26, and the trace over N ≤ n
	// functions by √n times that; the product with the basis by nN, the sum of the nN entries of a product by nN², the
	// bound by 40√n. That is below n²(20p+50) for n = binom(d+p, p), d ≤ 4 and p ≤ 4. A basis with ‖BᵀB − 1‖ = δ, which
	// is measured to nNu, takes at most 1 + δ of the trace of a projection.
	tolerance := float64(n)*s.zonalOperator.error(r.Unit()) + s.oblique()*size
	if bound > 1e3*tolerance {
		r.AtLeast("error ≥ bound", error, bound, tolerance)
	}
	if s.Kind == spans[2] || s.Kind == spans[4] || s.Kind == spans[3] || claimed == "always" {
		r.WithinScale("equality for the leading span", error, bound, size, tolerance)
	}
}
