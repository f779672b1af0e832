package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thm-suite/thm/bench/experiment"
	"github.com/thm-suite/thm/impl/data"
)

// SyntheticName is the data set that is drawn and not read.
const SyntheticName = "synthetic"

// DataNames are the data sets that can be read.
func DataNames() []string {
	var out []string
	for _, k := range data.KnownSets {
		out = append(out, k.Name)
	}
	return out
}

// Names checks the names, and puts them in the order of the list.
func Names(names []string) ([]string, error) {
	for _, name := range names {
		if !slices.Contains(experiment.Names, name) {
			return nil, fmt.Errorf("no experiment %q; there are %s", name, strings.Join(experiment.Names, ", "))
		}
	}
	var out []string
	for _, name := range experiment.Names {
		if len(names) == 0 || slices.Contains(names, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// OpenSets opens the data sets of the given names, or those that are here, or draws one.
func OpenSets(wanted []string, seed uint64) (sets []experiment.Set, skipped []string, err error) {
	dir, err := data.DefaultDir()
	if err != nil {
		return nil, nil, err
	}
	for _, name := range wanted {
		if name != SyntheticName && !slices.Contains(DataNames(), name) {
			return nil, nil, fmt.Errorf("no data set %q; there are %s", name,
				strings.Join(append(DataNames(), SyntheticName), ", "))
		}
	}
	for _, k := range data.KnownSets {
		if len(wanted) > 0 && !slices.Contains(wanted, k.Name) {
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
	if slices.Contains(wanted, SyntheticName) || len(sets) == 0 {
		sets = append(sets, experiment.SyntheticSet(seed))
	}
	return sets, skipped, nil
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
