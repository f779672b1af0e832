package command

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/reports"
	"github.com/thm-suite/thm/internal/reports/runs"
	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/props"
)

func TestPublishRefusesWhatNobodyCanMakeAgain(t *testing.T) {
	require.ErrorContains(t, publishable(source.State{}), "does not know its commit")
	require.ErrorContains(t, publishable(source.State{Commit: "0123456789abcdef", Modified: true}),
		"not in commit 0123456789ab: commit or stash")
	require.NoError(t, publishable(source.State{Commit: "0123456789abcdef"}))
}

// TestPublishReplaces asks that a whole run replaces the pages of another one and keeps other files, and that a run
// that has found something says so.
func TestPublishReplaces(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "claims", "old.html")
	require.NoError(t, os.MkdirAll(filepath.Dir(page), 0o777))
	require.NoError(t, os.WriteFile(page, []byte(`<meta name="generator" content="thm report">`), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "screenshot.png"), nil, 0o666))
	p := program{Output: cli.Output{Name: "thm", Stdout: io.Discard, Stderr: io.Discard},
		claims:       []props.Claim{fixture("green/holds", holding()), fixture("red/refuted", beyondSix(), holding())},
		uncalibrated: true}
	f := checkFlags{commonFlags: commonFlags{effort: props.Quick, seed: 1, jobs: 1, out: dir}, shard: runs.Undivided,
		progress: "text"}
	err := p.publishRun(t.Context(), f)
	require.True(t, isVerdict(err), "%v", err)
	r, err := reports.Read(filepath.Join(dir, "results.json"))
	require.NoError(t, err)
	require.Len(t, r.Claims, 2)
	require.NoFileExists(t, page)
	require.FileExists(t, filepath.Join(dir, "claims", "green", "holds.html"))
	require.FileExists(t, filepath.Join(dir, "screenshot.png"))
	require.FileExists(t, filepath.Join(dir, "counterexamples", "red-refuted.npz"))
}
