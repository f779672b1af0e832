package props

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/props/results"
)

// results encodes what a run found, without times.
func encoded(t *testing.T, r *results.Results) string {
	t.Helper()
	b, err := json.Marshal(r.WithoutTimes())
	require.NoError(t, err)
	return string(b)
}

func runID() RunID {
	return RunID{Schema: journalSchema, Tool: "test", Effort: Quick, Seed: 1, Claims: []string{"synthetic/spec"},
		Shard: "1/1"}
}

// wholeRun asks for the measurements of all claims.
func wholeRun(RunID) ([]string, error) { return nil, nil }

func open(t *testing.T, path string) (*Journal, int) {
	t.Helper()
	j, done, err := OpenJournal(path, runID())
	require.NoError(t, err)
	t.Cleanup(func() { _ = j.Close() })
	return j, done
}

// A run goes on where it was stopped, makes nothing twice, and comes to the same bits.
func TestRunGoesOnFromItsJournal(t *testing.T) {
	claims := []Claim{commuting(40).Claim()}
	whole := Run(t.Context(), claims, Options{Effort: Quick, Seed: 1, Jobs: 2})
	require.Equal(t, results.Holds, whole.Claims[0].Verdict, whole.Claims[0].Message)
	units := len(Plan(claims, Options{Effort: Quick}, nil))

	path := filepath.Join(t.TempDir(), "journal")
	ctx, cancel := context.WithCancel(t.Context())
	var cells atomic.Int64
	j, done := open(t, path)
	require.Zero(t, done)
	stopped := Run(ctx, claims, Options{Effort: Quick, Seed: 1, Jobs: 1, Journal: j, Progress: func(e Event) {
		if e.Cases.Run > 0 && cells.Add(1) == 3 {
			cancel()
		}
	}})
	require.NoError(t, j.Close())
	require.True(t, stopped.Run.Interrupted)

	j, done = open(t, path)
	require.Positive(t, done)
	require.Less(t, done, units)
	require.Equal(t, encoded(t, whole), encoded(t,
		Run(t.Context(), claims, Options{Effort: Quick, Seed: 1, Jobs: 2, Journal: j})))
	require.NoError(t, j.Err())
	require.NoError(t, j.Close())
	j, done = open(t, path)
	require.Equal(t, units, done, "the plan lists every unit that is made, and no other")
	require.NoError(t, j.Close())
}

// What is cut off or damaged is made again.
func TestDamagedJournal(t *testing.T) {
	claims := []Claim{commuting(40).Claim()}
	path := filepath.Join(t.TempDir(), "journal")
	j, _ := open(t, path)
	whole := Run(t.Context(), claims, Options{Effort: Quick, Seed: 1, Journal: j})
	require.NoError(t, j.Close())
	intact, err := os.ReadFile(path)
	require.NoError(t, err)
	units := len(Plan(claims, Options{Effort: Quick}, nil))
	// Units behind a damaged one are read.
	left := map[string]int{"cut": 1, "a bit": 1, "empty": units, "no journal": units}
	damage := map[string]func([]byte) []byte{
		"cut":        func(b []byte) []byte { return b[:len(b)-7] },
		"a bit":      func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"empty":      func([]byte) []byte { return nil },
		"no journal": func([]byte) []byte { return []byte("hello\n") },
		"great length": func(b []byte) []byte {
			return append(b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0,
				0)
		},
	}
	for name, f := range damage {
		require.NoError(t, os.WriteFile(path, f(append([]byte{}, intact...)), 0o600))
		j, done := open(t, path)
		require.Equal(t, left[name], units-done, name)
		require.Equal(t, encoded(t, whole), encoded(t, Run(t.Context(), claims, Options{Effort: Quick, Seed: 1, Journal: j})),
			name)
		require.NoError(t, j.Close())
	}
}

// A journal of another run is not gone on with.
func TestJournalOfAnotherRun(t *testing.T) {
	claims := []Claim{commuting(40).Claim()}
	for name, change := range map[string]func(*RunID){
		"seed":   func(id *RunID) { id.Seed = 2 },
		"budget": func(id *RunID) { id.Budget = 1 },
		"effort": func(id *RunID) { id.Effort = Standard },
		"binary": func(id *RunID) { id.Binary = "another" },
		"tool":   func(id *RunID) { id.Tool = "another" },
		"claims": func(id *RunID) { id.Claims = nil },
		"shard":  func(id *RunID) { id.Shard = "1/2" },
	} {
		path := filepath.Join(t.TempDir(), "journal")
		j, _ := open(t, path)
		Run(t.Context(), claims, Options{Effort: Quick, Seed: 1, Journal: j})
		require.NoError(t, j.Close())
		id := runID()
		change(&id)
		j, done, err := OpenJournal(path, id)
		require.NoError(t, err)
		require.Zero(t, done, name)
		require.NoError(t, j.Close())
	}
}

// Shards, more of them than claims, add up to the run, bit for bit; a missing one is incomplete and never green.
func TestShardsAddUp(t *testing.T) {
	claims := []Claim{commuting(200).Claim(), estimated().Claim()}
	whole := Run(t.Context(), claims, Options{Effort: Quick, Seed: 1})
	require.Equal(t, 0, whole.ExitCode(), whole.Claims)
	const n = 5
	units := Plan(claims, Options{Effort: Quick}, nil)
	dir, paths := t.TempDir(), []string{}
	for i, shard := range Shards(units, n) {
		require.NotEmpty(t, shard)
		path := filepath.Join(dir, string(rune('a'+i)))
		j, _ := open(t, path)
		j.Own(shard)
		Run(t.Context(), claims, Options{Effort: Quick, Seed: 1, Journal: j})
		require.NoError(t, j.Close())
		written, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, len(shard), bytes.Count(written, []byte(frameMark)), "a unit is made twice")
		paths = append(paths, path)
	}
	j, id, notes, err := MergeJournals(paths, wholeRun)
	require.NoError(t, err)
	require.Empty(t, notes)
	require.Equal(t, Quick, id.Effort)
	require.Equal(t, encoded(t, whole), encoded(t, Run(t.Context(), claims, Options{Effort: Quick, Seed: 1, Journal: j})))

	j, _, _, err = MergeJournals(paths[1:], wholeRun)
	require.NoError(t, err)
	part := Run(t.Context(), claims, Options{Effort: Quick, Seed: 1, Journal: j})
	require.Equal(t, 3, part.ExitCode())
}

// Loads of shards differ by no more than the most expensive unit.
func TestShardsAreBalanced(t *testing.T) {
	var units []WorkUnit
	for i := range 100 {
		units = append(units, WorkUnit{Cost: float64(1 + i%13)})
	}
	low, high, count := 1e9, 0.0, 0
	for _, shard := range Shards(units, 7) {
		load := 0.0
		for _, u := range shard {
			load += u.Cost
		}
		low, high, count = min(low, load), max(high, load), count+len(shard)
	}
	require.Equal(t, 100, count)
	require.LessOrEqual(t, high-low, 13.0)
}

// TestShardAlone: a shard that lists its own units alone has those that it is dealt.
func TestShardAlone(t *testing.T) {
	claims := []Claim{commuting(400).Claim(), estimated().Claim()}
	o := Options{Effort: Deep}
	work := Planned(claims, o, nil)
	for i, dealt := range Shards(Plan(claims, o, nil), 5) {
		var keys, alone []string
		for _, u := range dealt {
			keys = append(keys, u.key())
		}
		for _, u := range work.Shard(i, 5) {
			alone = append(alone, u.key())
		}
		require.NotEmpty(t, alone)
		require.Equal(t, keys, alone)
	}
}

// TestShardsThatDisagree: of two measurements of one unit, equally long, none is taken.
func TestShardsThatDisagree(t *testing.T) {
	dir := t.TempDir()
	journal := func(name, unit string) string {
		path := filepath.Join(dir, name)
		j, _ := open(t, path)
		_, err := j.file.WriteAt(frame(digestOf("key"), []byte(unit), 1), j.end)
		require.NoError(t, err)
		require.NoError(t, j.Close())
		return path
	}
	_, _, _, err := MergeJournals([]string{journal("a", "1.25"), journal("b", "1.25")}, wholeRun)
	require.NoError(t, err)
	_, _, _, err = MergeJournals([]string{journal("a", "1.25"), journal("c", "1.26")}, wholeRun)
	require.ErrorContains(t, err, "disagrees with another shard")
}

// A journal of which a byte has flipped lacks one unit, and a merge says where.
func TestDamageHasAPlace(t *testing.T) {
	claims := []Claim{commuting(40).Claim()}
	path := filepath.Join(t.TempDir(), "journal")
	j, _ := open(t, path)
	Run(t.Context(), claims, Options{Effort: Quick, Seed: 1, Journal: j})
	require.NoError(t, j.Close())
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	at := bytes.Index(b[len(b)/2:], []byte(frameMark)) + len(b)/2
	end := at + 1 + bytes.Index(b[at+1:], []byte(frameMark))
	b[at+frameHead+3] ^= 0x10
	require.NoError(t, os.WriteFile(path, b, 0o600))
	j, _, notes, err := MergeJournals([]string{path, path + ".lost"}, wholeRun)
	require.NoError(t, err)
	defer j.Close()
	require.Equal(t, []string{fmt.Sprintf("%s is damaged: bytes %d to %d are no measurement", path, at, end-1),
		path + ".lost is not there"}, notes)
	require.Len(t, j.known, len(Plan(claims, Options{Effort: Quick}, nil))-1)
}

// What was spent stays with the measurements: a merge that only decodes them has the costs of the run.
func TestCostsAreKept(t *testing.T) {
	claims := []Claim{commuting(40).Claim()}
	path := filepath.Join(t.TempDir(), "journal")
	j, _ := open(t, path)
	whole := Run(t.Context(), claims, Options{Effort: Quick, Seed: 1, Journal: j}).Claims[0]
	require.NoError(t, j.Close())
	require.Positive(t, whole.Seconds)
	j, _, _, err := MergeJournals([]string{path}, wholeRun)
	require.NoError(t, err)
	defer j.Close()
	merged := Run(t.Context(), claims, Options{Effort: Quick, Seed: 1, Journal: j}).Claims[0]
	require.InEpsilon(t, whole.Seconds, merged.Seconds, 0x1p-23) // a journal keeps seconds in single precision
	require.InEpsilon(t, whole.Seconds, j.Spent("1/1"), 0x1p-23)
	require.Equal(t, whole.Costs[0].Cases, merged.Costs[0].Cases)
}

// A part of a merge has the units of its own claims, and the time that all of them took.
func TestPartOfAMergeChooses(t *testing.T) {
	claims := []Claim{commuting(40).Claim(), estimated().Claim()}
	path := filepath.Join(t.TempDir(), "journal")
	j, _ := open(t, path)
	whole := Run(t.Context(), claims, Options{Effort: Quick, Seed: 1, Journal: j})
	require.NoError(t, j.Close())
	own := claims[1].Statement.Slug
	j, _, _, err := MergeJournals([]string{path}, func(RunID) ([]string, error) { return []string{own}, nil })
	require.NoError(t, err)
	defer j.Close()
	for _, u := range Plan(claims, Options{Effort: Quick}, nil) {
		require.Equal(t, u.Claim == own, j.Has(u), u)
	}
	require.InEpsilon(t, whole.Claims[0].Seconds+whole.Claims[1].Seconds, j.Spent("1/1"), 1e-6)
}
