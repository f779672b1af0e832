package runs

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/thm-suite/thm/props"
	"github.com/thm-suite/thm/reports"
)

// CostsFile holds seconds of processor time per case, by claim and check. Shards are balanced by it, so it belongs to
// the binary: a machine that had its own would deal the work in another way than its neighbours.
const CostsFile = "reports/runs/costs.json"

//go:embed costs.json
var costsJSON []byte

// costs reads the embedded table. What is not in it has the default of [props.Plan].
var costs = sync.OnceValue(func() map[string]float64 {
	var table map[string]float64
	if err := json.Unmarshal(costsJSON, &table); err != nil {
		panic("runs: costs.json: " + err.Error()) // a file of the repository
	}
	return table
})

// CostsTable makes the table from the published report. Two digits are enough to balance by, and do not change all
// the time.
func CostsTable(root string) (string, error) {
	file := filepath.Join(root, "reports", "published", "example", "results.json")
	results, err := reports.Read(file)
	switch {
	case errors.Is(err, fs.ErrNotExist): // nothing to make it from: it stays as it is
		old, err := os.ReadFile(filepath.Join(root, CostsFile))
		if errors.Is(err, fs.ErrNotExist) {
			return "", nil
		}
		return string(old), err
	case err != nil:
		return "", err
	}
	table := map[string]float64{}
	for _, c := range results.Claims {
		for _, cost := range c.Costs {
			if cost.Cases == 0 {
				continue
			}
			perCase, err := strconv.ParseFloat(fmt.Sprintf("%.1e", cost.Seconds/float64(cost.Cases)), 64)
			if err != nil {
				return "", fmt.Errorf("%s: %s: %w", file, c.ID, err)
			}
			table[props.CostKey(c.ID, cost.Check)] = perCase
		}
	}
	text, err := json.MarshalIndent(table, "", "  ")
	return string(text) + "\n", err
}
