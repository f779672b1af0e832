package props

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/props/evidence"
	"github.com/thm-suite/thm/props/results"
)

// The worst ratio is pinned for an equation in a regime with enough cases to meet some rounding.
func TestWhichWorstRatiosArePinned(t *testing.T) {
	pinned := func(form results.Form, cases int) results.Number {
		row := results.Claim{Criteria: []results.Criterion{{Form: form, Regimes: []results.Regime{{Cases: cases,
			Ratio: 0.5}}}}}
		return evidenceOf(&row, Claim{}).Criteria[0].Regimes[0].Ratio
	}
	require.Equal(t, results.Number(0.5), pinned(results.Equation, manyCases))
	require.Zero(t, pinned(results.Equation, manyCases-1))
	require.Zero(t, pinned(results.Bound, manyCases))
}

// The evidence of a control names the criteria that reject it on every replicate after the first.
func TestEvidenceOfAControlWithTwoCriteria(t *testing.T) {
	s := Spec{Statement: statement("twice"), Checks: []Check{typedInstances[float64]{
		Name: "c", Cases: Times(3), Draw: always(1.0),
		Judge: func(r *Record, in float64, claimed string) {
			if claimed == "wrong" {
				in = 5
			}
			r.Within("near", in, 1, 0.5)
			r.Within("nearer", in, 1, 0.1)
			r.Within("anything", in, 1, 100)
		},
		Controls: []Control{{Name: "wrong", claimed: "wrong"}},
	}}}
	c := s.Claim()
	row, _ := verify(t, c)
	require.Equal(t, []evidence.Control{{Check: "c", Name: "wrong", Criterion: "nearer", Ratio: 40, Cases: 6,
		Also: map[string]results.Number{"near": 8}}}, evidenceOf(&row, c).Controls)
}
