package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/thm-suite/thm/internal/gate/measure"
	"github.com/thm-suite/thm/internal/gate/measure/diff"
	"github.com/thm-suite/thm/internal/terminal"
)

// versions are the two sides of a comparison.
type versions struct {
	*builds
	names    [2]string // for people
	arms     []measure.Arm
	bins     []measure.Binary // of all arms
	pilot    []measure.Binary // the old code three times
	sets     [2][]measure.Benchmark
	failed   []measure.Failure
	skipped  []string      // packages that are the same
	ran      time.Duration // of a process that runs a benchmark once
	cleanups []func() error
}

func (v *versions) clean() error {
	var err error
	for _, f := range v.cleanups {
		err = errors.Join(err, f())
	}
	v.remove()
	return err
}

// prepare checks out, builds and finds.
func (v *versions) prepare(ctx context.Context, m *terminal.Progress, f *diffFlags, refs []string) error {
	dirs := [2]string{"", f.dir}
	for i, ref := range refs {
		if ref == "" {
			commit, dirty := measure.Revision(ctx, f.dir)
			v.names[i], v.arms = "working tree", append(v.arms,
				measure.Arm{Name: diff.New, Commit: commit, Dirty: dirty})
			continue
		}
		m.Set("checking out " + ref)
		w, err := measure.Checkout(ctx, v.scratch, f.dir, ref)
		if err != nil {
			return err
		}
		v.cleanups = append(v.cleanups, w.Remove)
		if f.setup != "" {
			m.Set("setting up " + ref)
			if err := w.Setup(ctx, f.setup); err != nil {
				return fmt.Errorf("--setup in %s: %w", ref, err)
			}
		}
		dirs[i], v.names[i] = w.Dir, ref
		v.arms = append(v.arms, measure.Arm{Name: []string{diff.Old, diff.New}[i], Commit: w.Commit})
	}
	if v.names[0] == v.names[1] {
		v.names[1] += " again"
	}
	var built [2][]measure.Binary
	for i, arm := range []string{diff.Old, diff.New} {
		var err error
		if built[i], err = v.build(ctx, m, &f.sampling, dirs[i], arm); err != nil {
			return fmt.Errorf("%s: %w", v.names[i], err)
		}
	}
	if !f.all {
		v.skip(&built)
	}
	return v.find(ctx, m, f, built)
}

// skip leaves out packages that are the same in both versions.
func (v *versions) skip(built *[2][]measure.Binary) {
	same := map[string]bool{}
	for _, a := range built[0] {
		for _, b := range built[1] {
			binary := a.Package.ImportPath == b.Package.ImportPath && v.sums[buildKey(a)] == v.sums[buildKey(b)]
			if binary && measure.SameTree(a.Package.Dir, b.Package.Dir) {
				same[a.Package.ImportPath] = true
				v.skipped = append(v.skipped, a.Package.ImportPath)
			}
		}
	}
	for i := range built {
		var kept []measure.Binary
		for _, bin := range built[i] {
			if !same[bin.Package.ImportPath] {
				kept = append(kept, bin)
			}
		}
		built[i] = kept
	}
}

// find discovers the benchmarks of both versions, and copies the binaries of the old one for its further appearances.
func (v *versions) find(ctx context.Context, m *terminal.Progress, f *diffFlags, built [2][]measure.Binary) error {
	began, processes := time.Now(), 0
	for i := range built {
		found, failed, err := discover(ctx, m, &f.sampling, f.pattern, built[i])
		if err != nil {
			return fmt.Errorf("%s: %w", v.names[i], err)
		}
		v.sets[i], v.failed = found, append(v.failed, failed...)
		v.bins = append(v.bins, built[i]...)
		processes += len(found)
	}
	v.ran = time.Since(began) / time.Duration(max(processes, 1))
	for _, bin := range built[0] {
		for i, arm := range []string{diff.Again, diff.Pilots[0], diff.Pilots[1], diff.Pilots[2]} {
			another := bin
			another.Arm, another.Path = arm, filepath.Join(v.scratch.Dir, fmt.Sprintf("copy-%d", i),
				filepath.Base(bin.Path))
			if err := measure.CopyBinary(another.Path, bin.Path); err != nil {
				return err
			}
			if i == 0 {
				v.bins = append(v.bins, another)
			} else {
				v.pilot = append(v.pilot, another)
			}
		}
	}
	return nil
}

// relink builds a package of an arm with its functions in another order.
func (v *versions) relink(ctx context.Context, pkg, arm string, seed int) (measure.Binary, error) {
	at := slices.IndexFunc(v.bins, func(b measure.Binary) bool { return b.Arm == arm && b.Package.ImportPath == pkg })
	bin := v.bins[at]
	bin.Path += ".relinked"
	return bin, v.compile(ctx, bin, fmt.Sprintf("-ldflags=-randlayout=%d", seed))
}
