package vcl

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"github.com/thm-suite/thm/internal/algebra"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
)

// Heads without a negative eigenvalue refute the count, unless their signals are too weak for it.
func TestHeadsOfWeakSignalsAreDeclined(t *testing.T) {
	for times, want := range map[float64]results.Verdict{100: results.Holds, 2000: results.Refuted} {
		check := oneHead
		check.Controls = nil
		check.Draw = func(t *props.T) headTarget {
			s := drawHeadTarget(t, inKernelToo)
			s.Target, s.stray = algebra.Product(s.W.T(), s.W), 0
			_, d := s.W.Dims()
			s.signal = times * 64 * float64(d) * roundoff.Unit * mat.Norm(s.Target, 2)
			return s
		}
		got := props.JudgeChecks(t.Context(), "weak signals", []props.Check{check}, props.Options{Seed: 1})
		require.Equal(t, want, got[0].Verdict, "%v: %s", times, got[0].Message)
	}
}
