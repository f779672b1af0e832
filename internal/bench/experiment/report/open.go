package report

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/bench/experiment"
	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/props"
)

// DataNames are the data sets that can be read.
func DataNames() []string {
	var out []string
	for _, k := range data.KnownSets {
		out = append(out, k.Name)
	}
	return out
}

// Choose returns the experiments that a pattern names, in the order of the list; all for none. A pattern without a
// slash is a source or the second half of a name.
func Choose(all []experiment.Experiment, patterns []string) ([]experiment.Experiment, error) {
	if len(patterns) == 0 {
		return all, nil
	}
	chosen := map[string]bool{}
	for _, pattern := range patterns {
		found := false
		for _, e := range all {
			source, short, _ := strings.Cut(e.Name, "/")
			for _, name := range []string{e.Name, source, short} {
				if ok, err := path.Match(pattern, name); err == nil && ok {
					found, chosen[e.Name] = true, true
				}
			}
		}
		if !found {
			var names []string
			for _, e := range all {
				names = append(names, e.Name)
			}
			return nil, fmt.Errorf("no experiment %q; there are %s", pattern, strings.Join(names, ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(e experiment.Experiment) bool { return !chosen[e.Name] }), nil
}

// CheckDataNames refuses names of data sets that there are not.
func CheckDataNames(wanted []string) error {
	known := append(DataNames(), experiment.Synthetic)
	for _, name := range wanted {
		if !slices.Contains(known, name) {
			return fmt.Errorf("no data set %q; there are %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}

// OpenSets opens the data sets that an experiment runs on, of those wanted; without a wish those that are here, or the
// one that is drawn. A data set that is wanted and not here is an error, one that is damaged always.
func OpenSets(e experiment.Experiment, wanted []string, seed uint64) (sets []experiment.Set, skipped []string,
	err error) {
	dir, err := data.DefaultDir()
	if err != nil {
		return nil, nil, err
	}
	for _, k := range data.KnownSets {
		if !slices.Contains(e.Data, k.Name) || len(wanted) > 0 && !slices.Contains(wanted, k.Name) {
			continue
		}
		set, err := k.Open(dir)
		switch {
		case err == nil:
			sets = append(sets, experiment.Set{Name: k.Name, Data: set})
		case len(wanted) == 0 && errors.Is(err, data.ErrMissing):
			skipped = append(skipped, fmt.Sprintf("%s was skipped, because it is not here; thm data fetch %s gets "+
				"it.", k.Title, k.Name))
		default:
			return nil, nil, err
		}
	}
	drawn := slices.Contains(e.Data, experiment.Synthetic)
	if drawn && (slices.Contains(wanted, experiment.Synthetic) || len(wanted) == 0 && len(sets) == 0) {
		sets = append(sets, experiment.SyntheticSet(seed))
	}
	if len(e.Data) > 0 && len(sets) == 0 {
		return nil, skipped, fmt.Errorf("%s runs on %s, and none of them is chosen or here: %w", e.Name,
			strings.Join(e.Data, ", "), data.ErrMissing)
	}
	return sets, skipped, nil
}

// Published reads the results that a run is to be compared with, nil for none, before the run takes its time.
func Published(dir string, e experiment.Experiment, sets []experiment.Set, effort props.Effort,
	seed uint64) (*experiment.Result, error) {
	if dir == "" {
		return nil, nil
	}
	published, err := Read(dir, e)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(Dir(dir, e), "results.json")
	if published == nil {
		return nil, fmt.Errorf("%s is not there; --check wants the --out of a thm experiment that ran %s", file, e.Name)
	}
	var datasets []string
	for _, s := range sets {
		datasets = append(datasets, s.Name)
	}
	if err := e.Covers(published, datasets, effort, seed); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return published, nil
}

// OpenCache opens the file of finished runs, by default in the user's cache; a fresh run has none.
func OpenCache(path string, fresh bool) (*experiment.Cache, error) {
	if fresh {
		return experiment.OpenCache("")
	}
	if path == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("no directory for finished runs: %w; name a file with --cache, or give --fresh", err)
		}
		path = filepath.Join(dir, "thm", "experiments.jsonl")
	}
	cache, err := experiment.OpenCache(path)
	if err != nil {
		return nil, fmt.Errorf("%w; name another file with --cache, or give --fresh", err)
	}
	return cache, nil
}
