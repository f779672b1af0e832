package evidence

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/number"
)

// sample returns the evidence of a claim with two criteria and a control.
func sample() Evidence {
	regimes := func() []Regime {
		return []Regime{{Name: "small", Cases: 100, Ratio: 0.3, Same: 2, Run: 1e-9, Median: 1e-6, Decile: 1e-3, Allowed: 1e-8,
			Comparisons: 200, MayDecline: 10},
			{Name: "large", Cases: 100, Run: number.Number(math.Inf(1)), Median: number.Number(math.NaN()), Decile: 1}}
	}
	return Evidence{Claim: "a/b", Planned: []Plan{{"check", 100, 1000, 20000, 5, Ranges{"d": {8, 64}},
		Ranges{"n": {1, 8}, "x": {-3, 3}}}},
		Criteria: []Criterion{{Check: "check", Name: "first", Form: "equation", Margin: 0.1, Alpha: 1e-9, Regimes: regimes()},
			{Check: "check", Name: "second", Form: "bound", Chosen: "sizes", Regimes: regimes()},
			{Check: "check", Name: "sign", Form: unresolved}},
		Controls: []Control{{"check", "wrong", "first", 50, 20, map[string]number.Number{"second": 3}}}}
}

// TestEveryDepartureIsSeen changes one thing at a time, and in each direction where there are two.
func TestEveryDepartureIsSeen(t *testing.T) {
	require.Empty(t, Files.Departures(sample(), sample()))
	criterion := func(change func(*Criterion)) func(*Evidence) {
		return func(e *Evidence) { change(&e.Criteria[0]) }
	}
	regime := func(change func(*Regime)) func(*Evidence) {
		return criterion(func(c *Criterion) { change(&c.Regimes[0]) })
	}
	drawn := func(name string, from, to float64) func(*Evidence) {
		return func(e *Evidence) { e.Planned[0].Drawn[name] = Range{from, to} }
	}
	for _, c := range []struct {
		name   string
		change func(*Evidence)
		says   string // empty where a run may be that far from what is pinned
		weaker bool
	}{
		{"median × 1.2", regime(func(r *Regime) { r.Median *= 1.2 }), "", false},
		{"median × 1.3", regime(func(r *Regime) { r.Median *= 1.3 }), "median case 1.3e-06, pinned 1e-06", true},
		{"median / 1.2", regime(func(r *Regime) { r.Median /= 1.2 }), "", false},
		{"median / 1.3", regime(func(r *Regime) { r.Median /= 1.3 }), "median case", false},
		{"run × 1.9", regime(func(r *Regime) { r.Run *= 1.9 }), "", false},
		{"run × 2.1", regime(func(r *Regime) { r.Run *= 2.1 }), "check / first: small, resolution of the run", true},
		{"run / 2.1", regime(func(r *Regime) { r.Run /= 2.1 }), "resolution of the run", false},
		{"decile × 1.9", regime(func(r *Regime) { r.Decile *= 1.9 }), "", false},
		{"decile × 2.1", regime(func(r *Regime) { r.Decile *= 2.1 }), "nine cases of ten", true},
		{"decile / 2.1", regime(func(r *Regime) { r.Decile /= 2.1 }), "nine cases of ten", false},
		{"median NaN", regime(func(r *Regime) { r.Median = number.Number(math.NaN()) }), "median case NaN", true},
		{"run infinite", regime(func(r *Regime) { r.Run = number.Number(math.Inf(1)) }), "resolution of the run", true},
		{"ratio / 99", regime(func(r *Regime) { r.Ratio /= 99 }), "", false},
		{"ratio / 101", regime(func(r *Regime) { r.Ratio /= 101 }), "worst ratio", true},
		{"ratio 0", regime(func(r *Regime) { r.Ratio = 0 }), "the worst ratio is 0, pinned 0.3", true},
		{"27 the same", regime(func(r *Regime) { r.Same = 27 }), "", false},
		{"28 the same", regime(func(r *Regime) { r.Same = 28 }), "the same in 28 cases, pinned 2", true},
		{"91 cases", regime(func(r *Regime) { r.Cases = 91 }), "", false},
		{"89 cases", regime(func(r *Regime) { r.Cases = 89 }), "89 cases, pinned 100", true},
		{"199 comparisons", regime(func(r *Regime) { r.Comparisons-- }), "199 comparisons, pinned 200", true},
		{"one comparison a case", regime(func(r *Regime) { r.Comparisons = 0 }), "100 comparisons, pinned 200", true},
		{"allows × 1.2", regime(func(r *Regime) { r.Allowed *= 1.2 }), "", false},
		{"allows × 1.3", regime(func(r *Regime) { r.Allowed *= 1.3 }), "small, allows 1.3e-08, pinned 1e-08", true},
		{"allows something", func(e *Evidence) { e.Criteria[0].Regimes[1].Allowed = 1 }, "what it allows, 1, is not", false},
		{"allows / 1.3", regime(func(r *Regime) { r.Allowed /= 1.3 }), "allows", false},
		{"12 may decline", regime(func(r *Regime) { r.MayDecline = 12 }), "", false},
		{"13 may decline", regime(func(r *Regime) { r.MayDecline = 13 }), "13 cases may be declined", true},
		{"no regime", criterion(func(c *Criterion) { c.Regimes = c.Regimes[1:] }), "check / first: small is gone", true},
		{"margin × 1.3", criterion(func(c *Criterion) { c.Margin *= 1.3 }), "equivalence margin", true},
		{"margin / 1.3", criterion(func(c *Criterion) { c.Margin /= 1.3 }), "equivalence margin", false},
		{"alpha", criterion(func(c *Criterion) { c.Alpha = 1e-8 }), "false-alarm rate", true},
		{"form", criterion(func(c *Criterion) { c.Form = "truth" }), `of the form "truth"`, true},
		{"resolved", func(e *Evidence) { e.Criteria[2].Form = "bound" }, `of the form "bound"`, false},
		{"proven", criterion(func(c *Criterion) { c.Proven = "it is" }), "called proven", true},
		{"coarse", criterion(func(c *Criterion) { c.Coarse = "it is" }), "called coarse", true},
		{"chosen", criterion(func(c *Criterion) { c.Chosen = "bound" }), "at the data: its bound", false},
		{"not chosen", func(e *Evidence) { e.Criteria[1].Chosen = "" }, "check / second: no longer says", true},
		{"no criterion", func(e *Evidence) { e.Criteria = e.Criteria[1:] }, "check / first is gone", true},
		{"no control", func(e *Evidence) { e.Controls = nil }, `check / control "wrong" is gone`, true},
		{"control grosser", func(e *Evidence) { e.Controls[0].Ratio *= 1.3 }, "at a ratio of 65, pinned 50", true},
		{"control nearer", func(e *Evidence) { e.Controls[0].Ratio /= 1.3 }, "at a ratio of", false},
		{"control on 18 cases", func(e *Evidence) { e.Controls[0].Cases = 18 }, "", false},
		{"control on 17 cases", func(e *Evidence) { e.Controls[0].Cases = 17 }, "is tried on 17 cases, pinned 20", true},
		{"control elsewhere", func(e *Evidence) { e.Controls[0].Criterion = "second" }, `no longer by "first"`, true},
		{"control seen by one less", func(e *Evidence) { e.Controls[0].Also = nil },
			`no longer rejected by criterion "second"`, true},
		{"regime not drawn", func(e *Evidence) { e.NotDrawn = []string{"medium"} }, "medium is not drawn any more", true},
		{"new criterion", func(e *Evidence) {
			e.Criteria = append(e.Criteria, Criterion{Check: "check", Name: "third"})
		}, "check / third is not pinned", false},
		{"new regime", criterion(func(c *Criterion) { c.Regimes = append(c.Regimes, Regime{}) }),
			"check / first is not pinned", false},
		{"new control", func(e *Evidence) { e.Controls = append(e.Controls, Control{Check: "check", Name: "new"}) },
			`control "new" is not pinned`, false},
		{"no check", func(e *Evidence) { e.Planned = nil }, `check "check" is gone`, true},
		{"quick", func(e *Evidence) { e.Planned[0].Quick-- }, "plans 99 cases at quick effort, pinned 100", true},
		{"standard", func(e *Evidence) { e.Planned[0].Standard = 20 }, "plans 20 cases at standard effort", true},
		{"deep", func(e *Evidence) { e.Planned[0].Deep = 20 }, "plans 20 cases at deep effort", true},
		{"n from 4", drawn("n", 4, 8), "", false},
		{"n from 5", drawn("n", 5, 8), `check "check": n is drawn from 5 to 8, pinned 1 to 8`, true},
		{"n to 2", drawn("n", 1, 2), "n is drawn from 1 to 2, pinned", true},
		{"n to 33", drawn("n", 1, 33), "n is drawn from 1 to 33", false},
		{"x from −13", drawn("x", -13, 3), "x is drawn from -13 to 3", false},
		{"x from 0", drawn("x", 1e-9, 3), "x is drawn from 0 to 3", true},
		{"no n", func(e *Evidence) { delete(e.Planned[0].Drawn, "n") }, "n is not drawn any more", true},
		{"new y", drawn("y", 1, 1), "what is drawn of y is not pinned", false},
		{"d to 63", func(e *Evidence) { e.Planned[0].Cells["d"] = Range{8, 63} },
			"d is drawn from 8 to 63, pinned 8 to 64", true},
		{"replicates", func(e *Evidence) { e.Planned[0].Replicates-- }, "4 times at standard effort, pinned 5", true},
		{"more", func(e *Evidence) { e.Planned[0].Deep++ }, "plans 20001 cases at deep effort", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := sample()
			c.change(&now)
			found := Run.Departures(sample(), now)
			if c.says == "" {
				require.Empty(t, found)
				return
			}
			at := slices.IndexFunc(found, func(d Departure) bool { return d.Weaker == c.weaker })
			require.GreaterOrEqual(t, at, 0, "%v", found)
			require.Contains(t, found[at].Text, c.says)
			require.Len(t, found, 1)
		})
	}
}

// TestFilesAreHeldToMore: two files are made on one machine, where a run may have another.
func TestFilesAreHeldToMore(t *testing.T) {
	now := sample()
	now.Criteria[0].Regimes[0].Median *= 1.1
	require.Empty(t, Run.Departures(sample(), now))
	require.Len(t, Files.Departures(sample(), now), 1)
}
