package vcl

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/impl/features"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/internal/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// linearity pairs the bounds with ridge regressions.
var linearity = props.Spec{
	Statement: &theory.Linearity,
	Checks: []props.Check{
		props.Drawn[regression, regressionClaim]{
			Name:  "bounds",
			Cases: props.Scale{Quick: 400, Standard: 4000, Deep: 200000},
			Tries: 100,
			Regimes: []string{
				anyTargets, anyTargets + moreFeatures, oneEigenvalue, eigenvector, eigenvector + moreFeatures,
			},
			Draw:  func(t *props.T) regression { return drawRegression(t, regression.fit) },
			Claim: statedBounds,
			Judge: judgeRegression,
			Controls: []props.Wrong[regression, regressionClaim]{
				{Name: "mean eigenvalue for the largest", Assumption: "top", Criterion: "lower bound",
					Instead: regressionClaim{lower: lowerOfMeanEigenvalue}},
				{Name: "regression with an intercept", Assumption: "no-intercept", Criterion: "upper bound",
					Draw: func(t *props.T) regression { return drawRegression(t, regression.fitWithIntercept) }},
				{Name: halfPenalty, Assumption: "same-penalty", Criterion: "lower bound",
					Claim: func(c *regressionClaim) { *c = boundsAtPenalty(0.5) }},
				{Name: "bounds at twice the penalty", Assumption: "same-penalty", Criterion: "upper bound",
					Claim: func(c *regressionClaim) { *c = boundsAtPenalty(2) }},
				{Name: "lower bound attained at half of the penalty", Assumption: "same-penalty",
					Criterion: "lower bound attained", As: halfPenalty},
				{Name: "upper bound attained at half of the penalty", Assumption: "same-penalty",
					Criterion: "upper bound attained", As: halfPenalty},
				{Name: "λ/(λ+S/e₁) not squared", Criterion: "upper bound", Instead: regressionClaim{upper: upperNotSquared}},
				{Reading: "norm-not-squared", Criterion: "lower bound", Draw: props.Constant(workedRegression()),
					Instead: regressionClaim{lower: lowerAsPrinted}},
				{Reading: "vacuous", Criterion: "printed bound",
					Instead: regressionClaim{printed: func(r *props.Record, name string, printed, share, slack float64) {
						r.AtMost(name, printed, share, slack)
					}}},
			},
		},
	},
	Along: &props.Along{
		Param: "lambda", From: 0.1, To: 1000, Of: []string{"lower", "upper"},
		Y: "target linearity, and its bounds", Points: "attained",
	},
	Try: &props.Simulation{
		Params: []statement.Param{{Name: "samples", Symbol: "N", Meaning: "number of samples",
			Domain: statement.IntegerBetween(4, 1000), Default: "50"}},
		Run: tryRegression,
	},
}.Claim()

// regressionClaim holds the claims about the target linearity, in terms of the singular values of the features.
type regressionClaim struct {
	lower   func(f theory.LinearFit, singular []float64, h *mat.Dense) float64
	upper   func(f theory.LinearFit) float64
	printed func(r *props.Record, name string, printed, share, slack float64) // 1 less the printed bound, against e₁/e₀
}

// statedBounds holds the bounds of the statement; the printed bound is below the bound of doing nothing.
var statedBounds = regressionClaim{
	lower: func(f theory.LinearFit, _ []float64, _ *mat.Dense) float64 { return f.Lower() },
	upper: theory.LinearFit.Upper,
	printed: func(r *props.Record, name string, printed, share, slack float64) {
		r.AtLeast(name, printed, 2*share, slack)
	},
}

const halfPenalty = "bounds at half of the penalty"

// boundsAtPenalty returns the bounds at a multiple of the penalty.
func boundsAtPenalty(times float64) regressionClaim {
	c := statedBounds
	c.lower = func(f theory.LinearFit, _ []float64, _ *mat.Dense) float64 {
		f.Lambda *= times
		return f.Lower()
	}
	c.upper = func(f theory.LinearFit) float64 {
		f.Lambda *= times
		return f.Upper()
	}
	return c
}

func lowerOfMeanEigenvalue(f theory.LinearFit, singular []float64, _ *mat.Dense) float64 {
	f.Top = floats.Dot(singular, singular) / float64(len(singular))
	return f.Lower()
}

// lowerAsPrinted has ‖Y‖ for its square.
func lowerAsPrinted(f theory.LinearFit, _ []float64, h *mat.Dense) float64 {
	return f.PrintedLower(math.Sqrt(f.E1), 1, mat.Norm(h, 2), f.Similarity)
}

// upperNotSquared has λ/(λ+S/e₁) in place of its square.
func upperNotSquared(f theory.LinearFit) float64 {
	return 1 - f.E1/f.E0*math.Sqrt((1-f.Upper())*f.E0/f.E1)
}

// The regimes of a regression.
const (
	anyTargets    = "any spectrum and targets"
	oneEigenvalue = "one eigenvalue beside 0"
	eigenvector   = "targets along an eigenvector"
	moreFeatures  = ", d ≥ N"
)

// regression is a ridge regression.
type regression struct {
	H      *mat.Dense `npy:"H"` // d×N
	Y      []float64  `npy:"Y"`
	Fitted []float64  `npy:"fitted"`
	Lambda float64    `npy:"lambda"`
}

// fit regresses the given targets.
func (g regression) fit(targets []float64) regression {
	fitted := must.Get(features.Ridge(g.H, targets, g.Lambda))
	g.Fitted = fitted
	return g
}

// fitWithIntercept regresses centred targets and adds their mean.
func (g regression) fitWithIntercept(targets []float64) regression {
	mean, centred := floats.Sum(targets)/float64(len(targets)), append([]float64{}, targets...)
	floats.AddConst(-mean, centred)
	g = g.fit(centred)
	floats.AddConst(mean, g.Fitted)
	return g
}

func workedRegression() regression {
	g := regression{H: mat.NewDense(1, 2, []float64{1, 0}), Y: []float64{4, -4}, Lambda: 1}
	return g.fit(g.Y)
}

// drawRegression draws features of several sizes, and targets with an offset that lie partly in their span.
func drawRegression(t *props.T, fit func(g regression, targets []float64) regression) regression {
	d, n := gen.Dim(t.T, "d", 8), 2+gen.Dim(t.T, "N−2", 20)
	kind := rapid.SampledFrom([]string{anyTargets, oneEigenvalue, eigenvector}).Draw(t.T, "kind")
	if rapid.IntRange(0, 3).Draw(t.T, "few samples") == 0 {
		n = 2 + (n-2)%max(1, d-1)
	}
	r := t.Stream("entries")
	g := regression{H: gen.Gaussian(r, d, n, 1)}
	for i := range d {
		floats.Scale(gen.LogUniform(t.T, "size of a feature", 0.03, 30), g.H.RawRowView(i))
	}
	left, values, right := layers.SVD(g.H)
	weight := float64(rapid.IntRange(0, 4).Draw(t.T, "weight on features"))
	y := algebra.Image(g.H.T(), gen.Gaussian(r, d, 1, weight).ColView(0))
	g.Y = y.RawVector().Data
	offset := gen.LogUniform(t.T, "offset", 1e-2, 1e2)
	for i := range g.Y {
		g.Y[i] += r.NormFloat64() + offset
	}
	switch kind {
	case oneEigenvalue:
		g.H = algebra.Product(left, right.T())
		g.H.Scale(values[0], g.H)
	case eigenvector:
		g.Y = mat.Col(nil, r.IntN(len(values)), right)
	}
	g.Lambda = gen.LogUniform(t.T, "λ", 1e-3, 1e3) * math.Pow(mat.Norm(g.H, 2), 2)
	return fit(g, g.Y)
}

// shape returns the quantities that the bounds need, and the kind of spectrum and targets, which says where the bounds
// are attained.
func (g regression) shape(unit float64) (f theory.LinearFit, values []float64, kind string) {
	d, n := g.H.Dims()
	_, values, _ = layers.SVD(g.H)
	hy := algebra.Image(g.H, mat.NewVecDense(n, g.Y))
	along := algebra.Image(g.H.T(), hy)
	f = theory.LinearFit{Lambda: g.Lambda, Top: values[0] * values[0], Similarity: mat.Dot(hy, hy),
		E1: floats.Dot(g.Y, g.Y)}
	mean := floats.Sum(g.Y) / float64(n)
	for _, y := range g.Y {
		f.E0 += (y - mean) * (y - mean)
	}
	along.AddScaledVec(along, -f.Similarity/f.E1, mat.NewVecDense(n, g.Y))
	noise := 16 * float64(d+n) * unit
	switch {
	case mat.Norm(along, 2) <= noise*f.Top*math.Sqrt(f.E1):
		kind = eigenvector
	case d < n && values[len(values)-1] >= values[0]*(1-noise):
		kind = oneEigenvalue
	default:
		kind = anyTargets
	}
	if d >= n {
		kind += moreFeatures
	}
	return f, values, kind
}

// Valid names the violated hypothesis.
func (g regression) Valid() error {
	f, _, _ := g.shape(roundoff.Unit)
	return f.Valid()
}

func judgeRegression(r *props.Record, g regression, c regressionClaim) {
	f, values, kind := g.shape(r.Unit())
	r.Regime(kind)
	rest := math.Pow(floats.Distance(g.Y, g.Fitted, 2), 2) // 1 − T times e₀
	d, n := g.H.Dims()
	err := float64(4*d*d+2*n+20) * r.Unit() * (1 + f.Top/f.Lambda) * math.Sqrt(f.E1)
	solving := (2*math.Sqrt(rest)*err + err*err) / f.E0
	printed := 1 - f.PrintedLower(f.E1, 1, mat.Norm(g.H, 2), f.Similarity)
	lower, upper := 1-c.lower(f, values, g.H), 1-c.upper(f)
	sums := float64(8*d*d+4*n+40) * r.Unit()
	r.AtMost("lower bound", rest/f.E0, lower, solving+sums*f.E1/f.E0)
	r.AtLeast("upper bound", rest/f.E0, upper, solving+sums*upper)
	switch kind {
	case oneEigenvalue: // with d ≥ N all targets are eigenvectors
		r.Within("lower bound attained", rest/f.E0, lower, solving+sums*f.E1/f.E0)
	case eigenvector, eigenvector + moreFeatures:
		r.Within("upper bound attained", rest/f.E0, upper, solving+sums*upper)
	}
	if f.Similarity > 0 { // else the source prints no bound
		c.printed(r, "printed bound", printed, f.E1/f.E0, sums*printed)
	}
}

// tryRegression builds a regression that attains each bound: with ŷ the direction of the targets, H has the row √μ·v,
// where (v·ŷ)² = S/(μe₁), for the lower one, and the rows √(S/e₁)·ŷ and √μ·u, u ⟂ ŷ, for the upper one.
func tryRegression(t *props.Trial, v statement.Values) (map[string]float64, error) {
	n, share, top := v.Int("samples"), v.Float("similarity"), v.Float("top")
	frame, _, _ := layers.SVD(mat.DenseCopyOf(centred(gen.Gaussian(t.Rand, 3, n, 1)).T()))
	e, u, far := mat.Col(nil, 0, frame), mat.Col(nil, 1, frame), mat.Col(nil, 2, frame) // orthonormal
	y := make([]float64, n)                                                             // of norm 1, with the offset
	floats.AddConst(math.Sqrt((1-1/v.Float("offset"))/float64(n)), y)
	floats.AddScaled(y, math.Sqrt(1/v.Float("offset")), e)
	linearity := func(rows ...[]float64) float64 {
		h := mat.NewDense(len(rows), n, nil)
		for i, row := range rows {
			h.SetRow(i, row)
		}
		g := regression{H: h, Y: y, Lambda: v.Float("lambda")}.fit(y)
		return 1 - math.Pow(floats.Distance(y, g.Fitted, 2), 2)*v.Float("offset")
	}
	mix := make([]float64, n)
	floats.AddScaled(mix, math.Sqrt(top*share), y)
	floats.AddScaled(mix, math.Sqrt(top*(1-share)), u)
	along := make([]float64, n)
	floats.AddScaled(along, math.Sqrt(top*share), y)
	floats.Scale(math.Sqrt(top), far)
	return map[string]float64{"lower": linearity(mix), "upper": linearity(along, far)}, nil
}
