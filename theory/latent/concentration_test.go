package latent

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/theory/hermite"
)

// Up to three samples in two dimensions: the mean over all of them by a rule that is exact for polynomials on either
// side of the kink, without the formula. 4n³ times the error is a polynomial of degree 2 in n, so that three n fix it.
func TestSamplingNoiseInTwoDimensions(t *testing.T) {
	f := Target{{0.5, []int{2}}, {-0.2, []int{0, 2}}, {0.3, []int{1, 1}}, {0.25, []int{3}}, {0.3, []int{1, 2}},
		{-0.2, []int{2, 1}}}
	for _, c := range []struct {
		n     int
		noise float64
	}{{1, 0.5}, {2, 0.5}, {3, 0}} {
		s := Sampling{D: 2, N: c.n, Noise: c.noise, Target: f}
		raw, preprocessed := planeNoise(f, c.n, c.noise)
		about(t, "raw", s.Raw(), raw, 1e-9*raw)
		about(t, "preprocessed", s.Preprocessed(), preprocessed, 1e-9*preprocessed)
	}
}

// planar is a labelled point of a rule for the plane.
type planar struct{ x, y, label, weight float64 }

// planeNoise returns the mean square errors from raw labels and after preprocessing, averaged over eight directions,
// which is exact because errors are polynomials of degree 6 in w. The order of the samples does not change the error.
func planeNoise(f Target, n int, noise float64) (raw, preprocessed float64) {
	for turn := range 8 {
		sin, cos := math.Sincos(float64(turn) * math.Pi / 4)
		points := planeRule(f, noise, cos, sin)
		var g [2]float64
		for _, p := range points {
			if p.x > 0 { // w is the first axis of coordinates that are turned
				g[0], g[1] = g[0]+p.weight*p.label*p.x, g[1]+p.weight*p.label*p.y
			}
		}
		sample := make([]planar, n)
		var add func(k, from, times int, weight float64)
		add = func(k, from, times int, weight float64) { // times: how often the point before it was taken
			if k == n {
				one, two := planeErrors(sample, g)
				raw, preprocessed = raw+weight*one/8, preprocessed+weight*two/8
				return
			}
			for i := from; i < len(points); i++ {
				sample[k] = points[i]
				add(k+1, i, times+1, weight*points[i].weight*float64(k+1)/float64(times+1))
				times = 0
			}
		}
		add(0, 0, 0, 1)
	}
	return raw, preprocessed
}

// planeErrors returns ‖g_n − g‖² from raw labels and after preprocessing.
func planeErrors(sample []planar, g [2]float64) (raw, preprocessed float64) {
	n, mean, alongX, alongY := float64(len(sample)), 0.0, 0.0, 0.0
	for _, p := range sample {
		mean, alongX, alongY = mean+p.label/n, alongX+p.label*p.x/n, alongY+p.label*p.y/n
	}
	var before, after [2]float64
	for _, p := range sample {
		if p.x > 0 {
			rest := (p.label - mean - alongX*p.x - alongY*p.y) / n
			before[0], before[1] = before[0]+p.label*p.x/n, before[1]+p.label*p.y/n
			after[0], after[1] = after[0]+rest*p.x, after[1]+rest*p.y
		}
	}
	return math.Pow(before[0]-g[0], 2) + math.Pow(before[1]-g[1], 2),
		math.Pow(after[0]-g[0], 2) + math.Pow(after[1]-g[1], 2)
}

// planeRule returns points with the labels of the target in rotated coordinates, each with either sign of the noise.
func planeRule(f Target, noise, cos, sin float64) []planar {
	at := func(x, y float64) (sum float64) {
		for _, term := range f {
			product := term.Coefficient
			for j, k := range term.Degrees {
				product *= hermite.Polynomial(k, []float64{cos*x - sin*y, sin*x + cos*y}[j])
			}
			sum += product
		}
		return sum
	}
	half, halves := normalRule(7, 0)
	whole, weights := normalRule(7, -14)
	var out []planar
	for i, x := range half {
		for j, y := range whole {
			for _, sign := range []float64{-1, 1} {
				p := planar{sign * x, y, at(sign*x, y), halves[i] * weights[j]}
				if noise == 0 {
					out = append(out, p)
					continue
				}
				p.weight /= 2
				more := p
				p.label, more.label = p.label-noise, p.label+noise
				out = append(out, p, more)
			}
		}
	}
	return out
}

// normalRule returns the Gaussian rule of n nodes for the normal density above a bound, exact for polynomials of degree
// 2n−1. It finds the orthogonal polynomials by Stieltjes' recurrence on a fine rule, and nodes and weights from the
// matrix of the recurrence.
func normalRule(n int, from float64) (nodes, weights []float64) {
	const fine = 200
	x, density := make([]float64, fine), make([]float64, fine)
	quad.Legendre{}.FixedLocations(x, density, from, 14)
	for i := range x {
		density[i] *= hermite.PDF(x[i])
	}
	total := floats.Sum(density)
	jacobi, before, now, off := mat.NewSymDense(n, nil), make([]float64, fine), make([]float64, fine), 0.0
	floats.AddConst(1/math.Sqrt(total), now)
	for k := range n {
		centre, size, next := 0.0, 0.0, make([]float64, fine)
		for i, v := range now {
			centre += density[i] * x[i] * v * v
		}
		for i, v := range now {
			next[i] = (x[i]-centre)*v - off*before[i]
			size += density[i] * next[i] * next[i]
		}
		jacobi.SetSym(k, k, centre)
		if off = math.Sqrt(size); k+1 < n {
			jacobi.SetSym(k, k+1, off)
		}
		floats.Scale(1/off, next)
		before, now = now, next
	}
	var eigen mat.EigenSym
	var vectors mat.Dense
	eigen.Factorize(jacobi, true)
	eigen.VectorsTo(&vectors)
	for k := range n {
		weights = append(weights, total*math.Pow(vectors.At(0, k), 2))
	}
	return eigen.Values(nil), weights
}
