package spike

import (
	"math"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/onestep/network"
	theory "github.com/thm-suite/thm/theory/onestep"
)

// The criteria of the sweep over sizes.
const (
	exponent = "exponent of n in ‖R‖_op, logarithms divided out"
	energy   = "‖R‖_F² over its limit"
	outlier  = "largest singular value of W₁ over its place"
	below    = "largest singular value of W₁ below the threshold, over the edge"
	overlap  = "squared overlap of its right vector with β, minus prediction"
)

// concludeSizes holds the exponent of all setups together, since the norm of one remainder scatters by 5 %, and limits at
// the largest size for each kind of teacher.
func concludeSizes(r *props.Record, cells []network.Cell, all [][]first, claimed string) {
	var slopes []float64
	what := claimed
	if _, known := all[0][0].Norms[what]; !known {
		what = ""
	}
	for _, sizes := range all {
		if _, seen := sizes[0].Norms[what]; seen {
			n := network.Map(sizes, func(f first) float64 { return float64(f.N) })
			norms := network.Map(sizes, func(f first) float64 { return f.Norms[what] })
			slopes = append(slopes, theory.RemainderExponent+network.Slope(n, norms))
		}
	}
	// Over the sizes of standard effort the quotient with Chevet's bound drifts by n^0.01 in either direction.
	network.Limit{Name: exponent, SD: 0.038, Bias: 0.013}.Exponent(r, slopes, theory.RemainderExponent)
	for _, regime := range network.Teachers {
		r.Regime(regime)
		concludeLargest(r, regime, cells, all, claimed)
	}
	r.Figure(remainderFigure(cells, all))
	r.Figure(weightsFigure(cells, all))
}

func concludeLargest(r *props.Record, regime string, cells []network.Cell, all [][]first, claimed string) {
	var energies, places, edges, overlaps []float64
	size := 0.0
	for i, c := range cells {
		s, f := network.By(setups, c.Setup), all[i][len(all[i])-1]
		if s.Regime != regime {
			continue
		}
		expected, known := f.Expected[claimed]
		if !known {
			expected = f.Expected[""]
		}
		size = float64(f.N) * math.Sqrt(s.Phi)
		location, under, cosine := f.Scale*outlierFormula(f.Spike), 1.0, f.Spike.Right()
		switch claimed {
		case "rank one":
			f.Frobenius = 0
		case "1/ψ":
			location = f.Scale * outlierFormula(theory.WeightSpike{Strength: f.Spike.Strength, Psi: 1 / s.Psi})
		case "always":
			w := theory.WeightSpike{Strength: weak * math.Pow(s.Psi, -0.25), Psi: s.Psi}
			under = outlierFormula(w) / w.Edge()
		case "left":
			cosine = f.Spike.Left()
		}
		energies = append(energies, f.Frobenius/expected)
		places = append(places, f.Largest/location)
		edges = append(edges, f.Below/under)
		overlaps = append(overlaps, f.Overlap-cosine)
	}
	network.Limit{Name: energy, SD: 6 / size, Bias: 1 / size}.Judge(r, energies, 1)
	network.Limit{Name: outlier, SD: 5 / size, Bias: 1.5 / size}.Judge(r, places, 1)
	network.Limit{Name: below, SD: 3 / size, Bias: 1 / size}.Judge(r, edges, 1)
	network.Limit{Name: overlap, SD: 3.5 / size, Bias: 2 / size}.Absolute(r, overlaps, 0)
}

// outlierFormula is the place of an outlier, without the condition that there is one.
func outlierFormula(w theory.WeightSpike) float64 {
	t := w.Strength * w.Strength
	return math.Sqrt((1 + t) * (1/w.Psi + t) / t)
}
