package linear

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/order"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/linear"
)

// matrixFactor descends on whole matrices, which know nothing of eigenvalues.
var matrixFactor = props.Spec{
	Statement: &theory.MatrixFactor,
	Along:     &props.Along{Param: "alpha", From: 0.05, To: 1, Of: []string{"first", "second"}, Y: "eigenvalues", Reps: 1},
	Try: &props.Simulation{Run: func(t *props.Trial, v statement.Values) (map[string]float64, error) {
		t.Need(v.Float("alpha") >= 0.02, "α is simulated from 0.02")
		a := mat.NewDense(2, 2, []float64{1, 0, 0, v.Float("ratio")})
		start := gen.Orthonormal(t.Rand, 2, 2)
		start.Scale(math.Sqrt(v.Float("alpha")), start)
		x, _, _ := smallFactorSteps([]*mat.Dense{a}, []float64{v.Float("label")}, start)
		return map[string]float64{"first": x.At(0, 0), "second": x.At(1, 1)}, nil
	}},
	Checks: []props.Check{factorSteps, factorLimit},
}.Claim()

// factorStep is a step of descent from any factor, with any two measurements.
type factorStep struct {
	A1   *mat.Dense `npy:"A1"`
	A2   *mat.Dense `npy:"A2"`
	Y    []float64  `npy:"y"`
	Step float64    `npy:"h"`
	U    *mat.Dense `npy:"U"`
	Next *mat.Dense `npy:"U_next"`
}

// stepClaim is X⁺, from X, G and h.
type stepClaim func(x, g *mat.Dense, h float64) *mat.Dense

var factorSteps = props.Drawn[factorStep, stepClaim]{
	Name: "a step", Cases: props.Scale{Quick: 100, Standard: 1000, Deep: 100000},
	Tries: 12,
	Draw:  func(t *props.T) factorStep { return drawFactorStep(t, 1) },
	Claim: func(x, g *mat.Dense, h float64) *mat.Dense { return sandwich(x, g, h, true) },
	Judge: func(r *props.Record, s factorStep, claim stepClaim) {
		n, _ := s.U.Dims()
		measured := []*mat.Dense{s.A1, s.A2}
		x, next := gram(s.U), gram(s.Next)
		size := mat.Norm(s.U, 2)
		slope := 0.0 // at least ‖G‖, all signs positive
		for i, a := range measured {
			norm := mat.Norm(a, 2)
			slope += norm * (norm*size*size + math.Abs(s.Y[i]))
		}
		rounding := float64(6*n+30) * r.Unit() * math.Pow(size*(1+2*s.Step*slope), 2)
		r.WithinMatrix("X⁺", next, claim(x, pulls(measured, s.Y, x), s.Step), float64(n)*rounding)
	},
	Controls: []props.Wrong[factorStep, stepClaim]{
		{Name: "loss without ½", Assumption: "half", Draw: func(t *props.T) factorStep { return drawFactorStep(t, 2) }},
		{Name: "first order", Instead: func(x, g *mat.Dense, h float64) *mat.Dense { return sandwich(x, g, h, false) }},
		{Name: "h in place of 2h", Instead: func(x, g *mat.Dense, h float64) *mat.Dense { return sandwich(x, g, h/2, true) }},
	},
}

// sandwich is (I − 2hG)X(I − 2hG), or without the term of second order.
func sandwich(x, g *mat.Dense, h float64, second bool) *mat.Dense {
	var gx, gxg mat.Dense
	gx.Mul(g, x)
	gxg.Mul(&gx, g)
	out := mat.DenseCopyOf(x)
	out.Apply(func(i, j int, v float64) float64 {
		v -= 2 * h * (gx.At(i, j) + gx.At(j, i))
		if second {
			v += 4 * h * h * gxg.At(i, j)
		}
		return v
	}, out)
	return out
}

func gram(u *mat.Dense) *mat.Dense {
	var x mat.Dense
	x.Mul(u, u.T())
	return &x
}

// pulls is G = Σ (⟨Aᵢ, X⟩ − yᵢ) Aᵢ.
func pulls(measured []*mat.Dense, y []float64, x *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	g := mat.NewDense(n, n, nil)
	for i, a := range measured {
		floats.AddScaled(g.RawMatrix().Data, floats.Dot(a.RawMatrix().Data, x.RawMatrix().Data)-y[i], a.RawMatrix().Data)
	}
	return g
}

func drawFactorStep(t *props.T, weight float64) factorStep {
	n, rank, r := gen.Dim(t.T, "n", 5), gen.Dim(t.T, "rank", 5), t.Stream("data")
	symmetric := func() *mat.Dense {
		b := gen.Gaussian(r, n, n, 0.5)
		a := mat.DenseCopyOf(b.T())
		a.Add(a, b)
		return a
	}
	s := factorStep{A1: symmetric(), A2: symmetric(), Y: gen.Gaussian(r, 2, 1, 1).RawMatrix().Data,
		Step: gen.LogUniform(t.T, "h", 1e-3, 1), U: gen.Gaussian(r, n, rank, 1)}
	var by mat.Dense
	by.Mul(pulls([]*mat.Dense{s.A1, s.A2}, s.Y, gram(s.U)), s.U)
	by.Scale(-2*s.Step*weight, &by)
	by.Add(s.U, &by)
	s.Next = &by
	return s
}

// factored is where descent with commuting measurements ends.
type factored struct {
	V, A      *mat.Dense // eigenvectors as columns, and eigenvalues of each measurement in a row
	Y         []float64
	X, Coarse *mat.Dense // with steps of no size, and with the largest
	Err       float64
}

type entropyClaim func(a *mat.Dense, y []float64, alpha float64) ([]float64, error)

var factorLimit = props.Grid[scaled, factored, entropyClaim]{
	Name: "limit of small steps",
	Cells: func(e props.Effort) (out []scaled) {
		for _, alpha := range []float64{0.1, 0.3, 1} {
			for i := range (props.Scale{Quick: 1, Standard: 4, Deep: 400}).At(e) {
				out = append(out, scaled{alpha, i})
			}
		}
		return out
	},
	Measure: func(t *props.Trial, c scaled) factored { return settleFactors(t.Rand, c.Alpha, 0, false) },
	Claim:   theory.LeastEntropy,
	Judge: func(r *props.Record, c scaled, m factored, claim entropyClaim) {
		n, _ := m.V.Dims()
		x, err := claim(m.A, m.Y, c.Alpha)
		if err != nil {
			x = []float64{math.NaN(), math.NaN(), math.NaN()}
		}
		var want mat.Dense
		want.Mul(m.V, mat.NewDiagDense(n, x))
		want.Mul(&want, m.V.T())
		r.WithinMatrix("X", m.X, &want, m.Err)
	},
	Replicates: 1,
	Controls: []props.WrongCell[scaled, factored, entropyClaim]{
		{Name: "a measurement turned by 0.1", Assumption: "commute", On: large,
			Measure: func(t *props.Trial, c scaled) factored { return settleFactors(t.Rand, c.Alpha, 0.1, false) }},
		{Name: "a start with one factor longer", Assumption: "isotropic", On: large,
			Measure: func(t *props.Trial, c scaled) factored { return settleFactors(t.Rand, c.Alpha, 0, true) }},
		{Name: "one size of steps", Assumption: "flow", Alter: func(_ scaled, m *factored) { m.X = m.Coarse }},
		{Name: "α², as if U(0) = αI", On: func(c scaled) bool { return c.Alpha < 1 },
			Instead: func(a *mat.Dense, y []float64, alpha float64) ([]float64, error) {
				return theory.LeastEntropy(a, y, alpha*alpha)
			}},
		{Name: "2α", Instead: func(a *mat.Dense, y []float64, alpha float64) ([]float64, error) {
			return theory.LeastEntropy(a, y, 2*alpha)
		}},
	},
}

// settleFactors measures a positive matrix by two matrices that commute, one of which may be turned.
func settleFactors(r *rand.Rand, alpha, angle float64, longer bool) (out factored) {
	const m, n = 2, 3
	for condition := 3.0; !(condition < 2); {
		out.A = gen.Gaussian(r, m, n, 1)
		s, err := linalg.SingularValues(out.A)
		if err != nil {
			panic(err)
		}
		condition = s[0] / s[1]
	}
	out.V, out.Y = gen.Orthonormal(r, n, n), make([]float64, m)
	start := gen.Orthonormal(r, n, n)
	start.Scale(math.Sqrt(alpha), start)
	if longer {
		start.SetCol(0, []float64{1.2 * start.At(0, 0), 1.2 * start.At(1, 0), 1.2 * start.At(2, 0)})
	}
	var measured []*mat.Dense
	for i := range m {
		v := mat.DenseCopyOf(out.V)
		if i > 0 {
			cos, sin := math.Cos(angle), math.Sin(angle)
			turn := mat.NewDense(n, n, []float64{cos, -sin, 0, sin, cos, 0, 0, 0, 1})
			v.Mul(out.V, turn)
		}
		var a mat.Dense
		a.Mul(v, mat.NewDiagDense(n, out.A.RawRowView(i)))
		a.Mul(&a, v.T())
		measured = append(measured, &a)
	}
	for k := range n {
		x := 0.5 + r.Float64()
		for i := range m {
			out.Y[i] += out.A.At(i, k) * x
		}
	}
	out.X, out.Coarse, out.Err = smallFactorSteps(measured, out.Y, start)
	return out
}

// smallFactorSteps is where descent ends with steps of no size, and with the largest.
func smallFactorSteps(measured []*mat.Dense, y []float64, start *mat.Dense) (limit, coarse *mat.Dense, err float64) {
	size := 0.0
	for _, a := range measured {
		size += math.Pow(mat.Norm(a, 2), 2)
	}
	var ends []*mat.Dense
	for j := range 5 {
		h := math.Ldexp(0.02, -j) / (size * (1 + floats.Norm(y, 2)/math.Sqrt(size) + math.Pow(mat.Norm(start, 2), 2)))
		u, by := mat.DenseCopyOf(start), mat.DenseCopyOf(start)
		x := gram(u)
		for steps := 0; steps < 1e6; steps++ {
			g := pulls(measured, y, x)
			if mat.Norm(g, 2) < 1e-12*size {
				break
			}
			by.Mul(g, u)
			by.Scale(-2*h, by)
			u.Add(u, by)
			x.Mul(u, u.T())
		}
		ends = append(ends, x)
	}
	limit, err = order.Limit(ends, []float64{1e-11, 1e-11, 1e-11, 1e-11, 1e-11})
	return limit, ends[0], err
}
