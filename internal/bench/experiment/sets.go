package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/thm-suite/thm/internal/impl/data"
	"github.com/thm-suite/thm/internal/list"
	"github.com/thm-suite/thm/internal/streams"
)

// Set is a data set to run on.
type Set struct {
	Name string
	Data *data.Dataset
}

// Synthetic is the name of the data set that is drawn and not read.
const Synthetic = "synthetic"

// SyntheticSet draws the built-in data set, which stands in where real ones are missing.
func SyntheticSet(seed uint64) Set {
	return Set{Synthetic, data.Synthetic(streams.New(seed, "experiment", "synthetic"), 3000, 1500)}
}

// SetNames are the data sets that can be asked for.
func SetNames() []string { return append(data.Names(), Synthetic) }

// Title is the name of a data set for a reader.
func Title(set string) string {
	if set == Synthetic {
		return "Synthetic strokes"
	}
	if known, err := data.FindKnown(set); err == nil {
		return known.Title
	}
	return set
}

// OpenSets opens the data sets that the experiment runs on, of those wanted; without a wish those that are here, or the
// one that is drawn. A data set that is wanted and not here is an error, one that is damaged always.
func (e Experiment) OpenSets(wanted []string, seed uint64) (sets []Set, skipped []string, err error) {
	for _, name := range wanted {
		if !slices.Contains(SetNames(), name) {
			return nil, nil, fmt.Errorf("no data set %q; there are %s", name, strings.Join(SetNames(), ", "))
		}
	}
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
			sets = append(sets, Set{k.Name, set})
		case len(wanted) == 0 && errors.Is(err, data.ErrMissing):
			skipped = append(skipped, fmt.Sprintf("%s was skipped, because it is not here; thm data fetch %s gets it.",
				k.Title, k.Name))
		default:
			return nil, nil, err
		}
	}
	if slices.Contains(e.Data, Synthetic) && (slices.Contains(wanted, Synthetic) || len(wanted)+len(sets) == 0) {
		sets = append(sets, SyntheticSet(seed))
	}
	if len(e.Data) > 0 && len(sets) == 0 {
		return nil, skipped, fmt.Errorf("%s runs on %s, and none of them is chosen or here: %w", e.Name,
			strings.Join(e.Data, ", "), data.ErrMissing)
	}
	return sets, skipped, nil
}

// namesOf are the names of data sets.
func namesOf(sets []Set) []string {
	return list.Map(sets, func(s Set) string { return s.Name })
}
