package experiment_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/bench/experiment/all"
	"github.com/thm-suite/thm/props/results"
)

// What is listed can be looked up: names are source/name and differ, claims have all texts and differ.
func TestExperimentsAreNamed(t *testing.T) {
	names := map[string]bool{}
	for _, e := range all.Experiments() {
		require.Regexp(t, "^(vcl|emergence|latent|onestep|tangent)/[a-z0-9-]+$", e.Name)
		require.False(t, names[e.Name], e.Name)
		names[e.Name] = true
		ids := map[string]bool{}
		for _, c := range e.Claims {
			require.False(t, ids[c.ID], "%s %s", e.Name, c.ID)
			ids[c.ID] = true
			for _, text := range []string{c.ID, c.Title, c.Sentence, c.Quantity} {
				require.NotEmpty(t, text, "%s %s", e.Name, c.ID)
			}
			require.True(t, strings.HasSuffix(c.Sentence, "."), c.Sentence)
		}
		for _, text := range []string{e.Title, e.Source, e.Cost} {
			require.NotEmpty(t, text, e.Name)
		}
	}
}

// An interrupted run of any experiment is incomplete, and has a report.
func TestNothingRunIsIncomplete(t *testing.T) {
	for _, e := range all.Experiments() {
		for _, effort := range results.Efforts {
			o := experiment.Options{Effort: effort, Seed: 1}
			if len(e.Data) > 0 {
				o.Sets = []experiment.Set{{Name: e.Data[0]}}
			}
			r, err := e.Run(stopped(t), o)
			require.NoError(t, err)
			require.NotEmpty(t, r.Headlines, e.Name)
			require.Positive(t, r.Run.Cells.Planned, e.Name)
			for _, f := range r.Findings {
				require.Equal(t, results.Incomplete, f.Verdict, "%s %s", e.Name, f.Claim)
				_, known := e.Claim(f.Claim)
				require.True(t, known, "%s %s", e.Name, f.Claim)
			}
		}
	}
}

// stopped is a context that has ended.
func stopped(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
