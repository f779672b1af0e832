package main

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
	code = output{"tool", &out, &err}.runRoot(func() *cobra.Command {
		root := &cobra.Command{Use: "tool", SilenceErrors: true, SilenceUsage: true}
		root.AddCommand(&cobra.Command{Use: "check", Args: wants(1, 2, "one word or two"), RunE: func(*cobra.Command, []string) error { return end() }})
		root.Args = unknownCommand
		root.RunE = func(cmd *cobra.Command, _ []string) error { return nil }
		return root
	}, args)
	return code, err.String()
}

// The exit code is that of the error, and every error is one line.
func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		said string
	}{
		{nil, exitGreen, ""},
		{errors.New("two\n lines"), exitUsage, "tool: two lines\n"},
		{exit{code: exitRefuted}, exitRefuted, ""},
		{exit{exitUnsettled, errors.New("why")}, exitUnsettled, "tool: why\n"},
		{errors.Join(exit{exitRefuted, errors.New("why")}), exitRefuted, "tool: why\n"},
	} {
		code, said := ending([]string{"check", "it"}, func() error { return c.err })
		require.Equal(t, c.code, code)
		require.Equal(t, c.said, said)
	}
	code, said := ending([]string{"check", "it"}, func() error { panic("on purpose") })
	require.Equal(t, exitUnsettled, code)
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
		require.Equal(t, exitUsage, code)
		require.Equal(t, want+"\n", said)
	}
}

type fullDevice struct{}

func (fullDevice) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestPrint(t *testing.T) {
	var out strings.Builder
	require.NoError(t, output{stdout: &out}.printJSON(map[string]string{"a": "x < y"}))
	require.Equal(t, "{\n  \"a\": \"x < y\"\n}\n", out.String())
	err := output{stdout: fullDevice{}}.print("text")
	var e exit
	require.ErrorAs(t, err, &e)
	require.Equal(t, exitUnsettled, e.code)
	require.EqualError(t, err, "writing the output: no space left on device")
	require.ErrorAs(t, output{stdout: &out}.printJSON(func() {}), &e)
}

func TestFlagValues(t *testing.T) {
	var seed uint64
	value := newValue(&seed, "N", parseSeed)
	require.NoError(t, value.Set("18446744073709551615"))
	require.Equal(t, "18446744073709551615", value.String())
	require.Error(t, value.Set("-1"))
	require.Equal(t, uint64(1<<64-1), seed, "what is refused changes nothing")
	require.Equal(t, "N", value.Type())
	for text, good := range map[string]bool{"1": true, "65535": true, "0": false, "65536": false, "x": false} {
		_, err := parseJobs(text)
		require.Equal(t, good, err == nil, text)
	}
}

func TestWritableFile(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, writableFile(filepath.Join(dir, "new")))
	require.NoFileExists(t, filepath.Join(dir, "new"))
	require.ErrorContains(t, writableFile(dir), "is a directory; name a file with --out")
	require.ErrorContains(t, writableFile(filepath.Join(dir, "no", "new")), "cannot be written")
}
