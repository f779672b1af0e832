package runs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/props/results"
	"github.com/thm-suite/thm/theory"
)

func claim(slug string) props.Claim {
	return props.Claim{Statement: &theory.Statement{Slug: slug, Kind: theory.Identity, Standing: theory.Derivation}}
}

func TestParseShard(t *testing.T) {
	s, err := ParseShard("2/3")
	require.NoError(t, err)
	require.Equal(t, "2/3", s.String())
	require.True(t, s.Partial())
	require.False(t, Undivided.Partial())
	last, err := ParseShard("0/3") // of a scheduler that counts from 0
	require.NoError(t, err)
	require.Equal(t, "3/3", last.String())
	for _, text := range []string{"", "1", "0/0", "4/3", "-1/3", "1/70000", "a/b"} {
		_, err := ParseShard(text)
		require.Error(t, err, text)
	}
}

func TestReproduceNamesClaimsOnlyIfSomeAreMissing(t *testing.T) {
	known := []props.Claim{claim("a/b"), claim("a/c")}
	r := &results.Results{Claims: []results.Claim{{ID: "a/b"}}}
	r.Run.Effort, r.Run.Seed = props.Quick, 7
	require.Equal(t, "go run ./cmd/thm check a/b --effort quick --seed 7", reproduce("go run ./cmd/thm", r, known))
	r.Claims = append(r.Claims, results.Claim{ID: "a/c"})
	require.Equal(t, "go run ./cmd/thm check --effort quick --seed 7", reproduce("go run ./cmd/thm", r, known))
	require.Len(t, verified(r, known[:1]), 1)
	require.Nil(t, Row(r, "a/d"))
}

// A run continues its own journal, even if another unfinished run used the same directory in between.
func TestJournalGoesOn(t *testing.T) {
	dir := t.TempDir()
	open := func(seed uint64) (files []string, identity os.FileInfo) {
		j, _, err := OpenJournal(dir, props.Options{Effort: props.Quick, Seed: seed}, Undivided, []props.Claim{claim("a/b")})
		require.NoError(t, err)
		require.NoError(t, j.Close())
		files, err = filepath.Glob(filepath.Join(dir, "*.journal"))
		require.NoError(t, err)
		identity, err = os.Stat(filepath.Join(dir, JournalName))
		require.NoError(t, err)
		return files, identity
	}
	_, first := open(1)
	files, again := open(1)
	require.Len(t, files, 1)
	require.True(t, os.SameFile(first, again))
	files, other := open(2)
	require.Len(t, files, 2)
	require.False(t, os.SameFile(first, other))
	_, back := open(1)
	require.True(t, os.SameFile(first, back))
}

// Shards of another program, shards with an unknown claim, and folders without a journal are not joined.
func TestJoinRefuses(t *testing.T) {
	dir, known := t.TempDir(), []props.Claim{claim("a/b")}
	begin := func(name, tool, slug string) string {
		at := filepath.Join(dir, name)
		require.NoError(t, os.Mkdir(at, 0o777))
		j, _, err := props.OpenJournal(filepath.Join(at, JournalName),
			props.RunID{Tool: tool, Source: source.Now().Name(),
				Effort: props.Quick, Seed: 1, Claims: []string{slug}, Shard: "1/1"})
		require.NoError(t, err)
		require.NoError(t, j.Close())
		return at
	}
	run, err := Join([]string{begin("good", toolLine(props.ThisTool()), "a/b")}, known, Undivided)
	require.NoError(t, err)
	require.Equal(t, known, run.Claims)
	require.Equal(t, props.Quick, run.Options.Effort)
	_, err = Join([]string{begin("tool", "another", "a/b")}, known, Undivided)
	require.ErrorContains(t, err, `measured by "another"`)
	_, err = Join([]string{begin("claim", toolLine(props.ThisTool()), "a/d")}, known, Undivided)
	require.ErrorContains(t, err, `it measures "a/d", which this program does not know`)
	_, err = Join([]string{dir}, known, Undivided)
	require.Error(t, err)
}

// The merge of all parts takes the rows of each and the calibration of the one that has made it, and judges nothing.
func TestJoinTakesParts(t *testing.T) {
	known, dirs := []props.Claim{claim("a/b"), claim("a/c")}, []string{}
	calibration := []results.Calibration{{Procedure: "Mean", Quantity: "false alarms", Nominal: 0.1, Measured: 0.1,
		Runs: 9}}
	for i := range known {
		r := props.Run(t.Context(), known[i:i+1], props.Options{Effort: props.Quick, Seed: 1, Uncalibrated: true})
		r.Run.Shard = Shard{i + 1, len(known)}.String()
		if i == 1 {
			r.Calibration = calibration
		}
		dirs = append(dirs, filepath.Join(t.TempDir(), "part"))
		require.NoError(t, WritePart(dirs[i], r, known[i:i+1]))
	}
	run, err := Join(dirs, known, Undivided)
	require.NoError(t, err)
	require.Empty(t, run.Claims)
	require.Len(t, run.Judged, len(known))
	require.True(t, run.Options.Uncalibrated, "calibrated twice")
	var joined results.Results
	run.AddJudged(&joined)
	require.Len(t, joined.Claims, len(known))
	require.Equal(t, calibration, joined.Calibration)
}

func TestWritable(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Writable(filepath.Join(dir, "new")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "results.json"), 0o777))
	require.ErrorContains(t, Writable(dir), "results.json is a directory")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o666))
	require.ErrorContains(t, Writable(filepath.Join(dir, "file")), "choose another directory with --out")
}

// Losses come first; in a run of some claims the others do not count as lost, and results of another effort are not
// compared.
func TestMoved(t *testing.T) {
	of := func(rows ...results.Claim) *results.Results {
		r := &results.Results{Claims: rows, Run: results.Run{Effort: props.Quick}}
		r.Manifest.Commit = "0123456789abcdef"
		return r
	}
	row := func(id string, v results.Verdict, ratio float64) results.Claim {
		return results.Claim{ID: id, Verdict: v, WorstRatio: results.Number(ratio)}
	}
	old := of(row("a/held", results.Holds, 0.5), row("a/moved", results.Holds, 0.5), row("a/same", results.Holds, 0.5),
		row("a/gone", results.Holds, 0.5), row("a/open", results.Undecided, 2))
	now := of(row("a/held", results.Refuted, 3), row("a/moved", results.Holds, 0.6), row("a/same", results.Holds, 0.5),
		row("a/open", results.Holds, 0.9), row("a/new", results.Holds, 0.1))
	m := Moved(old, now)
	require.Equal(t, "the run of 1 January 0001, 00:00 UTC, commit 0123456789ab", m.Since)
	require.Equal(t, 1, m.Same)
	require.Equal(t, 1, m.Ratios)
	var moved []string
	for _, row := range m.Rows {
		moved = append(moved, fmt.Sprint(row.Claim, " ", row.Why, " ", row.Loss))
	}
	slices.Sort(moved)
	require.Equal(t, []string{"a/gone claim is gone true", "a/held verdict true", "a/new new claim false",
		"a/open verdict false"}, moved)
	require.True(t, m.Rows[0].Loss && m.Rows[1].Loss)

	old.Manifest.Patterns, now.Manifest.Patterns = []string{"a/*"}, []string{"a/*"}
	require.Len(t, Moved(old, now).Rows, 2)
	require.Nil(t, Moved(nil, now))

	now.Run.Effort = props.Deep
	now.Claims[1].Cases.Run = 7
	beyond := Moved(old, now)
	require.Equal(t, "quick", beyond.Smaller)
	require.Len(t, beyond.Rows, 4, "a ratio that moved is shown as well, and what did not move")
	cases := map[string][2]int{}
	for _, row := range beyond.Rows {
		cases[row.Claim] = row.Cases
	}
	require.Equal(t, [2]int{0, 7}, cases["a/moved"])
	require.Contains(t, cases, "a/same")
	require.NotContains(t, cases, "a/new", "the old results are of some claims")
	require.Nil(t, Moved(now, old), "a smaller effort says nothing of a greater one")
}

// Claims are dealt to the parts of a merge by how long they take to judge. The last part, which calibrates, has less.
func TestDeal(t *testing.T) {
	var j Joined
	for slug := range judging {
		j.run = append(j.run, claim(slug))
	}
	slices.SortFunc(j.run, func(a, b props.Claim) int { return strings.Compare(a.Statement.Slug, b.Statement.Slug) })
	for _, n := range []int{1, 4, len(j.run)} {
		parts, all := j.deal(n), 0
		require.Len(t, parts, n)
		for _, part := range parts {
			require.NotEmpty(t, part)
			all += len(part)
		}
		require.Equal(t, len(j.run), all)
	}
	longest, last := 0.0, 0.0
	for _, part := range j.deal(4) {
		last = 0
		for _, u := range part {
			last += u.Cost
		}
		longest = max(longest, last)
	}
	require.Less(t, last, longest-calibrating/2)
}
