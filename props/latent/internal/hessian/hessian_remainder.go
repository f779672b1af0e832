package hessian

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/props/target"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/gen"
	theory "github.com/thm-suite/thm/theory/latent"
)

// gradient holds the gradient of the population loss for one neuron, integrated by the implementation or a user.
type gradient struct {
	Degrees      *mat.Dense `npy:"alpha"`
	Coefficients []float64  `npy:"h"`
	W            []float64  `npy:"w"`
	A            float64    `npy:"a"`
	Gradient     []float64  `npy:"gradient"`
}

func (g gradient) target() theory.Target { return theory.NewTarget(g.Degrees, g.Coefficients) }

// Valid names the hypothesis that a user's numbers violate.
func (g gradient) Valid() error {
	if err := theory.ValidArrays(g.Degrees, g.Coefficients, target.MaxDegree); err != nil {
		return err
	}
	if f := g.target(); len(f.From(2)) < len(f) {
		return errors.New("latent: the target has a constant or a linear part")
	}
	return target.Usable(g.target(), g.W)
}

// hessians lists the regimes of a target, by the signs and the rank of its mean Hessian.
var hessians = []string{"one sign, rank below d", "one sign, rank d",
	"both signs, rank below d", "both signs, rank d", "H = 0"}

// regime records the regime of the target.
func (g gradient) regime(r *props.Record) {
	d := len(g.W)
	values := eigenvalues(g.target().Hessian(d))
	zero := float64(10*d) * roundoff.Unit * math.Max(-values[0], values[d-1])
	up, down := 0, 0
	for _, x := range values {
		if x > zero {
			up++
		} else if x < -zero {
			down++
		}
	}
	both, full := up > 0 && down > 0, up+down == d
	r.RegimeOf(full, both, both && full, up+down == 0)
}

// drawGradient draws a target of one of these degrees in at most 3 latent directions: in general position in at most 4
// dimensions, or along the first axes in up to 40; and a neuron of any length.
func drawGradient(t *props.T, degrees *rapid.Generator[int], position *rapid.Generator[bool]) gradient {
	degree, general := degrees.Draw(t.T, "p"), position.Draw(t.T, "general position")
	limit := 40
	if general {
		limit = min(4, 8-degree)
	}
	d := gen.Dim(t.T, "d", limit)
	f := drawLatent(t, gen.Dim(t.T, "r", min(3, d)), degree)
	if general {
		f = target.Along(f, drawDirections(t, f.Coordinates(), d))
	}
	direction := target.Weights(t, d)
	w := target.Scaled(direction, gen.LogUniform(t.T, "length", 1e-3, 1e3)/floats.Norm(direction, 2))
	return newGradient(f, w, float64(2*rapid.IntRange(0, 1).Draw(t.T, "sign")-1))
}

func newGradient(f theory.Target, w []float64, a float64) gradient {
	g := gradient{W: w, A: a, Gradient: inPair(target.Monomials(f), a, w)}
	g.Degrees, g.Coefficients = f.Arrays(len(w))
	return g
}

// by replaces the gradient by one of another kind.
func by(wrong gradientOf) func(*gradient) {
	return func(g *gradient) { g.Gradient = wrong(target.Monomials(g.target()), g.A, g.W) }
}

// drawLatent draws a target of r latent coordinates: squares with equal signs, squares with both signs, or no squares;
// and any terms of degree three and more.
func drawLatent(t *props.T, r, degree int) theory.Target {
	kinds := []string{"one sign", "both signs", "none"}
	if degree == 2 {
		kinds = kinds[:2]
	}
	kind := rapid.SampledFrom(kinds).Draw(t.T, "squares")
	first := float64(2*rapid.IntRange(0, 1).Draw(t.T, "sign of H") - 1)
	var f theory.Target
	for i := range r {
		c := first * float64(rapid.IntRange(1, 3).Draw(t.T, fmt.Sprintf("square %d", i+1)))
		if kind == "both signs" && i%2 == 1 {
			c = -c
		}
		degrees := make([]int, r)
		degrees[i] = 2
		if kind != "none" {
			f = append(f, theory.Term{Coefficient: c, Degrees: degrees})
		}
	}
	if degree > 2 {
		f = append(f, target.Draw(t, r, 3, degree)...)
	}
	return f
}

// drawDirections draws linearly independent integer vectors, the rows of an r×d matrix in echelon form.
func drawDirections(t *props.T, r, d int) [][]float64 {
	u := make([][]float64, r)
	for i := range u {
		u[i] = make([]float64, d)
		u[i][i] = 1
		for j := i + 1; j < d; j++ {
			u[i][j] = float64(rapid.IntRange(-2, 2).Draw(t.T, fmt.Sprintf("u%d%d", i+1, j+1)))
		}
	}
	return u
}

// parts holds the two parts whose sum is the gradient, for a neuron with weights of any length.
type parts struct{ leading, remainder part }

type part func(f theory.Target, a float64, w []float64) []float64

// along evaluates a part at the unit vector along the weights.
func along(of part) part {
	return func(f theory.Target, a float64, w []float64) []float64 {
		return of(f, a, target.Scaled(w, 1/floats.Norm(w, 2)))
	}
}

// diagonalLeading returns the leading part for the diagonal of H.
func diagonalLeading(f theory.Target, a float64, w []float64) []float64 {
	h, lead := f.Hessian(len(w)), make([]float64, len(w))
	for i, x := range w {
		lead[i] = -2 * a * h.At(i, i) * x / math.Sqrt(2*math.Pi)
	}
	return lead
}

// judgeGradient compares the gradient less one part with the other part. Both parts err as the series does, and the
// gradient as the integral does, each times |2a|.
func judgeGradient(r *props.Record, g gradient, c parts) {
	f, direction := g.target(), target.Scaled(g.W, 1/floats.Norm(g.W, 2))
	g.regime(r)
	s := theory.Series{Target: f, W: direction}
	tolerance := 2 * math.Abs(g.A) * (target.Rounding(s, target.Monomials(f), r.Unit()) + s.Rounding(r.Unit()))
	lead, rest := c.leading(f, g.A, g.W), c.remainder(f, g.A, g.W)
	r.WithinVector("remainder", target.Plus(g.Gradient, -1, lead), rest, tolerance)
	if floats.Norm(lead, 2) > 0 {
		r.WithinVector("leading part", target.Plus(g.Gradient, -1, rest), lead, tolerance)
	}
}
