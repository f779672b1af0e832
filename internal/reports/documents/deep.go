package documents

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/thm-suite/thm/internal/reports"
)

// deepRun sums up the published run at deep effort.
func deepRun(root string) (string, error) {
	r, err := reports.Read(filepath.Join(root, "reports/published/deep/results.json"))
	if err != nil {
		return "", err
	}
	cases, controls, shards := r.Summary.Cases, r.Summary.Controls, r.Run.Parts
	if len(shards) == 0 {
		return "", errors.New("reports/published/deep: not a run in shards")
	}
	return fmt.Sprintf("\n%s %d of %d cases ran, and %d of %d controls were rejected. The run was made from commit %.8s "+
		"in %d shards and took %.0f s of processor time, %.0f to %.0f s per shard.\n\n",
		reports.CountRows(r.Claims).Sentence(), cases.Run, cases.Planned, controls.Run, controls.Planned, r.Manifest.Commit,
		len(shards), floats.Sum(shards), slices.Min(shards), slices.Max(shards)), nil
}
