package report

import (
	"fmt"
	"os"

	"github.com/thm-suite/thm/bench/experiment"
	"github.com/thm-suite/thm/props"
)

// Published reads the results that a run is to be compared with, nil for none, before the run takes its time.
func Published(file string, names []string, sets []experiment.Set, effort props.Effort,
	seed uint64) (*experiment.Result, error) {
	if file == "" {
		return nil, nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w; --check wants a results.json of thm experiment", err)
	}
	published, err := Decode(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var datasets []string
	for _, s := range sets {
		datasets = append(datasets, s.Name)
	}
	if err := published.Covers(names, datasets, effort, seed); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return published, nil
}
