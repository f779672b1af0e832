package cli

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// ending runs a command that ends in a way, and returns the exit code and what was said.
func ending(args []string, end func() error) (code int, said string) {
	var out, err strings.Builder
	code = Output{Name: "tool", Stdout: &out, Stderr: &err}.Run(func() *cobra.Command {
		root := &cobra.Command{Use: "tool", SilenceErrors: true, SilenceUsage: true}
		root.AddCommand(&cobra.Command{Use: "check", Args: Args(1, 2, "one word or two"),
			RunE: func(*cobra.Command, []string) error { return end() }})
		root.Args = UnknownCommand
		root.RunE = func(cmd *cobra.Command, _ []string) error { return nil }
		return root
	}, args)
	return code, err.String()
}

// The error determines the exit code, and every error is one line.
func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		said string
	}{
		{nil, Green, ""},
		{errors.New("two\n lines"), Usage, "tool: two lines\n"},
		{errors.Join(errors.New("a"), errors.New("b:\nc")), Usage, "tool: a; b: c\n"},
		{Exit{Code: Refuted}, Refuted, ""},
		{Exit{Unsettled, errors.New("why")}, Unsettled, "tool: why\n"},
		{errors.Join(Exit{Refuted, errors.New("why")}), Refuted, "tool: why\n"},
	} {
		code, said := ending([]string{"check", "it"}, func() error { return c.err })
		require.Equal(t, c.code, code)
		require.Equal(t, c.said, said)
	}
	code, said := ending([]string{"check", "it"}, func() error { panic("on purpose") })
	require.Equal(t, Unsettled, code)
	require.Contains(t, said, "tool: internal error: on purpose\n")
}

func TestBadUsage(t *testing.T) {
	for words, want := range map[string]string{
		"chekc":       `tool: unknown command "chekc" for tool; did you mean check?; see tool --help`,
		"nothing":     `tool: unknown command "nothing" for tool; see tool --help`,
		"check":       "tool: tool check wants one word or two; see tool check --help",
		"check a b c": "tool: tool check wants one word or two; see tool check --help",
	} {
		code, said := ending(strings.Fields(words), func() error { return nil })
		require.Equal(t, Usage, code)
		require.Equal(t, want+"\n", said)
	}
}

type fullDevice struct{}

func (fullDevice) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestPrint(t *testing.T) {
	var out strings.Builder
	require.NoError(t, Output{Stdout: &out}.PrintJSON(map[string]string{"a": "x < y"}))
	require.Equal(t, "{\n  \"a\": \"x < y\"\n}\n", out.String())
	err := Output{Stdout: fullDevice{}}.Print("text")
	var e Exit
	require.ErrorAs(t, err, &e)
	require.Equal(t, Unsettled, e.Code)
	require.EqualError(t, err, "writing the output: no space left on device")
	require.ErrorAs(t, Output{Stdout: &out}.PrintJSON(func() {}), &e)
}

func TestFlagValues(t *testing.T) {
	var seed uint64
	value := NewValue(&seed, "N", ParseSeed)
	require.NoError(t, value.Set("18446744073709551615"))
	require.Equal(t, "18446744073709551615", value.String())
	require.Error(t, value.Set("-1"))
	require.Equal(t, uint64(1<<64-1), seed, "what is refused changes nothing")
	require.Equal(t, "N", value.Type())
	for text, good := range map[string]bool{"1": true, "65535": true, "0": false, "65536": false, "x": false} {
		_, err := ParseJobs(text)
		require.Equal(t, good, err == nil, text)
	}
}

func TestWritableFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, WritableFile("out", filepath.Join(dir, "new")))
	require.NoFileExists(t, filepath.Join(dir, "new"))
	require.ErrorContains(t, WritableFile("out", dir), "is a directory; name a file with --out")
	require.ErrorContains(t, WritableFile("junit", dir), "is a directory; name a file with --junit")
	require.ErrorContains(t, WritableFile("out", filepath.Join(dir, "no", "new")), "cannot be written")
}
