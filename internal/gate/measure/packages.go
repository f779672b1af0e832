package measure

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/thm-suite/thm/internal/gate/measure/counter"
)

// Package is a Go package with test files.
type Package struct {
	ImportPath string
	Dir        string // its source, and the working directory of its benchmarks
}

// Binary is the test binary of a package.
type Binary struct {
	Arm     string // which of several versions it is; empty when there is only one
	Package Package
	Path    string
	Env     []string // added to the environment, NAME=VALUE
}

// Packages lists the packages with test files that match the patterns of the go command, in the module at dir.
func Packages(ctx context.Context, dir string, patterns ...string) ([]Package, error) {
	const format = `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{"\t"}}{{.Dir}}{{end}}`
	out, err := command(ctx, dir, nil, "go", append([]string{"list", "-f", format, "--"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var found []Package
	for line := range strings.Lines(out) {
		if path, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			found = append(found, Package{path, dir})
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no package with test files matches %s", strings.Join(patterns, " "))
	}
	return found, nil
}

// Build compiles the test binary of a package to a file, perhaps with further flags of go test. Paths are trimmed, so
// that equal sources give equal binaries in whatever directory they lie.
func Build(ctx context.Context, p Package, file string, flags ...string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	// The go command leaves its working directory behind if it is interrupted early; then it lies next to the binary.
	scratch := "GOTMPDIR=" + filepath.Dir(file)
	args := append([]string{"test", "-c", "-trimpath", "-buildvcs=false", "-o", file}, flags...)
	if _, err := command(ctx, p.Dir, []string{scratch}, "go", append(args, ".")...); err != nil {
		return err
	}
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("go test -c built nothing for %s", p.ImportPath)
	}
	return nil
}

// GoSystem is the root and the version of the go command that serves a directory. It is an error if benchmarks cannot
// be counted on the system that it builds for.
func GoSystem(ctx context.Context, dir string) (root [2]string, err error) {
	out, err := command(ctx, dir, nil, "go", "env", "GOROOT", "GOVERSION", "GOOS", "GOARCH")
	if err != nil {
		return root, err
	}
	env := strings.Split(strings.TrimSpace(out), "\n")
	if len(env) != 4 || !counter.Supported(env[2], env[3]) {
		return root, fmt.Errorf("benchmarks are counted on linux/amd64 and linux/arm64, and not on %s",
			strings.Join(env[2:], "/"))
	}
	return [2]string{env[0], env[1]}, nil
}

// Hooked is the flag with which binaries are built that can be counted, by the go command that serves a directory. Its
// files lie in the scratch.
func Hooked(ctx context.Context, dir, scratch string) (string, error) {
	root, err := GoSystem(ctx, dir)
	if err != nil {
		return "", err
	}
	overlay, err := counter.Overlay(filepath.Join(scratch, "hooks-"+root[1]), root[0])
	if err != nil {
		return "", fmt.Errorf("the package testing of %s cannot be counted; try --meter time: %w", root[1], err)
	}
	return "-overlay=" + overlay, nil
}

// Build settings of a binary that change its speed, by the key of their configuration line.
var settings = []struct{ key, setting string }{
	{"goamd64", "GOAMD64"}, {"goarm64", "GOARM64"}, {"goexperiment", "GOEXPERIMENT"}, {"cgo", "CGO_ENABLED"},
	// add here
}

// BuildConfig is the configuration that a binary carries in itself: the Go version and the settings of its build.
func BuildConfig(file string) ([][2]string, error) {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := [][2]string{{"goversion", info.GoVersion}}
	for _, want := range settings {
		for _, have := range info.Settings {
			if have.Key == want.setting && have.Value != "" {
				out = append(out, [2]string{want.key, have.Value})
			}
		}
	}
	return out, nil
}

// Sum is the SHA-256 sum of a file in hexadecimal digits.
func Sum(file string) (string, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(content)), nil
}

// command runs a program in a directory, with an addition to the environment, and returns its output. An error is one
// line: what was run, and the first lines of what it said.
func command(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	interruptGently(cmd)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%s %s: %w: %s", name, args[0], err, excerpt(said.String()+out.String()))
	}
	return out.String(), nil
}

// excerpt is the beginning of a text on one line.
func excerpt(text string) string {
	const highest = 300
	line := strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if len(line) > highest {
		line = strings.ToValidUTF8(line[:highest], "") + "…"
	}
	return line
}
