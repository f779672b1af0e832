package command

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/thm-suite/thm/internal/cli"
	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/terminal"
)

// sampling are the flags that say what to measure, and how often.
type sampling struct {
	dir       string
	packages  []string
	filter    string
	count     int
	benchtime string
	seed      uint64
	quiet     bool
	quantity  string
	limit     time.Duration
}

func (f *sampling) register(flags *pflag.FlagSet, benchtime, quantity string) {
	flags.StringVarP(&f.dir, "dir", "C", ".", "`DIR` of the module")
	flags.StringSliceVar(&f.packages, "pkg", []string{"./..."}, "`PACKAGES`, as the go command has them")
	flags.StringVar(&f.filter, "filter", "", "measure only what this benchstat `FILTER` matches, by name, key or pkg")
	flags.IntVarP(&f.count, "count", "n", 10, "samples of each benchmark, each a process of its own")
	flags.StringVar(&f.benchtime, "benchtime", benchtime, "length of a sample, as in 100ms or 50x")
	f.seed = 1
	flags.Var(cli.NewValue(&f.seed, "N", cli.ParseSeed), "seed", "seed of the random order")
	flags.StringVar(&f.quantity, "meter", quantity, "what to measure: time; instructions, counted in addition to time; "+
		"cycles, estimated in addition to both by simulating caches; or auto, which counts instructions if the machine can")
	flags.DurationVar(&f.limit, "count-limit", 2*time.Minute, "time limit for a process whose instructions are counted")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
}

var iterations = regexp.MustCompile(`^[1-9][0-9]{0,8}x$`)

func (f *sampling) valid() error {
	if err := f.validQuantity(); err != nil {
		return err
	}
	if f.count < 1 || f.count > 1e6 {
		return fmt.Errorf("--count %d: a count is a whole number from 1 to a million", f.count)
	}
	if d, err := time.ParseDuration(f.benchtime); !iterations.MatchString(f.benchtime) && (err != nil || d <= 0) {
		return fmt.Errorf("--benchtime %q is neither a time as in 100ms nor a number of iterations as in 50x",
			f.benchtime)
	}
	if !folder(f.dir) {
		return fmt.Errorf("-C %s: there is no such directory", f.dir)
	}
	_, err := measure.Select(nil, f.filter)
	return err
}

// describe is the first line of a file of samples.
func (f *sampling) describe(pattern string, tests *builds, arms ...measure.Arm) measure.Run {
	quantity := ""
	if f.counting() {
		quantity = f.quantity
	}
	return measure.Run{Quantity: quantity, Seed: f.seed, Benchtime: f.benchtime, Packages: f.packages,
		Pattern: pattern, Filter: f.filter,
		Arms:    arms,
		Started: time.Now().UTC().Truncate(time.Second), Frequency: measure.Frequency(), Builds: tests.sums}
}

// builds is a temporary directory of test binaries.
type builds struct {
	scratch *measure.Scratch
	config  [][2]string // of the machine and of the builds
	sums    map[string]string
	count   *measure.Instructions // for which the binaries are built; nil where only time is measured
}

func newBuilds(m *terminal.Progress, count *measure.Instructions) (*builds, error) {
	scratch, err := measure.NewScratch()
	if err != nil {
		return nil, err
	}
	if len(scratch.Left) > 0 {
		m.Note("removed what a command that was killed had left: " + strings.Join(scratch.Left, ", "))
	}
	return &builds{scratch: scratch, sums: map[string]string{}, count: count}, nil
}

func (w *builds) remove() { _ = w.scratch.Remove() }

// build builds the packages of an arm, whose benchmarks lie at dir.
func (w *builds) build(ctx context.Context, m *terminal.Progress, f *sampling, dir,
	arm string) ([]measure.Binary, error) {
	packages, err := measure.Packages(ctx, dir, f.packages...)
	if err != nil {
		return nil, err
	}
	var bins []measure.Binary
	for i, pkg := range packages {
		m.Set(fmt.Sprintf("building %s (%d of %d)", pkg.ImportPath, i+1, len(packages)))
		bin := measure.Binary{Arm: arm, Package: pkg,
			Path: filepath.Join(w.scratch.Dir, strings.ReplaceAll(arm, " ", "-"), fmt.Sprintf("%d.test", i))}
		if err := w.compile(ctx, bin); err != nil {
			return nil, err
		}
		if w.sums[buildKey(bin)], err = measure.Sum(bin.Path); err != nil {
			return nil, err
		}
		bins = append(bins, bin)
	}
	if config, err := measure.BuildConfig(bins[0].Path); err == nil {
		w.config = append(measure.Machine(), config...)
	}
	if w.count != nil {
		w.config = append(w.config, [2]string{"counter", w.count.Counter.String()})
	}
	return bins, nil
}

// compile builds a binary, for the counter if there is one.
func (w *builds) compile(ctx context.Context, bin measure.Binary, flags ...string) error {
	if w.count != nil {
		hooks, err := measure.Hooked(ctx, bin.Package.Dir, w.scratch.Dir)
		if err != nil {
			return err
		}
		flags = append(flags, hooks)
	}
	return measure.Build(ctx, bin.Package, bin.Path, flags...)
}

func buildKey(b measure.Binary) string { return strings.TrimSpace(b.Arm + " " + b.Package.ImportPath) }

// discover finds the benchmarks of binaries.
func discover(ctx context.Context, m *terminal.Progress, f *sampling, pattern string, bins []measure.Binary) (
	found []measure.Benchmark, failed []measure.Failure, err error) {
	for i, bin := range bins {
		m.Set(fmt.Sprintf("finding the benchmarks of %s (%d of %d)", bin.Package.ImportPath, i+1, len(bins)))
		names, broken, err := measure.Discover(ctx, bin, pattern)
		if err != nil {
			return nil, nil, err
		}
		found, failed = append(found, names...), append(failed, broken...)
	}
	found, err = measure.Select(found, f.filter)
	return found, failed, err
}

func filtered(filter string) string {
	if filter == "" {
		return ""
	}
	return " and the filter"
}
