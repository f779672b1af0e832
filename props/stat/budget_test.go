package stat

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

func TestBudget(t *testing.T) {
	var b Budget
	require.Empty(t, b.Overspent())
	for range Criteria {
		b.Charge("criterion", Criterion)
	}
	b.Charge("event", Event(EventAlpha))
	b.Charge("identity", Risk{})
	require.Empty(t, b.Overspent(), "what is planned fits")
	near(t, b.Total().Refuted+b.Total().Undecided, SuiteAlpha, 1e-12, "sum")
	b.Charge("one more", Criterion)
	require.Len(t, b.Overspent(), 1)

	var old Budget // 50 criteria as they were: 1e-8 for a refutation and 1e-4 or 1e-6 for no decision
	for range 50 {
		old.Charge("criterion", Risk{PartAlpha, 1e-6})
	}
	require.Len(t, old.Overspent(), 1)
}

func TestBudgetOfImpossibleRisks(t *testing.T) {
	for _, p := range append(poisons, -1e-12, 1.5) {
		var refuted, undecided Budget
		refuted.Charge("c", Risk{p, 0})
		undecided.Charge("c", Risk{0, p})
		require.NotEmpty(t, refuted.Overspent(), "%v", p)
		require.NotEmpty(t, undecided.Overspent(), "%v", p)
	}
	var unstated Budget
	unstated.Charge("c", Risk{CriterionAlpha, 1})
	require.Len(t, unstated.Overspent(), 2)
}

// The bound against drawn matrices: it is a probability that the drawn rate does not contradict, and within the
// factor that a union over columns costs.
func TestNearlySingular(t *testing.T) {
	near(t, NearlySingular(1, 1, 0.5), math.Erf(0.5/math.Sqrt2), 1e-12, "one entry")
	near(t, NearlySingular(2, 1, 1), 1-math.Exp(-0.5), 1e-12, "two entries")
	require.Equal(t, NearlySingular(7, 3, 0.1), NearlySingular(3, 7, 0.1))
	require.Equal(t, 1.0, NearlySingular(3, 3, math.Inf(1)))
	for _, bad := range []float64{math.NaN(), -1, math.Inf(-1)} {
		require.True(t, math.IsNaN(NearlySingular(3, 3, bad)))
	}
	require.True(t, math.IsNaN(NearlySingular(0, 3, 1)))
	r := stream("singular")
	for _, c := range []struct {
		rows, cols int
		t          float64
	}{{3, 3, 0.02}, {5, 4, 0.2}, {8, 3, 1}} {
		const runs = 3000
		hits := 0
		for range runs {
			m := mat.NewDense(c.rows, c.cols, nil)
			m.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, m)
			var svd mat.SVD
			require.True(t, svd.Factorize(m, mat.SVDNone))
			if values := svd.Values(nil); values[len(values)-1] <= c.t {
				hits++
			}
		}
		bound := NearlySingular(c.rows, c.cols, c.t)
		require.Greater(t, binomialAtLeast(hits, runs, bound), tooRare, "%+v: %d hits, bound %v", c, hits, bound)
		require.Less(t, bound, 1.0)
	}
}
