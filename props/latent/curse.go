package latent

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	"github.com/thm-suite/thm/props/stat"
	statement "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/latent"
)

// curse predicts Lipschitz functions by nearest centres, looks for points far from all samples, and measures distances
// to the nearest sample.
var curse = props.Spec{
	Statement: &theory.Curse,
	Checks: []props.Check{
		props.Drawn[lattice, latticeClaim]{
			Name:    "number of points",
			Cases:   props.Scale{Quick: 100, Standard: 1000, Deep: 20000},
			Tries:   12,
			Regimes: []string{"one point suffices", "one dimension", "several"},
			Draw:    drawLattice,
			Claim:   func(l lattice) float64 { return l.Epsilon },
			Judge:   judgeLattice,
			Controls: []props.Wrong[lattice, latticeClaim]{
				{Name: "slope 1.05", Assumption: "lipschitz", Criterion: "error of nearest centres", Draw: drawSteeper},
				{Name: "one point more is not enough either", Criterion: "a sample more than ε away", Draw: drawCentres},
				{Name: "half of the error", Criterion: "error of nearest centres",
					Instead: func(l lattice) float64 { return l.Epsilon / 2 }},
			},
		},
		props.Grid[torus, distances, torusClaim]{
			Name:       "distance from the nearest",
			Replicates: 1,
			Cells: func(e props.Effort) []torus {
				count := props.Scale{Quick: 8000, Standard: 20000, Deep: 1000000}.At(e)
				// In few dimensions distances scatter most, and are cheap.
				return []torus{{1, 4, 9 * count}, {2, 16, 4 * count}, {4, 16, count}, {4, 128, count}, {8, 64, count},
					{16, 64, count}}
			},
			Regimes: []string{"one dimension", "several"},
			Measure: func(t *props.Trial, c torus) distances {
				return measureNearest(c.Count, func() float64 { return nearestOnTorus(t.Rand, c.N, c.D, c.D, closed) })
			},
			Claim: torusClaim{
				mean: func(c torus) float64 { return theory.NearestDistance(c.D, c.N, 1) },
				// At best, balls of the floor's radius around the points cover everything; then the mean distance is
				// d/(d+1) times the radius.
				lower: func(c torus) float64 { return c.floor() * float64(c.D) / float64(c.D+1) }},
			Judge: judgeTorus,
			Controls: []props.WrongCell[torus, distances, torusClaim]{ // those with a Measure are far off
				{Name: "points on a face of half the dimension", Assumption: "uniform", Criterion: "mean distance",
					Measure: func(t *props.Trial, c torus) distances {
						return measureNearest(c.Count/8, func() float64 {
							return nearestOnTorus(t.Rand, c.N, c.D, (c.D+1)/2, closed)
						})
					}},
				{Name: "without edges closed to a torus", Criterion: "mean distance",
					Measure: func(t *props.Trial, c torus) distances {
						return measureNearest(c.Count/8, func() float64 {
							return nearestOnTorus(t.Rand, c.N, c.D, c.D, func(gap float64) float64 { return gap })
						})
					}},
				{Name: "½n^(−1/d)", Criterion: "mean distance", Instead: torusClaim{mean: torus.floor}},
				{Name: "n^(−1/d) as the floor", Criterion: "mean distance ≥ ½n^(−1/d)·d/(d+1)",
					Instead: torusClaim{lower: func(c torus) float64 { return 2 * c.floor() }}},
			},
		},
	},
	Along: &props.Along{
		Param: "n", From: 16, To: 512, Of: []string{"distance"},
		Each: &props.ParamSweep{Name: "d", Values: []string{"2", "4", "8"}}, Places: 7, Reps: 8,
	},
	Try: &props.Simulation{Run: tryCurse},
}.Claim()

// lattice holds the problem at one accuracy: with samples at all centres, and with fewer samples than centres.
type lattice struct {
	theory.Grid
	Error    float64 // the largest error of nearest centres, over functions and points
	Distance float64 // largest distance of a point of the lattice from all samples
}

// latticeClaim returns the claimed bound on the error of nearest centres.
type latticeClaim func(lattice) float64

func drawLattice(t *props.T) lattice {
	l := drawGrid(t, 15, 99)
	r, centres := t.Stream("samples"), l.centres()
	l.Error = l.worst(r, centres)
	if l.Side() > 1 {
		samples := make([][]float64, len(centres)-1)
		for i := range samples {
			samples[i] = randomPoint(r, l.D)
			if r.IntN(3) > 0 {
				samples[i] = centres[i]
			}
		}
		l.Distance = l.farthest(samples)
	}
	return l
}

// drawCentres takes all centres as samples: one more than the largest number that is claimed to be too few.
func drawCentres(t *props.T) lattice {
	l := drawGrid(t, 15, 40)
	r, centres := t.Stream("samples"), l.centres()
	l.Error, l.Distance = l.worst(r, centres), l.farthest(centres)
	return l
}

// drawSteeper draws functions of slope 1.05, and scales the error as if ε were 1/(2k), where a cone attains the bound
// in a corner.
func drawSteeper(t *props.T) lattice {
	l := drawGrid(t, 15, 40)
	l.Error = 1.05 * l.Epsilon * 2 * float64(l.Side()) * l.worst(t.Stream("samples"), l.centres())
	l.Distance = 1
	return l
}

func drawGrid(t *props.T, min, max int) lattice {
	return lattice{Grid: theory.Grid{D: gen.Dim(t.T, "d", 3), Epsilon: float64(rapid.IntRange(min, max).Draw(t.T,
		"100ε")) / 100}}
}

// centres returns the centres of all cells.
func (l lattice) centres() [][]float64 {
	k := l.Side()
	return latticePoints(l.D, k, func(i int) float64 { return (float64(i) + 0.5) / float64(k) })
}

// worst returns the largest error of nearest centres found: for cones over single points and over all centres, at
// corners of cells and at random points.
func (l lattice) worst(r *rand.Rand, centres [][]float64) float64 {
	k, largest := l.Side(), 0.0
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
		largest = max(largest, math.Abs(maxDistance(x, apex)-maxDistance(centres[centre], apex)))
	}
	centre, _ := nearest(corners[0], centres)
	return max(largest, maxDistance(corners[0], centres[centre]))
}

// farthest returns the largest distance of a point of the lattice from all samples.
func (l lattice) farthest(samples [][]float64) (largest float64) {
	k := l.Side()
	for _, p := range latticePoints(l.D, k, func(i int) float64 { return float64(i) / float64(k-1) }) {
		_, distance := nearest(p, samples)
		largest = max(largest, distance)
	}
	return largest
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
	return list.Fill(d, func(int) float64 { return r.Float64() })
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

func judgeLattice(r *props.Record, l lattice, claim latticeClaim) {
	k := l.Side()
	r.RegimeOf(k > 1 && l.D == 1, k > 1 && l.D > 1)
	r.AtMost("error of nearest centres", l.Error, claim(l), 8*r.Unit())
	if k > 1 {
		r.AtLeast("a sample more than ε away", l.Distance, l.Epsilon, 8*r.Unit())
	}
}

// torus holds a dimension, a number of points, and how many independent sets are drawn, each with one query.
type torus struct{ D, N, Count int }

// distances holds the mean of Count distances.
type distances struct {
	Mean  float64
	Count int
}

func measureNearest(count int, draw func() float64) distances {
	return distances{floats.Sum(list.Fill(count, func(int) float64 { return draw() })) / float64(count), count}
}

// closed returns the distance between two coordinates on the torus.
func closed(gap float64) float64 { return min(gap, 1-gap) }

// nearestOnTorus draws n points and a random query, and returns its distance to the nearest point, in the first free
// coordinates alone.
func nearestOnTorus(r *rand.Rand, n, d, free int, along func(gap float64) float64) float64 {
	query, lower := randomPoint(r, d), math.Inf(1)
	for range n {
		distance := 0.0
		for k := range free {
			distance = max(distance, along(math.Abs(query[k]-r.Float64())))
		}
		lower = min(lower, distance)
	}
	return lower
}

// torusClaim holds the claimed mean distance, and its lower bound.
type torusClaim struct{ mean, lower func(torus) float64 }

// floor returns ½n^(−1/d).
func (c torus) floor() float64 { return math.Pow(float64(c.N), -1/float64(c.D)) / 2 }

func judgeTorus(r *props.Record, c torus, m distances, claim torusClaim) {
	r.RegimeOf(c.D > 1)
	mean := theory.NearestDistance(c.D, c.N, 1)
	sd := math.Sqrt(theory.NearestDistance(c.D, c.N, 2) - mean*mean)
	law := stat.Bounded(sd, 0.5)
	ofMean := stat.SubGamma{Variance: law.Variance / float64(m.Count), Scale: law.Scale / float64(m.Count)}
	iv := ofMean.Mean([]float64{m.Mean}, stat.CriterionAlpha)
	margin := law.Margin(m.Count, stat.CriterionAlpha, stat.CriterionUndecided)
	r.Equals("mean distance", iv, claim.mean(c), margin)
	r.NotBelow("mean distance ≥ ½n^(−1/d)·d/(d+1)", iv, claim.lower(c), 1e-12)
}

func tryCurse(t *props.Trial, v statement.Values) (map[string]float64, error) {
	return map[string]float64{"distance": nearestOnTorus(t.Rand, v.Int("n"), v.Int("d"), v.Int("d"), closed)}, nil
}
