//go:build system

package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	mineMain = `package main

import (
	"github.com/thm-suite/thm/cmd/command"

	"example.org/mine/claims"
)

func main() { command.Main("mine", "Claims of my paper", claims.All) }
`
	mineClaims = `package claims

import (
	"pgregory.net/rapid"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/theory"
)

var All = []props.Claim{square}

var square = props.Spec{
	Statement: &theory.Statement{
		Slug: "mine/square", Title: "A square is a product", Plain: "A square is a product.",
		Kind: theory.Identity, Standing: theory.Derivation,
		Params: []theory.Param{{Name: "x", Symbol: "x", Meaning: "a number", Domain: theory.AtLeast(0), Default: "3"}},
		Claim: "x² = x·x.", TeX: "x^2 = x \\cdot x", Source: theory.Source{Paper: "Mine", Locus: "page 1"},
		Predict: func(v theory.Values) []theory.Quantity {
			return []theory.Quantity{{Name: "square", Symbol: "x²", Value: v.Float("x") * v.Float("x"), Meaning: "of x"}}
		},
	},
	Try: &props.Simulation{Run: func(t *props.Trial, v theory.Values) (map[string]float64, error) {
		return map[string]float64{"square": v.Float("x") * v.Float("x")}, nil
	}},
	Checks: []props.Check{props.Drawn[number, squared]{
		Name: "product", Cases: props.Times(20),
		Draw: func(t *props.T) number { return number{float64(rapid.IntRange(1, 99).Draw(t.T, "x"))} },
		Claim: func(x float64) float64 { return x * x },
		Judge: func(r *props.Record, n number, square squared) { r.Exactly("square", n.X*n.X, square(n.X)) },
		Controls: []props.Wrong[number, squared]{
			{Name: "twice the number", Claim: func(c *squared) { *c = func(x float64) float64 { return 2*x + 0.5 } }},
		},
	}},
}.Claim()

type number struct{ X float64 }

type squared func(x float64) float64
`
)

// anotherModule writes a module with a catalogue and a main package of its own, and returns how to run something in it.
func anotherModule(t *testing.T, dir, mainFile string) (run func(words ...string) string) {
	t.Helper()
	for name, text := range map[string]string{mainFile: mineMain, "claims/claims.go": mineClaims} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	try := inModule(t, dir, "example.org/mine")
	return func(words ...string) string {
		out, err := try(words...)
		require.NoError(t, err, "%v: %s", words, out)
		return out
	}
}

// inModule makes a folder a module that builds against this one as it is, and returns how to run something in it.
func inModule(t *testing.T, dir, module string) (try func(words ...string) (string, error)) {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(
		strings.Replace(string(mod), "module github.com/thm-suite/thm", "module "+module, 1)+
			"\nrequire github.com/thm-suite/thm v0.0.0\n\nreplace github.com/thm-suite/thm => "+root+"\n"), 0o644))
	return func(words ...string) (string, error) {
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir, cmd.Env = dir, moduleEnvironment()
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
}

// moduleEnvironment builds the other module without the network.
func moduleEnvironment() []string {
	return append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOPROXY=off", "GOWORK=off")
}

// A catalogue of another module has the whole command: it builds against this module as it is, and its claims are
// listed, shown, predicted, tried, checked, sharded, merged and reported.
func TestAnotherModule(t *testing.T) {
	dir := t.TempDir()
	run := anotherModule(t, dir, "main.go")
	run("go", "build", "-o", "mine", ".")
	mine := filepath.Join(dir, "mine")
	require.Contains(t, run(mine, "list"), "mine/square")
	require.NotContains(t, run(mine, "list"), "vcl/")
	require.Contains(t, run(mine, "show", "square"), "x² = x·x.")
	help := run(mine, "--help") + run(mine, "check", "--help") + run(mine, "try", "--help")
	require.Contains(t, help, "Claims of my paper")
	require.Contains(t, help, "mine check 'mine/*'")
	require.Contains(t, help, "mine try mine/square x=3 --reps 20")
	require.NotContains(t, help, "thm ")
	require.NotContains(t, help, "vcl")
	for _, ours := range []string{"docs", "publish", "experiment", "data"} {
		require.NotContains(t, help, "\n  "+ours+" ")
	}
	require.Contains(t, run(mine, "predict", "square", "x=4"), "16")
	require.Contains(t, run(mine, "try", "square", "x=4", "--quiet"), "16")
	require.Contains(t, run(mine, "check", "--quiet", "--out", "out"),
		"1 claim holds.\n20 of 20 cases; 1 of 1 controls")
	run(mine, "check", "--quiet", "--shard", "1/2", "--out", "one")
	run(mine, "check", "--quiet", "--shard", "2/2", "--out", "two")
	require.Contains(t, run(mine, "merge", "one", "two", "--out", "both"), "1 claim holds.")
	require.Equal(t, run(mine, "digest", "out/results.json"), run(mine, "digest", "both/results.json"))
	run(mine, "report", "out/results.json", "--out", "site")
	page, err := os.ReadFile(filepath.Join(dir, "site", "index.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), "A square is a product")
	require.Contains(t, string(page), "mine · Claims of my paper")
	page, err = os.ReadFile(filepath.Join(dir, "site", "claims", "mine", "square.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), "go run . try mine/square x=3")
	require.Contains(t, string(page), "go run . check mine/square --seed 1")
}
