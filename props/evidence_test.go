package props

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/props/evidence"
)

// What is pinned of the worst ratio is that of an equation in a regime with enough cases to meet some rounding.
func TestWhichWorstRatiosArePinned(t *testing.T) {
	pinned := func(form Form, cases int) Number {
		row := ClaimResult{Criteria: []CriterionResult{{Form: form, Regimes: []RegimeResult{{Cases: cases, Ratio: 0.5}}}}}
		return row.evidence(Claim{}).Criteria[0].Regimes[0].Ratio
	}
	require.Equal(t, Number(0.5), pinned(Equation, manyCases))
	require.Zero(t, pinned(Equation, manyCases-1))
	require.Zero(t, pinned(Bound, manyCases))
}

// The evidence of a control names the criteria that reject it on every replicate beside the first.
func TestEvidenceOfAControlWithTwoCriteria(t *testing.T) {
	s := Spec{Statement: statement("twice"), Checks: []Check{instances[float64]{
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
		Also: map[string]Number{"near": 8}}}, row.evidence(c).Controls)
}
