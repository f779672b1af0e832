package study

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/thm-suite/thm/internal/gate/measure"
)

// A twin is a test binary that does what the unchanged one does: the numbers up to copies are the same binary, the next
// differ in a comment or in a function that no benchmark calls, alternately.
const (
	copies   = 11
	variants = 50
	twins    = copies + variants
)

// The kinds of twins.
const (
	identical = "the same binary"
	comment   = "another comment"
	unrelated = "another function"
)

// TwinKinds lists them.
var TwinKinds = []string{identical, comment, unrelated}

func twinKind(t int) string {
	switch {
	case t <= copies:
		return identical
	case t%2 == 0:
		return comment
	}
	return unrelated
}

// twinBenchmark is the benchmark of a twin that is a variant, an index of planted.
func twinBenchmark(t int) int { return (t - copies - 1) / 2 % len(planted) }

// The rounds in which variants and copies are compared: a variant in a group of [firstLook] of them, a copy in all.
const (
	variantGroups = 2
	copyGroups    = 2
)

// twinsOf are the twins of a benchmark in a round.
func twinsOf(benchmark, round int) (numbers []int) {
	group := round / firstLook
	for t := 1; t <= twins; t++ {
		switch {
		case t <= copies && group >= variantGroups && group < variantGroups+copyGroups,
			t > copies && twinBenchmark(t) == benchmark && t/2%variantGroups == group:
			numbers = append(numbers, t)
		}
	}
	return numbers
}

// twinComparison is one of unchanged code with a twin.
type twinComparison struct {
	kind  string
	name  string
	round int    // the first of three
	arms  [3]arm // old, old again, new
}

// arm is what was sampled: a place of the unchanged code, or a twin.
type arm struct{ place, twin int }

func (a arm) slot(name string, round int) countSlot {
	return countSlot{Name: name, Round: round, Place: a.place, Twin: a.twin}
}

// sidesOfUnchanged are the places of the unchanged code and the copies.
const sidesOfUnchanged = 2 + copies

// identicalEach is the number of comparisons of identical code, in a group of rounds and for a benchmark.
const identicalEach = 20

// twinComparisons lists them: 200 of identical code and one for each variant. Those of identical code and one group of
// rounds take three of thirteen samples a round each, so that no two of them share more than one: the translates of
// {0, 1, 4} and {0, 2, 7} modulo 13 are a Steiner triple system.
func twinComparisons() (all []twinComparison) {
	for t := copies + 1; t <= twins; t++ {
		all = append(all, twinComparison{twinKind(t), planted[twinBenchmark(t)].name, t / 2 % variantGroups * firstLook,
			[3]arm{{0, 0}, {1, 0}, {0, t}}})
	}
	for group := range copyGroups {
		for _, p := range planted {
			for k := range identicalEach {
				c := twinComparison{kind: identical, name: p.name, round: (variantGroups + group) * firstLook}
				for i, step := range [][3]int{{0, 1, 4}, {0, 2, 7}}[k/sidesOfUnchanged] {
					c.arms[i] = side((k + step) % sidesOfUnchanged)
				}
				all = append(all, c)
			}
		}
	}
	return all
}

func side(k int) arm {
	if k < 2 {
		return arm{place: k}
	}
	return arm{twin: k - 1}
}

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
	if err != nil {
		return bin, err
	}
	if len(files) != 1 {
		return bin, fmt.Errorf("%s has %d test files and not one", bin.Package.Dir, len(files))
	}
	source, err := os.ReadFile(files[0])
	if err != nil {
		return bin, err
	}
	name, text := files[0], remarks(t)+string(source)
	if kind == unrelated { // half of them stand before the code of the benchmarks, half behind it
		name = filepath.Join(bin.Package.Dir, []string{"a", "z"}[t/4%2]+"_twin_test.go")
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
