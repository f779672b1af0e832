//go:build system

package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A module outside this one has four claims from other papers, among them a statistical limit and two thresholds, and
// imports public packages only. Its tests are green, and all of its commands work. A false version is refuted with both
// sides printed, and a check without cases or controls is reported as such, by the command too.
func TestFourClaimsOutside(t *testing.T) {
	const folder = "testdata/outside"
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(folder)))
	try := inModule(t, dir, "example.org/four")
	run := func(words ...string) string {
		out, err := try(words...)
		require.NoError(t, err, "%v: %s", words, out)
		return out
	}
	require.NotContains(t, run("go", "list", "-f", `{{join .Imports " "}}`, "./..."), "/internal/")
	run("go", "vet", "./...")
	run("go", "test", "./...")
	run("go", "build", "-o", "four", ".")
	four := filepath.Join(dir, "four")
	quick := []string{four, "check", "--quiet", "--effort", "quick"}
	require.Contains(t, run(append(quick, "--out", "whole")...), "4 claims hold.")
	run(append(quick, "--shard", "1/2", "--out", "one")...)
	run(append(quick, "--shard", "2/2", "--out", "two")...)
	run(four, "merge", "one", "two", "--out", "both")
	require.Equal(t, run(four, "digest", "whole"), run(four, "digest", "both"))
	require.Contains(t, run(four, "predict", "four/spike", "theta=2"), "2.5")
	require.Contains(t, run(four, "try", "spike", "theta=2", "--reps", "3", "--quiet"), "largest")
	require.Contains(t, run(four, "show", "balance", "--template"), "four certify four/balance")
	run(four, "report", "whole", "--out", "site")
	page, err := os.ReadFile(filepath.Join(dir, "site", "index.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), "four · Four claims of other papers")
	require.Equal(t, 4, strings.Count(string(page), `<tr class="group">`), "each paper stands over its own claim")

	// edited checks a claim with a part of its file changed, and then restores the file.
	edited := func(file, from, to, by string) string {
		path := filepath.Join(dir, "claims", file)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		before, rest, found := strings.Cut(string(text), from)
		_, after, ends := strings.Cut(rest, to)
		require.True(t, found && ends, "%s has no %q", file, from+to)
		require.NoError(t, os.WriteFile(path, []byte(before+by+after), 0o644))
		out, err := try("go", "run", ".", "check", "four/"+strings.TrimSuffix(file, ".go"), "--quiet", "--effort", "quick",
			"--out", "edited")
		require.Error(t, err, out)
		require.NoError(t, os.WriteFile(path, text, 0o644))
		return out
	}
	for _, said := range []string{
		edited("balance.go", "change.Scale(step*step", ", change)", "change.Scale(step*step/2, change)"),
		edited("spike.go", "half: math.Sqrt2", "}", "half: 1.8}"), // a threshold misplaced by a quarter
	} {
		require.Contains(t, said, "✗ refuted")
		for _, side := range []string{"obtained ", "claimed ", "difference ", "allowed "} {
			require.Contains(t, said, side)
		}
	}
	// The counterexample to the false version does not refute the claim.
	require.Contains(t, run(four, "certify", "four/balance", "edited/counterexamples/four-balance.npz"), "holds")
	require.Contains(t, edited("modes.go", "Quick: 40,", " Standard", "Standard"), "no case is planned")
	require.Contains(t, edited("stability.go", "		Controls:", "\n\t\t},\n", ""), "no control")
}
