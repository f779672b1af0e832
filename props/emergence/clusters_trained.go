package emergence

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
	"gonum.org/v1/gonum/stat/mds"

	"github.com/thm-suite/thm/internal/impl/truncated"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	"github.com/thm-suite/thm/props/stat"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// collapsed holds the results of classical scaling on the neurons of a network after two steps.
type collapsed struct {
	Dim, Count int
	Signs      bool    // every neuron's first coordinate has the sign of its output weight before the last step
	Distance   float64 // between the means of the two sides along the first coordinate
	Eigenvalue float64
	Star       float64 // mean of 1 − |cos(w, u)|
	Law        float64 // 1 − |cos(w, u)| by emergence/sampling
	Reach      float64 // the factor by which Star exceeds Law with the probability of a false alarm
	Before     float64 // mean |cos| of all pairs before training
	Sides      theory.Sides
	Means      [2]float64 // of the two sides along the first coordinate, for the neurons that Sides counts
	Points     []cloud    // in the plane: before, after the first step and after the second
}

// cloud holds the points of a picture: the neurons with the sign of their output weights, then the two stars ±u.
type cloud struct{ X, Y, Sign []float64 }

// collapseRegimes lists the regimes in the order in which the cells cycle through them.
var collapseRegimes = []string{"D = 60, k = 3", "D = 60, k = 5", "D = 120, k = 3", "D = 120, k = 5"}

// collapseOf draws the law of a cell, with n = 50 D.
func collapseOf(r *rand.Rand, cell int) theory.Direction {
	dim := 60 + 60*(cell/2%2)
	return theory.Direction{Samples: 50 * dim, Rho: 1, Mixture: theory.Mixture{Dim: dim, Count: 3 + 2*(cell%2),
		Background: 0.5, Uniform: 0.5 * r.Float64()}}
}

// smaller selects the cells with the smaller D, which suffice to reject what is far off.
func smaller(cell int) bool { return cell/2%2 == 0 }

// collapsing measures a network after a changed course of training.
func collapsing(neurons int, change func(*course)) func(*props.Trial, int) collapsed {
	return func(t *props.Trial, cell int) collapsed {
		return collapse(t.Rand, collapseOf(t.Rand, cell), neurons, change)
	}
}

// collapse takes two steps with m neurons and their mirrors, after a change of the course.
func collapse(r *rand.Rand, d theory.Direction, m int, change func(*course)) collapsed {
	k := float64(d.Mixture.Count)
	law := wide(d.Mixture, rational.Subset(r, d.Mixture.Dim, d.Mixture.Count))
	at := course{law: law, net: truncated.Start(r, m, law.Dim, k, func(z float64) float64 { return z }),
		step:  truncated.Step{Noise: truncated.Smooth(math.Pow(k, -1.5)), KeepA: 1},
		rates: []float64{firstRate, 1}, samples: d.Samples}
	change(&at)
	feature := unit(rational.Indicator(law.Dim, law.Support))
	c := collapsed{Dim: d.Mixture.Dim, Count: d.Mixture.Count, Law: 1 - d.Cosine(), Reach: reachOf(d),
		Before: meanCosine(at.net.W, m)}
	nets := at.descend(r)
	for _, net := range nets {
		c.Points = append(c.Points, seen(net, feature))
	}
	c.look(nets[2], nets[1].A, feature)
	return c
}

// reachOf returns the factor by which 1 − |cos| may exceed its law: a quantile of χ² with D − k degrees of freedom,
// divided by D − k and by the square of the component along the feature, shortened by 6.2 standard deviations.
func reachOf(d theory.Direction) float64 {
	free := float64(d.Mixture.Dim - d.Mixture.Count)
	if !(free > 0) {
		return math.NaN()
	}
	along := math.Sqrt(d.Along() / (1 - d.Along()) * d.Tan2())
	return distuv.ChiSquared{K: free}.Quantile(1-stat.CriterionAlpha) / free / math.Pow(1-6.2*along, 2)
}

// meanCosine returns the mean of |cos| over all pairs of the first m rows.
func meanCosine(w *mat.Dense, m int) float64 {
	if m < 2 {
		return math.NaN()
	}
	_, d := w.Dims()
	apart, sum := dissimilarities(w.Slice(0, m, 0, d).(*mat.Dense)), 0.0
	for i := range m {
		for j := range i {
			sum += math.Abs(1 - apart.At(i, j))
		}
	}
	return sum / float64(m*(m-1)/2)
}

// look measures the two clusters. A neuron belongs to the side of its output weight before the last step.
func (c *collapsed) look(net truncated.Net, outputs, feature []float64) {
	first, eigenvalues := firstCoordinate(dissimilarities(net.W))
	c.Eigenvalue = eigenvalues[0]
	if floats.Dot(net.W.RawRowView(0), feature) < 0 { // the first entry is positive
		floats.Scale(-1, first)
	}
	var mean, number [2]float64
	c.Signs = true
	for i, x := range first {
		row := net.W.RawRowView(i)
		c.Star += (1 - math.Abs(floats.Dot(row, feature))/floats.Norm(row, 2)) / float64(len(first))
		c.Signs = c.Signs && x*outputs[i] > 0
		side := 0
		if outputs[i] > 0 {
			side = 1
		}
		mean[side], number[side] = mean[side]+x, number[side]+1
	}
	c.Distance = mean[1]/number[1] - mean[0]/number[0]
	c.lookAtSome(net, outputs, feature)
}

// few is the number of neurons with a negative output weight that lookAtSome keeps.
const few = 3

// lookAtSome measures sides of unequal sizes: all neurons with a positive output weight, and few of the others.
func (c *collapsed) lookAtSome(net truncated.Net, outputs, feature []float64) {
	var rows, signs []float64
	_, d := net.W.Dims()
	for i, a := range outputs {
		switch {
		case a > 0:
			c.Sides.Plus++
		case c.Sides.Minus < few:
			c.Sides.Minus++
		default:
			continue
		}
		rows, signs = append(rows, net.W.RawRowView(i)...), append(signs, a)
	}
	first, _ := firstCoordinate(dissimilarities(mat.NewDense(len(signs), d, rows)))
	if floats.Dot(rows[:d], feature) < 0 {
		floats.Scale(-1, first)
	}
	for i, x := range first {
		if signs[i] > 0 {
			c.Means[0] += x / float64(c.Sides.Plus)
		} else {
			c.Means[1] += x / float64(c.Sides.Minus)
		}
	}
}

// collapsedClaim holds the claimed distance of the clusters, and the coordinates of two sides.
type collapsedClaim struct {
	distance float64
	sides    func(theory.Sides) (plus, minus float64)
}

func judgeCollapsed(r *props.Record, _ int, c collapsed, claim collapsedClaim) {
	r.Regime(fmt.Sprintf("D = %d, k = %d", c.Dim, c.Count))
	r.Holds("sign of the output weight", c.Signs)
	if math.IsNaN(c.Star) { // a neuron is dead
		return
	}
	r.Within("distance of the clusters", c.Distance, claim.distance, 0.05)
	plus, minus := claim.sides(c.Sides)
	r.Within(unequal, c.Means[0], plus, 0.05)
	r.Within(unequal, c.Means[1], minus, 0.05)
	// All neurons of a network share the noise of the samples.
	r.AtMost("distance to the star", c.Star, c.Law*c.Reach, 1e-12)
}

// seen scales the neurons and the stars to the plane by classical scaling.
func seen(net truncated.Net, feature []float64) cloud {
	n, d := net.W.Dims()
	all := mat.NewDense(n+2, d, nil)
	all.Slice(0, n, 0, d).(*mat.Dense).Copy(net.W)
	all.SetRow(n, feature)
	floats.AddScaled(all.RawRowView(n+1), -1, feature)
	c := cloud{make([]float64, n+2), make([]float64, n+2), append(append([]float64{}, net.A...), 1, -1)}
	apart := dissimilarities(all)
	if math.IsNaN(mat.Norm(apart, 2)) { // a dead neuron
		return c
	}
	var points mat.Dense
	found, _ := mds.TorgersonScaling(&points, nil, apart)
	if found > 0 {
		mat.Col(c.X, 0, &points)
	}
	if found > 1 {
		mat.Col(c.Y, 1, &points)
	}
	if c.X[n] < 0 {
		floats.Scale(-1, c.X)
	}
	return c
}
