package structured

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// steps holds one side to penalties without (LC), of which two sides fail.
var steps = props.Drawn[stepped, steppedOptimum]{
	Name:    "one side without log-convexity",
	Cases:   props.Scale{Quick: 150, Standard: 1000, Deep: 100000},
	Regimes: []string{"random", "stated factors"},
	Draw:    drawStepped,
	Claim:   theory.Step.Optimum,
	Judge:   judgeStepped,
	Controls: []props.Wrong[stepped, steppedOptimum]{
		{Name: "two sides of it", Assumption: "log-convex", Criterion: "cost", Draw: props.Constant(twoSteps()),
			Reading: "no-log-convexity"},
		{Name: "a tenth more, under a step", Criterion: "cost",
			Instead: func(s theory.Step, sigma float64, sides int) float64 { return 1.1 * s.Optimum(sigma, sides) }},
		{Name: "the penalty of two sides", Criterion: "cost of the stated factors",
			Instead: func(s theory.Step, sigma float64, _ int) float64 { return s.Optimum(sigma, 2) }},
	},
	Replicates: 3,
}

// steppedOptimum is the effective penalty of a step on so many sides, at a singular value.
type steppedOptimum func(s theory.Step, sigma float64, sides int) float64

// stepped are factors AΘC of which C is I, and their cost under a step on A.
type stepped struct {
	Step        theory.Step
	A, Theta, C *mat.Dense
	Sides       int // that are adapted
	Stated      bool
	Cost        float64
}

// penalty is the step as a penalty; the singular values of factors that were made are known to rounding.
func (in stepped) penalty() impl.Penalty {
	const rounding = 1e-9
	return impl.Penalty{Name: "step", Value: func(e float64) float64 {
		switch {
		case math.Abs(e) <= rounding:
			return 0
		case 1+e <= in.Step.End*(1+rounding):
			return in.Step.Height
		}
		return math.Inf(1)
	}, Slope: noSlope}
}

func drawStepped(t *props.T) stepped {
	in, r := stepped{Sides: 1, Stated: rapid.Bool().Draw(t.T, "stated")}, t.Stream("entries")
	in.Step = theory.Step{Height: gen.LogUniform(t.T, "height", 0.1, 10), End: 1 + gen.LogUniform(t.T, "end−1", 0.1, 3)}
	n, k := gen.Dim(t.T, "m", 4), gen.Dim(t.T, "k", 4)
	u, stretches := gen.Orthonormal(r, n, n), make([]float64, n)
	for j := range stretches {
		stretches[j] = []float64{1, in.Step.End, r.Float64() * in.Step.End}[r.IntN(3)]
	}
	in.Theta, in.C = gen.Gaussian(r, n, k, gen.LogUniform(t.T, "size", 0.05, 20)), impl.Identity(k)
	in.A = product(u, mat.NewDiagDense(n, stretches), gen.Orthonormal(r, n, n))
	if in.Stated {
		in.stated(mat.DenseCopyOf(in.Theta))
	}
	return in.charged()
}

// twoSteps is the counterexample with a step on both sides.
func twoSteps() stepped {
	f := counterexample("step")
	return stepped{Step: theory.Step{Height: 0.75, End: 2}, A: f.A, Theta: f.Theta, C: f.C, Sides: 2}.charged()
}

// charged takes the cost of the factors.
func (in stepped) charged() stepped {
	penalty := in.penalty()
	layer := impl.StructuredLayer{Left: &penalty}
	if in.Sides == 2 {
		layer.Right = &penalty
	}
	in.Cost = impl.Structured{Layers: []impl.StructuredLayer{layer}}.
		Cost([]impl.Sided{{A: in.A, Theta: in.Theta, C: in.C}})
	return in
}

// stated takes the cheapest A and Θ with the product b: a direction is stretched to the end where that pays.
func (in *stepped) stated(b *mat.Dense) {
	u, values, _, err := linalg.SVD(b, mat.SVDFull)
	if err != nil {
		panic(err)
	}
	n := rows(b)
	stretches, shrinks := make([]float64, n), make([]float64, n)
	for j := range n {
		stretches[j] = 1
		if j < len(values) && in.Step.Height+math.Pow(values[j]/in.Step.End, 2) < math.Pow(values[j], 2) {
			stretches[j] = in.Step.End
		}
		shrinks[j] = 1 / stretches[j]
	}
	in.A = product(u, mat.NewDiagDense(n, stretches), u.T())
	in.Theta = product(u, mat.NewDiagDense(n, shrinks), product(u.T(), b, in.C))
}

func product(a, b, c mat.Matrix) *mat.Dense {
	half := algebra.Product(a, b)
	return algebra.Product(half, c)
}

// judgeStepped: ω̃ has slopes of at most 2σ, and singular values err by ten roundings times order and norm.
func judgeStepped(r *props.Record, in stepped, claim steppedOptimum) {
	r.Regime(map[bool]string{true: "stated factors", false: "random"}[in.Stated])
	b := impl.Sided{A: in.A, Theta: in.Theta, C: in.C}.Product()
	values := must.Get(linalg.SingularValues(b))
	optimum := 0.0
	for _, sigma := range values {
		optimum += claim(in.Step, sigma, in.Sides)
	}
	n := float64(rows(in.A) + rows(in.C))
	size := mat.Norm(in.A, 2) * mat.Norm(in.Theta, 2) * mat.Norm(in.C, 2)
	noise := 40 * n * n * r.Unit() * size * size
	r.AtLeast("cost", in.Cost, optimum, noise)
	if in.Stated {
		r.WithinScale("cost of the stated factors", in.Cost, optimum, optimum, noise)
	}
}
