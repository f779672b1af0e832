package tangent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// trace pairs the trace inequality with random matrices, aligned ones among them.
var trace = props.Spec{
	Statement: &theory.Trace,
	Checks: []props.Check{props.Drawn[traced, sortedSums]{
		Name:    "norm of a product",
		Cases:   props.Scale{Quick: 300, Standard: 3000, Deep: 200000},
		Regimes: tracedRegimes,
		Draw:    drawTraced,
		Claim:   sortedSums{low: theory.OppositeSum, high: theory.SortedSum},
		Judge:   judgeTraced,
		Controls: []props.Wrong[traced, sortedSums]{
			{Name: "three factors", Assumption: "two-factors", Criterion: "at least", Draw: drawThreeFactors,
				Reading: "three-factors"},
			{Name: "singular values in the same order", Assumption: "opposite", Criterion: "at least",
				Claim: func(c *sortedSums) { c.low = c.high }},
			{Name: "the opposite order for the upper bound", Criterion: "at most",
				Claim: func(c *sortedSums) { c.high = c.low }},
			{Name: "a tenth more where it is attained", Criterion: "attained",
				Instead: sortedSums{low: func(x, b []float64) float64 { return 1.1 * theory.OppositeSum(x, b) }}},
		},
	}},
}.Claim()

// sortedSums are the bounds of the squared norm by the singular values of the factors, in descending order.
type sortedSums struct{ low, high func(x, b []float64) float64 }

// traced are the factors of a product and its squared norm.
type traced struct {
	X, B    *mat.Dense
	Y       *mat.Dense // a factor on the other side, for a control; else nil
	Norm    float64
	Aligned bool
}

func drawTraced(t *props.T) traced {
	in, r := traced{Aligned: rapid.Bool().Draw(t.T, "aligned")}, t.Stream("entries")
	n, k := gen.Dim(t.T, "n", 5), gen.Dim(t.T, "k", 5)
	in.X, in.B = gen.Gaussian(r, n+gen.Dim(t.T, "m−n", 3)-1, n, 1),
		gen.Gaussian(r, n, k, gen.LogUniform(t.T, "size", 0.1, 10))
	if in.Aligned { // X with right singular vectors U in the opposite order, B with left ones U
		_, values, _, err := linalg.SVD(in.X, mat.SVDThin)
		if err != nil {
			panic(err)
		}
		u, _, _, err := linalg.SVD(in.B, mat.SVDFull)
		if err != nil {
			panic(err)
		}
		slices.Reverse(values)
		rows, _ := in.X.Dims()
		in.X.Mul(gen.Orthonormal(r, rows, n), mat.NewDiagDense(n, values))
		in.X.Mul(in.X, u.T())
	}
	in.Norm = math.Pow(mat.Norm(algebra.Product(in.X, in.B), 2), 2)
	return in
}

// drawThreeFactors draws the counterexample turned by an orthogonal matrix: X and Y have the singular values 1 and
// 1/ratio on exchanged axes, and B is 2I, so that ‖XBY‖² is 8/ratio² and the sorted sum 4(1 + 1/ratio⁴).
func drawThreeFactors(t *props.T) traced {
	q, ratio := gen.Orthonormal(t.Stream("entries"), 2, 2), gen.LogUniform(t.T, "ratio", 1.1, 10)
	turned := func(first, second float64) *mat.Dense {
		return algebra.Product(algebra.Product(q, mat.NewDiagDense(2, []float64{first, second})), q.T())
	}
	in := traced{X: turned(1/ratio, 1), B: turned(2, 2), Y: turned(1, 1/ratio)}
	in.Norm = math.Pow(mat.Norm(algebra.Product(algebra.Product(in.X, in.B), in.Y), 2), 2)
	return in
}

// tracedRegimes are both kinds of matrices, with a second factor whose root mean square entry is below ½, above 2, or
// between them.
var tracedRegimes = []string{"random, small", "random", "random, large", "aligned, small", "aligned", "aligned, large"}

func (in traced) regime() string {
	kind := map[bool]string{true: "aligned", false: "random"}[in.Aligned]
	rows, cols := in.B.Dims()
	switch size := mat.Norm(in.B, 2) / math.Sqrt(float64(rows*cols)); {
	case size < 0.5:
		return kind + ", small"
	case size > 2:
		return kind + ", large"
	}
	return kind
}

func judgeTraced(r *props.Record, in traced, c sortedSums) {
	r.Regime(in.regime())
	rows, n := in.X.Dims()
	x, b := singularValues(in.X), singularValues(in.B)
	for len(b) < n {
		b = append(b, 0)
	}
	if in.Y != nil { // as the reading has it: the largest of either side with the smallest of B
		for j, y := range singularValues(in.Y) {
			x[j] *= y
		}
	}
	noise := 40 * float64(rows+n) * r.Unit() * math.Pow(x[0]*mat.Norm(in.B, 2), 2)
	low, high := c.low(x, b), c.high(x, b)
	r.AtLeast("at least", in.Norm, low, noise)
	r.AtMost("at most", in.Norm, high, noise)
	if in.Aligned {
		r.WithinScale("attained", in.Norm, low, high, noise)
	}
}

func singularValues(m *mat.Dense) []float64 {
	return must.Get(linalg.SingularValues(m))
}
