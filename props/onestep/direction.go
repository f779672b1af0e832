package onestep

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/impl/features"
	"github.com/thm-suite/thm/props"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// direction is what the learned direction of one sample looks like.
type direction struct {
	n              int
	square, cosine float64 // ‖β‖², cos(β, β⋆)
}

// batch is the number of samples of a cell.
const batch = 20

// directions measures the length of β and its angle with the teacher at one size.
func directions(v spikeTrial) props.LegacyCheck {
	share, count := "direction", props.Scale{Quick: 30, Standard: 30, Deep: 100}
	if v.data != isotropic { // these are far off: a few samples show it
		share, count = "", props.Scale{Quick: 2, Standard: 2, Deep: 10}
	}
	return props.LegacySweep[cell, []direction]{
		Name:  "length and angle of β",
		Cells: func(e props.Effort) []cell { return replicated(count.At(e), spikeNames...) },
		Measure: func(t *props.Trial, c cell) []direction {
			n := props.Scale{Quick: 200, Standard: 400, Deep: 1600}.At(t.Effort)
			var found []direction
			for range batch {
				found = append(found, learn(t.Rand, spikeBy[c.Setup], v.data, n))
			}
			return found
		},
		Judge:      func(cells []cell, found [][]direction) props.Judgement { return judgeDirections(v, cells, found) },
		Share:      share,
		Replicates: 3,
	}.Check()
}

// learn draws a sample and returns what it says about β.
func learn(r *rand.Rand, s setup, how data, n int) direction {
	d, _ := s.shape(n)
	x, truth := features.Gaussian(r, n, d), features.UnitVector(r, d)
	teacher := s.teacher(truth)
	switch how {
	case anisotropic:
		x.Apply(func(_, k int, z float64) float64 { return z * math.Sqrt(1.9-1.8*float64(k%2)) }, x)
	case quadratic:
		teacher.Link = func(z float64) float64 { return (z*z - 1) / math.Sqrt2 }
	}
	y := teacher.Labels(r, x)
	if how == cauchy {
		for i := range y {
			y[i] = floats.Dot(truth, x.RawRowView(i)) + s.noise*r.NormFloat64()/r.NormFloat64()
		}
	}
	beta := correlate(x, y)
	return direction{n, floats.Dot(beta, beta), floats.Dot(beta, truth) / floats.Norm(beta, 2)}
}

func judgeDirections(v spikeTrial, cells []cell, found [][]direction) props.Judgement {
	var squares, cosines []float64
	var ofLength, ofAngle tolerance
	for i, c := range cells {
		s := spikeBy[c.Setup].step()
		b, rho := s.Length(), s.Alignment()
		if v.noPhi {
			b, rho = s.Linear, 1
		}
		for _, f := range found[i] {
			squares = append(squares, f.square/(b*b))
			cosines = append(cosines, f.cosine/rho)
			// E ‖β‖² = b² + c⋆₁²/n exactly, and the mean of the cosine is off by terms of the order of its variance.
			ofLength.add(lengthSpread(s, f.n), 1/float64(f.n))
			ofAngle.add(angleSpread(s, f.n), math.Pow(angleSpread(s, f.n), 2))
		}
	}
	p, f := part("‖β‖² over b²", squares, 1+v.dose, ofLength.zone())
	q, g := part("cos(β, β⋆) over ρ", cosines, 1+v.cosineDose, ofAngle.zone())
	return props.Judgement{Parts: []props.Part{p, q}, Facts: []props.Fact{f, g}}
}

// lengthSpread is the standard deviation of ‖β‖² over b² for y = c⋆₁z + noise. With p = mean yz and the rest of β
// independent of it given y, ‖β‖² = p² + mean(y²)·χ²_{d−1}/n, whose variance to first order in 1/n is
// (4c²(2c²+σ²) + 8c²φτ + 2φ²τ² + 2φτ²)/n, c = c⋆₁, τ = E y², σ² = τ − c².
func lengthSpread(s theory.Step, n int) float64 {
	c, tau, phi := s.Linear*s.Linear, s.Energy, s.Phi
	variance := 4*c*(c+tau) + 8*c*phi*tau + 2*phi*tau*tau*(phi+1)
	return math.Sqrt(variance/float64(n)) / math.Pow(s.Length(), 2)
}

// angleSpread is that of cos(β, β⋆) over ρ: (1−ρ²)√((σ²/c⋆₁² + (1 + 1/φ)/2)/n), by the same decomposition.
func angleSpread(s theory.Step, n int) float64 {
	rho, c := s.Alignment(), s.Linear*s.Linear
	return (1 - rho*rho) * math.Sqrt(((s.Energy-c)/c+(1+1/s.Phi)/2)/float64(n))
}
