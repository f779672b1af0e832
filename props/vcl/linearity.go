package vcl

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/vcl/layers"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/vcl"
)

// linearity pairs the bounds with ridge regressions.
var linearity = props.Spec{
	Statement: &theory.Linearity,
	Checks: []props.Check{
		props.Instances[regression]{
			Name:  "bounds",
			Cases: props.Scale{Quick: 400, Standard: 4000, Deep: 200000},
			Regimes: []string{
				anyTargets, anyTargets + moreFeatures, oneEigenvalue, eigenvector, eigenvector + moreFeatures,
			},
			Draw:  drawRegression,
			Judge: judgeRegression,
			Controls: []props.Control{
				{Name: "mean eigenvalue for the largest", Assumption: "top", Criterion: "lower bound",
					Claimed: "mean eigenvalue"},
				{Name: "regression with an intercept", Assumption: "no-intercept", Criterion: "upper bound",
					Done: "intercept"},
				{Name: "bounds at half of the penalty", Assumption: "same-penalty", Criterion: "lower bound",
					Claimed: "half the penalty"},
				{Name: "bounds at twice the penalty", Assumption: "same-penalty", Criterion: "upper bound",
					Claimed: "twice the penalty"},
				{Name: "lower bound attained at half of the penalty", Assumption: "same-penalty",
					Criterion: "lower bound attained", Claimed: "half the penalty"},
				{Name: "upper bound attained at half of the penalty", Assumption: "same-penalty",
					Criterion: "upper bound attained", Claimed: "half the penalty"},
				{Name: "λ/(λ+S/e₁) not squared", Criterion: "upper bound", Claimed: "not squared"},
				{Erratum: "norm-not-squared", Criterion: "lower bound", Done: "worked case",
					Claimed: "‖Y‖ for its square"},
				{Reading: "vacuous", Criterion: "printed bound", Claimed: "more than nothing"},
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
	fitted, err := features.Ridge(g.H, targets, g.Lambda)
	if err != nil {
		panic(err)
	}
	g.Fitted = fitted
	return g
}

// drawRegression draws features of several sizes, and targets with an offset that lie partly in their span.
func drawRegression(t *props.T, done string) regression {
	if done == "worked case" {
		g := regression{H: mat.NewDense(1, 2, []float64{1, 0}), Y: []float64{4, -4}, Lambda: 1}
		return props.Always(g.fit(g.Y))(t, done)
	}
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
	var y mat.VecDense
	weight := float64(rapid.IntRange(0, 4).Draw(t.T, "weight on features"))
	y.MulVec(g.H.T(), gen.Gaussian(r, d, 1, weight).ColView(0))
	g.Y = y.RawVector().Data
	offset := gen.LogUniform(t.T, "offset", 1e-2, 1e2)
	for i := range g.Y {
		g.Y[i] += r.NormFloat64() + offset
	}
	switch kind {
	case oneEigenvalue:
		g.H = layers.Product(left, right.T())
		g.H.Scale(values[0], g.H)
	case eigenvector:
		g.Y = mat.Col(nil, r.IntN(len(values)), right)
	}
	g.Lambda = gen.LogUniform(t.T, "λ", 1e-3, 1e3) * math.Pow(mat.Norm(g.H, 2), 2)
	if done == "intercept" {
		mean, centred := floats.Sum(g.Y)/float64(n), append([]float64{}, g.Y...)
		floats.AddConst(-mean, centred)
		g = g.fit(centred)
		floats.AddConst(mean, g.Fitted)
		return g
	}
	return g.fit(g.Y)
}

// shape is what the bounds need, and what the spectrum and the targets say of where they are attained.
func (g regression) shape(unit float64) (f theory.LinearFit, values []float64, kind string) {
	d, n := g.H.Dims()
	_, values, _ = layers.SVD(g.H)
	var hy, along mat.VecDense
	hy.MulVec(g.H, mat.NewVecDense(n, g.Y))
	along.MulVec(g.H.T(), &hy)
	f = theory.LinearFit{Lambda: g.Lambda, Top: values[0] * values[0], Similarity: mat.Dot(&hy, &hy),
		E1: floats.Dot(g.Y, g.Y)}
	mean := floats.Sum(g.Y) / float64(n)
	for _, y := range g.Y {
		f.E0 += (y - mean) * (y - mean)
	}
	along.AddScaledVec(&along, -f.Similarity/f.E1, mat.NewVecDense(n, g.Y))
	noise := 16 * float64(d+n) * unit
	switch {
	case mat.Norm(&along, 2) <= noise*f.Top*math.Sqrt(f.E1):
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

func judgeRegression(r *props.Record, g regression, claimed string) {
	f, values, kind := g.shape(r.Unit())
	r.Regime(kind)
	rest := math.Pow(floats.Distance(g.Y, g.Fitted, 2), 2) // 1 − T times e₀
	d, n := g.H.Dims()
	err := float64(4*d*d+2*n+20) * r.Unit() * (1 + f.Top/f.Lambda) * math.Sqrt(f.E1)
	solving := (2*math.Sqrt(rest)*err + err*err) / f.E0
	printed := 1 - f.PrintedLower(f.E1, 1, mat.Norm(g.H, 2), f.Similarity)
	lower, upper := 1-f.Lower(), 1-f.Upper()
	switch claimed {
	case "mean eigenvalue":
		f.Top = floats.Dot(values, values) / float64(len(values))
		lower = 1 - f.Lower()
	case "half the penalty", "twice the penalty":
		f.Lambda *= map[bool]float64{true: 0.5, false: 2}[claimed == "half the penalty"]
		lower, upper = 1-f.Lower(), 1-f.Upper()
	case "not squared":
		upper = f.E1 / f.E0 * math.Sqrt(upper*f.E0/f.E1)
	case "‖Y‖ for its square":
		lower = 1 - f.PrintedLower(math.Sqrt(f.E1), 1, mat.Norm(g.H, 2), f.Similarity)
	}
	sums := float64(8*d*d+4*n+40) * r.Unit()
	r.AtMost("lower bound", rest/f.E0, lower, solving+sums*f.E1/f.E0)
	r.AtLeast("upper bound", rest/f.E0, upper, solving+sums*upper)
	switch kind {
	case oneEigenvalue: // with d ≥ N all targets are eigenvectors
		r.Within("lower bound attained", rest/f.E0, lower, solving+sums*f.E1/f.E0)
	case eigenvector, eigenvector + moreFeatures:
		r.Within("upper bound attained", rest/f.E0, upper, solving+sums*upper)
	}
	switch {
	case !(f.Similarity > 0): // then the source prints no bound
	case claimed == "more than nothing":
		r.AtMost("printed bound", printed, f.E1/f.E0, sums*printed)
	default:
		r.AtLeast("printed bound", printed, 2*f.E1/f.E0, sums*printed)
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
