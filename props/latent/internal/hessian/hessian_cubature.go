package hessian

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/impl/linalg"
	"github.com/thm-suite/thm/internal/must"
	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/internal/roundoff"
	theory "github.com/thm-suite/thm/theory/latent"
)

// node holds the first coordinates of a point on the sphere, and its weight.
type node struct {
	at     []float64
	weight float64
}

// cubature returns nodes in the first r coordinates whose weighted mean is the mean over the sphere in d dimensions
// for every even polynomial of degree at most 2n−1 in these coordinates, n even. One coordinate of a random point on
// the sphere has density ∝ (1−t²)^((d−3)/2), and the others form a point on a sphere of one dimension less, of radius
// √(1−t²). The result omits one node of every opposite pair.
func cubature(d, r, n int) []node {
	nodes := []node{{nil, 1}}
	for i := range r {
		ts, weights := oneCoordinate(d-i, n)
		var next []node
		for _, p := range nodes {
			left := radiusLeft(p.at)
			for k, t := range ts {
				weight := p.weight * weights[k]
				if i == 0 {
					weight *= 2
				}
				if i > 0 || t > 0 {
					next = append(next, node{append(append([]float64{}, p.at...), left*t), weight})
				}
			}
		}
		nodes = next
	}
	return nodes
}

// oneCoordinate returns Gauss's quadrature for one coordinate of the sphere in d dimensions: the eigenvalues of the
// Jacobi matrix of Gegenbauer's polynomials, and the squares of the first components of its eigenvectors.
//
// Source: Golub, Welsch, Math. Comp. 23 (1969) 221.
func oneCoordinate(d, n int) (nodes, weights []float64) {
	if d == 1 {
		return []float64{-1, 1}, []float64{0.5, 0.5}
	}
	jacobi := mat.NewSymDense(n, nil)
	for k := 1; k < n; k++ {
		square := 1 / float64(d)
		if k > 1 {
			square = float64(k*(k+d-3)) / float64((2*k+d-2)*(2*k+d-4))
		}
		jacobi.SetSym(k-1, k, math.Sqrt(square))
	}
	nodes, vectors := must.Both(linalg.SymEigen(jacobi, true))
	for k := range n {
		weights = append(weights, vectors.At(0, k)*vectors.At(0, k))
	}
	return nodes, weights
}

// radiusLeft returns √(1 − ‖u‖²).
func radiusLeft(u []float64) float64 { return math.Sqrt(max(0, 1-floats.Dot(u, u))) }

// average computes the means over the sphere of gradients for a target on the first coordinates. Outside the latent
// directions, along which the target is constant, a neuron points in one random direction.
//
// Squares of the gradient are polynomials of degree 2p+2. Nodes and weights err by some 10n roundings of the largest,
// which a polynomial of degree k multiplies by at most k + r.
func (s *sphere) average(r *rand.Rand, f theory.Target, gradient gradientOf) {
	_, latent := s.Degrees.Dims()
	n := f.Degree() + 2 + f.Degree()%2
	p := target.Monomials(f)
	s.Latent, s.Relative = mat.NewDense(latent, latent, nil), float64(10*n*(2*n+latent))*roundoff.Unit
	for _, point := range cubature(s.D, latent, n) {
		w, a := direction(r, point.at, s.D), float64(2*r.IntN(2)-1)
		g := gradient(p, a, w)
		rest := floats.Norm(target.Plus(g, -1, theory.Leading(f, a, w)), 2)
		s.Square += point.weight * rest * rest
		s.Length += point.weight * rest
		inside := mat.NewVecDense(latent, g[:latent])
		var outer mat.Dense
		outer.Outer(point.weight, inside, inside)
		s.Latent.Add(s.Latent, &outer)
		if outside := floats.Norm(g[latent:], 2); s.D > latent {
			s.Other += point.weight * outside * outside / float64(s.D-latent)
		}
		of := theory.Series{Target: f, W: w}
		e := 2 * (target.Rounding(of, p, roundoff.Unit) + of.Rounding(roundoff.Unit))
		s.Error += point.weight * e * e
	}
	s.Error = math.Sqrt(s.Error)
}

// direction completes the latent part of a point of the sphere by a random one.
func direction(r *rand.Rand, latent []float64, d int) []float64 {
	w := make([]float64, d)
	copy(w, latent)
	for i := len(latent); i < d; i++ {
		w[i] = r.NormFloat64()
	}
	if rest := w[len(latent):]; len(rest) > 0 {
		floats.Scale(radiusLeft(latent)/floats.Norm(rest, 2), rest)
	}
	return w
}
