package hinge_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/impl/hinge"
)

func close(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %.12g, want %.12g within %.2g", what, got, want, tolerance)
	}
}

// mixture is the parity of the bits 0, 3, 6 of ten under the law that mixes uniform bits with equal bits on these, with
// the share λ of the first. Fair bits elsewhere.
func mixture(lambda float64, features func(state int) []float64) hinge.Problem {
	var p hinge.Problem
	var rows [][]float64
	for s := range 1 << 10 {
		a := s&1 + s>>3&1 + s>>6&1
		probability := lambda / 1024
		if a == 0 || a == 3 {
			probability += (1 - lambda) / 256
		}
		p.Y, p.P = append(p.Y, float64(2*(a%2)-1)), append(p.P, probability)
		rows = append(rows, features(s))
	}
	p.Features = mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		p.Features.SetRow(i, row)
	}
	return p
}

func signs(state int) []float64 {
	z := make([]float64, 10)
	for j := range z {
		z[j] = float64(2*(state>>j&1) - 1)
	}
	return z
}

func clipped(state int) []float64 {
	z, out := signs(state), make([]float64, 40)
	for i := range out {
		sum := math.Sin(1.7*float64(i)) / 9
		for j := range z {
			sum += math.Cos(1+float64(j)+2.3*float64(i)) / 3 * z[j] / (2 * math.Sqrt(2.5))
		}
		out[i] = min(1, max(0, sum))
	}
	return out
}

// cubic are all monomials of degree at most three.
func cubic(state int) []float64 {
	z, out := signs(state), []float64{1}
	for i := range z {
		out = append(out, z[i])
		for j := range i {
			out = append(out, z[i]*z[j])
			for k := range j {
				out = append(out, z[i]*z[j]*z[k])
			}
		}
	}
	return out
}

// Optima that were computed apart, with a gap of 10⁻³ allowed here.
func TestInBall(t *testing.T) {
	for _, c := range []struct {
		name     string
		features func(int) []float64
		lambda   float64
		radius   float64
		want     float64
	}{
		{"signs", signs, 0.5, 0.25, 0.783494}, {"signs", signs, 0.5, 1, 0.5}, {"signs", signs, 0.3, 0.25, 0.696891},
		{"signs", signs, 0.3, 1, 0.3},
		{"clipped", clipped, 0.5, 0.25, 0.962688}, {"clipped", clipped, 0.5, 1, 0.854573}, {"clipped", clipped, 0.5, 4,
			0.79951},
		{"cubic", cubic, 0.5, 0.25, 0.669281}, {"cubic", cubic, 0.5, 1, 0},
	} {
		p := mixture(c.lambda, c.features)
		s, err := p.InBall(c.radius, 1e-3, 4000)
		require.NoError(t, err, "%s at radius %v: %v above %v", c.name, c.radius, s.Loss, s.Lower)
		close(t, c.name, s.Loss, c.want, 1.1e-3)
		close(t, c.name+", loss", p.Loss(s.W), s.Loss, 0)
		require.LessOrEqual(t, mat.Norm(mat.NewVecDense(len(s.W), s.W), 2), c.radius*(1+1e-12))
	}
	_, err := mixture(0.5, clipped).InBall(4, 1e-9, 10)
	require.ErrorContains(t, err, "gap")
}

// The exclusive or of two signs: no linear predictor does better than 0; with their product as a feature nothing is
// lost.
func TestUnbounded(t *testing.T) {
	p := hinge.Problem{Features: mat.NewDense(4, 3, []float64{1, 1, 1, 1, 1, -1, 1, -1, 1, 1, -1, -1}), Y: []float64{1,
		-1, -1, 1},
		P: []float64{0.25, 0.25, 0.25, 0.25}}
	loss, err := p.Unbounded()
	require.NoError(t, err)
	close(t, "without the product", loss, 1, 1e-12)
	p.Features = mat.NewDense(4, 1, []float64{1, -1, -1, 1})
	loss, err = p.Unbounded()
	require.NoError(t, err)
	close(t, "with the product", loss, 0, 1e-12)
}
