package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/cli/clitest"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"benchgate": main}) }

func TestScripts(t *testing.T) { testscript.Run(t, clitest.Params("testdata/script", "benchgate")) }

// Who installs benchgate does not install the theorem suite.
func TestNoTheoremIsLinked(t *testing.T) {
	require.Empty(t, theorems(t, "."))
	require.NotEmpty(t, theorems(t, "../thm"), "the check cannot fail")
}

// A template can call any exported method, so that with html/template the linker keeps all, those of gonum's matrices
// included: the binary had 14.4 MB instead of 9.4. Cobra uses text/template only for templates that nobody sets here.
func TestNoTemplateIsLinked(t *testing.T) {
	require.NotContains(t, dependencies(t, "."), "html/template")
	require.Contains(t, dependencies(t, "../thm"), "html/template", "the check cannot fail")
}

// theorems are the packages of the theorem suite that a command links.
func theorems(t *testing.T, command string) (found []string) {
	t.Helper()
	for _, path := range dependencies(t, command) {
		inside, ours := strings.CutPrefix(path, "github.com/thm-suite/thm/")
		switch folder, _, _ := strings.Cut(inside, "/"); folder {
		case "props", "impl", "theory", "reports":
			if ours && inside != "props/stat" && inside != "props/figure" { // which are for all
				found = append(found, path)
			}
		}
	}
	return found
}

// dependencies are all packages that a command links.
func dependencies(t *testing.T, command string) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", command).Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "github.com/thm-suite/thm/bench/gate/command\n")
	return strings.Fields(string(out))
}

// Every command is explained in words of its own, without those of thm bench.
func TestEveryCommandIsExplained(t *testing.T) {
	for _, cmd := range root(cli.Output{Name: "benchgate"}).Commands() {
		if cmd.Name() == "help" {
			continue
		}
		require.NotEmpty(t, cmd.Short, cmd.Name())
		require.NotContains(t, cmd.UsageString()+cmd.Long, "thm bench", cmd.Name())
		if cmd.HasSubCommands() && !cmd.HasExample() {
			cmd = cmd.Commands()[0]
		}
		require.Contains(t, cmd.Example, "  benchgate ")
	}
}
