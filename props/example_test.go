package props_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/stat"
	"github.com/thm-suite/thm/theory"
)

// statement returns the statement of a claim of the examples.
func statement(slug, claim string) *theory.Statement {
	return &theory.Statement{Slug: slug, Title: claim, Plain: "It is an example.",
		Kind: theory.Identity, Standing: theory.Derivation,
		Setting: "An example.", Claim: theory.Text(claim), TeX: "1 = 1", Proof: "Known.", Tolerance: "None.", Limits: "None.",
		Source: theory.Source{Paper: "An example", Locus: "here"}}
}

// run prints the verdict of a claim at quick effort and seed 1, and what became of its controls.
func run(c props.Claim) {
	results := props.Run(context.Background(), []props.Claim{c}, props.Options{Effort: props.Quick, Seed: 1})
	for _, row := range results.Claims {
		fmt.Println(row.ID, row.Verdict)
		for _, control := range row.Controls {
			fmt.Printf("without %q: rejected %v\n", control.Name, control.Rejected)
		}
	}
}

// squares is the claim about the sum of the first n odd numbers.
type squares struct{ sum func(n int) int }

// odd are the first n odd numbers.
type odd struct{ N, Sum int }

func drawOdd(t *props.T) odd {
	in := odd{N: rapid.IntRange(1, 100).Draw(t.T, "n")}
	for i := range in.N {
		in.Sum += 2*i + 1
	}
	return in
}

// An identity draws instances and judges each. A control is a wrong version, which the same judge must reject.
func ExampleDrawn() {
	run(props.Spec{Statement: statement("examples/odd", "Odd numbers add up to a square."),
		Checks: []props.Check{props.Drawn[odd, squares]{
			Name: "sum", Cases: props.Times(50), Draw: drawOdd,
			Claim: squares{sum: func(n int) int { return n * n }},
			Judge: func(r *props.Record, in odd, c squares) { r.Exactly("sum", float64(in.Sum), float64(c.sum(in.N))) },
			Controls: []props.Wrong[odd, squares]{
				{Name: "the first number", Alter: func(in *odd) { in.Sum-- }},
				{Name: "the square", Claim: func(c *squares) { c.sum = func(n int) int { return n*n + n } }},
			},
		}}}.Claim())
	// Output:
	// examples/odd holds
	// without "the first number": rejected true
	// without "the square": rejected true
}

// A limit measures cells, each with its own random stream, and judges all of them together.
func ExampleGrid() {
	mean := func(t *props.Trial, shift float64) float64 {
		sum := 0.0
		for range 10000 {
			sum += t.Rand.Float64() + shift
		}
		return sum / 10000
	}
	run(props.Spec{Statement: statement("examples/mean", "A uniform number has the mean 1/2."),
		Checks: []props.Check{props.Grid[int, float64, float64]{
			Name: "means", Cells: props.Times(96).Indices, Claim: 0.5,
			Measure: func(t *props.Trial, _ int) float64 { return mean(t, 0) },
			Conclude: func(r *props.Record, _ []int, means []float64, claim float64) {
				// The standard deviation of a mean is √(1/12)/100.
				props.Limit{Name: "mean", SD: 0.0029}.Absolute(r, means, claim)
			},
			Controls: []props.WrongCell[int, float64, float64]{
				{Name: "a centred number", Measure: func(t *props.Trial, _ int) float64 { return mean(t, 0.1) }},
			},
		}}}.Claim())
	// Output:
	// examples/mean holds
	// without "a centred number": rejected true
}

// A refuted claim prints both sides of the comparison, and the simplest instance that refutes it.
func ExampleRun() {
	c := props.Spec{Statement: statement("examples/wrong", "Odd numbers add up to n² + n."),
		Checks: []props.Check{props.Drawn[odd, squares]{
			Name: "sum", Cases: props.Times(50), Draw: drawOdd,
			Claim: squares{sum: func(n int) int { return n*n + n }},
			Judge: func(r *props.Record, in odd, c squares) { r.Exactly("sum", float64(in.Sum), float64(c.sum(in.N))) },
		}}}.Claim()
	row := props.Run(context.Background(), []props.Claim{c}, props.Options{Effort: props.Quick, Seed: 1}).Claims[0]
	fmt.Println(row.Verdict)
	fmt.Print(row.Counterexample)
	// Output:
	// refuted
	// N = 1
	// Sum = 1
}

// A claim without controls may hold by accident: its verdict is not green.
func ExampleClaim_Flaws() {
	c := props.Spec{Statement: statement("examples/bare", "1 = 1."),
		Checks: []props.Check{props.Drawn[float64, float64]{Name: "one", Cases: props.Times(5), Draw: props.Constant(1.0),
			Claim: 1, Judge: func(r *props.Record, x, claim float64) { r.Exactly("one", x, claim) }}}}.Claim()
	run(c)
	fmt.Println(c.Flaws()[0])
	// Output:
	// examples/bare unproven
	// the claim has no control: nothing says that its checks can fail
}

// A case that cannot resolve a criterion leaves it out, by a rule that looks at the case and not at the discrepancy.
func ExampleRecord_Declines() {
	type quadratic struct{ B, C float64 } // x² + 2bx + c
	run(props.Spec{Statement: statement("examples/roots", "The number of real roots is that of the sign of b² − c."),
		Checks: []props.Check{props.Drawn[quadratic, int]{
			Name: "roots", Cases: props.Times(60), Claim: 2, Declined: map[string]float64{"roots": 0.2},
			Draw: func(t *props.T) quadratic {
				return quadratic{rapid.Float64Range(1, 2).Draw(t.T, "b"), rapid.Float64Range(-1, 1).Draw(t.T, "c")}
			},
			Judge: func(r *props.Record, in quadratic, claim int) {
				discriminant := in.B*in.B - in.C
				if !r.Declines("roots", math.Abs(discriminant), 1e-12*in.B*in.B) {
					found := 0.0
					if discriminant > 0 {
						found = 2
					}
					r.Exactly("roots", found, float64(claim))
				}
			},
			Controls: []props.Wrong[quadratic, int]{{Name: "two roots", Claim: func(c *int) { *c = 1 }}},
		}}}.Claim())
	// Output:
	// examples/roots holds
	// without "two roots": rejected true
}

// The place of a threshold is a criterion with a resolution in the parameter: here the strength at which the mean of
// noisy values passes 1.
func ExampleRecord_Place() {
	place := func(t *props.Trial, at float64) float64 {
		x, y := []float64{0, 0.5, 1, 1.5, 2}, make([]float64, 5)
		for i := range x {
			y[i] = x[i]/at + 0.01*t.Rand.NormFloat64()
		}
		return stat.Crossing(x, y, 1)
	}
	run(props.Spec{Statement: statement("examples/onset", "The onset is at 1.2."),
		Checks: []props.Check{props.Grid[int, float64, float64]{
			Name: "onset", Cells: props.Times(64).Indices, Claim: 1.2,
			Measure: func(t *props.Trial, _ int) float64 { return place(t, 1.2) },
			Conclude: func(r *props.Record, _ []int, places []float64, claim float64) {
				margin := stat.MedianMargin(stat.NormalTail, 0.012, len(places), stat.CriterionAlpha, stat.CriterionUndecided)
				r.Place("onset", stat.Median(places, stat.CriterionAlpha), claim, margin)
			},
			Controls: []props.WrongCell[int, float64, float64]{{Name: "1.2", Claim: func(c *float64) { *c = 1.35 }}},
		}}}.Claim())
	// Output:
	// examples/onset holds
	// without "1.2": rejected true
}

// A path over time stays with what is claimed of it.
func ExampleRecord_Throughout() {
	follow := func(rate float64) props.Path {
		p, x := props.Path{}, 1.0
		for k := range 1000 {
			p.Times, p.Values = append(p.Times, float64(k)/1000), append(p.Values, x)
			x -= rate * x / 1000
		}
		return p
	}
	run(props.Spec{Statement: statement("examples/decay", "x′ = −2x falls as e^{−2t}."),
		Checks: []props.Check{props.Drawn[props.Path, float64]{
			Name: "path", Cases: props.Times(5), Draw: props.Constant(follow(2)), Claim: 2,
			Judge: func(r *props.Record, p props.Path, rate float64) {
				// Euler's method with step h errs by t h rate²/2 of the value, and te^{−2t} is below 1/5.
				r.Throughout("x", p, func(t float64) float64 { return math.Exp(-rate * t) }, 1e-3)
				r.Decays("rate", p, rate, 1e-2)
			},
			Controls: []props.Wrong[props.Path, float64]{
				{Name: "the rate", Criterion: "x", Claim: func(c *float64) { *c = 2.1 }},
				{Name: "the rate of the logarithm", Criterion: "rate", Draw: props.Constant(follow(1.9))},
			},
		}}}.Claim())
	// Output:
	// examples/decay holds
	// without "the rate": rejected true
	// without "the rate of the logarithm": rejected true
}

// A matrix is compared in the Frobenius norm, with a tolerance that counts roundings.
func ExampleRecord_WithinMatrix() {
	type product struct{ A, B *mat.Dense }
	draw := func(t *props.T) product {
		entries := func(label string) *mat.Dense {
			r, out := t.Stream(label), mat.NewDense(3, 3, nil)
			out.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, out)
			return out
		}
		return product{entries("A"), entries("B")}
	}
	transposed := func(a, b mat.Matrix) mat.Matrix {
		var out mat.Dense
		out.Mul(b.T(), a.T())
		return out.T()
	}
	run(props.Spec{Statement: statement("examples/transpose", "AB = (BᵀAᵀ)ᵀ."),
		Checks: []props.Check{props.Drawn[product, func(a, b mat.Matrix) mat.Matrix]{
			Name: "product", Cases: props.Times(20), Draw: draw, Claim: transposed,
			Judge: func(r *props.Record, in product, claim func(a, b mat.Matrix) mat.Matrix) {
				var got mat.Dense
				got.Mul(in.A, in.B)
				r.WithinMatrix("product", &got, claim(in.A, in.B), 8*3*r.Unit()*mat.Norm(in.A, 2)*mat.Norm(in.B, 2))
			},
			Controls: []props.Wrong[product, func(a, b mat.Matrix) mat.Matrix]{
				{Name: "the order", Claim: func(c *func(a, b mat.Matrix) mat.Matrix) {
					*c = func(a, b mat.Matrix) mat.Matrix { return transposed(b, a) }
				}},
			},
		}}}.Claim())
	// Output:
	// examples/transpose holds
	// without "the order": rejected true
}

// The work of a run is dealt out to machines by its cost; each measures its part, and all of them are judged together.
func ExampleShards() {
	c := props.Spec{Statement: statement("examples/cells", "Four cells."),
		Checks: []props.Check{props.Grid[int, float64, float64]{Name: "cells", Cells: props.Times(4).Indices, Claim: 1,
			Cost:    func(cell int) float64 { return float64(1 + cell) },
			Measure: func(*props.Trial, int) float64 { return 1 },
			Judge:   func(r *props.Record, _ int, m, claim float64) { r.Exactly("one", m, claim) },
			Controls: []props.WrongCell[int, float64, float64]{
				{Name: "one", Claim: func(c *float64) { *c = 2 }},
			}}}}.Claim()
	units := props.Plan([]props.Claim{c}, props.Options{Effort: props.Quick}, nil)
	for i, part := range props.Shards(units, 2) {
		fmt.Printf("machine %d measures %d of %d cells\n", i+1, len(part), len(units))
	}
	// Output:
	// machine 1 measures 4 of 8 cells
	// machine 2 measures 4 of 8 cells
}

// A simulation puts what is measured at a user's parameters next to the prediction.
func ExampleClaim_Simulate() {
	s := statement("examples/dice", "The mean of a die is (n + 1)/2.")
	s.Params = []theory.Param{
		{Name: "n", Symbol: "n", Meaning: "sides", Domain: theory.IntegerBetween(1, 100), Default: "6"}}
	s.Predict = func(v theory.Values) []theory.Quantity {
		return []theory.Quantity{{Name: "mean", Symbol: "(n+1)/2", Value: (v.Float("n") + 1) / 2}}
	}
	c := props.Spec{Statement: s, Try: &props.Simulation{
		Run: func(t *props.Trial, v theory.Values) (map[string]float64, error) {
			sum := 0.0
			for range 10000 {
				sum += float64(1 + t.Rand.IntN(v.Int("n")))
			}
			return map[string]float64{"mean": sum / 10000}, nil
		},
	}}.Claim()
	out, err := c.Simulate(context.Background(), map[string]string{"n": "20"}, props.SimulationOptions{Seed: 1, Reps: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	q := out.Points[0].Quantities[0]
	fmt.Printf("predicted %.1f, measured %.1f\n", float64(q.Predicted), float64(q.Measured))
	// Output:
	// predicted 10.5, measured 10.5
}
