package measure

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Benchmark is a benchmark of a package, by its full name without the word Benchmark and without GOMAXPROCS.
type Benchmark struct {
	Package string // import path
	Name    string // e.g. "Sum/n=10"
}

func (b Benchmark) String() string { return b.Package + " " + b.Name }

// Discover finds the benchmarks of a binary whose names match a pattern of go test -bench, sub-benchmarks included.
// Names of sub-benchmarks are known only to the running program, so each top-level benchmark runs once, in a
// process of its own. What fails is returned by name with its reason; the others stand.
func Discover(ctx context.Context, bin Binary, pattern string) (found []Benchmark, failed []Failure, err error) {
	if _, err := regexp.Compile(pattern); err != nil {
		return nil, nil, fmt.Errorf("pattern %q: %w", pattern, err)
	}
	top, err := list(ctx, bin)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range top {
		names, reason := dryRun(ctx, bin, pattern, others(top, name))
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		for _, n := range names {
			found = append(found, Benchmark{bin.Package.ImportPath, n})
		}
		if reason != "" {
			failed = append(failed, Failure{Benchmark{bin.Package.ImportPath, name}, bin.Arm, reason})
		}
	}
	return found, failed, nil
}

// Failure is a benchmark that has no result, and why.
type Failure struct {
	Benchmark
	Arm    string
	Reason string
}

// list returns the top-level benchmarks of a binary.
func list(ctx context.Context, bin Binary) ([]string, error) {
	out, err := command(ctx, bin.Package.Dir, nil, bin.Path, "-test.list", "^Benchmark")
	if err != nil {
		return nil, fmt.Errorf("listing the benchmarks of %s: %w", bin.Package.ImportPath, err)
	}
	var names []string
	for line := range strings.Lines(out) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "Benchmark")
		if ok && !strings.ContainsAny(name, " \t:") {
			names = append(names, name)
		}
	}
	return names, nil
}

// others is a pattern for -test.skip that leaves one top-level benchmark.
func others(top []string, name string) string {
	rest := slices.DeleteFunc(slices.Clone(top), func(t string) bool { return t == name })
	if len(rest) == 0 {
		return ""
	}
	return "^Benchmark(" + strings.Join(rest, "|") + ")$"
}

// dryRun runs every benchmark that matches a pattern once, but those to skip, and returns the names that gave a
// result. At -test.cpu 1 names carry no GOMAXPROCS. A reason says that something went wrong.
func dryRun(ctx context.Context, bin Binary, pattern, skip string) (names []string, reason string) {
	out := execute(ctx, bin, "-test.run", "^$", "-test.bench", pattern, "-test.skip", skip,
		"-test.benchtime", "1x", "-test.cpu", "1", "-test.v", "-test.timeout", "10m")
	for _, r := range out.results {
		names = append(names, string(r.Name))
	}
	if out.err != nil {
		reason = out.err.Error()
	}
	return names, reason
}
