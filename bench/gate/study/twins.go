package study

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/thm-suite/thm/bench/gate/measure"
)

// A twin is a test binary that does what the unchanged one does, to be compared with it: numbered from 1, of every ten
// eight are the same binary, one differs in a comment, and one in a function that no benchmark calls.
const twins = 250

// twinsTogether is how many twins are compared in the same rounds, [firstLook] of them.
const twinsTogether = 42

// The kinds of twins.
const (
	identical = "the same binary"
	comment   = "another comment"
	unrelated = "another function"
)

// TwinKinds lists them.
var TwinKinds = []string{identical, comment, unrelated}

func twinKind(t int) string {
	switch t % 10 {
	case 1:
		return comment
	case 6:
		return unrelated
	}
	return identical
}

// twinBenchmark is the benchmark of a twin, an index of planted; each kind has all of them equally often.
func twinBenchmark(t int) int { return (t/10 + t) % len(planted) }

// twinRound is the first of the rounds of a twin.
func twinRound(t int) int { return (t - 1) / twinsTogether * firstLook }

// buildTwin builds a twin of a binary, from sources that lie over its own.
func buildTwin(ctx context.Context, bin measure.Binary, t int, dir string) (measure.Binary, error) {
	kind := twinKind(t)
	if kind == identical {
		return bin, nil
	}
	dir = filepath.Join(dir, fmt.Sprintf("twin-%d", t))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return bin, err
	}
	files, err := filepath.Glob(filepath.Join(bin.Package.Dir, "*_test.go"))
	if err != nil || len(files) != 1 {
		return bin, fmt.Errorf("%s has %d test files and not one (%w)", bin.Package.Dir, len(files), err)
	}
	source, err := os.ReadFile(files[0])
	if err != nil {
		return bin, err
	}
	name, text := files[0], remarks(t)+string(source)
	if kind == unrelated { // half of them stand before the code of the benchmarks, half behind it
		name = filepath.Join(bin.Package.Dir, []string{"a", "z"}[t/10%2]+"_twin_test.go")
		text = unrelatedFunction(filepath.Base(bin.Package.Dir), t)
	}
	over, overlay := filepath.Join(dir, "source"), filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {name: over}})
	if err != nil {
		return bin, err
	}
	if err := os.WriteFile(over, []byte(text), 0o644); err != nil {
		return bin, err
	}
	if err := os.WriteFile(overlay, list, 0o644); err != nil {
		return bin, err
	}
	bin.Path = filepath.Join(dir, "twin.test")
	return bin, measure.Build(ctx, bin.Package, bin.Path, "-overlay", overlay)
}

// remarks are as many lines of comment as the number of the twin.
func remarks(t int) string {
	return strings.Repeat("// This comment changes the numbers of the lines below.\n", t)
}

// unrelatedFunction is a file with a function that grows with the number of the twin, and with a test of it, which
// keeps it in the binary.
func unrelatedFunction(pkg string, t int) string {
	return fmt.Sprintf("package %s\n\nimport \"testing\"\n\nfunc twin(x uint64) uint64 {\n%s\treturn x\n}\n\n"+
		"func TestTwin(t *testing.T) {\n\tif twin(1) == twin(3) {\n\t\tt.Error(\"two odd numbers became one\")\n\t}\n}\n",
		pkg, strings.Repeat("\tx *= x<<1 | 1\n", t))
}
