package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/gate/study"
)

// comparisons is a study of one benchmark, with times that do not repeat.
func comparisons(n int) *study.Data {
	d := &study.Data{Plan: study.Plan{Format: "thm.study.null/v1", Seed: 1, Rounds: 6, Looks: 1, Benchtime: "1ms"}}
	for i := range n {
		row := study.Row{Name: "Null"}
		for k := range d.Plan.Rounds {
			x := float64(100 + k)
			row.Rounds = append(row.Rounds, study.Rounds{x, x + 0.25, x + 0.5})
			row.Old, row.New = append(row.Old, x), append(row.New, x+0.5)
		}
		d.Comparisons = append(d.Comparisons, study.Comparison{Index: i, At: time.Unix(0, 0), Rows: []study.Row{row}})
	}
	return d
}

// TestAFailedStudyPublishesNothing: the third of five comparisons fails. Two are data, and data that nobody asked for.
func TestAFailedStudyPublishesNothing(t *testing.T) {
	out, broken := t.TempDir(), errors.New("the third comparison fails")
	var said bytes.Buffer
	c := &commands{Output: cli.Output{Name: "benchgate", Stdout: &said, Stderr: &said}, path: "benchgate"}
	try := func(run studying) error {
		cmd := &cobra.Command{}
		cmd.SetContext(context.Background())
		f := &studyFlags{out: out, quiet: true}
		f.Comparisons = 5
		return c.study(cmd, f, "null", run)
	}
	require.ErrorIs(t, try(func(_ context.Context, o study.Options) (*study.Data, error) {
		two := comparisons(2)
		require.NoError(t, two.Restore(o.Data)) // what a study has written by then
		return two, broken
	}), broken)
	require.Empty(t, said.String())
	require.Equal(t, []string{"null.jsonl"}, filesIn(t, out))

	// The same command goes on, and publishes what is complete.
	require.NoError(t, try(func(_ context.Context, o study.Options) (*study.Data, error) {
		begun, err := study.ReadFile(o.Data)
		require.NoError(t, err)
		require.Len(t, begun.Comparisons, 2)
		return comparisons(5), nil
	}))
	require.Equal(t, []string{"null.json", "null.jsonl.gz", "null.md", "null.svg"}, filesIn(t, out))
	published, err := study.ReadFile(filepath.Join(out, "null.jsonl.gz"))
	require.NoError(t, err)
	require.Len(t, published.Comparisons, 5)
}

// filesIn are the names in a directory, in order.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestCountsGoOn: published samples of fewer rounds than asked for are opened again; enough are only judged.
func TestCountsGoOn(t *testing.T) {
	c, out := &commands{}, t.TempDir()
	f := &studyFlags{out: out}
	f.Data = filepath.Join(out, "instructions.jsonl")
	packed := f.Data + ".gz"
	_, missing, err := c.countedBefore(f, packed)
	require.NoError(t, err)
	require.True(t, missing, "nothing was published")
	const text = `{"format":"thm.study.instructions/v1","seed":1,"benchtime":"1ms","jobs":1,"counter":"","machine":"",` +
		`"commit":"","started":"2026-01-02T03:04:05Z"}` + "\n" +
		`{"name":"Plant/sort","round":0,"place":0,"instructions":1,"ns":1,"load":1}` + "\n"
	var raw bytes.Buffer
	require.NoError(t, study.Pack(&raw, func(w io.Writer) error { _, err := w.Write([]byte(text)); return err }))
	require.NoError(t, os.WriteFile(packed, raw.Bytes(), 0o644))
	got, missing, err := c.countedBefore(f, packed)
	require.NoError(t, err)
	require.False(t, missing)
	require.Equal(t, text, string(got))
	f.Rounds = 12
	_, missing, err = c.countedBefore(f, packed)
	require.NoError(t, err)
	require.True(t, missing)
	opened, err := os.ReadFile(f.Data)
	require.NoError(t, err)
	require.Equal(t, text, string(opened))
}
