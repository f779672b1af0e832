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
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// clusters pairs the picture of two clusters with classical scaling of drawn vectors and of trained neurons.
var clusters = props.Spec{
	Statement: &theory.Clusters,
	Checks: []props.Check{
		props.Instances[vectors]{
			Name:       "vectors on a line and near it",
			Cases:      props.Scale{Quick: 60, Standard: 300, Deep: 5000},
			Replicates: 2,
			Regimes:    []string{"on a line", "all on one side", "near a line"},
			Draw:       drawVectors,
			Judge:      judgeVectors,
			Proven: map[string]string{"within a side": "every rounding of a vector, of a cosine and of the bound",
				"between the sides": "every rounding of a vector, of a cosine and of the bound"},
			Controls: []props.Control{
				{Name: "vectors in all directions", Assumption: "one-line", Criterion: "first coordinate", Done: "scattered"},
				{Name: "distances 1 in place of 2", Criterion: "first coordinate", Done: "line", Claimed: "half"},
				{Name: "n₊n₋/n", Criterion: "first eigenvalue", Done: "line", Claimed: "half"},
				{Name: "vectors in all directions, the other eigenvalues", Assumption: "one-line",
					Criterion: "other eigenvalues", Done: "scattered"},
				{Name: "the larger angle for the sum", Criterion: "within a side", Done: "plane", Claimed: "larger"},
				{Name: "the larger angle for the sum, between sides", Criterion: "between the sides", Done: "plane",
					Claimed: "larger"},
			},
		},
		props.Sweep[int, collapsed]{
			Name:       "neurons after two steps",
			Cells:      props.Scale{Quick: 4, Standard: 8, Deep: 100}.Indices,
			Regimes:    []string{"k = 3", "k = 5"},
			Replicates: 2,
			Measure: func(t *props.Trial, cell int, done string) collapsed {
				neurons := 8
				if done == "no noise" { // half of the neurons die, those of negative biases: all live in 2⁻⁴⁰ of the networks
					neurons = 40
				}
				return collapse(t.Rand, collapseOf(t.Rand, 3+2*(cell%2)), neurons, done)
			},
			Judge: judgeCollapsed,
			Conclude: func(r *props.Record, _ []int, all []collapsed, _ string) {
				shape := theory.Direction{Samples: 3000, Mixture: theory.Mixture{Dim: 60, Count: all[0].Count}}
				for _, f := range pictures(shape, all[0]) {
					r.Figure(f)
				}
			},
			Controls: []props.Control{
				{Name: "uniform bits on A", Assumption: "structured", Criterion: "distance to the star", Done: "uniform"},
				{Name: "initial weights kept", Assumption: "forgetting", Criterion: "distance of the clusters", Done: "kept"},
				{Name: "no noise", Assumption: "noise", Criterion: "sign of the output weight", Done: "no noise"},
				{Name: "the opposite sign", Criterion: "sign of the output weight", Claimed: "opposite"},
				{Name: "clusters at distance 1", Criterion: "distance of the clusters", Claimed: "half"},
				{Name: "stars as near as the square", Criterion: "distance to the star", Claimed: "square"},
			},
			Coarse: map[string]string{"distance of the clusters": "a finding with a margin of 0.1"},
		},
		props.Sweep[int, float64]{
			Name:       "neurons before training",
			Cells:      func(props.Effort) []int { return []int{2, 3, 20, 100} },
			Replicates: 2,
			Measure: func(t *props.Trial, d int, done string) float64 {
				return meanOfPairs(t.Rand, d, done)
			},
			Judge: func(r *props.Record, d int, mean float64, claimed string) {
				want := theory.MeanCosine(d)
				if claimed == "plus one" {
					want = theory.MeanCosine(d + 1)
				}
				mu := theory.MeanCosine(d)
				sd := math.Sqrt((1/float64(d) - mu*mu) / pairs) // E cos² = 1/d
				r.EqualsAbsolutely("mean |cos|", stat.Known(mean, sd, stat.CriterionAlpha), want, 12.4*sd)
			},
			Controls: []props.Control{
				{Name: "weights along the first axes", Assumption: "isotropic", Done: "anisotropic"},
				{Name: "one dimension more", Claimed: "plus one"},
			},
		},
	},
	Try: &props.Simulation{Run: tryClusters, Draw: drawClusters},
}.Claim()

// vectors are so many vectors about one line, one per row, and what classical scaling makes of them.
type vectors struct {
	Dim, Plus, Minus int
	Angle            float64 // at most, from the line

	kind        string
	w           *mat.Dense
	angles      []float64
	slips       []float64 // of the directions across the line, what they have along it
	first       []float64 // coordinates
	eigenvalues []float64
	apart       *mat.SymDense
}

func drawVectors(t *props.T, done string) vectors {
	in := vectors{kind: rapid.SampledFrom([]string{"on a line", "all on one side", "near a line"}).Draw(t.T, "kind")}
	in.Dim, in.Plus, in.Minus = rapid.IntRange(2, 30).Draw(t.T, "d"), rapid.IntRange(1, 9).Draw(t.T, "n₊"),
		rapid.IntRange(1, 9).Draw(t.T, "n₋")
	in.Angle = gen.LogUniform(t.T, "θ", 0.01, math.Pi/2)
	switch done {
	case "line", "scattered":
		in.kind = "on a line"
	case "plane":
		in.kind, in.Dim, in.Plus, in.Minus = "near a line", 2, 9, 9
	}
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
		for range 2 { // what one pass leaves along u is of the order of its cancellation, in a plane anything
			floats.AddScaled(across, -floats.Dot(across, u), u)
			unit(across)
		}
		floats.AddScaled(row, math.Cos(angle), u)
		floats.AddScaled(row, math.Sin(angle), across)
		if done == "scattered" {
			copy(row, across)
		}
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

// length errs by (d/2+1)u; that of [floats.Norm], which scales by the largest entry so far, by five times that.
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

// firstCoordinate is the first one of classical scaling, with the sign that makes the first entry positive, and all
// eigenvalues, the largest first. A dissimilarity that is no number gives none.
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

func judgeVectors(r *props.Record, in vectors, claimed string) {
	r.Regime(in.kind)
	n, sides := in.Plus+in.Minus, theory.Sides{Plus: in.Plus, Minus: in.Minus}
	cosine := float64(2*in.Dim+5) * r.Unit()
	rounding := float64(n) * (4*cosine + 20*float64(n)*r.Unit())
	if in.kind == "near a line" {
		in.judgeAngles(r, claimed)
		return
	}
	plus, minus := sides.Coordinates()
	eigenvalue := sides.Eigenvalue()
	if claimed == "half" {
		plus, minus, eigenvalue = plus/2, minus/2, eigenvalue/4
	}
	want := make([]float64, n)
	for i := range want {
		want[i] = plus
		if i >= in.Plus {
			want[i] = minus
		}
	}
	r.WithinScale("first eigenvalue", in.eigenvalues[0], eigenvalue, float64(n), rounding)
	for _, other := range in.eigenvalues[1:] {
		r.WithinScale("other eigenvalues", other, 0, float64(n), rounding)
	}
	if in.Minus > 0 {
		r.WithinVector("first coordinate", in.first, want, 3*rounding/math.Sqrt(sides.Eigenvalue()))
	}
}

// judgeAngles compares all pairs with the bounds of their angles, which two vectors in a plane attain. A vector is made
// of its angle to an error of (3d/2+9)u and a slip: a direction across the line keeps along it what is measured, to du;
// both unit vectors have lengths that err by (d/2+3)u, of which their tangent takes half the sum at most; sine and
// cosine turn it by 2u, and products, sum and length by 4u. Two such angles move a cosine by (3d+18)u, it errs by
// (2d+5)u, and the bound by 8u: together within 5(d+8)u.
func (in vectors) judgeAngles(r *props.Record, claimed string) {
	for i := range in.angles {
		for j := range i {
			tolerance := 5*float64(in.Dim+8)*r.Unit() + in.slips[i] + in.slips[j]
			first, second := in.angles[i], in.angles[j]
			if claimed == "larger" {
				first, second = max(first, second), 0
			}
			within, between := theory.Apart(first, second)
			if (i < in.Plus) == (j < in.Plus) {
				r.AtMost("within a side", in.apart.At(i, j), within, tolerance)
			} else {
				r.AtLeast("between the sides", in.apart.At(i, j), between, tolerance)
			}
		}
	}
}

// pairs is how many disjoint pairs of neurons are taken before training.
const pairs = 4000

func meanOfPairs(r *rand.Rand, d int, done string) float64 {
	sum := 0.0
	for range pairs {
		w := gen.Gaussian(r, 2, d, 1)
		if done == "anisotropic" {
			w.Set(0, 0, 10*w.At(0, 0))
			w.Set(1, 0, 10*w.At(1, 0))
		}
		sum += math.Abs(1 - dissimilarities(w).At(0, 1))
	}
	return sum / pairs
}

// clustersOf are a user's law and sizes, or an error when they cost too much.
func clustersOf(v values.Values) (theory.Direction, error) {
	d := theory.Direction{Samples: v.Int("n"), Rho: 1, Mixture: theory.Mixture{Dim: v.Int("D"), Count: v.Int("k"),
		Background: v.Float("background"), Uniform: v.Float("uniform")}}
	if cost := float64(v.Int("m")) * float64(d.Samples) * float64(d.Mixture.Dim); cost > 1e8 || d.Mixture.Count > 15 {
		return d, fmt.Errorf("n=%d, D=%d, m=%d, k=%d cannot be simulated: n·D·m is at most 1e8 and k at most 15",
			d.Samples, d.Mixture.Dim, v.Int("m"), d.Mixture.Count)
	}
	return d, nil
}

// tryClusters trains at a user's parameters.
func tryClusters(t *props.Trial, v values.Values) (map[string]float64, error) {
	d, err := clustersOf(v)
	if err != nil {
		return nil, err
	}
	c := collapse(t.Rand, d, v.Int("m"), "")
	return map[string]float64{"before": c.Before, "star": c.Star, "distance": c.Distance,
		"eigenvalue": c.Eigenvalue}, nil
}
