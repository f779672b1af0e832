package spectra

import (
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/spectra"
)

// haar sums over angles for small matrices, and draws larger ones.
var haar = props.Spec{
	Statement: &theory.Haar,
	Checks:    []props.Check{haarSummed, haarDrawn},
	Along:     &props.Along{Param: "n", From: 2, To: 16, Of: []string{"fourth", "diagonal"}, Reps: 3},
	Try:       &props.Simulation{Run: tryHaar},
}.Claim()

// haarMeans are means over the uniform orthogonal matrices of size N.
type haarMeans struct {
	N             int
	Rows, Columns []int
	Moment        float64 // of the product of these entries
	A, B          *mat.Dense
	Variance      float64 // of tr AOBOᵀ
	Power         int
	Trace         float64 // E (tr O)^(2 Power)
	Terms         float64
}

// haarClaim holds the closed forms of the means that haarMeans holds.
type haarClaim struct {
	moment func(o theory.Orthogonal, rows, columns []int) float64
	turned func(o theory.Orthogonal, a, b theory.Form) float64
	trace  func(o theory.Orthogonal, k int) float64
}

var haarSummed = props.Drawn[haarMeans, haarClaim]{
	Name:    "means over all angles",
	Cases:   props.Scale{Quick: 80, Standard: 200, Deep: 5000},
	Regimes: []string{"one or two dimensions", "three", "four"},
	Draw:    func(t *props.T) haarMeans { return drawHaar(t, func(n int) []turn { return uniform[n]() }) },
	Claim:   haarClaim{theory.Orthogonal.Moment, theory.Orthogonal.Turned, theory.Orthogonal.Trace},
	Judge: func(r *props.Record, h haarMeans, c haarClaim) {
		r.RegimeOf(h.N == 3, h.N == 4)
		o := theory.Orthogonal{N: h.N}
		allowed := (h.Terms + 200) * r.Unit() // of terms that add up to 1 at most
		size := math.Pow(float64(h.N), -float64(len(h.Rows))/2)
		r.WithinScale("mean of a product", h.Moment, c.moment(o, h.Rows, h.Columns), size, allowed)
		r.Within("moment of tr O", h.Trace, c.trace(o, h.Power), allowed*math.Pow(float64(h.N), float64(2*h.Power)))
		if h.N > 1 {
			size = math.Pow((1+entries(h.A))*(1+entries(h.B)), 2) // bounds (tr AOBOᵀ)²
			r.WithinScale("Var tr AOBOᵀ", h.Variance, c.turned(o, theory.FormOf(h.A), theory.FormOf(h.B)), size,
				2*allowed*size)
		}
	},
	Controls: []props.Wrong[haarMeans, haarClaim]{
		{Name: "uniform angles", Assumption: "uniform", Cases: 40, Draw: func(t *props.T) haarMeans {
			return drawHaar(t, func(n int) []turn { return uneven[n]() })
		}},
		{Name: "rotations alone", Assumption: "reflections", Cases: 60, Draw: func(t *props.T) haarMeans {
			return drawHaar(t, func(n int) (out []turn) {
				for _, o := range uniform[n]() {
					if o.Det > 0 {
						out = append(out, turn{o.O, 2 * o.Chance, 1})
					}
				}
				return out
			})
		}},
		{Name: "independent normal entries", Criterion: "mean of a product", Instead: haarClaim{
			moment: func(o theory.Orthogonal, rows, columns []int) float64 {
				large := theory.Orthogonal{N: 1e9} // where the entries are as good as independent
				return large.Moment(rows, columns) * math.Pow(1e9/float64(o.N), float64(len(rows)/2))
			}}},
		{Name: "the variance of unitary matrices", Criterion: "Var tr AOBOᵀ", Instead: haarClaim{
			turned: func(o theory.Orthogonal, a, b theory.Form) float64 {
				n := float64(o.N)
				return o.Turned(a, b) / 2 * (n + 2) / (n + 1)
			}}},
		{Name: "the traces not subtracted", Criterion: "Var tr AOBOᵀ", Instead: haarClaim{
			turned: func(o theory.Orthogonal, a, b theory.Form) float64 {
				return a.Variance(3) * b.Variance(3) / float64(2*(o.N-1)*(o.N+2))
			}}},
		{Name: "k! for the trace", Criterion: "moment of tr O", Instead: haarClaim{
			trace: func(_ theory.Orthogonal, k int) float64 { return math.Gamma(float64(k) + 1) }}},
	},
}

// drawHaar draws a product of entries, A and B, and takes means over matrices.
func drawHaar(t *props.T, matrices func(n int) []turn) haarMeans {
	n := []int{2, 3, 3, 4, 2, 3, 1}[rapid.IntRange(0, 6).Draw(t.T, "size")]
	all := matrices(n)
	r := t.Stream("entries")
	h := haarMeans{N: n, A: gen.Integers(r, n, n, 2), B: gen.Integers(r, n, n, 2),
		Power: rapid.IntRange(1, []int{1, 1, 2, 3, 2}[n]).Draw(t.T, "k")}
	h.A.Add(h.A, mat.DenseCopyOf(h.A.T()))
	h.B.Add(h.B, mat.DenseCopyOf(h.B.T()))
	index := func(label string) int { return rapid.IntRange(0, n-1).Draw(t.T, label) }
	i, j, k, l := index("row"), index("row"), index("column"), index("column")
	switch product := rapid.IntRange(0, 7).Draw(t.T, "product"); {
	case n == 3 && product > 5:
		m, o := index("row"), index("column")
		h.Rows = []int{i, i, j, j, m, m}
		h.Columns = rapid.Permutation([]int{k, k, l, l, o, o}).Draw(t.T, "columns")
	case n == 1 || product == 5:
		h.Rows, h.Columns = []int{i, i}, []int{k, l}
	case product == 4:
		h.Rows, h.Columns = []int{i, j, index("row")}, []int{k, l, index("column")}
	default: // most means of other products are 0
		h.Rows, h.Columns = []int{i, i, j, j}, rapid.Permutation([]int{k, k, l, l}).Draw(t.T, "columns")
		if product == 3 {
			h.Columns[0] = index("column")
		}
	}
	mean, square := 0.0, 0.0
	for _, o := range all {
		product, trace := 1.0, 0.0
		for k, i := range h.Rows {
			product *= o.O[i*n+h.Columns[k]]
		}
		for i := range n {
			trace += o.O[i*n+i]
		}
		h.Moment += o.Chance * product
		h.Trace += o.Chance * math.Pow(trace, float64(2*h.Power))
		v := turned(n, h.A.RawMatrix().Data, o.O, h.B.RawMatrix().Data)
		mean += o.Chance * v
		square += o.Chance * v * v
	}
	h.Variance, h.Terms = square-mean*mean, float64(len(all))
	return h
}

// turned is tr AOBOᵀ = Σ (AO)ᵢⱼ(OB)ᵢⱼ, of rows of n entries.
func turned(n int, a, o, b []float64) (trace float64) {
	for i := range n {
		for j := range n {
			ao, ob := 0.0, 0.0
			for k := range n {
				ao += a[i*n+k] * o[k*n+j]
				ob += o[i*n+k] * b[k*n+j]
			}
			trace += ao * ob
		}
	}
	return trace
}

// turn is an orthogonal matrix, row by row, that stands for a share of all of them.
type turn struct {
	O      []float64
	Chance float64
	Det    float64
}

// uniform are nodes for the uniform law, by size, and uneven for one of uniform angles, as in the plane.
var (
	uniform = nodesOf(func(left float64) float64 { return left })
	uneven  = nodesOf(func(float64) float64 { return 2 })
)

func nodesOf(dimension func(left float64) float64) (bySize [5]func() []turn) {
	for n := 1; n < len(bySize); n++ {
		rule := cosines // exact to degree 7 and, where that takes too many nodes, 5
		if n == 4 {
			rule = fewCosines
		}
		bySize[n] = sync.OnceValue(func() []turn {
			return products(n, func(left float64) law { return rule(dimension(left)) })
		})
	}
	return bySize
}

// cosines and fewCosines have the first moments of a coordinate c on the sphere in d dimensions, E c² = 1/d, E c⁴ =
// 3/(d(d+2)) and, the first, E c⁶ = 15/(d(d+2)(d+4)).
func cosines(d float64) law {
	root := math.Sqrt(6 * (d + 1) / (d + 2))
	inner, outer := (3-root)/(d+4), (3+root)/(d+4) // squares
	weight := (1/d - inner) / (2 * (outer - inner))
	near, far := math.Sqrt(inner), math.Sqrt(outer)
	return law{[]float64{-far, -near, near, far}, []float64{weight, 0.5 - weight, 0.5 - weight, weight}}
}

func fewCosines(d float64) law {
	edge, weight := math.Sqrt(3/(d+2)), (d+2)/(6*d)
	return law{[]float64{-edge, 0, edge}, []float64{weight, 1 - 2*weight, weight}}
}

// products returns the products of plane rotations C = G_{n−1,n}⋯G_{1,2} and an orthogonal matrix of the other n−1
// coordinates. The cosine of an angle has the nodes of a law, and its sine either sign. If C maps the first axis to a
// uniform point and the other matrix is uniform, so is the product.
func products(n int, cosine func(left float64) law) []turn {
	if n == 1 {
		return []turn{{[]float64{1}, 0.5, 1}, {[]float64{-1}, 0.5, -1}}
	}
	var all []turn
	for _, rest := range products(n-1, cosine) {
		o := make([]float64, n*n)
		o[0] = 1
		for i := range n - 1 {
			copy(o[(i+1)*n+1:], rest.O[i*(n-1):(i+1)*(n-1)])
		}
		all = append(all, turn{o, rest.Chance, rest.Det})
	}
	for i := range n - 1 {
		nodes := cosine(float64(n - i))
		next := make([]turn, 0, 2*len(nodes.Values)*len(all))
		for _, o := range all {
			for k, c := range nodes.Values {
				for _, s := range []float64{-math.Sqrt(1 - c*c), math.Sqrt(1 - c*c)} {
					next = append(next, turn{rotated(o.O, n, i, c, s), o.Chance * nodes.Chances[k] / 2, o.Det})
				}
			}
		}
		all = next
	}
	return all
}

// rotated rotates row i of a matrix towards the next one.
func rotated(o []float64, n, i int, c, s float64) []float64 {
	out := append([]float64(nil), o...)
	for j := range n {
		x, y := o[i*n+j], o[(i+1)*n+j]
		out[i*n+j], out[(i+1)*n+j] = c*x-s*y, s*x+c*y
	}
	return out
}

// haarCell is a batch of matrices.
type haarCell struct{ N, Draws, Index int }

// haarDiagonal is the mean of their diagonal entries.
type haarDiagonal struct{ Mean float64 }

var haarDrawn = props.Grid[haarCell, haarDiagonal, float64]{
	Name:    "diagonal of a drawn matrix",
	Regimes: []string{"n = 3", "n = 8"},
	Cells: func(e props.Effort) (out []haarCell) {
		for i := range (props.Scale{Quick: 64, Standard: 250, Deep: 10000}).At(e) {
			out = append(out, haarCell{3, 400, i}, haarCell{8, 100, i})
		}
		return out
	},
	Measure: func(t *props.Trial, c haarCell) haarDiagonal { return meanDiagonal(t.Rand, c, true) },
	Claim:   0,
	Conclude: func(r *props.Record, cells []haarCell, all []haarDiagonal, want float64) {
		means := map[haarCell][]float64{}
		for i, c := range cells {
			c.Index = 0
			means[c] = append(means[c], all[i].Mean)
		}
		for _, c := range cells[:2] {
			r.RegimeOf(c.N == 8)
			n, draws := float64(c.N), float64(c.Draws)
			mean := stat.Bounded(1/n, 1) // tr O/n has variance 1/n², since E (tr O)² = 1
			mean.Variance, mean.Scale = mean.Variance/draws, mean.Scale/draws
			r.EqualsAbsolutely("mean of tr O/n", mean.Mean(means[c], stat.CriterionAlpha), want,
				mean.Margin(len(means[c]), stat.CriterionAlpha, stat.CriterionUndecided))
		}
	},
	Controls: []props.WrongCell[haarCell, haarDiagonal, float64]{
		{Name: "signs of Q as they come", Assumption: "signs",
			Measure: func(t *props.Trial, c haarCell) haarDiagonal { return meanDiagonal(t.Rand, c, false) }},
	},
	Replicates: 1,
}

func meanDiagonal(r *rand.Rand, c haarCell, signs bool) (m haarDiagonal) {
	for range c.Draws {
		m.Mean += mat.Trace(drawOrthogonal(r, c.N, signs)) / float64(c.N*c.Draws)
	}
	return m
}

// drawOrthogonal is the factor Q of a normal matrix, where asked for with signs that make the diagonal of R positive.
func drawOrthogonal(r *rand.Rand, n int, signs bool) *mat.Dense {
	var factor mat.QR
	var q, upper mat.Dense
	factor.Factorize(gen.Gaussian(r, n, n, 1))
	factor.QTo(&q)
	factor.RTo(&upper)
	if signs {
		q.Apply(func(_, j int, x float64) float64 { return math.Copysign(1, upper.At(j, j)) * x }, &q)
	}
	return &q
}

func tryHaar(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n := v.Int("n")
	t.Need(n <= 200, "n = %d is more than can be drawn often; take at most 200", n)
	m, draws := map[string]float64{}, 1000
	for range draws {
		o := drawOrthogonal(t.Rand, n, true)
		a, b, c, d := o.At(0, 0), o.At(0, 1), o.At(1, 0), o.At(1, 1)
		for name, x := range map[string]float64{"fourth": a * a * a * a, "diagonal": a * a * d * d,
			"square": a * b * c * d, "trace": math.Pow(mat.Trace(o), 2)} {
			m[name] += x / float64(draws)
		}
	}
	return m, nil
}
