package blas

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGenerated: the assembly is what the generator writes.
func TestGenerated(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	// The generator runs where the go command runs, whatever this test was built for.
	host, err := exec.Command(tool, "env", "GOHOSTOS", "GOHOSTARCH").Output()
	fields := strings.Fields(string(host))
	if err != nil || len(fields) != 2 {
		t.Fatalf("go env: %q, %v", host, err)
	}
	sources, err := filepath.Glob("gen/*.go")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no generator: %v", err)
	}
	dir := t.TempDir()
	run := exec.Command(tool, append(append([]string{"run"}, sources...), dir)...)
	run.Env = append(os.Environ(), "GOOS="+fields[0], "GOARCH="+fields[1])
	if out, err := run.CombinedOutput(); err != nil {
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
