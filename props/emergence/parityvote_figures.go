package emergence

import (
	"math"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/emergence/internal/rational"
	values "github.com/thm-suite/thm/theory"
	theory "github.com/thm-suite/thm/theory/emergence"
)

// drawVotes draws the advantage of the vote over chance against the number of bits, by all inputs and by the closed
// form, beside the two thresholds.
func drawVotes(_ *props.Trial, v values.Values) ([]props.Figure, error) {
	k := v.Int("k")
	counted := props.Curve{Name: "over all inputs", Style: props.Points}
	closed := props.Curve{Name: "E|e_k|/(2C), predicted", Style: props.Dashed}
	repaired := props.Curve{Name: "C^(−1/3)", Style: props.Line}
	printed := props.Curve{Name: "C^(−3)", Style: props.Line}
	for dim := k; dim <= min(max(v.Int("D"), k+1), k+60); dim++ {
		x, sets := float64(dim), theory.Binomial(dim, k)
		closed.X = append(closed.X, x)
		closed.Y = append(closed.Y, rational.Float(theory.VoteCorrelation(dim, k))/2)
		repaired.X, repaired.Y = append(repaired.X, x), append(repaired.Y, 1/math.Cbrt(sets))
		printed.X, printed.Y = append(printed.X, x), append(printed.Y, math.Pow(sets, -3))
		if dim <= 10 {
			all := masks(dim, k)
			counted.X = append(counted.X, x)
			counted.Y = append(counted.Y, correlation(voteOf(dim, all), all[0])/2)
		}
	}
	curves := []props.Curve{closed, repaired, printed}
	if len(counted.X) > 0 {
		curves = append(curves, counted)
	}
	return []props.Figure{{ID: "advantage", Title: "Advantage over chance of the vote of all parities",
		Caption: "1/2 minus the error of the vote on every parity, against the advantages from which on the source and " +
			"emergence/queries ask for many queries. The vote takes none.",
		X: props.Axis{Label: "D"}, Y: props.Axis{Label: "1/2 − error", Log: true}, Curves: curves}}, nil
}
