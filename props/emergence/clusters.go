package emergence

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/mds"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// clusters pairs the picture of two clusters with classical scaling of drawn vectors and of trained neurons.
var clusters = props.Spec{
	Statement: &theory.Clusters,
	Checks: []props.Check{
		props.Drawn[vectors, vectorsClaim]{
			Name:       "vectors on a line and near it",
			Cases:      props.Scale{Quick: 60, Standard: 300, Deep: 5000},
			Replicates: 2,
			Regimes:    []string{"on a line", "all on one side", "near a line"},
			Draw:       func(t *props.T) vectors { return drawSides(t).laid(t, aboutLine) },
			Claim:      vectorsClaim{theory.Sides.Coordinates, theory.Sides.Eigenvalue, theory.Apart},
			Judge:      judgeVectors,
			Proven: map[string]string{"within a side": "every rounding of a vector, of a cosine and of the bound",
				"between the sides": "every rounding of a vector, of a cosine and of the bound"},
			Controls: []props.Wrong[vectors, vectorsClaim]{
				{Name: scattered, Assumption: "one-line", Criterion: "first coordinate",
					Draw: func(t *props.T) vectors { return drawSides(t).onLine().laid(t, acrossLine) }},
				{Name: halved, Criterion: "first coordinate",
					Draw: func(t *props.T) vectors { return drawSides(t).onLine().laid(t, aboutLine) }, Claim: halve},
				{Name: "n₊n₋/n", Criterion: "first eigenvalue", As: halved},
				{Name: "vectors in all directions, the other eigenvalues", Assumption: "one-line",
					Criterion: "other eigenvalues", As: scattered},
				{Name: largerAngle, Criterion: "within a side", Draw: drawPlane,
					Instead: vectorsClaim{apart: func(first, second float64) (float64, float64) {
						return theory.Apart(max(first, second), 0)
					}}},
				{Name: "the larger angle for the sum, between sides", Criterion: "between the sides", As: largerAngle},
			},
		},
		props.Grid[int, collapsed, collapsedClaim]{
			Name:       "neurons after two steps",
			Cells:      props.Scale{Quick: 4, Standard: 8, Deep: 100}.Indices,
			Regimes:    collapseRegimes,
			Replicates: 2,
			Measure:    collapsing(8, asStated),
			Claim:      collapsedClaim{2, theory.Sides.Coordinates},
			Judge:      judgeCollapsed,
			Conclude: func(r *props.Record, _ []int, all []collapsed, _ collapsedClaim) {
				shape := theory.Direction{Samples: 50 * all[0].Dim, Mixture: theory.Mixture{Dim: all[0].Dim, Count: all[0].Count}}
				for _, f := range pictures(shape, all[0]) {
					r.Figure(f)
				}
			},
			Controls: []props.WrongCell[int, collapsed, collapsedClaim]{
				{Name: "uniform bits on A", Assumption: "structured", Criterion: "distance to the star",
					Measure: collapsing(8, uniformInputs), On: smaller},
				{Name: "initial weights kept", Assumption: "forgetting", Criterion: "distance of the clusters",
					Measure: collapsing(8, keepWeights), On: smaller},
				// the half of the neurons with negative biases dies; all live with probability 2⁻⁴⁰
				{Name: "no noise", Assumption: "noise", Criterion: "sign of the output weight",
					Measure: collapsing(40, withoutNoise), On: smaller},
				{Name: "the opposite sign", Criterion: "sign of the output weight",
					Alter: func(_ int, c *collapsed) { c.Signs = !c.Signs }},
				{Name: "clusters at distance 1", Criterion: "distance of the clusters", Instead: collapsedClaim{distance: 1}},
				{Name: "sides of three and eight, exchanged", Criterion: unequal,
					Instead: collapsedClaim{sides: func(s theory.Sides) (plus, minus float64) {
						return theory.Sides{Plus: s.Minus, Minus: s.Plus}.Coordinates()
					}}},
				{Name: "one more on the side of few", Criterion: unequal,
					Instead: collapsedClaim{sides: func(s theory.Sides) (plus, minus float64) {
						return theory.Sides{Plus: s.Plus, Minus: s.Minus + 1}.Coordinates()
					}}},
				{Name: "stars as near as the square", Criterion: "distance to the star",
					Alter: func(_ int, c *collapsed) { c.Law *= c.Law }},
			},
			Coarse: map[string]string{"distance of the clusters": "a finding with a margin of 0.05",
				unequal: "a finding with a margin of 0.05"},
		},
		props.Grid[int, float64, meanClaim]{
			Name:       "neurons before training",
			Cells:      func(props.Effort) []int { return []int{2, 3, 20, 100} },
			Replicates: 2,
			Measure:    func(t *props.Trial, d int) float64 { return meanOfPairs(t.Rand, d, 1) },
			Claim:      theory.MeanCosine,
			Judge: func(r *props.Record, d int, mean float64, claim meanClaim) {
				mu := theory.MeanCosine(d)
				sd := math.Sqrt((1/float64(d) - mu*mu) / pairs) // E cos² = 1/d
				r.EqualsAbsolutely("mean |cos|", stat.Known(mean, sd, stat.CriterionAlpha), claim(d), 12.4*sd)
			},
			Controls: []props.WrongCell[int, float64, meanClaim]{
				{Name: "weights along the first axes", Assumption: "isotropic",
					Measure: func(t *props.Trial, d int) float64 { return meanOfPairs(t.Rand, d, 10) }},
				{Name: "one dimension more", Instead: func(d int) float64 { return theory.MeanCosine(d + 1) }},
			},
		},
	},
	Try: &props.Simulation{Run: tryClusters, Draw: drawClusters},
}.Claim()

// Controls whose draws others share.
const (
	scattered   = "vectors in all directions"
	halved      = "distances 1 in place of 2"
	largerAngle = "the larger angle for the sum"
)

// unequal is the criterion for all neurons with positive output weights and a few of the others.
const unequal = "coordinates of sides of unequal sizes"

// vectorsClaim holds the claimed results of classical scaling: the coordinates of the two sides, the first eigenvalue,
// and bounds on the dissimilarity of two vectors at given angles from the line.
type vectorsClaim struct {
	coordinates func(theory.Sides) (plus, minus float64)
	eigenvalue  func(theory.Sides) float64
	apart       func(first, second float64) (within, between float64)
}

// halve claims half of the distances.
func halve(c *vectorsClaim) {
	c.coordinates = func(s theory.Sides) (plus, minus float64) {
		plus, minus = s.Coordinates()
		return plus / 2, minus / 2
	}
	c.eigenvalue = func(s theory.Sides) float64 { return s.Eigenvalue() / 4 }
}

// meanClaim returns the mean of |cos| of two neurons in d dimensions.
type meanClaim func(d int) float64

// vectors holds vectors near one line, one per row of w, and the results of classical scaling.
type vectors struct {
	Dim, Plus, Minus int
	Angle            float64 // largest angle from the line

	kind        string
	w           *mat.Dense
	angles      []float64
	slips       []float64 // components along the line of the directions drawn across it
	first       []float64 // coordinates
	eigenvalues []float64
	apart       *mat.SymDense
}

// drawSides draws how many vectors there are on each side, and how far from the line.
func drawSides(t *props.T) vectors {
	in := vectors{kind: rapid.SampledFrom([]string{"on a line", "all on one side", "near a line"}).Draw(t.T, "kind")}
	in.Dim, in.Plus, in.Minus = rapid.IntRange(2, 30).Draw(t.T, "d"), rapid.IntRange(1, 9).Draw(t.T, "n₊"),
		rapid.IntRange(1, 9).Draw(t.T, "n₋")
	in.Angle = gen.LogUniform(t.T, "θ", 0.01, math.Pi/2)
	return in
}

// onLine puts them on the line, on both sides.
func (in vectors) onLine() vectors {
	in.kind = "on a line"
	return in
}

// drawPlane draws nine vectors on each side in a plane.
func drawPlane(t *props.T) vectors {
	in := drawSides(t)
	in.kind, in.Dim, in.Plus, in.Minus = "near a line", 2, 9, 9
	return in.laid(t, aboutLine)
}

// aboutLine lays a vector at an angle from the line, and acrossLine across it.
func aboutLine(row, u, across []float64, angle float64) {
	floats.AddScaled(row, math.Cos(angle), u)
	floats.AddScaled(row, math.Sin(angle), across)
}

func acrossLine(row, _, across []float64, _ float64) { copy(row, across) }

// laid draws the vectors and runs classical scaling on them.
func (in vectors) laid(t *props.T, lay func(row, u, across []float64, angle float64)) vectors {
	switch in.kind {
	case "on a line":
		in.Angle = 0
	case "all on one side":
		in.Angle, in.Minus = 0, 0
	}
	r := t.Stream("vectors")
	u := unit(gen.Gaussian(r, 1, in.Dim, 1).RawRowView(0))
	in.w = mat.NewDense(in.Plus+in.Minus, in.Dim, nil)
	for i := range in.Plus + in.Minus {
		row, angle := in.w.RawRowView(i), in.Angle*r.Float64()
		across := gen.Gaussian(r, 1, in.Dim, 1).RawRowView(0)
		for range 2 { // one pass leaves a component along u of the size of its cancellation, in a plane of any size
			floats.AddScaled(across, -floats.Dot(across, u), u)
			unit(across)
		}
		lay(row, u, across, angle)
		size := math.Exp(r.NormFloat64())
		if i >= in.Plus {
			size = -size
		}
		floats.Scale(size, row)
		in.angles, in.slips = append(in.angles, angle), append(in.slips, math.Abs(floats.Dot(across, u)))
	}
	in.apart = dissimilarities(in.w)
	in.first, in.eigenvalues = firstCoordinate(in.apart)
	return in
}

// unit scales a vector to length 1 up to (d/2+3)u.
func unit(x []float64) []float64 {
	floats.Scale(1/length(x), x)
	return x
}

// length returns ‖x‖ with an error of (d/2+1)u. [floats.Norm] scales by the largest entry so far, and errs by five
// times as much.
func length(x []float64) float64 { return math.Sqrt(floats.Dot(x, x)) }

// dissimilarities returns 1 − cos of all pairs of rows, NaN where a row is zero.
func dissimilarities(w *mat.Dense) *mat.SymDense {
	n, _ := w.Dims()
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i {
			x, y := w.RawRowView(i), w.RawRowView(j)
			out.SetSym(i, j, 1-floats.Dot(x, y)/(length(x)*length(y)))
		}
	}
	return out
}

// firstCoordinate returns the first coordinate of classical scaling, with the sign that makes its first entry positive,
// and all eigenvalues, the largest first. If a dissimilarity is NaN, so are the results.
func firstCoordinate(apart *mat.SymDense) (coordinate, eigenvalues []float64) {
	n := apart.SymmetricDim()
	coordinate = make([]float64, n)
	if math.IsNaN(mat.Norm(apart, 2)) {
		floats.AddConst(math.NaN(), coordinate)
		return coordinate, []float64{math.NaN()}
	}
	var points mat.Dense
	found, eigenvalues := mds.TorgersonScaling(&points, make([]float64, n), apart)
	if found > 0 {
		mat.Col(coordinate, 0, &points)
	}
	if coordinate[0] < 0 {
		floats.Scale(-1, coordinate)
	}
	return coordinate, eigenvalues
}

func judgeVectors(r *props.Record, in vectors, c vectorsClaim) {
	r.Regime(in.kind)
	n, sides := in.Plus+in.Minus, theory.Sides{Plus: in.Plus, Minus: in.Minus}
	cosine := float64(2*in.Dim+5) * r.Unit()
	rounding := float64(n) * (4*cosine + 20*float64(n)*r.Unit())
	if in.kind == "near a line" {
		in.judgeAngles(r, c)
		return
	}
	plus, minus := c.coordinates(sides)
	want := make([]float64, n)
	for i := range want {
		want[i] = plus
		if i >= in.Plus {
			want[i] = minus
		}
	}
	r.WithinScale("first eigenvalue", in.eigenvalues[0], c.eigenvalue(sides), float64(n), rounding)
	for _, other := range in.eigenvalues[1:] {
		r.WithinScale("other eigenvalues", other, 0, float64(n), rounding)
	}
	if in.Minus > 0 {
		r.WithinVector("first coordinate", in.first, want, 3*rounding/math.Sqrt(sides.Eigenvalue()))
	}
}

// judgeAngles compares all pairs with the bounds for their angles, which two vectors in a plane attain. The angle of a
// vector errs by (3d/2+9)u and by its slip, the measured component along the line of the direction drawn across it: the
// slip errs by du; the lengths of both unit vectors err by (d/2+3)u, and at most half of their sum enters the angle;
// sine and cosine turn the vector by 2u, and products, sum and length by 4u. Two such angles move a cosine by (3d+18)u,
// it errs by (2d+5)u, and the bound by 8u: together within 5(d+8)u.
func (in vectors) judgeAngles(r *props.Record, c vectorsClaim) {
	for i := range in.angles {
		for j := range i {
			tolerance := 5*float64(in.Dim+8)*r.Unit() + in.slips[i] + in.slips[j]
			within, between := c.apart(in.angles[i], in.angles[j])
			if (i < in.Plus) == (j < in.Plus) {
				r.AtMost("within a side", in.apart.At(i, j), within, tolerance)
			} else {
				r.AtLeast("between the sides", in.apart.At(i, j), between, tolerance)
			}
		}
	}
}

// pairs is the number of disjoint pairs of untrained neurons.
const pairs = 16000

// meanOfPairs returns the mean of |cos| over pairs of neurons whose first coordinate has first times the scale of the
// others.
func meanOfPairs(r *rand.Rand, d int, first float64) float64 {
	sum := 0.0
	for range pairs {
		w := gen.Gaussian(r, 2, d, 1)
		w.Set(0, 0, first*w.At(0, 0))
		w.Set(1, 0, first*w.At(1, 0))
		sum += math.Abs(1 - dissimilarities(w).At(0, 1))
	}
	return sum / pairs
}

// clustersOf trains at a user's parameters.
func clustersOf(t *props.Trial, v statement.Values) (theory.Direction, collapsed) {
	d, m := theory.Direction{Samples: v.Int("n"), Rho: 1, Mixture: mixtureOf(v)}, v.Int("m")
	t.Need(float64(m)*float64(d.Samples)*float64(d.Mixture.Dim) <= 1e8 && d.Mixture.Count <= 15,
		"n=%d, D=%d, m=%d, k=%d cannot be simulated: n·D·m is at most 1e8 and k at most 15", d.Samples, d.Mixture.Dim, m,
		d.Mixture.Count)
	return d, collapse(t.Rand, d, m, asStated)
}

// tryClusters measures the neurons.
func tryClusters(t *props.Trial, v statement.Values) (map[string]float64, error) {
	_, c := clustersOf(t, v)
	return map[string]float64{"before": c.Before, "star": c.Star, "distance": c.Distance,
		"eigenvalue": c.Eigenvalue}, nil
}

// pictures draws a network before training and after each step.
func pictures(d theory.Direction, c collapsed) []props.Figure {
	var out []props.Figure
	for i, when := range []string{"before training", "after the first step", "after the second step"} {
		out = append(out, props.Figure{
			ID: []string{"before", "first", "second"}[i], Title: "Neurons " + when + ", by classical scaling",
			Caption: fmt.Sprintf("Dissimilarity 1 − cos of %d neurons and of the two stars ±Σ_A Mⱼ, D = %d, k = %d, %d samples "+
				"in a step. Two clusters mean that all neurons lie on one line; stars in them, that the line is the "+
				"effective feature.", len(c.Points[i].X)-2, d.Mixture.Dim, d.Mixture.Count, d.Samples),
			X: props.Axis{Label: "first coordinate"}, Y: props.Axis{Label: "second coordinate"}, Curves: groups(c.Points[i]),
		})
	}
	return out
}

// groups returns a curve for each sign of the output weight, and one for the stars, which come last in the cloud.
func groups(points cloud) []props.Curve {
	curves := []props.Curve{{Name: "a > 0"}, {Name: "a < 0"}, {Name: "±Σ_A Mⱼ"}}
	for j, x := range points.X {
		g := 2
		switch {
		case j >= len(points.X)-2:
		case points.Sign[j] < 0:
			g = 1
		default:
			g = 0
		}
		curves[g].Style = props.Points
		curves[g].Add(x, points.Y[j])
	}
	return curves
}

// drawClusters draws the pictures at a user's parameters.
func drawClusters(t *props.Trial, v statement.Values) ([]props.Figure, error) {
	return pictures(clustersOf(t, v)), nil
}
