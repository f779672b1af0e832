package props

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props/results"
)

// TestChecksWithoutAClaim runs a suite with a check that holds, one that fails, and one that breaks.
func TestChecksWithoutAClaim(t *testing.T) {
	below := func(name string, limit int) Check {
		return Property{Name: name, Cases: Scale{Quick: 50}, Prop: func(t *T) Ratio {
			n := rapid.IntRange(0, 1000).Draw(t.T, "n")
			t.Show("n", n)
			return Condition(n < limit)
		}}
	}
	broken := Property{Name: "broken", Cases: Scale{Quick: 1}, Prop: func(*T) Ratio { panic("no") }}
	checks := []Check{below("holds", 1001), below("fails", 10), broken}

	shrunk := RunChecks(t.Context(), "suite", checks, Options{Effort: Quick})
	judged := JudgeChecks(t.Context(), "suite", checks, Options{Effort: Quick})
	for i, want := range []results.Verdict{results.Holds, results.Refuted, results.Error} {
		require.Equal(t, want, shrunk[i].Verdict)
		require.Equal(t, want, judged[i].Verdict)
		require.Equal(t, shrunk[i].Cases, judged[i].Cases)
	}
	require.Equal(t, "n = 10\n", shrunk[1].Counterexample)
	require.NotEqual(t, "n = 10\n", judged[1].Counterexample)
	require.Contains(t, judged[1].Counterexample, "n = ")
	require.Contains(t, judged[2].Message, "no")
}
