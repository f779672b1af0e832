package emergence_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/theory"
	"github.com/thm-suite/thm/theory/emergence"
)

// At the ends of the domains of its parameters a prediction is a number, found within seconds, or names the hypothesis
// that is violated.
func TestPredictionsAtTheEndsOfTheirDomains(t *testing.T) {
	ends := map[string][]string{"D": {"1", "300", "1000"}, "k": {"1", "2", "9", "61", "499"},
		"background": {"1e-300", "0.5"}, "uniform": {"0", "1"}, "label": {"majority", "parity"}, "N": {"1", "1e9"},
		"B": {"0", "1e300"}, "degree": {"0", "99"}, "changes": {"0", "61"}, "tolerance": {"1e-300", "1"},
		"advantage": {"1e-300", "0.4999999999999999"}, "spread": {"1e-300", "1e300"},
		"bias": {"0", "1", "1e300", "-1e300"}, "noise": {"0", "1e-300", "1e-170", "1e300"}}
	for _, s := range []theory.Statement{emergence.Inputs, emergence.SecondStep, emergence.FixedFeatures,
		emergence.Polynomials, emergence.Thresholds, emergence.Queries, emergence.ParityVote} {
		var each func(args map[string]string, rest []theory.Param)
		each = func(args map[string]string, rest []theory.Param) {
			if len(rest) > 0 {
				for _, x := range ends[rest[0].Name] {
					args[rest[0].Name] = x
					each(args, rest[1:])
				}
				return
			}
			start := time.Now()
			quantities, err := s.Evaluate(args)
			require.Less(t, time.Since(start), 5*time.Second, "%s at %v", s.Slug, args)
			if err != nil {
				return
			}
			for _, q := range quantities {
				require.False(t, math.IsNaN(q.Value), "%s: %s at %v", s.Slug, q.Name, args)
			}
		}
		each(map[string]string{}, s.Params)
	}
}

// With the gate closed the first gradient is zero, and so is its cosine.
func TestFirstStepAtTheEndsOfItsDomain(t *testing.T) {
	for _, args := range []map[string]string{{"bias": "1", "spread": "1e-300"}, {"bias": "-1e300", "noise": "1e-300"},
		{"bias": "0", "spread": "1e300"}, {"D": "5", "k": "5", "uniform": "1"}, {"background": "1e-300", "noise": "1e300"}} {
		quantities, err := emergence.FirstStep.Evaluate(args)
		require.NoError(t, err)
		for _, q := range quantities {
			require.False(t, math.IsNaN(q.Value), "%s at %v", q.Name, args)
		}
	}
}

// e_k by its definition: Σᵢ(−1)ⁱ binom(t, i) binom(d−t, k−i) for t signs −1.
func TestSymmetricSums(t *testing.T) {
	for d := 1; d <= 12; d++ {
		for k := 1; k <= d; k++ {
			for minus, e := range emergence.SymmetricSums(d, k) {
				want := 0.0
				for i := 0; i <= min(k, minus); i++ {
					want += math.Pow(-1, float64(i)) * emergence.Binomial(minus, i) * emergence.Binomial(d-minus, k-i)
				}
				got, _ := e.Float64()
				require.Equal(t, want, got, "e_%d of %d signs, %d of them −1", k, d, minus)
			}
		}
	}
}
