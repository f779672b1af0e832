package width

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/width"
)

// linearised takes the steps one by one, and the flow by the exponential of a matrix.
var linearised = props.Spec{
	Statement: &theory.Linearisation,
	Checks:    []props.Check{linearPath},
	Along: &props.Along{Param: "lambda", From: 0, To: 20, Of: []string{"residual"}, Places: 11, Reps: 1,
		Each: &props.ParamSweep{Name: "steps", Values: []string{"1", "2", "5"}}},
	Try: &props.Simulation{Run: tryLinearised},
}.Claim()

// linearRun is a training of a linear model, seen through its parameters and its outputs at other points.
type linearRun struct {
	J       *mat.Dense `npy:"J"`     // m×p, features of the training samples
	At      *mat.Dense `npy:"Jx"`    // features of other points
	E       []float64  `npy:"e"`     // f₀ − y
	Rate    float64    `npy:"eta"`   // η, or the time of the flow
	Steps   int        `npy:"steps"` // 0 for the flow
	Moved   []float64  `npy:"moved"` // θ − θ₀
	Outputs []float64  `npy:"outputs"`
}

// Valid names the hypothesis that a user's numbers violate.
func (in linearRun) Valid() error { return theory.Training{Rate: in.Rate, Steps: in.Steps}.Valid() }

// linearClaim holds the dual vector by which the parameters move, and the factor of a residual along an eigenvector.
type linearClaim struct {
	dual   func(t theory.Training, kernel *mat.SymDense, residual []float64) []float64
	factor func(t theory.Training, lambda float64) float64
}

var linearPath = props.Drawn[linearRun, linearClaim]{
	Name:    "path of the parameters",
	Cases:   props.Scale{Quick: 200, Standard: 2000, Deep: 50000},
	Regimes: []string{"descent", "descent that overshoots", "descent, singular kernel", "flow", "flow, singular kernel"},
	Draw:    func(t *props.T) linearRun { return drawLinear(t, exactPractice) },
	Claim:   linearClaim{theory.Training.Dual, theory.Training.Residual},
	Judge: func(r *props.Record, in linearRun, claim linearClaim) {
		m, p := in.J.Dims()
		var kernel mat.SymDense
		kernel.SymOuterK(1, in.J)
		size, singular := mat.Norm(in.J, 2), m > p || mat.Equal(in.J.RowView(0), in.J.RowView(m-1)) && m > 1
		r.RegimeOf(in.Rate*mat.Norm(&kernel, 2) > 1, singular, in.Steps == 0, in.Steps == 0 && singular)
		var moved, outputs mat.VecDense
		training := theory.Training{Rate: in.Rate, Steps: in.Steps}
		moved.MulVec(in.J.T(), mat.NewVecDense(m, claim.dual(training, &kernel, in.E)))
		moved.ScaleVec(-1, &moved)
		outputs.MulVec(in.At, &moved)
		time := in.Rate * max(1, float64(in.Steps))
		rounding := 20 * float64(m+p) * r.Unit() * (1 + time*size*size) * mat.Norm(mat.NewVecDense(m, in.E), 2)
		allowed := rounding * time * size
		r.WithinVector("θ − θ₀", in.Moved, moved.RawVector().Data, allowed)
		r.WithinVector("outputs at other points", in.Outputs, outputs.RawVector().Data, allowed*mat.Norm(in.At, 2))
		values, vectors, err := linalg.SymEigen(&kernel, true)
		if err != nil {
			panic(err)
		}
		var residual, before, after mat.VecDense
		residual.MulVec(in.J, mat.NewVecDense(p, in.Moved))
		residual.AddVec(&residual, mat.NewVecDense(m, in.E))
		before.MulVec(vectors.T(), mat.NewVecDense(m, in.E))
		after.MulVec(vectors.T(), &residual)
		for i, lambda := range values {
			before.SetVec(i, before.AtVec(i)*claim.factor(training, max(0, lambda)))
		}
		r.WithinVector("residuals along eigenvectors", after.RawVector().Data, before.RawVector().Data,
			rounding+allowed*size)
	},
	Controls: []props.Wrong[linearRun, linearClaim]{
		{Name: "the flow's factor in place of that of descent", Criterion: "residuals along eigenvectors",
			Instead: linearClaim{factor: func(t theory.Training, lambda float64) float64 {
				return theory.Training{Rate: t.Rate * max(1, float64(t.Steps))}.Residual(lambda)
			}}},
		{Name: "the flow in place of descent",
			Instead: linearClaim{dual: func(t theory.Training, kernel *mat.SymDense, residual []float64) []float64 {
				return theory.Training{Rate: t.Rate * max(1, float64(t.Steps))}.Dual(kernel, residual)
			}}},
		{Name: "one step more", Instead: linearClaim{
			dual: func(t theory.Training, kernel *mat.SymDense, residual []float64) []float64 {
				t.Steps++
				return t.Dual(kernel, residual)
			}}},
		{Name: "10⁻⁸ added to the kernel", Criterion: "outputs at other points",
			Instead: linearClaim{dual: func(t theory.Training, kernel *mat.SymDense, residual []float64) []float64 {
				shifted := mat.NewSymDense(len(residual), nil)
				shifted.CopySym(kernel)
				for i := range residual {
					shifted.SetSym(i, i, kernel.At(i, i)+1e-8)
				}
				return t.Dual(shifted, residual)
			}}},
		{Name: "features that move by a thousandth", Assumption: "linear",
			Draw: func(t *props.T) linearRun { return drawLinear(t, practice{curved: 1e-3, weight: 1}) }},
		{Name: "steps on one sample at a time", Assumption: "full", Criterion: "outputs at other points",
			Draw: func(t *props.T) linearRun { return drawLinear(t, practice{alternating: true, weight: 1}) }},
		{Name: "momentum 0.1", Assumption: "plain",
			Draw: func(t *props.T) linearRun { return drawLinear(t, practice{momentum: 0.1, weight: 1}) }},
		{Name: "loss without ½", Assumption: "half",
			Draw: func(t *props.T) linearRun { return drawLinear(t, practice{weight: 2}) }},
	},
}

// practice says how the loss is descended, exactPractice as in the claim.
type practice struct {
	weight, momentum, curved float64
	alternating              bool
}

var exactPractice = practice{weight: 1}

// drawLinear has samples that occur twice, more samples than parameters, and steps that overshoot.
func drawLinear(t *props.T, how practice) linearRun {
	m, p := gen.Dim(t.T, "m", 6), gen.Dim(t.T, "p", 8)
	twice := m > 1 && rapid.Bool().Draw(t.T, "a sample occurs twice")
	r := t.Stream("entries")
	in := linearRun{J: gen.Gaussian(r, m, p, 1), At: gen.Gaussian(r, 3, p, 1),
		E: gen.Gaussian(r, m, 1, 1).RawMatrix().Data}
	if twice {
		in.J.SetRow(m-1, in.J.RawRowView(0))
	}
	var kernel mat.SymDense
	kernel.SymOuterK(1, in.J)
	in.Rate = gen.LogUniform(t.T, "η‖Θ‖", 0.01, 1.9) / mat.Norm(&kernel, 2)
	moved, outputs := mat.NewVecDense(p, nil), new(mat.VecDense)
	if how == exactPractice && rapid.Bool().Draw(t.T, "flow") {
		in.Rate *= 30
		flow(in, moved)
	} else {
		in.Steps = rapid.IntRange(1, 30).Draw(t.T, "k")
		steps(in, how, moved)
	}
	outputs.MulVec(in.At, moved)
	in.Moved, in.Outputs = moved.RawVector().Data, outputs.RawVector().Data
	return in
}

// steps descends the loss, from nothing moved.
func steps(in linearRun, how practice, moved *mat.VecDense) {
	m, p := in.J.Dims()
	velocity, residual := mat.NewVecDense(p, nil), mat.NewVecDense(m, nil)
	for k := range in.Steps {
		residual.MulVec(in.J, moved)
		residual.AddVec(residual, mat.NewVecDense(m, in.E))
		velocity.ScaleVec(how.momentum, velocity)
		square := mat.Dot(moved, moved)
		bent := 1 + how.curved*square/(1+square)
		for i := range m {
			if !how.alternating || i == k%m {
				velocity.AddScaledVec(velocity, -in.Rate*how.weight*residual.AtVec(i)*bent, in.J.RowView(i))
			}
		}
		moved.AddVec(moved, velocity)
	}
}

// flow is the solution of θ′ = −Jᵀ(Jθ + e) at the time Rate from 0: the last column of an exponential.
func flow(in linearRun, moved *mat.VecDense) {
	_, p := in.J.Dims()
	var square, pull, exponential mat.Dense
	square.Mul(in.J.T(), in.J)
	pull.Mul(in.J.T(), mat.NewDense(len(in.E), 1, in.E))
	generator := mat.NewDense(p+1, p+1, nil)
	for i := range p {
		for j := range p {
			generator.Set(i, j, -in.Rate*square.At(i, j))
		}
		generator.Set(i, p, -in.Rate*pull.At(i, 0))
	}
	exponential.Exp(generator)
	for i := range p {
		moved.SetVec(i, exponential.At(i, p))
	}
}

// tryLinearised descends a loss with one sample, whose feature has the squared length λ.
func tryLinearised(t *props.Trial, v statement.Values) (map[string]float64, error) {
	t.Need(v.Int("steps") <= 100000, "at most 100000 steps are taken")
	root := math.Sqrt(v.Float("lambda"))
	in := linearRun{J: mat.NewDense(1, 1, []float64{root}), E: []float64{1}, Rate: v.Float("eta"), Steps: v.Int("steps")}
	moved, flowed := mat.NewVecDense(1, nil), mat.NewVecDense(1, nil)
	if in.Steps == 0 {
		flow(in, moved)
	}
	steps(in, exactPractice, moved)
	in.Rate *= float64(max(in.Steps, 1))
	flow(in, flowed)
	return map[string]float64{"residual": 1 + root*moved.AtVec(0), "flow": 1 + root*flowed.AtVec(0)}, nil
}
