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
	"github.com/thm-suite/thm/props/results"
)

// CostsFile holds seconds of processor time per case, by claim and check. Shards are balanced by it, so it belongs to
// the binary: a machine that had its own would deal the work in another way than its neighbours.
const CostsFile = "internal/reports/runs/costs.json"

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

// CostsOf adds what the rows of a run took to a table.
func CostsOf(table map[string]float64, rows []results.Claim) {
	for _, c := range rows {
		for _, cost := range c.Costs {
			if cost.Cases > 0 {
				table[props.CostKey(c.ID, cost.Check)] = cost.Seconds / float64(cost.Cases)
			}
		}
	}
}

// CostsTable makes the table from the published report, of whatever version its format is: times are no evidence. A
// claim that is not in there has the default of [props.Plan] until the report is published again. Two digits are enough
// to balance by, and do not change all the time.
func CostsTable(root string) (string, error) {
	file := filepath.Join(root, "reports", "published", "example", "results.json")
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) { // nothing to make it from: it stays as it is
		old, err := os.ReadFile(filepath.Join(root, CostsFile))
		if errors.Is(err, fs.ErrNotExist) {
			return "", nil
		}
		return string(old), err
	}
	var published struct {
		Claims []struct {
			ID    string         `json:"id"`
			Costs []results.Cost `json:"costs"`
		} `json:"claims"`
	}
	if err == nil {
		err = json.Unmarshal(raw, &published)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	table := map[string]float64{}
	for _, c := range published.Claims {
		CostsOf(table, []results.Claim{{ID: c.ID, Costs: c.Costs}})
	}
	for key, cost := range table {
		if table[key], err = strconv.ParseFloat(fmt.Sprintf("%.1e", cost), 64); err != nil {
			return "", fmt.Errorf("%s: %s: %w", file, key, err)
		}
	}
	text, err := json.MarshalIndent(table, "", "  ")
	return string(text) + "\n", err
}
