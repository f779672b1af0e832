package latent

import (
	"math"
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// curse predicts Lipschitz functions by nearest centres, looks for points that samples leave alone, and measures
// distances.
var curse = props.Spec{
	Statement: &theory.Curse,
	Checks: []props.Check{
		props.Instances[lattice]{
			Name:    "number of points",
			Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 20000},
			Regimes: []string{"one point suffices", "one dimension", "several"},
			Draw:    drawLattice,
			Judge:   judgeLattice,
			Controls: []props.Control{
				{Reading: "one-over-epsilon", Criterion: "a sample more than ε away", Done: "(1/ε)^d"},
				{Name: "slope 1.05", Assumption: "lipschitz", Criterion: "error of nearest centres", Done: "steeper"},
				{Name: "one point more is not enough either", Criterion: "a sample more than ε away", Done: "centres"},
				{Name: "half of the error", Criterion: "error of nearest centres", Claimed: "ε/2"},
			},
		},
		props.Sweep[torus, []float64]{
			Name:       "distance from the nearest",
			Replicates: 1,
			Cells: func(e props.Effort) []torus {
				count := props.Scale{Quick: 8000, Standard: 20000, Deep: 1000000}.At(e)
				return []torus{{1, 4, count}, {2, 16, count}, {4, 16, count}, {4, 128, count}, {8, 64, count}, {16, 64, count}}
			},
			Regimes: []string{"one dimension", "several"},
			Measure: measureTorus,
			Judge:   judgeTorus,
			Controls: []props.Control{
				{Name: "points on a face of half the dimension", Assumption: "uniform", Criterion: "mean distance", Done: "face"},
				{Name: "without edges closed to a torus", Criterion: "mean distance", Done: "cube"},
				{Name: "½n^(−1/d)", Criterion: "mean distance", Claimed: "floor"},
				{Name: "n^(−1/d) as the floor", Criterion: "mean distance ≥ ½n^(−1/d)·d/(d+1)", Claimed: "n^(−1/d)"},
			},
		},
	},
	Along: &props.Along{
		Param: "n", From: 16, To: 512, Of: []string{"distance"},
		Each: &props.ParamSweep{Name: "d", Values: []string{"2", "4", "8"}}, Places: 7, Reps: 8,
	},
	Try: &props.Simulation{Run: tryCurse},
}.Claim()

// lattice is the problem for one accuracy with centres and fewer samples than there are centres.
type lattice struct {
	theory.Grid
	Error    float64 // the largest error of nearest centres, over functions and points
	Distance float64 // of the point of the lattice that is farthest from all samples
}

func drawLattice(t *props.T, done string) lattice {
	l := lattice{Grid: theory.Grid{D: gen.Dim(t.T, "d", 3), Epsilon: float64(rapid.IntRange(15, 99).Draw(t.T,
		"100ε")) / 100}}
	if done != "" {
		l.Epsilon = float64(rapid.IntRange(15, 40).Draw(t.T, "smaller")) / 100
	}
	r, k := t.Stream("samples"), l.Side()
	centres := latticePoints(l.D, k, func(i int) float64 { return (float64(i) + 0.5) / float64(k) })
	slope := 1.0
	if done == "steeper" { // and in a corner, where the error of a cone is largest
		slope = 1.05 * l.Epsilon * 2 * float64(k)
	}
	// Functions: cones over single points and over all centres; points: corners of cells and random ones.
	corners := latticePoints(l.D, k+1, func(i int) float64 { return float64(i) / float64(k) })
	for range 20 {
		x := randomPoint(r, l.D)
		if r.IntN(2) == 0 {
			x = corners[r.IntN(len(corners))]
		}
		centre, _ := nearest(x, centres)
		apex := centres[centre]
		if r.IntN(2) == 0 {
			apex = randomPoint(r, l.D)
		}
		l.Error = max(l.Error, slope*math.Abs(maxDistance(x, apex)-maxDistance(centres[centre], apex)))
	}
	x := corners[0]
	centre, _ := nearest(x, centres)
	l.Error = max(l.Error, slope*maxDistance(x, centres[centre]))

	if k > 1 {
		count := len(centres) - 1
		samples := make([][]float64, count)
		for i := range samples {
			samples[i] = randomPoint(r, l.D)
			if i < len(centres) && r.IntN(3) > 0 {
				samples[i] = centres[i]
			}
		}
		if done == "centres" || done == "(1/ε)^d" {
			samples = centres
		}
		for _, p := range latticePoints(l.D, k, func(i int) float64 { return float64(i) / float64(k-1) }) {
			_, distance := nearest(p, samples)
			l.Distance = max(l.Distance, distance)
		}
	}
	return l
}

func latticePoints(d, k int, at func(i int) float64) [][]float64 {
	points := [][]float64{{}}
	for range d {
		var next [][]float64
		for _, p := range points {
			for i := range k {
				next = append(next, append(append([]float64{}, p...), at(i)))
			}
		}
		points = next
	}
	return points
}

func randomPoint(r *rand.Rand, d int) []float64 {
	x := make([]float64, d)
	for i := range x {
		x[i] = r.Float64()
	}
	return x
}

func maxDistance(x, y []float64) float64 {
	largest := 0.0
	for i := range x {
		largest = max(largest, math.Abs(x[i]-y[i]))
	}
	return largest
}

func nearest(x []float64, points [][]float64) (index int, distance float64) {
	distance = math.Inf(1)
	for i, p := range points {
		if d := maxDistance(x, p); d < distance {
			index, distance = i, d
		}
	}
	return index, distance
}

func judgeLattice(r *props.Record, l lattice, claimed string) {
	k := l.Side()
	switch {
	case k == 1:
		r.Regime("one point suffices")
	case l.D == 1:
		r.Regime("one dimension")
	default:
		r.Regime("several")
	}
	epsilon := l.Epsilon
	if claimed == "ε/2" {
		epsilon /= 2
	}
	r.AtMost("error of nearest centres", l.Error, epsilon, 8*r.Unit())
	if k > 1 {
		r.AtLeast("a sample more than ε away", l.Distance, l.Epsilon, 8*r.Unit())
	}
}

// torus is a number of points in some dimensions, and of independent sets with one query each.
type torus struct{ D, N, Count int }

func measureTorus(t *props.Trial, c torus, done string) []float64 {
	out := make([]float64, c.Count)
	if done != "" { // a control is far off
		out = out[:c.Count/8]
	}
	for i := range out {
		out[i] = nearestOnTorus(t.Rand, c.N, c.D, done)
	}
	return out
}

// nearestOnTorus draws n points and returns the distance of a random query from the nearest.
func nearestOnTorus(r *rand.Rand, n, d int, done string) float64 {
	query, lower := randomPoint(r, d), math.Inf(1)
	free := d
	if done == "face" {
		free = (d + 1) / 2
	}
	for range n {
		distance := 0.0
		for k := range free {
			gap := math.Abs(query[k] - r.Float64())
			if done != "cube" {
				gap = min(gap, 1-gap)
			}
			distance = max(distance, gap)
		}
		lower = min(lower, distance)
	}
	return lower
}

func judgeTorus(r *props.Record, c torus, distances []float64, claimed string) {
	r.Regime("several")
	if c.D == 1 {
		r.Regime("one dimension")
	}
	mean := theory.NearestDistance(c.D, c.N, 1)
	sd := math.Sqrt(theory.NearestDistance(c.D, c.N, 2) - mean*mean)
	law := stat.Bounded(sd, 0.5)
	iv := law.Mean(distances, stat.CriterionAlpha)
	margin := law.Margin(len(distances), stat.CriterionAlpha, stat.CriterionUndecided)
	floor := math.Pow(float64(c.N), -1/float64(c.D)) / 2
	want, lower := mean, floor*float64(c.D)/float64(c.D+1)
	switch claimed {
	case "floor":
		want = floor
	case "n^(−1/d)":
		lower = 2 * floor
	}
	r.Equals("mean distance", iv, want, margin)
	// A ball of the floor's radius around every point covers everything at best, and then the mean distance is d/(d+1)
	// of it.
	r.AtLeast("mean distance ≥ ½n^(−1/d)·d/(d+1)", iv.Hi, lower, 1e-12)
}

func tryCurse(t *props.Trial, v statement.Values) (map[string]float64, error) {
	return map[string]float64{"distance": nearestOnTorus(t.Rand, v.Int("n"), v.Int("d"), "")}, nil
}
