package latent

import (
	"fmt"
	"math"

	"github.com/thm-suite/thm/props"
	statement "github.com/thm-suite/thm/theory"
)

// tryInterpolation interpolates the three functions, with the jump and the kink in the cell in the middle.
func tryInterpolation(_ *props.Trial, v statement.Values) (map[string]float64, error) {
	n, out := v.Int("n"), map[string]float64{}
	if n > 300 {
		return nil, fmt.Errorf("n = %d: a kernel system is solved for n at most 300", n)
	}
	for _, kind := range []string{"step", "kink", "sine"} {
		in := interpolant{Kind: kind, N: n, Theta: v.Float("theta"), Cell: n / 2}
		in.interpolate(math.Min, 0, func() float64 { return 0 })
		out[kind] = math.Sqrt(in.Square)
		if kind == "sine" {
			out["norm"] = in.Norm
		}
	}
	return out, nil
}
