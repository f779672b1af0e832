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

// diagonal trains diagonal networks with ever smaller steps.
var diagonal = props.Spec{
	Statement: &theory.Diagonal,
	Along: &props.Along{Param: "alpha", From: 0.1, To: 3, Of: []string{"first", "second"}, Y: "coefficients", Reps: 1,
		Places: 7},
	Try: &props.Simulation{Run: func(t *props.Trial, v statement.Values) (map[string]float64, error) {
		t.Need(v.Float("alpha") >= 0.05 && v.Float("alpha") < 10, "α is simulated from 0.05 to 10")
		x := mat.NewDense(1, 2, []float64{1, v.Float("ratio")})
		b, _, _ := smallSteps(x, []float64{v.Float("label")}, v.Float("alpha"), 1, 2)
		return map[string]float64{"first": b[0], "second": b[1]}, nil
	}},
	Checks: []props.Check{
		props.Grid[start, settled, minimumClaim]{
			Name: "limit of small steps",
			Cells: func(e props.Effort) (out []start) {
				for i := range (props.Scale{Quick: 1, Standard: 3, Deep: 400}).At(e) {
					out = append(out, start{2, scaled{0.3, i}}, start{2, scaled{1, i}}, start{2, scaled{2, i}},
						start{3, scaled{0.5, i}}, start{4, scaled{1, i}})
				}
				return out
			},
			Regimes: []string{"two layers", "deeper"},
			Measure: func(t *props.Trial, c start) settled { return settle(t.Rand, c.Alpha, 1, c.Depth) },
			Claim:   theory.Potential.Minimum,
			Judge: func(r *props.Record, c start, m settled, claim minimumClaim) {
				r.RegimeOf(c.Depth > 2)
				want, err := claim(theory.Potential{Inputs: m.X, Labels: m.Y, Scale: c.Alpha, Depth: c.Depth})
				if err != nil {
					want = []float64{math.NaN()}
				}
				r.WithinVector("coefficients", m.Beta, want, m.Err)
			},
			Replicates: 1,
			Controls: []props.WrongCell[start, settled, minimumClaim]{
				{Name: "u twice as large as v", Assumption: "equal",
					Measure: func(t *props.Trial, c start) settled { return settle(t.Rand, c.Alpha, 2, c.Depth) }, On: largeStart},
				{Name: "one size of steps", Assumption: "flow", Alter: func(_ start, m *settled) { m.Beta = m.Coarse },
					On: largeStart},
				{Name: "minimum of two layers", On: func(c start) bool { return c.Depth > 2 },
					Instead: func(p theory.Potential) ([]float64, error) {
						p.Depth = 2
						return p.Minimum()
					}},
				{Name: "α² sinh in place of 2α² sinh", Instead: func(p theory.Potential) ([]float64, error) {
					p.Scale /= math.Sqrt2
					return p.Minimum()
				}},
				{Name: "4α²", Instead: func(p theory.Potential) ([]float64, error) {
					p.Scale *= math.Sqrt2
					return p.Minimum()
				}},
				{Name: "least norm", Instead: func(p theory.Potential) ([]float64, error) {
					b, _, err := p.LeastNorm()
					return b, err
				}},
			},
		},
		props.Grid[int, expanded, expansionClaim]{
			Name: "large starts", Cells: props.Scale{Quick: 3, Standard: 3, Deep: 200}.Indices,
			Tries: 3,
			Measure: func(t *props.Trial, _ int) expanded {
				seed := t.Rand.Uint64()
				two := settle(rand.New(rand.NewPCG(seed, 0)), 2, 1, 2)
				four := settle(rand.New(rand.NewPCG(seed, 0)), 4, 1, 2)
				return expanded{two.X, two.Y, two.Beta, four.Beta, 256 * four.Err}
			},
			Claim: theory.Potential.LeastNorm,
			Judge: func(r *props.Record, _ int, m expanded, claim expansionClaim) {
				short, coefficient, _ := claim(theory.Potential{Inputs: m.X, Labels: m.Y, Scale: 1})
				var at [2][]float64
				for i, b := range [][]float64{m.Two, m.Four} {
					at[i] = floats.SubTo(make([]float64, len(b)), b, short)
					floats.Scale(math.Pow(2, 4*float64(i+1)), at[i])
				}
				r.WithinVector("α⁴(β − β₂)", at[1], coefficient, floats.Distance(at[0], at[1], 2)+m.Err)
			},
			Controls: []props.WrongCell[int, expanded, expansionClaim]{
				{Name: "without the projection", Instead: func(p theory.Potential) (short, coefficient []float64, err error) {
					short, coefficient, err = p.LeastNorm()
					for i, b := range short {
						coefficient[i] = b * b * b / 24
					}
					return short, coefficient, err
				}},
				{Name: "twice the coefficient", Instead: func(p theory.Potential) (short, coefficient []float64, err error) {
					short, coefficient, err = p.LeastNorm()
					floats.Scale(2, coefficient)
					return short, coefficient, err
				}},
			},
			Coarse: map[string]string{"α⁴(β − β₂)": "the next order at α = 2 is a good part of this one"},
		},
		props.Drawn[diagonalStep, func(hg float64) float64]{
			Name: "product of the weights", Cases: props.Scale{Quick: 100, Standard: 1000, Deep: 100000},
			Tries: 12,
			Draw:  func(t *props.T) diagonalStep { return drawDiagonal(t, false) },
			Claim: func(hg float64) float64 { return (1 - 2*hg) * (1 + 2*hg) },
			Judge: judgeDiagonal,
			Controls: []props.Wrong[diagonalStep, func(hg float64) float64]{
				{Name: "v steps from the new u", Draw: func(t *props.T) diagonalStep { return drawDiagonal(t, true) }},
				{Name: "1 − h²g²", Instead: func(hg float64) float64 { return 1 - hg*hg }},
				{Name: "a product that grows", Instead: func(hg float64) float64 { return 1 + 4*hg*hg }},
			},
		},
	},
}.Claim()

type (
	minimumClaim   func(p theory.Potential) ([]float64, error)
	expansionClaim func(p theory.Potential) (short, coefficient []float64, err error)
)

type scaled struct {
	Alpha float64
	Index int
}

// large are the cells of large starts, where training is short.
func large(c scaled) bool { return c.Alpha >= 1 }

// start is a start at a depth.
type start struct {
	Depth int
	scaled
}

func largeStart(c start) bool { return large(c.scaled) }

// settled is where descent ends, extrapolated to steps of no size, and with the largest steps.
type settled struct {
	X            *mat.Dense
	Y            []float64
	Beta, Coarse []float64
	Err          float64
}

type expanded struct {
	X         *mat.Dense
	Y         []float64
	Two, Four []float64 // β at these α
	Err       float64
}

func settle(r *rand.Rand, alpha, ratio float64, depth int) (out settled) {
	const n, d = 2, 4
	for condition := 5.0; !(condition < 4); {
		out.X = gen.Gaussian(r, n, d, 1)
		s, err := linalg.SingularValues(out.X)
		if err != nil {
			panic(err)
		}
		condition = math.Pow(s[0]/s[1], 2)
	}
	out.Y = gen.Gaussian(r, n, 1, 1).RawMatrix().Data
	out.Beta, out.Coarse, out.Err = smallSteps(out.X, out.Y, alpha, ratio, depth)
	return out
}

// smallSteps is where descent from u = ratio·α and v = α ends with steps of no size, and with the largest.
func smallSteps(x *mat.Dense, y []float64, alpha, ratio float64, depth int) (beta, coarse []float64, err float64) {
	n, d := x.Dims()
	coefficient := func(u, v float64) float64 { // u^D − v^D, which does not cancel
		sum, power := 1., 1.
		for range depth - 1 {
			power *= v
			sum = u*sum + power
		}
		return (u - v) * sum
	}
	layers := float64(depth)
	var ends []*mat.Dense
	for j := range 5 {
		h := math.Ldexp(0.2, -j) / math.Pow(layers*mat.Norm(x, 2), 2) /
			math.Pow(2*math.Pow(alpha, layers)+floats.Norm(y, 2)+1, 2-2/layers)
		u, v, b, g, left := make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d), math.Inf(1)
		for i := range d {
			u[i], v[i] = ratio*alpha, alpha
		}
		for steps := 0; steps < 3e6 && left > 1e-12; steps++ {
			left = 0
			clear(g)
			for i := range b {
				b[i] = coefficient(u[i], v[i])
			}
			for k := range n {
				row, miss := x.RawRowView(k), -y[k]
				for i, w := range row {
					miss += w * b[i]
				}
				for i, w := range row {
					g[i] += w * miss
				}
				left += math.Abs(miss)
			}
			for i := range u {
				down, up := layers*h*g[i], layers*h*g[i]
				for range depth - 2 {
					down *= u[i]
					up *= v[i]
				}
				u[i] *= 1 - down
				v[i] *= 1 + up
			}
		}
		for i := range b {
			b[i] = coefficient(u[i], v[i])
		}
		ends = append(ends, mat.NewDense(d, 1, b))
	}
	limit, err := order.Limit(ends, []float64{1e-11, 1e-11, 1e-11, 1e-11, 1e-11})
	return limit.RawMatrix().Data, ends[0].RawMatrix().Data, err
}

// diagonalStep is a step of descent of a diagonal network from anywhere.
type diagonalStep struct {
	X     *mat.Dense `npy:"X"`
	Y     []float64  `npy:"y"`
	Step  float64    `npy:"h"`
	U     []float64  `npy:"u"`
	V     []float64  `npy:"v"`
	NextU []float64  `npy:"u_next"`
	NextV []float64  `npy:"v_next"`
}

// gradient is Xᵀ(Xβ − y), and the same with all signs positive.
func (s diagonalStep) gradient(u, v []float64) (g, size []float64) {
	n, d := s.X.Dims()
	g, size = make([]float64, d), make([]float64, d)
	for k := range n {
		row, miss, all := s.X.RawRowView(k), -s.Y[k], math.Abs(s.Y[k])
		for i, w := range row {
			miss += w * (u[i]*u[i] - v[i]*v[i])
			all += math.Abs(w) * (u[i]*u[i] + v[i]*v[i])
		}
		for i, w := range row {
			g[i] += w * miss
			size[i] += math.Abs(w) * all
		}
	}
	return g, size
}

// drawDiagonal takes a step; in turn, v sees the new u.
func drawDiagonal(t *props.T, inTurn bool) diagonalStep {
	n, d, r := gen.Dim(t.T, "n", 3), gen.Dim(t.T, "d", 5), t.Stream("data")
	list := func(size int) []float64 { return gen.Gaussian(r, size, 1, 1).RawMatrix().Data }
	s := diagonalStep{X: gen.Gaussian(r, n, d, 1), Y: list(n), Step: gen.LogUniform(t.T, "h", 1e-3, 1),
		U: list(d), V: list(d)}
	s.NextU, s.NextV = make([]float64, d), make([]float64, d)
	g, _ := s.gradient(s.U, s.V)
	for i, u := range s.U {
		s.NextU[i] = u - 2*s.Step*u*g[i]
	}
	if inTurn {
		g, _ = s.gradient(s.NextU, s.V)
	}
	for i, v := range s.V {
		s.NextV[i] = v + 2*s.Step*v*g[i]
	}
	return s
}

func judgeDiagonal(r *props.Record, s diagonalStep, claim func(hg float64) float64) {
	n, d := s.X.Dims()
	g, size := s.gradient(s.U, s.V)
	got, want, rounding := make([]float64, d), make([]float64, d), 0.0
	for i := range d {
		got[i], want[i] = s.NextU[i]*s.NextV[i], s.U[i]*s.V[i]*claim(s.Step*g[i])
		rounding += math.Abs(s.U[i]*s.V[i]) * math.Pow(1+2*s.Step*size[i], 2)
	}
	r.WithinVector("u⁺v⁺", got, want, float64(4*(n+d)+20)*r.Unit()*rounding)
}
