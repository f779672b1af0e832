package blas

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGenerated: the assembly is what the generator writes.
func TestGenerated(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	dir := t.TempDir()
	if out, err := exec.Command(tool, "run", "gen/main.go", "gen/gemm.go", "gen/pack.go", "gen/secular.go", "gen/thin.go", "gen/trapezoid.go", "gen/vector.go", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	written, err := filepath.Glob(filepath.Join(dir, "*.s"))
	committed, err2 := filepath.Glob("*.s")
	if err != nil || err2 != nil || len(written) != len(committed) || len(written) == 0 {
		t.Fatalf("%d files written, %d committed; %v %v", len(written), len(committed), err, err2)
	}
	for _, name := range written {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Base(name)); err != nil || string(got) != string(want) {
			t.Errorf("%s is not what go generate writes (%v)", filepath.Base(name), err)
		}
	}
}
