package props

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cputime"
)

// A rate belongs to a case of the mean cost, whatever the costs of the cells, and what a check panics with is an error
// next to the rates of the others and takes no part in them.
func TestSampleRates(t *testing.T) {
	const mean = 0.0025
	toil := Grid[int, float64, struct{}]{
		Name: "toil", Cells: func(Effort) []int { return []int{1, 2, 3, 4} },
		Measure: func(_ *Trial, cell int) float64 {
			end := cputime.Process() + mean*float64(cell)/2.5
			for cputime.Process() < end {
			}
			return 0
		},
		Judge: func(r *Record, _ int, x float64, _ struct{}) { r.Exactly("x", x, 0) },
		Cost:  func(cell int) float64 { return float64(cell) },
	}
	broken := toil
	broken.Name, broken.Measure = "broken", func(*Trial, int) float64 { panic("cannot measure") }
	c := claim("sampled", broken, toil)
	rates, err := c.SampleRates(t.Context(), Options{Effort: Quick, Seed: 1}, 0)
	require.ErrorContains(t, err, CostKey(c.Statement.Slug, "broken")+" at quick effort: cannot measure")
	require.Len(t, rates, 1)
	require.GreaterOrEqual(t, rates[CostKey(c.Statement.Slug, "toil")], mean*(1-1e-9))
}
