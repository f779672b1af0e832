package props

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/thm-suite/thm/internal/source"
	"github.com/thm-suite/thm/props/results"
)

// ThisTool describes the running binary and its machine.
func ThisTool() results.Tool {
	t := results.Tool{Version: "devel", Go: runtime.Version(), GOOS: runtime.GOOS, GOARCH: runtime.GOARCH, CPU: cpuName()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return t
	}
	t.Version = taggedVersion(info.Main.Version, source.Now().Commit)
	for _, s := range info.Settings {
		if s.Key == "GOAMD64" {
			t.GOAMD64 = s.Value
		}
	}
	t.Kernel = kernelName(info)
	return t
}

// newManifest describes the running program and what it is to verify.
func newManifest(claims []Claim, o Options) results.Manifest {
	s := source.Now()
	m := results.Manifest{Commit: s.Commit, Modified: s.Modified, Build: s.Build, Binary: s.Binary,
		Patterns: append([]string{}, o.Patterns...), Planned: []string{}, Effort: o.Effort, Seed: o.Seed}
	for _, c := range claims {
		m.Planned = append(m.Planned, c.Statement.Slug)
	}
	return m
}

// untagged matches what go build gives as the version of a commit without a tag, or of a tree with changes.
var untagged = regexp.MustCompile(`^(\(devel\))?$|[-.]\d{14}-[0-9a-f]{12}|\+dirty`)

// taggedVersion is the tag from which a program was built. Without one the commit says more than a version.
func taggedVersion(module, commit string) string {
	switch {
	case !untagged.MatchString(module):
		return module
	case commit != "":
		return "devel-" + commit[:min(12, len(commit))]
	case module == "" || module == "(devel)":
		return "devel"
	}
	return module
}

// kernelName names the BLAS that gonum's matrices use in this binary, as it names itself.
func kernelName(info *debug.BuildInfo) string {
	switch used := blas64.Implementation().(type) {
	case fmt.Stringer:
		return used.String()
	case gonum.Implementation:
		for _, d := range info.Deps {
			if d.Path == "gonum.org/v1/gonum" {
				return "gonum " + d.Version
			}
		}
	default:
		return fmt.Sprintf("%T", used)
	}
	return "unknown"
}

// cpuName is the processor's model name where the system tells it, and the architecture elsewhere.
func cpuName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
