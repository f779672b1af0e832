package tangent

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	impl "github.com/thm-suite/thm/internal/impl/tangent"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/tangent"
)

// lowRank solves problems of matrix sensing over the scale of the labels.
var lowRank = props.Spec{
	Statement: &theory.LowRank,
	Checks: []props.Check{fallingRank, props.Grid[sensing, []sensed, sensingClaim]{
		Name:    "matrix sensing over the label scale",
		Cells:   sensings,
		Regimes: []string{"quadratic on one side", "log-det on one side", "quadratic on both sides"},
		Measure: measureSensing,
		Claim: sensingClaim{theory.Layer.Conjugate, func(f sensed) float64 { return f.Descent },
			func(loss, size float64) float64 { return math.Sqrt(loss) * size * size }},
		Judge: judgeSensing,
		Conclude: func(r *props.Record, cells []sensing, all [][]sensed, _ sensingClaim) {
			r.Draw(func() props.Figure { return sensingFigure(cells, all) })
		},
		Controls: []props.WrongCell[sensing, []sensed, sensingClaim]{
			{Name: "factors for Θ in place of B", Assumption: "cheapest", Criterion: "alternation does not rise",
				Alter: factorsOfTheta},
			{Name: "half of the dual bound's conjugate", Criterion: "dual bound below the cost",
				Instead: sensingClaim{conjugate: func(l theory.Layer, x *mat.Dense) float64 { return l.Conjugate(x) / 2 }}},
			{Name: "half of the conjugate of any multipliers", Criterion: "dual bound of any multipliers",
				As: "half of the dual bound's conjugate"},
			{Name: "the cost of fixed features", Criterion: "both ways agree",
				Instead: sensingClaim{lowest: func(f sensed) float64 { return f.FixedCost }}},
			{Name: "a distance of order a⁴", Criterion: "distance from least Frobenius norm",
				Instead: sensingClaim{distance: func(loss, size float64) float64 { return math.Sqrt(loss) * math.Pow(size, 4) }}},
			{Name: "a tenth of the distance, right at 0.03", Criterion: "distance from least Frobenius norm",
				Instead: sensingClaim{distance: func(loss, size float64) float64 { return math.Sqrt(loss) * size * size / 10 }}},
		},
		ControlsOn: standardSensings,
		Replicates: 1,
		Declined:   map[string]float64{"dual bound below the cost": 0.01, "both ways agree": 0.01},
	}},
	Try: tryLowRank,
}.Claim()

// fallingRank counts the problems whose stable rank falls from each scale of the labels to the next.
var fallingRank = props.Grid[sensing, []float64, struct{}]{
	Name: "stable rank over the label scale",
	Cells: func(e props.Effort) []sensing {
		return sensingsOf(props.Scale{Quick: 60, Standard: 120, Deep: 1000}.At(e))
	},
	Measure: func(t *props.Trial, c sensing) []float64 { return measureRank(t, c, adaptedSides) },
	Conclude: func(r *props.Record, _ []sensing, all [][]float64, _ struct{}) {
		falling := 0
		for _, ranks := range all {
			falls := true
			for i := range ranks[1:] {
				falls = falls && ranks[i+1] < ranks[i]-1e-9
			}
			if falls {
				falling++
			}
		}
		margin := stat.ProportionMargin(theory.FallingShare, len(all), stat.CriterionAlpha, stat.CriterionUndecided)
		share := stat.Proportion(falling, len(all), stat.CriterionAlpha)
		r.EstimateAtLeast("share of problems whose stable rank falls", share, theory.FallingShare, margin)
		r.MeasuredAbove("share of problems whose stable rank falls", share, theory.FallingShare)
	},
	Controls: []props.WrongCell[sensing, []float64, struct{}]{
		{Name: "fixed sides", Assumption: "adapted", Criterion: "share of problems whose stable rank falls",
			Measure: func(t *props.Trial, c sensing) []float64 { return measureRank(t, c, fixedSides) }},
	},
	Replicates: 1,
	Coarse:     map[string]string{"share of problems whose stable rank falls": "an observation of most problems"},
}

// measureRank is the stable rank of what descent finds at every scale.
func measureRank(t *props.Trial, c sensing,
	sides func(string, *mat.Dense) impl.StructuredLayer) (ranks []float64) {
	features, y := newSensing(t)
	layer := sides(c.Sides, features)
	for _, a := range sensingScales {
		s := impl.Structured{Labels: floats.ScaleTo(make([]float64, len(y)), a, y),
			Layers: []impl.StructuredLayer{layer}}
		found := must.Get(s.Descend(400, 1e-9*a))
		ranks = append(ranks, stableRank(found.Products()[0]))
	}
	return ranks
}

// observed returns the cost that alternation finds for a diagonal matrix all of whose entries are given.
func observed(first, second float64) float64 {
	square := impl.Square
	s := impl.Structured{Labels: []float64{first, 0, 0, second}, Layers: []impl.StructuredLayer{{Rows: 2, Cols: 2,
		Features: impl.Identity(4), Left: &square}}}
	return must.Get(s.Alternate(2, 0)).Cost
}

// sensingClaim holds the claims about solutions.
type sensingClaim struct {
	conjugate func(l theory.Layer, x *mat.Dense) float64
	lowest    func(sensed) float64             // the least cost
	distance  func(loss, size float64) float64 // from the solution of least Frobenius norm, at most
}

// sensing is a random problem and its sides.
type sensing struct {
	Sides   string
	Problem int
}

func sensings(e props.Effort) []sensing {
	return sensingsOf(props.Scale{Quick: 4, Standard: 16, Deep: 400}.At(e))
}

// standardSensings are the problems of standard effort, which are enough for a control.
func standardSensings(c sensing) bool { return c.Problem < 16 }

// sensingsOf are as many problems with each choice of sides.
func sensingsOf(problems int) []sensing {
	sides := []string{"quadratic on one side", "log-det on one side", "quadratic on both sides"}
	return list.Cross(props.Indices(problems), sides, func(i int, sides string) sensing { return sensing{sides, i} })
}

// sensingScales lists the scales of the labels.
var sensingScales = []float64{0.03, 1, 5, 30}

// sensed holds the results of both solvers at one scale.
type sensed struct {
	Features            *mat.Dense
	Labels              []float64
	Alternated, Descent float64
	Multipliers         []float64   // at the end of descent
	Others              [][]float64 // random multipliers, near those and far from them
	Trace               []float64   // of alternation
	B, Min              *mat.Dense  // found, and of least Frobenius norm
	FixedCost           float64
}

const sensingSize = 5

// newSensing draws a problem: its features, and its labels at scale 1.
func newSensing(t *props.Trial) (features *mat.Dense, labels []float64) {
	const n = 15
	features = gen.Gaussian(t.Rand, n, sensingSize*sensingSize, 1)
	truth := algebra.Product(gen.Gaussian(t.Rand, sensingSize, 1, 1), gen.Gaussian(t.Rand, 1, sensingSize, 1))
	truth.Scale(1/mat.Norm(truth, 2), truth)
	y := algebra.Product(features, mat.NewDense(sensingSize*sensingSize, 1, truth.RawMatrix().Data))
	return features, y.RawMatrix().Data
}

// adaptedSides is the layer with penalties on these sides.
func adaptedSides(sides string, features *mat.Dense) impl.StructuredLayer {
	square, logDet := impl.Square, impl.LogDet
	layer := impl.StructuredLayer{Rows: sensingSize, Cols: sensingSize, Features: features, Left: &square}
	switch sides {
	case "log-det on one side":
		layer.Left = &logDet
	case "quadratic on both sides":
		layer.Right = &square
	}
	return layer
}

// fixedSides is the layer with sides that do not move.
func fixedSides(_ string, features *mat.Dense) impl.StructuredLayer {
	return impl.StructuredLayer{Rows: sensingSize, Cols: sensingSize, Features: features}
}

func measureSensing(t *props.Trial, c sensing) []sensed {
	features, y := newSensing(t)
	layer, n := adaptedSides(c.Sides, features), len(y)
	var out []sensed
	for _, a := range sensingScales {
		labels := floats.ScaleTo(make([]float64, n), a, y)
		s := impl.Structured{Labels: labels, Layers: []impl.StructuredLayer{layer}}
		min := must.Get(s.MinFrobenius())
		alternated := must.Get(s.Alternate(150, 1e-14))
		descent := must.Get(s.Descend(400, 1e-9*a))
		found := sensed{Features: features, Labels: labels, Alternated: alternated.Cost, Descent: descent.Cost,
			Trace:       alternated.Trace,
			Multipliers: descent.Multipliers, B: descent.Products()[0], Min: min[0],
			FixedCost: math.Pow(mat.Norm(min[0], 2), 2)}
		for _, distance := range []float64{0.01, 0.1, 1} {
			other := gen.Gaussian(t.Rand, n, 1,
				distance*floats.Norm(found.Multipliers, 2)/math.Sqrt(float64(n))).RawMatrix().Data
			floats.Add(other, found.Multipliers)
			found.Others = append(found.Others, other)
		}
		out = append(out, found)
	}
	return out
}

// factorsOfTheta has the costs of an alternation that takes the cheapest factors of Θ in place of B.
func factorsOfTheta(c sensing, all *[]sensed) {
	*all = slices.Clone(*all)
	for i, f := range *all {
		(*all)[i].Trace = traceOfTheta(impl.Structured{Labels: f.Labels,
			Layers: []impl.StructuredLayer{adaptedSides(c.Sides, f.Features)}})
	}
}

// traceOfTheta returns the cost of alternation, turn by turn, when it takes the cheapest factors of Θ in place of B.
func traceOfTheta(s impl.Structured) (trace []float64) {
	bs := must.Get(s.MinFrobenius())
	for range 20 {
		factors := must.Get(s.Turn(bs))
		trace = append(trace, s.Cost(factors))
		bs = []*mat.Dense{factors[0].Theta}
	}
	return trace
}

// sensingLayer is the claim's side of a problem.
func sensingLayer(sides string, b *mat.Dense) theory.Layer {
	l := theory.Layer{B: b, Left: theory.Side{Family: theory.Quadratic, Factor: 1},
		Right: theory.Side{Family: theory.Fixed, Factor: 1}}
	switch sides {
	case "log-det on one side":
		l.Left.Family = theory.LogDet
	case "quadratic on both sides":
		l.Right.Family = theory.Quadratic
	}
	return l
}

// dual is the lower bound that multipliers certify; NaN where there is none.
func (f sensed) dual(multipliers []float64, sides string, c sensingClaim) float64 {
	x := algebra.Product(mat.NewDense(1, len(multipliers), multipliers), f.Features)
	at := mat.NewDense(sensingSize, sensingSize, x.RawMatrix().Data)
	return floats.Dot(multipliers, f.Labels) - c.conjugate(sensingLayer(sides, f.B), at)
}

func stableRank(b *mat.Dense) float64 { return math.Pow(mat.Norm(b, 2)/singularValues(b)[0], 2) }

// judgeSensing holds the bounds at every scale. Costs are known to the roundings of solves with well-conditioned
// features; alternation stops early, and its end is above the end of descent by what it has left.
func judgeSensing(r *props.Record, c sensing, all []sensed, claim sensingClaim) {
	r.Regime(c.Sides)
	for _, f := range all {
		noise := 1e-11 * f.FixedCost
		for k := 1; k < len(f.Trace); k++ {
			r.AtMost("alternation does not rise", f.Trace[k], f.Trace[k-1], noise)
		}
		if c.Sides != "quadratic on both sides" {
			f.judgeDual(r, c.Sides, claim, noise)
		}
		gap := algebra.Difference(f.B, f.Min)
		layer, size := sensingLayer(c.Sides, f.B), mat.Norm(f.B, 2)
		bound := claim.distance(theory.Sum{layer.Left, layer.Right}.Loss(), size)
		r.AtMost("distance from least Frobenius norm", mat.Norm(gap, 2), bound, 1e-9*size)
	}
}

// judgeDual: multipliers outside of the domain of the dual function bound nothing.
func (f sensed) judgeDual(r *props.Record, sides string, c sensingClaim, noise float64) {
	for _, other := range f.Others {
		if bound := f.dual(other, sides, c); !math.IsInf(bound, -1) {
			r.AtMost("dual bound of any multipliers", bound, f.Descent, noise)
		}
	}
	best, inside := f.dual(f.Multipliers, sides, sensingClaim{conjugate: theory.Layer.Conjugate}), 0.0
	if !math.IsInf(best, -1) {
		inside = 1
	}
	below, agree := r.Declines("dual bound below the cost", inside, 1), r.Declines("both ways agree", inside, 1)
	if below || agree {
		return
	}
	r.AtMost("dual bound below the cost", f.dual(f.Multipliers, sides, c), f.Descent, noise)
	last := max(0, f.Trace[max(0, len(f.Trace)-2)]-f.Trace[len(f.Trace)-1])
	r.Within("both ways agree", f.Alternated, c.lowest(f), max(0, f.Descent-best)+200*last+noise)
}

// sensingFigure shows the stable rank over the scale.
func sensingFigure(cells []sensing, all [][]sensed) props.Figure {
	f := props.Figure{ID: "stable-rank", Title: "Stable rank over the scale of the labels",
		Caption: "Mean stable rank of the solution of matrix sensing, 5×5 with 15 measurements of a matrix of rank " +
			"one, against the scale of the labels: near zero it is that of the solution of least Frobenius norm, and " +
			"it falls towards 1, faster with two sides than with one.",
		X: props.Axis{Label: "scale of the labels", Log: true}, Y: props.Axis{Label: "stable rank"}}
	for _, sides := range []string{"quadratic on one side", "log-det on one side", "quadratic on both sides"} {
		curve := props.Curve{Name: sides, Style: props.Line, X: sensingScales, Y: make([]float64, len(sensingScales))}
		count := 0.0
		for i, c := range cells {
			if c.Sides == sides && len(all[i]) == len(sensingScales) {
				count++
				for k, found := range all[i] {
					curve.Y[k] += stableRank(found.B)
				}
			}
		}
		floats.Scale(1/count, curve.Y)
		f.Curves = append(f.Curves, curve)
	}
	return f
}
