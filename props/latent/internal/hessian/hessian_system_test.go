//go:build system

package hessian

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/impl/linalg"
	theory "github.com/thm-suite/thm/theory/latent"
)

// Spans of population gradients in more dimensions than TestSpansOfTheNotes has: 4d neurons, by the leading singular
// triplets alone. Our notes have one draw for each d, and so have we. The singular value after those of H is about the
// length of the longest row, whose size wᵀHw is exponential: the largest of m has the relative standard deviation
// (π/√6)/ln m, and the difference of two draws √2 times that; three of these are allowed.
func TestLargeSpansOfTheNotes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 12))
	for i, d := range []int{512, 2048} {
		allowed := 3 * math.Sqrt2 * math.Pi / math.Sqrt(6) / math.Log(4*float64(d))
		g, _ := gradients(r, theory.Isotropic{D: d, R: 2}.Target(), d, 4*d)
		full, err := linalg.Leading(linalg.Matrix(g), 3, 1e-3, r)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range full.Right[:2] { // the plane of the latent directions
			notes(t, "length within the plane", floats.Norm(v[:2], 2), 1, 5e-5)
		}
		gap := []float64{138, 376}[i]
		notes(t, "s₂/s₃, full rank", full.Values[1]/full.Values[2], gap, allowed*gap)
		g, _ = gradients(r, comparison("H of rank 1, weaker direction", 2), d, 4*d)
		one, err := linalg.Leading(linalg.Matrix(g), 2, 1e-3, r)
		if err != nil {
			t.Fatal(err)
		}
		gap = []float64{.0065, .0019}[i]
		notes(t, "s₂/s₁, rank 1", one.Values[1]/one.Values[0], gap, allowed*gap+5e-5)
	}
}
