package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
)

// shardsOf makes the results files of n shards of a run, on machines that differ.
func shardsOf(claims []props.Claim, n int) []named {
	var out []named
	for i := 1; i <= n; i++ {
		s := shard{i, n}
		r := &props.Results{
			Schema: props.SchemaName,
			Tool:   props.Tool{Version: "v1", Go: "go1", GOOS: "linux", GOARCH: "amd64", CPU: fmt.Sprintf("processor %d", i%3)},
			Run: props.RunInfo{Effort: props.Quick, Seed: 1, Jobs: i, Shard: s.String(), WallSeconds: float64(10 - i),
				Started: time.Date(2026, 1, 10-i, 0, 0, 0, 0, time.UTC)},
		}
		for k, c := range s.of(claims) {
			r.Claims = append(r.Claims, props.ClaimResult{ID: c.Statement.Slug, Verdict: props.Holds,
				WorstRatio: props.Number(i), Cases: props.Count{Planned: 5, Run: 5}, Seconds: float64(k)})
		}
		r.Summarise()
		out = append(out, named{"shard " + s.String(), r})
	}
	return out
}

func encoded(t require.TestingT, r *props.Results) string {
	b, err := json.MarshalIndent(r, "", " ")
	require.NoError(t, err)
	return string(b)
}

// Whatever is joined in whatever order and grouping, also twice: the same bytes, as long as every shard is there.
func TestJoinIsCommutativeAndIdempotent(t *testing.T) {
	claims := fixtures()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, len(claims)).Draw(rt, "shards")
		files := shardsOf(claims, n)
		want, err := join(files, claims)
		require.NoError(rt, err)
		require.Equal(rt, slugs(claims), ids(want))

		shuffled := rapid.Permutation(files).Draw(rt, "order")
		shuffled = append(shuffled, files[rapid.IntRange(0, n-1).Draw(rt, "twice")])
		if part := rapid.IntRange(0, n).Draw(rt, "joined before"); part > 0 {
			first, err := join(shuffled[:part], claims)
			require.NoError(rt, err)
			shuffled = append(shuffled, named{"joined", first})
		}
		slices.Reverse(shuffled)
		got, err := join(shuffled, claims)
		require.NoError(rt, err)
		require.Equal(rt, encoded(rt, want), encoded(rt, got))
	})
}

func TestJoinOfDifferentMachines(t *testing.T) {
	got, err := join(shardsOf(fixtures(), 3), fixtures())
	require.NoError(t, err)
	require.Equal(t, "processor 0; processor 1; processor 2", got.Tool.CPU)
	require.Equal(t, 3, got.Run.Jobs)
	require.Equal(t, 9.0, got.Run.WallSeconds) // shards run at the same time
	require.Equal(t, 7, got.Run.Started.Day())
	require.Equal(t, len(fixtures()), got.Summary.Verdicts[props.Holds])
	require.Zero(t, got.ExitCode())
}

func TestJoinWithoutAShardIsIncomplete(t *testing.T) {
	claims := fixtures()
	files := shardsOf(claims, 3)
	got, err := join(files[1:], claims)
	require.NoError(t, err)
	require.Equal(t, slugs(claims), ids(got))
	require.Equal(t, exitUnsettled, got.ExitCode())
	for i, row := range got.Claims {
		if i%3 == 0 {
			require.Equal(t, props.Incomplete, row.Verdict)
			require.Equal(t, "the results file of its shard is missing", row.Message)
			require.Zero(t, row.Cases.Run)
			continue
		}
		require.Equal(t, props.Holds, row.Verdict)
	}

	require.Equal(t, props.Count{Planned: scale.Quick}, rowOf(got, "green/holds").Cases)

	late, err := join([]named{{"joined", got}, files[0]}, claims)
	require.NoError(t, err)
	require.Zero(t, late.ExitCode(), "the shard that comes late fills its rows")
}

func TestJoinRefusesWhatDoesNotBelongTogether(t *testing.T) {
	claims := fixtures()
	for want, spoil := range map[string]func([]named){
		"the effort of shard 1/2 is quick, that of shard 2/2 is deep":        func(f []named) { f[1].Run.Effort = props.Deep },
		"the seed of shard 1/2 is 1, that of shard 2/2 is 2":                 func(f []named) { f[1].Run.Seed = 2 },
		"the version of shard 1/2 is v1, that of shard 2/2 is v2":            func(f []named) { f[1].Tool.Version = "v2" },
		"the architecture of shard 1/2 is amd64, that of shard 2/2 is arm64": func(f []named) { f[1].Tool.GOARCH = "arm64" },
		"shard 2/2 is not shard 2/2 of the claims":                           func(f []named) { f[0].Claims = f[0].Claims[:3] },
		"comes after claims that it stands before in the catalogue":          func(f []named) { slices.Reverse(f[0].Claims) },
		"are both shard 1/2, of different claims":                            func(f []named) { f[1].Run.Shard = "1/2" },
		"shard 2/2: run.shard: a shard is I/N":                               func(f []named) { f[1].Run.Shard = "3/2" },
	} {
		files := shardsOf(claims, 2)
		spoil(files)
		_, err := join(files, claims)
		require.ErrorContains(t, err, want)
	}

	files := shardsOf(claims, 2)
	again := shardsOf(claims, 2)[0]
	again.file, again.Claims[1].WorstRatio = "another", 9
	_, err := join(append(files, again), claims)
	require.ErrorContains(t, err, claims[2].Statement.Slug+" is in shard 1/2 and in another with different results")
}
