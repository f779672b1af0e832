package blaskit

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/internal/impl/builtin"
	"github.com/thm-suite/thm/internal/roundoff"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/kernelkit/internal/kit"
	"github.com/thm-suite/thm/props/results"
)

// TestSurroundingsSeeEverything changes one bit at a drawn place that is no result, of each routine, after a sound
// call.
func TestSurroundingsSeeEverything(t *testing.T) {
	tampered := surroundings
	tampered.judge = once(func(r *run, t *props.T) props.Ratio {
		type place struct {
			memory memory[float64]
			at     int
		}
		var places []place
		for _, o := range r.operands {
			own, memory := o.entries(), r.backing[o.index].(memory[float64])
			for i := range memory {
				if !o.written || !own[i] {
					places = append(places, place{memory, i})
				}
			}
		}
		x := places[rapid.IntRange(0, len(places)-1).Draw(t.T, "place")]
		x.memory[x.at] = math.Float64frombits(math.Float64bits(x.memory[x.at]) ^ 1)
		return props.Condition(r.surroundings(t).Verdict() == results.Refuted)
	})
	var checks []props.Check
	for _, r := range routines {
		checks = append(checks, tampered.check(r).Make(builtin.Thm()))
	}
	for _, out := range props.JudgeChecks(t.Context(), kit.Suite, checks, props.Options{Effort: props.Quick}) {
		require.Equal(t, results.Holds, out.Verdict, out.Check)
	}
}

// TestSignatures checks that each routine describes itself by arguments that exist, and that its result is one of them.
func TestSignatures(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range routines {
		require.False(t, seen[r.Name], r.Name)
		seen[r.Name] = true
		require.True(t, r.Out == 0 || r.Takes(string(r.Out)), r.Name)
		none := newCells(roundoff.Double, 0)
		a := Args{A: none, B: none, C: none, X: none, Y: none}
		for _, name := range strings.Fields(r.Signature) {
			require.NotEmpty(t, a.text(name), "%s: %s", r.Name, name)
		}
	}
}
